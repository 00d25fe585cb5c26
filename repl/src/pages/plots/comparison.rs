//! Several distributions of the same results: one line for each, above for exactly, below for at least.

use maud::{Markup, html};

use super::bars::{Bar, Chart};
use super::columns::{AREA, column_labels, scale_lines};
use super::label::clipped_text;
use super::scale::{Scale, coordinate, percent_text};
use super::sheet::{HEAD, LEFT, Plot, RIGHT};

/// The dashes of lines, in their order; further lines share them.
const DASHES: [&str; 6] = ["1 0", "8 3", "2 3", "8 3 2 3", "14 4", "4 4"];
/// The height of the name of a line, and the room of labels below an area.
const NAME: f64 = 20.0;
const LABELS: f64 = 44.0;
/// The most signs on one line.
const SIGNS: usize = 30;

/// Returns a comparison as a plot.
pub(super) fn comparison_plot(charts: &[Chart]) -> Plot {
    let shared: Vec<Chart> = charts.iter().map(Chart::with_shared_columns).collect();
    let exactly = shared
        .iter()
        .map(|chart| chart.bars.iter().map(|bar| bar.value).collect());
    let exactly: Vec<Vec<f64>> = exactly.collect();
    let at_least: Vec<Vec<f64>> = shared.iter().map(Chart::at_least).collect();
    let labels = shared
        .first()
        .map(|chart| chart.bars.as_slice())
        .unwrap_or_default();
    let top = HEAD + NAME * shared.len() as f64 + 28.0;
    let second = top + AREA + LABELS + 20.0;
    let description = shared.iter().zip(&at_least).enumerate();
    let description: Vec<String> = description
        .map(|(at, (chart, reached))| line_text(at, chart, reached))
        .collect();
    Plot {
        title: "comparison".to_owned(),
        description: description.join(". "),
        height: second + AREA + 26.0,
        shapes: html! {
            @for (at, chart) in shared.iter().enumerate() { (line_name(at, chart)) }
            (area("exactly", labels, &exactly, top))
            (area("at least", labels, &at_least, second))
        },
    }
}

fn line_text(at: usize, chart: &Chart, reached: &[f64]) -> String {
    let results = chart.bars.iter().zip(reached).map(|(bar, reached)| {
        let (exactly, at_least) = (percent_text(bar.value), percent_text(*reached));
        format!("{}: {exactly}, at least {at_least}", bar.label)
    });
    format!(
        "{}: {}",
        name_of_line(at, chart),
        results.collect::<Vec<_>>().join("; ")
    )
}

fn name_of_line(at: usize, chart: &Chart) -> String {
    match chart.caption.trim() {
        "" => format!("line {}", at + 1),
        caption => caption.to_owned(),
    }
}

fn line_name(at: usize, chart: &Chart) -> Markup {
    let y = HEAD + 8.0 + NAME * at as f64;
    html! {
        g class=(line_class(at)) {
            line.line x1=(coordinate(LEFT)) x2=(coordinate(LEFT + 40.0)) y1=(coordinate(y)) y2=(coordinate(y))
                stroke-dasharray=(DASHES[at % DASHES.len()]) {}
            (sign(at, LEFT + 20.0, y))
        }
        text x=(coordinate(LEFT + 50.0)) y=(coordinate(y + 4.0)) {
            (clipped_text(&name_of_line(at, chart), RIGHT - LEFT - 50.0))
        }
    }
}

fn line_class(at: usize) -> String {
    format!("s{}", at % DASHES.len())
}

/// Returns the lines of one question over its labels.
fn area(question: &str, labels: &[Bar], lines: &[Vec<f64>], top: f64) -> Markup {
    let largest = lines.iter().flatten().copied().fold(0.0, f64::max);
    let scale = Scale::up_to(largest, true);
    let step = (RIGHT - LEFT) / labels.len().max(1) as f64;
    let place = |at: usize, value: f64| {
        let x = LEFT + (at as f64 + 0.5) * step;
        (x, top + AREA * (1.0 - scale.share(value)))
    };
    let every = labels.len().div_ceil(SIGNS).max(1);
    html! {
        text x=(coordinate(LEFT)) y=(coordinate(top - 10.0)) { (question) }
        (scale_lines(scale, top))
        (column_labels(labels.iter().map(|bar| bar.label.as_str()), step, top + AREA))
        @for (at, values) in lines.iter().enumerate() {
            @let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(x, value)| place(x, *value)).collect();
            g class=(line_class(at)) {
                polyline.line points=(corners(&points)) stroke-dasharray=(DASHES[at % DASHES.len()]) {}
                // Lines that run together have their signs at different results.
                @for (x, y) in points.iter().skip(at % every).step_by(every) { (sign(at, *x, *y)) }
            }
        }
    }
}

fn corners(points: &[(f64, f64)]) -> String {
    let points = points
        .iter()
        .map(|(x, y)| format!("{},{}", coordinate(*x), coordinate(*y)));
    points.collect::<Vec<_>>().join(" ")
}

/// Returns the sign of a line, so that no line has its colour alone.
fn sign(at: usize, x: f64, y: f64) -> Markup {
    let path = match at % DASHES.len() {
        0 => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        1 => "M-4 -4h8v8h-8z",
        2 => "M0 -5L5 4h-10z",
        3 => "M0 -5L5 0L0 5L-5 0z",
        4 => "M-4 -4L4 4M4 -4L-4 4",
        _ => "M0 -5V5M-5 0H5",
    };
    html! {
        path.mark d=(path) transform={ "translate(" (coordinate(x)) " " (coordinate(y)) ")" } {}
    }
}
