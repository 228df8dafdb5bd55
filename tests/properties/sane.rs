//! No NaN, no negative money, no headroom above what is committed, percentiles in order.

use headroom::domain::scenario::Scenario;
use headroom::engine::projection::{Chance, Projection, Series, Summary};
use headroom::engine::run_all;
use proptest::prelude::*;

use crate::common::scenarios::{Limits, SMALL, random};

/// Larger than [`SMALL`], still quick.
const WIDE: Limits = Limits {
    months: 6,
    features: 6,
    others: 4,
    requests_per_day: 1e7,
    trials: 100,
};

struct Check<'a> {
    what: &'a str,
    failures: Vec<String>,
}

impl Check<'_> {
    fn that(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.failures.push(format!("{}: {}", self.what, message()));
        }
    }

    fn summary(&mut self, s: &Summary, least: f64) {
        let numbers = [s.mean, s.mean_error].into_iter().chain(s.p);
        let bounds = s.low.iter().chain(&s.high).flatten().copied();
        self.that(numbers.chain(bounds).all(f64::is_finite), || {
            format!("not finite: {s:?}")
        });
        self.that(s.p.is_sorted(), || {
            format!("percentiles out of order: {:?}", s.p)
        });
        self.that(s.mean_error >= 0.0, || {
            format!("mean error {}", s.mean_error)
        });
        self.that(s.p[0] >= least && s.mean >= least, || {
            format!("below {least}: {s:?}")
        });
        for i in 0..s.p.len() {
            let (low, high) = (s.low[i].unwrap_or(s.p[i]), s.high[i].unwrap_or(s.p[i]));
            self.that(low <= s.p[i] && s.p[i] <= high, || {
                format!("interval of p {i}: {s:?}")
            });
        }
    }

    fn series(&mut self, s: &Series, least: f64) {
        let all = s.months.iter().chain(&s.quarters).chain(&s.years);
        for summary in all.chain([&s.horizon]) {
            self.summary(summary, least);
        }
    }

    fn chance(&mut self, c: &Chance) {
        let ordered = 0.0 <= c.low && c.low <= c.share() && c.share() <= c.high && c.high <= 1.0;
        self.that(c.count <= c.of && ordered, || format!("chance {c:?}"));
    }
}

pub fn check(p: &Projection) -> Vec<String> {
    let mut failures = Vec::new();
    let mut at = |what: &str, f: &mut dyn FnMut(&mut Check<'_>)| {
        let mut check = Check {
            what,
            failures: Vec::new(),
        };
        f(&mut check);
        failures.append(&mut check.failures);
    };
    at("money", &mut |c| {
        let totals = [
            &p.total.effective,
            &p.total.billed,
            &p.total.list,
            &p.total.contracted,
        ];
        for series in totals.into_iter().chain([&p.unused]) {
            c.series(series, 0.0);
        }
        for summary in p.effective_to_date.iter().chain(&p.billed_to_date) {
            c.summary(summary, 0.0);
        }
        for sorted in p.year_effective_sorted.iter().chain(&p.year_billed_sorted) {
            c.that(
                sorted.is_sorted() && sorted.iter().all(|x| x.is_finite() && *x >= 0.0),
                || "a year's futures".into(),
            );
        }
    });
    for f in &p.features {
        at(&format!("feature {}", f.id.0), &mut |c| {
            for series in [
                &f.requests,
                &f.calls,
                &f.uncached_input_tokens,
                &f.cached_read_tokens,
                &f.output_tokens,
                &f.busy_gpu_hours,
                &f.effective_cost,
            ] {
                c.series(series, 0.0);
            }
            for cost in f.cost_per_1000_requests.iter().flatten() {
                let mean = cost.of_means;
                c.that(mean.is_finite() && mean >= 0.0, || {
                    format!("cost per 1,000: {mean}")
                });
                c.summary(&cost.by_trial, 0.0);
            }
        });
    }
    for pool in &p.pools {
        at(&format!("pool {}", pool.id.0), &mut |c| {
            for series in [
                &pool.usage_list_cost,
                &pool.busy_gpu_hours,
                &pool.needed_gpu_hours,
                &pool.burst_gpu_hours,
                &pool.burst_cost,
            ] {
                c.series(series, 0.0);
            }
        });
    }
    for limit in &p.limits {
        at(&format!("limit of pool {}", limit.pool.0), &mut |c| {
            for (m, headroom) in limit.headroom.iter().enumerate() {
                c.summary(headroom, f64::NEG_INFINITY);
                c.summary(&limit.needed[m], 0.0);
                // The most that is committed in the month is not stored; the least bounds the lowest headroom.
                let most = limit.committed[m];
                c.that(
                    headroom.p[7] <= most && headroom.mean <= most + 1e-3 * most.abs(),
                    || format!("headroom {headroom:?} above the committed {most}"),
                );
                c.chance(&limit.breach[m]);
                let hours = limit.breach_hours[m];
                c.that(
                    hours >= 0.0 && hours <= f64::from(p.months[m].hours),
                    || format!("{hours} hours of breach"),
                );
            }
            c.chance(&limit.any_breach);
        });
    }
    for commitment in &p.commitments {
        at(&format!("commitment {}", commitment.id.0), &mut |c| {
            for series in [&commitment.used, &commitment.unused, &commitment.billed] {
                c.series(series, 0.0);
            }
            c.summary(&commitment.utilisation, 0.0);
            c.that(commitment.utilisation.p[7] <= 1.0 + 1e-9, || {
                "used more than all".into()
            });
        });
    }
    for budget in &p.budgets {
        at(&format!("budget {}", budget.id.0), &mut |c| {
            c.summary(&budget.spend, 0.0);
            c.chance(&budget.over);
            let excess = budget.excess_if_over.unwrap_or(0.0);
            c.that(budget.expected_excess >= 0.0 && excess >= 0.0, || {
                "excess below 0".into()
            });
            c.that(budget.cvar95 >= budget.spend.p95() * (1.0 - 1e-9), || {
                format!("CVaR {} below p95 {}", budget.cvar95, budget.spend.p95())
            });
        });
    }
    at("drivers and causes", &mut |c| {
        for d in &p.drivers {
            let finite = d.low_fifth.is_finite() && d.high_fifth.is_finite();
            c.that(finite && d.rank_correlation.abs() <= 1.0 + 1e-9, || {
                format!("{d:?}")
            });
        }
        for suspect in p.causes.iter().flat_map(|cause| &cause.suspects) {
            c.that((0.0..=1.0).contains(&suspect.share), || {
                format!("{suspect:?}")
            });
        }
    });
    failures
}

fn project(mut scenario: Scenario) -> Projection {
    scenario.settings.trials = 100;
    let seed = scenario.settings.seed;
    run_all(&scenario, 100, seed, &mut |_, _| {}).expect("a valid scenario")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn small_scenarios_project_sane_numbers(seed in any::<u64>()) {
        let failures = check(&project(random(seed, SMALL)));
        prop_assert!(failures.is_empty(), "scenario {}:\n{}", seed, failures.join("\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn large_scenarios_project_sane_numbers(seed in any::<u64>()) {
        let failures = check(&project(random(seed, WIDE)));
        prop_assert!(failures.is_empty(), "scenario {}:\n{}", seed, failures.join("\n"));
    }
}

/// The check itself can fail.
#[test]
fn a_spoiled_projection_is_caught() {
    let sound = project(random(7, SMALL));
    assert_eq!(check(&sound), Vec::<String>::new());
    let mut nan = sound.clone();
    nan.total.effective.months[0].mean = f64::NAN;
    assert!(!check(&nan).is_empty());
    let mut disordered = sound.clone();
    disordered.features[0].requests.horizon.p.swap(0, 7);
    disordered.features[0].requests.horizon.p[0] += 1.0;
    assert!(!check(&disordered).is_empty());
    let mut negative = sound;
    negative.total.billed.horizon.p[0] = -1.0;
    assert!(!check(&negative).is_empty());
}
