//! Draws tables and fields, and tables that are too wide as records.

use super::{Canvas, bold_row};
use crate::doc::gated_rows::{Row, append_row, gated_single_row, push_text};
use crate::doc::layout::{Grid, grid_rows};
use crate::doc::{Align, Field, Line, Style, Table};

impl Canvas<'_> {
    pub(super) fn table_rows(self, table: &Table) -> Vec<Row> {
        let width = table.column_count();
        let cells = |row: &[Line]| row.iter().map(|cell| self.line_rows(cell)).collect();
        let titles: Vec<Line> = table.columns.iter().map(|one| one.title.clone()).collect();
        let titled = titles.iter().any(|title| !title.is_empty());
        let made = Grid {
            header: titled.then(|| strong_cells(cells(&titles))),
            rows: table.rows.iter().map(|row| cells(row)).collect(),
            aligns: (0..width).map(|at| table.column_align(at)).collect(),
        };
        let drawn =
            grid_rows(&made, self.columns).unwrap_or_else(|| self.record_rows(&titles, table));
        self.with_caption(&table.caption, drawn)
    }

    pub(super) fn with_caption(self, caption: &Line, drawn: Vec<Row>) -> Vec<Row> {
        if caption.is_empty() {
            return drawn;
        }
        let mut rows = self.wrap_rows(&[bold_row(
            self.mark_struck_without_colour(gated_single_row(caption)),
        )]);
        rows.extend(drawn);
        rows
    }

    /// Returns a table that is too wide for columns: one cell a line, an empty line between two rows.
    fn record_rows(self, titles: &[Line], table: &Table) -> Vec<Row> {
        let mut rows = Vec::new();
        for (at, cells) in table.rows.iter().enumerate() {
            if at > 0 {
                rows.push(Row::new());
            }
            for (at, cell) in cells
                .iter()
                .enumerate()
                .filter(|(_, cell)| !cell.is_empty())
            {
                let title = titles.get(at).filter(|title| !title.is_empty());
                let mut row = title.map(|title| self.label_row(title)).unwrap_or_default();
                if !row.is_empty() {
                    push_text(&mut row, " ", Style::Plain);
                }
                append_row(
                    &mut row,
                    self.mark_struck_without_colour(gated_single_row(cell)),
                );
                rows.extend(self.wrap_rows(&[row]));
            }
        }
        rows
    }

    fn label_row(self, label: &Line) -> Row {
        let mut row = self.mark_struck_without_colour(gated_single_row(label));
        push_text(&mut row, ":", Style::Plain);
        bold_row(row)
    }

    pub(super) fn field_rows(self, fields: &[Field]) -> Vec<Row> {
        let row = |field: &Field| {
            vec![
                vec![self.label_row(&field.label)],
                self.line_rows(&field.value),
            ]
        };
        let made = Grid {
            header: None,
            rows: fields.iter().map(row).collect(),
            aligns: vec![Align::Left; 2],
        };
        grid_rows(&made, self.columns).expect("invariant: two columns fit into twenty")
    }
}

fn strong_cells(cells: Vec<Vec<Row>>) -> Vec<Vec<Row>> {
    let cell = |cell: Vec<Row>| cell.into_iter().map(bold_row).collect();
    cells.into_iter().map(cell).collect()
}
