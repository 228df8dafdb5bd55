//! What happens around the calls of a request: tools between them, caps that a gateway enforces from outside, and
//! requests that run away.

use serde::{Deserialize, Serialize};

use super::quantity::Quantity;

/// Tool calls of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// Tool calls per request (varies, integer >= 0).
    pub calls_per_request: Quantity,
    /// Seconds that one tool call lasts (varies, >= 0).
    pub seconds: Quantity,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            calls_per_request: Quantity::fixed(0.0),
            seconds: Quantity::fixed(0.0),
        }
    }
}

impl Tools {
    /// Whether nothing was entered.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Where a gateway stops one request; none: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Caps {
    /// Tokens read and written, repeats included, > 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<f64>,
    /// Model calls, repeats included, >= 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u32>,
    /// Seconds since the request began, > 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Failed attempts of one call in a row, >= 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_errors: Option<u32>,
    /// What happens before a cap is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft: Option<SoftLimit>,
}

/// Tokens, calls, tool calls, seconds, errors in a row, soft limit.
pub type CapParts = (
    Option<f64>,
    Option<u32>,
    Option<u32>,
    Option<f64>,
    Option<u32>,
    Option<SoftLimit>,
);

/// What happens at a share of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SoftLimit {
    /// Of which cap.
    pub of: CapKind,
    /// At which share of it, > 0 and <= 1.
    pub at: f64,
    /// What is done.
    pub then: SoftAction,
}

/// Caps that can have a soft limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CapKind {
    /// Tokens read and written.
    Tokens,
    /// Model calls.
    Calls,
    /// Tool calls.
    ToolCalls,
    /// Seconds.
    Seconds,
}

/// What a soft limit does, before the next call is sent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SoftAction {
    /// No further call is sent.
    Stop,
    /// One more call is sent, to sum up, and no tool after it.
    OneMoreCall,
    /// Further calls read and write less.
    Degrade {
        /// Their tokens, as a factor, > 0 and <= 1.
        token_factor: f64,
    },
}

impl Caps {
    /// Whether no cap is set.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Takes a soft limit along whose cap is gone: there is nothing before which it could act.
    pub fn drop_idle_soft(&mut self) {
        if self.soft.is_some_and(|s| self.amount(s.of).is_none()) {
            self.soft = None;
        }
    }

    /// All of it in order, for formats that cannot leave a field out.
    #[must_use]
    pub const fn parts(&self) -> CapParts {
        (
            self.tokens,
            self.calls,
            self.tool_calls,
            self.seconds,
            self.identical_errors,
            self.soft,
        )
    }

    /// From its parts.
    #[must_use]
    pub const fn of(parts: CapParts) -> Self {
        let (tokens, calls, tool_calls, seconds, identical_errors, soft) = parts;
        Self {
            tokens,
            calls,
            tool_calls,
            seconds,
            identical_errors,
            soft,
        }
    }

    /// Amount of a cap; none: not set.
    #[must_use]
    pub fn amount(&self, kind: CapKind) -> Option<f64> {
        match kind {
            CapKind::Tokens => self.tokens,
            CapKind::Calls => self.calls.map(f64::from),
            CapKind::ToolCalls => self.tool_calls.map(f64::from),
            CapKind::Seconds => self.seconds,
        }
    }
}

/// Requests that never end by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Runaways {
    /// How many there are per million requests (uncertain, >= 0).
    pub per_million_requests: Quantity,
    /// Tokens that each burns per hour (uncertain, positive).
    pub tokens_per_hour: Quantity,
    /// Hours until somebody finds it (varies, positive).
    pub hours_until_found: Quantity,
}

impl Runaways {
    /// The quantity of a field of [`super::field::QUANTITY_FIELDS`].
    #[must_use]
    pub fn quantity(&self, field: &str) -> Option<&Quantity> {
        match field {
            "runaways_per_million_requests" => Some(&self.per_million_requests),
            "runaway_tokens_per_hour" => Some(&self.tokens_per_hour),
            "runaway_hours_until_found" => Some(&self.hours_until_found),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn quantity_mut(&mut self, field: &str) -> Option<&mut Quantity> {
        match field {
            "runaways_per_million_requests" => Some(&mut self.per_million_requests),
            "runaway_tokens_per_hour" => Some(&mut self.tokens_per_hour),
            "runaway_hours_until_found" => Some(&mut self.hours_until_found),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_limit_goes_with_its_cap_and_with_no_other() {
        let mut caps = Caps {
            tokens: Some(1e5),
            calls: Some(20),
            soft: Some(SoftLimit {
                of: CapKind::Tokens,
                at: 0.8,
                then: SoftAction::Stop,
            }),
            ..Caps::default()
        };
        caps.calls = None;
        caps.drop_idle_soft();
        assert!(caps.soft.is_some());
        caps.tokens = None;
        caps.drop_idle_soft();
        assert_eq!(caps.soft, None);
    }
}
