//! Folds texts to the form of names in lists of answers: small letters, digits and single `_`.

/// Returns a text in lower case without spaces at both ends. Each run of characters that are not letters or digits
/// becomes one `_`.
///
/// Letters and digits of every script count. A `_` that is then at an end stays: `simple.` is `simple_`.
pub fn fold_to_key(subject: &str) -> String {
    let subject = subject.trim();
    let mut folded = String::with_capacity(subject.len());
    if subject.is_ascii() {
        let letters = subject.bytes().map(|byte| byte.to_ascii_lowercase());
        letters.for_each(|letter| push_folded(&mut folded, char::from(letter)));
    } else {
        let lower = subject.to_lowercase();
        lower
            .chars()
            .for_each(|letter| push_folded(&mut folded, letter));
    }
    folded
}

/// Returns the letters of a text, of every script, as small letters.
pub fn lowercase_letters(subject: &str) -> String {
    if subject.is_ascii() {
        let letters = subject.bytes().filter(u8::is_ascii_alphabetic);
        return letters
            .map(|letter| char::from(letter.to_ascii_lowercase()))
            .collect();
    }
    let lower = subject.to_lowercase();
    lower
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .collect()
}

fn push_folded(folded: &mut String, letter: char) {
    if letter.is_alphanumeric() {
        folded.push(letter);
    } else if !folded.ends_with('_') {
        folded.push('_');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_but_letters_and_digits_is_one_underscore() {
        let cases = [
            ("simple.", "simple_"),
            ("5 (or so)", "5_or_so_"),
            ("  Two  Words \n", "two_words"),
            ("__a--_b", "_a_b"),
            (".", "_"),
            (" \u{3000}", ""),
            ("ÄRGER Über", "ärger_über"),
            ("ΟΔΟΣ", "οδος"),
            ("½ ٣", "½_٣"),
            ("İ", "i_"),
            ("a\0b", "a_b"),
        ];
        for (subject, expected) in cases {
            assert_eq!(fold_to_key(subject), expected, "{subject:?}");
        }
    }

    #[test]
    fn only_letters_are_left() {
        let cases = [
            ("Old O'Brien-2", "oldobrien"),
            ("ÄRGER 3", "ärger"),
            ("42", ""),
            ("", ""),
        ];
        for (subject, expected) in cases {
            assert_eq!(lowercase_letters(subject), expected, "{subject:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_folded_stays_as_it_is(subject in "\\PC{0,40}|[A-Z _.]{0,12}") {
            let once = fold_to_key(&subject);
            prop_assert_eq!(&fold_to_key(&once), &once);
            prop_assert!(!once.contains("__"));
            prop_assert!(once.chars().all(|letter| letter == '_' || letter.is_alphanumeric()));
        }
    }
}
