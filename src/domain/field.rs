//! Names of fields: one table that validation, random streams, sensitivity, notes, messages and the editor share.

use serde::{Deserialize, Serialize};

use super::quantity::{Domain, Kind, Quantity};
use super::scenario::{Id, Launch, Scenario};

/// The address of one field, for example `features/3/requests_per_day` or `settings/start`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FieldPath(String);

impl FieldPath {
    /// A field of an entity: `section` is the JSON name of its list.
    #[must_use]
    pub fn of(section: &str, id: Id, field: &str) -> Self {
        Self(format!("{section}/{}/{field}", id.0))
    }

    /// A field that belongs to no entity, `settings/currency`.
    #[must_use]
    pub fn plain(section: &str, field: &str) -> Self {
        Self(format!("{section}/{field}"))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Section, entity and field name.
    #[must_use]
    pub fn parts(&self) -> (&str, Option<Id>, &str) {
        let mut it = self.0.splitn(3, '/');
        let section = it.next().unwrap_or_default();
        let second = it.next().unwrap_or_default();
        match (second.parse(), it.next()) {
            (Ok(id), Some(field)) => (section, Some(Id(id)), field),
            _ => (section, None, self.0.split_once('/').map_or("", |x| x.1)),
        }
    }
}

/// Unit of a number, for echo, axis and export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Pure number.
    One,
    /// Multiplier, shown with a times sign.
    Factor,
    /// Fraction shown in %.
    Share,
    /// Fraction per month shown in %.
    SharePerMonth,
    /// Requests per day.
    RequestsPerDay,
    /// Calls.
    Calls,
    /// Tokens.
    Tokens,
    /// Days.
    Days,
    /// Months.
    Months,
    /// Seconds.
    Seconds,
    /// Hours.
    Hours,
    /// Tool calls.
    ToolCalls,
    /// Requests per million requests.
    PerMillion,
    /// Tokens per hour.
    TokensPerHour,
    /// Tokens per second.
    TokensPerSecond,
    /// Tokens per minute.
    TokensPerMinute,
    /// Calls per minute.
    RequestsPerMinute,
    /// GPUs.
    Gpus,
    /// Replicas.
    Replicas,
    /// Money in the scenario's currency.
    Money,
    /// Money per hour.
    MoneyPerHour,
    /// Money per GPU and hour.
    MoneyPerGpuHour,
    /// Money per million tokens.
    MoneyPerMillionTokens,
}

/// What one uncertain or varying field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// JSON name of the list that the entity is in.
    pub section: &'static str,
    /// JSON name of the field.
    pub name: &'static str,
    /// Whether it is drawn per trial or per request.
    pub kind: Kind,
    /// What values it may take.
    pub domain: Domain,
    /// Its unit.
    pub unit: Unit,
    /// Key of its random stream: fixed for ever, unique within the section.
    pub purpose: u32,
}

macro_rules! specs {
    ($($section:literal { $($name:literal $kind:ident $domain:ident $unit:ident $purpose:literal)* })*) => {
        &[$($(FieldSpec { section: $section, name: $name, kind: Kind::$kind, domain: Domain::$domain, unit: Unit::$unit, purpose: $purpose },)*)*]
    };
}

/// Every field that takes a [`Quantity`]. Purposes are never reused or renumbered: they key the random streams.
pub const QUANTITY_FIELDS: &[FieldSpec] = specs! {
    "features" {
        "requests_per_day"            Uncertain Positive       RequestsPerDay 1
        "growth_per_month"            Uncertain Change         SharePerMonth  2
        "slip_days"                   Uncertain NonNegative    Days           3
        "ramp_days"                   Uncertain NonNegative    Days           4
        "calls_per_request"           Varies    IntegerFromOne Calls          5
        "input_tokens"                Varies    Positive       Tokens         6
        "input_tokens_level"          Uncertain Positive       Factor         7
        "context_growth_tokens"       Varies    NonNegative    Tokens         8
        "prefix_tokens"               Uncertain NonNegative    Tokens         9
        "cached_share"                Varies    Share          Share          10
        "output_tokens"               Varies    Positive       Tokens         11
        "output_tokens_level"         Uncertain Positive       Factor         12
        "retry_probability"           Uncertain Share          Share          13
        "token_drift_per_month"       Uncertain Change         SharePerMonth  14
        "load_sensitivity"            Uncertain NonNegative    Share          30
        "misrouted_short"             Uncertain Share          Share          31
        "misrouted_long"              Uncertain Share          Share          32
        "tool_calls_per_request"      Varies    IntegerFromZero ToolCalls     40
        "tool_seconds"                Varies    NonNegative    Seconds        41
        "runaways_per_million_requests" Uncertain NonNegative  PerMillion     42
        "runaway_tokens_per_hour"     Uncertain Positive       TokensPerHour  43
        "runaway_hours_until_found"   Varies    Positive       Hours          44
    }
    "seasons" {
        "multiplier"                  Uncertain Positive       Factor         1
    }
};

/// The specification of a field by section and name.
#[must_use]
pub fn spec(section: &str, name: &str) -> Option<&'static FieldSpec> {
    QUANTITY_FIELDS
        .iter()
        .find(|s| s.section == section && s.name == name)
}

impl Scenario {
    /// The quantity at a path, if the scenario has that entity and field.
    #[must_use]
    pub fn quantity(&self, path: &FieldPath) -> Option<&Quantity> {
        let (section, id, field) = path.parts();
        let id = id?;
        match section {
            "features" => {
                let f = self.features.iter().find(|f| f.id == id)?;
                Some(match field {
                    "requests_per_day" => &f.requests_per_day,
                    "growth_per_month" => &f.growth_per_month,
                    "slip_days" | "ramp_days" => match &f.launch {
                        Launch::Live => return None,
                        Launch::Planned {
                            slip_days,
                            ramp_days,
                            ..
                        } => {
                            if field == "slip_days" {
                                slip_days
                            } else {
                                ramp_days
                            }
                        }
                    },
                    "calls_per_request" => &f.calls_per_request,
                    "input_tokens" => &f.input_tokens.each,
                    "input_tokens_level" => &f.input_tokens.level,
                    "context_growth_tokens" => &f.context_growth_tokens,
                    "prefix_tokens" => &f.prefix_tokens,
                    "cached_share" => &f.cached_share,
                    "output_tokens" => &f.output_tokens.each,
                    "output_tokens_level" => &f.output_tokens.level,
                    "retry_probability" => &f.retry_probability,
                    "token_drift_per_month" => &f.token_drift_per_month,
                    "load_sensitivity" => &f.by_hour.load_sensitivity,
                    "misrouted_short" => &f.lanes.as_ref()?.misrouted_short,
                    "misrouted_long" => &f.lanes.as_ref()?.misrouted_long,
                    "tool_calls_per_request" => &f.tools.calls_per_request,
                    "tool_seconds" => &f.tools.seconds,
                    _ => return f.runaways.as_ref()?.quantity(field),
                })
            }
            "seasons" if field == "multiplier" => self
                .seasons
                .iter()
                .find(|s| s.id == id)
                .map(|s| &s.multiplier),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn quantity_mut(&mut self, path: &FieldPath) -> Option<&mut Quantity> {
        let (section, id, field) = path.parts();
        let id = id?;
        match section {
            "features" => {
                let f = self.features.iter_mut().find(|f| f.id == id)?;
                Some(match field {
                    "requests_per_day" => &mut f.requests_per_day,
                    "growth_per_month" => &mut f.growth_per_month,
                    "slip_days" | "ramp_days" => match &mut f.launch {
                        Launch::Live => return None,
                        Launch::Planned {
                            slip_days,
                            ramp_days,
                            ..
                        } => {
                            if field == "slip_days" {
                                slip_days
                            } else {
                                ramp_days
                            }
                        }
                    },
                    "calls_per_request" => &mut f.calls_per_request,
                    "input_tokens" => &mut f.input_tokens.each,
                    "input_tokens_level" => &mut f.input_tokens.level,
                    "context_growth_tokens" => &mut f.context_growth_tokens,
                    "prefix_tokens" => &mut f.prefix_tokens,
                    "cached_share" => &mut f.cached_share,
                    "output_tokens" => &mut f.output_tokens.each,
                    "output_tokens_level" => &mut f.output_tokens.level,
                    "retry_probability" => &mut f.retry_probability,
                    "token_drift_per_month" => &mut f.token_drift_per_month,
                    "load_sensitivity" => &mut f.by_hour.load_sensitivity,
                    "misrouted_short" => &mut f.lanes.as_mut()?.misrouted_short,
                    "misrouted_long" => &mut f.lanes.as_mut()?.misrouted_long,
                    "tool_calls_per_request" => &mut f.tools.calls_per_request,
                    "tool_seconds" => &mut f.tools.seconds,
                    _ => return f.runaways.as_mut()?.quantity_mut(field),
                })
            }
            "seasons" if field == "multiplier" => self
                .seasons
                .iter_mut()
                .find(|s| s.id == id)
                .map(|s| &mut s.multiplier),
            _ => None,
        }
    }

    /// Every quantity with its path and specification, features first, in entry order.
    #[must_use]
    pub fn quantities(&self) -> Vec<(FieldPath, &'static FieldSpec, &Quantity)> {
        let entities = self
            .features
            .iter()
            .map(|f| ("features", f.id))
            .chain(self.seasons.iter().map(|s| ("seasons", s.id)));
        entities
            .flat_map(|(section, id)| {
                QUANTITY_FIELDS
                    .iter()
                    .filter(move |s| s.section == section)
                    .filter_map(move |s| {
                        let path = FieldPath::of(section, id, s.name);
                        self.quantity(&path).map(|q| (path, s, q))
                    })
            })
            .collect()
    }

    /// An id that no entity has.
    #[must_use]
    pub fn free_id(&self) -> Id {
        Id(self.ids().map(|i| i.0).max().unwrap_or(0).saturating_add(1))
    }

    /// Whether an entity has this id.
    #[must_use]
    pub fn has(&self, id: Id) -> bool {
        self.ids().any(|x| x == id)
    }

    fn ids(&self) -> impl Iterator<Item = Id> {
        self.features
            .iter()
            .map(|x| x.id)
            .chain(self.models.iter().map(|x| x.id))
            .chain(self.pools.iter().map(|x| x.id))
            .chain(self.commitments.iter().map(|x| x.id))
            .chain(self.seasons.iter().map(|x| x.id))
            .chain(self.budgets.iter().map(|x| x.id))
    }
}
