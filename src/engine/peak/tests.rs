use crate::engine::demand::count::{hour_variance, window_variance};

/// Against the double sum itself, and against the hour of model section 3.
#[test]
fn windows_vary_as_their_minutes_do() {
    for persistence in [0.0f64, 0.16, 0.5, 0.9] {
        for minutes in [1u32, 2, 10, 60] {
            let mut sum = 0.0;
            for d in 0..minutes {
                for e in 0..minutes {
                    sum += persistence.powi(d.abs_diff(e) as i32);
                }
            }
            let got = window_variance(persistence, f64::from(minutes));
            assert!((got / sum - 1.0).abs() < 1e-9, "{got} {sum}");
        }
        let hour = window_variance(persistence, 60.0) / 3_600.0;
        assert!((hour / hour_variance(persistence) - 1.0).abs() < 1e-9);
    }
}
