//! This module finds the names an author may have meant.

use strsim::damerau_levenshtein;

/// Subjects and names longer than this are not compared: the work grows with the product.
const LONGEST: usize = 64;

/// Returns at most `most` candidates close to `word`, nearest first, ties in alphabetical order.
///
/// Close means at most one edit for up to three letters, two up to eight, else a quarter of the
/// letters; a name that begins with the word, or that the word begins with, is close too.
pub fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted = word.to_lowercase();
    let letters = wanted.chars().count();
    if letters == 0 || letters > LONGEST {
        return Vec::new();
    }
    let reach = if letters <= 3 {
        1
    } else {
        (letters / 4).max(2)
    };
    let mut close: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|name| name.len() <= 4 * LONGEST)
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let edits = damerau_levenshtein(&wanted, &lower);
            let prefix = letters >= 2 && (lower.starts_with(&wanted) || wanted.starts_with(&lower));
            (edits <= reach || (prefix && !lower.is_empty())).then_some((edits, name))
        })
        .collect();
    close.sort();
    close.dedup();
    close.truncate(most);
    close.into_iter().map(|(_, name)| name).collect()
}

/// Returns `did you mean "a", "b" or "c"?`, or an empty text when nothing is close.
pub fn near_hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = nearest(word, candidates, 3)
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("did you mean {only}?"),
        Some((last, rest)) => format!("did you mean {} or {last}?", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        let names = ["garden", "gardening", "den", "absence"];
        assert_eq!(nearest("gadren", names, 3), ["garden"]);
        assert_eq!(
            near_hint("garde", names),
            "did you mean \"garden\" or \"gardening\"?"
        );
        assert_eq!(near_hint("xyzzy", names), "");
    }
}
