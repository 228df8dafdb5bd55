//! Dated starting values with their sources: prices, GPU rates, serving profiles, seasons, shapes of requests.
//!
//! All of it is data (`catalog.json`), so that anyone can update it with a date; nothing here is truth, everything is an
//! editable start. A preset is shown with its date and [`Confidence`] where it is chosen. Prices are in the catalog's
//! [`currency`] and per million tokens or per GPU and hour.

use std::sync::LazyLock;

use jiff::civil::Date;
use serde::Deserialize;

use crate::domain::distribution::{Distribution, limits};
use crate::domain::quantity::{Domain, HighPercentile, Quantity, Shape};
use crate::domain::scenario::{DateRange, Note, PriceCard, ServingProfile};

/// How far an entry can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The vendor's own page or interface, or the original measurement.
    Primary,
    /// Somebody else reports it.
    Secondary,
    /// Known contradictions, or an assumption.
    Weak,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Origin {
    /// How far it can be trusted.
    pub confidence: Confidence,
    /// As of when: a year, a month or a day, as far as it is known.
    pub as_of: String,
    /// Page, file or measurement.
    pub source: String,
    /// What else must be known.
    #[serde(default)]
    pub note: String,
}

impl Origin {
    /// The day if it is known.
    #[must_use]
    pub fn day(&self) -> Option<Date> {
        self.as_of.parse().ok()
    }

    /// As the note of an input that was filled from it.
    #[must_use]
    pub fn as_note(&self) -> Note {
        Note {
            text: self.note.clone(),
            source: format!("{} ({})", self.source, self.as_of),
            owner: String::new(),
            date: self.day(),
        }
    }
}

/// A contract rate.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct CommittedRate {
    /// Length of the contract.
    pub term_months: u32,
    /// Price of one GPU for an hour.
    pub per_gpu_hour: f64,
    /// How far it can be trusted.
    pub confidence: Confidence,
}

/// Price of one GPU for an hour.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GpuRate {
    /// Key of the entry.
    pub id: String,
    /// Who rents it out.
    pub provider: String,
    /// The GPU.
    pub gpu: String,
    /// Memory of one GPU.
    #[serde(default)]
    pub memory_gb: Option<f64>,
    /// Name of the product.
    #[serde(default)]
    pub sku: Option<String>,
    /// Without a contract.
    pub on_demand_per_gpu_hour: f64,
    /// With one.
    pub committed: Vec<CommittedRate>,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// List prices of a model that is paid by use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ApiPrice {
    /// Key of the entry.
    pub id: String,
    /// Who sells it.
    pub provider: String,
    /// The model as the vendor names it.
    pub model: String,
    /// Per million input tokens that were not cached.
    pub uncached_input: f64,
    /// Per million input tokens read from a cache; none: not known.
    pub cached_read: Option<f64>,
    /// Per million written tokens.
    pub output: f64,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

impl ApiPrice {
    /// As a price card; without a price for cached reads these cost what other input costs.
    #[must_use]
    pub fn card(&self) -> PriceCard {
        PriceCard {
            uncached_input: self.uncached_input,
            cached_read: self.cached_read.unwrap_or(self.uncached_input),
            output: self.output,
        }
    }
}

/// What one replica of a model does on a kind of GPU.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Serving {
    /// Key of the entry.
    pub id: String,
    /// The model.
    pub model: String,
    /// The GPU.
    pub gpu: String,
    /// GPUs that one replica takes.
    pub gpus_per_replica: u32,
    /// Memory of the weights.
    pub weights_gb: f64,
    /// Uncached input tokens per second and replica.
    pub prefill_tokens_per_second: f64,
    /// Written tokens per second and replica.
    pub decode_tokens_per_second: f64,
    /// Calls that a replica can serve at once.
    pub concurrent_sequences: u32,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

impl Serving {
    /// As a serving profile with one replica that always runs.
    #[must_use]
    pub fn profile(&self) -> ServingProfile {
        ServingProfile {
            gpus_per_replica: self.gpus_per_replica,
            prefill_tokens_per_second: self.prefill_tokens_per_second,
            decode_tokens_per_second: self.decode_tokens_per_second,
            concurrent_sequences: self.concurrent_sequences,
            minimum_replicas: 1,
        }
    }
}

/// Which way demand moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// More.
    Up,
    /// Less.
    Down,
    /// No clear change.
    Flat,
}

/// A measured change of something near to demand.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Change {
    /// Of what, and when.
    pub what: String,
    /// Low end of the change, as a fraction.
    pub low: f64,
    /// High end.
    pub high: f64,
    /// Where it comes from.
    pub source: String,
    /// How far it can be trusted.
    pub confidence: Confidence,
}

/// A season with its dates.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SeasonPreset {
    /// Key of the entry.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is kept.
    pub regions: Vec<String>,
    /// How its dates follow.
    pub rule: String,
    /// The dates, one range a year.
    pub dates: Vec<DateRange>,
    /// Usual direction of demand for work.
    pub at_work: Direction,
    /// Usual direction of demand of consumers.
    pub at_home: Direction,
    /// What was measured, if anything.
    pub measured: Vec<Change>,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// A region with a holiday calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// United States.
    Us,
    /// European Union.
    Eu,
    /// China.
    Cn,
    /// India.
    In,
}

impl Region {
    /// All, in the order of the screen.
    pub const ALL: [Self; 4] = [Self::Us, Self::Eu, Self::Cn, Self::In];

    /// Its key in [`SeasonPreset::regions`].
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Us => "US",
            Self::Eu => "EU",
            Self::Cn => "CN",
            Self::In => "IN",
        }
    }
}

/// Holidays of a region: what follows from a rule or an official calendar, not what is a planner's convention.
#[must_use]
pub fn calendar(region: Region) -> Vec<&'static SeasonPreset> {
    seasons()
        .iter()
        .filter(|s| s.origin.confidence == Confidence::Primary)
        .filter(|s| s.regions.iter().any(|r| r == region.key()))
        .collect()
}

impl SeasonPreset {
    /// Demand for work in it: as measured, else an assumption by its usual direction.
    #[must_use]
    pub fn multiplier(&self) -> Quantity {
        let measured = self.measured.first().map(|c| (1.0 + c.low, 1.0 + c.high));
        let (p10, p90) = measured
            .filter(|(low, high)| *low > 0.0 && high > low)
            .unwrap_or(match self.at_work {
                Direction::Up => (1.1, 1.4),
                Direction::Down => (0.5, 0.9),
                Direction::Flat => (0.9, 1.1),
            });
        Shape::Between { p10, p90 }.into()
    }
}

/// A measured fact about how demand spreads over days and weeks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WeeklyFact {
    /// Key of the entry.
    pub id: String,
    /// What is compared.
    pub what: String,
    /// The ratio.
    pub ratio: f64,
    /// Weights of the local hours of a day (mean 1), if known.
    #[serde(default)]
    pub hours: Option<Vec<f64>>,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// Measured percentiles of one number of a request.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct Measured {
    #[serde(default)]
    pub p10: Option<f64>,
    pub p50: f64,
    #[serde(default)]
    pub p90: Option<f64>,
    #[serde(default)]
    pub p95: Option<f64>,
    #[serde(default)]
    pub p99: Option<f64>,
    #[serde(default)]
    pub mean: Option<f64>,
}

impl Measured {
    /// As an entry: the median with the highest percentile that is known, and the mean; if that has no meaning in the
    /// domain, nine percentiles with those that are missing filled in; one number if only the median is known.
    #[must_use]
    pub fn entry(&self, domain: Domain) -> Quantity {
        let high = [
            (self.p99, HighPercentile::P99),
            (self.p95, HighPercentile::P95),
            (self.p90, HighPercentile::P90),
        ];
        let found = high
            .into_iter()
            .find_map(|(value, p)| value.filter(|v| *v > self.p50).map(|v| (v, p)));
        let Some((high, percentile)) = found else {
            return Quantity::fixed(self.p50);
        };
        let short = Quantity {
            shape: Shape::FewAreLarge {
                p50: self.p50,
                percentile,
                high,
            },
            mean: self.mean,
        };
        if Distribution::check(&short, domain).is_ok() {
            return short;
        }
        Quantity {
            shape: Shape::Quantiles(self.nine(limits(domain).0)),
            mean: self.mean,
        }
    }

    /// Missing percentiles on straight lines of the logarithm over the normal score; nothing is below the minimum.
    fn nine(&self, minimum: f64) -> [f64; 9] {
        // Normal scores; the ends stand for 1 in 1,000.
        const SCORES: [f64; 9] = [
            -3.0902, -1.2816, -0.6745, 0.0, 0.6745, 1.2816, 1.6449, 2.3263, 3.0902,
        ];
        let known: Vec<(f64, f64)> = [
            (SCORES[1], self.p10),
            (SCORES[3], Some(self.p50)),
            (SCORES[5], self.p90),
            (SCORES[6], self.p95),
            (SCORES[7], self.p99),
        ]
        .into_iter()
        .filter_map(|(z, value)| value.map(|v| (z, libm::log(v.max(1e-9)))))
        .collect();
        SCORES.map(|z| {
            let right = known.iter().position(|(k, _)| *k >= z);
            let i = right.unwrap_or(known.len()).clamp(1, known.len() - 1);
            let ((a, low), (b, high)) = (known[i - 1], known[i]);
            let log = low + (high - low) * (z - a) / (b - a);
            libm::exp(log).max(minimum)
        })
    }
}

/// The measured shape of a kind of request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RequestProfile {
    /// Key of the entry.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Model calls of one request; none: one, by assumption.
    pub calls_per_request: Option<Measured>,
    /// Tokens that a call reads.
    pub input_tokens: Option<Measured>,
    /// Tokens that a call writes.
    pub output_tokens: Option<Measured>,
    /// Share of the input that is read from a cache, by tokens.
    pub cached_share: Option<f64>,
    /// Licence of the data.
    pub licence: String,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// Limits of a key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RateLimit {
    /// Key of the entry.
    pub id: String,
    /// Who sets it.
    pub provider: String,
    /// For which models and tier.
    pub what: String,
    /// Tokens per minute; none: not known.
    pub tokens_per_minute: Option<f64>,
    /// Calls per minute; none: not known.
    pub requests_per_minute: Option<f64>,
    /// Whether cached reads count.
    pub cached_reads_count: bool,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
}

#[derive(Deserialize)]
struct File {
    format: u32,
    generated: Date,
    currency: String,
    note: String,
    gpu_rates: Vec<GpuRate>,
    api_prices: Vec<ApiPrice>,
    serving_profiles: Vec<Serving>,
    seasons: Vec<SeasonPreset>,
    weekly_facts: Vec<WeeklyFact>,
    request_profiles: Vec<RequestProfile>,
    rate_limits: Vec<RateLimit>,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    // A test holds the file readable; a page without presets is still a page.
    serde_json::from_str(include_str!("catalog.json")).unwrap_or(File {
        format: 0,
        generated: Date::constant(2000, 1, 1),
        currency: "USD".to_owned(),
        note: String::new(),
        gpu_rates: Vec::new(),
        api_prices: Vec::new(),
        serving_profiles: Vec::new(),
        seasons: Vec::new(),
        weekly_facts: Vec::new(),
        request_profiles: Vec::new(),
        rate_limits: Vec::new(),
    })
});

/// Version of the catalog's format.
#[must_use]
pub fn format() -> u32 {
    FILE.format
}

/// The day of the newest entry at most.
#[must_use]
pub fn generated() -> Date {
    FILE.generated
}

/// Currency of all its prices.
#[must_use]
pub fn currency() -> &'static str {
    &FILE.currency
}

/// What it says about itself.
#[must_use]
pub fn note() -> &'static str {
    &FILE.note
}

/// Prices of GPUs.
#[must_use]
pub fn gpu_rates() -> &'static [GpuRate] {
    &FILE.gpu_rates
}

/// List prices of models that are paid by use.
#[must_use]
pub fn api_prices() -> &'static [ApiPrice] {
    &FILE.api_prices
}

/// What replicas do.
#[must_use]
pub fn serving_profiles() -> &'static [Serving] {
    &FILE.serving_profiles
}

/// Seasons with their dates.
#[must_use]
pub fn seasons() -> &'static [SeasonPreset] {
    &FILE.seasons
}

/// Facts about days and weeks.
#[must_use]
pub fn weekly_facts() -> &'static [WeeklyFact] {
    &FILE.weekly_facts
}

/// Shapes of requests.
#[must_use]
pub fn request_profiles() -> &'static [RequestProfile] {
    &FILE.request_profiles
}

/// Limits of keys.
#[must_use]
pub fn rate_limits() -> &'static [RateLimit] {
    &FILE.rate_limits
}

#[cfg(test)]
mod tests;
