//! Draws bar charts with the eighth blocks of Unicode.

use super::Canvas;
use crate::doc::gated_rows::{Row, host_piece};
use crate::doc::layout::{Grid, grid_rows};
use crate::doc::{Align, Bar, Bars, Line, Style};
use crate::value::Number;

/// The longest bar, in columns.
const LONGEST: usize = 40;

/// Blocks of one to seven eighths.
const EIGHTHS: [&str; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];

impl Canvas<'_> {
    /// Returns a chart: label, value, bar; the largest value has the longest bar.
    pub(super) fn chart_rows(self, chart: &Bars) -> Vec<Row> {
        let largest = chart.bars.iter().map(|bar| bar.value).max();
        let largest = largest.unwrap_or(Number::ZERO);
        let longest = LONGEST.min(self.columns / 3);
        let row = |bar: &Bar| {
            let drawn = bar_text(bar_share(bar.value, largest), longest);
            let bar_row = if drawn.is_empty() {
                Row::new()
            } else {
                vec![host_piece(&drawn, Style::Plain)]
            };
            vec![
                self.line_rows(&bar.label),
                self.line_rows(&bar_value(bar)),
                vec![bar_row],
            ]
        };
        let counted = chart.bars.iter().all(|bar| is_number(&bar.label));
        let made = Grid {
            header: None,
            rows: chart.bars.iter().map(row).collect(),
            aligns: vec![
                if counted { Align::Right } else { Align::Left },
                Align::Right,
                Align::Left,
            ],
        };
        let drawn = grid_rows(&made, self.columns).unwrap_or_default();
        self.with_caption(&chart.caption, drawn)
    }
}

/// Returns the value of a bar in the form for people.
pub(in crate::doc) fn bar_value(bar: &Bar) -> Line {
    if bar.text.is_empty() {
        bar.value.into()
    } else {
        bar.text.clone()
    }
}

fn is_number(line: &Line) -> bool {
    let mut spans = line.0.iter();
    spans.all(|span| span.text.parse::<Number>().is_ok())
}

/// Returns the share of a bar in the largest value, 0 to 1.
pub(in crate::doc) fn bar_share(value: Number, largest: Number) -> f64 {
    if value <= Number::ZERO {
        0.0
    } else {
        let share = (value.to_f64() / largest.to_f64()).clamp(0.0, 1.0);
        if share.is_nan() { 1.0 } else { share }
    }
}

/// Returns a bar; a bar for a value above zero has at least the shortest length.
pub(in crate::doc) fn bar_text(share: f64, longest: usize) -> String {
    if share <= 0.0 {
        return String::new();
    }
    let eighths = ((share * (longest * 8) as f64).round() as usize).max(1);
    let rest = (eighths % 8).checked_sub(1).map(|at| EIGHTHS[at]);
    "█".repeat(eighths / 8) + rest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_drawn_in_eighths_of_the_largest() {
        let bar = |value: i64| bar_text(bar_share(value.into(), 16.into()), 4);
        assert_eq!(bar(16), "████");
        assert_eq!(bar(8), "██");
        assert_eq!(bar(7), "█▊");
        assert_eq!(bar(0), "");
        assert_eq!(bar(-3), "");
        let tiny = "0.0000001".parse().unwrap();
        assert_eq!(bar_text(bar_share(tiny, 16.into()), 4), "▏");
    }
}
