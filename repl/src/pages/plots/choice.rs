//! Chooses the plot that fits a chart: a distribution, columns over numbers, or rows with names.

use super::bars::Chart;
use super::columns::{Columns, columns_plot};
use super::comparison::comparison_plot;
use super::distribution::distribution_plot;
use super::rows::rows_plot;
use super::sheet::Plot;

/// Returns the plots of charts. Distributions of the same results are compared in one plot.
pub(crate) fn plots_of_charts(charts: &[Chart]) -> Vec<Plot> {
    let [first, others @ ..] = charts else {
        return Vec::new();
    };
    let is_like_first = |chart: &Chart| first.has_same_labels(chart) && chart.is_distribution();
    if !others.is_empty() && first.is_distribution() && others.iter().all(is_like_first) {
        return vec![comparison_plot(charts)];
    }
    charts.iter().map(plot_of_chart).collect()
}

fn plot_of_chart(chart: &Chart) -> Plot {
    if chart.is_distribution() {
        distribution_plot(&chart.with_shared_columns())
    } else if chart.is_over_numbers() {
        let shared = chart.with_shared_columns();
        columns_plot(&Columns::of_chart(&shared), chart.description())
    } else {
        rows_plot(chart)
    }
}
