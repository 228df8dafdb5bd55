use super::*;
use crate::chart::frame::{costs, exceedance, heat, phone, stack as frame, tornado, usage};
use crate::domain::scenario::PoolKind;
use crate::text::format::NONE;

fn text_of(view: &View<'_>) -> String {
    let verdict = fixture::verdict_of(view.scenario, view.projection);
    sentence::text(&sentence::runs(view, &verdict)).replace('\u{202f}', " ")
}

#[test]
fn the_sentence_names_pool_month_and_cause() {
    let (scenario, projection) = fixture::story(400);
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    let text = text_of(&view);
    assert!(text.contains("Cluster A runs out of headroom"), "{text}");
    assert!(text.contains(", mostly because of Assistant."), "{text}");
    assert!(text.contains(" M budget"), "{text}");
    assert!(!text.contains('\u{b7}') && !text.contains("  "), "{text}");
}

#[test]
fn a_month_that_comes_twice_says_its_year() {
    let (scenario, projection) = fixture::story(100);
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    assert_eq!(view.month(0), "January 2027");
    assert_eq!(view.month(8), "September");
}

#[test]
fn every_card_of_the_story_has_words_numbers_and_a_picture() {
    let (scenario, projection) = fixture::story(300);
    for cost in [BudgetCost::Effective, BudgetCost::Billed] {
        let view = View {
            scenario: &scenario,
            projection: &projection,
            cost,
        };
        let mut tables = vec![
            stack::twin(&view, 0),
            tables::monthly(&view).table,
            tables::tokens(&view, 0).expect("features").table,
            tables::budgets(&view).expect("a budget").table,
        ];
        let exceed = cards::exceedance(&view, 0).expect("a year");
        assert!(
            exceedance::exceedance(&exceed.chart, 600.0, 240.0)
                .scene
                .is_finite()
        );
        tables.push(exceed.table);
        for (outcome, name) in super::drivers::outcomes(&view) {
            assert!(!name.is_empty());
            let (drivers, _) = super::drivers::drivers(&view, outcome, 7).expect("drivers");
            assert!(tornado::tornado(&drivers.chart, 600.0).is_finite());
            tables.push(drivers.table);
        }
        for contract in [None, Some(0), Some(1)] {
            let card = cards::usage(&view, contract).expect("contracts");
            assert!(usage::usage(&card.chart, 600.0, 240.0).scene.is_finite());
            tables.push(card.table);
        }
        for limit in 0..2 {
            let month = super::heat::worst_month(&view, limit).expect("a month");
            let card = super::heat::heat(&view, limit, month).expect("hours");
            assert!(heat::heat(&card.chart, 500.0, 230.0).scene.is_finite());
            assert!(super::heat::says(&view, limit, month, 167).is_some());
            assert!(super::heat::says(&view, limit, month, 168).is_none());
            tables.push(card.table);
        }
        tables.push(super::later::later(&view).expect("launches").table);
        tables.push(super::sizes::sizes(&view).expect("requests").table);
        tables.push(
            super::per_request::per_request(&view)
                .expect("requests")
                .table,
        );
        let card = super::costs::costs(&view, 0).expect("features");
        assert!(costs::costs(&card.chart, 600.0).is_finite());
        tables.push(card.table);
        for limit in 0..2 {
            tables.push(cards::capacity(&view, limit).expect("a limit").table);
            for needed in [false, true] {
                for per_month in [false, true] {
                    let choice = stack::Choice {
                        limit,
                        needed,
                        per_month,
                        ..stack::Choice::default()
                    };
                    let input = stack::stack(&view, &choice, &stack::Reach::default());
                    assert!(frame::stack(&input, 900.0).scene.is_finite());
                    if let Some(row) = &input.headroom {
                        assert!(
                            phone::rows(row, &input.months, "runs out", None, 350.0).is_finite()
                        );
                    }
                }
            }
        }
        for table in &tables {
            assert!(!table.caption.is_empty() && !table.rows.is_empty());
            for row in &table.rows {
                assert_eq!(row.cells.len() + 1, table.head.len(), "{}", table.caption);
            }
            let text = table.to_tsv();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        for year in stack::years(&view) {
            assert!(phone::year(&year, &view.months_short(), "USD", 350.0, 214.0).is_finite());
        }
        let figures = figures::figures(&view);
        assert_eq!(figures.len(), 5);
        assert!(
            figures
                .iter()
                .all(|f| !f.value.is_empty() && f.value != NONE),
            "{figures:?}"
        );
        let says = month::month(&view, 10, 0).expect("a month");
        assert!(
            says.lines.iter().any(|l| l.contains("Black Friday")),
            "{says:?}"
        );
        assert!(month::month(&view, 99, 0).is_none());
        assert!(!stack::summary(&view, 0).is_empty());
    }
}

#[test]
fn what_is_found_later_says_what_it_found() {
    let (scenario, projection) = fixture::story(100);
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    let plain = |text: &str| text.replace('\u{202f}', " ");
    let heat = super::heat::heat(&view, 0, 8).expect("hours");
    assert_eq!(
        heat.title,
        "28 hours of the week fill Cluster A in 1 of 20 futures"
    );
    assert!(heat.subtitle.contains("September"), "{}", heat.subtitle);
    let says = super::heat::says(&view, 0, 8, 140).expect("an hour");
    assert_eq!(plain(&says), "Sat 20:00: p95 100 %, median 100 %");
    let later = super::later::later(&view).expect("launches");
    // of all futures, moved by what the pairs say
    let planned = projection.limits[0].any_breach.share();
    let percent = |x: f64| format!("{:.0} %", 100.0 * x);
    let (before, after) = (percent(planned), percent(planned - 80.0 / 300.0));
    assert_eq!(
        plain(&later.title),
        format!(
            "Assistant 8 weeks later: Cluster A runs out in any month {before} \u{2192} {after}"
        )
    );
    let words = |row: usize| -> Vec<String> {
        let cells = later.table.rows[row].cells.iter();
        cells.map(|c| plain(&c.text)).collect()
    };
    let over = percent(projection.budgets[0].over.share());
    assert_eq!(
        words(3),
        [
            format!("{after} (\u{2212}27 \u{b1}6)"),
            format!("{over} (same)"),
            "\u{2212}$80.0 k \u{b1}$2.00 k".to_owned()
        ]
    );
    let error = crate::text::format::chance_error(&projection.limits[0].any_breach);
    assert_eq!(words(0)[0], format!("{before} {error}"));
    let mut noise = projection.clone();
    for m in noise.launches.iter_mut().flat_map(|l| &mut l.moves) {
        (m.cost_change, m.cost_change_error) = (-0.366, 0.389);
    }
    let noisy = View {
        projection: &noise,
        ..view
    };
    let later_noise = super::later::later(&noisy).expect("launches");
    assert_eq!(
        plain(&later_noise.table.rows[1].cells[2].text),
        "same (within \u{b1}$0.389)"
    );
    let per_request = super::per_request::per_request(&view).expect("requests");
    assert_eq!(per_request.table.rows.len(), scenario.features.len());
    assert!(plain(&per_request.title).contains("or more"));
    let mut alike = projection.clone();
    for each in alike.features.iter_mut().filter_map(|f| f.each.as_mut()) {
        each.cost.p = [each.cost.mean; 5];
    }
    let alike = View {
        projection: &alike,
        ..view
    };
    let title = super::per_request::per_request(&alike)
        .expect("requests")
        .title;
    assert!(title.starts_with("All "), "{title}");
    let sizes = super::sizes::sizes(&view).expect("requests");
    let strips = sizes.chart.rows.iter().flat_map(|r| &r.amounts);
    for strip in strips.filter_map(|a| a.strip) {
        assert!(strip.is_sorted() && strip.iter().all(|x| (0.0..=1.0).contains(x)));
    }
    assert_eq!(
        sizes.chart.rows[0].amounts[1].strip, None,
        "nothing written"
    );
    let mut before = projection.clone();
    before.heat.clear();
    before.launches = None;
    before.features.iter_mut().for_each(|f| f.each = None);
    let view = View {
        projection: &before,
        ..view
    };
    assert!(super::heat::heat(&view, 0, 0).is_none());
    assert!(super::later::later(&view).is_none());
    assert!(super::sizes::sizes(&view).is_none());
}

#[test]
fn a_budget_says_its_cost_where_another_is_shown() {
    let (scenario, projection) = fixture::story(200);
    let view = |cost| View {
        scenario: &scenario,
        projection: &projection,
        cost,
    };
    let texts = |cost| {
        let view = view(cost);
        let verdict = crate::decide::verdict(&scenario, &projection, cost);
        let line = super::sentence::text(&super::sentence::runs(&view, &verdict));
        let over = super::figures::figures(&view).swap_remove(1).label;
        let curve = cards::exceedance(&view, 0).expect("a year").subtitle;
        let table = tables::budgets(&view).expect("budgets").table.rows[0]
            .name
            .clone();
        [line, over, curve, table]
    };
    for text in texts(BudgetCost::Billed) {
        assert!(text.contains("effective cost"), "{text}");
    }
    for text in texts(BudgetCost::Effective) {
        assert!(!text.contains("effective cost"), "{text}");
    }
}

#[test]
fn what_is_noise_is_no_finding() {
    let (scenario, mut projection) = fixture::story(200);
    for d in &mut projection.drivers {
        d.within_noise = false;
    }
    let read = |projection: &crate::engine::projection::Projection, most: usize| {
        let view = View {
            scenario: &scenario,
            projection,
            cost: BudgetCost::Effective,
        };
        let outcome = projection.drivers[0].outcome;
        super::drivers::drivers(&view, outcome, most).expect("drivers")
    };
    let (all, inputs) = read(&projection, 7);
    let outcome = projection.drivers[0].outcome;
    let count = projection
        .drivers
        .iter()
        .filter(|d| d.outcome == outcome)
        .count();
    assert!(count > 1);
    assert_eq!((inputs.all, inputs.noise), (count, 0));
    for d in projection
        .drivers
        .iter_mut()
        .filter(|d| d.outcome == outcome)
        .skip(1)
    {
        d.within_noise = true;
    }
    let (one, inputs) = read(&projection, 7);
    assert_eq!((inputs.all, inputs.noise), (count, count - 1));
    assert_eq!((one.chart.rows.len(), &one.title), (1, &all.title));
    assert_eq!(read(&projection, usize::MAX).0.chart.rows.len(), count);
    for d in &mut projection.drivers {
        d.within_noise = true;
    }
    let (none, _) = read(&projection, 7);
    assert!(none.title.contains("no input"), "{}", none.title);
    assert!(none.chart.rows.iter().all(|r| r.noise));
}

#[test]
fn the_table_of_months_has_totals_of_the_same_futures() {
    let (scenario, projection) = fixture::story(200);
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    let table = tables::monthly(&view).table;
    let totals: Vec<_> = table.rows.iter().filter(|r| r.total).collect();
    assert_eq!(totals.len(), 3, "two fiscal years and the horizon");
    let year = &totals[0].cells[3];
    assert_eq!(year.key.as_deref(), Some("year-2027-p50"));
    let p50 = projection.total.effective.years[0].p50();
    assert_eq!(year.text, format::money_full(p50, "USD"));
}

#[test]
fn an_empty_plan_asks_for_what_is_missing() {
    let (mut scenario, mut projection) = fixture::story(100);
    scenario.budgets.clear();
    scenario.commitments.clear();
    projection.budgets.clear();
    projection.commitments.clear();
    projection.limits.clear();
    projection.drivers.clear();
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    let missing: Vec<_> = figures::figures(&view)
        .into_iter()
        .filter(|f| f.missing)
        .collect();
    assert_eq!(missing.len(), 4);
    assert!(missing.iter().all(|f| f.target.is_none()));
    assert!(cards::usage(&view, None).is_none());
    assert!(cards::capacity(&view, 0).is_none());
    assert!(super::drivers::outcomes(&view).is_empty());
    assert!(tables::budgets(&view).is_none());
    let input = stack::stack(&view, &stack::Choice::default(), &stack::Reach::default());
    assert!(frame::stack(&input, 900.0).strip.is_none());
    assert!(text_of(&view).contains("costs"));
}

#[test]
fn a_key_without_limits_is_asked_for_them_by_name() {
    let (mut scenario, mut projection) = fixture::story(100);
    let key = scenario.pools.remove(1);
    scenario.pools = vec![Pool {
        name: "Claims key".into(),
        kind: PoolKind::PayAsYouGo {
            tokens_per_minute: None,
            requests_per_minute: None,
            cached_reads_count: false,
        },
        ..key
    }];
    projection.limits.clear();
    let view = View {
        scenario: &scenario,
        projection: &projection,
        cost: BudgetCost::Effective,
    };
    let id = scenario.pools[0].id;
    assert_eq!(view.without_limit(), Some(id));
    let worst = figures::figures(&view)
        .into_iter()
        .find(|f| f.key == "worst")
        .expect("five figures");
    assert!(worst.missing);
    assert_eq!(worst.target, Some(figures::Goal::Entity(id)));
    assert!(
        worst.below.starts_with("Claims key has no limit entered"),
        "{}",
        worst.below
    );
}
