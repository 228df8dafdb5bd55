//! A table beside a chart: the same numbers for readers and for copying.

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Headings; the first is that of the row headings.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Heading of the row.
    pub name: String,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Whether it is a total of others.
    pub total: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Text.
    pub text: String,
    /// Name for tests and scripts that look for this very number.
    pub key: Option<String>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, key: None }
    }
}

impl Cell {
    /// With a name.
    #[must_use]
    pub fn keyed(text: String, key: String) -> Self {
        Self {
            text,
            key: Some(key),
        }
    }
}

impl Table {
    /// Tab-separated lines, for a spreadsheet.
    #[must_use]
    pub fn to_tsv(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let mut lines = vec![self.head.iter().map(|h| clean(h)).collect::<Vec<_>>()];
        for row in &self.rows {
            let mut cells = vec![clean(&row.name)];
            cells.extend(row.cells.iter().map(|c| clean(&c.text)));
            lines.push(cells);
        }
        lines
            .into_iter()
            .map(|l| l.join("\t"))
            .collect::<Vec<_>>()
            .join("\n")
    }
}
