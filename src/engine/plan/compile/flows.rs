//! Features with lanes become flows: short and long requests, each sent to the right lane or to the wrong one.

use super::{Fits, index_of};
use crate::{
    domain::{
        distribution::Distribution,
        scenario::{Feature, Id, Lanes, Scenario},
    },
    engine::plan::{Input, PlanFeature, PlanFlow},
};

/// Features with lanes, with their places.
pub(super) fn with_lanes(scenario: &Scenario) -> impl Iterator<Item = (usize, &Feature, &Lanes)> {
    let features = scenario.features.iter().enumerate();
    features.filter_map(|(i, f)| Some((i, f, f.lanes.as_ref()?)))
}

/// Splits them. The short requests in the right lane stay in the feature's place; the other flows that can have requests
/// stand behind all features.
pub(super) fn lanes(
    scenario: &Scenario,
    mut features: Vec<PlanFeature>,
    misrouted: &[(Id, [Input; 2])],
) -> Vec<PlanFeature> {
    for (place, f) in (0..).zip(&mut features) {
        f.rows = vec![place];
    }
    let mut rows = features.len() as u32;
    for (at, feature, entry) in with_lanes(scenario) {
        let Some((_, misrouted)) = misrouted.iter().find(|(id, _)| *id == feature.id) else {
            continue;
        };
        let whole = features[at].clone();
        let (short, long, long_share) = whole.request.input.split(entry.threshold_tokens);
        let threshold = between(short.as_ref(), long.as_ref());
        let elsewhere = (
            index_of(scenario.pools.iter().map(|p| p.id), entry.pool),
            index_of(scenario.models.iter().map(|m| m.id), entry.model),
        );
        let flow = |is_long: bool, wrong: bool| {
            let mut f = whole.clone();
            let law = if is_long { &long } else { &short };
            if let Some(input) = law {
                f.request.input.clone_from(input);
            }
            f.request_key = f.request.key();
            if is_long != wrong {
                (f.pool, f.model) = elsewhere;
                f.rows.push(rows);
            }
            if wrong {
                f.rows.push(rows + 1);
            }
            f.flow = Some(PlanFlow {
                long: is_long,
                wrong,
                threshold,
                long_share,
                misrouted: misrouted.clone(),
                triage_cost: entry.triage_cost_per_request,
                whole: whole.request.clone(),
            });
            f
        };
        features[at] = flow(false, false);
        for (is_long, wrong) in [(false, true), (true, false), (true, true)] {
            let share = if is_long {
                long_share
            } else {
                1.0 - long_share
            };
            let never = if wrong { 0.0 } else { 1.0 };
            if share > 0.0 && misrouted[usize::from(is_long)].fixed != Some(never) {
                features.push(flow(is_long, wrong));
            }
        }
        rows += 2;
    }
    features
}

/// What parts short requests from long ones: between the longest of the ones and the shortest of the others, so that a
/// single value at the threshold stays on its side even where it is scaled by a hair.
fn between(short: Option<&Distribution>, long: Option<&Distribution>) -> f64 {
    let edge = 1.0 / f64::from(1_u32 << 15);
    let longest = short.map_or(0.0, |d| d.quantile(1.0 - edge));
    let shortest = long.map_or(f64::MAX, |d| d.quantile(edge));
    0.5 * longest + 0.5 * shortest
}

/// The misrouting rates of the features with lanes, fitted.
pub(super) fn misrouted(feature: &Feature, fits: &mut Fits) -> Option<(Id, [Input; 2])> {
    let lanes = feature.lanes.as_ref()?;
    let short = fits.uncertain(feature.id, "misrouted_short", &lanes.misrouted_short);
    let long = fits.uncertain(feature.id, "misrouted_long", &lanes.misrouted_long);
    Some((feature.id, [short, long]))
}
