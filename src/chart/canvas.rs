//! Where charts are drawn on the page: a canvas that follows the size of its box, the pixels of the screen and the theme.
//!
//! Size and drawing are one step, so that nothing flickers: the observer tells the width, the scene follows from it, and
//! both are put on the canvas before the next frame. The canvas says nothing to a screen reader; its name and one
//! sentence do, and the table beside it.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::prelude::*;

use super::draw::{Style, draw};
use super::palette::Palette;
use super::scene::{Area, Ink, Meaning, Scene};

/// What all charts of a page share: colours, fonts and the pixels of the screen.
#[derive(Clone, Copy)]
pub struct ChartTheme {
    palette: Memo<Palette>,
    fonts: StoredValue<String>,
    pixels: RwSignal<f64>,
}

/// The newest picture of a chart, for whoever wants to save it.
pub type Picture = RwSignal<Option<Arc<Scene>>>;

/// A custom property of the page as text.
fn property(name: &str) -> String {
    document()
        .document_element()
        .and_then(|root| window().get_computed_style(&root).ok().flatten())
        .and_then(|style| style.get_property_value(name).ok())
        .unwrap_or_default()
}

impl ChartTheme {
    /// Reads the tokens, and again whenever `changed` does.
    #[must_use]
    pub fn new(changed: impl Fn() + Send + Sync + 'static) -> Self {
        let pixels = RwSignal::new(window().device_pixel_ratio());
        watch_pixels(pixels);
        Self {
            palette: Memo::new(move |_| {
                changed();
                Palette::read(property)
            }),
            fonts: StoredValue::new(property("--font-ui")),
            pixels,
        }
    }
}

/// Follows zoom and moves between screens: the query names the present ratio, so it changes once and is asked anew.
fn watch_pixels(pixels: RwSignal<f64>) {
    let ratio = window().device_pixel_ratio();
    let query = format!("(resolution: {ratio}dppx)");
    let Ok(Some(list)) = window().match_media(&query) else {
        return;
    };
    let again = Closure::once_into_js(move || {
        if pixels.try_set(window().device_pixel_ratio()).is_none() {
            watch_pixels(pixels);
        }
    });
    let options = web_sys::AddEventListenerOptions::new();
    options.set_once(true);
    // Refused only without event targets; the first ratio then stands.
    let _ = list.add_event_listener_with_callback_and_add_event_listener_options(
        "change",
        again.unchecked_ref(),
        &options,
    );
}

/// A chart. `width` is written with the width of its box; the scene is expected to follow it.
#[component]
pub fn Chart(
    /// What to draw; none leaves the box empty.
    #[prop(into)]
    scene: Signal<Option<Arc<Scene>>>,
    /// Width of the box in CSS pixels.
    width: RwSignal<f64>,
    /// Name for a screen reader.
    #[prop(into)]
    name: Signal<String>,
    /// One sentence that says what is to be seen.
    #[prop(into)]
    summary: Signal<String>,
    /// Key for tests and scripts.
    key: &'static str,
    /// What to do with a click on a part of the picture that stands for something.
    #[prop(optional, into)]
    on_pick: Option<Callback<Meaning>>,
    /// Layers above the canvas.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let theme = expect_context::<ChartTheme>();
    let host = NodeRef::<html::Div>::new();
    let canvas = NodeRef::<html::Canvas>::new();
    observe(host, width);
    if let Some(picture) = use_context::<Picture>() {
        // a picture that stands on no card is offered by nobody
        Effect::new(move || picture.set(scene.get()));
    }
    Effect::new(move || {
        let palette = theme.palette.read();
        let pixels = theme.pixels.get();
        let (Some(canvas), scene) = (canvas.get(), scene.read()) else {
            return;
        };
        // a picture without a scene is of another plan
        canvas.set_hidden(scene.is_none());
        if let Some(scene) = scene.as_ref() {
            theme
                .fonts
                .with_value(|fonts| paint(&canvas, scene, &palette, fonts, pixels));
        }
    });
    let height = move || {
        let height = scene.read().as_ref().map_or(0.0, |s| s.height);
        format!("{height}px")
    };
    let label = move || format!("{}. {}", name.get(), summary.get());
    view! {
        <div class="chart" node_ref=host style:height=height data-testid=format!("chart-{key}")>
            <canvas class="chart-canvas" node_ref=canvas role="img" aria-label=label></canvas>
            {children.map(|c| c())}
            {on_pick.map(|pick| view! { <Targets scene=scene pick=pick/> })}
        </div>
    }
}

/// Parts of the picture that can be clicked. They are for the pointer: the table and the plan hold the same for the
/// keyboard.
#[component]
fn Targets(scene: Signal<Option<Arc<Scene>>>, pick: Callback<Meaning>) -> impl IntoView {
    move || {
        let targets = scene.read().as_ref().map(|s| s.targets.clone());
        targets
            .unwrap_or_default()
            .into_iter()
            .filter(|t| !matches!(t.meaning, Meaning::Month(_)))
            .map(|t| {
                let px = |x: f64| format!("{x}px");
                view! {
                    <button class="chart-target" tabindex="-1" title=t.name.clone() aria-label=t.name
                        style:left=px(t.area.left) style:top=px(t.area.top)
                        style:width=px(t.area.width()) style:height=px(t.area.height())
                        on:click=move |_| pick.run(t.meaning)></button>
                }
            })
            .collect_view()
    }
}

/// Writes the width of a box into a signal, whole pixels, for the life of the component.
fn observe(host: NodeRef<html::Div>, width: RwSignal<f64>) {
    Effect::new(move || {
        let Some(element) = host.get() else { return };
        let watched = element.clone();
        let changed = Closure::<dyn Fn()>::new(move || {
            let now = f64::from(watched.client_width());
            if width.try_get_untracked().is_some_and(|w| w != now) {
                let _ = width.try_set(now);
            }
        });
        let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) else {
            return;
        };
        observer.observe(&element);
        // kept until the component goes; the observer holds no strong reference to the closure
        let kept = StoredValue::new_local((observer, changed));
        on_cleanup(move || {
            let _ = kept.try_with_value(|(observer, _)| observer.disconnect());
        });
    });
}

/// Sizes the canvas and draws: one step, no frame between.
fn paint(
    canvas: &web_sys::HtmlCanvasElement,
    scene: &Scene,
    palette: &Palette,
    fonts: &str,
    pixels: f64,
) {
    let device = |css: f64| (css * pixels).round().clamp(1.0, 16_000.0) as u32;
    canvas.set_width(device(scene.width));
    canvas.set_height(device(scene.height));
    let style = web_sys::HtmlElement::style(canvas);
    // A refused size leaves the last one; the picture is then scaled, not lost.
    let _ = style.set_property("width", &format!("{}px", scene.width));
    let _ = style.set_property("height", &format!("{}px", scene.height));
    let Some(mut backend) = CanvasBackend::with_canvas_object(canvas.clone()) else {
        return;
    };
    let style = Style {
        palette,
        fonts,
        scale: pixels,
    };
    match draw(scene, &style, &mut backend) {
        Ok(()) => {
            let _ = canvas.set_attribute("data-drawn", "true");
        }
        Err(problem) => leptos::logging::warn!("chart not drawn: {problem}"),
    }
}

/// The scene on the ground of the theme: a saved picture must not depend on what lies under it.
fn grounded(scene: &Scene) -> Scene {
    let mut out = Scene::new(scene.width, scene.height);
    out.block(
        Area::new(0.0, 0.0, scene.width, scene.height),
        0.0,
        Ink::Surface,
    );
    out.marks.extend(scene.marks.iter().cloned());
    out
}

/// Draws the picture with two pixels per CSS pixel and calls back with it as a PNG.
pub fn png(scene: &Scene, theme: ChartTheme, done: impl FnOnce(web_sys::Blob) + 'static) {
    let canvas = document()
        .create_element("canvas")
        .ok()
        .and_then(|e| e.dyn_into::<web_sys::HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    let palette = theme.palette.get_untracked();
    theme
        .fonts
        .with_value(|fonts| paint(&canvas, &grounded(scene), &palette, fonts, 2.0));
    let back = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into() {
            done(blob);
        }
    });
    // Refused only for canvases with foreign pixels; here there are none.
    let _ = canvas.to_blob(back.unchecked_ref());
}

/// The picture as SVG.
#[must_use]
pub fn svg(scene: &Scene, theme: ChartTheme) -> Option<String> {
    let palette = theme.palette.get_untracked();
    theme
        .fonts
        .with_value(|fonts| super::draw::svg(&grounded(scene), &palette, fonts))
}
