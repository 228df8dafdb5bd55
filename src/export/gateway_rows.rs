//! Rows of the plan CSV about a feature's gateway: tools, caps, runaways, what is under way at once, ceilings.

use super::period::Span;
use super::row::{Numbers, Sheet, Subject, Unit};
use crate::engine::projection::{GatewayOutcome, Series, Summary};

impl Sheet<'_> {
    /// Only what a feature has; an unbounded ceiling has no rows.
    pub(super) fn gateway(&mut self, subject: &Subject<'_>, gateway: &GatewayOutcome) {
        let mut series = |metric, unit: Option<&'static str>, series: &Series| {
            let unit = unit.map_or(subject.unit, Unit::Of);
            let subject = Subject {
                metric,
                unit,
                ..*subject
            };
            self.series(&subject, series, None);
        };
        if let Some(calls) = &gateway.tool_calls {
            series("tool_calls", Some("Calls"), calls);
        }
        if let Some(caps) = &gateway.caps {
            series("stopped_requests", Some("Requests"), &caps.stopped_requests);
            series("cut_off_cost", None, &caps.cut_off_cost);
            if let Some(softened) = &caps.softened_requests {
                series("soft_limited_requests", Some("Requests"), softened);
            }
        }
        if let Some(runaways) = &gateway.runaways {
            series("runaway_requests", Some("Requests"), &runaways.begun);
            series("runaway_tokens", Some("Tokens"), &runaways.tokens);
            series("runaway_cost", None, &runaways.list_cost);
        }
        if let Some(caps) = &gateway.caps {
            self.monthly(subject, "stopped_share", "Share", &caps.stopped_share);
            let subject = Subject {
                metric: "stopped_share",
                unit: Unit::Of("Share"),
                ..*subject
            };
            let numbers = Numbers {
                summary: Some(&caps.stopped_share_horizon),
                ..Numbers::default()
            };
            self.row(&subject, Span::Horizon, &numbers);
        }
        self.monthly(
            subject,
            "peak_requests",
            "Requests at once",
            &gateway.peak_requests,
        );
        for (metric, unit, months) in [
            ("peak_tool_calls", "Calls at once", &gateway.peak_tool_calls),
            (
                "ceiling_tokens_per_minute",
                "Tokens/min",
                &gateway.ceiling_tokens_per_minute,
            ),
            (
                "ceiling_tokens_in_memory",
                "Tokens",
                &gateway.ceiling_tokens_in_memory,
            ),
        ] {
            if let Some(months) = months {
                self.monthly(subject, metric, unit, months);
            }
        }
    }

    fn monthly(
        &mut self,
        subject: &Subject<'_>,
        metric: &'static str,
        unit: &'static str,
        months: &[Summary],
    ) {
        for (month, summary) in months.iter().enumerate() {
            let numbers = Numbers {
                summary: Some(summary),
                ..Numbers::default()
            };
            let subject = Subject {
                metric,
                unit: Unit::Of(unit),
                ..*subject
            };
            self.row(&subject, Span::Month(month), &numbers);
        }
    }
}
