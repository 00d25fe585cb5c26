//! A map as a picture, with its text beside it: letters and patterns, never colour alone.

use std::collections::BTreeSet;

use host::doc::{GridCell, GridMap};
use host::words::Words;
use maud::{Markup, PreEscaped, html};

use super::block::Canvas;

/// Side of a cell in the units of the picture, and the room of the labels.
const SIDE: usize = 20;
const EDGE: usize = 30;
/// Most rows and columns that are drawn.
const MOST: usize = 60;
/// The patterns that kinds get in the order of their first cells; further kinds share them.
const PATTERNS: [&str; 6] = [
    "<path d=\"M0 10h20M10 0v20\"/>",
    "<path d=\"M0 5q5 -5 10 0t10 0M0 15q5 -5 10 0t10 0\"/>",
    "<path d=\"M0 20L20 0\"/>",
    "<circle cx=\"5\" cy=\"5\" r=\"1.5\"/><circle cx=\"15\" cy=\"15\" r=\"1.5\"/>",
    "<path d=\"M0 0L20 20\"/>",
    "<path d=\"M5 0v20M15 0v20\"/>",
];

/// Returns a map: its picture, who and what is there, and its text.
pub(super) fn map(canvas: &Canvas, map: &GridMap, text: &str) -> Markup {
    let (number, words) = (canvas.next_region(), canvas.words());
    let name = match map.title.is_empty() {
        true => words.fill("map.name", &[("number", &number)]),
        false => words.fill("map.title", &[("number", &number), ("title", &map.title)]),
    };
    html! {
        figure.map {
            div.region role="region" tabindex="0" aria-label=(name) { (picture(map, number, words)) }
            (legend(map))
            details { summary { (words.text("map.as_text")) } pre { code { (text) } } }
        }
    }
}

/// Returns the marks with their meaning, each once.
fn legend(map: &GridMap) -> Markup {
    let mut seen = BTreeSet::new();
    let cells = map.rows.iter().flat_map(|row| &row.cells);
    let named: Vec<&GridCell> = cells
        .filter(|cell| !cell.label.is_empty() && seen.insert((&cell.mark, &cell.label)))
        .collect();
    html! {
        @if !named.is_empty() {
            ul.legend { @for cell in named { li { b { (cell.mark) } " " (cell.label) } } }
        }
    }
}

fn picture(map: &GridMap, number: usize, words: &Words) -> Markup {
    let rows = map.rows.len().min(MOST);
    let columns = map
        .rows
        .iter()
        .map(|row| row.cells.len())
        .max()
        .unwrap_or(0)
        .min(MOST);
    let (width, height) = (EDGE + columns * SIDE, rows * SIDE + EDGE);
    let name = words.fill("map.picture", &[("columns", &columns), ("rows", &rows)]);
    let kinds = kinds_in_order(map);
    let fill = |kind: &str| {
        let at = kinds.iter().position(|one| *one == kind)?;
        Some(format!("url(#map{number}-{})", at % PATTERNS.len()))
    };
    html! {
        svg.map viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
            aria-label=(name) {
            defs { @for at in 0..kinds.len().min(PATTERNS.len()) {
                pattern id={ "map" (number) "-" (at) } width=(SIDE) height=(SIDE) patternUnits="userSpaceOnUse" {
                    (PreEscaped(PATTERNS[at]))
                }
            } }
            @for (y, row) in map.rows.iter().take(MOST).enumerate() {
                text.axis x=(EDGE - 4) y=(y * SIDE + 14) text-anchor="end" { (row.label.trim()) }
                @for (x, cell) in row.cells.iter().take(MOST).enumerate() {
                    (cell_picture(cell, (EDGE + x * SIDE, y * SIDE), fill(&cell.kind).as_deref()))
                }
            }
            @for (x, label) in map.columns.iter().take(MOST).enumerate() {
                text.axis x=(EDGE + x * SIDE + SIDE / 2) y=(rows * SIDE + 14) text-anchor="middle" { (label) }
            }
        }
    }
}

fn cell_picture(cell: &GridCell, (x, y): (usize, usize), fill: Option<&str>) -> Markup {
    html! {
        rect.cell x=(x) y=(y) width=(SIDE) height=(SIDE) {}
        @if let Some(fill) = fill { rect x=(x) y=(y) width=(SIDE) height=(SIDE) fill=(fill) {} }
        @if !cell.kind.is_empty() || !cell.label.is_empty() {
            text.mark x=(x + SIDE / 2) y=(y + 15) text-anchor="middle" {
                @if !cell.label.is_empty() { title { (cell.label) } }
                (cell.mark)
            }
        }
    }
}

/// Returns the kinds of ground, in the order of their first cells. Cells with a label have a letter instead.
fn kinds_in_order(map: &GridMap) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for cell in map.rows.iter().flat_map(|row| &row.cells) {
        let kind = cell.kind.as_str();
        if !kind.is_empty() && cell.label.is_empty() && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use host::doc::Document;
    use host::doc::GridRow;
    use host::doc::build::grid_map;

    use super::*;

    fn cell(mark: &str, kind: &str, label: &str) -> GridCell {
        GridCell {
            mark: mark.into(),
            kind: kind.into(),
            label: label.into(),
        }
    }

    #[test]
    fn a_map_is_a_picture_with_a_legend_and_its_text() {
        let cells = vec![
            cell(".", "", ""),
            cell("~", "water", ""),
            cell("A", "creature", "<Ann>"),
        ];
        let map = GridMap {
            title: "Ford".into(),
            rows: vec![GridRow {
                label: "  5".into(),
                cells,
            }],
            columns: vec!["0".into()],
            below: "~ water".into(),
        };
        let text = Canvas::below_heading(1, &Words::english())
            .document(&Document::new([grid_map(map)]))
            .into_string();
        for part in [
            "aria-label=\"Map 1: Ford\"",
            "fill=\"url(#map1-0)\"",
            "<title>&lt;Ann&gt;</title>A</text>",
            "<li><b>A</b> &lt;Ann&gt;</li>",
            "<pre><code>  5 . ~ A\n~ water</code></pre>",
            ">5</text>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("<pattern").count(), 1, "{text}");
    }
}
