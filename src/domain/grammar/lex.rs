//! Text to tokens. Positions are characters, so that a piece can be marked or replaced in what was typed.

use super::GrammarProblem;
use super::units::{time_factors, unit_words};
use crate::domain::field::Unit;

type Result<T> = std::result::Result<T, GrammarProblem>;

/// A number as written: digits with a decimal point, and powers of ten that its marks stand for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    /// Digits, maybe a minus and a point: what `f64::from_str` reads.
    pub mantissa: String,
    /// Power of ten of exponent and marks, without that of %.
    pub exponent: i32,
    /// Whether a % stands behind it.
    pub percent: bool,
    /// Factor of a mark of time into the field's unit.
    pub factor: f64,
    /// First character and the one after the last.
    pub span: (usize, usize),
}

impl Number {
    /// The value times a power of ten, rounded once.
    pub(super) fn value(&self, shift: i32) -> f64 {
        let exponent = self.exponent.saturating_add(shift);
        let plain: f64 = format!("{}e{exponent}", self.mantissa)
            .parse()
            .unwrap_or(f64::NAN);
        // A minus before nothing is nothing.
        if plain == 0.0 {
            0.0
        } else {
            plain * self.factor
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(Number),
    /// Lower case.
    Word(String),
    /// `p99`: its number.
    Percentile(u32),
    Comma,
    /// Line feed, tab or semicolon.
    Separator,
    Dash,
    PlusMinus,
    /// `:` or `=`.
    Colon,
    Open,
    Close,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: (usize, usize),
}

/// Whether a character is a letter of a script that puts spaces between words: Chinese does not.
fn spaced(c: char) -> bool {
    c.is_alphabetic() && c < '\u{2e80}'
}

/// One character in its plain form.
fn plain(c: char) -> char {
    match c {
        '\u{ff10}'..='\u{ff19}' | '\u{ff0b}'..='\u{ff0f}' => {
            // Full width digits and + , - . /
            char::from_u32(c as u32 - 0xfee0).unwrap_or(c)
        }
        '\u{ff05}' => '%',
        '\u{ff1a}' | '=' => ':',
        '\u{ff08}' => '(',
        '\u{ff09}' => ')',
        '\u{3001}' => ',',
        '\u{ff1b}' | ';' | '\t' | '\r' => '\n',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '\u{ff5e}' | '\u{301c}' => '~',
        '\u{d7}' => 'x',
        '\u{2019}' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => '\'',
        '\u{3000}' => ' ',
        _ => c,
    }
}

pub(super) struct Lexer<'a> {
    original: &'a [char],
    chars: Vec<char>,
    unit: Unit,
    /// Whether `24 000` is one number: not where numbers stand beside each other.
    spaces_join: bool,
    at: usize,
    tokens: Vec<Token>,
}

/// Cuts a text into tokens.
pub(super) fn tokens(original: &[char], unit: Unit, spaces_join: bool) -> Result<Vec<Token>> {
    let mut lexer = Lexer {
        original,
        chars: original.iter().map(|c| plain(*c)).collect(),
        unit,
        spaces_join,
        at: 0,
        tokens: Vec::new(),
    };
    lexer.run()?;
    Ok(lexer.tokens)
}

/// A piece of the text as typed, at most 40 characters.
pub(super) fn piece(original: &[char], (from, to): (usize, usize)) -> String {
    original[from.min(original.len())..to.min(original.len())]
        .iter()
        .take(40)
        .collect()
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn digit(&self, at: usize) -> bool {
        self.chars.get(at).is_some_and(char::is_ascii_digit)
    }

    fn push(&mut self, kind: Kind, from: usize) {
        self.tokens.push(Token {
            kind,
            span: (from, self.at),
        });
    }

    fn single(&mut self, kind: Kind) {
        self.at += 1;
        self.push(kind, self.at - 1);
    }

    fn run(&mut self) -> Result<()> {
        while let Some(c) = self.peek(0) {
            let from = self.at;
            match c {
                '\n' => self.single(Kind::Separator),
                c if c.is_whitespace() || c == '\'' => self.at += 1,
                ',' => self.single(Kind::Comma),
                ':' => self.single(Kind::Colon),
                '(' => self.single(Kind::Open),
                ')' => self.single(Kind::Close),
                '±' => self.single(Kind::PlusMinus),
                '+' if self.peek(1) == Some('/') && self.peek(2) == Some('-') => {
                    self.at += 3;
                    self.push(Kind::PlusMinus, from);
                }
                '+' if self.peek(1) == Some('-') => {
                    self.at += 2;
                    self.push(Kind::PlusMinus, from);
                }
                '+' => self.at += 1,
                '-' => self.dash()?,
                // Between two numbers it is "to", before one it is "about".
                '~' if self.behind_number() => self.single(Kind::Dash),
                '~' => self.at += 1,
                '0'..='9' | '.' => self.number(false, from)?,
                'p' | 'P' if self.digit(self.at + 1) => self.percentile()?,
                c if self.currency(c) => self.at += 1,
                'x' if self.unit == Unit::Factor && !self.letter(self.at + 1) => self.at += 1,
                c if c.is_alphabetic() => self.word()?,
                _ => {
                    return Err(GrammarProblem::Unexpected {
                        at: from,
                        piece: piece(self.original, (from, from + 1)),
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether a letter of a script that puts spaces between words stands at a place.
    fn letter(&self, at: usize) -> bool {
        self.chars.get(at).is_some_and(|c| spaced(*c))
    }

    fn currency(&self, c: char) -> bool {
        matches!(
            self.unit,
            Unit::Money | Unit::MoneyPerHour | Unit::MoneyPerGpuHour | Unit::MoneyPerMillionTokens
        ) && matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₹' | '₩')
    }

    fn behind_number(&self) -> bool {
        self.tokens
            .last()
            .is_some_and(|t| matches!(t.kind, Kind::Number(_)))
    }

    /// A minus before a number, or what stands between two numbers.
    fn dash(&mut self) -> Result<()> {
        let from = self.at;
        let mut next = self.at + 1;
        while self
            .chars
            .get(next)
            .is_some_and(|c| *c == ' ' || *c == '\'' || self.currency(*c))
        {
            next += 1;
        }
        let number = self.digit(next) || self.chars.get(next) == Some(&'.') && self.digit(next + 1);
        if number && !self.behind_number() {
            self.at = next;
            return self.number(true, from);
        }
        self.single(Kind::Dash);
        Ok(())
    }

    fn percentile(&mut self) -> Result<()> {
        let from = self.at;
        self.at += 1;
        let mut value: u32 = 0;
        while let Some(digit) = self.peek(0).and_then(|c| c.to_digit(10)) {
            value = value.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        if self.peek(0) == Some('.') && self.digit(self.at + 1) {
            // p99.9 is none of ours
            return Err(GrammarProblem::WhichPercentiles);
        }
        self.push(Kind::Percentile(value), from);
        Ok(())
    }

    fn word(&mut self) -> Result<()> {
        let from = self.at;
        let first = spaced(self.chars[from]);
        while self
            .peek(0)
            .is_some_and(|c| c.is_alphabetic() && spaced(c) == first)
        {
            self.at += 1;
        }
        let word: String = self.chars[from..self.at]
            .iter()
            .flat_map(|c| c.to_lowercase())
            .collect();
        if matches!(word.as_str(), "nan" | "inf" | "infinity" | "infinite") {
            return Err(GrammarProblem::NotANumber {
                piece: piece(self.original, (from, self.at)),
            });
        }
        self.push(Kind::Word(word), from);
        Ok(())
    }

    /// Digits, then marks.
    fn number(&mut self, negative: bool, from: usize) -> Result<()> {
        let mut mantissa = String::new();
        if negative {
            mantissa.push('-');
        }
        self.digits(&mut mantissa, from)?;
        let exponent = self.exponent();
        let mut number = Number {
            mantissa,
            exponent,
            percent: false,
            factor: 1.0,
            span: (from, self.at),
        };
        self.marks(&mut number)?;
        number.span.1 = self.at;
        if !number
            .value(if number.percent { -2 } else { 0 })
            .is_finite()
        {
            return Err(GrammarProblem::TooLarge {
                piece: piece(self.original, number.span),
            });
        }
        self.push(Kind::Number(number), from);
        Ok(())
    }

    fn take_digits(&mut self, into: &mut String) -> usize {
        let from = self.at;
        while let Some(c) = self.peek(0).filter(char::is_ascii_digit) {
            into.push(c);
            self.at += 1;
        }
        self.at - from
    }

    /// Whether exactly three digits stand at a place.
    fn group(&self, at: usize) -> bool {
        (0..3).all(|i| self.digit(at + i)) && !self.digit(at + 3)
    }

    fn digits(&mut self, mantissa: &mut String, from: usize) -> Result<()> {
        let first_digit = self.at;
        let first = self.take_digits(mantissa);
        if first == 0 && !(self.peek(0) == Some('.') && self.digit(self.at + 1)) {
            // A point with nothing behind it.
            return Err(GrammarProblem::Unexpected {
                at: from,
                piece: piece(self.original, (from, self.at + 1)),
            });
        }
        let zero_first = self.chars.get(first_digit) == Some(&'0');
        if self.peek(0) == Some(',') && self.digit(self.at + 1) {
            self.commas(mantissa, from, first, zero_first)?;
        } else if (1..=3).contains(&first) && !zero_first {
            while self.group(self.at + 1)
                && (self.peek(0) == Some('\'') || self.peek(0) == Some(' ') && self.spaces_join)
            {
                self.at += 1;
                self.take_digits(mantissa);
            }
        }
        if self.peek(0) == Some('.') && self.digit(self.at + 1) {
            mantissa.push('.');
            self.at += 1;
            self.take_digits(mantissa);
            if self.points_are_thousands(from, first) {
                return Err(self.continental(from));
            }
        } else if self.peek(0) == Some('.') {
            // "5." while typing
            self.at += 1;
        }
        Ok(())
    }

    /// Whether `1.234` goes on as `.567` or as `,50` and nothing more.
    fn points_are_thousands(&self, from: usize, first: usize) -> bool {
        let behind_point = self.at.saturating_sub(from + first + 1);
        let thousands = first <= 3 && behind_point == 3;
        match self.peek(0) {
            Some('.') => self.digit(self.at + 1),
            Some(',') if thousands && self.digit(self.at + 1) => {
                let mut end = self.at + 1;
                while self.digit(end) {
                    end += 1;
                }
                let goes_on = matches!(self.chars.get(end), Some('.' | ','));
                let in_list = from > 0 && self.chars[from - 1] == ',';
                !goes_on && !in_list
            }
            _ => false,
        }
    }

    /// Commas directly between digits: thousands, a list, or who knows.
    fn commas(
        &mut self,
        mantissa: &mut String,
        from: usize,
        first: usize,
        zero_first: bool,
    ) -> Result<()> {
        // The second and later numbers of a list without spaces.
        if from > 0 && self.chars[from - 1] == ',' {
            return Ok(());
        }
        let mut groups = Vec::new();
        let mut at = self.at;
        while self.chars.get(at) == Some(&',') && self.digit(at + 1) {
            let start = at + 1;
            at = start;
            while self.digit(at) {
                at += 1;
            }
            groups.push(at - start);
        }
        let thousands = first <= 3 && groups.iter().all(|g| *g == 3) && !zero_first;
        if thousands {
            while self.peek(0) == Some(',') && self.digit(self.at + 1) {
                self.at += 1;
                self.take_digits(mantissa);
            }
            return Ok(());
        }
        if groups.len() == 1 {
            let whole: String = self.chars[from..self.at].iter().collect();
            let part: String = self.chars[self.at + 1..at].iter().collect();
            let piece_span = (from, at);
            let joined = format!("{whole}{part}");
            let trimmed = joined.trim_start_matches('0');
            let joined = if trimmed.is_empty() { "0" } else { trimmed };
            return Err(GrammarProblem::Ambiguous {
                piece: piece(self.original, piece_span),
                readings: vec![
                    self.replaced(piece_span, &format!("{whole}.{part}")),
                    self.replaced(piece_span, joined),
                ],
            });
        }
        // Several: a list; the comma stays for the next token.
        Ok(())
    }

    /// `1.234,5` and `1.234.567`: points between thousands are not read in English, but what is meant is clear.
    fn continental(&self, from: usize) -> GrammarProblem {
        let mut at = from;
        while self
            .chars
            .get(at)
            .is_some_and(|c| c.is_ascii_digit() || *c == '.' || *c == ',' || *c == '-')
        {
            at += 1;
        }
        let text: String = self.chars[from..at].iter().collect();
        let meant = text.replace('.', "").replacen(',', ".", 1);
        GrammarProblem::Ambiguous {
            piece: piece(self.original, (from, at)),
            readings: vec![self.replaced((from, at), &meant)],
        }
    }

    /// The whole text with a piece replaced.
    fn replaced(&self, (from, to): (usize, usize), by: &str) -> String {
        let before: String = self.original[..from].iter().collect();
        let after: String = self.original[to..].iter().collect();
        format!("{before}{by}{after}")
    }

    fn exponent(&mut self) -> i32 {
        if !matches!(self.peek(0), Some('e' | 'E')) {
            return 0;
        }
        let sign = match self.peek(1) {
            Some('-') => -1,
            Some('+') => 1,
            _ => 0,
        };
        let start = self.at + if sign == 0 { 1 } else { 2 };
        if !self.digit(start) {
            return 0;
        }
        self.at = start;
        let mut value: i32 = 0;
        while let Some(digit) = self.peek(0).and_then(|c| c.to_digit(10)) {
            value = value
                .saturating_mul(10)
                .saturating_add(digit as i32)
                .min(100_000);
            self.at += 1;
        }
        if sign < 0 { -value } else { value }
    }

    /// k M B T, %, marks of time, words of the unit.
    fn marks(&mut self, number: &mut Number) -> Result<()> {
        self.ten(number);
        self.time(number)?;
        if self.skip_blank('%') {
            number.percent = true;
        }
        let words = unit_words(self.unit);
        for word in words.nouns {
            if self.skip_word(word) {
                break;
            }
        }
        // "/day", "per day", "a day": only the period of the field itself.
        if !words.per.is_empty() {
            let back = self.at;
            let slash = self.skip_blank('/');
            let introduced = slash || self.skip_word("per") || self.skip_word("a");
            if introduced && !words.per.iter().any(|w| self.skip_word(w)) {
                self.at = back;
            }
        }
        Ok(())
    }

    fn ten(&mut self, number: &mut Number) {
        let months_or_minutes = time_factors(self.unit).is_some();
        for (mark, power) in [
            ("万亿", 12),
            ("百万", 6),
            ("千万", 7),
            ("千", 3),
            ("万", 4),
            ("亿", 8),
        ] {
            if self.skip_exact(mark) {
                number.exponent += power;
                return;
            }
        }
        for (mark, power) in [
            ("k", 3),
            ("thousand", 3),
            ("m", 6),
            ("mn", 6),
            ("million", 6),
            ("b", 9),
            ("bn", 9),
            ("g", 9),
            ("billion", 9),
            ("t", 12),
            ("trillion", 12),
        ] {
            // In fields of time a lone m is minutes or months: neither, until it is written out.
            if mark == "m" && months_or_minutes && self.peek(0) != Some('M') {
                continue;
            }
            if self.skip_word(mark) {
                number.exponent += power;
                return;
            }
        }
    }

    fn time(&mut self, number: &mut Number) -> Result<()> {
        let Some(factors) = time_factors(self.unit) else {
            return Ok(());
        };
        for (marks, factor) in factors {
            for mark in *marks {
                let back = self.at;
                if self.skip_word(mark) {
                    // `5 min 10` is a minimum: minutes have no number behind them.
                    let next = self.peek(self.blanks());
                    if *mark == "min"
                        && next.is_some_and(|c| c.is_ascii_digit() || "-.:".contains(c))
                    {
                        self.at = back;
                        return Ok(());
                    }
                    if *factor <= 0.0 {
                        return Err(GrammarProblem::WrongUnit {
                            piece: piece(self.original, (number.span.0, self.at)),
                        });
                    }
                    number.factor = *factor;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn blanks(&self) -> usize {
        let mut n = 0;
        while matches!(self.peek(n), Some(' ' | '\'')) {
            n += 1;
        }
        n
    }

    fn skip_blank(&mut self, c: char) -> bool {
        let n = self.blanks();
        let found = self.peek(n) == Some(c);
        if found {
            self.at += n + 1;
        }
        found
    }

    /// Skips characters that need no end of word (Chinese marks).
    fn skip_exact(&mut self, mark: &str) -> bool {
        let n = self.blanks();
        let count = mark.chars().count();
        let found = mark
            .chars()
            .enumerate()
            .all(|(i, m)| self.peek(n + i) == Some(m));
        if found {
            self.at += n + count;
        }
        found
    }

    /// Skips a word in any case, if it ends there.
    fn skip_word(&mut self, word: &str) -> bool {
        let n = self.blanks();
        let count = word.chars().count();
        let found = word.chars().enumerate().all(|(i, w)| {
            self.peek(n + i)
                .is_some_and(|c| c == w || c.to_lowercase().eq(w.to_lowercase()))
        }) && !self.letter(self.at + n + count);
        if found {
            self.at += n + count;
        }
        found
    }
}
