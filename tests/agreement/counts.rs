//! Minutes and hours are as restless as said, in the engine and minute by minute.

use headroom::domain::quantity::Quantity;
use headroom::domain::scenario::PoolKind;
use headroom::engine::demand::count::draw;
use headroom::engine::run_all;
use rand::SeedableRng;

use crate::brute::Rng;
use crate::brute::demand::{Minutes, poisson};
use crate::closed_forms::plain;

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    (mean, square / n)
}

/// Counts by inverse CDF at equally likely probabilities.
fn quantiles(mean: f64, extra: f64) -> Vec<f64> {
    let n = 100_000;
    let u = |i: i32| (f64::from(i) + 0.5) / f64::from(n);
    (0..n).map(|i| draw(mean, extra, u(i)) as f64).collect()
}

/// 150 requests a minute: index of dispersion 1 without bursts, 1 + 150 c² with them.
#[test]
fn minutes_have_the_dispersion_of_their_burstiness() {
    const PER_MINUTE: f64 = 150.0;
    for (burstiness, want) in [(0.0, 1.0), (1.0, 151.0)] {
        let mut rng = Rng::seed_from_u64(1);
        let mut chain = Minutes::new(burstiness, 0.3, &mut rng);
        let mut counts: Vec<f64> = (0..300_000)
            .map(|_| f64::from(poisson(PER_MINUTE * chain.next(&mut rng), &mut rng)))
            .collect();
        let (mean, variance) = mean_and_variance(&counts);
        assert!(
            (variance / mean / want - 1.0).abs() < 0.03,
            "played: {}",
            variance / mean
        );

        let (mean, variance) =
            mean_and_variance(&quantiles(PER_MINUTE, (PER_MINUTE * burstiness).powi(2)));
        assert!(
            (variance / mean / want - 1.0).abs() < 0.02,
            "drawn: {}",
            variance / mean
        );

        // the planned minute of the engine, in calls
        counts.sort_by(f64::total_cmp);
        let p95 = counts[counts.len() * 95 / 100];
        let mut s = plain();
        let f = &mut s.features[0];
        f.requests_per_day = Quantity::fixed(PER_MINUTE * 1_440.0);
        f.noise.burstiness = burstiness;
        f.noise.burst_persistence = 0.3;
        s.pools[0].kind = PoolKind::PayAsYouGo {
            tokens_per_minute: None,
            requests_per_minute: Some(1_000.0),
            cached_reads_count: false,
        };
        let p = run_all(&s, 100, 1, &mut |_, _| {}).expect("a valid scenario");
        let planned = p.limits[0].needed[0].mean;
        println!("burstiness {burstiness}: planned {planned}, played {p95}");
        assert!((planned / p95 - 1.0).abs() < 0.02, "{planned} {p95}");
    }
}

/// Hours: M + (Mc)² h with h of sixty correlated minutes, and not M.
#[test]
fn hours_have_the_variance_of_sixty_restless_minutes() {
    for (per_minute, c, rho) in [(2.0, 0.25, 0.3), (2.0, 1.04, 0.16), (150.0, 1.04, 0.6)] {
        let mut rng = Rng::seed_from_u64(2);
        let mut chain = Minutes::new(c, rho, &mut rng);
        let hours: Vec<f64> = (0..40_000)
            .map(|_| {
                (0..60)
                    .map(|_| f64::from(poisson(per_minute * chain.next(&mut rng), &mut rng)))
                    .sum()
            })
            .collect();
        let m = 60.0 * per_minute;
        let h = ((1.0 + rho) / (1.0 - rho)
            - 2.0 * rho * (1.0 - rho.powi(60)) / (60.0 * (1.0 - rho).powi(2)))
            / 60.0;
        let want = m + (m * c).powi(2) * h;
        let (_, played) = mean_and_variance(&hours);
        let (_, drawn) = mean_and_variance(&quantiles(
            m,
            (m * c).powi(2) * headroom::engine::demand::count::hour_variance(rho),
        ));
        assert!(
            (played / want - 1.0).abs() < 0.04,
            "played: {played}, {want}"
        );
        assert!((drawn / want - 1.0).abs() < 0.02, "drawn: {drawn}, {want}");
    }
}
