//! One future of one feature: what is drawn once, and the rate of requests at a time.

use headroom::domain::gateway::Caps;
use headroom::domain::quantity::Domain;
use headroom::domain::scenario::{Feature, Launch, Model, Scenario, Touches, WeeklyShape};

use super::Rng;
use super::calendar::Calendar;
use super::requests::At;
use super::shapes::{Sampler, normal};

/// What does not change from trial to trial.
pub struct FeatureLaw {
    pub requests_per_day: Sampler,
    pub growth: Sampler,
    /// Planned hour, slip in days, ramp in days; none: live from the start.
    pub launch: Option<(i64, Sampler, Sampler)>,
    pub retire_hour: f64,
    pub week: Vec<f64>,
    pub calls: Sampler,
    pub input: Sampler,
    pub input_level: Sampler,
    pub context_growth: Sampler,
    pub prefix: Sampler,
    pub cached_share: Sampler,
    pub output: Sampler,
    pub output_level: Sampler,
    pub retry: Sampler,
    pub max_retries: u32,
    pub drift: Sampler,
    /// By hour of week.
    pub cached_left: Vec<f64>,
    pub retry_factor: Vec<f64>,
    pub load_sensitivity: Sampler,
    pub hour_sigma: f64,
    pub hour_persistence: f64,
    pub burstiness: f64,
    pub burst_persistence: f64,
    pub shock_loading: f64,
    pub pool: usize,
    pub model: Model,
    pub tools: Sampler,
    pub tool_seconds: Sampler,
    pub caps: Caps,
    /// Per million requests, tokens per hour, hours until found.
    pub runaways: Option<[Sampler; 3]>,
    /// Which windows touch it.
    pub windows: Vec<bool>,
}

impl FeatureLaw {
    pub fn new(scenario: &Scenario, feature: &Feature, calendar: &Calendar) -> Self {
        let positive = |q| Sampler::new(q, Domain::Positive);
        let change = |q| Sampler::new(q, Domain::Change);
        let not_negative = |q| Sampler::new(q, Domain::NonNegative);
        let share = |q| Sampler::new(q, Domain::Share);
        let week = match &feature.weekly_profile.shape {
            WeeklyShape::Flat => vec![1.0; 168],
            WeeklyShape::Custom(weights) => {
                let mean = weights.iter().sum::<f64>() / weights.len() as f64;
                weights.iter().map(|w| w / mean).collect()
            }
            _ => panic!("the brute force takes flat weeks and weights"),
        };
        let model = scenario.models.iter().find(|m| m.id == feature.model);
        Self {
            requests_per_day: positive(&feature.requests_per_day),
            growth: change(&feature.growth_per_month),
            launch: match &feature.launch {
                Launch::Live => None,
                Launch::Planned {
                    date,
                    slip_days,
                    ramp_days,
                } => Some((
                    calendar.hour_of(*date),
                    not_negative(slip_days),
                    not_negative(ramp_days),
                )),
            },
            retire_hour: feature
                .retire
                .map_or(f64::INFINITY, |day| calendar.hour_of(day) as f64),
            week,
            calls: Sampler::new(&feature.calls_per_request, Domain::IntegerFromOne),
            input: positive(&feature.input_tokens.each),
            input_level: positive(&feature.input_tokens.level),
            context_growth: not_negative(&feature.context_growth_tokens),
            prefix: not_negative(&feature.prefix_tokens),
            cached_share: share(&feature.cached_share),
            output: positive(&feature.output_tokens.each),
            output_level: positive(&feature.output_tokens.level),
            retry: share(&feature.retry_probability),
            max_retries: feature.max_retries,
            drift: change(&feature.token_drift_per_month),
            cached_left: feature.by_hour.cached_share_left.clone(),
            retry_factor: feature.by_hour.retry_factor.clone(),
            load_sensitivity: not_negative(&feature.by_hour.load_sensitivity),
            hour_sigma: (1.0 + feature.noise.hour_cv.powi(2)).ln().sqrt(),
            hour_persistence: feature.noise.hour_persistence,
            burstiness: feature.noise.burstiness,
            burst_persistence: feature.noise.burst_persistence,
            shock_loading: feature.noise.shock_loading,
            pool: scenario
                .pools
                .iter()
                .position(|p| p.id == feature.pool)
                .expect("a pool"),
            model: model.expect("a model").clone(),
            tools: Sampler::new(&feature.tools.calls_per_request, Domain::IntegerFromZero),
            tool_seconds: not_negative(&feature.tools.seconds),
            caps: feature.caps,
            runaways: feature.runaways.as_ref().map(|r| {
                [
                    not_negative(&r.per_million_requests),
                    positive(&r.tokens_per_hour),
                    positive(&r.hours_until_found),
                ]
            }),
            windows: scenario
                .seasons
                .iter()
                .map(|w| match &w.touches {
                    Touches::All => true,
                    Touches::Only(ids) => ids.contains(&feature.id),
                })
                .collect(),
        }
    }

    /// Whether hours of the week or load change requests.
    pub fn by_hour(&self) -> bool {
        !self.cached_left.is_empty()
            || !self.retry_factor.is_empty()
            || self.load_sensitivity.fixed() != Some(0.0)
    }

    /// What an hour of the week does to requests, before load.
    pub fn at(&self, hour_of_week: usize, drift: f64) -> At {
        let of = |week: &[f64]| week.get(hour_of_week).copied().unwrap_or(1.0);
        At {
            tokens: drift,
            retries: of(&self.retry_factor),
            cached: of(&self.cached_left),
        }
    }

    /// Whether the law of one request is the same in every trial and month.
    pub fn same_requests_in_all_trials(&self) -> bool {
        [
            &self.input_level,
            &self.output_level,
            &self.prefix,
            &self.retry,
        ]
        .iter()
        .all(|s| s.fixed().is_some())
            && self.drift.fixed() == Some(0.0)
    }
}

/// What one trial knows about a feature.
pub struct FeatureDraw {
    pub requests_per_day: f64,
    pub growth: f64,
    pub launch_hour: f64,
    pub ramp_hours: f64,
    pub retire_hour: f64,
    pub input_level: f64,
    pub output_level: f64,
    pub prefix: f64,
    pub retry: f64,
    pub drift: f64,
    pub load_sensitivity: f64,
    /// Chance that a request runs away, and the tokens that it burns in an hour.
    pub runaway: (f64, f64),
}

impl FeatureDraw {
    pub fn new(law: &FeatureLaw, rng: &mut Rng) -> Self {
        let positive = Domain::Positive;
        let (launch_hour, ramp_hours) = match &law.launch {
            None => (f64::NEG_INFINITY, 0.0),
            Some((hour, slip, ramp)) => (
                *hour as f64 + 24.0 * slip.draw(Domain::NonNegative, rng),
                24.0 * ramp.draw(Domain::NonNegative, rng),
            ),
        };
        Self {
            requests_per_day: law.requests_per_day.draw(positive, rng),
            growth: law.growth.draw(Domain::Change, rng),
            launch_hour,
            ramp_hours,
            retire_hour: law.retire_hour,
            input_level: law.input_level.draw(positive, rng),
            output_level: law.output_level.draw(positive, rng),
            prefix: law.prefix.draw(Domain::NonNegative, rng),
            retry: law.retry.draw(Domain::Share, rng),
            drift: law.drift.draw(Domain::Change, rng),
            load_sensitivity: law.load_sensitivity.draw(Domain::NonNegative, rng),
            runaway: law.runaways.as_ref().map_or((0.0, 0.0), |[rate, burn, _]| {
                (
                    rate.draw(Domain::NonNegative, rng) / 1e6,
                    burn.draw(positive, rng),
                )
            }),
        }
    }

    /// Whether it takes requests at a time in hours.
    pub fn is_live(&self, time: f64) -> bool {
        time >= self.launch_hour && time < self.retire_hour
    }

    /// Adoption: the logistic that is at 1 % at launch and at 99 % when the ramp is over.
    pub fn adoption(&self, time: f64) -> f64 {
        if !self.is_live(time) {
            0.0
        } else if self.launch_hour == f64::NEG_INFINITY || self.ramp_hours == 0.0 {
            1.0
        } else {
            let progress = (time - self.launch_hour) / self.ramp_hours;
            1.0 / (1.0 + (-2.0 * 99f64.ln() * (progress - 0.5)).exp())
        }
    }
}

/// One stretch of days with its multiplier in this trial.
pub struct Occurrence {
    pub window: usize,
    pub first_hour: f64,
    pub end_hour: f64,
    pub ramp_in_hours: f64,
    pub ramp_out_hours: f64,
    pub multiplier: f64,
}

impl Occurrence {
    /// All occurrences that the plan's hours can see, with a multiplier each.
    pub fn draw_all(scenario: &Scenario, calendar: &Calendar, rng: &mut Rng) -> Vec<Self> {
        let mut out = Vec::new();
        for (window, season) in scenario.seasons.iter().enumerate() {
            assert!(!season.yearly, "the brute force takes dated windows");
            let law = Sampler::new(&season.multiplier, Domain::Positive);
            for range in &season.dates {
                out.push(Self {
                    window,
                    first_hour: calendar.hour_of(range.first) as f64,
                    end_hour: calendar.hour_of(range.last) as f64 + 24.0,
                    ramp_in_hours: 24.0 * f64::from(season.ramp_in_days),
                    ramp_out_hours: 24.0 * f64::from(season.ramp_out_days),
                    multiplier: law.draw(Domain::Positive, rng),
                });
            }
        }
        out
    }

    fn factor(&self, time: f64) -> f64 {
        let fraction = if time < self.first_hour {
            1.0 - (self.first_hour - time) / self.ramp_in_hours
        } else if time >= self.end_hour {
            1.0 - (time - self.end_hour) / self.ramp_out_hours
        } else {
            1.0
        };
        // Without a ramp the fraction is minus infinity outside.
        self.multiplier.powf(fraction.max(0.0))
    }
}

/// Weekly shock that features share; no weeks without one.
pub struct Shock {
    deviation: f64,
    weeks: Vec<f64>,
}

impl Shock {
    pub fn draw(scenario: &Scenario, calendar: &Calendar, rng: &mut Rng) -> Self {
        let Some(law) = &scenario.dependence.demand_shock else {
            return Self {
                deviation: 0.0,
                weeks: Vec::new(),
            };
        };
        let keep = law.weekly_persistence;
        let mut z = normal(rng);
        let mut weeks = vec![law.deviation * z];
        while weeks.len() * 168 < calendar.hours() {
            z = keep * z + (1.0 - keep * keep).sqrt() * normal(rng);
            weeks.push(law.deviation * z);
        }
        Self {
            deviation: law.deviation,
            weeks,
        }
    }

    fn factor(&self, loading: f64, hour: usize) -> f64 {
        self.weeks.get(hour / 168).map_or(1.0, |x| {
            (loading * x - 0.5 * (loading * self.deviation).powi(2)).exp()
        })
    }
}

/// Expected requests per hour in each hour, hour noise included.
pub fn hourly_rates(
    law: &FeatureLaw,
    draw: &FeatureDraw,
    occurrences: &[Occurrence],
    shock: &Shock,
    calendar: &Calendar,
    rng: &mut Rng,
) -> Vec<f64> {
    let sigma = law.hour_sigma;
    let keep = law.hour_persistence;
    let mut z = normal(rng);
    (0..calendar.hours())
        .map(|hour| {
            if hour > 0 {
                z = keep * z + (1.0 - keep * keep).sqrt() * normal(rng);
            }
            let time = hour as f64 + 0.5;
            let windows: f64 = occurrences
                .iter()
                .filter(|o| law.windows[o.window])
                .map(|o| o.factor(time))
                .product();
            draw.requests_per_day / 24.0
                * draw.adoption(time)
                * (1.0 + draw.growth).powf(calendar.months_at(time))
                * law.week[calendar.hour_of_week(hour)]
                * windows
                * shock.factor(law.shock_loading, hour)
                * (sigma * z - 0.5 * sigma * sigma).exp()
        })
        .collect()
}

/// Restless minutes: a gamma process with mean 1 whose neighbours are correlated.
pub struct Minutes {
    thinning: Option<rand_distr::Beta<f64>>,
    fresh: Option<rand_distr::Gamma<f64>>,
    level: f64,
}

impl Minutes {
    pub fn new(burstiness: f64, persistence: f64, rng: &mut Rng) -> Self {
        use rand_distr::Distribution;
        if burstiness == 0.0 {
            return Self {
                thinning: None,
                fresh: None,
                level: 1.0,
            };
        }
        let k = burstiness.powi(-2);
        let gamma = |shape: f64| rand_distr::Gamma::new(shape, 1.0 / k).expect("a gamma law");
        Self {
            thinning: (persistence > 0.0).then(|| {
                rand_distr::Beta::new(k * persistence, k * (1.0 - persistence)).expect("a beta law")
            }),
            fresh: Some(gamma(k * (1.0 - persistence))),
            level: gamma(k).sample(rng),
        }
    }

    /// Factor of the next minute.
    pub fn next(&mut self, rng: &mut Rng) -> f64 {
        use rand_distr::Distribution;
        let now = self.level;
        if let Some(fresh) = &self.fresh {
            let kept = self.thinning.as_ref().map_or(0.0, |b| b.sample(rng));
            self.level = kept * self.level + fresh.sample(rng);
        }
        now
    }
}

/// A Poisson count.
pub fn poisson(mean: f64, rng: &mut Rng) -> u32 {
    use rand_distr::Distribution;
    if mean <= 0.0 {
        return 0;
    }
    rand_distr::Poisson::new(mean)
        .expect("a Poisson law")
        .sample(rng) as u32
}
