//! Draws the list of Tab: each offer with a short description.

use host::doc::gate_single_line;
use unicode_width::UnicodeWidthStr;

use crate::completion::Suggestion;

/// Columns between an offer and its description.
const GAP: usize = 2;
/// Maximum column to which offers are padded, so that the descriptions are aligned.
const FILLED: usize = 28;
/// Columns of a screen that does not report its size.
const COLUMNS: usize = 80;

/// Returns a line for each offer, none wider than the screen unless the offer itself is.
pub(super) fn offer_lines(offers: &[Suggestion], columns: Option<usize>) -> Vec<String> {
    // The editor separates columns by spaces of its own.
    let most = columns.unwrap_or(COLUMNS).saturating_sub(GAP);
    let shown: Vec<String> = offers
        .iter()
        .map(|one| gate_single_line(&one.shown).into_owned())
        .collect();
    let fitting = shown
        .iter()
        .map(|one| one.width())
        .filter(|width| *width <= FILLED);
    let filled = fitting.max().unwrap_or(FILLED);
    let line = |(one, shown): (&Suggestion, String)| {
        let blanks = " ".repeat(filled.saturating_sub(shown.width()) + GAP);
        let line = format!("{shown}{blanks}{}", gate_single_line(&one.about));
        match one.about.is_empty() {
            true => shown,
            false => fit_width(&line, most.max(shown.width())),
        }
    };
    offers.iter().zip(shown).map(line).collect()
}

/// Returns as much of a line as fits.
fn fit_width(line: &str, most: usize) -> String {
    let mut width = 0;
    let fits = |c: &char| {
        width += c.to_string().width();
        width <= most
    };
    let text: String = line.chars().take_while(fits).collect();
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(shown: &str, about: &str) -> Suggestion {
        Suggestion {
            shown: shown.to_owned(),
            text: shown.to_owned(),
            about: about.to_owned(),
        }
    }

    #[test]
    fn words_about_offers_begin_below_each_other_and_end_at_the_screen() {
        let offers = [
            offer("mood", "tells how somebody feels"),
            offer("Bo", ""),
            offer("as", "acts for somebody else"),
        ];
        let all = offer_lines(&offers, None);
        assert_eq!(
            all,
            [
                "mood  tells how somebody feels",
                "Bo",
                "as    acts for somebody else"
            ]
        );
        let few = offer_lines(&offers, Some(18));
        assert_eq!(few, ["mood  tells how", "Bo", "as    acts for s"]);
        let long = "a name that is much wider than any screen of eighteen columns";
        assert_eq!(offer_lines(&[offer(long, "which it is")], Some(18)), [long]);
    }
}
