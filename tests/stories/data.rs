//! `real-traces` against the files that it was taken from.

use headroom::domain::distribution::Distribution;
use headroom::domain::quantity::{Domain, Quantity, Shape};
use headroom::domain::scenario::{Feature, Scenario, WeeklyShape};

/// Values of some columns of a file in tests/data.
fn read<const N: usize>(file: &str, columns: [&str; N]) -> Vec<[f64; N]> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let mut reader = csv::Reader::from_path(path).expect("a data file");
    let headers = reader.headers().expect("headers").clone();
    let at = columns.map(|c| headers.iter().position(|h| h == c).expect("a column"));
    reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            at.map(|i| record[i].parse().expect("a number"))
        })
        .collect()
}

/// p0 p10 p25 p50 p75 p90 p95 p99 p100, inverse ECDF.
fn nine_quantiles(values: &[f64]) -> [f64; 9] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0, 100, 250, 500, 750, 900, 950, 990, 1000]
        .map(|permille| sorted[(sorted.len() * permille).div_ceil(1000).max(1) - 1])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn story() -> Scenario {
    headroom::stories::find("real-traces")
        .expect("a story")
        .scenario()
}

fn feature(name: &str) -> Feature {
    let found = story().features.into_iter().find(|f| f.name == name);
    found.expect("a feature")
}

struct Trace {
    name: &'static str,
    values: Vec<f64>,
    entry: Quantity,
    domain: Domain,
}

fn traces() -> Vec<Trace> {
    let tokens = read(
        "azure_code_2023_tokens.csv",
        ["ContextTokens", "GeneratedTokens"],
    );
    let calls = read("tau_bench_gpt4o_airline_calls.csv", ["llm_calls"]);
    let code = feature("Code completion");
    vec![
        Trace {
            name: "input",
            values: tokens.iter().map(|r| r[0]).collect(),
            entry: code.input_tokens.each,
            domain: Domain::Positive,
        },
        Trace {
            name: "output",
            values: tokens.iter().map(|r| r[1]).collect(),
            entry: code.output_tokens.each,
            domain: Domain::Positive,
        },
        Trace {
            name: "calls",
            values: calls.iter().map(|r| r[0]).collect(),
            entry: feature("Support agent").calls_per_request,
            domain: Domain::IntegerFromOne,
        },
    ]
}

#[test]
fn entries_are_those_of_the_files() {
    for trace in traces() {
        assert_eq!(
            trace.entry.shape,
            Shape::Quantiles(nine_quantiles(&trace.values)),
            "{}",
            trace.name
        );
        let pinned = trace.entry.mean.expect("a pinned mean");
        assert!(
            (pinned - mean(&trace.values)).abs() < 6e-4,
            "{}: {pinned} is not {}",
            trace.name,
            mean(&trace.values)
        );
    }
}

#[test]
fn the_week_is_the_mean_of_the_two_measured_weeks() {
    let rates: Vec<f64> = read("servegen_m_small_rate_10min_14d.csv", ["m_small_rps"])
        .iter()
        .map(|r| r[0])
        .collect();
    let hours: Vec<f64> = rates.chunks(6).map(mean).collect();
    assert_eq!(hours.len(), 336);
    for name in ["Code completion", "Support agent"] {
        let WeeklyShape::Custom(weights) = feature(name).weekly_profile.shape else {
            panic!("168 weights");
        };
        assert_eq!(weights.len(), 168);
        for (hour, weight) in weights.iter().enumerate() {
            let measured = (hours[hour] + hours[hour + 168]) / 2.0 / mean(&hours);
            assert!((weight - measured).abs() <= 5.001e-4, "hour {hour}");
        }
    }
}

/// Values as requests draw them, from evenly spread uniforms: no luck involved.
fn drawn(entry: &Quantity, domain: Domain) -> Vec<f64> {
    let distribution = Distribution::fit(entry, domain)
        .expect("a fit")
        .distribution;
    let n = 40_000;
    (0..n)
        .map(|i| {
            let x = distribution.quantile((f64::from(i) + 0.5) / f64::from(n));
            // the golden ratio spreads the second uniform evenly over the first
            match domain {
                Domain::IntegerFromOne => {
                    (x + (f64::from(i) * 0.618_033_988_749_895).fract()).floor()
                }
                _ => x,
            }
        })
        .collect()
}

#[test]
fn drawn_values_have_the_percentiles_and_the_mean_of_the_files() {
    for trace in traces() {
        let simulated = drawn(&trace.entry, trace.domain);
        // p50, p90, p99. The mean of the input is 0.35 % below that of its nine percentiles: pinning it rescales.
        for k in [3, 5, 7] {
            let (got, want) = (
                nine_quantiles(&simulated)[k],
                nine_quantiles(&trace.values)[k],
            );
            assert!(
                (got / want - 1.0).abs() < 5e-3,
                "{}: {got} is not {want}",
                trace.name
            );
        }
        let (got, want) = (mean(&simulated), mean(&trace.values));
        assert!(
            (got / want - 1.0).abs() < 1e-4,
            "{}: mean {got} is not {want}",
            trace.name
        );
    }
}

#[test]
fn a_lognormal_through_p50_and_p99_is_no_substitute() {
    for trace in traces() {
        let said = nine_quantiles(&trace.values);
        let lognormal = Quantity::from(Shape::FewAreLarge {
            p50: said[3],
            percentile: headroom::domain::quantity::HighPercentile::P99,
            high: said[7],
        });
        let simulated = drawn(&lognormal, trace.domain);
        let misses = |k: usize| nine_quantiles(&simulated)[k] / said[k] - 1.0;
        let mean_misses = mean(&simulated) / mean(&trace.values) - 1.0;
        // What the match above would catch: the mean or p90 is off by more than its tolerance.
        assert!(
            mean_misses.abs() > 0.01 || misses(5).abs() > 0.01,
            "{}: {mean_misses}",
            trace.name
        );
    }
}

/// The figures that the sources publish: calls of 11, 20 and 30 at p50, p90 and p99; means of 2,048 and 27.9 tokens.
#[test]
fn the_published_figures_come_out() {
    let calls = {
        let mut x = drawn(
            &feature("Support agent").calls_per_request,
            Domain::IntegerFromOne,
        );
        x.sort_by(f64::total_cmp);
        x
    };
    let at = |permille: usize| calls[(calls.len() * permille).div_ceil(1000) - 1];
    assert_eq!([at(500), at(900), at(990)], [11.0, 20.0, 30.0]);
    let code = feature("Code completion");
    let input = mean(&drawn(&code.input_tokens.each, Domain::Positive));
    let output = mean(&drawn(&code.output_tokens.each, Domain::Positive));
    assert!((input / 2_048.0 - 1.0).abs() < 0.02, "{input}");
    assert!((output / 27.9 - 1.0).abs() < 0.05, "{output}");
}
