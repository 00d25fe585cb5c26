//! This module shows long texts page by page, on a terminal only.

use crate::editor;
use crate::output::Output;

/// Lines above which a text is shown in pages, whatever the height of the screen.
const MOST: usize = 500;

/// Writes a text, in pages if it is longer than the screen: Enter shows the next one, `q` ends.
pub(crate) fn show(output: &mut Output, text: &str, rows: usize) {
    let pages = pages(text, rows.saturating_sub(1).clamp(1, MOST));
    let total = text.lines().count();
    let mut shown = 0;
    for (index, page) in pages.iter().enumerate() {
        output.own(page);
        shown += page.lines().count();
        if index + 1 == pages.len() {
            return;
        }
        let question = format!("-- {shown} of {total} lines, Enter: more, q: end -- ");
        match editor::ask(&question) {
            Some(answer) if !answer.trim().eq_ignore_ascii_case("q") => {}
            Some(_) | None => return,
        }
    }
}

/// Returns a text in parts of at most so many lines.
fn pages(text: &str, lines: usize) -> Vec<&str> {
    let ends = text
        .match_indices('\n')
        .map(|(at, _)| at)
        .skip(lines - 1)
        .step_by(lines);
    let mut pages = Vec::new();
    let mut start = 0;
    for end in ends {
        pages.push(&text[start..end]);
        start = end + 1;
    }
    if start < text.len() || pages.is_empty() {
        pages.push(&text[start..]);
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_the_whole_text() {
        assert_eq!(pages("a\nb\nc\nd\ne", 2), ["a\nb", "c\nd", "e"]);
        assert_eq!(pages("a\nb", 2), ["a\nb"]);
        assert_eq!(pages("a\nb\n", 2), ["a\nb"]);
        assert_eq!(pages("", 2), [""]);
        assert_eq!(pages("a\n\n\nb", 1), ["a", "", "", "b"]);
    }
}
