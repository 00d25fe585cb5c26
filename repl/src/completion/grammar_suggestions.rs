//! Suggests the words that the grammar of commands expects at the cursor, and dice.

use host::game;
use host::game::Timeline;
use host::script::DICE;
use host::text::{Expected, ExpectedKind};

use super::suggestion::{Suggestion, Suggestions, first_words_of_sentence};
use crate::syntax_hint;

/// Returns the words that the grammar expects, all of them from the same place on.
///
/// `about` describes some of them.
pub(super) fn grammar_suggestions(
    before: &str,
    expected: &[Expected],
    about: impl FnOnce(&[Expected]) -> Vec<String>,
) -> Suggestions {
    let listed = |one: &&Expected| {
        one.kind != ExpectedKind::Type && !is_mark_after_unfinished_word(before, one, expected)
    };
    let dice_start = expected
        .iter()
        .filter(|one| expects_dice(one))
        .map(|_| word_start(before))
        .min();
    let starts = expected
        .iter()
        .filter(listed)
        .map(|one| start_after_spaces(before, one.start));
    let Some(start) = starts.chain(dice_start).min() else {
        return Suggestions::default();
    };
    let offers: Vec<Expected> = expected.iter().filter(listed).cloned().collect();
    let about = about(&offers);
    let mut list = Vec::new();
    for (one, about) in offers.iter().zip(about) {
        let at = start_after_spaces(before, one.start);
        let blank = if needs_space_after(before, at, one) {
            " "
        } else {
            ""
        };
        let text = format!("{}{}{blank}", &before[start..at], one.text);
        list.push(Suggestion {
            shown: one.text.clone(),
            text,
            about,
        });
    }
    if let Some(at) = dice_start {
        let dice = dice_suggestions(&before[at..]).into_iter();
        list.extend(dice.map(|dice| Suggestion {
            text: format!("{}{dice}", &before[start..at]),
            shown: dice,
            about: String::new(),
        }));
    }
    list.sort();
    list.dedup_by(|later, earlier| (&later.shown, &later.text) == (&earlier.shown, &earlier.text));
    Suggestions { start, list }
}

/// Returns whether an offer is a mark that would end an unfinished word, while a slot takes any word.
fn is_mark_after_unfinished_word(before: &str, one: &Expected, expected: &[Expected]) -> bool {
    let is_word = before.ends_with(char::is_alphabetic);
    let is_mark = !one.text.contains(char::is_alphanumeric) && one.start >= before.len();
    let is_open = |other: &Expected| other.kind == ExpectedKind::Type && other.start < before.len();
    is_word && is_mark && expected.iter().any(is_open)
}

/// Returns the place after the spaces at the end, if an offer begins before them and nothing was typed yet.
fn start_after_spaces(before: &str, start: usize) -> usize {
    let start = before.floor_char_boundary(start.min(before.len()));
    let typed = before[start..].trim_start();
    before.len() - typed.len()
}

fn word_start(before: &str) -> usize {
    before
        .rfind(char::is_whitespace)
        .map_or(0, |at| before.ceil_char_boundary(at + 1))
}

/// Returns whether a space follows an offer: words and names have one, unless they touch the text before them.
fn needs_space_after(before: &str, at: usize, one: &Expected) -> bool {
    let touches = before[..at]
        .chars()
        .next_back()
        .is_some_and(|c| !c.is_whitespace());
    !touches && (one.kind == ExpectedKind::Name || one.text.chars().count() > 1)
}

/// Returns whether dice notation is expected.
pub(crate) fn expects_dice(one: &Expected) -> bool {
    one.kind == ExpectedKind::Type && one.type_name.as_deref() == Some(DICE)
}

/// Returns dice that begin with the typed text; of a sum, the last part is continued.
fn dice_suggestions(typed: &str) -> Vec<String> {
    const SIDES: [&str; 8] = ["4", "6", "8", "10", "12", "20", "%", "F"];
    const BEHIND: [&str; 11] = [
        "!", "!!", "kh1", "kl1", "dh1", "dl1", "r1", "ro1", "min2", "max5", ">=5",
    ];
    let at = typed
        .rfind(['+', '-', '*', '/', '(', '{', ','])
        .map_or(0, |at| at + 1);
    let (front, part) = typed.split_at(at);
    let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, rest) = part.split_at(digits);
    let sides = SIDES.iter().map(|sides| format!("{count}d{sides}"));
    let behind = rest.strip_prefix(['d', 'D']).into_iter().flat_map(|rest| {
        let long = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let size = if long > 0 {
            &rest[..long]
        } else {
            rest.get(..1).unwrap_or_default()
        };
        let known = SIDES.iter().find(|sides| sides.eq_ignore_ascii_case(size));
        let die = known.map(|sides| format!("{count}d{sides}"));
        die.into_iter()
            .flat_map(|die| BEHIND.map(|behind| format!("{die}{behind}")))
    });
    let all = sides.chain(behind).filter(|dice| {
        let head = dice.get(..part.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(part))
    });
    all.map(|dice| format!("{front}{dice}")).collect()
}

/// Returns a short description of each possible next word.
pub(super) fn descriptions_of_offers(
    timeline: &Timeline,
    by: &str,
    before: &str,
    offers: &[Expected],
) -> Vec<String> {
    let told = game::describe_expected_words(timeline, by, before, offers);
    told.iter()
        .map(|about| first_words_of_sentence(about))
        .collect()
}

/// Removes words of the syntax after another of its words, if the syntax expects something else there.
pub(super) fn drop_misplaced_words(
    timeline: &Timeline,
    before: &str,
    expected: Vec<Expected>,
) -> Vec<Expected> {
    let is_in_place = |one: &Expected| {
        one.kind != ExpectedKind::Word
            || !syntax_hint::is_suggested_word_out_of_place(timeline, before, &one.text)
    };
    expected.into_iter().filter(is_in_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(start: usize, kind: ExpectedKind, text: &str) -> Expected {
        Expected {
            start,
            kind,
            text: text.to_owned(),
            type_name: None,
            slot: None,
            id: None,
        }
    }

    fn offered(before: &str, expected: &[Expected]) -> Suggestions {
        grammar_suggestions(before, expected, |offers| vec![String::new(); offers.len()])
    }

    fn suggested_texts(suggestions: &Suggestions) -> Vec<&str> {
        suggestions
            .list
            .iter()
            .map(|one| one.text.as_str())
            .collect()
    }

    #[test]
    fn names_of_several_words_replace_what_was_typed_of_them() {
        let offers = [
            expected(7, ExpectedKind::Name, "Hill Guard 1"),
            expected(7, ExpectedKind::Name, "Hill Guard 2"),
        ];
        let found = offered("attack hill g", &offers);
        assert_eq!(
            (found.start, suggested_texts(&found)),
            (7, vec!["Hill Guard 1 ", "Hill Guard 2 "])
        );
    }

    #[test]
    fn offers_that_begin_at_different_places_replace_the_same_text() {
        let offers = vec![
            expected(4, ExpectedKind::Word, "33"),
            expected(5, ExpectedKind::Word, "d"),
        ];
        let found = offered("add 3", &offers);
        assert_eq!(
            (found.start, suggested_texts(&found)),
            (4, vec!["33 ", "3d"])
        );
        let found = offered("mood ", &[expected(4, ExpectedKind::Name, "Ann")]);
        assert_eq!((found.start, suggested_texts(&found)), (5, vec!["Ann "]));
        assert_eq!(
            offered("add ", &[expected(4, ExpectedKind::Type, "a number")]),
            Suggestions::default()
        );
    }

    #[test]
    fn a_word_that_may_be_any_is_not_ended_by_a_mark() {
        let slot = expected(9, ExpectedKind::Type, "a word");
        let mark = expected(12, ExpectedKind::Word, ":");
        let found = offered("note Ann dur", &[slot, mark.clone()]);
        assert_eq!(found, Suggestions::default());
        let found = offered("note Ann Bob", &[mark]);
        assert_eq!(suggested_texts(&found), [":"]);
    }

    #[test]
    fn dice_are_offered_where_a_slot_wants_them() {
        let slot = Expected {
            type_name: Some(DICE.to_owned()),
            ..expected(6, ExpectedKind::Type, "a text")
        };
        let found = offered("throw 3d1", &[slot]);
        assert_eq!(
            (found.start, suggested_texts(&found)),
            (6, vec!["3d10", "3d12"])
        );
        assert_eq!(dice_suggestions("2d6k"), ["2d6kh1", "2d6kl1"]);
        assert_eq!(
            dice_suggestions("d8+2d"),
            [
                "d8+2d4", "d8+2d6", "d8+2d8", "d8+2d10", "d8+2d12", "d8+2d20", "d8+2d%", "d8+2dF"
            ]
        );
        assert_eq!(
            dice_suggestions("2d6"),
            [
                "2d6", "2d6!", "2d6!!", "2d6kh1", "2d6kl1", "2d6dh1", "2d6dl1", "2d6r1", "2d6ro1",
                "2d6min2", "2d6max5", "2d6>=5"
            ]
        );
        assert_eq!(
            dice_suggestions(""),
            ["d4", "d6", "d8", "d10", "d12", "d20", "d%", "dF"]
        );
        assert_eq!(dice_suggestions("ä"), Vec::<String>::new());
    }
}
