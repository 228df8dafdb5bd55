//! Built-in scenarios, each with the claim that it shows. The scenarios are JSON files beside this one; their prices
//! and rates come from the catalog, with source and date in the scenario's notes. `tests/stories.rs` holds every claim
//! against the engine, and shows that the claim fails when the input that it is about is changed.

use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario};
use crate::text::stories::Stories;

/// A scenario that makes a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// Name in `story:NAME`.
    pub name: &'static str,
    /// Short title.
    pub title: Stories,
    /// What it shows, sentence by sentence.
    pub claim: &'static [Stories],
    /// Fields to look at, with what to try there.
    pub notes: &'static [MarginNote],
    json: &'static str,
}

/// A sentence beside a field.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginNote {
    section: &'static str,
    id: u32,
    field: &'static str,
    /// The sentence.
    pub text: Stories,
}

impl MarginNote {
    /// The field that it stands beside.
    #[must_use]
    pub fn field(&self) -> FieldPath {
        FieldPath::of(self.section, Id(self.id), self.field)
    }
}

impl Story {
    /// The scenario, ready to run.
    ///
    /// # Panics
    /// Never: the file is part of the program, and a test parses each.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        serde_json::from_str(self.json).expect("a built-in scenario")
    }
}

const fn note(section: &'static str, id: u32, field: &'static str, text: Stories) -> MarginNote {
    MarginNote {
        section,
        id,
        field,
        text,
    }
}

/// Name of the story that a first visit opens.
pub const DEFAULT: &str = "eighteen-month-contract";

static STORIES: [Story; 7] = [
    Story {
        name: DEFAULT,
        title: Stories::EighteenMonthContractTitle,
        claim: &[
            Stories::EighteenMonthContractClaimBefore,
            Stories::EighteenMonthContractClaimAfter,
            Stories::EighteenMonthContractClaimWithout,
        ],
        notes: &[
            note(
                "features",
                6,
                "launch",
                Stories::EighteenMonthContractNoteLaunch,
            ),
            note(
                "commitments",
                30,
                "gpus",
                Stories::EighteenMonthContractNoteSize,
            ),
            note(
                "features",
                6,
                "requests_per_day",
                Stories::EighteenMonthContractNoteDemand,
            ),
        ],
        json: include_str!("eighteen-month-contract.json"),
    },
    Story {
        name: "eleven-calls",
        title: Stories::ElevenCallsTitle,
        claim: &[
            Stories::ElevenCallsClaimPlan,
            Stories::ElevenCallsClaimMeasured,
        ],
        notes: &[
            note(
                "features",
                2,
                "calls_per_request",
                Stories::ElevenCallsNoteCalls,
            ),
            note(
                "features",
                2,
                "context_growth_tokens",
                Stories::ElevenCallsNoteGrowth,
            ),
            note("features", 2, "cached_share", Stories::ElevenCallsNoteCache),
        ],
        json: include_str!("eleven-calls.json"),
    },
    Story {
        name: "real-traces",
        title: Stories::RealTracesTitle,
        claim: &[
            Stories::RealTracesClaimMatch,
            Stories::RealTracesClaimLognormal,
        ],
        notes: &[
            note("features", 1, "input_tokens", Stories::RealTracesNoteTokens),
            note("features", 1, "weekly_profile", Stories::RealTracesNoteWeek),
            note(
                "features",
                2,
                "calls_per_request",
                Stories::RealTracesNoteCalls,
            ),
        ],
        json: include_str!("real-traces.json"),
    },
    Story {
        name: "two-populations",
        title: Stories::TwoPopulationsTitle,
        claim: &[
            Stories::TwoPopulationsClaimTail,
            Stories::TwoPopulationsClaimBudgets,
        ],
        notes: &[
            note(
                "features",
                1,
                "output_tokens",
                Stories::TwoPopulationsNoteTokens,
            ),
            note("budgets", 30, "amount", Stories::TwoPopulationsNoteMedian),
            note("budgets", 31, "amount", Stories::TwoPopulationsNoteMean),
        ],
        json: include_str!("two-populations.json"),
    },
    Story {
        name: "creeping-context",
        title: Stories::CreepingContextTitle,
        claim: &[
            Stories::CreepingContextClaimSquare,
            Stories::CreepingContextClaimBudget,
        ],
        notes: &[
            note(
                "features",
                2,
                "context_growth_tokens",
                Stories::CreepingContextNoteGrowth,
            ),
            note(
                "features",
                2,
                "calls_per_request",
                Stories::CreepingContextNoteTurns,
            ),
            note(
                "features",
                2,
                "cached_share",
                Stories::CreepingContextNoteCache,
            ),
        ],
        json: include_str!("creeping-context.json"),
    },
    Story {
        name: "monday-nine-to-eleven",
        title: Stories::MondayTitle,
        claim: &[Stories::MondayClaimPeak, Stories::MondayClaimTail],
        notes: &[
            note("features", 1, "cached_share_left", Stories::MondayNoteCache),
            note("features", 1, "retry_factor", Stories::MondayNoteRetries),
            note("features", 1, "weekly_profile", Stories::MondayNoteWeek),
        ],
        json: include_str!("monday-nine-to-eleven.json"),
    },
    Story {
        name: "agent-that-never-stops",
        title: Stories::NeverStopsTitle,
        claim: &[
            Stories::NeverStopsClaimLoop,
            Stories::NeverStopsClaimYear,
            Stories::NeverStopsClaimCap,
        ],
        notes: &[
            note("features", 1, "cap_tokens", Stories::NeverStopsNoteCap),
            note(
                "features",
                1,
                "runaway_hours_until_found",
                Stories::NeverStopsNoteFound,
            ),
            note(
                "features",
                1,
                "runaways_per_million_requests",
                Stories::NeverStopsNoteRate,
            ),
        ],
        json: include_str!("agent-that-never-stops.json"),
    },
];

/// All stories, the default first.
#[must_use]
pub fn all() -> &'static [Story] {
    &STORIES
}

/// A story by name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Story> {
    STORIES.iter().find(|s| s.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_story_parses_and_is_found_by_its_name() {
        for story in all() {
            let scenario = story.scenario();
            assert_eq!(scenario.format, crate::domain::scenario::SCENARIO_FORMAT);
            assert_eq!(find(story.name), Some(story));
        }
        assert!(find(DEFAULT).is_some());
        assert!(find("no-such-story").is_none());
    }

    #[test]
    fn notes_stand_beside_entities_that_exist() {
        for story in all() {
            let s = story.scenario();
            let margin = story.notes.iter().map(MarginNote::field);
            for path in margin.chain(s.notes.keys().cloned()) {
                let (section, id, field) = path.parts();
                let id = id.expect("an entity");
                let found = match section {
                    "features" => s.features.iter().any(|x| x.id == id),
                    "models" => s.models.iter().any(|x| x.id == id),
                    "pools" => s.pools.iter().any(|x| x.id == id),
                    "commitments" => s.commitments.iter().any(|x| x.id == id),
                    "seasons" => s.seasons.iter().any(|x| x.id == id),
                    "budgets" => s.budgets.iter().any(|x| x.id == id),
                    _ => false,
                };
                assert!(
                    found && !field.is_empty(),
                    "{}: {}",
                    story.name,
                    path.as_str()
                );
            }
        }
    }
}
