use super::*;
use std::collections::BTreeSet;

fn origins() -> Vec<(&'static str, &'static Origin)> {
    let mut all: Vec<(&str, &Origin)> = Vec::new();
    all.extend(gpu_rates().iter().map(|x| (x.id.as_str(), &x.origin)));
    all.extend(api_prices().iter().map(|x| (x.id.as_str(), &x.origin)));
    all.extend(
        serving_profiles()
            .iter()
            .map(|x| (x.id.as_str(), &x.origin)),
    );
    all.extend(seasons().iter().map(|x| (x.id.as_str(), &x.origin)));
    all.extend(weekly_facts().iter().map(|x| (x.id.as_str(), &x.origin)));
    all.extend(
        request_profiles()
            .iter()
            .map(|x| (x.id.as_str(), &x.origin)),
    );
    all.extend(rate_limits().iter().map(|x| (x.id.as_str(), &x.origin)));
    all
}

#[test]
fn the_file_is_readable() {
    let file: Result<File, _> = serde_json::from_str(include_str!("catalog.json"));
    assert!(file.is_ok(), "{:?}", file.err());
    assert_eq!(format(), 1);
    assert_eq!(currency(), "USD");
    assert!(note().contains("never truth"));
    assert!(gpu_rates().len() >= 20 && api_prices().len() >= 10 && seasons().len() >= 20);
    assert!(
        serving_profiles().len() >= 5 && request_profiles().len() >= 5 && rate_limits().len() >= 4
    );
    assert!(weekly_facts().len() >= 4);
}

#[test]
fn every_entry_says_where_it_comes_from_and_none_is_newer_than_the_file() {
    for (id, origin) in origins() {
        assert!(!origin.source.is_empty(), "{id}");
        // A year, a month or a day; compared as text, the shorter date as its first day.
        let known = match origin.as_of.len() {
            4 => format!("{}-01-01", origin.as_of),
            7 => format!("{}-01", origin.as_of),
            _ => origin.as_of.clone(),
        };
        let day: Date = known
            .parse()
            .unwrap_or_else(|_| panic!("{id}: {}", origin.as_of));
        assert!(day <= generated(), "{id}: {day}");
        assert!(day >= Date::constant(2023, 1, 1), "{id}: {day}");
        assert_eq!(origin.day().is_some(), origin.as_of.len() == 10, "{id}");
        assert!(origin.as_note().source.contains(&origin.as_of));
    }
}

#[test]
fn keys_are_unique_and_plain() {
    let mut seen = BTreeSet::new();
    for (id, _) in origins() {
        assert!(seen.insert(id), "{id} twice");
        assert!(
            id.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{id}"
        );
    }
}

#[test]
fn prices_are_per_gpu_hour_and_per_million_tokens() {
    for rate in gpu_rates() {
        // Outside of this it is the price of a box, of a month or of a minute.
        assert!(
            (0.5..40.0).contains(&rate.on_demand_per_gpu_hour),
            "{}",
            rate.id
        );
        for committed in &rate.committed {
            assert!(matches!(committed.term_months, 12 | 36), "{}", rate.id);
            assert!(
                committed.per_gpu_hour < rate.on_demand_per_gpu_hour,
                "{}",
                rate.id
            );
            assert!(
                committed.per_gpu_hour > 0.2 * rate.on_demand_per_gpu_hour,
                "{}",
                rate.id
            );
        }
        let longer = rate
            .committed
            .windows(2)
            .all(|w| w[0].per_gpu_hour > w[1].per_gpu_hour);
        assert!(longer, "{}", rate.id);
    }
    for price in api_prices() {
        assert!(
            (0.01..100.0).contains(&price.uncached_input),
            "{}",
            price.id
        );
        assert!((0.01..500.0).contains(&price.output), "{}", price.id);
        let card = price.card();
        assert!(
            card.cached_read <= card.uncached_input && card.uncached_input <= card.output,
            "{}",
            price.id
        );
    }
}

#[test]
fn replicas_fit_their_gpus() {
    for serving in serving_profiles() {
        let memory = match serving.gpu.as_str() {
            "H100-SXM" => 80.0,
            "H200" => 141.0,
            other => panic!("{other}"),
        };
        assert!(
            serving.weights_gb < 0.9 * memory * f64::from(serving.gpus_per_replica),
            "{}",
            serving.id
        );
        let profile = serving.profile();
        assert!(profile.prefill_tokens_per_second > 1e3 && profile.decode_tokens_per_second > 1e3);
        assert!(
            (1..=256).contains(&profile.concurrent_sequences),
            "{}",
            serving.id
        );
    }
}

#[test]
fn seasons_have_a_range_for_each_year_and_never_overlap() {
    for season in seasons() {
        assert_eq!(season.dates.len(), 3, "{}", season.id);
        for (year, range) in (2026..).zip(&season.dates) {
            assert!(range.first <= range.last, "{}", season.id);
            assert_eq!(range.first.year(), year, "{}", season.id);
            let days = range.first.duration_until(range.last).as_hours() / 24 + 1;
            assert!((1..=45).contains(&days), "{}", season.id);
        }
        for change in &season.measured {
            assert!(-1.0 < change.low && change.low <= change.high && !change.source.is_empty());
        }
    }
    let cny = seasons()
        .iter()
        .find(|s| s.id == "lunar-new-year-cn")
        .unwrap();
    assert_eq!(cny.at_work, Direction::Down);
    let sale = seasons()
        .iter()
        .find(|s| s.id == "black-friday-to-cyber-monday")
        .unwrap();
    assert_eq!(sale.at_home, Direction::Up);
    assert_eq!(sale.dates[1].first, Date::constant(2027, 11, 26));
}

#[test]
fn shapes_of_requests_are_entries_that_can_be_used() {
    for profile in request_profiles() {
        for (measured, domain) in [
            (profile.calls_per_request, Domain::IntegerFromOne),
            (profile.input_tokens, Domain::Positive),
            (profile.output_tokens, Domain::Positive),
        ] {
            let Some(measured) = measured else { continue };
            let fit = Distribution::fit(&measured.entry(domain), domain)
                .unwrap_or_else(|problem| panic!("{}: {problem}", profile.id));
            if let Some(mean) = measured.mean {
                let off = fit.distribution.mean() / mean - 1.0;
                assert!(off.abs() < 1e-6, "{}: {off}", profile.id);
            }
        }
        assert!(
            profile
                .cached_share
                .is_none_or(|s| (0.0..=1.0).contains(&s))
        );
    }
    for fact in weekly_facts() {
        assert!((0.5..5.0).contains(&fact.ratio), "{}", fact.id);
        if let Some(hours) = &fact.hours {
            assert_eq!(hours.len(), 24);
            let mean = hours.iter().sum::<f64>() / 24.0;
            assert!((mean - 1.0).abs() < 0.05, "{mean}");
        }
    }
    for limit in rate_limits() {
        assert!(
            limit.tokens_per_minute.is_none_or(|l| l >= 1e4),
            "{}",
            limit.id
        );
        assert!(
            limit.requests_per_minute.is_none_or(|l| l >= 10.0),
            "{}",
            limit.id
        );
    }
}

/// Easter Sunday by the anonymous Gregorian algorithm (Meeus, Jones, Butcher).
fn easter(year: i16) -> Date {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let (d, e) = (b / 4, b % 4);
    let g = (b - (b + 8) / 25 + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let month = (h + l - 7 * m + 114) / 31;
    let day = (h + l - 7 * m + 114) % 31 + 1;
    Date::new(year, month as i8, day as i8).unwrap()
}

#[test]
fn moving_feasts_are_where_their_rules_put_them() {
    let of = |id: &str| &seasons().iter().find(|s| s.id == id).unwrap().dates;
    let day = |d: Date, by: i64| d.checked_add(jiff::Span::new().days(by)).unwrap();
    for (i, year) in (2026..=2028).enumerate() {
        let sunday = easter(year);
        for (id, first, last) in [
            ("easter", -2, 1),
            ("ascension-bridge-de-fr", 39, 42),
            ("pentecost-weekend-de-fr", 48, 50),
        ] {
            let range = of(id)[i];
            assert_eq!(range.first, day(sunday, first), "{id} {year}");
            assert_eq!(range.last, day(sunday, last), "{id} {year}");
        }
        // 4th Thursday of November
        let november = Date::new(year, 11, 1).unwrap();
        let thursday = november
            .nth_weekday_of_month(4, jiff::civil::Weekday::Thursday)
            .unwrap();
        assert_eq!(of("thanksgiving-us")[i].first, thursday);
        assert_eq!(
            of("black-friday-to-cyber-monday")[i].first,
            day(thursday, 1)
        );
        let september = Date::new(year, 9, 1).unwrap();
        let labor = september
            .nth_weekday_of_month(1, jiff::civil::Weekday::Monday)
            .unwrap();
        assert_eq!(of("labor-day-us")[i].last, labor);
    }
    // New Year's Day of the Chinese calendar (Hong Kong Observatory) and Lakshmi Puja (Drik Panchang)
    let new_years = [(2026, 2, 17), (2027, 2, 6), (2028, 1, 26)];
    let diwali = [(2026, 11, 8), (2027, 10, 29), (2028, 10, 17)];
    let mid_autumn = [(2026, 9, 25), (2027, 9, 15), (2028, 10, 3)];
    for (id, days) in [
        ("lunar-new-year-cn", new_years),
        ("diwali-in", diwali),
        ("mid-autumn-cn", mid_autumn),
    ] {
        for (range, (y, m, d)) in of(id).iter().zip(days) {
            let feast = Date::new(y, m, d).unwrap();
            assert!(range.first <= feast && feast <= range.last, "{id} {feast}");
        }
    }
}

#[test]
fn every_region_has_a_calendar_of_entries_that_can_be_used() {
    for region in Region::ALL {
        let all = calendar(region);
        assert!(all.len() >= 5, "{region:?}: {}", all.len());
        for preset in all {
            let fit = Distribution::fit(&preset.multiplier(), Domain::Positive);
            assert!(fit.is_ok(), "{}", preset.id);
        }
    }
}

#[test]
fn holidays_stand_where_offices_keep_them() {
    let day = |text: &str| -> Date { text.parse().unwrap() };
    let within = |id: &str, day: Date| {
        let season = seasons().iter().find(|s| s.id == id).unwrap();
        season.dates.iter().any(|r| r.first <= day && day <= r.last)
    };
    // the United States: Saturdays on Friday, Sundays on Monday
    for (id, kept) in [
        ("independence-day-us", "2026-07-03"),
        ("independence-day-us", "2027-07-05"),
        ("juneteenth-us", "2027-06-18"),
        ("veterans-day-us", "2028-11-10"),
        ("christmas-to-new-year", "2027-12-24"),
        ("christmas-to-new-year", "2027-12-31"),
        ("martin-luther-king-day-us", "2028-01-17"),
        ("presidents-day-us", "2027-02-15"),
        ("columbus-day-us", "2026-10-12"),
        ("dragon-boat-cn", "2028-05-29"),
        ("qingming-cn", "2027-04-05"),
    ] {
        assert!(within(id, day(kept)), "{id}: {kept}");
    }
    // China: weekends of the notice for 2026 on which people work
    for works in [
        "2026-01-04",
        "2026-02-14",
        "2026-02-28",
        "2026-05-09",
        "2026-09-20",
        "2026-10-10",
    ] {
        let off = [
            "new-years-day-cn",
            "lunar-new-year-cn",
            "labour-day-break-cn",
            "mid-autumn-cn",
            "national-day-golden-week-cn",
        ];
        assert!(!off.iter().any(|id| within(id, day(works))), "{works}");
    }
}
