//! Bar charts as they come from documents.

use super::label::starts_with_number;

/// The most columns of a plot; if there are more bars, neighbours share a column.
const MOST: usize = 240;
/// The largest difference from 1 that the chances of all results have together, by rounding.
const ROUNDING: f64 = 0.001;

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bar {
    pub(crate) label: String,
    /// Its length; nothing is drawn for zero and less.
    pub(crate) value: f64,
    /// The value in the form for people.
    pub(crate) text: String,
}

/// A bar chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    /// May be empty.
    pub(crate) caption: String,
    pub(crate) bars: Vec<Bar>,
}

impl Chart {
    /// Returns whether the labels are numbers or begin with one, and ascend.
    pub(super) fn is_over_numbers(&self) -> bool {
        let starts: Option<Vec<f64>> = self
            .bars
            .iter()
            .map(|bar| starts_with_number(&bar.label))
            .collect();
        starts.is_some_and(|starts| starts.is_sorted_by(|one, next| one < next))
    }

    /// Returns whether the bars are the chances of all results.
    pub(super) fn is_distribution(&self) -> bool {
        let is_chance = |bar: &Bar| (0.0..=1.0).contains(&bar.value);
        let total: f64 = self.bars.iter().map(|bar| bar.value).sum();
        self.is_over_numbers() && self.bars.iter().all(is_chance) && (total - 1.0).abs() < ROUNDING
    }

    pub(super) fn has_same_labels(&self, other: &Chart) -> bool {
        let labels = |chart: &Chart| Vec::from_iter(chart.bars.iter().map(|bar| bar.label.clone()));
        labels(self) == labels(other)
    }

    /// Returns the chart with few enough bars for columns.
    pub(super) fn with_shared_columns(&self) -> Chart {
        let width = self.bars.len().div_ceil(MOST).max(1);
        let shared = |bars: &[Bar]| match bars {
            [first, .., last] => Bar {
                label: range_label(&first.label, &last.label),
                value: bars.iter().map(|bar| bar.value).sum(),
                text: format!("{} to {}", first.text, last.text),
            },
            alone => alone.first().cloned().unwrap_or_default(),
        };
        Chart {
            caption: self.caption.clone(),
            bars: self.bars.chunks(width).map(shared).collect(),
        }
    }

    /// Returns the bars as text.
    pub(super) fn description(&self) -> String {
        let bars = self.bars.iter();
        let bars: Vec<String> = bars
            .map(|bar| format!("{}: {}", bar.label, bar.text))
            .collect();
        bars.join("; ")
    }

    /// Returns the chances of at least each result.
    pub(super) fn at_least(&self) -> Vec<f64> {
        let mut reached: Vec<f64> = self
            .bars
            .iter()
            .rev()
            .scan(0.0, |sum, bar| {
                *sum += bar.value;
                Some(f64::min(*sum, 1.0))
            })
            .collect();
        reached.reverse();
        reached
    }
}

/// Returns the label of all results from one to another; each may be a range.
fn range_label(first: &str, last: &str) -> String {
    let from = first.split_whitespace().next().unwrap_or_default();
    let to = last.split_whitespace().next_back().unwrap_or_default();
    format!("{from} to {to}")
}
