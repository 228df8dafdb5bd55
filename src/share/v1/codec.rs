//! Version 1, the walk: a JSON value and its [`Kind`] to bytes and back. Frozen.
//!
//! A record stores two bits per field: as by default, as in the record before, or written out.

use jiff::civil::{Date, date};
use serde_json::{Map, Number, Value};

use super::schema::{Absent, Field, Kind, PATH_FIELDS, PATH_SECTIONS};
use super::wire::{Malformed, Reader, put_int, put_number, put_text, put_uint};

/// Deepest nesting of lists and mixes.
const MAX_DEPTH: u32 = 64;
/// Most values and bytes of text that bytes may unfold into ("as before" is cheap to write and may be long to hold).
const MAX_UNFOLDED: usize = 2 << 20;

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

/// A value as bytes; an error if it has something that this version has no place for.
pub fn write(kind: &Kind, value: &Value) -> Result<Vec<u8>, Malformed> {
    let mut writer = Writer {
        out: Vec::new(),
        context: Context::new(),
        depth: 0,
    };
    writer.put(kind, value, None)?;
    Ok(writer.out)
}

/// The value of bytes.
pub fn read(kind: &Kind, bytes: &[u8]) -> Result<Value, Malformed> {
    let mut parser = Parser {
        bytes: Reader::new(bytes),
        context: Context::new(),
        depth: 0,
        unfolded: 0,
    };
    let value = parser.get(kind, None)?;
    if parser.bytes.left() > 0 {
        return Err(Malformed);
    }
    Ok(value)
}

/// Equal to the last bit: -0.0 is not 0.0, 1 is not 1.0.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b && a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
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

struct Writer {
    out: Vec<u8>,
    context: Context,
    depth: u32,
}

impl Writer {
    fn put(&mut self, kind: &Kind, value: &Value, before: Option<&Value>) -> Result<(), Malformed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Malformed);
        }
        self.put_inside(kind, value, before)?;
        self.depth -= 1;
        Ok(())
    }

    fn put_inside(
        &mut self,
        kind: &Kind,
        value: &Value,
        before: Option<&Value>,
    ) -> Result<(), Malformed> {
        match kind {
            Kind::Text => put_text(&mut self.out, value.as_str().ok_or(Malformed)?),
            Kind::Uint | Kind::Ref => put_uint(&mut self.out, value.as_u64().ok_or(Malformed)?),
            Kind::Id => {
                let id = value.as_u64().ok_or(Malformed)?;
                self.context.last_id = id;
                put_uint(&mut self.out, id);
            }
            Kind::Flag => put_uint(&mut self.out, u64::from(value.as_bool().ok_or(Malformed)?)),
            Kind::Number => put_number(&mut self.out, value.as_f64().ok_or(Malformed)?),
            Kind::Day | Kind::Origin => {
                let day: Date = value
                    .as_str()
                    .and_then(|s| s.parse().ok())
                    .ok_or(Malformed)?;
                put_int(&mut self.out, self.context.days(day));
                if matches!(kind, Kind::Origin) {
                    self.context.origin = day;
                }
            }
            Kind::Word(words) => {
                let word = value.as_str().ok_or(Malformed)?;
                put_uint(&mut self.out, index(words.iter().copied(), word)?);
            }
            Kind::Record(fields) => self.put_record(fields, value, before)?,
            Kind::List(item) => {
                let items = value.as_array().ok_or(Malformed)?;
                put_uint(&mut self.out, items.len() as u64);
                self.put_items(item, items)?;
            }
            Kind::Fixed(item, length) => {
                let items = value.as_array().ok_or(Malformed)?;
                if items.len() != *length {
                    return Err(Malformed);
                }
                self.put_items(item, items)?;
            }
            Kind::Choice(variants) => {
                let (tag, inner) = choice(variants, value)?;
                put_uint(&mut self.out, tag);
                if let Some((kind, value)) = inner {
                    self.put(kind, value, None)?;
                }
            }
            Kind::Quantity { shapes, varying } => self.put_quantity(shapes, *varying, value)?,
            Kind::ByPath(item) => {
                let entries = value.as_object().ok_or(Malformed)?;
                put_uint(&mut self.out, entries.len() as u64);
                let mut before = None;
                for (path, value) in entries {
                    self.put_path(path);
                    self.put(item, value, before)?;
                    before = Some(value);
                }
            }
        }
        Ok(())
    }

    fn put_items(&mut self, item: &Kind, items: &[Value]) -> Result<(), Malformed> {
        let mut before = None;
        for value in items {
            self.put(item, value, before)?;
            before = Some(value);
        }
        Ok(())
    }

    fn put_record(
        &mut self,
        fields: &[Field],
        value: &Value,
        before: Option<&Value>,
    ) -> Result<(), Malformed> {
        let record = value.as_object().ok_or(Malformed)?;
        if record
            .keys()
            .any(|key| fields.iter().all(|f| f.name != key))
        {
            return Err(Malformed);
        }
        let mut written = Vec::new();
        let mut states = Vec::with_capacity(fields.len());
        for field in fields {
            let value = record.get(field.name);
            let default = default_of(field, &self.context)?;
            let before = before.and_then(|b| b.get(field.name));
            let is_default = match (value, &default) {
                (None, None) => !matches!(field.absent, Absent::Never),
                (Some(value), Some(default)) => same(value, default),
                _ => false,
            };
            states.push(if is_default {
                if let (Absent::NextId, Some(id)) = (field.absent, value) {
                    self.context.last_id = id.as_u64().ok_or(Malformed)?;
                }
                BY_DEFAULT
            } else {
                let value = value.ok_or(Malformed)?;
                if before.is_some_and(|b| same(b, value)) && !matches!(field.absent, Absent::NextId)
                {
                    AS_BEFORE
                } else {
                    written.push((field.kind, value, before));
                    WRITTEN
                }
            });
        }
        for four in states.chunks(4) {
            self.out
                .push(four.iter().rev().fold(0, |byte, state| byte << 2 | state));
        }
        for (kind, value, before) in written {
            self.put(kind, value, before)?;
        }
        Ok(())
    }

    /// `variant << 2 | level << 1 | mean`, the shape's numbers, the mean, the level.
    fn put_quantity(
        &mut self,
        shapes: &'static Kind,
        varying: bool,
        value: &Value,
    ) -> Result<(), Malformed> {
        let Kind::Choice(variants) = shapes else {
            return Err(Malformed);
        };
        let outer = value.as_object().ok_or(Malformed)?;
        let (each, level) = if varying {
            (outer.get("each").ok_or(Malformed)?, outer.get("level"))
        } else {
            (value, None)
        };
        let each = each.as_object().ok_or(Malformed)?;
        let mean = each.get("mean");
        let known = |map: &Map<String, Value>, extra: usize| map.len() == 1 + extra;
        if !known(each, usize::from(mean.is_some()))
            || (varying && !known(outer, usize::from(level.is_some())))
        {
            return Err(Malformed);
        }
        let (tag, inner) = choice(variants, each.get("shape").ok_or(Malformed)?)?;
        let flags = u64::from(level.is_some()) << 1 | u64::from(mean.is_some());
        put_uint(&mut self.out, tag << 2 | flags);
        if let Some((kind, value)) = inner {
            self.put(kind, value, None)?;
        }
        if let Some(mean) = mean {
            put_number(&mut self.out, mean.as_f64().ok_or(Malformed)?);
        }
        if let Some(level) = level {
            self.put(
                &Kind::Quantity {
                    shapes,
                    varying: false,
                },
                level,
                None,
            )?;
        }
        Ok(())
    }

    /// Section from 1, id, field; or 0 and the whole text.
    fn put_path(&mut self, path: &str) {
        match known_path(path) {
            Some((section, id, field)) => {
                put_uint(&mut self.out, section + 1);
                if let Some(id) = id {
                    put_uint(&mut self.out, id);
                }
                put_uint(&mut self.out, field);
            }
            None => {
                put_uint(&mut self.out, 0);
                put_text(&mut self.out, path);
            }
        }
    }
}

fn index<'a>(mut words: impl Iterator<Item = &'a str>, word: &str) -> Result<u64, Malformed> {
    words
        .position(|w| w == word)
        .map(|i| i as u64)
        .ok_or(Malformed)
}

/// Tag and content of `"name"` or `{"name": content}`.
type Chosen<'v> = (u64, Option<(&'static Kind, &'v Value)>);

fn choice<'v>(
    variants: &[(&'static str, Option<&'static Kind>)],
    value: &'v Value,
) -> Result<Chosen<'v>, Malformed> {
    let (name, content) = match value {
        Value::String(name) => (name, None),
        Value::Object(map) if map.len() == 1 => map
            .iter()
            .next()
            .map(|(name, content)| (name, Some(content)))
            .ok_or(Malformed)?,
        _ => return Err(Malformed),
    };
    let tag = index(variants.iter().map(|v| v.0), name)?;
    match (
        variants.iter().find(|v| v.0 == name).and_then(|v| v.1),
        content,
    ) {
        (None, None) => Ok((tag, None)),
        (Some(kind), Some(content)) => Ok((tag, Some((kind, content)))),
        _ => Err(Malformed),
    }
}

fn known_path(path: &str) -> Option<(u64, Option<u64>, u64)> {
    let (section, rest) = path.split_once('/')?;
    let position = PATH_SECTIONS.iter().position(|s| s.0 == section)?;
    let (id, field) = if PATH_SECTIONS.get(position)?.1 {
        let (id, field) = rest.split_once('/')?;
        (Some(id.parse::<u32>().ok()?), field)
    } else {
        (None, rest)
    };
    let field = PATH_FIELDS.iter().position(|f| *f == field)?;
    let known = (position as u64, id.map(u64::from), field as u64);
    // "007" is not 7: only a path that comes back letter by letter is taken apart.
    (path_text(known.0, known.1, known.2).ok()? == path).then_some(known)
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

struct Parser<'a> {
    bytes: Reader<'a>,
    context: Context,
    depth: u32,
    unfolded: usize,
}

impl Parser<'_> {
    fn get(&mut self, kind: &Kind, before: Option<&Value>) -> Result<Value, Malformed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Malformed);
        }
        self.unfold(1)?;
        let value = self.get_inside(kind, before)?;
        self.depth -= 1;
        Ok(value)
    }

    fn unfold(&mut self, size: usize) -> Result<(), Malformed> {
        self.unfolded = self.unfolded.saturating_add(size);
        if self.unfolded > MAX_UNFOLDED {
            Err(Malformed)
        } else {
            Ok(())
        }
    }

    fn get_inside(&mut self, kind: &Kind, before: Option<&Value>) -> Result<Value, Malformed> {
        Ok(match kind {
            Kind::Text => {
                let text = self.bytes.text()?.to_owned();
                self.unfold(text.len())?;
                Value::String(text)
            }
            Kind::Uint | Kind::Ref => Value::from(self.bytes.uint()?),
            Kind::Id => {
                self.context.last_id = self.bytes.uint()?;
                Value::from(self.context.last_id)
            }
            Kind::Flag => match self.bytes.uint()? {
                0 => Value::Bool(false),
                1 => Value::Bool(true),
                _ => return Err(Malformed),
            },
            Kind::Number => number(self.bytes.number()?)?,
            Kind::Day | Kind::Origin => {
                let days = self.bytes.int()?;
                let day = self.context.day(days)?;
                if matches!(kind, Kind::Origin) {
                    self.context.origin = day;
                }
                Value::String(day.to_string())
            }
            Kind::Word(words) => {
                let i = self.small()?;
                Value::from(*words.get(i).ok_or(Malformed)?)
            }
            Kind::Record(fields) => self.get_record(fields, before)?,
            Kind::List(item) => {
                let count = self.count()?;
                self.get_items(item, count)?
            }
            Kind::Fixed(item, length) => self.get_items(item, *length)?,
            Kind::Choice(variants) => {
                let tag = self.small()?;
                self.get_choice(variants, tag)?
            }
            Kind::Quantity { shapes, varying } => self.get_quantity(shapes, *varying)?,
            Kind::ByPath(item) => {
                let count = self.count()?;
                let mut map = Map::new();
                let mut before: Option<Value> = None;
                for _ in 0..count {
                    let path = self.get_path()?;
                    let value = self.get(item, before.as_ref())?;
                    before = Some(value.clone());
                    if map.insert(path, value).is_some() {
                        return Err(Malformed);
                    }
                }
                Value::Object(map)
            }
        })
    }

    fn small(&mut self) -> Result<usize, Malformed> {
        usize::try_from(self.bytes.uint()?).map_err(|_| Malformed)
    }

    /// A count of things of which each takes at least a byte.
    fn count(&mut self) -> Result<usize, Malformed> {
        let count = self.small()?;
        if count > self.bytes.left() {
            Err(Malformed)
        } else {
            Ok(count)
        }
    }

    fn get_items(&mut self, item: &Kind, count: usize) -> Result<Value, Malformed> {
        let mut items: Vec<Value> = Vec::new();
        for _ in 0..count {
            let value = self.get(item, items.last())?;
            items.push(value);
        }
        Ok(Value::Array(items))
    }

    fn get_choice(
        &mut self,
        variants: &[(&'static str, Option<&'static Kind>)],
        tag: usize,
    ) -> Result<Value, Malformed> {
        let (name, content) = variants.get(tag).ok_or(Malformed)?;
        Ok(match content {
            None => Value::from(*name),
            Some(kind) => {
                let content = self.get(kind, None)?;
                Value::Object(Map::from_iter([((*name).to_owned(), content)]))
            }
        })
    }

    fn get_record(&mut self, fields: &[Field], before: Option<&Value>) -> Result<Value, Malformed> {
        let states = self.bytes.bytes(fields.len().div_ceil(4))?;
        let padding = (states.len() * 4 - fields.len()) * 2;
        if states
            .last()
            .is_some_and(|last| padding > 0 && last >> (8 - padding) != 0)
        {
            return Err(Malformed);
        }
        let mut record = Map::new();
        for (i, field) in fields.iter().enumerate() {
            let state = states.get(i / 4).ok_or(Malformed)? >> (i % 4 * 2) & 3;
            let before = before.and_then(|b| b.get(field.name));
            let value = match state {
                BY_DEFAULT if matches!(field.absent, Absent::Never) => return Err(Malformed),
                BY_DEFAULT => {
                    let value = default_of(field, &self.context)?;
                    if let (Absent::NextId, Some(id)) = (field.absent, &value) {
                        self.context.last_id = id.as_u64().ok_or(Malformed)?;
                    }
                    value
                }
                AS_BEFORE => Some(before.ok_or(Malformed)?.clone()),
                WRITTEN => Some(self.get(field.kind, before)?),
                _ => return Err(Malformed),
            };
            if let Some(value) = value {
                if state != WRITTEN {
                    self.unfold(size(&value))?;
                }
                record.insert(field.name.to_owned(), value);
            }
        }
        Ok(Value::Object(record))
    }

    fn get_quantity(&mut self, shapes: &'static Kind, varying: bool) -> Result<Value, Malformed> {
        let Kind::Choice(variants) = shapes else {
            return Err(Malformed);
        };
        let head = self.bytes.uint()?;
        let (has_level, has_mean) = (head & 2 != 0, head & 1 != 0);
        if has_level && !varying {
            return Err(Malformed);
        }
        let tag = usize::try_from(head >> 2).map_err(|_| Malformed)?;
        let mut each = Map::new();
        each.insert("shape".to_owned(), self.get_choice(variants, tag)?);
        if has_mean {
            each.insert("mean".to_owned(), number(self.bytes.number()?)?);
        }
        if !varying {
            return Ok(Value::Object(each));
        }
        let mut outer = Map::new();
        outer.insert("each".to_owned(), Value::Object(each));
        if has_level {
            let level = self.get(
                &Kind::Quantity {
                    shapes,
                    varying: false,
                },
                None,
            )?;
            outer.insert("level".to_owned(), level);
        }
        Ok(Value::Object(outer))
    }

    fn get_path(&mut self) -> Result<String, Malformed> {
        match self.bytes.uint()? {
            0 => {
                let text = self.bytes.text()?.to_owned();
                self.unfold(text.len())?;
                Ok(text)
            }
            section => {
                let section = section - 1;
                let at = usize::try_from(section).map_err(|_| Malformed)?;
                let id = match PATH_SECTIONS.get(at).ok_or(Malformed)? {
                    (_, true) => Some(self.bytes.uint()?),
                    (_, false) => None,
                };
                let field = self.bytes.uint()?;
                path_text(section, id, field)
            }
        }
    }
}

/// JSON has no infinities, so a number that is not finite cannot have been written.
fn number(x: f64) -> Result<Value, Malformed> {
    Number::from_f64(x).map(Value::Number).ok_or(Malformed)
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.values().map(size).sum(),
        _ => 0,
    }
}
