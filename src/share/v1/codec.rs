//! Version 1, the walk: a JSON value and its [`Kind`] to bytes and back. Frozen.
//!
//! A record stores two bits per field: as by default, as in the record before, or written out.

use jiff::civil::{Date, date};
use serde_json::Value;

use super::schema::{Absent, Field, PATH_FIELDS, PATH_SECTIONS};
use super::wire::Malformed;

mod read;
mod write;

pub use read::read;
pub use write::write;

/// Deepest nesting of lists and mixes.
const MAX_DEPTH: u32 = 64;

const BY_DEFAULT: u8 = 0;
const AS_BEFORE: u8 = 1;
const WRITTEN: u8 = 2;

/// Dates and ids are written as distances from what came before.
#[derive(Clone, Copy)]
struct Context {
    /// Day 0.
    origin: Date,
    /// Last identity that was introduced.
    last_id: u64,
}

impl Context {
    const fn new() -> Self {
        Self {
            origin: date(2026, 1, 1),
            last_id: 0,
        }
    }

    fn days(&self, day: Date) -> i64 {
        i64::from((day - self.origin).get_days())
    }

    fn day(&self, days: i64) -> Result<Date, Malformed> {
        let span = jiff::Span::new().try_days(days).map_err(|_| Malformed)?;
        self.origin.checked_add(span).map_err(|_| Malformed)
    }
}

/// What stands for a field that is not written; `None`: nothing.
fn default_of(field: &Field, context: &Context) -> Result<Option<Value>, Malformed> {
    match field.absent {
        Absent::Never | Absent::Missing => Ok(None),
        Absent::NextId => Ok(Some(Value::from(context.last_id.wrapping_add(1)))),
        Absent::Json(text) => serde_json::from_str(text).map(Some).map_err(|_| Malformed),
    }
}

fn path_text(section: u64, id: Option<u64>, field: u64) -> Result<String, Malformed> {
    let at = |i: u64| usize::try_from(i).map_err(|_| Malformed);
    let section = PATH_SECTIONS.get(at(section)?).ok_or(Malformed)?.0;
    let field = PATH_FIELDS.get(at(field)?).ok_or(Malformed)?;
    Ok(match id {
        Some(id) => format!("{section}/{id}/{field}"),
        None => format!("{section}/{field}"),
    })
}
