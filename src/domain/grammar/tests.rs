use super::*;
use crate::domain::field::spec;
use crate::domain::quantity::{MixPart, WeightedValue};
use proptest::prelude::*;

mod mistakes;

fn tokens() -> &'static FieldSpec {
    spec("features", "input_tokens").unwrap()
}
fn days() -> &'static FieldSpec {
    spec("features", "slip_days").unwrap()
}
fn growth() -> &'static FieldSpec {
    spec("features", "growth_per_month").unwrap()
}
fn factor() -> &'static FieldSpec {
    spec("seasons", "multiplier").unwrap()
}

fn between(p10: f64, p90: f64) -> Shape {
    Shape::Between { p10, p90 }
}
fn few(p50: f64, percentile: HighPercentile, high: f64) -> Shape {
    Shape::FewAreLarge {
        p50,
        percentile,
        high,
    }
}

#[test]
fn every_line_of_the_table_is_read() {
    let probably = Shape::BetweenProbably {
        p10: 24e3,
        mode: 42e3,
        p90: 68e3,
    };
    let cases: Vec<(&str, Shape)> = vec![
        ("42k", Shape::Fixed(42e3)),
        ("42,000", Shape::Fixed(42e3)),
        ("42 000", Shape::Fixed(42e3)),
        ("42\u{202f}000.5", Shape::Fixed(42_000.5)),
        ("1,234,567.8", Shape::Fixed(1_234_567.8)),
        ("0.042M", Shape::Fixed(42e3)),
        ("4.2万", Shape::Fixed(42e3)),
        ("１．２亿", Shape::Fixed(1.2e8)),
        ("3千", Shape::Fixed(3e3)),
        ("42k tokens", Shape::Fixed(42e3)),
        ("1e5", Shape::Fixed(1e5)),
        ("24k to 68k", between(24e3, 68e3)),
        ("24k–68k", between(24e3, 68e3)),
        ("24k - 68k", between(24e3, 68e3)),
        ("24k-68k", between(24e3, 68e3)),
        ("24k~68k", between(24e3, 68e3)),
        ("~42k", Shape::Fixed(42e3)),
        ("between 24k and 68k", between(24e3, 68e3)),
        ("from 24,000 to 68,000", between(24e3, 68e3)),
        ("p10 24k, p90 68k", between(24e3, 68e3)),
        ("42k ±20%", between(33.6e3, 50.4e3)),
        ("42k +/- 5k", between(37e3, 47e3)),
        ("24k to 68k probably 42k", probably.clone()),
        ("24k to 68k, likely 42k", probably.clone()),
        ("24K TO 68K, most likely 42K", probably.clone()),
        ("24k到68k 可能 42k", probably),
        (
            "24k to 68k hard",
            Shape::Uniform {
                min: 24e3,
                max: 68e3,
            },
        ),
        (
            "24k to 68k hard probably 42k",
            Shape::Pert {
                min: 24e3,
                mode: 42e3,
                max: 68e3,
            },
        ),
        (
            "24k to 68k probably 42k hard",
            Shape::Pert {
                min: 24e3,
                mode: 42e3,
                max: 68e3,
            },
        ),
        ("11, p99 30", few(11.0, HighPercentile::P99, 30.0)),
        ("11 p99 30", few(11.0, HighPercentile::P99, 30.0)),
        ("median 11, p95 22", few(11.0, HighPercentile::P95, 22.0)),
        ("p50 11, p90 22", few(11.0, HighPercentile::P90, 22.0)),
        (
            "triangular 1 2 5",
            Shape::Triangular {
                min: 1.0,
                mode: 2.0,
                max: 5.0,
            },
        ),
        (
            "triangular 100 200 500",
            Shape::Triangular {
                min: 100.0,
                mode: 200.0,
                max: 500.0,
            },
        ),
        ("normal mean 5 sd 2", Shape::Normal { mean: 5.0, sd: 2.0 }),
        ("normal 5, 2", Shape::Normal { mean: 5.0, sd: 2.0 }),
        (
            "lognormal mu 7 sigma 1.2",
            Shape::Lognormal {
                mu: 7.0,
                sigma: 1.2,
            },
        ),
        (
            "lognormal sigma=1.2 mu=-7",
            Shape::Lognormal {
                mu: -7.0,
                sigma: 1.2,
            },
        ),
        (
            "gamma shape 2 scale 3k",
            Shape::Gamma {
                shape: 2.0,
                scale: 3e3,
            },
        ),
        (
            "beta 2 5 min 10 max 20",
            Shape::Beta {
                alpha: 2.0,
                beta: 5.0,
                min: 10.0,
                max: 20.0,
            },
        ),
    ];
    for (text, shape) in cases {
        assert_eq!(parse(text, tokens()), Ok(shape.into()), "{text}");
    }
}

#[test]
fn mixes_and_values() {
    let mix = Shape::Mix(vec![
        MixPart {
            weight: 0.95,
            part: Shape::Fixed(5e3),
        },
        MixPart {
            weight: 0.05,
            part: Shape::Fixed(800e3),
        },
    ]);
    assert_eq!(parse("95% 5k, 5% 800k", tokens()), Ok(mix.clone().into()));
    assert_eq!(parse("95% 5k and 5% 800k", tokens()), Ok(mix.into()));
    let any = parse(
        "90% 11, p99 30, 9% 24k to 68k probably 42k, 1% gamma 2 3, mean 99",
        tokens(),
    )
    .unwrap();
    let Shape::Mix(parts) = &any.shape else {
        panic!("{any:?}")
    };
    assert_eq!(parts.len(), 3);
    assert_eq!(
        parts[2].part,
        Shape::Gamma {
            shape: 2.0,
            scale: 3.0
        }
    );
    assert_eq!(any.mean, Some(99.0));
    let values = |w1, w2| {
        Shape::Discrete(vec![
            WeightedValue {
                value: 1.0,
                weight: w1,
            },
            WeightedValue {
                value: 2.0,
                weight: w2,
            },
        ])
    };
    assert_eq!(
        parse("discrete 1: 60%, 2: 40%", tokens()),
        Ok(values(0.6, 0.4).into())
    );
    assert_eq!(parse("1: 3, 2: 1", tokens()), Ok(values(3.0, 1.0).into()));
    let share = spec("features", "cached_share").unwrap();
    assert_eq!(
        parse("50% 20%, 50% 80%", share).unwrap().shape,
        Shape::Mix(vec![
            MixPart {
                weight: 0.5,
                part: Shape::Fixed(0.2)
            },
            MixPart {
                weight: 0.5,
                part: Shape::Fixed(0.8)
            },
        ])
    );
}

#[test]
fn a_column_is_kept_in_ascending_order() {
    for text in [
        "tokens\n1\n2\n3\n4\n10\n",
        "1\t2\t3\t4\t10",
        "1, 2, 3, 4, 10",
        "10,2,3,4,1",
        "sample 1, 2, 3, 4, 10",
        "1;2;3;4;10",
        "1\r\n2\r\n3\r\n4\r\n10",
    ] {
        let q = parse(text, tokens()).unwrap();
        let values = [1.0, 2.0, 3.0, 4.0, 10.0];
        assert_eq!(q, Shape::Sample(values.to_vec()).into(), "{text}");
        assert_eq!(
            nine_quantiles(&values),
            Some(Quantity {
                shape: Shape::Quantiles([1.0, 1.0, 2.0, 3.0, 4.0, 10.0, 10.0, 10.0, 10.0]),
                mean: Some(4.0),
            })
        );
    }
    // too long to be kept: nine quantiles and the mean
    let long: String = (0..10_001).map(|i| format!("{i}\n")).collect();
    let long = parse(&long, tokens()).unwrap();
    assert!(matches!(long.shape, Shape::Quantiles(_)));
    assert!((long.mean.unwrap() - 5_000.0).abs() < 1e-6);
    let kept: Vec<f64> = (1..=10_000).map(|i| f64::from(i) + 0.25).collect();
    let kept = Quantity::from(Shape::Sample(kept));
    assert_eq!(parse(&format(&kept, tokens()), tokens()), Ok(kept));
    assert_eq!(parse("7\n7\n7\n7\n7", tokens()), Ok(Quantity::fixed(7.0)));
    assert!(matches!(
        parse("1\n2", tokens()),
        Err(GrammarProblem::TooFewValues { count: 2, .. })
    ));
    let share = spec("features", "cached_share").unwrap();
    assert_eq!(
        parse("0.1\n0.2\n0.3\n0.4\n0.5", share),
        parse("10%\n20%\n30%\n40%\n50%", share)
    );
    let tail = Shape::ParetoTail {
        p50: 2e3,
        percentile: HighPercentile::P90,
        high: 8e3,
        alpha: 1.5,
    };
    assert_eq!(parse("2k, p90 8k, tail 1.5", tokens()), Ok(tail.into()));
    assert!(parse("2k to 8k, tail 1.5", tokens()).is_err());
}

#[test]
fn units_of_fields() {
    assert_eq!(parse("2w to 45d", days()), Ok(between(14.0, 45.0).into()));
    assert_eq!(parse("12h", days()), Ok(Quantity::fixed(0.5)));
    assert_eq!(parse("2 mo", days()), Ok(Quantity::fixed(60.875)));
    assert_eq!(parse("0 to 45 days", days()), Ok(between(0.0, 45.0).into()));
    assert!(matches!(
        parse("3m", days()),
        Err(GrammarProblem::WrongUnit { .. })
    ));
    assert_eq!(
        parse("1 – 9%, likely 3.5", growth()).unwrap().shape,
        Shape::BetweenProbably {
            p10: 0.01,
            mode: 0.035,
            p90: 0.09
        }
    );
    assert_eq!(
        parse("-5% to 10%", growth()),
        Ok(between(-0.05, 0.1).into())
    );
    assert_eq!(parse("−5 – −2", growth()), Ok(between(-0.05, -0.02).into()));
    assert_eq!(
        parse("3.5% per month", growth()),
        Ok(Quantity::fixed(0.035))
    );
    assert_eq!(parse("3.5", growth()), Ok(Quantity::fixed(0.035)));
    assert_eq!(
        parse("×1.4 to ×1.8", factor()),
        Ok(between(1.4, 1.8).into())
    );
    assert_eq!(parse("1.4x – 180%", factor()), Ok(between(1.4, 1.8).into()));
    let requests = spec("features", "requests_per_day").unwrap();
    assert_eq!(
        parse("5k requests per day", requests),
        Ok(Quantity::fixed(5e3))
    );
    assert!(parse("5k requests per hour", requests).is_err());
    assert!(matches!(
        parse("50%", tokens()),
        Err(GrammarProblem::WrongUnit { .. })
    ));
}

#[test]
fn what_has_two_readings_is_not_guessed() {
    let readings = |text: &str, spec: &FieldSpec| match parse(text, spec) {
        Err(GrammarProblem::Ambiguous { readings, .. }) => readings,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(readings("1,5", tokens()), ["1.5", "15"]);
    assert_eq!(readings("1,5 to 3", tokens()), ["1.5 to 3", "15 to 3"]);
    assert_eq!(readings("0,500", tokens()), ["0.500", "500"]);
    assert_eq!(readings("1.234.567", tokens()), ["1234567"]);
    assert_eq!(readings("1.234,50", tokens()), ["1234.50"]);
    assert_eq!(
        readings("0.6", spec("features", "cached_share").unwrap()),
        ["0.6%", "60%"]
    );
    assert_eq!(
        readings("0.5 to 3 probably 1", growth()),
        ["0.5% to 3% probably 1%", "50% to 300% probably 100%"]
    );
    assert_eq!(
        readings("30% ±5%", growth()),
        ["25% to 35%", "28.5% to 31.5%"]
    );
    // Each reading is itself certain.
    for reading in readings("0.5 to 3 probably 1", growth()) {
        assert!(parse(&reading, growth()).is_ok(), "{reading}");
    }
}

#[test]
fn what_cannot_be_read_says_where() {
    let problem = |text: &str| parse(text, tokens()).unwrap_err();
    assert_eq!(problem(""), GrammarProblem::Empty);
    assert_eq!(problem("  "), GrammarProblem::Empty);
    assert_eq!(problem("24k to"), GrammarProblem::MissingNumber);
    assert_eq!(
        problem("24k to 68k probably"),
        GrammarProblem::MissingNumber
    );
    assert!(matches!(
        problem("42k kg"),
        GrammarProblem::Unexpected { at: 4, .. }
    ));
    assert!(matches!(
        problem("42k € 3"),
        GrammarProblem::Unexpected { at: 4, .. }
    ));
    assert!(matches!(problem("NaN"), GrammarProblem::NotANumber { .. }));
    assert!(matches!(
        problem("1 to inf"),
        GrammarProblem::NotANumber { .. }
    ));
    assert!(matches!(problem("1e999"), GrammarProblem::TooLarge { .. }));
    assert!(matches!(
        problem("11, p98 30"),
        GrammarProblem::WhichPercentiles
    ));
    assert!(matches!(
        problem("11, p99.9 30"),
        GrammarProblem::WhichPercentiles
    ));
    assert!(matches!(
        problem("p50 1, p50 2"),
        GrammarProblem::WhichPercentiles
    ));
    assert_eq!(
        problem("gamma 2"),
        GrammarProblem::Parameters {
            name: "gamma",
            count: 2
        }
    );
    assert_eq!(problem("(((((((1)))))))"), GrammarProblem::TooDeep);
    assert!(matches!(problem("(1"), GrammarProblem::MissingNumber));
    assert!(matches!(
        problem(&"1 ".repeat(5000)),
        GrammarProblem::TooLong { .. }
    ));
    assert!(matches!(
        problem("1 to 2 to 3"),
        GrammarProblem::Unexpected { at: 7, .. }
    ));
}

#[test]
fn reversed_ends_have_a_fix() {
    let EntryProblem::Quantity { entry, problem } = check("68k to 24k", tokens()).unwrap_err()
    else {
        panic!()
    };
    assert!(matches!(problem, QuantityProblem::NotIncreasing { .. }));
    assert_eq!(format(&swapped(&entry).unwrap(), tokens()), "24k to 68k");
    let entry = parse("21k, p99 3.1k", tokens()).unwrap();
    assert_eq!(format(&swapped(&entry).unwrap(), tokens()), "3.1k, p99 21k");
    let entry = parse("24k to 42k probably 68k", tokens()).unwrap();
    assert_eq!(
        format(&swapped(&entry).unwrap(), tokens()),
        "24k to 68k probably 42k"
    );
    assert_eq!(swapped(&parse("24k to 68k", tokens()).unwrap()), None);
    assert!(check("-5", tokens()).is_err());
}

#[test]
fn texts_are_short() {
    for (text, spec) in [
        ("42k", tokens()),
        ("24.5k to 68k", tokens()),
        ("2048", tokens()),
        ("5.9B", tokens()),
        ("1234567", tokens()),
        ("3.5%", growth()),
        ("-5% to 10%", growth()),
        ("1% to 9% probably 3.5%", growth()),
        ("0.0000004", tokens()),
        ("95% 5k, 5% 800k", tokens()),
        ("95% (50% 1, 50% 2), 5% 800k", tokens()),
        ("11, p99 30, mean 12.3", tokens()),
        ("discrete 1: 60%, 2: 40%", tokens()),
        ("normal mean 5 sd 2", tokens()),
        ("beta alpha 2 beta 5", growth()),
        ("triangular 1 2 5", tokens()),
        ("1 to 5 hard probably 2", tokens()),
        (
            "p0 1, p10 2, p25 3, p50 4, p75 5, p90 6, p95 7, p99 8, p100 9",
            tokens(),
        ),
    ] {
        assert_eq!(format(&parse(text, spec).unwrap(), spec), text);
    }
}

#[test]
fn an_entry_is_echoed() {
    let q = parse("24k to 68k probably 42k", tokens()).unwrap();
    let r = reading(&q, tokens());
    assert_eq!(
        r.form,
        Form::Parts(vec![
            (Part::P10, 24e3),
            (Part::Mode, 42e3),
            (Part::P90, 68e3)
        ])
    );
    assert_eq!(r.family, Some(FamilyName::Pert));
    let r = reading(&parse("0 to 45", days()).unwrap(), days());
    assert_eq!(r.remarks, [Remark::HardMinimum { at: 0.0 }]);
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        -1e6..1e6_f64,
        (-1_000_000_i32..1_000_000).prop_map(|x| f64::from(x) / 100.0),
        (0_u32..100_000).prop_map(|x| f64::from(x) * 1e6),
    ]
}

fn shapes() -> impl Strategy<Value = Shape> {
    let high = prop_oneof![
        Just(HighPercentile::P90),
        Just(HighPercentile::P95),
        Just(HighPercentile::P99)
    ];
    let leaf = prop_oneof![
        number().prop_map(Shape::Fixed),
        (number(), number()).prop_map(|(p10, p90)| Shape::Between { p10, p90 }),
        (number(), number(), number()).prop_map(|(p10, mode, p90)| Shape::BetweenProbably {
            p10,
            mode,
            p90
        }),
        (number(), high, number()).prop_map(|(p50, percentile, high)| Shape::FewAreLarge {
            p50,
            percentile,
            high
        }),
        (number(), number()).prop_map(|(min, max)| Shape::Uniform { min, max }),
        (number(), number(), number()).prop_map(|(min, mode, max)| Shape::Pert { min, mode, max }),
        (number(), number(), number()).prop_map(|(min, mode, max)| Shape::Triangular {
            min,
            mode,
            max
        }),
        (number(), number()).prop_map(|(mean, sd)| Shape::Normal { mean, sd }),
        (number(), number()).prop_map(|(mu, sigma)| Shape::Lognormal { mu, sigma }),
        (number(), number(), number(), number()).prop_map(|(alpha, beta, min, max)| Shape::Beta {
            alpha,
            beta,
            min,
            max
        }),
        (number(), number()).prop_map(|(shape, scale)| Shape::Gamma { shape, scale }),
        (number(), number(), number()).prop_map(|(p50, high, alpha)| Shape::ParetoTail {
            p50,
            percentile: HighPercentile::P95,
            high,
            alpha
        }),
        prop::collection::vec(number(), 1..9).prop_map(Shape::Sample),
        prop::collection::vec((number(), number()), 1..5).prop_map(|v| Shape::Discrete(
            v.into_iter()
                .map(|(value, weight)| WeightedValue { value, weight })
                .collect()
        )),
        prop::array::uniform9(number()).prop_map(Shape::Quantiles),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop::collection::vec((number(), inner), 1..4).prop_map(|v| {
            Shape::Mix(
                v.into_iter()
                    .map(|(weight, part)| MixPart { weight, part })
                    .collect(),
            )
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_written_reads_back(shape in shapes(), mean in prop::option::of(number()), which in 0_usize..4) {
        let spec = [tokens(), days(), growth(), factor()][which];
        let entry = Quantity { shape, mean };
        let text = format(&entry, spec);
        prop_assert_eq!(parse(&text, spec), Ok(entry), "{}", text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        for spec in [tokens(), days(), growth(), factor()] {
            let _ = check(&text, spec);
        }
        let _ = parse_date(&text);
    }

    #[test]
    fn no_likely_text_panics(text in "[0-9.,:kKM%±()p \\-–xe千万\n\t]{0,40}( to | hard| probably |mean |discrete |gamma |beta |, p99 ){0,3}[0-9.,:k%]{0,9}") {
        for spec in [tokens(), days(), growth(), factor()] {
            if let Ok(entry) = parse(&text, spec) {
                // What was understood can be shown and reads back to the same.
                let shown = format(&entry, spec);
                prop_assert_eq!(parse(&shown, spec), Ok(entry.clone()), "{} as {}", text, shown);
                let _ = reading(&entry, spec);
            }
        }
        let _ = parse_date(&text);
    }
}
