//! Tokens to an entry.

use super::column::{SAMPLE, has_parameters, is_column, sample, without_heading};
use super::families::{Family, family};
use super::lex::{self, Kind, Number, Token, piece};
use super::{GrammarProblem, LONGEST_COLUMN, LONGEST_ENTRY, cells, weights};
use crate::domain::field::Unit;
use crate::domain::quantity::{HighPercentile, MixPart, Quantity, Shape, WeightedValue};

type Result<T> = std::result::Result<T, GrammarProblem>;

const DEEPEST: u32 = 4;

/// Behind a weight that is relative.
const PARTS: &[&str] = &["part", "parts"];

const PROBABLY: &[&str] = &[
    "probably",
    "likely",
    "mode",
    "around",
    "about",
    "typically",
    "大概",
    "可能",
    "多半",
    "约",
];

/// Reads a whole entry.
pub(super) fn entry(text: &str, unit: Unit) -> Result<Quantity> {
    whole(text, unit).map_err(|problem| match problem {
        GrammarProblem::TooLong { .. } => problem,
        problem if is_column(text) => cells::unreadable(text, unit).unwrap_or(problem),
        problem => problem,
    })
}

fn whole(text: &str, unit: Unit) -> Result<Quantity> {
    let longest = if is_column(text) {
        LONGEST_COLUMN
    } else {
        LONGEST_ENTRY
    };
    if text.len() > 4 * longest || text.chars().count() > longest {
        return Err(GrammarProblem::TooLong { most: longest });
    }
    let original: Vec<char> = text.trim().chars().collect();
    if original.is_empty() {
        return Err(GrammarProblem::Empty);
    }
    if is_column(text) {
        let body = if text.trim_start().starts_with(SAMPLE) {
            0
        } else {
            without_heading(&original)
        };
        let mut parser = Parser::new(&original[body..], unit, false)?;
        if let Some(values) = parser.column()? {
            return sample(values);
        }
    }
    let spaces_join = !has_parameters(&original);
    let mut parser = Parser::new(&original, unit, spaces_join)?;
    if let Some(values) = parser.column()? {
        return sample(values);
    }
    let quantity = parser.quantity()?;
    parser.certain_fractions()?;
    Ok(quantity)
}

struct Parser<'a> {
    original: &'a [char],
    tokens: Vec<Token>,
    at: usize,
    unit: Unit,
    /// Numbers in the field's unit that were read, for the question whether 0.6 is 60 %.
    used: Vec<Number>,
}

impl<'a> Parser<'a> {
    fn new(original: &'a [char], unit: Unit, spaces_join: bool) -> Result<Self> {
        Ok(Self {
            original,
            tokens: lex::tokens(original, unit, spaces_join)?,
            at: 0,
            unit,
            used: Vec::new(),
        })
    }

    fn percent_field(&self) -> bool {
        matches!(self.unit, Unit::Share | Unit::SharePerMonth)
    }

    fn kind(&self, ahead: usize) -> Option<&Kind> {
        self.tokens.get(self.at + ahead).map(|t| &t.kind)
    }

    fn unexpected(&self) -> GrammarProblem {
        match self.tokens.get(self.at) {
            None => GrammarProblem::MissingNumber,
            Some(token) => GrammarProblem::Unexpected {
                at: token.span.0,
                piece: piece(self.original, token.span),
            },
        }
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        match self.kind(ahead) {
            Some(Kind::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn accept_word(&mut self, words: &[&str]) -> bool {
        let found = self.word(0).is_some_and(|w| words.contains(&w));
        if found {
            self.at += 1;
        }
        found
    }

    fn accept(&mut self, kind: &Kind) -> bool {
        let found = self.kind(0) == Some(kind);
        if found {
            self.at += 1;
        }
        found
    }

    fn number(&mut self) -> Result<Number> {
        match self.kind(0) {
            Some(Kind::Number(number)) => {
                let number = number.clone();
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// A number in the field's unit.
    fn value(&mut self) -> Result<f64> {
        let number = self.number()?;
        self.measured(number)
    }

    fn measured(&mut self, number: Number) -> Result<f64> {
        let value = if self.percent_field() || number.percent && self.unit == Unit::Factor {
            number.value(-2)
        } else if number.percent {
            return Err(GrammarProblem::WrongUnit {
                piece: piece(self.original, number.span),
            });
        } else {
            number.value(0)
        };
        self.used.push(number);
        Ok(value)
    }

    /// A number without a unit, or a percentage of one.
    fn bare(&mut self) -> Result<f64> {
        let number = self.number()?;
        Ok(number.value(if number.percent { -2 } else { 0 }))
    }

    /// All tokens are numbers with separators between: a pasted column.
    fn column(&mut self) -> Result<Option<Vec<f64>>> {
        let mut numbers = Vec::new();
        let mut separated = true;
        for token in &self.tokens {
            match &token.kind {
                Kind::Number(number) if separated => {
                    numbers.push(number.clone());
                    separated = false;
                }
                Kind::Comma | Kind::Separator => separated = true,
                _ => return Ok(None),
            }
        }
        if numbers.len() < 2 {
            return Ok(None);
        }
        // Columns are data: bare shares are fractions only if all of them are, and a % says otherwise.
        let any_percent = numbers.iter().any(|n| n.percent);
        let fractions =
            self.percent_field() && !any_percent && numbers.iter().all(|n| n.value(0).abs() <= 1.0);
        let mut values = Vec::with_capacity(numbers.len());
        for number in numbers {
            values.push(if fractions {
                number.value(0)
            } else {
                self.measured(number)?
            });
        }
        Ok(Some(values))
    }

    fn quantity(&mut self) -> Result<Quantity> {
        let shape = self.shape(0)?;
        self.accept(&Kind::Comma);
        let mean = if self.accept_word(&["mean", "average", "avg", "平均"]) {
            self.accept(&Kind::Colon);
            Some(self.value()?)
        } else {
            None
        };
        if self.at < self.tokens.len() {
            return Err(self.unexpected());
        }
        Ok(Quantity { shape, mean })
    }

    /// `0.6` in a field of percent without a % anywhere: 0.6 % or 60 %?
    fn certain_fractions(&self) -> Result<()> {
        if !self.percent_field() || self.used.iter().any(|n| n.percent) {
            return Ok(());
        }
        let small = |n: &&Number| {
            let value = n.value(0).abs();
            value > 0.0 && value <= 1.0
        };
        let Some(first) = self.used.iter().find(small) else {
            return Ok(());
        };
        let mut numbers: Vec<&Number> = self.used.iter().collect();
        numbers.sort_by_key(|n| n.span.0);
        let rewrite = |times_100: bool| {
            let mut out = String::new();
            let mut from = 0;
            for number in &numbers {
                out.extend(&self.original[from..number.span.0]);
                if times_100 {
                    out.push_str(&super::write::percent(number.value(0)));
                } else {
                    out.extend(&self.original[number.span.0..number.span.1]);
                    out.push('%');
                }
                from = number.span.1;
            }
            out.extend(&self.original[from..]);
            out
        };
        Err(GrammarProblem::Ambiguous {
            piece: piece(self.original, first.span),
            readings: vec![rewrite(false), rewrite(true)],
        })
    }

    /// Whether the next tokens are `95% 5k` or `3 parts 5k`: a weight and the beginning of what it weighs.
    fn weight_follows(&self) -> bool {
        let percent = matches!(self.kind(0), Some(Kind::Number(n)) if n.percent);
        let parts = matches!(self.kind(0), Some(Kind::Number(_)))
            && self.word(1).is_some_and(|w| PARTS.contains(&w));
        (percent || parts)
            && match self.kind(1 + usize::from(parts)) {
                Some(Kind::Number(_) | Kind::Open | Kind::Percentile(_)) => true,
                Some(Kind::Word(word)) => {
                    family(word).is_some()
                        || matches!(word.as_str(), "between" | "discrete" | "sample")
                }
                _ => false,
            }
    }

    fn shape(&mut self, depth: u32) -> Result<Shape> {
        if depth > DEEPEST {
            return Err(GrammarProblem::TooDeep);
        }
        if self.weight_follows() {
            let (mut parts, mut weights) = (Vec::new(), Vec::new());
            loop {
                let number = self.number()?;
                self.accept_word(PARTS);
                let part = self.part(depth)?;
                let weight = number.value(if number.percent { -2 } else { 0 });
                parts.push(MixPart { weight, part });
                weights.push(number);
                let back = self.at;
                self.accept(&Kind::Comma);
                self.accept_word(&["and"]);
                if !self.weight_follows() {
                    self.at = back;
                    weights::check(self.original, &weights)?;
                    return Ok(Shape::Mix(parts));
                }
            }
        }
        self.part(depth)
    }

    /// A shape that is not a mix, or any shape in brackets.
    fn part(&mut self, depth: u32) -> Result<Shape> {
        if self.accept(&Kind::Open) {
            let inner = self.shape(depth + 1)?;
            return if self.accept(&Kind::Close) {
                Ok(inner)
            } else {
                Err(self.unexpected())
            };
        }
        match self.kind(0) {
            Some(Kind::Percentile(_)) => self.percentiles(None),
            Some(Kind::Number(_)) if self.kind(1) == Some(&Kind::Colon) => self.discrete(),
            Some(Kind::Number(_)) => self.sentence(false),
            Some(Kind::Word(word)) => match word.as_str() {
                "between" => {
                    self.at += 1;
                    self.sentence(true)
                }
                "from" | "从" => {
                    self.at += 1;
                    self.sentence(false)
                }
                "discrete" => {
                    self.at += 1;
                    self.discrete()
                }
                SAMPLE => {
                    self.at += 1;
                    self.sample()
                }
                "median" => {
                    self.at += 1;
                    self.accept(&Kind::Colon);
                    let median = self.value()?;
                    self.percentiles(Some(median))
                }
                "exactly" => {
                    self.at += 1;
                    Ok(Shape::Fixed(self.value()?))
                }
                word => match family(word) {
                    Some(family) => {
                        self.at += 1;
                        self.family(family)
                    }
                    None => Err(self.unexpected()),
                },
            },
            _ => Err(self.unexpected()),
        }
    }

    /// What begins with a number: one number, a range, a number and more or less, a median and a percentile.
    fn sentence(&mut self, between: bool) -> Result<Shape> {
        let first = self.number()?;
        match self.kind(0) {
            Some(Kind::PlusMinus) => {
                self.at += 1;
                return self.plus_minus(first);
            }
            Some(Kind::Dash) => self.at += 1,
            Some(Kind::Word(word))
                if matches!(word.as_str(), "to" | "到" | "至") || between && word == "and" =>
            {
                self.at += 1;
            }
            Some(Kind::Comma) if matches!(self.kind(1), Some(Kind::Percentile(_))) => {
                self.at += 1;
                let median = self.measured(first)?;
                return self.percentiles(Some(median));
            }
            Some(Kind::Percentile(_)) => {
                let median = self.measured(first)?;
                return self.percentiles(Some(median));
            }
            _ => return Ok(Shape::Fixed(self.measured(first)?)),
        }
        let low = self.measured(first)?;
        let high = self.value()?;
        let (mut hard, mut mode) = (false, None);
        loop {
            let back = self.at;
            self.accept(&Kind::Comma);
            if self.accept_word(&["hard", "limits", "exactly", "硬"]) {
                hard = true;
            } else if mode.is_none() && self.probably() {
                mode = Some(self.value()?);
            } else {
                self.at = back;
                break;
            }
        }
        Ok(match (hard, mode) {
            (false, None) => Shape::Between {
                p10: low,
                p90: high,
            },
            (false, Some(mode)) => Shape::BetweenProbably {
                p10: low,
                mode,
                p90: high,
            },
            (true, None) => Shape::Uniform {
                min: low,
                max: high,
            },
            (true, Some(mode)) => Shape::Pert {
                min: low,
                mode,
                max: high,
            },
        })
    }

    fn probably(&mut self) -> bool {
        if self.word(0) == Some("most") && self.word(1) == Some("likely") {
            self.at += 2;
            return true;
        }
        self.accept_word(PROBABLY)
    }

    /// `42k ±20%`: p10 and p90 that far from the middle.
    fn plus_minus(&mut self, middle: Number) -> Result<Shape> {
        let by = self.number()?;
        if self.percent_field() && by.percent {
            return Err(self.points_or_part(&middle, &by));
        }
        let center = self.measured(middle)?;
        let distance = if by.percent {
            center.abs() * by.value(-2)
        } else {
            self.measured(by)?
        };
        Ok(Shape::Between {
            p10: neat(center - distance),
            p90: neat(center + distance),
        })
    }

    /// `30% ±5%`: 25 to 35, or 28.5 to 31.5?
    fn points_or_part(&self, middle: &Number, by: &Number) -> GrammarProblem {
        let (center, distance) = (middle.value(-2), by.value(-2));
        let range = |d: f64| {
            let before: String = self.original[..middle.span.0].iter().collect();
            let after: String = self.original[by.span.1..].iter().collect();
            format!(
                "{before}{} to {}{after}",
                super::write::percent(neat(center - d)),
                super::write::percent(neat(center + d))
            )
        };
        GrammarProblem::Ambiguous {
            piece: piece(self.original, (middle.span.0, by.span.1)),
            readings: vec![range(distance), range(center.abs() * distance)],
        }
    }

    /// `11, p99 30`, `p10 24k, p90 68k`, `p0 1 … p100 9`.
    fn percentiles(&mut self, median: Option<f64>) -> Result<Shape> {
        let mut at: Vec<(u32, f64)> = median.map(|m| (50, m)).into_iter().collect();
        let (mut mode, mut tail) = (None, None);
        loop {
            let back = self.at;
            self.accept(&Kind::Comma);
            if tail.is_none() && self.accept_word(&["tail", "pareto"]) {
                self.accept(&Kind::Colon);
                tail = Some(self.bare()?);
            } else if let Some(Kind::Percentile(percentile)) = self.kind(0) {
                let percentile = *percentile;
                self.at += 1;
                self.accept(&Kind::Colon);
                let value = self.value()?;
                if at.iter().any(|(p, _)| *p == percentile) {
                    return Err(GrammarProblem::WhichPercentiles);
                }
                at.push((percentile, value));
            } else if mode.is_none() && self.probably() {
                mode = Some(self.value()?);
            } else {
                self.at = back;
                break;
            }
        }
        at.sort_by_key(|(p, _)| *p);
        let value = |i: usize| at[i].1;
        let which: Vec<u32> = at.iter().map(|(p, _)| *p).collect();
        if let Some(alpha) = tail {
            let percentile = match (which.as_slice(), mode) {
                ([50, 90], None) => HighPercentile::P90,
                ([50, 95], None) => HighPercentile::P95,
                ([50, 99], None) => HighPercentile::P99,
                _ => return Err(GrammarProblem::WhichPercentiles),
            };
            return Ok(Shape::ParetoTail {
                p50: value(0),
                percentile,
                high: value(1),
                alpha,
            });
        }
        Ok(match (which.as_slice(), mode) {
            ([50, 90], None) => few(value(0), HighPercentile::P90, value(1)),
            ([50, 95], None) => few(value(0), HighPercentile::P95, value(1)),
            ([50, 99], None) => few(value(0), HighPercentile::P99, value(1)),
            ([10, 90], None) => Shape::Between {
                p10: value(0),
                p90: value(1),
            },
            ([10, 90], Some(mode)) => Shape::BetweenProbably {
                p10: value(0),
                mode,
                p90: value(1),
            },
            ([0, 10, 25, 50, 75, 90, 95, 99, 100], None) => {
                let mut nine = [0.0; 9];
                for (to, (_, from)) in nine.iter_mut().zip(&at) {
                    *to = *from;
                }
                Shape::Quantiles(nine)
            }
            _ => return Err(GrammarProblem::WhichPercentiles),
        })
    }

    /// `sample 3, 5, 8`.
    fn sample(&mut self) -> Result<Shape> {
        self.accept(&Kind::Colon);
        let mut values = vec![self.value()?];
        loop {
            let back = self.at;
            while self.accept(&Kind::Comma) || self.accept(&Kind::Separator) {}
            // The weight of the next part of a mix is no value.
            if !matches!(self.kind(0), Some(Kind::Number(_))) || self.weight_follows() {
                self.at = back;
                return Ok(Shape::Sample(values));
            }
            values.push(self.value()?);
        }
    }

    /// `1: 60%, 2: 40%`.
    fn discrete(&mut self) -> Result<Shape> {
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        loop {
            let value = self.value()?;
            if !self.accept(&Kind::Colon) {
                return Err(self.unexpected());
            }
            let number = self.number()?;
            let weight = number.value(if number.percent { -2 } else { 0 });
            values.push(WeightedValue { value, weight });
            weights.push(number);
            let more = self.kind(0) == Some(&Kind::Comma)
                && matches!(self.kind(1), Some(Kind::Number(_)))
                && self.kind(2) == Some(&Kind::Colon);
            if !more {
                weights::check(self.original, &weights)?;
                return Ok(Shape::Discrete(values));
            }
            self.at += 1;
        }
    }

    /// Parameters by name, by order, or both.
    fn family(&mut self, family: &Family) -> Result<Shape> {
        let mut values: [Option<f64>; 4] = [None; 4];
        let parts = family.parts;
        loop {
            let back = self.at;
            self.accept(&Kind::Comma);
            let named = self.word(0).and_then(|w| {
                parts
                    .iter()
                    .position(|p| p.names.contains(&w))
                    .filter(|i| values[*i].is_none())
            });
            let next = values[..parts.len()].iter().position(Option::is_none);
            let index = match (named, next, self.kind(0)) {
                (Some(index), ..) => {
                    self.at += 1;
                    self.accept(&Kind::Colon);
                    index
                }
                // A number is the next parameter, unless it weighs the next part of a mix.
                (None, Some(index), Some(Kind::Number(_)))
                    if self.at == back || !self.weight_follows() =>
                {
                    index
                }
                _ => {
                    self.at = back;
                    break;
                }
            };
            values[index] = Some(if parts[index].measured {
                self.value()?
            } else {
                self.bare()?
            });
        }
        (family.make)(values).ok_or(GrammarProblem::Parameters {
            name: family.names[0],
            count: family.needed,
        })
    }
}

fn few(p50: f64, percentile: HighPercentile, high: f64) -> Shape {
    Shape::FewAreLarge {
        p50,
        percentile,
        high,
    }
}

/// 15 significant digits: 0.3 - 0.1 is 0.2.
fn neat(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}
