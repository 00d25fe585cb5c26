//! Bars with names, one below the other, with their values at the right.

use maud::{Markup, html};

use super::bars::Chart;
use super::label::{clipped_text, xml_text};
use super::scale::coordinate;
use super::sheet::{HEAD, Plot, WIDTH};

/// The height of a row, and the places of its parts.
pub(super) const ROW: f64 = 24.0;
pub(super) const NAME_END: f64 = 180.0;
pub(super) const AREA_START: f64 = 192.0;
pub(super) const AREA_END: f64 = 500.0;
pub(super) const TEXT_START: f64 = 512.0;
/// The most rows that are drawn.
const MOST: usize = 240;

/// Returns a chart with names as a plot.
pub(super) fn rows_plot(chart: &Chart) -> Plot {
    let largest = chart.bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let share = |value: f64| match largest > 0.0 {
        true => (value / largest).clamp(0.0, 1.0),
        false => 0.0,
    };
    let length = |value: f64| (AREA_END - AREA_START) * share(value);
    let shown = chart.bars.len().min(MOST);
    let more = chart.bars.len() - shown;
    let rows = shown + usize::from(more > 0);
    Plot {
        title: chart.caption.clone(),
        description: chart.description(),
        height: HEAD + ROW * rows as f64 + 8.0,
        shapes: html! {
            @for (at, bar) in chart.bars.iter().take(MOST).enumerate() {
                @let y = HEAD + ROW * at as f64;
                (row_name(&bar.label, y))
                rect.bar x=(coordinate(AREA_START)) y=(coordinate(y + 4.0)) width=(coordinate(length(bar.value)))
                    height=(coordinate(ROW - 8.0)) {}
                (row_text(&bar.text, y))
            }
            @if more > 0 {
                text.axis x=(coordinate(AREA_START)) y=(coordinate(HEAD + ROW * shown as f64 + 16.0)) {
                    "and " (more) " more"
                }
            }
        },
    }
}

/// Returns the name of a row; a long one is cut, and whole as its title.
pub(super) fn row_name(name: &str, y: f64) -> Markup {
    html! {
        text x=(coordinate(NAME_END)) y=(coordinate(y + 16.0)) text-anchor="end" {
            title { (xml_text(name)) }
            (clipped_text(name, NAME_END - 8.0))
        }
    }
}

/// Returns the value of a row.
pub(super) fn row_text(text: &str, y: f64) -> Markup {
    html! {
        text x=(coordinate(TEXT_START)) y=(coordinate(y + 16.0)) {
            (clipped_text(text, WIDTH - TEXT_START - 4.0))
        }
    }
}
