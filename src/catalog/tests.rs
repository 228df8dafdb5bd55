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
