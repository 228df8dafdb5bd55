use super::*;
use crate::{
    domain::{
        distribution::Distribution,
        quantity::{Domain, MixPart, Quantity, Shape, WeightedValue},
    },
    engine::{plan::RequestLaw, rng::StreamKey},
};

pub(crate) fn fit(shape: Shape, domain: Domain) -> Distribution {
    Distribution::fit(&Quantity::from(shape), domain)
        .expect("valid")
        .distribution
}

fn law(output: Shape) -> RequestLaw {
    RequestLaw {
        calls: fit(Shape::Fixed(1.0), Domain::IntegerFromOne),
        input: fit(Shape::Fixed(1.0), Domain::Positive),
        context_growth: fit(Shape::Fixed(0.0), Domain::NonNegative),
        cached_share: fit(Shape::Fixed(0.0), Domain::Share),
        output: fit(output, Domain::Positive),
        tools: fit(Shape::Fixed(0.0), Domain::IntegerFromZero),
        tool_seconds: fit(Shape::Fixed(0.0), Domain::NonNegative),
        typical_prefix: 0.0,
    }
}

fn stream(block: u32) -> Stream {
    StreamKey {
        seed: 1,
        trial: 0,
        entity: 1,
        purpose: 1,
        block,
    }
    .stream()
}

/// 95 % 5,000 and 5 % 800,000; a lognormal with sigma 2 and mean 10,000: exact values in tests/data/vectors.
#[test]
fn hour_totals_are_those_of_the_vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!(
        "../../../../tests/data/vectors/hour_totals.json"
    ))
    .expect("a JSON file");
    let shapes = [
        (
            "mixture",
            Shape::Mix(vec![
                MixPart {
                    weight: 95.0,
                    part: Shape::Fixed(5_000.0),
                },
                MixPart {
                    weight: 5.0,
                    part: Shape::Fixed(800_000.0),
                },
            ]),
        ),
        (
            "lognormal_sigma2_mean10000",
            Shape::Lognormal {
                mu: libm::log(10_000.0) - 2.0,
                sigma: 2.0,
            },
        ),
    ];
    let mut report = String::new();
    let mut bad = 0;
    for (name, shape) in shapes {
        let sums = RequestSums::build(&Stratified::new(&law(shape)));
        for n in [1u64, 5, 50, 500, 5_000, 500_000] {
            let draws = 1_000_000;
            let mut s = stream(n as u32);
            let mut values: Vec<f64> = (0..draws)
                .map(|_| sums.draw(n, &mut s)[component::OUTPUT])
                .collect();
            values.sort_unstable_by(f64::total_cmp);
            // exact expectation of a draw: sample means of sigma 2 do not converge
            let mean: f64 = if n >> (sums.tables.len() - 1) > 0 {
                n as f64 * mean_of_table(&sums, sums.tables.len() - 1)
            } else {
                (0..sums.tables.len())
                    .filter(|j| n >> j & 1 == 1)
                    .map(|j| (1u64 << j) as f64 * mean_of_table(&sums, j))
                    .sum()
            };
            let sampled = values.iter().sum::<f64>() / f64::from(draws);
            assert!((sampled / mean - 1.0).abs() < 0.03);
            let exact = &vectors[format!("{name} N={n}")];
            for (what, got, tolerance) in [
                ("mean", mean, 0.005),
                ("p50", values[draws as usize / 2], 0.01),
                ("p95", values[draws as usize / 20 * 19], 0.03),
                ("p99", values[draws as usize / 100 * 99], 0.03),
            ] {
                let want = exact[what].as_f64().expect("a number");
                let error = got / want - 1.0;
                let flag = if error.abs() > tolerance { "  <<<" } else { "" };
                bad += usize::from(!flag.is_empty());
                report += &format!("{name} N={n} {what}: {:+.2} %{flag}\n", error * 100.0);
            }
        }
    }
    println!("{report}");
    assert_eq!(bad, 0, "{report}");
}

/// Per request.
fn mean_of_table(sums: &RequestSums, j: usize) -> f64 {
    let t = &sums.tables[j];
    t.iter().map(|x| f64::from(*x)).sum::<f64>() / t.len() as f64 / (1u64 << j) as f64
}

#[test]
fn components_keep_their_dependence_and_their_exact_means() {
    let law = RequestLaw {
        calls: fit(
            Shape::FewAreLarge {
                p50: 11.0,
                percentile: crate::domain::quantity::HighPercentile::P99,
                high: 30.0,
            },
            Domain::IntegerFromOne,
        ),
        input: fit(
            Shape::Lognormal {
                mu: 8.0,
                sigma: 1.0,
            },
            Domain::Positive,
        ),
        context_growth: fit(
            Shape::Gamma {
                shape: 2.0,
                scale: 300.0,
            },
            Domain::NonNegative,
        ),
        cached_share: fit(Shape::Uniform { min: 0.3, max: 0.9 }, Domain::Share),
        output: fit(
            Shape::Lognormal {
                mu: 5.0,
                sigma: 1.2,
            },
            Domain::Positive,
        ),
        tools: fit(Shape::Fixed(0.0), Domain::IntegerFromZero),
        tool_seconds: fit(Shape::Fixed(0.0), Domain::NonNegative),
        typical_prefix: 1_500.0,
    };
    let sums = RequestSums::build(&Stratified::new(&law));
    // brute force over single requests, from the quantiles alone
    let mut s = stream(9);
    let n = 64;
    let trials = 20_000;
    // without tools and caps the other components are 0
    let mut brute: Vec<Components> = Vec::new();
    for _ in 0..trials {
        let mut total = [0.0; component::COUNT];
        for _ in 0..n {
            let calls = f64::floor(law.calls.quantile(s.uniform()) + s.uniform()).max(1.0);
            let (input, growth, share) = (
                law.input.quantile(s.uniform()),
                law.context_growth.quantile(s.uniform()),
                law.cached_share.quantile(s.uniform()),
            );
            let output: f64 = (0..calls as u32)
                .map(|_| law.output.quantile(s.uniform()))
                .sum();
            let (mut reads, mut grown, mut cached, mut cached_grown) = (0.0, 0.0, 0.0, 0.0);
            for j in 0..calls as u32 {
                reads += input;
                grown += f64::from(j) * growth;
                if j > 0 {
                    cached += share * input;
                    cached_grown += share * f64::from(j - 1) * growth;
                }
            }
            for (t, x) in total.iter_mut().zip([
                calls,
                reads,
                grown,
                cached,
                cached_grown,
                share * input.min(1_500.0),
                output,
            ]) {
                *t += x;
            }
        }
        brute.push(total);
    }
    let drawn: Vec<Components> = (0..trials).map(|_| sums.draw(n, &mut s)).collect();
    let moments = |x: &[Components]| {
        let c = x.len() as f64;
        let mean: Components = std::array::from_fn(|k| x.iter().map(|r| r[k]).sum::<f64>() / c);
        let cov = |a: usize, b: usize| {
            x.iter()
                .map(|r| (r[a] - mean[a]) * (r[b] - mean[b]))
                .sum::<f64>()
                / c
        };
        let sd: Components = std::array::from_fn(|k| cov(k, k).sqrt());
        let r: Vec<f64> = (0..component::MEASURED)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .map(|(a, b)| cov(a, b) / (sd[a] * sd[b]))
            .collect();
        (mean, sd, r)
    };
    let (a, b) = (moments(&brute), moments(&drawn));
    for k in 0..component::MEASURED {
        let exact = sums.means.mean[k] * n as f64;
        let error = a.1[k] / f64::from(trials).sqrt();
        assert!(
            (a.0[k] - exact).abs() < 4.0 * error,
            "mean of {k}: {} {exact}",
            a.0[k]
        );
        assert!((b.0[k] - exact).abs() < 4.0 * error, "drawn mean of {k}");
        assert!(
            (b.1[k] / a.1[k] - 1.0).abs() < 0.06,
            "sd of {k}: {} {}",
            a.1[k],
            b.1[k]
        );
    }
    for (x, y) in a.2.iter().zip(&b.2) {
        assert!((x - y).abs() < 0.05, "correlations {:?} {:?}", a.2, b.2);
    }
}

#[test]
fn certain_requests_need_no_table() {
    let sums = RequestSums::build(&Stratified::new(&law(Shape::Fixed(7.0))));
    assert_eq!(sums.bytes(), 0);
    assert_eq!(sums.draw(1_000, &mut stream(1))[component::OUTPUT], 7_000.0);
}

#[test]
fn discrete_entries_work() {
    let shape = Shape::Discrete(vec![
        WeightedValue {
            value: 1.0,
            weight: 1.0,
        },
        WeightedValue {
            value: 3.0,
            weight: 1.0,
        },
    ]);
    let sums = RequestSums::build(&Stratified::new(&law(shape)));
    let mut s = stream(3);
    let n = 100_000;
    let mean = (0..n)
        .map(|_| sums.draw(3, &mut s)[component::OUTPUT])
        .sum::<f64>()
        / f64::from(n);
    assert!((mean - 6.0).abs() < 0.03);
}
