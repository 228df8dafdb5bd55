//! From bytes to a value.

use serde_json::{Map, Number, Value};

use super::super::schema::{Absent, Field, Kind, PATH_SECTIONS};
use super::super::wire::{Malformed, Reader};
use super::{AS_BEFORE, BY_DEFAULT, Context, MAX_DEPTH, WRITTEN, default_of, path_text};

/// Most values and bytes of text that bytes may unfold into ("as before" is cheap to write and may be long to hold).
const MAX_UNFOLDED: usize = 2 << 20;

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
            Kind::Path => Value::String(self.get_path()?),
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
