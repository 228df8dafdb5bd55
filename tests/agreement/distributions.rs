//! Fits of entries against the brute force's own samplers: two-sample Kolmogorov-Smirnov at a familywise 1 %.

use headroom::domain::distribution::Distribution;
use headroom::domain::quantity::{Domain, HighPercentile, MixPart, Quantity, Shape};
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

/// Distance of as many draws of a fit as of the brute force's sampler.
fn apart(fit: &Distribution, quantity: &Quantity, domain: Domain, rng: &mut Rng) -> f64 {
    let sampler = Sampler::new(quantity, domain);
    let whole = matches!(domain, Domain::IntegerFromOne | Domain::IntegerFromZero);
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
    let theirs = (0..DRAWS).map(|_| sampler.draw(domain, rng)).collect();
    distance(ours, theirs)
}

/// Heavy tails and measured values, alone and as parts of a mix.
fn tails_and_samples() -> Vec<(Shape, Domain)> {
    let tail = |percentile, alpha| Shape::ParetoTail {
        p50: 2e3,
        percentile,
        high: 8e3,
        alpha,
    };
    let measured = || Shape::Sample(vec![13.0, 3.0, 8.0, 5.0, 8.0, 1.0, 400.0]);
    let mut all = vec![
        (
            Shape::ParetoTail {
                p50: 2.0,
                percentile: HighPercentile::P90,
                high: 7.0,
                alpha: 1.6,
            },
            Domain::IntegerFromOne,
        ),
        (measured(), Domain::IntegerFromZero),
        (
            Shape::Mix(vec![
                MixPart {
                    weight: 0.7,
                    part: measured(),
                },
                MixPart {
                    weight: 0.3,
                    part: tail(HighPercentile::P99, 1.3),
                },
            ]),
            Domain::NonNegative,
        ),
    ];
    for percentile in [
        HighPercentile::P90,
        HighPercentile::P95,
        HighPercentile::P99,
    ] {
        for alpha in [1.2, 2.0, 3.5] {
            all.push((tail(percentile, alpha), Domain::Positive));
        }
    }
    all
}

#[test]
fn heavy_tails_and_samples_are_fitted_as_the_brute_force_reads_them() {
    let mut rng = Rng::seed_from_u64(17);
    let all = tails_and_samples();
    let most = ((2.0 * all.len() as f64 / 0.01).ln() / DRAWS as f64).sqrt();
    for (shape, domain) in all {
        let quantity = Quantity::from(shape);
        let fit = Distribution::fit(&quantity, domain)
            .expect("a fit")
            .distribution;
        let d = apart(&fit, &quantity, domain, &mut rng);
        assert!(d <= most, "{quantity:?}: {d} > {most}");
    }
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
            let d = apart(&fit, quantity, spec.domain, &mut rng);
            distances.push((d, seed, path));
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
