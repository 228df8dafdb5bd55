//! Adding, copying, moving and removing the parts of a plan.

use jiff::{ToSpan, civil::Date};

use super::fresh;
use crate::domain::scenario::{
    Budget, Commitment, Feature, Id, Model, Pool, PoolKind, Scenario, SeasonalWindow, Touches,
};

/// The lists of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Product features.
    Features,
    /// Contracts.
    Commitments,
    /// Where calls run.
    Pools,
    /// What answers calls.
    Models,
    /// Seasonal windows.
    Seasons,
    /// Budgets.
    Budgets,
}

impl Section {
    /// All, in the order of the screen.
    pub const ALL: [Self; 6] = [
        Self::Features,
        Self::Commitments,
        Self::Pools,
        Self::Models,
        Self::Seasons,
        Self::Budgets,
    ];

    /// Name of the list in the scenario's JSON and in field paths.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Features => "features",
            Self::Commitments => "commitments",
            Self::Pools => "pools",
            Self::Models => "models",
            Self::Seasons => "seasons",
            Self::Budgets => "budgets",
        }
    }

    /// The list with that name.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.key() == key)
    }

    /// Ids of the section's entities, in entry order.
    #[must_use]
    pub fn ids(self, plan: &Scenario) -> Vec<Id> {
        match self {
            Self::Features => plan.features.iter().map(|x| x.id).collect(),
            Self::Commitments => plan.commitments.iter().map(|x| x.id).collect(),
            Self::Pools => plan.pools.iter().map(|x| x.id).collect(),
            Self::Models => plan.models.iter().map(|x| x.id).collect(),
            Self::Seasons => plan.seasons.iter().map(|x| x.id).collect(),
            Self::Budgets => plan.budgets.iter().map(|x| x.id).collect(),
        }
    }
}

/// The section that an entity is in.
#[must_use]
pub fn section_of(plan: &Scenario, id: Id) -> Option<Section> {
    Section::ALL.into_iter().find(|s| s.ids(plan).contains(&id))
}

fn name_mut(plan: &mut Scenario, id: Id) -> Option<&mut String> {
    match section_of(plan, id)? {
        Section::Features => plan
            .features
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
        Section::Commitments => plan
            .commitments
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
        Section::Pools => plan
            .pools
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
        Section::Models => plan
            .models
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
        Section::Seasons => plan
            .seasons
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
        Section::Budgets => plan
            .budgets
            .iter_mut()
            .find(|x| x.id == id)
            .map(|x| &mut x.name),
    }
}

/// An entity's name; empty if there is no such entity.
#[must_use]
pub fn name_of(plan: &Scenario, id: Id) -> String {
    let name = match section_of(plan, id) {
        Some(Section::Features) => plan.features.iter().find(|x| x.id == id).map(|x| &x.name),
        Some(Section::Commitments) => plan
            .commitments
            .iter()
            .find(|x| x.id == id)
            .map(|x| &x.name),
        Some(Section::Pools) => plan.pools.iter().find(|x| x.id == id).map(|x| &x.name),
        Some(Section::Models) => plan.models.iter().find(|x| x.id == id).map(|x| &x.name),
        Some(Section::Seasons) => plan.seasons.iter().find(|x| x.id == id).map(|x| &x.name),
        Some(Section::Budgets) => plan.budgets.iter().find(|x| x.id == id).map(|x| &x.name),
        None => None,
    };
    name.cloned().unwrap_or_default()
}

/// Gives an entity another name.
pub fn rename(plan: &mut Scenario, id: Id, name: &str) {
    if let Some(n) = name_mut(plan, id) {
        name.clone_into(n);
    }
}

/// Whether another entity of its section is called the same, as a person reads it. Links, files and runs tell the two
/// apart by their numbers; charts, sentences and rows of a CSV do not, so it is warned of and stops nothing.
#[must_use]
pub fn has_twin(plan: &Scenario, id: Id) -> bool {
    let read = |id: Id| name_of(plan, id).trim().to_lowercase();
    let own = read(id);
    let twin = |section: Section| {
        section
            .ids(plan)
            .into_iter()
            .any(|other| other != id && read(other) == own)
    };
    !own.is_empty() && section_of(plan, id).is_some_and(twin)
}

/// A name that no entity of the section has: `base`, `base 2`, `base 3`, …
fn free_name(plan: &Scenario, section: Section, base: &str) -> String {
    let taken: Vec<String> = section
        .ids(plan)
        .iter()
        .map(|id| name_of(plan, *id))
        .collect();
    if !taken.iter().any(|t| t == base) {
        return base.to_owned();
    }
    (2..)
        .map(|n: u32| format!("{base} {n}"))
        .find(|n| !taken.contains(n))
        .unwrap_or_else(|| base.to_owned())
}

/// Adds an entity with starting values that make a valid plan where the rest allows it.
pub fn add(plan: &mut Scenario, section: Section, base_name: &str) -> Id {
    let id = plan.free_id();
    let name = free_name(plan, section, base_name);
    match section {
        Section::Features => {
            let feature = fresh::feature(plan, id, name);
            plan.features.push(feature);
        }
        Section::Commitments => {
            let commitment = fresh::commitment(plan, id, name);
            plan.commitments.push(commitment);
        }
        Section::Pools => {
            plan.pools.push(fresh::pool(id, name, fresh::gpu_cluster()));
            // features that wait for a pool have no other choice
            let waiting = plan
                .features
                .iter_mut()
                .filter(|f| f.pool == fresh::NOWHERE);
            waiting.for_each(|f| f.pool = id);
        }
        Section::Models => {
            plan.models.push(fresh::model(id, name));
            let waiting = plan
                .features
                .iter_mut()
                .filter(|f| f.model == fresh::NOWHERE);
            waiting.for_each(|f| f.model = id);
        }
        Section::Seasons => {
            let season = fresh::season(plan, id, name);
            plan.seasons.push(season);
        }
        Section::Budgets => plan.budgets.push(fresh::budget(id, name)),
    }
    id
}

/// Adds a copy right after an entity, with its notes.
pub fn duplicate(plan: &mut Scenario, id: Id) -> Option<Id> {
    let section = section_of(plan, id)?;
    let new = plan.free_id();
    let name = free_name(plan, section, &name_of(plan, id));
    fn copy<T: Clone>(list: &mut Vec<T>, at: impl Fn(&T) -> bool, change: impl FnOnce(&mut T)) {
        if let Some(i) = list.iter().position(at) {
            let mut new = list[i].clone();
            change(&mut new);
            list.insert(i + 1, new);
        }
    }
    macro_rules! copy_in {
        ($list:ident) => {
            copy(
                &mut plan.$list,
                |x| x.id == id,
                |x| {
                    x.id = new;
                    x.name = name;
                },
            )
        };
    }
    match section {
        Section::Features => copy_in!(features),
        Section::Commitments => copy_in!(commitments),
        Section::Pools => copy_in!(pools),
        Section::Models => copy_in!(models),
        Section::Seasons => copy_in!(seasons),
        Section::Budgets => copy_in!(budgets),
    }
    if section == Section::Features {
        for season in &mut plan.seasons {
            if let Touches::Only(ids) = &mut season.touches
                && ids.contains(&id)
            {
                ids.push(new);
            }
        }
    }
    let copies: Vec<_> = plan
        .notes
        .iter()
        .filter_map(|(path, note)| {
            let (s, of, field) = path.parts();
            (of == Some(id)).then(|| {
                (
                    crate::domain::field::FieldPath::of(s, new, field),
                    note.clone(),
                )
            })
        })
        .collect();
    plan.notes.extend(copies);
    Some(new)
}

/// Removes an entity, its notes, and what seasons say about it. Other references stay: they become problems that name
/// the field, so that nothing is changed unseen.
pub fn delete(plan: &mut Scenario, id: Id) {
    plan.features.retain(|x| x.id != id);
    plan.commitments.retain(|x| x.id != id);
    plan.pools.retain(|x| x.id != id);
    plan.models.retain(|x| x.id != id);
    plan.seasons.retain(|x| x.id != id);
    plan.budgets.retain(|x| x.id != id);
    for season in &mut plan.seasons {
        if let Touches::Only(ids) = &mut season.touches {
            ids.retain(|x| *x != id);
        }
    }
    plan.notes.retain(|path, _| path.parts().1 != Some(id));
}

/// Moves an entity one place up (`-1`) or down (`1`) in its list.
pub fn move_by(plan: &mut Scenario, id: Id, by: isize) {
    fn shift<T>(list: &mut [T], at: impl Fn(&T) -> bool, by: isize) {
        let Some(from) = list.iter().position(at) else {
            return;
        };
        if let Some(to) = from.checked_add_signed(by).filter(|to| *to < list.len()) {
            list.swap(from, to);
        }
    }
    match section_of(plan, id) {
        Some(Section::Features) => shift(&mut plan.features, |x| x.id == id, by),
        Some(Section::Commitments) => shift(&mut plan.commitments, |x| x.id == id, by),
        Some(Section::Pools) => shift(&mut plan.pools, |x| x.id == id, by),
        Some(Section::Models) => shift(&mut plan.models, |x| x.id == id, by),
        Some(Section::Seasons) => shift(&mut plan.seasons, |x| x.id == id, by),
        Some(Section::Budgets) => shift(&mut plan.budgets, |x| x.id == id, by),
        None => {}
    }
}

macro_rules! lookup {
    ($($get:ident $get_mut:ident $list:ident $type:ident;)*) => {$(
        /// The entity with an id.
        #[must_use]
        pub fn $get(plan: &Scenario, id: Id) -> Option<&$type> {
            plan.$list.iter().find(|x| x.id == id)
        }
        /// The entity with an id, to be changed.
        pub fn $get_mut(plan: &mut Scenario, id: Id) -> Option<&mut $type> {
            plan.$list.iter_mut().find(|x| x.id == id)
        }
    )*};
}

lookup! {
    feature feature_mut features Feature;
    commitment commitment_mut commitments Commitment;
    pool pool_mut pools Pool;
    model model_mut models Model;
    season season_mut seasons SeasonalWindow;
    budget budget_mut budgets Budget;
}

/// Whether a pool is a cluster.
#[must_use]
pub fn is_cluster(plan: &Scenario, pool: Id) -> bool {
    plan.pools
        .iter()
        .any(|p| p.id == pool && matches!(p.kind, PoolKind::GpuCluster { .. }))
}

/// First day of a month of the horizon; none after the calendar's end.
#[must_use]
pub fn month_start(plan: &Scenario, month: u32) -> Option<Date> {
    plan.settings
        .start
        .checked_add(i64::from(month).months())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::field::FieldPath;
    use crate::domain::scenario::Note;

    #[test]
    fn every_kind_can_be_added_copied_moved_and_removed() {
        for section in Section::ALL {
            let mut plan = fresh::empty_plan();
            let a = add(&mut plan, section, "New");
            let b = add(&mut plan, section, "New");
            assert_ne!(a, b);
            assert_eq!(name_of(&plan, b), "New 2");
            plan.notes
                .insert(FieldPath::of(section.key(), a, "x"), Note::default());
            let c = duplicate(&mut plan, a).expect("it is there");
            assert_eq!(section.ids(&plan), [a, c, b]);
            assert_eq!(plan.notes.len(), 2);
            move_by(&mut plan, c, 1);
            assert_eq!(section.ids(&plan), [a, b, c]);
            move_by(&mut plan, c, 1);
            move_by(&mut plan, a, -1);
            assert_eq!(section.ids(&plan), [a, b, c]);
            assert!([a, b, c].iter().all(|id| !has_twin(&plan, *id)));
            rename(&mut plan, c, "new 2 ");
            assert_eq!([a, b, c].map(|id| has_twin(&plan, id)), [false, true, true]);
            rename(&mut plan, c, " ");
            assert!(!has_twin(&plan, c));
            rename(&mut plan, c, "Third");
            assert_eq!(name_of(&plan, c), "Third");
            delete(&mut plan, c);
            assert_eq!(section.ids(&plan), [a, b]);
            assert_eq!(plan.notes.len(), 1);
            assert_eq!(section_of(&plan, c), None);
        }
    }

    #[test]
    fn a_plan_that_is_built_in_any_order_can_be_run() {
        use Section::{Budgets, Commitments, Features, Models, Pools, Seasons};
        for order in [
            [Features, Pools, Models, Commitments, Seasons, Budgets],
            [Models, Pools, Commitments, Features, Budgets, Seasons],
            [Commitments, Features, Seasons, Models, Pools, Budgets],
        ] {
            let mut plan = fresh::empty_plan();
            plan.name = "P".into();
            for section in order {
                add(&mut plan, section, "New");
            }
            assert_eq!(plan.problems(), [], "{order:?}");
        }
    }

    #[test]
    fn seasons_follow_copies_and_forget_what_is_gone() {
        let mut plan = fresh::empty_plan();
        let f = add(&mut plan, Section::Features, "F");
        add(&mut plan, Section::Seasons, "S");
        plan.seasons[0].touches = Touches::Only(vec![f]);
        let g = duplicate(&mut plan, f).expect("it is there");
        assert_eq!(plan.seasons[0].touches, Touches::Only(vec![f, g]));
        delete(&mut plan, f);
        assert_eq!(plan.seasons[0].touches, Touches::Only(vec![g]));
    }
}
