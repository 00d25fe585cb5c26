//! Limits the effect of a key on a line: lines have a maximum length, and so does the repetition of one key.
//!
//! In: a key and the line that it would change. Out: another command of the editor, or nothing if the key acts as
//! usual.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) use rustyline::{KeyCode, KeyEvent, Modifiers};

use rustyline::{Anchor, Cmd, ConditionalEventHandler, Event, EventContext, RepeatCount};
use unicode_width::UnicodeWidthChar;

use super::escape_sequence::Rest;

/// Maximum length in bytes of a line that keys may write; the session takes no longer command.
pub(super) const LONGEST: usize = 8 << 10;
/// Maximum number of marks on one letter: the number that Unicode requires for a text that is read piece by piece.
const MARKS: usize = 30;

/// State of the keys of a session.
#[derive(Clone, Default)]
pub(super) struct Typing {
    /// Whether a paste has begun and the line has not been seen since then.
    pub(super) in_paste: Arc<AtomicBool>,
    /// Remaining part of a sequence that is not a key, and the time of the previous key.
    sequence: Arc<Mutex<(Rest, Option<Time>)>>,
}

#[expect(
    clippy::disallowed_types,
    reason = "the time between keys separates what a terminal sends from what a person types"
)]
type Time = std::time::Instant;

impl Typing {
    /// Returns whether a key is part of a control sequence that the editor does not support.
    fn is_part_of_unknown_sequence(&self, key: KeyEvent) -> bool {
        let Ok(mut sequence) = self.sequence.lock() else {
            return false;
        };
        let (rest, before) = &mut *sequence;
        let now = Time::now();
        let pause = before
            .replace(now)
            .map_or(Duration::MAX, |before| now - before);
        rest.continues_sequence(key, pause)
    }
}

impl ConditionalEventHandler for Typing {
    fn handle(
        &self,
        event: &Event,
        times: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let key = event.get(0)?;
        if key.0 == KeyCode::BracketedPasteStart {
            self.in_paste.store(true, Ordering::Relaxed);
        }
        if self.is_part_of_unknown_sequence(*key) {
            return Some(Cmd::Noop);
        }
        action_without_room(*key, times, (context.line(), context.pos()))
    }
}

/// Returns the replacement action of a key, if the line has no room for its usual effect.
fn action_without_room(
    KeyEvent(code, modifiers): KeyEvent,
    times: RepeatCount,
    (line, at): (&str, usize),
) -> Option<Cmd> {
    let before = line.get(..at).unwrap_or(line);
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let length = line[begin..].split('\n').next().map_or(0, str::len);
    match (code, modifiers) {
        (KeyCode::Char(letter), Modifiers::NONE | Modifiers::SHIFT) => {
            let marks = before.chars().rev().take(MARKS);
            let is_laden = marks.clone().count() == MARKS && marks.into_iter().all(is_mark);
            let longer = length + letter.len_utf8() * usize::from(times);
            let is_too_much = longer > LONGEST || (is_mark(letter) && is_laden);
            is_too_much.then_some(Cmd::Noop)
        }
        // Pasting back a cut text may insert a line itself.
        (KeyCode::Char('y' | 'Y'), Modifiers::CTRL | Modifiers::ALT) if length > LONGEST => {
            Some(Cmd::Noop)
        }
        (KeyCode::Char('y' | 'Y'), Modifiers::CTRL) if times > 1 => {
            Some(Cmd::Yank(1, Anchor::Before))
        }
        _ => None,
    }
}

fn is_mark(letter: char) -> bool {
    letter.width() == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(letter: char, times: RepeatCount, line: &str) -> Option<Cmd> {
        let key = KeyEvent(KeyCode::Char(letter), Modifiers::NONE);
        action_without_room(key, times, (line, line.len()))
    }

    #[test]
    fn a_line_takes_letters_up_to_the_length_of_a_command() {
        let full = "x".repeat(LONGEST);
        assert_eq!(typed('x', 1, &full[1..]), None);
        assert_eq!(typed('x', 2, &full[1..]), Some(Cmd::Noop));
        assert_eq!(typed('é', 1, &full[1..]), Some(Cmd::Noop));
        assert_eq!(typed('x', 1, &full), Some(Cmd::Noop));
        // The lines of a paste are commands of their own.
        assert_eq!(typed('x', 1, &format!("{full}\n")), None);
        assert_eq!(typed('x', 1, &format!("short\n{full}")), Some(Cmd::Noop));
    }

    #[test]
    fn a_letter_carries_marks_and_no_pile_of_them() {
        let laden = format!("a{}", "\u{301}".repeat(MARKS));
        assert_eq!(typed('\u{301}', 1, &laden[..laden.len() - 2]), None);
        assert_eq!(typed('\u{301}', 1, &laden), Some(Cmd::Noop));
        assert_eq!(typed('b', 1, &laden), None);
    }

    #[test]
    fn what_was_cut_comes_back_once() {
        let again = |times, line: &str| {
            let key = KeyEvent(KeyCode::Char('Y'), Modifiers::CTRL);
            action_without_room(key, times, (line, line.len()))
        };
        assert_eq!(again(1, "mood"), None);
        assert_eq!(again(9_999, "mood"), Some(Cmd::Yank(1, Anchor::Before)));
        assert_eq!(again(1, &"x".repeat(LONGEST + 1)), Some(Cmd::Noop));
    }

    #[test]
    fn other_keys_do_as_usual() {
        for code in [KeyCode::Enter, KeyCode::Backspace, KeyCode::Up] {
            let full = "x".repeat(LONGEST + 1);
            let key = KeyEvent(code, Modifiers::NONE);
            assert_eq!(action_without_room(key, 1, (&full, full.len())), None);
        }
    }
}
