//! Tables as HTML: whole words, row headers, a region of its own that scrolls, and cards on a narrow screen.

use host::doc::node::{Cell, Grid};
use host::doc::{Align, Row};
use host::words::Hole;
use maud::{Markup, html};

use super::block::{Canvas, align_class, lines, row};

/// Most columns of a table that stays a table on a narrow screen; a wider one becomes a card for each row.
const NARROW: usize = 3;

/// Most characters of a line in a cell that stays whole, such as a date with its time.
const WHOLE: usize = 20;

/// Returns a table in its region.
pub(super) fn table(canvas: &Canvas, grid: &Grid) -> Markup {
    let number = canvas.next_region();
    let caption = plain_row(&grid.caption);
    let name = match caption.is_empty() {
        true => canvas.words().fill("table.name", &[("number", &number)]),
        false => {
            let holes: [Hole<'_>; 2] = [("number", &number), ("caption", &caption)];
            canvas.words().fill("table.caption", &holes)
        }
    };
    let is_wide = grid.aligns.len() > NARROW;
    html! {
        div.region role="region" tabindex="0" aria-label=(name) {
            // The roles stay where the style takes a table apart.
            table class=[is_wide.then_some("cards")] role="table" {
                @if !grid.caption.is_empty() { caption { (row(&grid.caption)) } }
                @if let Some(titles) = &grid.head {
                    thead role="rowgroup" {
                        tr role="row" { @for (cell, align) in titles.iter().zip(&grid.aligns) {
                            @if cell.is_empty() { td role="cell" {} }
                            @else { th scope="col" role="columnheader" class=[align_class(*align)] { (lines(cell)) } }
                        } }
                    }
                }
                @if !grid.rows.is_empty() {
                    tbody role="rowgroup" {
                        @for cells in &grid.rows { (table_row(grid, cells)) }
                    }
                }
            }
        }
    }
}

fn table_row(grid: &Grid, cells: &[Cell]) -> Markup {
    let title = |at: usize| grid.head.as_ref().map(|titles| plain(&titles[at]));
    html! {
        tr role="row" {
            @for (at, (cell, align)) in cells.iter().zip(&grid.aligns).enumerate() {
                @let class = cell_class(cell, *align);
                @let title = title(at).filter(|title| !title.is_empty());
                @if at == 0 && !cell.is_empty() {
                    th scope="row" role="rowheader" class=[class] data-title=[title] { (lines(cell)) }
                } @else {
                    td role="cell" class=[class] data-title=[title] { (lines(cell)) }
                }
            }
        }
    }
}

/// Returns the class of a cell: its alignment, and whether its lines may be broken.
fn cell_class(cell: &Cell, align: Align) -> Option<String> {
    let is_long = cell
        .iter()
        .any(|row| plain_row(row).chars().count() > WHOLE);
    let classes: Vec<&str> = align_class(align)
        .into_iter()
        .chain(is_long.then_some("long"))
        .collect();
    (!classes.is_empty()).then(|| classes.join(" "))
}

/// Returns the text of a cell, on one line.
fn plain(cell: &Cell) -> String {
    let rows: Vec<String> = cell.iter().map(plain_row).collect();
    rows.join(" ")
}

fn plain_row(row: &Row) -> String {
    row.iter().map(|piece| piece.text.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use host::doc::Document;
    use host::doc::build::{right_column, table as new_table};

    use super::*;

    fn shown(table: host::doc::Table) -> String {
        Canvas::below_heading(2, &host::words::Words::english())
            .document(&Document::new([table.into()]))
            .into_string()
    }

    #[test]
    fn a_table_has_row_headers_a_name_and_cards_if_it_is_wide() {
        let table = new_table(["who", "role", "life"])
            .caption("At <the> end")
            .row(["Ann", "Wolf", "dead"]);
        let narrow = shown(table);
        assert!(
            narrow.contains("aria-label=\"Table 1: At &lt;the&gt; end\""),
            "{narrow}"
        );
        assert!(
            narrow.contains("<th scope=\"row\" role=\"rowheader\" data-title=\"who\">Ann</th>"),
            "{narrow}"
        );
        assert!(
            !narrow.contains("class=\"cards\"") && !narrow.contains("long"),
            "{narrow}"
        );
        let long = shown(new_table(["what"]).row(["a sentence that is broken into lines"]));
        assert!(long.contains("class=\"long\""), "{long}");
        let mut wide = new_table(["who", "a", "b"]);
        wide.columns.push(right_column("n"));
        let wide = shown(wide.row(["", "1", "2", "3"]));
        assert!(
            wide.contains("class=\"cards\"")
                && wide.contains("<td role=\"cell\" data-title=\"who\"></td>"),
            "{wide}"
        );
        assert!(
            wide.contains("<td role=\"cell\" class=\"right\" data-title=\"n\">3</td>"),
            "{wide}"
        );
    }
}
