//! Columns over numbers, with a scale at the left; beside them a second series or a mark, each with its name.

use maud::{Markup, html};

use super::bars::{Bar, Chart};
use super::label::{clipped_text, columns_per_label, xml_text};
use super::scale::{Scale, coordinate};
use super::sheet::{HEAD, LEFT, Plot, RIGHT};

/// The height of the area of columns, and the widest column.
pub(super) const AREA: f64 = 200.0;
const WIDEST: f64 = 64.0;
/// The room of the names of series, and of the labels.
const NAMES: f64 = 22.0;
const LABELS: f64 = 26.0;

/// Columns and what is drawn over them.
#[derive(Debug)]
pub(super) struct Columns<'a> {
    pub(super) title: &'a str,
    pub(super) bars: &'a [Bar],
    /// Whether the values are shares.
    pub(super) is_percent: bool,
    /// The name of the columns, if a second series or marks are drawn over them.
    pub(super) name: &'a str,
    /// A second series from 0 to 1, one value for each column, with its name.
    pub(super) series: Option<(&'a str, &'a [f64])>,
    /// A place as the number of columns before it, with its name.
    pub(super) mark: Option<(f64, &'a str)>,
}

impl<'a> Columns<'a> {
    pub(super) fn of_chart(chart: &'a Chart) -> Columns<'a> {
        Columns {
            title: &chart.caption,
            bars: &chart.bars,
            is_percent: false,
            name: "",
            series: None,
            mark: None,
        }
    }

    fn top(&self) -> f64 {
        HEAD + if self.name.is_empty() { 0.0 } else { NAMES }
    }

    /// Returns the width of a column with the room beside it.
    fn step(&self) -> f64 {
        ((RIGHT - LEFT) / self.bars.len().max(1) as f64).min(WIDEST)
    }

    fn base(&self) -> f64 {
        self.top() + AREA
    }
}

/// Returns columns as a plot.
pub(super) fn columns_plot(columns: &Columns<'_>, description: String) -> Plot {
    let largest = columns.bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let scale = Scale::up_to(largest, columns.is_percent);
    Plot {
        title: columns.title.to_owned(),
        description,
        height: columns.base() + LABELS,
        shapes: html! {
            @if !columns.name.is_empty() { (names(columns)) }
            (scale_lines(scale, columns.top()))
            (bars(columns, scale))
            (column_labels(columns.bars.iter().map(|bar| bar.label.as_str()), columns.step(), columns.base()))
            @if let Some((_, values)) = columns.series { (steps(columns, values)) }
            @if let Some((place, _)) = columns.mark {
                @let x = coordinate(LEFT + place * columns.step());
                @let (top, base) = (coordinate(columns.top()), coordinate(columns.base()));
                line.halo x1=(x) x2=(x) y1=(top) y2=(base) {}
                line.line x1=(x) x2=(x) y1=(top) y2=(base) stroke-dasharray="6 3" {}
            }
        },
    }
}

/// Returns the lines of a scale with their values at the left.
pub(super) fn scale_lines(scale: Scale, top: f64) -> Markup {
    html! {
        @for (value, text) in scale.lines() {
            @let y = top + AREA * (1.0 - scale.share(value));
            line.grid x1=(coordinate(LEFT)) x2=(coordinate(RIGHT)) y1=(coordinate(y)) y2=(coordinate(y)) {}
            text.axis x=(coordinate(LEFT - 8.0)) y=(coordinate(y + 4.0)) text-anchor="end" { (text) }
        }
    }
}

/// Returns the labels below columns, as many as have room.
pub(super) fn column_labels<'a>(
    labels: impl Iterator<Item = &'a str> + Clone,
    step: f64,
    base: f64,
) -> Markup {
    let every = columns_per_label(labels.clone(), step);
    // The first label may begin at the edge of the picture.
    let room = 2.0 * LEFT;
    html! {
        @for (at, label) in labels.enumerate().step_by(every) {
            text.axis x=(coordinate(LEFT + (at as f64 + 0.5) * step)) y=(coordinate(base + 18.0))
                text-anchor="middle" { (clipped_text(label, room)) }
        }
    }
}

fn bars(columns: &Columns<'_>, scale: Scale) -> Markup {
    let step = columns.step();
    let gap = (step * 0.1).min(4.0);
    html! {
        @for (at, bar) in columns.bars.iter().enumerate() {
            @let height = AREA * scale.share(bar.value);
            rect.bar x=(coordinate(LEFT + at as f64 * step + gap)) y=(coordinate(columns.base() - height))
                width=(coordinate(step - 2.0 * gap)) height=(coordinate(height)) {
                title { (xml_text(&bar.label)) ": " (xml_text(&bar.text)) }
            }
        }
    }
}

/// Returns the names of columns and of what is drawn over them, with a sample of each.
fn names(columns: &Columns<'_>) -> Markup {
    let second = columns.series.map(|(name, _)| (name, None));
    let second = second.or(columns.mark.map(|(_, name)| (name, Some("6 3"))));
    let y = HEAD + 4.0;
    html! {
        rect.bar x=(coordinate(LEFT)) y=(coordinate(y - 8.0)) width="14" height="10" {}
        text x=(coordinate(LEFT + 20.0)) y=(coordinate(y + 1.0)) { (clipped_text(columns.name, 170.0)) }
        @if let Some((name, dashes)) = second {
            line.line x1=(coordinate(LEFT + 208.0)) x2=(coordinate(LEFT + 236.0)) y1=(coordinate(y - 3.0))
                y2=(coordinate(y - 3.0)) stroke-dasharray=[dashes] {}
            text x=(coordinate(LEFT + 242.0)) y=(coordinate(y + 1.0)) { (clipped_text(name, RIGHT - LEFT - 242.0)) }
        }
    }
}

/// Returns a second series as steps, with a scale from 0 to 100 % at the right.
fn steps(columns: &Columns<'_>, values: &[f64]) -> Markup {
    let step = columns.step();
    let y = |value: f64| coordinate(columns.base() - AREA * value.clamp(0.0, 1.0));
    let corners = values.iter().enumerate().map(|(at, value)| {
        let from = LEFT + at as f64 * step;
        let (from, to) = (coordinate(from), coordinate(from + step));
        format!("{from},{y} {to},{y}", y = y(*value))
    });
    let corners: Vec<String> = corners.collect();
    let corners = corners.join(" ");
    html! {
        // The ground around the line keeps it apart from the columns.
        polyline.halo points=(corners) {}
        polyline.line points=(corners) {}
        @for quarter in 0..=4 {
            @let share = f64::from(quarter) / 4.0;
            text.axis x=(coordinate(RIGHT + 8.0)) y=(coordinate(columns.base() - AREA * share + 4.0)) {
                (quarter * 25) " %"
            }
        }
    }
}
