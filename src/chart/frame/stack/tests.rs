use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::chart::draw::light_svg as svg;
use crate::chart::scene::{Mark, text_width};

/// Five percentiles around a middle.
fn band(middle: f64, below: f64, above: f64) -> Band {
    Band {
        low: middle - below,
        inner_low: middle - below * 0.35,
        middle,
        inner_high: middle + above * 0.35,
        high: middle + above,
    }
}

/// A plan of 18 months like the one in the design's pictures.
fn input() -> StackInput {
    let names = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let year = |first: usize, months: usize, budget: f64, monthly: f64| {
        let end = monthly * months as f64;
        YearSpend {
            first,
            bands: (1..=months)
                .map(|m| {
                    let x = monthly * m as f64;
                    band(x, x * 0.008 * m as f64, x * 0.016 * m as f64)
                })
                .collect(),
            budget: Some((budget, format!("budget ${:.1} M", budget / 1e6))),
            others: vec![],
            ends: Some(YearEnd {
                from: end * 0.87,
                to: end * 1.4,
                bars: vec![
                    0.2, 0.7, 1.0, 0.95, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05, 0.02,
                ],
                above: "31 % end above budget".into(),
                labels: [
                    (end * 1.2, "$4.89 M".into(), "p95 $4.89 M".into()),
                    (end, "$4.00 M".into(), "median $4.00 M".into()),
                    (end * 0.9, "$3.57 M".into(), "p5 $3.57 M".into()),
                ],
            }),
        }
    };
    let headroom = [
        31.0, 31.0, 30.0, 29.0, 28.0, 27.0, 24.0, 11.0, -4.0, 38.0, 15.0, 36.0, 33.0, 31.0, 29.0,
        27.0, 26.0, 23.0,
    ];
    let chances = [
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.002, 0.14, 0.62, 0.01, 0.16, 0.02, 0.02, 0.03, 0.04, 0.05,
        0.07, 0.09,
    ];
    let percentiles = ["p95", "median", "p5"].map(String::from);
    StackInput {
        start: date(2027, 1, 1),
        months: (0..18).map(|m| names[m % 12].to_owned()).collect(),
        calendar: (0..18).map(|m| (m % 12 + 1) as u8).collect(),
        years: vec![
            Bracket {
                name: "FY2027".into(),
                first: 0,
                months: 12,
            },
            Bracket {
                name: "FY2028".into(),
                first: 12,
                months: 6,
            },
        ],
        seasons: [
            (
                "Back to school",
                "\u{d7}1.2",
                date(2027, 9, 4),
                date(2027, 9, 26),
            ),
            (
                "Black Friday",
                "\u{d7}1.45",
                date(2027, 11, 20),
                date(2027, 11, 29),
            ),
            (
                "Holiday lull",
                "\u{d7}0.72",
                date(2027, 12, 20),
                date(2028, 1, 3),
            ),
        ]
        .into_iter()
        .enumerate()
        .map(|(i, (name, factor, first, end))| SeasonBand {
            id: Id(i as u32 + 30),
            name: name.into(),
            factor: factor.into(),
            first,
            end,
        })
        .collect(),
        spend: SpendRow {
            title: "Spend".into(),
            subtitle: "fiscal year to date".into(),
            currency: "USD".into(),
            shape: SpendShape::ToDate(vec![
                year(0, 12, 4.2e6, 4e6 / 12.0),
                year(12, 6, 7e6, 3.7e6 / 6.0),
            ]),
            at_least: 0.0,
            percentiles: percentiles.clone(),
        },
        headroom: Some(HeadroomRow {
            title: "Headroom".into(),
            subtitle: "Cluster A, lowest in the month, GPUs".into(),
            bands: headroom
                .iter()
                .enumerate()
                .map(|(i, h)| band(*h, 6.0 + i as f64 * 2.0, 6.0 + i as f64))
                .collect(),
            committed: None,
            limit_label: "committed".into(),
            beyond_label: "below 0: more needed than committed".into(),
            at_least: (0.0, 0.0),
            percentiles,
            chance_title: "Futures that run out, %".into(),
            chances: chances
                .iter()
                .map(|c| (crate::text::format::percent_number(*c), *c))
                .collect(),
        }),
        contracts: vec![
            ContractBar {
                id: Id(10),
                name: "Cluster A base".into(),
                first: date(2027, 1, 1),
                end: date(2028, 7, 1),
                terms: vec![
                    "96 GPUs \u{b7} 18 months \u{b7} $2.35/h".into(),
                    "96 GPUs".into(),
                ],
                used: "60 %".into(),
            },
            ContractBar {
                id: Id(11),
                name: "Cluster A step".into(),
                first: date(2027, 10, 1),
                end: date(2028, 10, 1),
                terms: vec!["32 GPUs \u{b7} 12 months".into()],
                used: "44 %".into(),
            },
        ],
        used_word: "used".into(),
        features: vec![
            Track {
                id: Id(1),
                name: "Chat".into(),
                ink: Ink::Feature1,
                launch: None,
                retire: Some(date(2028, 3, 1)),
                label: "live".into(),
            },
            Track {
                id: Id(2),
                name: "Research assistant".into(),
                ink: Ink::Feature2,
                launch: Some(TrackLaunch {
                    date: date(2027, 7, 1),
                    slip: (0.0, 45.0),
                    middle: 15.0,
                    ramp: 60.0,
                }),
                retire: None,
                label: "1 Jul +0\u{2013}45 d".into(),
            },
        ],
        strong_month: Some(8),
        selected: None,
    }
}

#[test]
fn looks_as_it_was_approved() {
    insta::assert_snapshot!(svg(&stack(&input(), 984.0).scene));
}

/// Boxes of all texts.
fn boxes(scene: &Scene) -> Vec<(String, Area)> {
    scene
        .marks
        .iter()
        .filter_map(|m| match m {
            Mark::Text(t) => {
                // the guess is generous: real text is a little narrower
                let width = text_width(&t.text, t.size, t.strong) * 0.92;
                let left = match t.anchor {
                    crate::chart::scene::Anchor::Start => t.at.x,
                    crate::chart::scene::Anchor::Middle => t.at.x - width / 2.0,
                    crate::chart::scene::Anchor::End => t.at.x - width,
                };
                let half = t.size * 0.42;
                let area = Area::new(left, t.at.y - half, left + width, t.at.y + half);
                Some((t.text.clone(), area))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn no_text_touches_another_or_is_cut_at_any_width() {
    for width in [600.0, 700.0, 820.0, 920.0, 984.0, 1400.0] {
        touching(&input(), width);
        // the budget of the next year runs where this one ends
        let mut same = input();
        if let SpendShape::ToDate(years) = &mut same.spend.shape {
            let (amount, words) = (3.9e6, String::from("budget $3.9 M"));
            for year in years {
                year.budget = Some((amount, words.clone()));
            }
        }
        touching(&same, width);
        // further budgets near it, far from it, and beyond the axis
        let mut more = input();
        if let SpendShape::ToDate(years) = &mut more.spend.shape {
            let others = [3.9e6, 4.4e6, 1.2e6, 5.2e6, 2.6e6, 9e9];
            for year in years {
                let words = |a: &f64| (*a, format!("budget ${:.2} M", a / 1e6));
                year.others = others.iter().map(words).collect();
            }
        }
        touching(&more, width);
        let texts = boxes(&stack(&more, width).scene);
        let drawn = |w: &str| texts.iter().any(|(t, _)| t == w);
        assert!(drawn("budget $2.60 M") && !drawn("budget $9000.00 M"));
    }
}

#[test]
fn words_at_a_years_end_lie_on_no_fan() {
    for (years, monthly) in [(2, 3e5), (2, 5e5), (3, 3e5), (3, 4.5e5), (4, 4e5)] {
        let mut long = input();
        let months = 12 * years;
        long.months = (0..months).map(|m| long.months[m % 12].clone()).collect();
        long.calendar = (0..months).map(|m| (m % 12 + 1) as u8).collect();
        long.years = (0..years)
            .map(|y| Bracket {
                first: 12 * y,
                ..long.years[0].clone()
            })
            .collect();
        long.headroom = None;
        let SpendShape::ToDate(own) = &mut long.spend.shape else {
            unreachable!("the input is of the year to date");
        };
        let mut one = own[0].clone();
        let factor = monthly * 12.0 / one.bands[11].middle;
        one.budget = Some((3.4e6, "budget $3.4 M".into()));
        for b in &mut one.bands {
            *b = band(b.middle * factor, b.middle * 0.1, b.middle * 0.19);
        }
        for l in &mut one.ends.as_mut().expect("ends").labels {
            l.0 *= factor;
        }
        *own = (0..years)
            .map(|y| YearSpend {
                first: 12 * y,
                ..one.clone()
            })
            .collect();
        for width in [700.0, 984.0, 1400.0] {
            let scene = stack(&long, width).scene;
            let corners: Vec<_> = scene
                .marks
                .iter()
                .filter_map(|m| match m {
                    Mark::Fill { points, paint } if paint.ink == Ink::FanOuter => Some(points),
                    _ => None,
                })
                .flatten()
                .collect();
            assert!(corners.len() > months);
            let words = boxes(&scene);
            let words = words.iter().filter(|(t, _)| {
                ["p95 ", "median ", "p5 ", "31 %"]
                    .iter()
                    .any(|w| t.starts_with(w))
            });
            for (text, area) in words {
                let over = corners.iter().any(|p| {
                    p.x > area.left && p.x < area.right && p.y > area.top && p.y < area.bottom
                });
                assert!(!over, "{text} lies on a fan: {years} years, {width}");
            }
        }
    }
}

/// Fails if two texts of the stack touch.
fn touching(input: &StackInput, width: f64) {
    let all = boxes(&stack(input, width).scene);
    for (i, (a, box_a)) in all.iter().enumerate() {
        assert!(
            box_a.left >= -1.0 && box_a.right <= width + 1.0,
            "{a} is cut at {width}"
        );
        for (b, box_b) in &all[i + 1..] {
            let apart = box_a.right <= box_b.left
                || box_b.right <= box_a.left
                || box_a.bottom <= box_b.top
                || box_b.bottom <= box_a.top;
            assert!(apart, "{a:?} and {b:?} touch at {width}");
        }
    }
}

#[test]
fn one_month_no_limit_no_plan() {
    let mut one = input();
    one.months.truncate(1);
    one.calendar.truncate(1);
    one.years = vec![Bracket {
        name: "FY2027".into(),
        first: 0,
        months: 1,
    }];
    one.headroom = None;
    one.contracts.clear();
    one.features.clear();
    one.spend.shape = SpendShape::ToDate(vec![YearSpend {
        first: 0,
        bands: vec![Band::default()],
        budget: None,
        others: vec![],
        ends: None,
    }]);
    let frame = stack(&one, 300.0);
    assert!(frame.scene.is_finite());
    assert!(frame.strip.is_none());
}

#[test]
fn an_axis_never_shrinks_below_what_was_shown() {
    let mut more = input();
    more.spend.at_least = 2e7;
    assert_eq!(spend::extent(&more.spend), 2e7);
    let row = more.headroom.as_mut().expect("has headroom");
    row.at_least = (-500.0, 900.0);
    assert_eq!(headroom::extent(row), (-500.0, 900.0));
}

proptest! {
    #[test]
    fn any_numbers_give_a_picture(values in prop::collection::vec(-1e12..1e12f64, 18), width in 100.0..3000.0f64) {
        let mut any = input();
        if let Some(row) = any.headroom.as_mut() {
            row.bands = values.iter().map(|v| band(*v, v.abs(), v.abs() * 2.0)).collect();
        }
        any.spend.shape = SpendShape::PerMonth(
            values.iter().map(|v| band(v.abs(), 0.0, v.abs())).collect(),
            values.iter().map(|v| (*v > 0.0).then_some(*v)).collect(),
            "budget".into(),
        );
        prop_assert!(stack(&any, width).scene.is_finite());
    }
}
