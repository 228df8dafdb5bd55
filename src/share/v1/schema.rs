//! Version 1, the form: every field of a scenario as it stood when the version was published, with the value that a
//! field has when it is not written. Frozen: a change of a single word here changes what old links mean. It depends
//! on nothing of `domain` for that reason. docs/share-format.md says the same in prose.

/// How a value is written.
pub enum Kind {
    /// Text.
    Text,
    /// A whole number >= 0.
    Uint,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// A day, counted from the origin.
    Day,
    /// The day that later days are counted from, itself from 1 January 2026.
    Origin,
    /// A new identity.
    Id,
    /// The identity of something else.
    Ref,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Fields in this order.
    Record(&'static [Field]),
    /// Any number of one kind.
    List(&'static Kind),
    /// So many of one kind.
    Fixed(&'static Kind, usize),
    /// A word, or a word with content.
    Choice(&'static [(&'static str, Option<&'static Kind>)]),
    /// An uncertain number (`shape`, `mean`), or a varying one (`each`, `level`).
    Quantity {
        /// The shapes.
        shapes: &'static Kind,
        /// Whether it has a typical level.
        varying: bool,
    },
    /// The address of a field.
    Path,
    /// Values by the address of a field.
    ByPath(&'static Kind),
}

/// A field of a record.
pub struct Field {
    /// Its name in the JSON form.
    pub name: &'static str,
    /// How it is written.
    pub kind: &'static Kind,
    /// What it is when it is not written.
    pub absent: Absent,
}

/// What a field is when it is not written.
#[derive(Clone, Copy)]
pub enum Absent {
    /// It is always written.
    Never,
    /// Not there.
    Missing,
    /// The identity after the one introduced last.
    NextId,
    /// This value, as JSON; it counts for ever, whatever later defaults are.
    Json(&'static str),
}

const fn field(name: &'static str, kind: &'static Kind, absent: Absent) -> Field {
    Field { name, kind, absent }
}

const ZERO: Absent = Absent::Json(r#"{"shape":{"fixed":0.0}}"#);
const NONE: Absent = Absent::Json("[]");
const ID: Field = field("id", &Kind::Id, Absent::NextId);
const NAME: Field = field("name", &Kind::Text, Absent::Never);

static QUANTITY: Kind = Kind::Quantity {
    shapes: &SHAPE,
    varying: false,
};
static VARYING: Kind = Kind::Quantity {
    shapes: &SHAPE,
    varying: true,
};

macro_rules! numbers {
    ($($name:literal)*) => { Some(&Kind::Record(&[$(field($name, &Kind::Number, Absent::Never)),*])) };
}

static SHAPE: Kind = Kind::Choice(&[
    ("fixed", Some(&Kind::Number)),
    ("between", numbers!("p10" "p90")),
    ("between_probably", numbers!("p10" "mode" "p90")),
    ("few_are_large", Some(&FEW_ARE_LARGE)),
    ("uniform", numbers!("min" "max")),
    ("pert", numbers!("min" "mode" "max")),
    ("triangular", numbers!("min" "mode" "max")),
    ("normal", numbers!("mean" "sd")),
    ("lognormal", numbers!("mu" "sigma")),
    ("beta", numbers!("alpha" "beta" "min" "max")),
    ("gamma", numbers!("shape" "scale")),
    ("discrete", Some(&Kind::List(&WEIGHTED_VALUE))),
    ("quantiles", Some(&Kind::Fixed(&Kind::Number, 9))),
    ("mix", Some(&Kind::List(&MIX_PART))),
    ("pareto_tail", Some(&PARETO_TAIL)),
    ("sample", Some(&Kind::List(&Kind::Number))),
]);
static PARETO_TAIL: Kind = Kind::Record(&[
    field("p50", &Kind::Number, Absent::Never),
    field(
        "percentile",
        &Kind::Word(&["p90", "p95", "p99"]),
        Absent::Json(r#""p99""#),
    ),
    field("high", &Kind::Number, Absent::Never),
    field("alpha", &Kind::Number, Absent::Never),
]);
static FEW_ARE_LARGE: Kind = Kind::Record(&[
    field("p50", &Kind::Number, Absent::Never),
    field(
        "percentile",
        &Kind::Word(&["p90", "p95", "p99"]),
        Absent::Json(r#""p99""#),
    ),
    field("high", &Kind::Number, Absent::Never),
]);
static WEIGHTED_VALUE: Kind = Kind::Record(&[
    field("value", &Kind::Number, Absent::Never),
    field("weight", &Kind::Number, Absent::Never),
]);
static MIX_PART: Kind = Kind::Record(&[
    field("weight", &Kind::Number, Absent::Never),
    field("part", &SHAPE, Absent::Never),
]);

static SETTINGS: Kind = Kind::Record(&[
    field("start", &Kind::Origin, Absent::Never),
    field("horizon_months", &Kind::Uint, Absent::Json("18")),
    field("time_zone", &Kind::Text, Absent::Json(r#""UTC""#)),
    field("currency", &Kind::Text, Absent::Json(r#""USD""#)),
    field("fiscal_year_start_month", &Kind::Uint, Absent::Json("1")),
    field("seed", &Kind::Uint, Absent::Json("1")),
    field("trials", &Kind::Uint, Absent::Json("1000")),
]);

static FEATURE: Kind = Kind::Record(&[
    ID,
    NAME,
    field("pool", &Kind::Ref, Absent::Never),
    field("model", &Kind::Ref, Absent::Never),
    field("launch", &LAUNCH, Absent::Json(r#""live""#)),
    field("retire", &Kind::Day, Absent::Missing),
    field("requests_per_day", &QUANTITY, Absent::Never),
    field("growth_per_month", &QUANTITY, ZERO),
    field(
        "weekly_profile",
        &WEEKLY_PROFILE,
        Absent::Json(r#"{"shape":"flat"}"#),
    ),
    field(
        "calls_per_request",
        &QUANTITY,
        Absent::Json(r#"{"shape":{"fixed":1.0}}"#),
    ),
    field("input_tokens", &VARYING, Absent::Never),
    field("context_growth_tokens", &QUANTITY, ZERO),
    field("prefix_tokens", &QUANTITY, ZERO),
    field("cached_share", &QUANTITY, ZERO),
    field("output_tokens", &VARYING, Absent::Never),
    field("retry_probability", &QUANTITY, ZERO),
    field("max_retries", &Kind::Uint, Absent::Json("2")),
    field("token_drift_per_month", &QUANTITY, ZERO),
    field("noise", &NOISE, Absent::Json(NOISE_BEFORE_EDITING)),
    field("by_hour", &BY_HOUR, Absent::Missing),
    field("lanes", &LANES, Absent::Missing),
    field("tools", &TOOLS, Absent::Missing),
    field("caps", &CAPS, Absent::Missing),
    field("runaways", &RUNAWAYS, Absent::Missing),
]);
static TOOLS: Kind = Kind::Record(&[
    field("calls_per_request", &QUANTITY, ZERO),
    field("seconds", &QUANTITY, ZERO),
]);
static CAPS: Kind = Kind::Record(&[
    field("tokens", &Kind::Number, Absent::Missing),
    field("calls", &Kind::Uint, Absent::Missing),
    field("tool_calls", &Kind::Uint, Absent::Missing),
    field("seconds", &Kind::Number, Absent::Missing),
    field("identical_errors", &Kind::Uint, Absent::Missing),
    field("soft", &SOFT_LIMIT, Absent::Missing),
]);
static SOFT_LIMIT: Kind = Kind::Record(&[
    field(
        "of",
        &Kind::Word(&["tokens", "calls", "tool_calls", "seconds"]),
        Absent::Never,
    ),
    field("at", &Kind::Number, Absent::Json("0.8")),
    field(
        "then",
        &Kind::Choice(&[
            ("stop", None),
            ("one_more_call", None),
            ("degrade", numbers!("token_factor")),
        ]),
        Absent::Json(r#""stop""#),
    ),
]);
static RUNAWAYS: Kind = Kind::Record(&[
    field("per_million_requests", &QUANTITY, Absent::Never),
    field("tokens_per_hour", &QUANTITY, Absent::Never),
    field("hours_until_found", &QUANTITY, Absent::Never),
]);
static BY_HOUR: Kind = Kind::Record(&[
    field("cached_share_left", &WEEK, Absent::Missing),
    field("retry_factor", &WEEK, Absent::Missing),
    field("load_sensitivity", &QUANTITY, Absent::Missing),
]);
static LANES: Kind = Kind::Record(&[
    field("threshold_tokens", &Kind::Number, Absent::Never),
    field("pool", &Kind::Ref, Absent::Never),
    field("model", &Kind::Ref, Absent::Never),
    field("misrouted_short", &QUANTITY, ZERO),
    field("misrouted_long", &QUANTITY, ZERO),
    field(
        "triage_cost_per_request",
        &Kind::Number,
        Absent::Json("0.0"),
    ),
]);
static WEEK: Kind = Kind::List(&Kind::Number);
static LAUNCH: Kind = Kind::Choice(&[
    ("live", None),
    (
        "planned",
        Some(&Kind::Record(&[
            field("date", &Kind::Day, Absent::Never),
            field("slip_days", &QUANTITY, ZERO),
            field("ramp_days", &QUANTITY, ZERO),
        ])),
    ),
]);
static WEEKLY_PROFILE: Kind = Kind::Record(&[
    field("time_zone", &Kind::Text, Absent::Missing),
    field(
        "shape",
        &Kind::Choice(&[
            ("flat", None),
            ("office_hours", None),
            ("consumer", None),
            ("custom", Some(&Kind::List(&Kind::Number))),
        ]),
        Absent::Json(r#""flat""#),
    ),
]);
const NOISE_BEFORE_EDITING: &str = r#"{"hour_cv":0.2,"hour_persistence":0.5,"burstiness":0.25,"burst_persistence":0.3,"shock_loading":1.0}"#;
static NOISE: Kind = Kind::Record(&[
    field("hour_cv", &Kind::Number, Absent::Json("0.2")),
    field("hour_persistence", &Kind::Number, Absent::Json("0.5")),
    field("burstiness", &Kind::Number, Absent::Json("0.25")),
    field("burst_persistence", &Kind::Number, Absent::Json("0.3")),
    field("shock_loading", &Kind::Number, Absent::Json("1.0")),
]);

static MODEL: Kind = Kind::Record(&[
    ID,
    NAME,
    field("ttft_seconds", &Kind::Number, Absent::Json("0.5")),
    field(
        "sequence_tokens_per_second",
        &Kind::Number,
        Absent::Json("50.0"),
    ),
    field("context_window_tokens", &Kind::Number, Absent::Missing),
    field("price", &PRICE_CARD, Absent::Missing),
    field("serving", &SERVING_PROFILE, Absent::Missing),
]);
static PRICE_CARD: Kind = Kind::Record(&[
    field("uncached_input", &Kind::Number, Absent::Never),
    field("cached_read", &Kind::Number, Absent::Never),
    field("output", &Kind::Number, Absent::Never),
]);
static SERVING_PROFILE: Kind = Kind::Record(&[
    field("gpus_per_replica", &Kind::Uint, Absent::Json("1")),
    field("prefill_tokens_per_second", &Kind::Number, Absent::Never),
    field("decode_tokens_per_second", &Kind::Number, Absent::Never),
    field("concurrent_sequences", &Kind::Uint, Absent::Never),
    field("minimum_replicas", &Kind::Uint, Absent::Json("1")),
]);

static POOL: Kind = Kind::Record(&[
    ID,
    NAME,
    field("acceptable_chance", &Kind::Number, Absent::Json("0.05")),
    field("kind", &POOL_KIND, Absent::Never),
]);
static POOL_KIND: Kind = Kind::Choice(&[
    (
        "gpu_cluster",
        Some(&Kind::Record(&[
            field("target_utilisation", &Kind::Number, Absent::Never),
            field("on_demand_rate_per_gpu_hour", &Kind::Number, Absent::Never),
            field(
                "burst",
                &Kind::Record(&[
                    field("max_gpus", &Kind::Uint, Absent::Never),
                    field("rate_per_gpu_hour", &Kind::Number, Absent::Never),
                ]),
                Absent::Missing,
            ),
        ])),
    ),
    (
        "pay_as_you_go",
        Some(&Kind::Record(&[
            field("tokens_per_minute", &Kind::Number, Absent::Missing),
            field("requests_per_minute", &Kind::Number, Absent::Missing),
            field("cached_reads_count", &Kind::Flag, Absent::Json("false")),
        ])),
    ),
]);

static COMMITMENT: Kind = Kind::Record(&[
    ID,
    NAME,
    field("start", &Kind::Day, Absent::Never),
    field("term_months", &Kind::Uint, Absent::Never),
    field("kind", &COMMITMENT_KIND, Absent::Never),
]);
static COMMITMENT_KIND: Kind = Kind::Choice(&[
    (
        "reserved_capacity",
        Some(&Kind::Record(&[
            field("pool", &Kind::Ref, Absent::Never),
            field("gpus", &Kind::Uint, Absent::Never),
            field("rate_per_gpu_hour", &Kind::Number, Absent::Never),
            field("upfront_share", &Kind::Number, Absent::Json("0.0")),
        ])),
    ),
    (
        "spend_commitment",
        Some(&Kind::Record(&[
            field("amount_per_hour", &Kind::Number, Absent::Never),
            field("discount", &Kind::Number, Absent::Never),
            field(
                "basis",
                &Kind::Word(&["discounted", "list"]),
                Absent::Json(r#""discounted""#),
            ),
        ])),
    ),
]);

static SEASON: Kind = Kind::Record(&[
    ID,
    NAME,
    field(
        "dates",
        &Kind::List(&Kind::Record(&[
            field("first", &Kind::Day, Absent::Never),
            field("last", &Kind::Day, Absent::Never),
        ])),
        NONE,
    ),
    field("yearly", &Kind::Flag, Absent::Json("false")),
    field("multiplier", &QUANTITY, Absent::Never),
    field("ramp_in_days", &Kind::Uint, Absent::Json("0")),
    field("ramp_out_days", &Kind::Uint, Absent::Json("0")),
    field(
        "touches",
        &Kind::Choice(&[("all", None), ("only", Some(&Kind::List(&Kind::Ref)))]),
        Absent::Json(r#""all""#),
    ),
]);

static BUDGET: Kind = Kind::Record(&[
    ID,
    NAME,
    field(
        "period",
        &Kind::Word(&["month", "quarter", "year"]),
        Absent::Json(r#""year""#),
    ),
    field("only", &Kind::Day, Absent::Missing),
    field("amount", &Kind::Number, Absent::Never),
    field(
        "cost",
        &Kind::Word(&["effective", "billed"]),
        Absent::Json(r#""effective""#),
    ),
    field("spent_before", &Kind::Number, Absent::Json("0.0")),
    field("acceptable_chance", &Kind::Number, Absent::Json("0.05")),
]);

static DEPENDENCE: Kind = Kind::Record(&[
    field(
        "demand_shock",
        &Kind::Record(&[
            field("deviation", &Kind::Number, Absent::Never),
            field("weekly_persistence", &Kind::Number, Absent::Never),
        ]),
        Absent::Missing,
    ),
    field(
        "correlations",
        &Kind::List(&Kind::Record(&[
            field("a", &Kind::Path, Absent::Never),
            field("b", &Kind::Path, Absent::Never),
            field("rank", &Kind::Number, Absent::Never),
        ])),
        Absent::Missing,
    ),
]);

static NOTE: Kind = Kind::Record(&[
    field("text", &Kind::Text, Absent::Missing),
    field("source", &Kind::Text, Absent::Missing),
    field("owner", &Kind::Text, Absent::Missing),
    field("date", &Kind::Day, Absent::Missing),
]);

/// A whole scenario of JSON format 1.
pub static SCENARIO: Kind = Kind::Record(&[
    field("format", &Kind::Uint, Absent::Json("1")),
    NAME,
    field("settings", &SETTINGS, Absent::Never),
    field("features", &Kind::List(&FEATURE), NONE),
    field("models", &Kind::List(&MODEL), NONE),
    field("pools", &Kind::List(&POOL), NONE),
    field("commitments", &Kind::List(&COMMITMENT), NONE),
    field("seasons", &Kind::List(&SEASON), NONE),
    field("budgets", &Kind::List(&BUDGET), NONE),
    field("dependence", &DEPENDENCE, Absent::Missing),
    field("notes", &Kind::ByPath(&NOTE), Absent::Missing),
]);

/// First parts of addresses, and whether an identity follows.
pub const PATH_SECTIONS: &[(&str, bool)] = &[
    ("settings", false),
    ("features", true),
    ("models", true),
    ("pools", true),
    ("commitments", true),
    ("seasons", true),
    ("budgets", true),
];

/// Last parts of addresses; others are written as text.
pub const PATH_FIELDS: &[&str] = &[
    "name",
    "start",
    "horizon_months",
    "time_zone",
    "currency",
    "fiscal_year_start_month",
    "seed",
    "trials",
    "pool",
    "model",
    "launch",
    "date",
    "slip_days",
    "ramp_days",
    "retire",
    "requests_per_day",
    "growth_per_month",
    "weekly_profile",
    "calls_per_request",
    "input_tokens",
    "input_tokens_level",
    "context_growth_tokens",
    "prefix_tokens",
    "cached_share",
    "output_tokens",
    "output_tokens_level",
    "retry_probability",
    "max_retries",
    "token_drift_per_month",
    "noise",
    "hour_cv",
    "hour_persistence",
    "burstiness",
    "burst_persistence",
    "ttft_seconds",
    "sequence_tokens_per_second",
    "price",
    "uncached_input",
    "cached_read",
    "output",
    "serving",
    "gpus_per_replica",
    "prefill_tokens_per_second",
    "decode_tokens_per_second",
    "concurrent_sequences",
    "minimum_replicas",
    "acceptable_chance",
    "kind",
    "target_utilisation",
    "on_demand_rate_per_gpu_hour",
    "burst",
    "max_gpus",
    "rate_per_gpu_hour",
    "tokens_per_minute",
    "requests_per_minute",
    "cached_reads_count",
    "term_months",
    "gpus",
    "upfront_share",
    "amount_per_hour",
    "discount",
    "basis",
    "dates",
    "yearly",
    "multiplier",
    "ramp_in_days",
    "ramp_out_days",
    "touches",
    "period",
    "only",
    "amount",
    "cost",
    "spent_before",
    "cached_share_left",
    "retry_factor",
    "load_sensitivity",
    "threshold_tokens",
    "lane_pool",
    "lane_model",
    "misrouted_short",
    "misrouted_long",
    "triage_cost_per_request",
    "tool_calls_per_request",
    "tool_seconds",
    "cap_tokens",
    "cap_calls",
    "cap_tool_calls",
    "cap_seconds",
    "cap_identical_errors",
    "soft_of",
    "soft_at",
    "soft_then",
    "soft_token_factor",
    "runaways",
    "runaways_per_million_requests",
    "runaway_tokens_per_hour",
    "runaway_hours_until_found",
    "context_window_tokens",
];
