//! The text of a map: its labels and marks gated one by one, so that none joins the text beside it.

use super::hidden_character_gate::{gate, gate_single_line};
use super::{GridMap, GridRow};

/// Returns a map as lines, at least one: one for each row, and those below the marks.
pub(super) fn gated_map_lines(map: &GridMap) -> Vec<String> {
    let mut lines: Vec<String> = map.rows.iter().map(row_line).collect();
    if !map.below.is_empty() {
        let below = gate(&map.below);
        let below = below.strip_suffix('\n').unwrap_or(&below);
        lines.extend(below.split('\n').map(str::to_owned));
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Returns the line of a row. A line end in a text is escaped, because it would move the marks after it.
fn row_line(row: &GridRow) -> String {
    let label = Some(&row.label).filter(|label| !label.is_empty());
    let marks = row.cells.iter().map(|cell| &cell.mark);
    let texts: Vec<_> = label
        .into_iter()
        .chain(marks)
        .map(|text| gate_single_line(text))
        .collect();
    gate(&texts.join(" ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::GridCell;
    use crate::doc::hidden_character_gate::LINE_LIMIT;

    fn row(label: &str, marks: &[&str]) -> GridRow {
        let cell = |mark: &&str| GridCell {
            mark: (*mark).to_owned(),
            ..GridCell::default()
        };
        GridRow {
            label: label.to_owned(),
            cells: marks.iter().map(cell).collect(),
        }
    }

    fn lines_of(rows: Vec<GridRow>, below: &str) -> Vec<String> {
        gated_map_lines(&GridMap {
            rows,
            below: below.to_owned(),
            ..GridMap::default()
        })
    }

    #[test]
    fn every_row_of_a_map_is_one_line() {
        let rows = vec![row("a\nb", &[".", "\r"]), row("", &["\n", "\u{301}"])];
        assert_eq!(
            lines_of(rows, "~ water\r\n# rock\n"),
            ["a\\x0ab . \\x0d", "\\x0a \\u{301}", "~ water", "# rock"]
        );
    }

    #[test]
    fn what_is_empty_has_its_place() {
        assert_eq!(lines_of(vec![], ""), [""]);
        assert_eq!(
            lines_of(vec![row("", &[]), row("", &["", "a"])], ""),
            ["", " a"]
        );
    }

    #[test]
    fn a_long_row_is_cut() {
        let marks = vec!["."; LINE_LIMIT];
        let lines = lines_of(vec![row("", &marks)], "");
        assert!(lines[0].len() <= LINE_LIMIT && lines[0].ends_with(" bytes]"));
    }
}
