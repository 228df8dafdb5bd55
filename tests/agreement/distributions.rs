//! Fits of entries against the brute force's own samplers: two-sample Kolmogorov-Smirnov at a familywise 1 %.

use headroom::domain::distribution::Distribution;
use headroom::domain::quantity::Domain;
use rand::{RngExt, SeedableRng};

use crate::brute::scenarios::small;
use crate::brute::shapes::Sampler;
use crate::brute::{Rng, SCENARIOS};

const DRAWS: usize = 20_000;

/// Largest difference of the two empirical distribution functions. Values are compared at 12 significant digits: a
/// table of logarithms gives a value that many requests share (`95% 78.6, …`) back to the last bit or two only.
fn distance(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    for x in a.iter_mut().chain(&mut b) {
        *x = format!("{x:.11e}").parse().expect("a number");
    }
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let below = |v: &[f64], x: f64| v.partition_point(|y| *y <= x) as f64 / v.len() as f64;
    let points = a.iter().chain(&b);
    points
        .map(|x| (below(&a, *x) - below(&b, *x)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn every_entry_of_the_small_scenarios_is_fitted_as_the_brute_force_reads_it() {
    let mut rng = Rng::seed_from_u64(99);
    let mut distances = Vec::new();
    for seed in SCENARIOS {
        for (path, spec, quantity) in small(seed).quantities() {
            let fit = Distribution::fit(quantity, spec.domain)
                .expect("a fit")
                .distribution;
            if fit.fixed().is_some() {
                continue;
            }
            let sampler = Sampler::new(quantity, spec.domain);
            let whole = matches!(
                spec.domain,
                Domain::IntegerFromOne | Domain::IntegerFromZero
            );
            let ours = (0..DRAWS)
                .map(|_| {
                    let x = fit.quantile(rng.random::<f64>().clamp(1e-12, 1.0 - 1e-12));
                    if whole {
                        (x + rng.random::<f64>()).floor()
                    } else {
                        x
                    }
                })
                .collect();
            let theirs = (0..DRAWS)
                .map(|_| sampler.draw(spec.domain, &mut rng))
                .collect();
            distances.push((distance(ours, theirs), seed, path));
        }
    }
    // P(D > d) <= 2 exp(-n d^2) for two samples of n values each.
    let tests = distances.len() as f64;
    let most = ((2.0 * tests / 0.01).ln() / DRAWS as f64).sqrt();
    assert!(tests > 60.0, "only {tests} entries");
    for (d, seed, path) in distances {
        assert!(
            d <= most,
            "scenario {seed}, {}: {d} > {most}",
            path.as_str()
        );
    }
}
