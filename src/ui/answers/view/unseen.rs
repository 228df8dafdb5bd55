//! Budgets that have no line in the spend that is shown, and where they have one.

use super::View;
use crate::domain::scenario::{BudgetCost, BudgetPeriod, Id};
use crate::text::answers::Unseen as Words;
use crate::text::{format, say};

/// Where the budgets are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// With this cost.
    Cost(BudgetCost),
    /// Month by month, or else from the start of each year.
    PerMonth(bool),
    /// In the table of budgets only.
    Table,
}

/// What is said where a plan has budgets and none of them has a line.
#[must_use]
pub fn unseen(view: &View<'_>, per_month: bool) -> Option<(String, Elsewhere)> {
    let drawn = if per_month {
        BudgetPeriod::Month
    } else {
        BudgetPeriod::Year
    };
    // each budget once
    let mut budgets: Vec<(Id, f64)> = Vec::new();
    for b in &view.projection.budgets {
        if budgets.iter().all(|x| x.0 != b.id) {
            budgets.push((b.id, b.amount));
        }
    }
    let here = |id: Id| (view.budget_cost(id) == view.cost, view.budget_span(id));
    if budgets.iter().any(|b| here(b.0) == (true, drawn)) {
        return None;
    }
    let of = |same_cost: bool, span: BudgetPeriod| {
        let mut found = budgets.iter().filter(|b| here(b.0) == (same_cost, span));
        let (id, amount) = *found.next()?;
        let count = 1 + found.count() as u32;
        Some((id, count, format::money_short(amount, view.currency())))
    };
    if let Some((id, count, amount)) = of(false, drawn) {
        let cost = view.budget_cost(id);
        let words = match cost {
            BudgetCost::Effective => Words::OnEffective { count, amount },
            BudgetCost::Billed => Words::OnBilled { count, amount },
        };
        return Some((say(&words), Elsewhere::Cost(cost)));
    }
    let of_either = |span| of(true, span).or_else(|| of(false, span));
    if per_month {
        if let Some((_, count, amount)) = of_either(BudgetPeriod::Year) {
            return Some((
                say(&Words::OfYears { count, amount }),
                Elsewhere::PerMonth(false),
            ));
        }
    } else if let Some((_, count, amount)) = of_either(BudgetPeriod::Month) {
        return Some((
            say(&Words::OfMonths { count, amount }),
            Elsewhere::PerMonth(true),
        ));
    }
    let (_, count, amount) = of_either(BudgetPeriod::Quarter)?;
    Some((say(&Words::OfQuarters { count, amount }), Elsewhere::Table))
}

impl Elsewhere {
    /// What a person presses to see them there.
    #[must_use]
    pub fn show(self) -> String {
        say(&match self {
            Self::Cost(BudgetCost::Effective) => Words::ShowEffective,
            Self::Cost(BudgetCost::Billed) => Words::ShowBilled,
            Self::PerMonth(true) => Words::ShowMonths,
            Self::PerMonth(false) => Words::ShowYears,
            Self::Table => Words::ShowTable,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::answers::view::fixture;

    #[test]
    fn a_budget_without_a_line_says_where_it_has_one() {
        let (mut scenario, projection) = fixture::story(100);
        let first = projection.budgets[0].id;
        let mut say = |span, of, shown, per_month| {
            for b in &mut scenario.budgets {
                (b.period, b.cost) = (span, of);
            }
            let view = View {
                scenario: &scenario,
                projection: &projection,
                cost: shown,
            };
            assert_eq!(view.budget_cost(first), of);
            unseen(&view, per_month)
        };
        use BudgetCost::{Billed, Effective};
        use BudgetPeriod::{Month, Quarter, Year};
        assert_eq!(say(Year, Effective, Effective, false), None);
        assert_eq!(say(Month, Billed, Billed, true), None);
        let (words, place) = say(Year, Effective, Billed, false).expect("no line");
        assert!(words.contains("effective cost"), "{words}");
        assert_eq!(place, Elsewhere::Cost(Effective));
        let place = |span, of, shown, per_month| say(span, of, shown, per_month).map(|x| x.1);
        let mut place = place;
        assert_eq!(
            place(Year, Billed, Effective, false),
            Some(Elsewhere::Cost(Billed))
        );
        assert_eq!(
            place(Month, Effective, Effective, false),
            Some(Elsewhere::PerMonth(true))
        );
        assert_eq!(
            place(Year, Effective, Effective, true),
            Some(Elsewhere::PerMonth(false))
        );
        assert_eq!(
            place(Quarter, Effective, Effective, true),
            Some(Elsewhere::Table)
        );
    }
}
