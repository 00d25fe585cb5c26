//! This module writes tables as aligned text, for formats that have no tables but text of equal width.

use super::node::{Cell, Chart, Grid, plain_text};
use super::terminal::bar_of;
use crate::doc::layout::{self, grid};
use crate::doc::shown::{Row, flat_rows, piece};
use crate::doc::{Align, Style};

/// The longest bar of a chart, in columns.
const LONGEST_BAR: usize = 20;

/// Returns the lines of a table within `columns` columns; one that is wider as records, one cell a line.
pub(super) fn aligned(table: &Grid, columns: usize) -> Vec<String> {
    drawn(table, columns).unwrap_or_else(|| records(table))
}

/// Returns the lines of a chart: label, value, bar.
pub(super) fn aligned_chart(chart: &Chart, columns: usize) -> Vec<String> {
    let mut table = chart.grid();
    table.aligns.push(Align::Left);
    for (row, bar) in table.rows.iter_mut().zip(&chart.bars) {
        row.push(vec![vec![piece(
            &bar_of(bar.share, LONGEST_BAR),
            Style::Plain,
        )]]);
    }
    aligned(&table, columns)
}

fn drawn(table: &Grid, columns: usize) -> Option<Vec<String>> {
    let row = |cells: &Vec<Cell>| cells.iter().map(at_least_one_row).collect();
    let made = layout::Grid {
        header: table.head.as_ref().map(row),
        rows: table.rows.iter().map(row).collect(),
        aligns: table.aligns.clone(),
    };
    Some(grid(&made, columns)?.into_iter().map(line).collect())
}

fn records(table: &Grid) -> Vec<String> {
    let head = table.head.iter().flatten();
    let titles: Vec<String> = head.map(text).collect();
    if table.rows.is_empty() {
        return titles;
    }
    let mut lines = Vec::new();
    for cells in &table.rows {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        for (at, cell) in cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            let title = titles.get(at).filter(|title| !title.is_empty());
            let title = title.map(|title| format!("{title}: ")).unwrap_or_default();
            lines.push(format!("{title}{}", text(cell)));
        }
    }
    lines
}

fn text(cell: &Cell) -> String {
    line(flat_rows(at_least_one_row(cell)))
}

fn at_least_one_row(cell: &Cell) -> Vec<Row> {
    let rows = if cell.is_empty() {
        vec![Row::new()]
    } else {
        cell.clone()
    };
    rows.into_iter().map(struck).collect()
}

/// Text of equal width has no styles: what no longer counts keeps a mark.
fn struck(mut row: Row) -> Row {
    for piece in row.iter_mut().filter(|piece| piece.style == Style::Strike) {
        piece.text = format!("~~{}~~", piece.text);
    }
    row
}

fn line(row: Row) -> String {
    plain_text(&row).trim_end().to_owned()
}
