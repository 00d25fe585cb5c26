//! Cuts a text to the size limit of error messages. The limit applies on the screen too.

/// Bytes of an error text that are shown.
pub(crate) const TEXT: usize = 2 << 10;
/// Lines of an error text that are shown.
pub(crate) const LINES: usize = 20;
/// Bytes that a line end takes on the screen, with the spaces before the next line.
const INDENT: usize = 16;
/// Bytes that a control character takes on the screen.
const ESCAPE: usize = 6;

/// Returns a text within the budget of error texts. The budget counts the size on the screen, where each line is
/// indented and each control character is written as an escape.
pub fn shorten_error_text(text: &str) -> String {
    let mut left = TEXT;
    let mut lines = LINES;
    let end = text.char_indices().find_map(|(at, letter)| {
        let cost = match letter {
            '\n' => {
                lines = lines.saturating_sub(1);
                INDENT
            }
            letter if letter.is_control() => ESCAPE,
            letter => letter.len_utf8(),
        };
        match left.checked_sub(cost).filter(|_| lines > 0) {
            Some(rest) => {
                left = rest;
                None
            }
            None => Some(at),
        }
    });
    match end {
        None => text.to_owned(),
        Some(end) => format!("{} … ({} bytes more)", &text[..end], text.len() - end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_its_budget_on_the_screen_ends() {
        let whole = "x".repeat(TEXT);
        assert_eq!(shorten_error_text(&whole), whole);
        assert_eq!(
            shorten_error_text(&format!("{whole}x")),
            format!("{whole} … (1 bytes more)")
        );
        let ends = shorten_error_text(&"\n".repeat(900_000));
        assert_eq!(ends.matches('\n').count(), LINES - 1);
        assert!(ends.ends_with(" … (899981 bytes more)"), "{ends}");
        let marks = shorten_error_text(&"\u{1b}".repeat(900_000));
        assert!(marks.matches('\u{1b}').count() * ESCAPE <= TEXT);
    }
}
