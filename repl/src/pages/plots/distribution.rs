//! The chances of all results, with the chance of at least each result.

use super::bars::Chart;
use super::columns::{Columns, columns_plot};
use super::scale::percent_text;
use super::sheet::Plot;

/// Returns a distribution as a plot.
pub(super) fn distribution_plot(chart: &Chart) -> Plot {
    let reached = chart.at_least();
    let columns = Columns {
        is_percent: true,
        name: "exactly (left)",
        series: Some(("at least (right)", &reached)),
        ..Columns::of_chart(chart)
    };
    let description = chart.bars.iter().zip(&reached).map(|(bar, reached)| {
        let (exactly, at_least) = (percent_text(bar.value), percent_text(*reached));
        format!("{}: {exactly}, at least {at_least}", bar.label)
    });
    columns_plot(&columns, description.collect::<Vec<_>>().join("; "))
}
