//! The page's side: as many trial workers as the machine has cores, and a collector.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::Interval;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::scope::{buffer_of, now, pack, read};
use crate::domain::problem::Problem;
use crate::domain::scenario::Scenario;
use crate::engine::plan::{Plan, compile};
use crate::runner::dispatch::{Action, Body, Dispatcher, Payload, Seat};
use crate::runner::protocol::{self, Request};
use crate::runner::{RestartReason, RunEvent};
use crate::text::runner::Failure;

/// Milliseconds between two looks at the workers.
const LOOK_MILLISECONDS: u32 = 1_000;
/// More workers than this would wait for the collector.
const MOST_WORKERS: usize = 64;

/// Addresses of the scripts that start a trial worker and the collector.
#[derive(Clone, Debug)]
pub struct Scripts {
    /// Of a trial worker.
    pub worker: String,
    /// Of the collector.
    pub collector: String,
}

impl Scripts {
    /// As the build names them in the page.
    fn named() -> Self {
        let page = web_sys::window().and_then(|window| window.document());
        let named = |role: &str| {
            page.as_ref()
                .and_then(|page| {
                    let meta = format!("meta[name=\"headroom-{role}\"]");
                    page.query_selector(&meta).ok().flatten()
                })
                .and_then(|meta| meta.get_attribute("content"))
                .unwrap_or_else(|| format!("./{role}_loader.js"))
        };
        Self {
            worker: named("worker"),
            collector: named("collector"),
        }
    }
}

impl Payload for ArrayBuffer {
    fn bytes(&self) -> Vec<u8> {
        Uint8Array::new(self).to_vec()
    }
}

/// A worker and what it may call; dropped, it is ended and heard no more.
struct Hand {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

struct Pool {
    scripts: Scripts,
    dispatcher: RefCell<Dispatcher<ArrayBuffer>>,
    workers: RefCell<Vec<Option<Hand>>>,
    collector: RefCell<Option<Hand>>,
    on_event: Box<dyn Fn(RunEvent)>,
    clock: RefCell<Option<Interval>>,
    acting: Cell<bool>,
}

/// Runs scenarios in web workers and tells what comes of it. Dropping it ends the workers.
#[derive(Clone)]
pub struct Runner {
    pool: Rc<Pool>,
}

impl Runner {
    /// Starts one trial worker per core, from the scripts that the page names.
    pub fn new(on_event: impl Fn(RunEvent) + 'static) -> Self {
        let cores = web_sys::window().map_or(1.0, |page| page.navigator().hardware_concurrency());
        Self::with(Scripts::named(), cores as usize, None, on_event)
    }

    /// The same with given scripts, number of trial workers and, if any, trials of a share.
    pub fn with(
        scripts: Scripts,
        workers: usize,
        share: Option<u32>,
        on_event: impl Fn(RunEvent) + 'static,
    ) -> Self {
        let workers = workers.clamp(1, MOST_WORKERS);
        let mut dispatcher = Dispatcher::new(workers, now());
        if let Some(trials) = share {
            dispatcher = dispatcher.with_shares_of(trials);
        }
        let pool = Rc::new(Pool {
            scripts,
            dispatcher: RefCell::new(dispatcher),
            workers: RefCell::new((0..workers).map(|_| None).collect()),
            collector: RefCell::new(None),
            on_event: Box::new(on_event),
            clock: RefCell::new(None),
            acting: Cell::new(false),
        });
        pool.seat(Seat::Collector);
        for at in 0..workers {
            pool.seat(Seat::Worker(at));
        }
        let looked = Rc::downgrade(&pool);
        let look = move || {
            if let Some(pool) = looked.upgrade() {
                pool.with(|dispatcher, now| dispatcher.look(now));
            }
        };
        pool.clock
            .replace(Some(Interval::new(LOOK_MILLISECONDS, look)));
        Self { pool }
    }

    /// Runs a scenario; a run that goes on is dropped with its results.
    ///
    /// # Errors
    ///
    /// The scenario has problems: then nothing changes, and a run that goes on is left alone.
    pub fn start(&self, scenario: &Scenario) -> Result<(), Vec<Problem>> {
        self.start_plan(&compile(scenario)?);
        Ok(())
    }

    /// Runs a plan.
    pub fn start_plan(&self, plan: &Plan) {
        let bytes = protocol::to_bytes(plan).unwrap_or_default();
        let trials = plan.trials;
        self.pool
            .with(|dispatcher, now| dispatcher.start(Rc::from(bytes), trials, now));
    }

    /// Stops the run; what is in is shown.
    pub fn stop(&self) {
        self.pool.with(Dispatcher::stop);
    }

    /// Goes on with a run that was stopped.
    pub fn resume(&self) {
        self.pool.with(Dispatcher::resume);
    }

    /// Breaks a worker, if it is one that can be broken.
    #[cfg(feature = "faults")]
    pub fn break_down(&self, seat: Seat, fault: protocol::Fault) {
        let run = protocol::RunId(0);
        self.pool.post(seat, &Request::Fault(run, fault), None);
    }
}

impl Pool {
    /// Lets the dispatcher act, and does what it says. A listener may call the runner: what comes of that is done
    /// afterwards, in order.
    fn with(self: &Rc<Self>, act: impl FnOnce(&mut Dispatcher<ArrayBuffer>, f64)) {
        act(&mut self.dispatcher.borrow_mut(), now());
        if self.acting.replace(true) {
            return;
        }
        loop {
            let actions = self.dispatcher.borrow_mut().actions();
            if actions.is_empty() {
                break;
            }
            for action in actions {
                match action {
                    Action::Post { to, request, body } => self.post(to, &request, body),
                    Action::Restart(seat) => self.seat(seat),
                    Action::Tell(event) => (self.on_event)(event),
                }
            }
        }
        self.acting.set(false);
    }

    fn post(&self, to: Seat, request: &Request, body: Option<Body<ArrayBuffer>>) {
        let body = body.map(|body| match body {
            Body::Shared(bytes) => buffer_of(&bytes),
            Body::Passed(buffer) => buffer,
        });
        let (parts, moved) = pack(&protocol::to_bytes(request).unwrap_or_default(), body);
        let send = |hand: &Hand| {
            // It fails only for what cannot be copied, and these are plain bytes.
            let _ = hand.worker.post_message_with_transfer(&parts, &moved);
        };
        match to {
            Seat::Worker(at) => {
                let workers = self.workers.borrow();
                workers.get(at).and_then(Option::as_ref).map(send);
            }
            Seat::Collector => {
                self.collector.borrow().as_ref().map(send);
            }
        }
    }

    /// Puts a new worker in a seat; the one that was there is ended.
    fn seat(self: &Rc<Self>, seat: Seat) {
        let hand = self.hire(seat);
        if hand.is_none() {
            (self.on_event)(Failure::NoWorkers.event());
        }
        match seat {
            Seat::Worker(at) => {
                if let Some(place) = self.workers.borrow_mut().get_mut(at) {
                    *place = hand;
                }
            }
            Seat::Collector => {
                self.collector.replace(hand);
            }
        }
    }

    fn hire(self: &Rc<Self>, seat: Seat) -> Option<Hand> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let script = match seat {
            Seat::Worker(_) => &self.scripts.worker,
            Seat::Collector => &self.scripts.collector,
        };
        let worker = Worker::new_with_options(script, &options).ok()?;

        let pool = Rc::downgrade(self);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(pool) = pool.upgrade() else {
                return;
            };
            let message = read(&event.data());
            let response =
                message.and_then(|(head, body)| Some((protocol::response(&head).ok()?, body)));
            pool.with(|dispatcher, now| match response {
                Some((response, body)) => dispatcher.heard(seat, response, body, now),
                None => dispatcher.broke(seat, RestartReason::Crashed, now),
            });
        });
        let pool = Rc::downgrade(self);
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            // It is dealt with here; nothing is left for the console.
            event.prevent_default();
            if let Some(pool) = pool.upgrade() {
                pool.with(|dispatcher, now| dispatcher.broke(seat, RestartReason::Crashed, now));
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Hand {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        })
    }
}
