//! From a value to bytes.

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::super::schema::{Absent, Field, Kind, PATH_FIELDS, PATH_SECTIONS};
use super::super::wire::{Malformed, put_int, put_number, put_text, put_uint};
use super::{AS_BEFORE, BY_DEFAULT, Context, MAX_DEPTH, WRITTEN, default_of, path_text};

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
            Kind::Path => self.put_path(value.as_str().ok_or(Malformed)?),
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
