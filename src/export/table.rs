//! CSV as two kinds of readers want it.

use csv::{Terminator, Writer, WriterBuilder};

/// Who reads the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// A spreadsheet: byte order mark, CR LF, an apostrophe before text that it would take for a formula.
    Excel,
    /// A program: UTF-8, LF, nothing added.
    Data,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Text, which may come from anywhere.
    Text(String),
    /// A number as it is written.
    Number(String),
}

impl Cell {
    /// Text; nothing if it is empty.
    pub fn text(text: &str) -> Self {
        if text.is_empty() {
            Self::Empty
        } else {
            Self::Text(text.to_owned())
        }
    }
}

/// Rows of cells as bytes.
pub struct Table {
    profile: Profile,
    writer: Writer<Vec<u8>>,
    /// Rows so far, and how many are written at most.
    rows: usize,
    most: usize,
}

impl Table {
    /// With a row of column names.
    pub fn new<'n>(profile: Profile, names: impl Iterator<Item = &'n &'static str>) -> Self {
        let (mark, terminator) = match profile {
            Profile::Excel => ("\u{feff}", Terminator::CRLF),
            Profile::Data => ("", Terminator::Any(b'\n')),
        };
        let writer = WriterBuilder::new()
            .terminator(terminator)
            .from_writer(mark.as_bytes().to_vec());
        let mut table = Self {
            profile,
            writer,
            rows: 0,
            most: usize::MAX,
        };
        table.row(names.map(|name| Cell::text(name)));
        table
    }

    /// Writes so many rows and only counts the others.
    pub const fn only(mut self, rows: usize) -> Self {
        self.most = rows;
        self
    }

    /// Counts a row; says whether it is to be written.
    pub const fn takes_row(&mut self) -> bool {
        self.rows += 1;
        self.rows <= self.most
    }

    /// Rows that were counted.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Iterator<Item = Cell>) {
        let cells = cells.map(|cell| match cell {
            Cell::Empty => String::new(),
            Cell::Number(number) => number,
            Cell::Text(text) if self.profile == Profile::Excel && is_risky(&text) => {
                format!("'{text}")
            }
            Cell::Text(text) => text,
        });
        // Writing to memory cannot fail, and every row has the cells of the first.
        let _ = self.writer.write_record(cells);
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        self.writer.into_inner().unwrap_or_default()
    }
}

/// Whether a spreadsheet would take a text for a formula.
fn is_risky(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(profile: Profile, cells: &[Cell]) -> Vec<u8> {
        let mut table = Table::new(profile, ["a", "b", "c"].iter());
        table.row(cells.iter().cloned());
        table.finish()
    }

    #[test]
    fn spreadsheets_get_no_formula_and_keep_their_numbers() {
        let cells = [
            Cell::text("=1+1"),
            Cell::Number("-12.50".to_owned()),
            Cell::text("x, \"y\""),
        ];
        let text = String::from_utf8(file(Profile::Excel, &cells)).expect("UTF-8");
        assert_eq!(text, "\u{feff}a,b,c\r\n'=1+1,-12.50,\"x, \"\"y\"\"\"\r\n");
        let text = String::from_utf8(file(Profile::Data, &cells)).expect("UTF-8");
        assert_eq!(text, "a,b,c\n=1+1,-12.50,\"x, \"\"y\"\"\"\n");
        for start in ["+", "-", "@", "\t", "\r", "\n"] {
            let file = file(
                Profile::Excel,
                &[Cell::text(start), Cell::Empty, Cell::Empty],
            );
            let text = String::from_utf8(file).expect("UTF-8");
            assert!(text.contains(&format!("'{start}")), "{start:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(a in "\\PC*|[=+@\\-\\t\\r\\n,\"a]*", b: String) {
            let cells = [Cell::text(&a), Cell::text(&b), Cell::Number("1".to_owned())];
            for profile in [Profile::Data, Profile::Excel] {
                let bytes = file(profile, &cells);
                let mark = if profile == Profile::Excel { 3 } else { 0 };
                let mut reader = csv::Reader::from_reader(&bytes[mark..]);
                let rows: Vec<_> = reader.records().map(|r| r.expect("a row")).collect();
                prop_assert_eq!(rows.len(), 1);
                for (read, text) in rows[0].iter().zip([&a, &b]) {
                    let plain = match profile {
                        Profile::Excel if is_risky(text) => read.strip_prefix('\'').expect("an apostrophe"),
                        _ => read,
                    };
                    prop_assert_eq!(plain, text.as_str());
                }
            }
        }
    }
}
