//! How long games take: a histogram with the mean.

use super::bars::Bar;
use super::columns::{Columns, columns_plot};
use super::scale::{number_text, percent_text, round_step};
use super::sheet::Plot;

/// The most columns of a histogram.
const MOST: f64 = 40.0;

/// The lengths of games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lengths {
    pub(crate) name: String,
    /// Each length with its number of games, ascending.
    pub(crate) values: Vec<(f64, u64)>,
    pub(crate) mean: f64,
    pub(crate) median: f64,
}

/// Returns lengths as a plot. All columns stand for equally many lengths.
pub(crate) fn lengths_plot(lengths: &Lengths) -> Plot {
    let (bars, place) = columns_of_lengths(lengths);
    let mean = format!(
        "mean {}, median {}",
        number_text(lengths.mean),
        number_text(lengths.median)
    );
    let columns = Columns {
        title: &lengths.name,
        bars: &bars,
        is_percent: false,
        name: "games",
        series: None,
        mark: Some((place, &mean)),
    };
    let told = bars.iter().filter(|bar| bar.value > 0.0);
    let told: Vec<String> = told
        .map(|bar| format!("{}: {}", bar.label, bar.text))
        .collect();
    columns_plot(&columns, format!("{mean}; {}", told.join("; ")))
}

/// Returns the columns, and the place of the mean as the number of columns before it.
fn columns_of_lengths(lengths: &Lengths) -> (Vec<Bar>, f64) {
    let (Some((least, _)), Some((most, _))) = (lengths.values.first(), lengths.values.last())
    else {
        return (Vec::new(), 0.0);
    };
    let is_whole = lengths.values.iter().all(|(value, _)| value.fract() == 0.0);
    let width = match (is_whole, most - least) {
        // Whole lengths have their own columns as long as they fit.
        (true, span) => round_step(((span + 1.0) / MOST).max(1.0)),
        (false, span) => round_step((span / MOST).max(1e-4)),
    };
    let start = (least / width).floor() * width;
    let count = ((most - start) / width).floor() as usize + 1;
    let mut games = vec![0u64; count];
    for (value, found) in &lengths.values {
        games[(((value - start) / width) as usize).min(count - 1)] += found;
    }
    let all: u64 = games.iter().sum();
    let bar = |(at, games): (usize, &u64)| {
        let from = start + width * at as f64;
        let label = match (is_whole, width == 1.0) {
            (true, true) => number_text(from),
            (true, false) => format!(
                "{} to {}",
                number_text(from),
                number_text(from + width - 1.0)
            ),
            (false, _) => number_text(from),
        };
        let share = percent_text(*games as f64 / all.max(1) as f64);
        Bar {
            label,
            value: *games as f64,
            text: format!("{games} ({share})"),
        }
    };
    // A whole length stands in the middle of its column.
    let middle = if is_whole && width == 1.0 { 0.5 } else { 0.0 };
    let place = (lengths.mean - start) / width + middle;
    (games.iter().enumerate().map(bar).collect(), place)
}
