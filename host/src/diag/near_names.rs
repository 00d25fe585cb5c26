//! Finds the names that are similar to an unknown word.

use strsim::damerau_levenshtein;

/// Subjects and names longer than this are not compared: the work grows with the product.
const LONGEST: usize = 64;
/// Most edits of a typing error; two swapped letters are one edit. More edits may mean another word.
const SLIP: usize = 1;

/// Returns at most `most` candidates close to `word`, nearest first, ties in alphabetical order.
///
/// Close means at most one edit for up to three letters, two up to eight, else a quarter of the
/// letters; a name that begins with the word, or that the word begins with, is close too.
pub fn nearest_names<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted = fold_for_comparison(word);
    let letters = wanted.chars().count();
    if letters == 0 || letters > LONGEST {
        return Vec::new();
    }
    let reach = if letters <= 3 {
        1
    } else {
        (letters / 4).max(2)
    };
    let bag = Bag::of_text(&wanted);
    let mut close: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|name| name.len() <= 4 * LONGEST)
        .filter_map(|name| {
            let lower = fold_for_comparison(name);
            let prefix = letters >= 2 && (lower.starts_with(&wanted) || wanted.starts_with(&lower));
            let prefix = prefix && !lower.is_empty();
            if !prefix && least_edit_count(&bag, &Bag::of_text(&lower)) > reach {
                return None;
            }
            let edits = damerau_levenshtein(&wanted, &lower);
            (edits <= reach || prefix).then_some((edits, name))
        })
        .collect();
    close.sort();
    close.dedup();
    close.truncate(most);
    close.into_iter().map(|(_, name)| name).collect()
}

/// The number of each letter in a text; several letters share a place.
struct Bag([u8; 32]);

impl Bag {
    fn of_text(text: &str) -> Bag {
        let mut counts = [0u8; 32];
        for letter in text.chars() {
            let place = &mut counts[letter as usize % 32];
            *place = place.saturating_add(1);
        }
        Bag(counts)
    }
}

/// Returns a lower bound for the number of edits: each adds, drops or replaces one letter, or changes only the order.
fn least_edit_count(one: &Bag, other: &Bag) -> usize {
    let pairs = one.0.iter().zip(&other.0);
    let (more, less) = pairs.fold((0, 0), |(more, less), (one, other)| {
        (
            more + usize::from(one.saturating_sub(*other)),
            less + usize::from(other.saturating_sub(*one)),
        )
    });
    more.max(less)
}

/// Returns a text in its compared form: in lower case, both apostrophes as the plain one.
fn fold_for_comparison(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Returns the only possible candidate: the word differs from it by a typing error, and no other candidate is close.
pub fn only_near_name<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let [only] = nearest_names(word, candidates, 2)[..] else {
        return None;
    };
    let is_slip =
        damerau_levenshtein(&fold_for_comparison(word), &fold_for_comparison(only)) <= SLIP;
    is_slip.then_some(only)
}

/// Returns `did you mean "a", "b" or "c"?`, or an empty text if no candidate is close.
pub fn near_hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean_hint(&nearest_names(word, candidates, NEAR))
}

/// Names in one hint.
const NEAR: usize = 3;

/// Returns the hint with the first few of the names; empty if there are none.
pub fn did_you_mean_hint(names: &[&str]) -> String {
    let names = names.iter().take(NEAR);
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("did you mean {only}?"),
        Some((last, rest)) => format!("did you mean {} or {last}?", rest.join(", ")),
    }
}

/// Returns `there is a` or `there are a, b and c`; without names, the text `none`.
pub fn there_is_or_are_text(names: &[String], none: &str) -> String {
    match names {
        [] => none.to_owned(),
        [only] => format!("there is {only}"),
        [rest @ .., last] => format!("there are {} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        let names = ["garden", "gardening", "den", "absence"];
        assert_eq!(nearest_names("gadren", names, 3), ["garden"]);
        assert_eq!(
            near_hint("garde", names),
            "did you mean \"garden\" or \"gardening\"?"
        );
        assert_eq!(near_hint("xyzzy", names), "");
        let other = ["d'o'r", "d'o'e'n"];
        assert_eq!(
            nearest_names("D’O’R", other, 1),
            ["d'o'r"],
            "apostrophes are alike"
        );
    }

    #[test]
    fn one_name_can_be_meant_only_where_nothing_else_is_close() {
        let names = ["garden", "gardening", "den", "absence"];
        assert_eq!(only_near_name("absnce", names), Some("absence"));
        assert_eq!(only_near_name("garde", names), None);
        assert_eq!(only_near_name("abs", names), None, "a beginning is no slip");
        assert_eq!(only_near_name("absenec", names), Some("absence"));
        let keys = ["cases", "summary"];
        assert_eq!(only_near_name("phases", keys), None, "another word");
        assert_eq!(near_hint("phases", keys), "did you mean \"cases\"?");
    }

    proptest::proptest! {
        /// The bound by letters never excludes a near name.
        #[test]
        fn letters_alone_say_no_more_than_edits(one in "[a-d’ü ]{0,12}", other in "[a-d’ü ]{0,12}") {
            let (one, other) = (fold_for_comparison(&one), fold_for_comparison(&other));
            let least = least_edit_count(&Bag::of_text(&one), &Bag::of_text(&other));
            proptest::prop_assert!(least <= damerau_levenshtein(&one, &other), "{one:?} {other:?}");
        }
    }
}
