use super::*;
use crate::{
    domain::{
        quantity::Quantity,
        scenario::{DateRange, Launch, Scenario, SeasonalWindow, Touches, WeeklyShape},
    },
    engine::plan::compile,
    stories,
};

/// One live feature with 24 requests a day and nothing else.
fn plain(start: &str, months: u32, zone: &str) -> Scenario {
    let mut s = stories::find("eighteen-month-contract")
        .expect("a story")
        .scenario();
    s.settings.start = start.parse().expect("a date");
    s.settings.horizon_months = months;
    s.settings.time_zone = zone.into();
    s.budgets.clear();
    s.seasons.clear();
    s.features.truncate(1);
    let f = &mut s.features[0];
    f.launch = Launch::Live;
    f.retire = None;
    f.requests_per_day = Quantity::fixed(24.0);
    f.growth_per_month = Quantity::fixed(0.0);
    f.token_drift_per_month = Quantity::fixed(0.0);
    f.weekly_profile = Default::default();
    f.noise.hour_cv = 0.0;
    s
}

/// Rates of the whole horizon.
fn rates_of(s: &Scenario) -> Vec<f64> {
    let plan = compile(s).expect("a valid scenario");
    let f = &plan.features[0];
    let draw = draw_feature(&plan, f, 0, &mut []);
    let multipliers: Vec<f64> = plan
        .windows
        .iter()
        .map(|w| draw_window(&plan, w, 0, &mut []))
        .collect();
    let weights = profile(f, plan.hours());
    let mut all = Vec::new();
    for index in 0..plan.months.len() {
        let month = plan.month(index);
        let first = month.first as usize;
        let mut row = vec![0.0; month.hours];
        if is_live(f, &draw, &month) {
            let around = Surroundings {
                shock: &[],
                month,
                profile: &weights[first..first + month.hours],
                noise: &[],
                multipliers: &multipliers,
                without: &[],
            };
            rates(&plan, f, &draw, &around, &mut row);
        }
        all.extend(row);
    }
    all
}

fn close(got: f64, want: f64) {
    assert!(
        (got - want).abs() < 1e-9 * want.abs().max(1.0),
        "{got} {want}"
    );
}

#[test]
fn a_month_has_the_hours_that_it_has() {
    for (start, zone, hours) in [
        ("2028-02-01", "UTC", 696),
        ("2027-02-01", "UTC", 672),
        ("2026-11-01", "America/New_York", 721),
        ("2027-03-01", "America/New_York", 743),
    ] {
        let all = rates_of(&plain(start, 1, zone));
        assert_eq!(all.len(), hours);
        all.iter().for_each(|r| close(*r, 1.0));
    }
}

#[test]
fn nine_o_clock_stays_nine_o_clock_when_clocks_change() {
    // one busy hour of the week: Monday 09:00 in New York; the grid is UTC
    let mut s = plain("2026-10-01", 2, "UTC");
    let mut weights = vec![0.0; 168];
    weights[9] = 1.0;
    s.features[0].weekly_profile.shape = WeeklyShape::Custom(weights);
    s.features[0].weekly_profile.time_zone = Some("America/New_York".into());
    let all = rates_of(&s);
    let busy: Vec<usize> = (0..all.len()).filter(|h| all[*h] > 0.0).collect();
    // Mondays of October and November 2026: 13:00 UTC until 26 October, 14:00 UTC after 1 November
    let days = [4, 11, 18, 25, 32, 39, 46, 53, 60];
    let expected: Vec<usize> = days
        .iter()
        .map(|d| d * 24 + if *d < 31 { 13 } else { 14 })
        .collect();
    assert_eq!(busy, expected);
    busy.iter().for_each(|h| close(all[*h], 168.0));
}

#[test]
fn growth_is_by_calendar_month() {
    let mut s = plain("2027-01-01", 3, "UTC");
    s.features[0].growth_per_month = Quantity::fixed(0.1);
    let all = rates_of(&s);
    close(all[0], 1.0);
    close(all[744 / 2], 1.1f64.sqrt());
    close(all[744], 1.1);
    close(all[744 + 672], 1.1 * 1.1);
}

#[test]
fn windows_ramp_geometrically() {
    let mut s = plain("2027-01-01", 2, "UTC");
    s.seasons.push(SeasonalWindow {
        id: s.free_id(),
        name: "peak".into(),
        dates: vec![DateRange {
            first: "2027-01-30".parse().expect("a date"),
            last: "2027-02-02".parse().expect("a date"),
        }],
        yearly: false,
        multiplier: Quantity::fixed(4.0),
        ramp_in_days: 2,
        ramp_out_days: 1,
        touches: Touches::All,
    });
    let all = rates_of(&s);
    let day = |d: usize| d * 24;
    close(all[day(27) - 1], 1.0);
    for h in 0..48 {
        close(all[day(27) + h], 4f64.powf((h as f64 + 0.5) / 48.0));
    }
    all[day(29)..day(33)].iter().for_each(|r| close(*r, 4.0));
    for h in 0..24 {
        close(all[day(33) + h], 4f64.powf(1.0 - (h as f64 + 0.5) / 24.0));
    }
    close(all[day(34)], 1.0);
}

#[test]
fn adoption_starts_at_one_per_cent_and_ends_with_retirement() {
    let mut s = plain("2027-01-01", 3, "UTC");
    s.features[0].launch = Launch::Planned {
        date: "2027-01-10".parse().expect("a date"),
        slip_days: Quantity::fixed(1.25),
        ramp_days: Quantity::fixed(20.0),
    };
    s.features[0].retire = Some("2027-03-10".parse().expect("a date"));
    let all = rates_of(&s);
    let launch = 10.25 * 24.0;
    let logistic = |t: f64| {
        let k = 2.0 * 99f64.ln() / 480.0;
        1.0 / (1.0 + 99.0 * (-k * t).exp())
    };
    assert!(all[..246].iter().all(|r| *r == 0.0));
    for h in [246usize, 300, 486, 726, 744, 1_000] {
        close(all[h], logistic(h as f64 + 0.5 - launch));
    }
    close(logistic(0.0), 0.01);
    close(logistic(480.0), 0.99);
    let end = (31 + 28 + 9) * 24;
    assert!(all[end - 1] > 0.99 && all[end..].iter().all(|r| *r == 0.0));
    // a launch inside an hour counts with the rest of the hour
    s.features[0].launch = Launch::Planned {
        date: "2027-01-10".parse().expect("a date"),
        slip_days: Quantity::fixed(0.25 / 24.0),
        ramp_days: Quantity::fixed(0.0),
    };
    let all = rates_of(&s);
    close(all[9 * 24], 0.75);
    close(all[9 * 24 + 1], 1.0);
}
