//! Shows long texts page by page, on a terminal only.

use crate::editor;
use crate::output::Output;

/// Number of lines above which a text is shown in pages, independent of the height of the screen.
pub(crate) const MOST: usize = 500;

/// Choice of a person between two pages.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    More,
    End,
    /// To run this command and not to read on: lines that are typed ahead or pasted are commands here too.
    Command(String),
}

/// Writes a text, in pages if it is longer than the screen: Enter shows the next one, `q` ends.
///
/// Out: the command that was typed instead, if any.
pub(crate) fn show_in_pages(output: &mut Output, text: &str, rows: usize) -> Option<String> {
    let pages = split_pages(text, rows.saturating_sub(1).clamp(1, MOST));
    let total = text.lines().count();
    let mut shown = 0;
    for (index, page) in pages.iter().enumerate() {
        output.write_safe_text(page);
        shown += page.lines().count();
        if index + 1 == pages.len() {
            return None;
        }
        let question = format!("-- {shown} of {total} lines, Enter: more, q: end -- ");
        match pager_choice(editor::ask_question(&question)) {
            Wanted::More => {}
            Wanted::End => return None,
            Wanted::Command(line) => return Some(line),
        }
    }
    None
}

fn pager_choice(answer: Option<String>) -> Wanted {
    let Some(answer) = answer else {
        return Wanted::End;
    };
    match answer.trim() {
        "" => Wanted::More,
        "q" | "Q" => Wanted::End,
        _ => Wanted::Command(answer),
    }
}

/// Returns a text in parts with at most this number of lines.
fn split_pages(text: &str, lines: usize) -> Vec<&str> {
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
    fn what_is_typed_between_pages_and_is_no_answer_is_a_command() {
        assert_eq!(pager_choice(Some(" ".to_owned())), Wanted::More);
        assert_eq!(pager_choice(Some("q ".to_owned())), Wanted::End);
        assert_eq!(pager_choice(None), Wanted::End);
        let line = "why 2".to_owned();
        assert_eq!(pager_choice(Some(line.clone())), Wanted::Command(line));
    }

    #[test]
    fn pages_hold_the_whole_text() {
        assert_eq!(split_pages("a\nb\nc\nd\ne", 2), ["a\nb", "c\nd", "e"]);
        assert_eq!(split_pages("a\nb", 2), ["a\nb"]);
        assert_eq!(split_pages("a\nb\n", 2), ["a\nb"]);
        assert_eq!(split_pages("", 2), [""]);
        assert_eq!(split_pages("a\n\n\nb", 1), ["a", "", "", "b"]);
    }
}
