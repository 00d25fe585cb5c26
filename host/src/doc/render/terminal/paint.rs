//! Adds colours to rows that have passed the gate.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style as Ansi};

use crate::doc::Style;
use crate::doc::gated_rows::Row;

/// Returns the row as text, without spaces at its end.
pub(super) fn paint_row(mut row: Row, color: bool) -> String {
    while let Some(last) = row.last_mut() {
        let kept = last.text.trim_end_matches(' ').len();
        last.text.truncate(kept);
        if kept > 0 {
            break;
        }
        row.pop();
    }
    let mut out = String::new();
    for piece in row {
        let ansi = if color {
            ansi_style(piece.style)
        } else {
            Ansi::new()
        };
        write!(out, "{ansi}{}{ansi:#}", piece.text)
            .expect("invariant: writing to a String succeeds");
    }
    out
}

fn ansi_style(style: Style) -> Ansi {
    let color = |color: AnsiColor| Ansi::new().fg_color(Some(color.into()));
    match style {
        Style::Plain | Style::LogLine => Ansi::new(),
        Style::Strong => Ansi::new().bold(),
        Style::Emphasis => Ansi::new().italic(),
        Style::Strike => Ansi::new().effects(Effects::STRIKETHROUGH | Effects::DIMMED),
        Style::Code => color(AnsiColor::Cyan),
        Style::Muted => Ansi::new().dimmed(),
        Style::Good => color(AnsiColor::Green),
        Style::Warn => color(AnsiColor::Yellow),
        Style::Bad => color(AnsiColor::Red),
    }
}
