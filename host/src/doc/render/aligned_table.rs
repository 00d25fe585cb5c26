//! Writes tables as aligned text, for formats that have text of equal width but no tables.

use super::node::{Cell, Chart, Grid, plain_text};
use super::terminal::bar_text;
use crate::doc::gated_rows::{Row, host_piece, join_rows};
use crate::doc::layout::{self, grid_rows};
use crate::doc::{Align, Style};

/// The longest bar of a chart, in columns.
const LONGEST_BAR: usize = 20;

/// Returns the lines of a table within `columns` columns; a wider table is written as records, one cell per line.
pub(super) fn aligned_table(table: &Grid, columns: usize) -> Vec<String> {
    table_lines(table, columns).unwrap_or_else(|| record_lines(table))
}

/// Returns the lines of a chart: label, value, bar.
pub(super) fn aligned_chart(chart: &Chart, columns: usize) -> Vec<String> {
    let mut table = chart.grid();
    table.aligns.push(Align::Left);
    for (row, bar) in table.rows.iter_mut().zip(&chart.bars) {
        row.push(vec![vec![host_piece(
            &bar_text(bar.share, LONGEST_BAR),
            Style::Plain,
        )]]);
    }
    aligned_table(&table, columns)
}

fn table_lines(table: &Grid, columns: usize) -> Option<Vec<String>> {
    let row = |cells: &Vec<Cell>| cells.iter().map(at_least_one_row).collect();
    let made = layout::Grid {
        header: table.head.as_ref().map(row),
        rows: table.rows.iter().map(row).collect(),
        aligns: table.aligns.clone(),
    };
    Some(
        grid_rows(&made, columns)?
            .into_iter()
            .map(row_text)
            .collect(),
    )
}

fn record_lines(table: &Grid) -> Vec<String> {
    let head = table.head.iter().flatten();
    let titles: Vec<String> = head.map(cell_text).collect();
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
            lines.push(format!("{title}{}", cell_text(cell)));
        }
    }
    lines
}

fn cell_text(cell: &Cell) -> String {
    row_text(join_rows(at_least_one_row(cell)))
}

fn at_least_one_row(cell: &Cell) -> Vec<Row> {
    let rows = if cell.is_empty() {
        vec![Row::new()]
    } else {
        cell.clone()
    };
    rows.into_iter().map(mark_struck).collect()
}

/// Marks struck text. Text of equal width has no styles, so struck text needs a mark.
fn mark_struck(mut row: Row) -> Row {
    for piece in row.iter_mut().filter(|piece| piece.style == Style::Strike) {
        piece.text = format!("~~{}~~", piece.text);
    }
    row
}

fn row_text(row: Row) -> String {
    plain_text(&row).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{bar, bar_chart, line, strike, table, text};
    use crate::doc::render::node::{Node, document_nodes};
    use crate::doc::{Block, Document};

    fn table_or_chart_lines(block: impl Into<Block>, columns: usize) -> Vec<String> {
        match &document_nodes(&Document::new([block.into()]))[0] {
            Node::Table(table) => aligned_table(table, columns),
            Node::Chart(chart) => aligned_chart(chart, columns),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn columns_are_as_wide_as_what_is_seen() {
        let rows = table(["Name", "HP"])
            .row([text("漢字").into(), line([strike("9"), text(" 7")])])
            .row(["", "x"]);
        let expected = ["Name  HP", "────  ───────", "漢字  ~~9~~ 7", "      x"];
        assert_eq!(table_or_chart_lines(rows, 20), expected);
    }

    #[test]
    fn a_table_too_wide_becomes_records() {
        let wide = table(["A", "", "C"])
            .row(["one", "two", "three"])
            .row(["", "x\ny", ""]);
        assert_eq!(
            table_or_chart_lines(wide, 8),
            ["A: one", "two", "C: three", "", "x y"]
        );
        assert_eq!(
            table_or_chart_lines(table(["A", "BB", "C"]), 5),
            ["A", "BB", "C"]
        );
    }

    #[test]
    fn the_largest_bar_is_the_longest() {
        let chart = bar_chart([bar("2", 1.into(), "1/36"), bar("12", 4.into(), "")]);
        let long = "█".repeat(20);
        assert_eq!(
            table_or_chart_lines(chart, 40),
            [
                "2   1/36  █████".replacen("2 ", " 2", 1),
                format!("12     4  {long}")
            ]
        );
    }
}
