//! The time stack: money, headroom, chances, contracts, launches and seasons on one axis of time.

mod axis;
pub mod headroom;
mod plan;
mod seasons;
pub mod spend;

#[cfg(test)]
mod tests;

use jiff::civil::Date;

use super::fan::Band;
use super::time::TimeAxis;
use crate::chart::scene::{Area, Ink, Scene};
use crate::domain::scenario::Id;

/// What the time stack shows. Words come written.
#[derive(Clone, Debug, PartialEq)]
pub struct StackInput {
    /// First day of the horizon.
    pub start: Date,
    /// Short name of each month.
    pub months: Vec<String>,
    /// Calendar month of each, 1 to 12.
    pub calendar: Vec<u8>,
    /// Fiscal years.
    pub years: Vec<Bracket>,
    /// Seasonal windows.
    pub seasons: Vec<SeasonBand>,
    /// Money.
    pub spend: SpendRow,
    /// Headroom under one limit and the chance to run out; none without a limit.
    pub headroom: Option<HeadroomRow>,
    /// Contracts.
    pub contracts: Vec<ContractBar>,
    /// Heading of the last column of contracts.
    pub used_word: String,
    /// Launches.
    pub features: Vec<Track>,
    /// The month whose name is strong.
    pub strong_month: Option<usize>,
    /// The entity that is picked: its marks are outlined.
    pub selected: Option<Id>,
}

/// A fiscal year over its months.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// Its name.
    pub name: String,
    /// First month.
    pub first: usize,
    /// Months inside the horizon.
    pub months: usize,
}

/// A seasonal window.
#[derive(Clone, Debug, PartialEq)]
pub struct SeasonBand {
    /// The window.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its factor, written.
    pub factor: String,
    /// First day.
    pub first: Date,
    /// First day after it.
    pub end: Date,
}

/// Money over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SpendRow {
    /// Title at the left.
    pub title: String,
    /// What is drawn.
    pub subtitle: String,
    /// ISO 4217.
    pub currency: String,
    /// By month, or from the start of each fiscal year.
    pub shape: SpendShape,
    /// The axis reaches at least to here: axes may grow during a run, never shrink.
    pub at_least: f64,
    /// Names of p95, median and p5 at the ends of lines.
    pub percentiles: [String; 3],
}

/// The two ways to look at spend.
#[derive(Clone, Debug, PartialEq)]
pub enum SpendShape {
    /// Sums from the start of each fiscal year.
    ToDate(Vec<YearSpend>),
    /// Sums of each month, the month's budget, and the budget's name.
    PerMonth(Vec<Band>, Vec<Option<f64>>, String),
}

/// Spend from the start of a fiscal year.
#[derive(Clone, Debug, PartialEq)]
pub struct YearSpend {
    /// First month.
    pub first: usize,
    /// At the end of each month.
    pub bands: Vec<Band>,
    /// Budget of the year and its label.
    pub budget: Option<(f64, String)>,
    /// Further budgets of the year and their labels: thin lines, those that the axis reaches.
    pub others: Vec<(f64, String)>,
    /// How the year ends.
    pub ends: Option<YearEnd>,
}

/// Where a fiscal year ends: a histogram in equal steps of money.
#[derive(Clone, Debug, PartialEq)]
pub struct YearEnd {
    /// Lowest value of the histogram.
    pub from: f64,
    /// Highest value.
    pub to: f64,
    /// Bars as shares of the largest, 0 to 1.
    pub bars: Vec<f64>,
    /// "31 % end above budget"; empty without a budget.
    pub above: String,
    /// p95, median, p5: value, value in words, and with its name.
    pub labels: [(f64, String, String); 3],
}

/// Headroom under one limit.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadroomRow {
    /// Title at the left.
    pub title: String,
    /// Pool, what is drawn, unit.
    pub subtitle: String,
    /// Lowest headroom of each month, or its highest need.
    pub bands: Vec<Band>,
    /// Committed capacity by month, where the need is shown against it; none: headroom against zero.
    pub committed: Option<Vec<f64>>,
    /// Label of the limit line.
    pub limit_label: String,
    /// What lies beyond it.
    pub beyond_label: String,
    /// The axis reaches at least from and to here.
    pub at_least: (f64, f64),
    /// Names of p95, median and p5.
    pub percentiles: [String; 3],
    /// Title of the strip of chances.
    pub chance_title: String,
    /// Chance to run out of each month, in words and as a share.
    pub chances: Vec<(String, f64)>,
}

/// A contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractBar {
    /// The contract.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// First day.
    pub first: Date,
    /// First day after it.
    pub end: Date,
    /// Size, term and price, longest form first.
    pub terms: Vec<String>,
    /// Used share, written.
    pub used: String,
}

/// A feature on the roadmap.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The feature.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Launch; none: already live.
    pub launch: Option<TrackLaunch>,
    /// First day without requests.
    pub retire: Option<Date>,
    /// "live", or the planned date and the slip.
    pub label: String,
}

/// A planned launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackLaunch {
    /// Planned date.
    pub date: Date,
    /// Earliest and latest slip in days.
    pub slip: (f64, f64),
    /// Median slip in days.
    pub middle: f64,
    /// Days of ramp.
    pub ramp: f64,
}

/// The picture, and where its rows are.
#[derive(Clone, Debug, PartialEq)]
pub struct StackFrame {
    /// What to draw.
    pub scene: Scene,
    /// Its axis.
    pub axis: TimeAxis,
    /// Plot of money.
    pub spend: Area,
    /// Plot of headroom.
    pub headroom: Option<Area>,
    /// Strip of chances.
    pub strip: Option<Area>,
}

/// Sizes of the stack at one width, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    width: f64,
    left: f64,
    right: f64,
}

const MONTHS_Y: f64 = 23.0;
const SEASONS_Y: f64 = 39.0;
const BANDS_TOP: f64 = 48.0;
const PLOT_TOP: f64 = 56.0;
const SPEND_HEIGHT: f64 = 150.0;
const HEADROOM_HEIGHT: f64 = 164.0;
const ROW: f64 = 20.0;

/// Lays the stack out at a width.
#[must_use]
pub fn stack(input: &StackInput, width: f64) -> StackFrame {
    let left = if width < 760.0 { 116.0 } else { 150.0 };
    let sizes = Sizes {
        width,
        left,
        right: (width - 52.0).max(left + 60.0),
    };
    let axis = TimeAxis::new(input.start, input.months.len(), sizes.left, sizes.right);
    let spend_area = Area::new(sizes.left, PLOT_TOP, sizes.right, PLOT_TOP + SPEND_HEIGHT);
    let headroom_area = input.headroom.as_ref().map(|_| {
        let top = spend_area.bottom + 16.0;
        Area::new(sizes.left, top, sizes.right, top + HEADROOM_HEIGHT)
    });
    let strip = headroom_area.map(|h| {
        let top = h.bottom + 12.0;
        Area::new(sizes.left, top, sizes.right, top + 22.0)
    });
    let contracts_top = strip.map_or(spend_area.bottom, |s| s.bottom) + 9.0;
    let roadmap_top = if input.contracts.is_empty() {
        contracts_top
    } else {
        contracts_top + 13.0 + ROW * input.contracts.len() as f64
    };
    let bottom = roadmap_top + 10.0 + ROW * input.features.len() as f64;

    let mut scene = Scene::new(width, bottom);
    seasons::bands(&mut scene, input, &axis, bottom);
    axis::grid(&mut scene, input, &axis, &sizes, bottom);
    axis::names(&mut scene, input, &axis);
    seasons::labels(&mut scene, input, &axis, &sizes);
    spend::row(&mut scene, &input.spend, &axis, &spend_area, &sizes);
    if let (Some(row), Some(area), Some(strip)) = (&input.headroom, &headroom_area, &strip) {
        headroom::row(&mut scene, row, &axis, area, &sizes);
        headroom::strip(&mut scene, row, &axis, strip);
    }
    plan::contracts(&mut scene, input, &axis, &sizes, contracts_top);
    plan::roadmap(&mut scene, input, &axis, &sizes, roadmap_top);
    StackFrame {
        scene,
        axis,
        spend: spend_area,
        headroom: headroom_area,
        strip,
    }
}
