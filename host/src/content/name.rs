//! The rules for ids and names, and the search for names that look alike.
//!
//! Look-alikes are found with a small table of the commonest equal shapes of Latin, Cyrillic and Greek
//! letters. It is a common subset, not the whole Unicode list: other scripts, `rn` for `m`, and digits
//! that look like letters are deliberately missing.

use std::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Longest id, in characters.
pub(crate) const ID: usize = 64;

/// Longest name of a thing in play, in characters.
pub const NAME: usize = 64;

/// Longest name that keys a definition in content, in characters.
pub const KEY_NAME: usize = 200;

/// The reasons why a text is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// It is empty.
    Empty,
    /// It is longer than this many characters.
    TooLong(usize),
    /// It begins or ends with a space.
    OuterBlank,
    /// It holds this character, which cannot be seen or moves others.
    Character(char),
    /// Its accents are not composed (NFC).
    NotComposed,
}

impl fmt::Display for NameFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameFault::Empty => out.write_str("a name needs at least one character"),
            NameFault::TooLong(most) => write!(out, "a name has at most {most} characters"),
            NameFault::OuterBlank => out.write_str("a name must not begin or end with a space"),
            NameFault::Character(bad) => {
                write!(
                    out,
                    "a name must not contain the character U+{:04X}",
                    u32::from(*bad)
                )
            }
            NameFault::NotComposed => {
                out.write_str("the accents of a name must be composed (Unicode NFC)")
            }
        }
    }
}

/// Returns whether the text is an id: 1 to 64 of `a-z 0-9 _ -`.
pub fn is_id(text: &str) -> bool {
    let sane = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_' || c == b'-';
    (1..=ID).contains(&text.len()) && text.bytes().all(sane)
}

/// Checks a name of at most `longest` characters.
///
/// Errors: the first fault; control, bidi and zero-width characters and whitespace other than the space are faults.
pub fn check_name(text: &str, longest: usize) -> Result<(), NameFault> {
    if text.is_empty() {
        return Err(NameFault::Empty);
    }
    if text.chars().nth(longest).is_some() {
        return Err(NameFault::TooLong(longest));
    }
    let unseen = |c: &char| {
        c.is_control() || is_bidi(*c) || is_invisible(*c) || (c.is_whitespace() && *c != ' ')
    };
    if let Some(bad) = text.chars().find(unseen) {
        return Err(NameFault::Character(bad));
    }
    if text.starts_with(' ') || text.ends_with(' ') {
        return Err(NameFault::OuterBlank);
    }
    if is_nfc(text) {
        Ok(())
    } else {
        Err(NameFault::NotComposed)
    }
}

/// Returns whether the character changes the direction of text.
pub fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the characters of a text that an editor does not show, with their places: NUL, and those that change the
/// direction of text.
///
/// Most files are ASCII, which is checked quickly: a look at each byte takes a twentieth of a reload. Of other files,
/// only bytes that may begin such a character are looked at.
pub(crate) fn hidden_characters(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_plain = text.is_ascii() && !text.contains('\0');
    let bytes = if is_plain { &[] } else { text.as_bytes() };
    let places = bytes.iter().enumerate();
    let places = places.filter(|(_, byte)| matches!(byte, 0 | 0xd8 | 0xe2));
    let found = places.filter_map(move |(at, _)| Some((at, text[at..].chars().next()?)));
    found.filter(|(_, c)| *c == '\0' || is_bidi(*c))
}

/// Returns whether the character has no width: joiners, fillers, selectors, tags.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}'
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The look of a name; names with an equal part look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The name without case, with Latin letters for letters of the same shape.
    pub folded: String,
    /// The same, with capital `I` and `|` as the `l` they look like.
    pub shown: String,
}

impl Skeleton {
    /// Returns the skeleton of a name.
    pub fn of_name(name: &str) -> Skeleton {
        if is_its_own_skeleton(name) {
            return Skeleton {
                folded: name.to_owned(),
                shown: name.to_owned(),
            };
        }
        let blanks: Vec<&str> = name.split_whitespace().collect();
        let latin = with_latin_shapes(&blanks.join(" "));
        let shown = latin.replace(['I', '|'], "l");
        Skeleton {
            folded: fold_name(&latin),
            shown: fold_name(&shown),
        }
    }

    /// Returns whether two names look alike.
    pub fn looks_like(&self, other: &Skeleton) -> bool {
        self.folded == other.folded || self.shown == other.shown
    }
}

/// Returns a text with Latin letters for letters of the same shape, and plain marks for marks of another width.
pub fn with_latin_shapes(text: &str) -> String {
    text.nfkd().map(latin_shape).collect()
}

/// Returns whether a name is its own skeleton, as ids are.
fn is_its_own_skeleton(name: &str) -> bool {
    let stays = |c: u8| c.is_ascii_graphic() && !c.is_ascii_uppercase() && c != b'|';
    name.bytes().all(stays)
}

fn fold_name(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").replace('ς', "σ")
}

/// Returns the Latin letter with the shape of a Cyrillic or Greek one; other characters stay.
fn latin_shape(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'с' => 'c',
        'С' => 'C',
        'ԁ' => 'd',
        'е' => 'e',
        'Е' | 'Ε' => 'E',
        'ɡ' => 'g',
        'һ' => 'h',
        'Н' | 'Η' => 'H',
        'і' | 'ι' | 'ı' => 'i',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'ӏ' => 'l',
        'ј' => 'j',
        'Ј' => 'J',
        'к' | 'κ' => 'k',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'о' | 'ο' => 'o',
        'О' | 'Ο' => 'O',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'ԛ' => 'q',
        'ѕ' => 's',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'υ' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'Х' | 'Χ' => 'X',
        'у' | 'γ' => 'y',
        'У' | 'Υ' => 'Y',
        'Ζ' => 'Z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        Skeleton::of_name(a).looks_like(&Skeleton::of_name(b))
    }

    #[test]
    fn ids_are_lower_case_ascii_of_one_to_sixty_four() {
        assert!(is_id("pool-2_x") && is_id(&"a".repeat(64)));
        for bad in ["", "Pool", "a b", "a.b", "ä", "a/b"] {
            assert!(!is_id(bad), "{bad}");
        }
        assert!(!is_id(&"a".repeat(65)));
    }

    #[test]
    fn names_refuse_what_cannot_be_seen() {
        assert_eq!(check_name("Ánn O'Neil the 3rd", NAME), Ok(()));
        assert_eq!(check_name("", NAME), Err(NameFault::Empty));
        assert_eq!(check_name(&"é".repeat(64), NAME), Ok(()));
        assert_eq!(
            check_name(&"é".repeat(65), NAME),
            Err(NameFault::TooLong(64))
        );
        assert_eq!(check_name("Ann ", NAME), Err(NameFault::OuterBlank));
        assert_eq!(check_name("A\u{301}nn", NAME), Err(NameFault::NotComposed));
        for bad in [
            '\0', '\n', '\t', '\u{202e}', '\u{200b}', '\u{feff}', '\u{a0}', '\u{85}',
        ] {
            assert_eq!(
                check_name(&format!("A{bad}n"), NAME),
                Err(NameFault::Character(bad))
            );
        }
    }

    #[test]
    fn characters_that_an_editor_hides_are_found_where_they_stand() {
        for c in '\0'..='\u{ffff}' {
            let is_hidden = c == '\0' || is_bidi(c);
            assert_eq!(
                hidden_characters(&c.to_string()).count() == 1,
                is_hidden,
                "{c:?}"
            );
        }
        let found: Vec<_> = hidden_characters("a“b\u{202e}c\0").collect();
        assert_eq!(found, [(5, '\u{202e}'), (9, '\0')]);
    }

    #[test]
    fn look_alikes_share_a_part_of_their_skeleton() {
        assert!(alike("Alice", "ALICE"));
        assert!(alike("Alice", "AIice"), "capital i for l");
        assert!(alike("pope", "роре"), "Cyrillic");
        assert!(alike("KAPPA", "ΚΑΡΡΑ"), "Greek");
        assert!(alike("ﬁre  wall", "Fire wall"), "ligature and blanks");
        assert!(!alike("Ann", "Anna"));
        assert!(!alike("room 1", "room l"));
    }
}
