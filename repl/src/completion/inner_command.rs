//! Finds the command inside a line: `for Ann: mood Bo`, `replace 2 with mood Bo`, `why not mood Bo`.

use host::game;
use host::game::Timeline;
use host::script::GM;

/// Returns the giver of the command inside a line and the typed part of that command; `None` if there is none.
pub(super) fn inner_command<'a>(
    timeline: &Timeline,
    by: &str,
    before: &'a str,
) -> Option<(String, &'a str)> {
    if let Some((seat, line)) = game::parse_for_seat_line(before) {
        let seat = game::seat_spoken_for(timeline, by, seat).ok()?;
        return Some((seat, line));
    }
    let typed = before.trim_start();
    if let Some(line) = text_after_words(typed, "why not") {
        return Some((by.to_owned(), line));
    }
    let rest = text_after_words(typed, "replace")?;
    let with = rest.to_ascii_lowercase().find(" with ")?;
    let number = rest.split_whitespace().next()?.parse().ok()?;
    let replaced = timeline.history().operation(number);
    let giver = replaced.filter(|_| by == GM).map(|one| one.by.to_string());
    let line = rest[with + " with ".len()..].trim_start();
    Some((giver.unwrap_or_else(|| by.to_owned()), line))
}

/// Returns the text after some words, in any case, and spaces.
pub(super) fn text_after_words<'a>(typed: &'a str, words: &str) -> Option<&'a str> {
    let (head, rest) = typed.split_at_checked(words.len())?;
    let is_behind = head.eq_ignore_ascii_case(words) && rest.starts_with(char::is_whitespace);
    is_behind.then(|| rest.trim_start())
}
