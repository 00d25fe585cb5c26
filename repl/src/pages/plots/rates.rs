//! Rates with their intervals, one row for each.

use maud::html;

use super::rows::{AREA_END, AREA_START, ROW, row_name, row_text};
use super::scale::{coordinate, percent_text};
use super::sheet::{HEAD, Plot};

/// How often something happens, from 0 to 1, and the interval of the true rate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rate {
    pub(crate) name: String,
    pub(crate) rate: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Rate {
    fn text(&self) -> String {
        let [rate, low, high] = [self.rate, self.low, self.high].map(percent_text);
        format!("{rate}, {low} to {high}")
    }
}

/// Returns rates as a plot.
pub(crate) fn rates_plot(title: &str, rates: &[Rate]) -> Plot {
    let x = |share: f64| coordinate(AREA_START + (AREA_END - AREA_START) * share.clamp(0.0, 1.0));
    let base = HEAD + ROW * rates.len() as f64;
    let description = rates
        .iter()
        .map(|rate| format!("{}: {}", rate.name, rate.text()));
    Plot {
        title: title.to_owned(),
        description: description.collect::<Vec<_>>().join("; "),
        height: base + 26.0,
        shapes: html! {
            @for quarter in 0..=4 {
                @let place = x(f64::from(quarter) / 4.0);
                line.grid x1=(place) x2=(place) y1=(coordinate(HEAD)) y2=(coordinate(base)) {}
                text.axis x=(place) y=(coordinate(base + 18.0)) text-anchor="middle" { (quarter * 25) " %" }
            }
            @for (at, rate) in rates.iter().enumerate() {
                @let y = HEAD + ROW * at as f64;
                @let middle = coordinate(y + ROW / 2.0);
                (row_name(&rate.name, y))
                line.line x1=(x(rate.low)) x2=(x(rate.high)) y1=(middle) y2=(middle) {}
                @for end in [rate.low, rate.high] {
                    line.line x1=(x(end)) x2=(x(end)) y1=(coordinate(y + 6.0)) y2=(coordinate(y + ROW - 6.0)) {}
                }
                circle.spot cx=(x(rate.rate)) cy=(middle) r="5" {}
                (row_text(&rate.text(), y))
            }
        },
    }
}
