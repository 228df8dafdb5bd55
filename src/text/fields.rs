//! Names of fields, and a sentence on what each is. The same words stand in the editor, in messages about an entry, and
//! beside the inputs that move a result.

use super::say;
use crate::domain::field::FieldPath;
use crate::domain::scenario::{Id, Scenario};

crate::messages! {
    /// Names of fields.
    pub enum Field {
        FeatureName = "field-features-name";
        FeatureLaunch = "field-features-launch";
        FeatureSlip = "field-features-slip-days";
        FeatureRamp = "field-features-ramp-days";
        FeatureRetire = "field-features-retire";
        FeatureRequests = "field-features-requests-per-day";
        FeatureGrowth = "field-features-growth-per-month";
        FeatureWeek = "field-features-weekly-profile";
        FeatureWeekZone = "field-features-time-zone";
        FeatureCalls = "field-features-calls-per-request";
        FeatureInput = "field-features-input-tokens";
        FeatureInputLevel = "field-features-input-tokens-level";
        FeatureContextGrowth = "field-features-context-growth-tokens";
        FeaturePrefix = "field-features-prefix-tokens";
        FeatureCached = "field-features-cached-share";
        FeatureOutput = "field-features-output-tokens";
        FeatureOutputLevel = "field-features-output-tokens-level";
        FeatureRetry = "field-features-retry-probability";
        FeatureMaxRetries = "field-features-max-retries";
        FeatureDrift = "field-features-token-drift-per-month";
        FeaturePool = "field-features-pool";
        FeatureModel = "field-features-model";
        FeatureNoise = "field-features-noise";
        FeatureHourCv = "field-features-hour-cv";
        FeatureHourPersistence = "field-features-hour-persistence";
        FeatureBurstiness = "field-features-burstiness";
        FeatureBurstPersistence = "field-features-burst-persistence";
        FeatureShockLoading = "field-features-shock-loading";
        DemandShock = "field-dependence-demand-shock";
        ShockDeviation = "field-dependence-deviation";
        ShockPersistence = "field-dependence-weekly-persistence";
        Correlations = "field-dependence-correlations";
        FeatureCachedLeft = "field-features-cached-share-left";
        FeatureRetryFactor = "field-features-retry-factor";
        FeatureLoadSensitivity = "field-features-load-sensitivity";
        FeatureLanes = "field-features-lanes";
        FeatureThreshold = "field-features-threshold-tokens";
        FeatureLanePool = "field-features-lane-pool";
        FeatureLaneModel = "field-features-lane-model";
        FeatureMisroutedShort = "field-features-misrouted-short";
        FeatureMisroutedLong = "field-features-misrouted-long";
        FeatureTriage = "field-features-triage-cost-per-request";
        FeatureToolCalls = "field-features-tool-calls-per-request";
        FeatureToolSeconds = "field-features-tool-seconds";
        FeatureCapTokens = "field-features-cap-tokens";
        FeatureCapCalls = "field-features-cap-calls";
        FeatureCapToolCalls = "field-features-cap-tool-calls";
        FeatureCapSeconds = "field-features-cap-seconds";
        FeatureCapErrors = "field-features-cap-identical-errors";
        FeatureSoftOf = "field-features-soft-of";
        FeatureSoftAt = "field-features-soft-at";
        FeatureSoftThen = "field-features-soft-then";
        FeatureSoftFactor = "field-features-soft-token-factor";
        FeatureRunaways = "field-features-runaways";
        FeatureRunawayRate = "field-features-runaways-per-million-requests";
        FeatureRunawayBurn = "field-features-runaway-tokens-per-hour";
        FeatureRunawayFound = "field-features-runaway-hours-until-found";
        ModelName = "field-models-name";
        ModelTtft = "field-models-ttft-seconds";
        ModelSpeed = "field-models-sequence-tokens-per-second";
        ModelWindow = "field-models-context-window-tokens";
        ModelPrice = "field-models-price";
        ModelPriceInput = "field-models-uncached-input";
        ModelPriceCached = "field-models-cached-read";
        ModelPriceOutput = "field-models-output";
        ModelServing = "field-models-serving";
        ModelGpus = "field-models-gpus-per-replica";
        ModelPrefill = "field-models-prefill-tokens-per-second";
        ModelDecode = "field-models-decode-tokens-per-second";
        ModelSequences = "field-models-concurrent-sequences";
        ModelMinimum = "field-models-minimum-replicas";
        PoolName = "field-pools-name";
        PoolAcceptable = "field-pools-acceptable-chance";
        PoolTarget = "field-pools-target-utilisation";
        PoolOnDemand = "field-pools-on-demand-rate-per-gpu-hour";
        PoolBurst = "field-pools-burst";
        PoolBurstMax = "field-pools-max-gpus";
        PoolBurstRate = "field-pools-rate-per-gpu-hour";
        PoolTpm = "field-pools-tokens-per-minute";
        PoolRpm = "field-pools-requests-per-minute";
        PoolCachedCount = "field-pools-cached-reads-count";
        CommitmentName = "field-commitments-name";
        CommitmentStart = "field-commitments-start";
        CommitmentTerm = "field-commitments-term-months";
        CommitmentPool = "field-commitments-pool";
        CommitmentGpus = "field-commitments-gpus";
        CommitmentRate = "field-commitments-rate-per-gpu-hour";
        CommitmentUpfront = "field-commitments-upfront-share";
        CommitmentAmount = "field-commitments-amount-per-hour";
        CommitmentDiscount = "field-commitments-discount";
        CommitmentBasis = "field-commitments-basis";
        SeasonName = "field-seasons-name";
        SeasonDates = "field-seasons-dates";
        SeasonYearly = "field-seasons-yearly";
        SeasonMultiplier = "field-seasons-multiplier";
        SeasonRampIn = "field-seasons-ramp-in-days";
        SeasonRampOut = "field-seasons-ramp-out-days";
        SeasonTouches = "field-seasons-touches";
        BudgetName = "field-budgets-name";
        BudgetPeriod = "field-budgets-period";
        BudgetOnly = "field-budgets-only";
        BudgetAmount = "field-budgets-amount";
        BudgetCost = "field-budgets-cost";
        BudgetSpentBefore = "field-budgets-spent-before";
        BudgetAcceptable = "field-budgets-acceptable-chance";
        ScenarioName = "field-scenario-name";
        SettingsStart = "field-settings-start";
        SettingsHorizon = "field-settings-horizon-months";
        SettingsZone = "field-settings-time-zone";
        SettingsCurrency = "field-settings-currency";
        SettingsFiscal = "field-settings-fiscal-year-start-month";
        SettingsSeed = "field-settings-seed";
        SettingsTrials = "field-settings-trials";
    }
}

crate::messages! {
    /// What a field is.
    pub enum Hint {
        FeatureLaunch = "hint-features-launch";
        FeatureSlip = "hint-features-slip-days";
        FeatureRamp = "hint-features-ramp-days";
        FeatureRetire = "hint-features-retire";
        FeatureRequests = "hint-features-requests-per-day";
        FeatureGrowth = "hint-features-growth-per-month";
        FeatureWeek = "hint-features-weekly-profile";
        FeatureWeekZone = "hint-features-time-zone";
        FeatureCalls = "hint-features-calls-per-request";
        FeatureInput = "hint-features-input-tokens";
        FeatureInputLevel = "hint-features-input-tokens-level";
        FeatureContextGrowth = "hint-features-context-growth-tokens";
        FeaturePrefix = "hint-features-prefix-tokens";
        FeatureCached = "hint-features-cached-share";
        FeatureOutput = "hint-features-output-tokens";
        FeatureOutputLevel = "hint-features-output-tokens-level";
        FeatureRetry = "hint-features-retry-probability";
        FeatureMaxRetries = "hint-features-max-retries";
        FeatureDrift = "hint-features-token-drift-per-month";
        FeaturePool = "hint-features-pool";
        FeatureModel = "hint-features-model";
        FeatureNoise = "hint-features-noise";
        FeatureHourCv = "hint-features-hour-cv";
        FeatureHourPersistence = "hint-features-hour-persistence";
        FeatureBurstiness = "hint-features-burstiness";
        FeatureBurstPersistence = "hint-features-burst-persistence";
        FeatureShockLoading = "hint-features-shock-loading";
        ShockDeviation = "hint-dependence-deviation";
        ShockPersistence = "hint-dependence-weekly-persistence";
        Correlations = "hint-dependence-correlations";
        FeatureCachedLeft = "hint-features-cached-share-left";
        FeatureRetryFactor = "hint-features-retry-factor";
        FeatureLoadSensitivity = "hint-features-load-sensitivity";
        FeatureLanes = "hint-features-lanes";
        FeatureThreshold = "hint-features-threshold-tokens";
        FeatureLanePool = "hint-features-lane-pool";
        FeatureLaneModel = "hint-features-lane-model";
        FeatureMisroutedShort = "hint-features-misrouted-short";
        FeatureMisroutedLong = "hint-features-misrouted-long";
        FeatureTriage = "hint-features-triage-cost-per-request";
        FeatureToolCalls = "hint-features-tool-calls-per-request";
        FeatureToolSeconds = "hint-features-tool-seconds";
        FeatureCapTokens = "hint-features-cap-tokens";
        FeatureCapCalls = "hint-features-cap-calls";
        FeatureCapToolCalls = "hint-features-cap-tool-calls";
        FeatureCapSeconds = "hint-features-cap-seconds";
        FeatureCapErrors = "hint-features-cap-identical-errors";
        FeatureSoftOf = "hint-features-soft-of";
        FeatureSoftAt = "hint-features-soft-at";
        FeatureSoftThen = "hint-features-soft-then";
        FeatureSoftFactor = "hint-features-soft-token-factor";
        FeatureRunaways = "hint-features-runaways";
        FeatureRunawayRate = "hint-features-runaways-per-million-requests";
        FeatureRunawayBurn = "hint-features-runaway-tokens-per-hour";
        FeatureRunawayFound = "hint-features-runaway-hours-until-found";
        ModelWindow = "hint-models-context-window-tokens";
        ModelTtft = "hint-models-ttft-seconds";
        ModelSpeed = "hint-models-sequence-tokens-per-second";
        ModelPrice = "hint-models-price";
        ModelPriceInput = "hint-models-uncached-input";
        ModelPriceCached = "hint-models-cached-read";
        ModelPriceOutput = "hint-models-output";
        ModelServing = "hint-models-serving";
        ModelGpus = "hint-models-gpus-per-replica";
        ModelPrefill = "hint-models-prefill-tokens-per-second";
        ModelDecode = "hint-models-decode-tokens-per-second";
        ModelSequences = "hint-models-concurrent-sequences";
        ModelMinimum = "hint-models-minimum-replicas";
        PoolAcceptable = "hint-pools-acceptable-chance";
        PoolTarget = "hint-pools-target-utilisation";
        PoolOnDemand = "hint-pools-on-demand-rate-per-gpu-hour";
        PoolBurst = "hint-pools-burst";
        PoolBurstMax = "hint-pools-max-gpus";
        PoolBurstRate = "hint-pools-rate-per-gpu-hour";
        PoolTpm = "hint-pools-tokens-per-minute";
        PoolRpm = "hint-pools-requests-per-minute";
        PoolCachedCount = "hint-pools-cached-reads-count";
        CommitmentRate = "hint-commitments-rate-per-gpu-hour";
        CommitmentUpfront = "hint-commitments-upfront-share";
        CommitmentDiscount = "hint-commitments-discount";
        CommitmentBasis = "hint-commitments-basis";
        SeasonDates = "hint-seasons-dates";
        SeasonYearly = "hint-seasons-yearly";
        SeasonMultiplier = "hint-seasons-multiplier";
        SeasonRampIn = "hint-seasons-ramp-in-days";
        SeasonRampOut = "hint-seasons-ramp-out-days";
        SeasonTouches = "hint-seasons-touches";
        BudgetOnly = "hint-budgets-only";
        BudgetAmount = "hint-budgets-amount";
        BudgetCost = "hint-budgets-cost";
        BudgetSpentBefore = "hint-budgets-spent-before";
        BudgetAcceptable = "hint-budgets-acceptable-chance";
        SettingsStart = "hint-settings-start";
        SettingsHorizon = "hint-settings-horizon-months";
        SettingsZone = "hint-settings-time-zone";
        SettingsCurrency = "hint-settings-currency";
        SettingsSeed = "hint-settings-seed";
        SettingsTrials = "hint-settings-trials";
    }
}

crate::messages! {
    /// A field of something.
    pub enum Named {
        FieldOf { field: String, of: String } = "field-of";
        Occurrence { field: String, of: String, number: String } = "field-of-occurrence";
    }
}

/// The name of a field by section and JSON name.
#[must_use]
pub fn field(section: &str, name: &str) -> Option<Field> {
    Some(match (section, name) {
        ("features", "name") => Field::FeatureName,
        ("features", "launch") => Field::FeatureLaunch,
        ("features", "slip_days") => Field::FeatureSlip,
        ("features", "ramp_days") => Field::FeatureRamp,
        ("features", "retire") => Field::FeatureRetire,
        ("features", "requests_per_day") => Field::FeatureRequests,
        ("features", "growth_per_month") => Field::FeatureGrowth,
        ("features", "weekly_profile") => Field::FeatureWeek,
        ("features", "time_zone") => Field::FeatureWeekZone,
        ("features", "calls_per_request") => Field::FeatureCalls,
        ("features", "input_tokens") => Field::FeatureInput,
        ("features", "input_tokens_level") => Field::FeatureInputLevel,
        ("features", "context_growth_tokens") => Field::FeatureContextGrowth,
        ("features", "prefix_tokens") => Field::FeaturePrefix,
        ("features", "cached_share") => Field::FeatureCached,
        ("features", "output_tokens") => Field::FeatureOutput,
        ("features", "output_tokens_level") => Field::FeatureOutputLevel,
        ("features", "retry_probability") => Field::FeatureRetry,
        ("features", "max_retries") => Field::FeatureMaxRetries,
        ("features", "token_drift_per_month") => Field::FeatureDrift,
        ("features", "pool") => Field::FeaturePool,
        ("features", "model") => Field::FeatureModel,
        ("features", "noise") => Field::FeatureNoise,
        ("features", "hour_cv") => Field::FeatureHourCv,
        ("features", "hour_persistence") => Field::FeatureHourPersistence,
        ("features", "burstiness") => Field::FeatureBurstiness,
        ("features", "burst_persistence") => Field::FeatureBurstPersistence,
        ("features", "shock_loading") => Field::FeatureShockLoading,
        ("dependence", "deviation") => Field::ShockDeviation,
        ("dependence", "weekly_persistence") => Field::ShockPersistence,
        ("dependence", "correlations") => Field::Correlations,
        ("features", "cached_share_left") => Field::FeatureCachedLeft,
        ("features", "retry_factor") => Field::FeatureRetryFactor,
        ("features", "load_sensitivity") => Field::FeatureLoadSensitivity,
        ("features", "lanes") => Field::FeatureLanes,
        ("features", "threshold_tokens") => Field::FeatureThreshold,
        ("features", "lane_pool") => Field::FeatureLanePool,
        ("features", "lane_model") => Field::FeatureLaneModel,
        ("features", "misrouted_short") => Field::FeatureMisroutedShort,
        ("features", "misrouted_long") => Field::FeatureMisroutedLong,
        ("features", "triage_cost_per_request") => Field::FeatureTriage,
        ("features", "tool_calls_per_request") => Field::FeatureToolCalls,
        ("features", "tool_seconds") => Field::FeatureToolSeconds,
        ("features", "cap_tokens") => Field::FeatureCapTokens,
        ("features", "cap_calls") => Field::FeatureCapCalls,
        ("features", "cap_tool_calls") => Field::FeatureCapToolCalls,
        ("features", "cap_seconds") => Field::FeatureCapSeconds,
        ("features", "cap_identical_errors") => Field::FeatureCapErrors,
        ("features", "soft_of") => Field::FeatureSoftOf,
        ("features", "soft_at") => Field::FeatureSoftAt,
        ("features", "soft_then") => Field::FeatureSoftThen,
        ("features", "soft_token_factor") => Field::FeatureSoftFactor,
        ("features", "runaways") => Field::FeatureRunaways,
        ("features", "runaways_per_million_requests") => Field::FeatureRunawayRate,
        ("features", "runaway_tokens_per_hour") => Field::FeatureRunawayBurn,
        ("features", "runaway_hours_until_found") => Field::FeatureRunawayFound,
        ("models", "context_window_tokens") => Field::ModelWindow,
        ("models", "name") => Field::ModelName,
        ("models", "ttft_seconds") => Field::ModelTtft,
        ("models", "sequence_tokens_per_second") => Field::ModelSpeed,
        ("models", "price") => Field::ModelPrice,
        ("models", "uncached_input") => Field::ModelPriceInput,
        ("models", "cached_read") => Field::ModelPriceCached,
        ("models", "output") => Field::ModelPriceOutput,
        ("models", "serving") => Field::ModelServing,
        ("models", "gpus_per_replica") => Field::ModelGpus,
        ("models", "prefill_tokens_per_second") => Field::ModelPrefill,
        ("models", "decode_tokens_per_second") => Field::ModelDecode,
        ("models", "concurrent_sequences") => Field::ModelSequences,
        ("models", "minimum_replicas") => Field::ModelMinimum,
        ("pools", "name") => Field::PoolName,
        ("pools", "acceptable_chance") => Field::PoolAcceptable,
        ("pools", "target_utilisation") => Field::PoolTarget,
        ("pools", "on_demand_rate_per_gpu_hour") => Field::PoolOnDemand,
        ("pools", "burst") => Field::PoolBurst,
        ("pools", "max_gpus") => Field::PoolBurstMax,
        ("pools", "rate_per_gpu_hour") => Field::PoolBurstRate,
        ("pools", "tokens_per_minute") => Field::PoolTpm,
        ("pools", "requests_per_minute") => Field::PoolRpm,
        ("pools", "cached_reads_count") => Field::PoolCachedCount,
        ("commitments", "name") => Field::CommitmentName,
        ("commitments", "start") => Field::CommitmentStart,
        ("commitments", "term_months") => Field::CommitmentTerm,
        ("commitments", "pool") => Field::CommitmentPool,
        ("commitments", "gpus") => Field::CommitmentGpus,
        ("commitments", "rate_per_gpu_hour") => Field::CommitmentRate,
        ("commitments", "upfront_share") => Field::CommitmentUpfront,
        ("commitments", "amount_per_hour") => Field::CommitmentAmount,
        ("commitments", "discount") => Field::CommitmentDiscount,
        ("commitments", "basis") => Field::CommitmentBasis,
        ("seasons", "name") => Field::SeasonName,
        ("seasons", "dates") => Field::SeasonDates,
        ("seasons", "yearly") => Field::SeasonYearly,
        ("seasons", "multiplier") => Field::SeasonMultiplier,
        ("seasons", "ramp_in_days") => Field::SeasonRampIn,
        ("seasons", "ramp_out_days") => Field::SeasonRampOut,
        ("seasons", "touches") => Field::SeasonTouches,
        ("budgets", "name") => Field::BudgetName,
        ("budgets", "period") => Field::BudgetPeriod,
        ("budgets", "only") => Field::BudgetOnly,
        ("budgets", "amount") => Field::BudgetAmount,
        ("budgets", "cost") => Field::BudgetCost,
        ("budgets", "spent_before") => Field::BudgetSpentBefore,
        ("budgets", "acceptable_chance") => Field::BudgetAcceptable,
        ("scenario", "name") => Field::ScenarioName,
        ("settings", "start") => Field::SettingsStart,
        ("settings", "horizon_months") => Field::SettingsHorizon,
        ("settings", "time_zone") => Field::SettingsZone,
        ("settings", "currency") => Field::SettingsCurrency,
        ("settings", "fiscal_year_start_month") => Field::SettingsFiscal,
        ("settings", "seed") => Field::SettingsSeed,
        ("settings", "trials") => Field::SettingsTrials,
        _ => return None,
    })
}

/// What a field is, where more can be said than its name.
#[must_use]
pub fn hint(section: &str, name: &str) -> Option<Hint> {
    Some(match (section, name) {
        ("features", "launch") => Hint::FeatureLaunch,
        ("features", "slip_days") => Hint::FeatureSlip,
        ("features", "ramp_days") => Hint::FeatureRamp,
        ("features", "retire") => Hint::FeatureRetire,
        ("features", "requests_per_day") => Hint::FeatureRequests,
        ("features", "growth_per_month") => Hint::FeatureGrowth,
        ("features", "weekly_profile") => Hint::FeatureWeek,
        ("features", "time_zone") => Hint::FeatureWeekZone,
        ("features", "calls_per_request") => Hint::FeatureCalls,
        ("features", "input_tokens") => Hint::FeatureInput,
        ("features", "input_tokens_level") => Hint::FeatureInputLevel,
        ("features", "context_growth_tokens") => Hint::FeatureContextGrowth,
        ("features", "prefix_tokens") => Hint::FeaturePrefix,
        ("features", "cached_share") => Hint::FeatureCached,
        ("features", "output_tokens") => Hint::FeatureOutput,
        ("features", "output_tokens_level") => Hint::FeatureOutputLevel,
        ("features", "retry_probability") => Hint::FeatureRetry,
        ("features", "max_retries") => Hint::FeatureMaxRetries,
        ("features", "token_drift_per_month") => Hint::FeatureDrift,
        ("features", "pool") => Hint::FeaturePool,
        ("features", "model") => Hint::FeatureModel,
        ("features", "noise") => Hint::FeatureNoise,
        ("features", "hour_cv") => Hint::FeatureHourCv,
        ("features", "hour_persistence") => Hint::FeatureHourPersistence,
        ("features", "burstiness") => Hint::FeatureBurstiness,
        ("features", "burst_persistence") => Hint::FeatureBurstPersistence,
        ("features", "shock_loading") => Hint::FeatureShockLoading,
        ("dependence", "deviation") => Hint::ShockDeviation,
        ("dependence", "weekly_persistence") => Hint::ShockPersistence,
        ("dependence", "correlations") => Hint::Correlations,
        ("features", "cached_share_left") => Hint::FeatureCachedLeft,
        ("features", "retry_factor") => Hint::FeatureRetryFactor,
        ("features", "load_sensitivity") => Hint::FeatureLoadSensitivity,
        ("features", "lanes") => Hint::FeatureLanes,
        ("features", "threshold_tokens") => Hint::FeatureThreshold,
        ("features", "lane_pool") => Hint::FeatureLanePool,
        ("features", "lane_model") => Hint::FeatureLaneModel,
        ("features", "misrouted_short") => Hint::FeatureMisroutedShort,
        ("features", "misrouted_long") => Hint::FeatureMisroutedLong,
        ("features", "triage_cost_per_request") => Hint::FeatureTriage,
        ("features", "tool_calls_per_request") => Hint::FeatureToolCalls,
        ("features", "tool_seconds") => Hint::FeatureToolSeconds,
        ("features", "cap_tokens") => Hint::FeatureCapTokens,
        ("features", "cap_calls") => Hint::FeatureCapCalls,
        ("features", "cap_tool_calls") => Hint::FeatureCapToolCalls,
        ("features", "cap_seconds") => Hint::FeatureCapSeconds,
        ("features", "cap_identical_errors") => Hint::FeatureCapErrors,
        ("features", "soft_of") => Hint::FeatureSoftOf,
        ("features", "soft_at") => Hint::FeatureSoftAt,
        ("features", "soft_then") => Hint::FeatureSoftThen,
        ("features", "soft_token_factor") => Hint::FeatureSoftFactor,
        ("features", "runaways") => Hint::FeatureRunaways,
        ("features", "runaways_per_million_requests") => Hint::FeatureRunawayRate,
        ("features", "runaway_tokens_per_hour") => Hint::FeatureRunawayBurn,
        ("features", "runaway_hours_until_found") => Hint::FeatureRunawayFound,
        ("models", "context_window_tokens") => Hint::ModelWindow,
        ("models", "ttft_seconds") => Hint::ModelTtft,
        ("models", "sequence_tokens_per_second") => Hint::ModelSpeed,
        ("models", "price") => Hint::ModelPrice,
        ("models", "uncached_input") => Hint::ModelPriceInput,
        ("models", "cached_read") => Hint::ModelPriceCached,
        ("models", "output") => Hint::ModelPriceOutput,
        ("models", "serving") => Hint::ModelServing,
        ("models", "gpus_per_replica") => Hint::ModelGpus,
        ("models", "prefill_tokens_per_second") => Hint::ModelPrefill,
        ("models", "decode_tokens_per_second") => Hint::ModelDecode,
        ("models", "concurrent_sequences") => Hint::ModelSequences,
        ("models", "minimum_replicas") => Hint::ModelMinimum,
        ("pools", "acceptable_chance") => Hint::PoolAcceptable,
        ("pools", "target_utilisation") => Hint::PoolTarget,
        ("pools", "on_demand_rate_per_gpu_hour") => Hint::PoolOnDemand,
        ("pools", "burst") => Hint::PoolBurst,
        ("pools", "max_gpus") => Hint::PoolBurstMax,
        ("pools", "rate_per_gpu_hour") => Hint::PoolBurstRate,
        ("pools", "tokens_per_minute") => Hint::PoolTpm,
        ("pools", "requests_per_minute") => Hint::PoolRpm,
        ("pools", "cached_reads_count") => Hint::PoolCachedCount,
        ("commitments", "rate_per_gpu_hour") => Hint::CommitmentRate,
        ("commitments", "upfront_share") => Hint::CommitmentUpfront,
        ("commitments", "discount") => Hint::CommitmentDiscount,
        ("commitments", "basis") => Hint::CommitmentBasis,
        ("seasons", "dates") => Hint::SeasonDates,
        ("seasons", "yearly") => Hint::SeasonYearly,
        ("seasons", "multiplier") => Hint::SeasonMultiplier,
        ("seasons", "ramp_in_days") => Hint::SeasonRampIn,
        ("seasons", "ramp_out_days") => Hint::SeasonRampOut,
        ("seasons", "touches") => Hint::SeasonTouches,
        ("budgets", "only") => Hint::BudgetOnly,
        ("budgets", "amount") => Hint::BudgetAmount,
        ("budgets", "cost") => Hint::BudgetCost,
        ("budgets", "spent_before") => Hint::BudgetSpentBefore,
        ("budgets", "acceptable_chance") => Hint::BudgetAcceptable,
        ("settings", "start") => Hint::SettingsStart,
        ("settings", "horizon_months") => Hint::SettingsHorizon,
        ("settings", "time_zone") => Hint::SettingsZone,
        ("settings", "currency") => Hint::SettingsCurrency,
        ("settings", "seed") => Hint::SettingsSeed,
        ("settings", "trials") => Hint::SettingsTrials,
        _ => return None,
    })
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
            assert!(hint(spec.section, spec.name).is_some(), "{}", spec.name);
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
