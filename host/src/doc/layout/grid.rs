//! Aligns cells in columns.
//!
//! In: rows of cells and a width. Out: rows of text, or nothing if the columns cannot fit. Columns are as wide as their
//! cells need. If that is too wide, the widest columns shrink first. Words are broken only if nothing else helps.

use super::wrap::{Long, pad_row, row_width, widest_word, wrap_row, wrapped_width};
use crate::doc::gated_rows::{Row, append_row, push_text};
use crate::doc::{Align, Style};

/// Spaces between two columns.
const GAP: usize = 2;

/// Smallest width of a column, unless its cells are narrower.
const NARROW: usize = 8;

/// Cells to align; a cell is one or more rows of text.
pub(in crate::doc) struct Grid {
    /// The header, if there is one.
    pub(in crate::doc) header: Option<Vec<Vec<Row>>>,
    /// The rows; missing cells are empty.
    pub(in crate::doc) rows: Vec<Vec<Vec<Row>>>,
    /// The columns.
    pub(in crate::doc) aligns: Vec<Align>,
}

/// Returns the grid within `columns` columns of the terminal.
pub(in crate::doc) fn grid_rows(grid: &Grid, columns: usize) -> Option<Vec<Row>> {
    let widths = column_widths(grid, columns)?;
    let mut out = Vec::new();
    if let Some(header) = &grid.header {
        out.extend(draw_row(header, &widths, &grid.aligns));
        out.push(title_underline(&widths));
    }
    for row in &grid.rows {
        out.extend(draw_row(row, &widths, &grid.aligns));
    }
    Some(out)
}

fn column_widths(grid: &Grid, columns: usize) -> Option<Vec<usize>> {
    let count = grid.aligns.len();
    let room = columns.checked_sub(GAP * count.saturating_sub(1))?;
    let mut needs = vec![0; count];
    let mut words = vec![0; count];
    for row in grid.header.iter().chain(&grid.rows) {
        for (at, cell) in row.iter().enumerate() {
            for line in cell {
                needs[at] = wrapped_width(line).max(needs[at]);
                words[at] = widest_word(line).max(words[at]);
            }
        }
    }
    let narrow: Vec<usize> = needs.iter().map(|need| NARROW.min(*need)).collect();
    shrink_widths(&needs, &words, room).or_else(|| shrink_widths(&needs, &narrow, room))
}

/// Returns the widths under the highest common cap that makes them fit, none below its floor.
fn shrink_widths(needs: &[usize], floors: &[usize], room: usize) -> Option<Vec<usize>> {
    let capped = |cap: usize| -> Vec<usize> {
        let pairs = needs.iter().zip(floors);
        pairs
            .map(|(need, floor)| cap.max(*floor).min(*need))
            .collect()
    };
    let (mut low, mut high) = (0, room + 1);
    while low < high {
        let cap = (low + high).div_ceil(2);
        if capped(cap).iter().sum::<usize>() <= room {
            low = cap;
        } else {
            high = cap - 1;
        }
    }
    let widths = capped(low);
    (widths.iter().sum::<usize>() <= room).then_some(widths)
}

fn draw_row(cells: &[Vec<Row>], widths: &[usize], aligns: &[Align]) -> Vec<Row> {
    let columns: Vec<Vec<Row>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| {
            let lines = cell.iter();
            lines
                .flat_map(|line| wrap_row(line, (*width).max(1), Long::Broken))
                .collect()
        })
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(1);
    (0..height)
        .map(|at| cells_side_by_side(&columns, at, widths, aligns))
        .collect()
}

/// Returns the lines with number `at` of all cells, side by side.
fn cells_side_by_side(columns: &[Vec<Row>], at: usize, widths: &[usize], aligns: &[Align]) -> Row {
    let mut row = Row::new();
    let mut start = 0;
    for ((lines, wide), align) in columns.iter().zip(widths).zip(aligns) {
        if let Some(line) = lines.get(at).filter(|line| !line.is_empty()) {
            let missing = wide.saturating_sub(row_width(line));
            let indent = match align {
                Align::Left => 0,
                Align::Right => missing,
                Align::Center => missing / 2,
            };
            pad_row(&mut row, start + indent);
            append_row(&mut row, line.clone());
        }
        start += wide + GAP;
    }
    row
}

fn title_underline(widths: &[usize]) -> Row {
    let lines: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    let mut row = Row::new();
    push_text(&mut row, &lines.join(&" ".repeat(GAP)), Style::Muted);
    row
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::doc::gated_rows::gated_rows;

    fn cells_of_texts(texts: &[&str]) -> Vec<Vec<Row>> {
        texts
            .iter()
            .map(|text| gated_rows(&(*text).into()))
            .collect()
    }

    fn drawn_grid(rows: &[&[&str]], aligns: &[Align], columns: usize) -> Option<Vec<String>> {
        let made = Grid {
            header: None,
            rows: rows.iter().map(|row| cells_of_texts(row)).collect(),
            aligns: aligns.to_vec(),
        };
        let text = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect();
        Some(grid_rows(&made, columns)?.iter().map(text).collect())
    }

    const THREE: [Align; 3] = [Align::Left, Align::Right, Align::Center];

    #[test]
    fn cells_stand_as_their_column_says() {
        let rows: [&[&str]; 3] = [
            &["Ann", "12", "ab"],
            &["漢字", "9", "abcd"],
            &["x", "", "e"],
        ];
        let out = drawn_grid(&rows, &THREE, 40).unwrap();
        assert_eq!(out, ["Ann   12   ab", "漢字   9  abcd", "x          e"]);
    }

    #[test]
    fn the_widest_column_gives_way_first() {
        let rows: [&[&str]; 1] = [&["Ann", "7", "a long story in many words"]];
        let out = drawn_grid(&rows, &[Align::Left; 3], 20).unwrap();
        assert_eq!(
            out,
            ["Ann  7  a long story", "        in many", "        words"]
        );
    }

    #[test]
    fn columns_that_cannot_fit_are_refused() {
        let row: &[&str] = &["abcdefghij", "abcdefghij", "abcdefghij"];
        assert_eq!(drawn_grid(&[row], &[Align::Left; 3], 27), None);
        let out = drawn_grid(&[row], &[Align::Left; 3], 28).unwrap();
        assert_eq!(out[1], "ij        ij        ij");
    }

    proptest! {
        #[test]
        fn blanks_that_are_not_drawn_move_nothing(
            texts in prop::collection::vec("[a-z漢 ]{0,30}", 3..12),
            columns in 1usize..60,
        ) {
            let single: Vec<String> = texts
                .iter()
                .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            let draw = |texts: &[String]| {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let rows: Vec<&[&str]> = texts.chunks(3).collect();
                drawn_grid(&rows, &THREE, columns)
            };
            prop_assert_eq!(draw(&texts), draw(&single));
        }

        #[test]
        fn a_grid_keeps_its_width(
            texts in prop::collection::vec("[a-z漢 \n]{0,30}", 3..12),
            columns in 1usize..60,
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let rows: Vec<&[&str]> = texts.chunks(3).collect();
            if let Some(out) = drawn_grid(&rows, &THREE, columns) {
                use unicode_width::UnicodeWidthStr;
                prop_assert!(out.iter().all(|row| row.width() <= columns));
                let letters = |text: &str| {
                    let mut all: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
                    all.sort_unstable();
                    all
                };
                prop_assert_eq!(letters(&out.concat()), letters(&texts.concat()));
            }
        }
    }
}
