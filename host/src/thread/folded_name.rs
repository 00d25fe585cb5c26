//! Compares names as people type them: without case, accents, spaces and punctuation.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::forum_words::behind_letters;

/// Most letters of a text that is compared with names.
const LONGEST: usize = 128;

/// Returns a name as its letters and digits in lower case without accents. A name that has none is its own fold.
#[must_use]
pub fn fold_name(name: &str) -> String {
    if name.is_ascii() {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        let fold: String = letters
            .map(|letter| char::from(letter.to_ascii_lowercase()))
            .collect();
        return if fold.is_empty() {
            name.trim().to_owned()
        } else {
            fold
        };
    }
    let mut fold = String::new();
    for letter in name.nfkd().filter(|letter| !is_combining_mark(*letter)) {
        for letter in letter.to_lowercase() {
            match letter {
                'ł' => fold.push('l'),
                'ø' => fold.push('o'),
                'đ' | 'ð' => fold.push('d'),
                'ı' => fold.push('i'),
                'ß' => fold.push_str("ss"),
                'æ' => fold.push_str("ae"),
                'œ' => fold.push_str("oe"),
                'þ' => fold.push_str("th"),
                other if other.is_alphanumeric() => fold.push(other),
                _ => {}
            }
        }
    }
    if fold.is_empty() {
        name.trim().to_owned()
    } else {
        fold
    }
}

/// Returns the number of slips that a text of so many letters may have.
pub(super) fn slips_allowed(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Whether two folded texts differ by a number of slips or fewer; a swap of neighbours is one slip.
pub(super) fn is_within_slips(text: &str, name: &str, slips: usize) -> bool {
    let (letters, of_name) = (text.chars().count(), name.chars().count());
    letters <= LONGEST
        && letters.abs_diff(of_name) <= slips
        && strsim::osa_distance(text, name) <= slips
}

/// The parts of one text that a name may be.
pub(super) struct NameText<'t> {
    text: &'t str,
    /// Words that begin a comment.
    comment_words: &'t [String],
    /// The ends of its leading runs of words, longest first; unit: bytes.
    ends: Vec<usize>,
}

/// Characters behind which no word of a name goes on.
const CUTS: [char; 7] = [',', ';', ':', '.', '!', '?', '('];
/// Most words of a name.
const WORDS: usize = 16;

impl<'t> NameText<'t> {
    pub(super) fn new(text: &'t str, comment_words: &'t [String]) -> NameText<'t> {
        let text = text.trim();
        let mut ends = BTreeSet::new();
        let mut was_word = false;
        for (place, letter) in text.char_indices() {
            let is_end = letter.is_whitespace() || CUTS.contains(&letter);
            if is_end && was_word {
                ends.insert(place);
                if ends.len() == WORDS {
                    break;
                }
            }
            was_word = !letter.is_whitespace();
        }
        ends.insert(text.len());
        NameText {
            text,
            comment_words,
            ends: ends.into_iter().rev().collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the folds of the whole text and of its leading runs of words, longest first, with the end of each.
    pub(super) fn leading_runs(&self) -> impl Iterator<Item = (String, usize)> + '_ {
        let longest = self.text.len().min(4 * LONGEST);
        let ends = self.ends.iter().copied().filter(move |end| *end <= longest);
        ends.map(|end| (fold_name(&self.text[..end]), end))
    }

    /// Returns the fold of the text up to the first sign that a comment begins, and the end of that part.
    pub(super) fn cut(&self) -> (String, usize) {
        let end = first_cut(self.text, self.comment_words);
        let end = floor_char_boundary(self.text, end.min(4 * LONGEST));
        (fold_name(&self.text[..end]), end)
    }

    /// Whether `?` stands directly behind the last letter or digit before an end.
    pub(super) fn is_asked_at(&self, end: usize) -> bool {
        let name = self.text[..end].trim_end_matches(|letter: char| !letter.is_alphanumeric());
        self.text[name.len()..].starts_with('?')
    }

    /// Whether only punctuation follows an end.
    pub(super) fn is_last(&self, end: usize) -> bool {
        !self.text[end..].contains(char::is_alphanumeric)
    }
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(0)
}

fn first_cut(text: &str, comment_words: &[String]) -> usize {
    let by_sign = text.find(CUTS).unwrap_or(text.len());
    let mut place = 0;
    for word in text[..by_sign].split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let is_dash = matches!(bare, "-" | "–" | "—" | "--");
        let is_comment = || {
            comment_words
                .iter()
                .any(|word| behind_letters(bare, word) == Some(""))
        };
        if place > 0 && (is_dash || is_comment()) {
            return place;
        }
        place += word.len();
    }
    by_sign
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_its_letters() {
        let cases = [
            ("Bo", "bo"),
            ("O'Brien-2", "obrien2"),
            ("Łukasz Ørsted", "lukaszorsted"),
            ("ZOË", "zoe"),
            ("Ｂｏ", "bo"),
            ("🐺", "🐺"),
            ("No Vote", "novote"),
        ];
        for (name, fold) in cases {
            assert_eq!(fold_name(name), fold, "{name}");
        }
    }

    #[test]
    fn the_text_is_cut_where_a_comment_begins() {
        let cases = [
            ("Bo, sorry", "bo"),
            ("Bo - he lies", "bo"),
            ("Bo-peep lies", "bopeeplies"),
            ("Bo because I say so", "bo"),
            ("Bo for that", "bo"),
            ("Bo (see 12)", "bo"),
            ("for all", "forall"),
            ("Bo\u{3000}— no", "bo"),
        ];
        let words = ["because".to_owned(), "for".to_owned()];
        for (text, fold) in cases {
            assert_eq!(NameText::new(text, &words).cut().0, fold, "{text}");
        }
    }

    #[test]
    fn the_longest_run_comes_first() {
        let text = NameText::new("Old Tom, who lies", &[]);
        let runs: Vec<String> = text.leading_runs().map(|(fold, _)| fold).collect();
        assert_eq!(
            runs,
            ["oldtomwholies", "oldtomwho", "oldtom", "oldtom", "old"]
        );
        let asked = NameText::new("Bo? or Cy", &[]);
        assert!(asked.is_asked_at(2) && !NameText::new("Bo, you?", &[]).is_asked_at(2));
    }

    #[test]
    fn slips_are_counted_with_swaps() {
        assert!(is_within_slips("hedad", "hedda", 1));
        assert!(is_within_slips("heda", "hedda", 1));
        assert!(!is_within_slips("heddra2", "hedda", 1));
        assert!(is_within_slips("robertina", "robbertinx", 2));
    }

    proptest! {
        #[test]
        fn any_text_has_runs_and_a_cut(text in "\\PC{0,60}|[a-zA-Z,.?! -]{0,30}") {
            let words = ["a".to_owned()];
            let parts = NameText::new(&text, &words);
            let (cut, end) = parts.cut();
            prop_assert!(parts.leading_runs().any(|(fold, _)| fold == cut || end > 0 || cut.is_empty()));
            parts.leading_runs().for_each(|(_, end)| {
                parts.is_asked_at(end);
                parts.is_last(end);
            });
            let once = fold_name(&text);
            prop_assert_eq!(fold_name(&once), once);
        }
    }
}
