//! Skips the rest of a control sequence that the editor does not know. The editor stops in the middle of such a
//! sequence and takes the rest for typed letters.
//!
//! In: the keys, and the time between them. The parts of a sequence arrive together, faster than a person types.

use std::time::Duration;

use super::key_handler::{KeyCode, KeyEvent, Modifiers};

/// Maximum time between two keys of one sequence.
const PAUSE: Duration = Duration::from_millis(20);

/// Remaining part of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    #[default]
    Nothing,
    /// Parameters and a last character.
    Parameters,
    /// A text and its end.
    Text,
}

impl Rest {
    /// Returns whether a key begins or continues a sequence, and notes the remaining part.
    ///
    /// Unit: `pause` is the time since the key before.
    pub(super) fn continues_sequence(&mut self, key: KeyEvent, pause: Duration) -> bool {
        if let Some(begun) = rest_after_first_key(key) {
            *self = begun;
            return true;
        }
        if pause > PAUSE {
            *self = Rest::Nothing;
        }
        let KeyEvent(code, modifiers) = key;
        let (is_taken, next) = match (*self, code) {
            (Rest::Parameters, KeyCode::Char(' '..='?')) => (true, Rest::Parameters),
            (Rest::Parameters, KeyCode::Char('@'..='~')) if modifiers == Modifiers::NONE => {
                (true, Rest::Nothing)
            }
            (Rest::Text, KeyCode::Char('G')) if modifiers == Modifiers::CTRL => {
                (true, Rest::Nothing)
            }
            (Rest::Text, KeyCode::Char('\\')) if modifiers == Modifiers::ALT => {
                (true, Rest::Nothing)
            }
            (Rest::Text, KeyCode::Char(_)) if modifiers == Modifiers::NONE => (true, Rest::Text),
            _ => (false, Rest::Nothing),
        };
        *self = next;
        is_taken
    }
}

/// Returns the remaining part of a sequence after its first key.
fn rest_after_first_key(KeyEvent(code, modifiers): KeyEvent) -> Option<Rest> {
    match (code, modifiers) {
        (KeyCode::UnknownEscSeq, _) => Some(Rest::Parameters),
        // Beginnings of texts for the terminal: OSC, DCS, APC, PM, SOS.
        (KeyCode::Char(']' | 'P' | '_' | '^' | 'X'), Modifiers::ALT) => Some(Rest::Text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: KeyEvent = KeyEvent(KeyCode::UnknownEscSeq, Modifiers::NONE);

    fn key(letter: char, modifiers: Modifiers) -> KeyEvent {
        KeyEvent(KeyCode::Char(letter), modifiers)
    }

    /// Returns the remaining letters of some keys; all keys come after the same time.
    fn letters_left_after(begin: KeyEvent, keys: &[KeyEvent], pause: Duration) -> String {
        let mut rest = Rest::default();
        assert!(rest.continues_sequence(begin, Duration::from_secs(1)));
        let left = keys
            .iter()
            .filter(|key| !rest.continues_sequence(**key, pause));
        left.filter_map(|KeyEvent(code, _)| match code {
            KeyCode::Char(letter) => Some(*letter),
            _ => None,
        })
        .collect()
    }

    fn keys_of_letters(text: &str) -> Vec<KeyEvent> {
        let letters = text.chars();
        letters.map(|letter| key(letter, Modifiers::NONE)).collect()
    }

    #[test]
    fn the_rest_of_a_sequence_is_taken_up_to_its_end() {
        let at_once = Duration::ZERO;
        assert_eq!(
            letters_left_after(UNKNOWN, &keys_of_letters("99;999Xmood"), at_once),
            "mood"
        );
        assert_eq!(
            letters_left_after(UNKNOWN, &keys_of_letters("mmood"), at_once),
            "mood"
        );
        let ends = [key('G', Modifiers::CTRL), key('\\', Modifiers::ALT)];
        for (begin, end) in [(']', ends[0]), (']', ends[1]), ('P', ends[1])] {
            let keys = [keys_of_letters("0;hi"), vec![end], keys_of_letters("mood")].concat();
            let begin = key(begin, Modifiers::ALT);
            assert_eq!(letters_left_after(begin, &keys, at_once), "mood");
        }
    }

    #[test]
    fn what_is_typed_later_is_no_part_of_it() {
        let later = Duration::from_millis(40);
        assert_eq!(
            letters_left_after(UNKNOWN, &keys_of_letters("3d6"), later),
            "3d6"
        );
        assert_eq!(
            letters_left_after(key(']', Modifiers::ALT), &keys_of_letters("3d6"), later),
            "3d6"
        );
    }

    #[test]
    fn a_line_is_never_a_part_of_it() {
        let enter = KeyEvent(KeyCode::Enter, Modifiers::NONE);
        let mut rest = Rest::Text;
        assert!(!rest.continues_sequence(enter, Duration::ZERO));
        assert_eq!(rest, Rest::Nothing);
    }
}
