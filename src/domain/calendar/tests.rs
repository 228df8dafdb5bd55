use super::*;
use jiff::civil::date;

fn settings(start: Date, months: u32, zone: &str, fiscal: u32) -> Settings {
    Settings {
        start,
        horizon_months: months,
        time_zone: zone.to_owned(),
        currency: "USD".to_owned(),
        fiscal_year_start_month: fiscal,
        seed: 1,
        trials: 1000,
    }
}

fn grid(start: Date, months: u32, zone: &str) -> Grid {
    Grid::new(&settings(start, months, zone, 1)).unwrap()
}

#[test]
fn no_month_has_730_hours() {
    let hours = |start, zone| grid(start, 1, zone).months[0].hours;
    assert_eq!(hours(date(2027, 2, 1), "UTC"), 672);
    assert_eq!(hours(date(2028, 2, 1), "UTC"), 696);
    assert_eq!(hours(date(2026, 11, 1), "America/New_York"), 721);
    assert_eq!(hours(date(2027, 3, 1), "America/New_York"), 743);
    let long = grid(date(2026, 11, 1), 60, "America/New_York");
    assert_eq!(long.hours, long.months.iter().map(|m| m.hours).sum::<u32>());
    assert_eq!(long.month_start.len(), 61);
    assert!(long.months.iter().all(|m| m.hours != 730));
}

#[test]
fn days_have_the_hours_of_their_clock() {
    let ny = grid(date(2026, 11, 1), 6, "America/New_York");
    assert_eq!(ny.day_hours(date(2026, 11, 1)), 25);
    assert_eq!(ny.day_hours(date(2027, 3, 14)), 23);
    // Midnight is missing: the day starts at 01:00 (Santiago puts clocks forward at 24:00).
    let santiago = grid(date(2026, 9, 1), 1, "America/Santiago");
    assert_eq!(santiago.day_hours(date(2026, 9, 5)), 24);
    assert_eq!(santiago.day_hours(date(2026, 9, 6)), 23);
    assert_eq!(santiago.months[0].hours, 719);
    // Midnight comes twice (Havana puts clocks back from 01:00 to 00:00).
    let havana = grid(date(2025, 11, 1), 1, "America/Havana");
    assert_eq!(havana.day_hours(date(2025, 11, 2)), 25);
    // Half an hour of daylight saving: a day of 24.5 hours holds 25 or 24 starts of grid hours.
    let lord_howe = grid(date(2027, 4, 1), 12, "Australia/Lord_Howe");
    assert_eq!(lord_howe.day_hours(date(2027, 4, 4)), 25);
    assert_eq!(lord_howe.day_hours(date(2027, 4, 5)), 24);
    assert_eq!(lord_howe.hours, 366 * 24);
}

#[test]
fn a_day_that_was_skipped_has_no_hours() {
    let apia = grid(date(2011, 12, 1), 1, "Pacific/Apia");
    assert_eq!(apia.day_hours(date(2011, 12, 30)), 0);
    assert_eq!(apia.day_hours(date(2011, 12, 31)), 24);
    assert_eq!(apia.months[0].hours, 30 * 24);
}

#[test]
fn terms_keep_their_anchor_day() {
    let start = date(2027, 1, 31);
    assert_eq!(term_end(start, 1), date(2027, 2, 28));
    assert_eq!(term_end(start, 2), date(2027, 3, 31));
    assert_eq!(term_end(start, 13), date(2028, 2, 29));
    assert_eq!(term_end(start, 12), date(2028, 1, 31));
    assert_eq!(term_last_day(start, 12), date(2028, 1, 30));
    let g = grid(date(2027, 1, 1), 14, "UTC");
    assert_eq!(g.hour_of(term_end(start, 12)) - g.hour_of(start), 8760);
    assert_eq!(term_end(Date::MAX, 5), Date::MAX);
}

#[test]
fn hours_before_and_after_the_horizon_are_counted_too() {
    let g = grid(date(2027, 1, 1), 1, "Europe/Berlin");
    assert_eq!(g.hour_of(date(2026, 12, 31)), -24);
    assert_eq!(g.hour_of(date(2027, 2, 2)), 32 * 24);
    assert_eq!(g.date_of(-1), date(2026, 12, 31));
    assert_eq!(g.date_of(0), date(2027, 1, 1));
    assert_eq!(g.month_of(-1), None);
    assert_eq!(g.month_of(743), Some(0));
    assert_eq!(g.month_of(744), None);
    assert_eq!(g.end(), date(2027, 2, 1));
}

fn at(runs: &[(u32, u8)], hour: u32) -> u32 {
    let (from, value) = runs[runs.partition_point(|r| r.0 <= hour) - 1];
    (u32::from(value) + hour - from) % 168
}

#[test]
fn nine_in_the_morning_stays_nine_when_clocks_change() {
    let g = grid(date(2027, 1, 1), 12, "UTC");
    let runs = g.local_hour_of_week("America/New_York").unwrap();
    assert_eq!(runs.len(), 3, "a start and two changes: {runs:?}");
    for (day, utc_hour) in [
        (date(2027, 3, 12), 14),
        (date(2027, 3, 15), 13),
        (date(2027, 11, 8), 14),
    ] {
        let hour = u32::try_from(g.hour_of(day)).unwrap() + utc_hour;
        let monday = u32::from(day.weekday().to_monday_zero_offset().unsigned_abs());
        assert_eq!(at(&runs, hour), monday * 24 + 9, "{day}");
    }
}

#[test]
fn runs_equal_the_clock_in_every_hour() {
    for (scenario, users) in [
        ("UTC", "Asia/Kolkata"),
        ("America/New_York", "Europe/London"),
        ("Asia/Kathmandu", "Australia/Lord_Howe"),
        ("Africa/Casablanca", "Africa/Casablanca"),
    ] {
        let g = grid(date(2026, 11, 1), 24, scenario);
        let runs = g.local_hour_of_week(users).unwrap();
        let zone = zone(users).unwrap();
        for hour in 0..g.hours {
            assert_eq!(
                at(&runs, hour),
                u32::from(g.local(&zone, i64::from(hour)).1),
                "{scenario} {users} {hour}"
            );
        }
    }
    let g = grid(date(2026, 11, 1), 1, "UTC");
    assert!(matches!(
        g.local_hour_of_week("Mars/Olympus"),
        Err(ProblemKind::UnknownZone { .. })
    ));
}

#[test]
fn fiscal_years_are_named_by_their_end() {
    assert_eq!(fiscal(2027, 1, 1), (2027, 1, 1));
    assert_eq!(fiscal(2027, 12, 1), (2027, 4, 12));
    assert_eq!(fiscal(2027, 1, 2), (2027, 4, 12));
    assert_eq!(fiscal(2027, 2, 2), (2028, 1, 1));
    assert_eq!(fiscal(2026, 10, 10), (2027, 1, 1));
    let g = Grid::new(&settings(date(2026, 11, 1), 18, "UTC", 2)).unwrap();
    let years = g.years();
    let short = |p: &PeriodInfo| (p.fiscal_year, p.first_month, p.months, p.complete);
    assert_eq!(
        years.iter().map(short).collect::<Vec<_>>(),
        [
            (2027, 0, 3, false),
            (2028, 3, 12, true),
            (2029, 15, 3, false)
        ]
    );
    let quarters = g.quarters();
    assert_eq!(quarters.len(), 6);
    assert!(quarters.iter().all(|q| q.complete));
    assert_eq!(quarters[0].quarter, Some(4));
}

#[test]
fn settings_without_a_grid_say_why() {
    let bad = |s: Settings| Grid::new(&s).unwrap_err().path;
    let first = date(2027, 1, 1);
    assert_eq!(
        bad(settings(first, 0, "UTC", 1)).as_str(),
        "settings/horizon_months"
    );
    assert_eq!(
        bad(settings(first, 61, "UTC", 1)).as_str(),
        "settings/horizon_months"
    );
    assert_eq!(
        bad(settings(first, 6, "UTC", 13)).as_str(),
        "settings/fiscal_year_start_month"
    );
    assert_eq!(
        bad(settings(first, 6, "Etc/Unknown", 1)).as_str(),
        "settings/time_zone"
    );
    assert_eq!(
        bad(settings(date(2027, 1, 2), 6, "UTC", 1)).as_str(),
        "settings/start"
    );
    assert_eq!(
        bad(settings(date(9999, 12, 1), 6, "UTC", 1)).as_str(),
        "settings/start"
    );
    assert!(tz_database_version().starts_with("20"));
    assert!(zone_names().len() > 400);
}
