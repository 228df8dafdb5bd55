//! Names of fields, and a sentence on what each is. The same words stand in the editor, in messages about an entry, and
//! beside the inputs that move a result.

use super::say;
use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario};

/// One table: what a field is called, and the sentence that explains it. There is no name without a sentence.
macro_rules! fields {
    ($($variant:ident $section:literal $name:literal $field:literal $hint:literal;)*) => {
        $crate::messages! {
            /// Names of fields.
            pub enum Field { $($variant = $field;)* }
        }
        $crate::messages! {
            /// What a field does to the results, and its unit.
            pub enum Hint { $($variant = $hint;)* }
        }

        /// The name of a field by section and JSON name.
        #[must_use]
        pub fn field(section: &str, name: &str) -> Option<Field> {
            Some(match (section, name) {
                $(($section, $name) => Field::$variant,)*
                _ => return None,
            })
        }

        fn hint_by_name(section: &str, name: &str) -> Option<Hint> {
            Some(match (section, name) {
                $(($section, $name) => Hint::$variant,)*
                _ => return None,
            })
        }
    };
}

fields! {
    FeatureName "features" "name" "field-features-name" "hint-features-name";
    FeatureLaunch "features" "launch" "field-features-launch" "hint-features-launch";
    FeatureSlip "features" "slip_days" "field-features-slip-days" "hint-features-slip-days";
    FeatureRamp "features" "ramp_days" "field-features-ramp-days" "hint-features-ramp-days";
    FeatureRetire "features" "retire" "field-features-retire" "hint-features-retire";
    FeatureRequests "features" "requests_per_day" "field-features-requests-per-day" "hint-features-requests-per-day";
    FeatureGrowth "features" "growth_per_month" "field-features-growth-per-month" "hint-features-growth-per-month";
    FeatureWeek "features" "weekly_profile" "field-features-weekly-profile" "hint-features-weekly-profile";
    FeatureWeekZone "features" "time_zone" "field-features-time-zone" "hint-features-time-zone";
    FeatureCalls "features" "calls_per_request" "field-features-calls-per-request" "hint-features-calls-per-request";
    FeatureInput "features" "input_tokens" "field-features-input-tokens" "hint-features-input-tokens";
    FeatureInputLevel "features" "input_tokens_level" "field-features-input-tokens-level" "hint-features-input-tokens-level";
    FeatureContextGrowth "features" "context_growth_tokens" "field-features-context-growth-tokens" "hint-features-context-growth-tokens";
    FeaturePrefix "features" "prefix_tokens" "field-features-prefix-tokens" "hint-features-prefix-tokens";
    FeatureCached "features" "cached_share" "field-features-cached-share" "hint-features-cached-share";
    FeatureOutput "features" "output_tokens" "field-features-output-tokens" "hint-features-output-tokens";
    FeatureOutputLevel "features" "output_tokens_level" "field-features-output-tokens-level" "hint-features-output-tokens-level";
    FeatureRetry "features" "retry_probability" "field-features-retry-probability" "hint-features-retry-probability";
    FeatureMaxRetries "features" "max_retries" "field-features-max-retries" "hint-features-max-retries";
    FeatureDrift "features" "token_drift_per_month" "field-features-token-drift-per-month" "hint-features-token-drift-per-month";
    FeaturePool "features" "pool" "field-features-pool" "hint-features-pool";
    FeatureModel "features" "model" "field-features-model" "hint-features-model";
    FeatureNoise "features" "noise" "field-features-noise" "hint-features-noise";
    FeatureHourCv "features" "hour_cv" "field-features-hour-cv" "hint-features-hour-cv";
    FeatureHourPersistence "features" "hour_persistence" "field-features-hour-persistence" "hint-features-hour-persistence";
    FeatureBurstiness "features" "burstiness" "field-features-burstiness" "hint-features-burstiness";
    FeatureBurstPersistence "features" "burst_persistence" "field-features-burst-persistence" "hint-features-burst-persistence";
    FeatureShockLoading "features" "shock_loading" "field-features-shock-loading" "hint-features-shock-loading";
    DemandShock "dependence" "demand_shock" "field-dependence-demand-shock" "hint-dependence-demand-shock";
    ShockDeviation "dependence" "deviation" "field-dependence-deviation" "hint-dependence-deviation";
    ShockPersistence "dependence" "weekly_persistence" "field-dependence-weekly-persistence" "hint-dependence-weekly-persistence";
    Correlations "dependence" "correlations" "field-dependence-correlations" "hint-dependence-correlations";
    FeatureCachedLeft "features" "cached_share_left" "field-features-cached-share-left" "hint-features-cached-share-left";
    FeatureRetryFactor "features" "retry_factor" "field-features-retry-factor" "hint-features-retry-factor";
    FeatureLoadSensitivity "features" "load_sensitivity" "field-features-load-sensitivity" "hint-features-load-sensitivity";
    FeatureLanes "features" "lanes" "field-features-lanes" "hint-features-lanes";
    FeatureThreshold "features" "threshold_tokens" "field-features-threshold-tokens" "hint-features-threshold-tokens";
    FeatureLanePool "features" "lane_pool" "field-features-lane-pool" "hint-features-lane-pool";
    FeatureLaneModel "features" "lane_model" "field-features-lane-model" "hint-features-lane-model";
    FeatureMisroutedShort "features" "misrouted_short" "field-features-misrouted-short" "hint-features-misrouted-short";
    FeatureMisroutedLong "features" "misrouted_long" "field-features-misrouted-long" "hint-features-misrouted-long";
    FeatureTriage "features" "triage_cost_per_request" "field-features-triage-cost-per-request" "hint-features-triage-cost-per-request";
    FeatureToolCalls "features" "tool_calls_per_request" "field-features-tool-calls-per-request" "hint-features-tool-calls-per-request";
    FeatureToolSeconds "features" "tool_seconds" "field-features-tool-seconds" "hint-features-tool-seconds";
    FeatureCapTokens "features" "cap_tokens" "field-features-cap-tokens" "hint-features-cap-tokens";
    FeatureCapCalls "features" "cap_calls" "field-features-cap-calls" "hint-features-cap-calls";
    FeatureCapToolCalls "features" "cap_tool_calls" "field-features-cap-tool-calls" "hint-features-cap-tool-calls";
    FeatureCapSeconds "features" "cap_seconds" "field-features-cap-seconds" "hint-features-cap-seconds";
    FeatureCapErrors "features" "cap_identical_errors" "field-features-cap-identical-errors" "hint-features-cap-identical-errors";
    FeatureSoftOf "features" "soft_of" "field-features-soft-of" "hint-features-soft-of";
    FeatureSoftAt "features" "soft_at" "field-features-soft-at" "hint-features-soft-at";
    FeatureSoftThen "features" "soft_then" "field-features-soft-then" "hint-features-soft-then";
    FeatureSoftFactor "features" "soft_token_factor" "field-features-soft-token-factor" "hint-features-soft-token-factor";
    FeatureRunaways "features" "runaways" "field-features-runaways" "hint-features-runaways";
    FeatureRunawayRate "features" "runaways_per_million_requests" "field-features-runaways-per-million-requests" "hint-features-runaways-per-million-requests";
    FeatureRunawayBurn "features" "runaway_tokens_per_hour" "field-features-runaway-tokens-per-hour" "hint-features-runaway-tokens-per-hour";
    FeatureRunawayFound "features" "runaway_hours_until_found" "field-features-runaway-hours-until-found" "hint-features-runaway-hours-until-found";
    ModelName "models" "name" "field-models-name" "hint-models-name";
    ModelTtft "models" "ttft_seconds" "field-models-ttft-seconds" "hint-models-ttft-seconds";
    ModelSpeed "models" "sequence_tokens_per_second" "field-models-sequence-tokens-per-second" "hint-models-sequence-tokens-per-second";
    ModelWindow "models" "context_window_tokens" "field-models-context-window-tokens" "hint-models-context-window-tokens";
    ModelPrice "models" "price" "field-models-price" "hint-models-price";
    ModelPriceInput "models" "uncached_input" "field-models-uncached-input" "hint-models-uncached-input";
    ModelPriceCached "models" "cached_read" "field-models-cached-read" "hint-models-cached-read";
    ModelPriceOutput "models" "output" "field-models-output" "hint-models-output";
    ModelServing "models" "serving" "field-models-serving" "hint-models-serving";
    ModelGpus "models" "gpus_per_replica" "field-models-gpus-per-replica" "hint-models-gpus-per-replica";
    ModelPrefill "models" "prefill_tokens_per_second" "field-models-prefill-tokens-per-second" "hint-models-prefill-tokens-per-second";
    ModelDecode "models" "decode_tokens_per_second" "field-models-decode-tokens-per-second" "hint-models-decode-tokens-per-second";
    ModelSequences "models" "concurrent_sequences" "field-models-concurrent-sequences" "hint-models-concurrent-sequences";
    ModelMinimum "models" "minimum_replicas" "field-models-minimum-replicas" "hint-models-minimum-replicas";
    PoolName "pools" "name" "field-pools-name" "hint-pools-name";
    PoolAcceptable "pools" "acceptable_chance" "field-pools-acceptable-chance" "hint-pools-acceptable-chance";
    PoolTarget "pools" "target_utilisation" "field-pools-target-utilisation" "hint-pools-target-utilisation";
    PoolOnDemand "pools" "on_demand_rate_per_gpu_hour" "field-pools-on-demand-rate-per-gpu-hour" "hint-pools-on-demand-rate-per-gpu-hour";
    PoolBurst "pools" "burst" "field-pools-burst" "hint-pools-burst";
    PoolBurstMax "pools" "max_gpus" "field-pools-max-gpus" "hint-pools-max-gpus";
    PoolBurstRate "pools" "rate_per_gpu_hour" "field-pools-rate-per-gpu-hour" "hint-pools-rate-per-gpu-hour";
    PoolTpm "pools" "tokens_per_minute" "field-pools-tokens-per-minute" "hint-pools-tokens-per-minute";
    PoolRpm "pools" "requests_per_minute" "field-pools-requests-per-minute" "hint-pools-requests-per-minute";
    PoolCachedCount "pools" "cached_reads_count" "field-pools-cached-reads-count" "hint-pools-cached-reads-count";
    CommitmentName "commitments" "name" "field-commitments-name" "hint-commitments-name";
    CommitmentStart "commitments" "start" "field-commitments-start" "hint-commitments-start";
    CommitmentTerm "commitments" "term_months" "field-commitments-term-months" "hint-commitments-term-months";
    CommitmentPool "commitments" "pool" "field-commitments-pool" "hint-commitments-pool";
    CommitmentGpus "commitments" "gpus" "field-commitments-gpus" "hint-commitments-gpus";
    CommitmentRate "commitments" "rate_per_gpu_hour" "field-commitments-rate-per-gpu-hour" "hint-commitments-rate-per-gpu-hour";
    CommitmentUpfront "commitments" "upfront_share" "field-commitments-upfront-share" "hint-commitments-upfront-share";
    CommitmentAmount "commitments" "amount_per_hour" "field-commitments-amount-per-hour" "hint-commitments-amount-per-hour";
    CommitmentDiscount "commitments" "discount" "field-commitments-discount" "hint-commitments-discount";
    CommitmentBasis "commitments" "basis" "field-commitments-basis" "hint-commitments-basis";
    SeasonName "seasons" "name" "field-seasons-name" "hint-seasons-name";
    SeasonDates "seasons" "dates" "field-seasons-dates" "hint-seasons-dates";
    SeasonYearly "seasons" "yearly" "field-seasons-yearly" "hint-seasons-yearly";
    SeasonMultiplier "seasons" "multiplier" "field-seasons-multiplier" "hint-seasons-multiplier";
    SeasonRampIn "seasons" "ramp_in_days" "field-seasons-ramp-in-days" "hint-seasons-ramp-in-days";
    SeasonRampOut "seasons" "ramp_out_days" "field-seasons-ramp-out-days" "hint-seasons-ramp-out-days";
    SeasonTouches "seasons" "touches" "field-seasons-touches" "hint-seasons-touches";
    BudgetName "budgets" "name" "field-budgets-name" "hint-budgets-name";
    BudgetPeriod "budgets" "period" "field-budgets-period" "hint-budgets-period";
    BudgetOnly "budgets" "only" "field-budgets-only" "hint-budgets-only";
    BudgetAmount "budgets" "amount" "field-budgets-amount" "hint-budgets-amount";
    BudgetCost "budgets" "cost" "field-budgets-cost" "hint-budgets-cost";
    BudgetSpentBefore "budgets" "spent_before" "field-budgets-spent-before" "hint-budgets-spent-before";
    BudgetAcceptable "budgets" "acceptable_chance" "field-budgets-acceptable-chance" "hint-budgets-acceptable-chance";
    ScenarioName "scenario" "name" "field-scenario-name" "hint-scenario-name";
    SettingsStart "settings" "start" "field-settings-start" "hint-settings-start";
    SettingsHorizon "settings" "horizon_months" "field-settings-horizon-months" "hint-settings-horizon-months";
    SettingsZone "settings" "time_zone" "field-settings-time-zone" "hint-settings-time-zone";
    SettingsCurrency "settings" "currency" "field-settings-currency" "hint-settings-currency";
    SettingsFiscal "settings" "fiscal_year_start_month" "field-settings-fiscal-year-start-month" "hint-settings-fiscal-year-start-month";
    SettingsSeed "settings" "seed" "field-settings-seed" "hint-settings-seed";
    SettingsTrials "settings" "trials" "field-settings-trials" "hint-settings-trials";
}

crate::messages! {
    /// A field of something.
    pub enum Named {
        FieldOf { field: String, of: String } = "field-of";
        Occurrence { field: String, of: String, number: String } = "field-of-occurrence";
    }
}

/// What a field does to the results, in a sentence; none for a path that is no field.
#[must_use]
pub fn hint(path: &FieldPath) -> Option<Hint> {
    let (section, _, name) = path.parts();
    hint_by_name(section, base(name))
}

/// The name of a field; its path if it is none that is known.
#[must_use]
pub fn label(path: &FieldPath) -> String {
    let (section, _, name) = path.parts();
    field(section, base(name)).map_or_else(|| path.as_str().to_owned(), |f| say(&f))
}

/// The name of a field of a section, if there is one.
pub(super) fn known(section: &str, name: &str) -> Option<String> {
    field(section, name).map(|f| say(&f))
}

/// The field that a part of one (`dates/0/first`) belongs to.
fn base(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// The name of the entity with an id.
#[must_use]
pub fn entity_name(plan: &Scenario, id: Id) -> Option<&str> {
    let features = plan.features.iter().map(|x| (x.id, &x.name));
    let models = plan.models.iter().map(|x| (x.id, &x.name));
    let pools = plan.pools.iter().map(|x| (x.id, &x.name));
    let commitments = plan.commitments.iter().map(|x| (x.id, &x.name));
    let seasons = plan.seasons.iter().map(|x| (x.id, &x.name));
    let budgets = plan.budgets.iter().map(|x| (x.id, &x.name));
    features
        .chain(models)
        .chain(pools)
        .chain(commitments)
        .chain(seasons)
        .chain(budgets)
        .find(|(i, _)| *i == id)
        .map(|(_, name)| name.as_str())
}

/// `Requests a day, Research assistant`. A window's occurrence (`…/multiplier#1`, counted from 0) is named by its
/// number, counted from 1.
#[must_use]
pub fn label_of(plan: &Scenario, path: &FieldPath) -> String {
    let (section, id, name) = path.parts();
    let (name, occurrence) = name
        .split_once('#')
        .map_or((name, None), |(n, o)| (n, o.parse::<u32>().ok()));
    let field = field(section, base(name)).map_or_else(|| name.to_owned(), |f| say(&f));
    let of = match id.and_then(|id| entity_name(plan, id)) {
        Some(of) => of.to_owned(),
        None => return field,
    };
    match occurrence {
        Some(n) => say(&Named::Occurrence {
            field,
            of,
            number: n.saturating_add(1).to_string(),
        }),
        None => say(&Named::FieldOf { field, of }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::field::QUANTITY_FIELDS;

    #[test]
    fn every_quantity_has_a_name_that_fits_and_a_sentence() {
        for spec in QUANTITY_FIELDS {
            let name = say(&field(spec.section, spec.name).expect(spec.name));
            assert!(name.chars().count() <= 18, "{name}");
            let path = FieldPath::of(spec.section, Id(1), spec.name);
            let sentence = say(&hint(&path).expect(spec.name));
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }

    #[test]
    fn a_field_is_named_with_its_entity() {
        let plan = crate::stories::all()[0].scenario();
        let id = plan.features[0].id;
        let path = FieldPath::of("features", id, "requests_per_day");
        assert_eq!(
            label_of(&plan, &path),
            format!("Requests a day, {}", plan.features[0].name)
        );
        let season = plan.seasons[0].id;
        let path = FieldPath::of("seasons", season, "multiplier#1");
        assert!(
            label_of(&plan, &path).ends_with("(2)"),
            "{}",
            label_of(&plan, &path)
        );
        assert_eq!(
            label_of(&plan, &FieldPath::plain("settings", "seed")),
            "Seed"
        );
    }
}
