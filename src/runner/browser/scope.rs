//! The worker's side: messages in, steps between them, messages out.
//!
//! A worker that computes hears nothing, so it does one step at a time and then posts itself a message: what the page
//! sent meanwhile comes first. (A timeout of zero would do as well, at a quarter of the pace.)

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use crate::runner::collect::CollectDesk;
use crate::runner::protocol::{self, BUILD_ID, Request, Response};
use crate::runner::trial::{Engine, Message, TrialDesk};

/// How long the collector builds before it listens again, in milliseconds.
const COLLECTOR_MILLISECONDS: f64 = 15.0;
/// Silence after which a worker that is at work says that it lives, in milliseconds.
const SILENCE_MILLISECONDS: f64 = 1_000.0;

/// What a worker does: messages are noted down at once, work is done in steps.
pub trait Desk {
    /// Takes a message.
    fn take(&mut self, request: Request, body: Option<&[u8]>) -> Vec<Message>;
    /// Whether there is anything to do.
    fn has_work(&self) -> bool;
    /// Does one step.
    fn step(&mut self) -> Vec<Message>;
}

impl<E: Engine> Desk for TrialDesk<E> {
    fn take(&mut self, request: Request, body: Option<&[u8]>) -> Vec<Message> {
        Self::take(self, request, body).into_iter().collect()
    }
    fn has_work(&self) -> bool {
        Self::has_work(self)
    }
    fn step(&mut self) -> Vec<Message> {
        Self::step(self, &now).into_iter().collect()
    }
}

impl Desk for CollectDesk {
    fn take(&mut self, request: Request, body: Option<&[u8]>) -> Vec<Message> {
        Self::take(self, request, body)
    }
    fn has_work(&self) -> bool {
        Self::has_work(self)
    }
    fn step(&mut self) -> Vec<Message> {
        Self::step(self, &js_sys::Date::now, COLLECTOR_MILLISECONDS)
    }
}

struct Scope<D: Desk> {
    global: DedicatedWorkerGlobalScope,
    /// Its other end wakes the worker.
    alarm: MessagePort,
    desk: D,
    awake: bool,
    spoke: f64,
}

/// Serves the page until it ends the worker.
///
/// # Errors
///
/// This is no dedicated worker, or the browser gives no message channel.
pub fn serve<D: Desk + 'static>(desk: D) -> Result<(), JsValue> {
    let global: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let channel = MessageChannel::new()?;
    let scope = Rc::new(RefCell::new(Scope {
        global: global.clone(),
        alarm: channel.port1(),
        desk,
        awake: false,
        spoke: 0.0,
    }));

    let at_work = scope.clone();
    let on_alarm = Closure::<dyn FnMut()>::new(move || at_work.borrow_mut().step());
    channel
        .port2()
        .set_onmessage(Some(on_alarm.as_ref().unchecked_ref()));
    on_alarm.forget(); // it lives as long as the worker

    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        scope.borrow_mut().take(&event.data());
    });
    global.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget(); // it lives as long as the worker

    let build = BUILD_ID.to_owned();
    post(&global, Message::response(&Response::Ready { build }, None));
    Ok(())
}

impl<D: Desk> Scope<D> {
    fn take(&mut self, data: &JsValue) {
        let Some((head, body)) = read(data) else {
            return; // not from this program's page
        };
        let Ok(request) = protocol::request(&head) else {
            return;
        };
        if let Request::Fault(_, fault) = request {
            break_down(fault);
            return;
        }
        let body = body.map(|body| Uint8Array::new(&body).to_vec());
        let messages = self.desk.take(request, body.as_deref());
        self.send(messages);
        self.wake();
    }

    fn wake(&mut self) {
        if !self.awake && self.desk.has_work() {
            // A port of this worker's own cannot be closed before the worker is.
            self.awake = self.alarm.post_message(&JsValue::NULL).is_ok();
        }
    }

    fn step(&mut self) {
        self.awake = false;
        let messages = self.desk.step();
        self.send(messages);
        if self.desk.has_work() && now() - self.spoke > SILENCE_MILLISECONDS {
            self.send(vec![Message::response(&Response::Alive, None)]);
        }
        self.wake();
    }

    fn send(&mut self, messages: Vec<Message>) {
        for message in messages {
            self.spoke = now();
            post(&self.global, message);
        }
    }
}

/// Milliseconds, finer than the calendar's clock where the browser allows.
pub(super) fn now() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into())
        .ok()
        .and_then(|performance| performance.dyn_into::<web_sys::Performance>().ok());
    performance.map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// Sends a message; a body changes hands without a copy.
fn post(global: &DedicatedWorkerGlobalScope, message: Message) {
    let (parts, moved) = pack(&message.head, message.body.map(|body| buffer_of(&body)));
    // A worker that cannot post is being ended by the page.
    let _ = global.post_message_with_transfer(&parts, &moved);
}

/// A copy of bytes that can be handed to another thread.
pub(super) fn buffer_of(bytes: &[u8]) -> ArrayBuffer {
    Uint8Array::from(bytes).buffer()
}

/// A message as the browser carries it, and what of it changes hands.
pub(super) fn pack(head: &[u8], body: Option<ArrayBuffer>) -> (Array, Array) {
    let head = buffer_of(head);
    let parts = Array::of1(&head);
    let moved = Array::of1(&head);
    if let Some(body) = body {
        parts.push(&body);
        moved.push(&body);
    }
    (parts, moved)
}

/// Takes a message apart; none if it is no message of this program.
pub(super) fn read(data: &JsValue) -> Option<(Vec<u8>, Option<ArrayBuffer>)> {
    let parts: &Array = data.dyn_ref()?;
    let head: ArrayBuffer = parts.get(0).dyn_into().ok()?;
    let body = parts.get(1).dyn_into::<ArrayBuffer>().ok();
    Some((Uint8Array::new(&head).to_vec(), body))
}

#[cfg(feature = "faults")]
fn break_down(fault: protocol::Fault) {
    match fault {
        protocol::Fault::Loop => loop {
            std::hint::spin_loop();
        },
        protocol::Fault::Trap => std::process::abort(),
    }
}

#[cfg(not(feature = "faults"))]
fn break_down(_: protocol::Fault) {}
