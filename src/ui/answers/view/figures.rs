//! The five figures in words.

use super::{View, unit};
use crate::decide::{FiveFigures, five_figures};
use crate::domain::scenario::{BudgetCost, Id};
use crate::text::answers::Figure as Words;
use crate::text::{fields, format, say};

/// One figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Its key: `spend`, `over`, `worst`, `unused`, `driver`.
    pub key: &'static str,
    /// What it is.
    pub label: String,
    /// The number.
    pub value: String,
    /// Small words after it.
    pub small: String,
    /// Range, or what is missing.
    pub below: String,
    /// Where a click leads.
    pub target: Option<Goal>,
    /// Whether an input is missing, which `below` asks for.
    pub missing: bool,
}

/// Where a figure leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A section of the answers.
    Section(&'static str),
    /// A month under a limit.
    Month(usize, usize),
    /// An entity of the plan.
    Entity(Id),
}

/// All five, in their order.
#[must_use]
pub fn figures(view: &View<'_>) -> Vec<Figure> {
    let found = five_figures(view.scenario, view.projection, view.cost);
    vec![
        spend(view, &found),
        over(view, &found),
        worst(view, &found),
        unused(view, &found),
        driver(view, &found),
    ]
}

fn missing(key: &'static str, label: &Words, below: &Words) -> Figure {
    Figure {
        key,
        label: say(label),
        value: format::NONE.into(),
        below: say(below),
        missing: true,
        ..Figure::default()
    }
}

fn spend(view: &View<'_>, found: &FiveFigures) -> Figure {
    let Some(figure) = &found.spend else {
        return Figure {
            key: "spend",
            value: format::NONE.into(),
            ..Figure::default()
        };
    };
    let period = view.period(&figure.period);
    Figure {
        key: "spend",
        label: say(&match figure.cost {
            BudgetCost::Effective => Words::Spend { period },
            BudgetCost::Billed => Words::SpendBilled { period },
        }),
        value: view.money(figure.money.p50()),
        small: say(&Words::Median),
        below: format::money_range(figure.money.p5(), figure.money.p95(), view.currency()),
        target: Some(Goal::Section("spend")),
        missing: false,
    }
}

fn over(view: &View<'_>, found: &FiveFigures) -> Figure {
    let Some(figure) = &found.over else {
        return missing("over", &Words::NoBudget, &Words::AddBudget);
    };
    Figure {
        key: "over",
        label: view.of_cost(
            figure.budget,
            say(&Words::Over {
                amount: format::money_short(figure.amount, view.currency()),
            }),
        ),
        value: format::chance(&figure.chance),
        small: format::chance_error(&figure.chance),
        below: figure.excess_if_over.map_or_else(
            || say(&Words::Never),
            |excess| {
                say(&Words::OnAverage {
                    amount: view.money(excess),
                })
            },
        ),
        target: Some(Goal::Section("spend")),
        missing: false,
    }
}

fn worst(view: &View<'_>, found: &FiveFigures) -> Figure {
    let Some(figure) = &found.worst else {
        return match view.without_limit() {
            Some(pool) => Figure {
                target: Some(Goal::Entity(pool)),
                ..missing(
                    "worst",
                    &Words::NoLimit,
                    &Words::EnterLimit {
                        pool: view.name(pool),
                    },
                )
            },
            None => missing("worst", &Words::NoLimit, &Words::AddLimit),
        };
    };
    Figure {
        key: "worst",
        label: say(&Words::Worst {
            pool: view.name(figure.pool),
            month: view.month(figure.month),
        }),
        value: format::count_signed(figure.headroom.p50()),
        small: say(&Words::UnitMedian {
            unit: unit(figure.kind),
        }),
        below: format::signed_range(figure.headroom.p5(), figure.headroom.p95()),
        target: Some(Goal::Month(figure.month, figure.limit)),
        missing: false,
    }
}

fn unused(view: &View<'_>, found: &FiveFigures) -> Figure {
    let Some(figure) = &found.unused else {
        return missing("unused", &Words::NoContract, &Words::AddContract);
    };
    Figure {
        key: "unused",
        label: say(&Words::Unused),
        value: view.money(figure.money.p50()),
        small: say(&Words::Median),
        below: format::money_range(figure.money.p5(), figure.money.p95(), view.currency()),
        target: Some(Goal::Section("capacity")),
        missing: false,
    }
}

fn driver(view: &View<'_>, found: &FiveFigures) -> Figure {
    let Some(figure) = &found.driver else {
        if !view.projection.drivers.is_empty() {
            // ranges are there, and none of them moves the year clearly
            return Figure {
                key: "driver",
                label: say(&Words::NoDriver),
                value: format::NONE.into(),
                below: say(&Words::OnlyNoise),
                ..Figure::default()
            };
        }
        return missing("driver", &Words::NoDriver, &Words::AddRange);
    };
    let (_, entity, _) = figure.driver.input.parts();
    let money = |x: f64| format::money_signed(x, view.currency());
    Figure {
        key: "driver",
        label: say(&Words::Driver {
            owner: entity.map(|id| view.name(id)).unwrap_or_default(),
        }),
        value: fields::label(&figure.driver.input),
        small: String::new(),
        below: say(&Words::On {
            range: format!(
                "{} \u{2026} {}",
                money(figure.driver.low_fifth.min(figure.driver.high_fifth)),
                money(figure.driver.low_fifth.max(figure.driver.high_fifth)),
            ),
            period: view.period(&figure.period),
        }),
        target: entity.map(Goal::Entity),
        missing: false,
    }
}
