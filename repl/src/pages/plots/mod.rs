//! Plots as SVG, by templates: distributions, comparisons, rates with intervals, lengths.
//!
//! In: names and numbers. Out: shapes with the same numbers as text. Plots need no script, no font and no other file.

mod bars;
mod choice;
mod columns;
mod comparison;
mod distribution;
mod label;
mod lengths;
mod rates;
mod rows;
mod scale;
mod sheet;
#[cfg(test)]
mod tests;

pub(super) use bars::{Bar, Chart};
pub(super) use choice::plots_of_charts;
pub(crate) use lengths::{Lengths, lengths_plot};
pub(crate) use rates::{Rate, rates_plot};
pub(super) use sheet::embedded_plot;
pub(crate) use sheet::{Plot, plot_file};
