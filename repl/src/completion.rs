//! This module says what Tab may write: commands and names from the grammar, dice, words of `help`, the script API.

use host::game;
use host::game::{OpenQuestion, Timeline};
use host::script::{DICE, GM, declarations};
use host::text::{Expected, ExpectedKind};

/// What may stand in place of the text from `start` to the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suggestions {
    /// Byte offset of what is replaced.
    pub(crate) start: usize,
    /// The texts, in order.
    pub(crate) list: Vec<Suggestion>,
}

/// One text that may be written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Suggestion {
    /// As it is listed.
    pub(crate) shown: String,
    /// As it is written.
    pub(crate) text: String,
}

/// Returns what may stand at the cursor, a byte offset in the line, for whoever acts.
pub(crate) fn complete(timeline: &Timeline, by: &str, line: &str, cursor: usize) -> Suggestions {
    let Some((before, after)) = line.split_at_checked(cursor) else {
        return Suggestions::default();
    };
    let typed = before.trim_start();
    if typed.starts_with('=') {
        // Only the game master evaluates.
        let ids = if by == GM {
            game::ids(timeline)
        } else {
            Vec::new()
        };
        return luau(before, &ids);
    }
    let is_word = !typed.contains(char::is_whitespace);
    if let Some(within) = for_another(timeline, (by, before), after) {
        return within;
    }
    if let Some(word) = behind(typed, "help") {
        return named(
            before.len() - word.len(),
            word,
            game::words_for(timeline, by),
        );
    }
    if let Some(rest) = behind(typed, "answer") {
        return answers(before.len() - rest.len(), rest, (timeline, by));
    }
    if is_word && after.starts_with('?') {
        return named(
            before.len() - typed.len(),
            typed,
            game::words_for(timeline, by),
        );
    }
    let found = phrase(before, game::expected(timeline, by, before));
    match found.list.is_empty() {
        true => free(before, typed, (timeline, by)),
        false => found,
    }
}

/// Returns what may stand in a command that is given for a seat: what that seat may type.
fn for_another(
    timeline: &Timeline,
    (by, before): (&str, &str),
    after: &str,
) -> Option<Suggestions> {
    let (seat, line) = game::for_seat(before)?;
    let seat = game::spoken_for(timeline, by, seat).ok()?;
    let start = before.len() - line.len();
    let within = complete(timeline, &seat, &format!("{line}{after}"), line.len());
    Some(Suggestions {
        start: start + within.start,
        ..within
    })
}

/// Returns what may stand where a command takes any text: a plan that may begin, what may be voted for, what the command
/// itself offers.
fn free(before: &str, typed: &str, (timeline, by): (&Timeline, &str)) -> Suggestions {
    let place = |rest: &str| before.len() - rest.len();
    if let Some(rest) = behind(typed, "plan begin") {
        return named(place(rest), rest, game::plans_for(timeline, by));
    }
    if let Some(rest) = behind(typed, "vote") {
        return named(place(rest), rest, game::choices_for(timeline, by));
    }
    match game::offered(timeline, by, before) {
        Some((start, offered)) => named(start, &before[start..], offered),
        None => Suggestions::default(),
    }
}

/// Returns what stands behind some words, in any case, and blanks.
fn behind<'a>(typed: &'a str, words: &str) -> Option<&'a str> {
    let (head, rest) = typed.split_at_checked(words.len())?;
    let is_behind = head.eq_ignore_ascii_case(words) && rest.starts_with(char::is_whitespace);
    is_behind.then(|| rest.trim_start())
}

/// Returns what may be typed as an answer: where one question is meant its options, else the numbers and keys.
fn answers(start: usize, typed: &str, (timeline, by): (&Timeline, &str)) -> Suggestions {
    let open = game::questions_for(timeline, by);
    let named = |word: &str| {
        let fits = |one: &&OpenQuestion| one.number == word || one.question.key == word;
        open.iter().find(fits)
    };
    let options = |one: &OpenQuestion| game::answers_to(timeline, by, one);
    if let Some((word, rest)) = typed.split_once(' ')
        && let Some(one) = named(word)
    {
        let option = rest.trim_start();
        return self::named(start + typed.len() - option.len(), option, options(one));
    }
    let mut words: Vec<String> = match open.as_slice() {
        [one] => options(one),
        several => several.iter().map(|one| one.word().to_owned()).collect(),
    };
    words.extend(open.iter().map(|one| one.question.key.clone()));
    words.sort();
    words.dedup();
    self::named(start, typed, words)
}

/// Returns the names that begin with what was typed of them.
fn named(start: usize, typed: &str, names: impl IntoIterator<Item = String>) -> Suggestions {
    let fits = |name: &String| {
        name.get(..typed.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(typed))
    };
    let list = names.into_iter().filter(fits).map(|name| Suggestion {
        shown: name.clone(),
        text: name,
    });
    Suggestions {
        start,
        list: list.collect(),
    }
}

/// Returns what the grammar expects, all of it from the same place on.
fn phrase(before: &str, expected: Vec<Expected>) -> Suggestions {
    let listed =
        |one: &&Expected| one.kind != ExpectedKind::Type && !ends_word(before, one, &expected);
    let dice_start = expected
        .iter()
        .filter(|one| is_dice(one))
        .map(|_| word_start(before))
        .min();
    let starts = expected
        .iter()
        .filter(listed)
        .map(|one| behind_blanks(before, one.start));
    let Some(start) = starts.chain(dice_start).min() else {
        return Suggestions::default();
    };
    let mut list = Vec::new();
    for one in expected.iter().filter(listed) {
        let at = behind_blanks(before, one.start);
        let blank = if stands_alone(before, at, one) {
            " "
        } else {
            ""
        };
        let text = format!("{}{}{blank}", &before[start..at], one.text);
        list.push(Suggestion {
            shown: one.text.clone(),
            text,
        });
    }
    if let Some(at) = dice_start {
        let dice = dice(&before[at..]).into_iter();
        list.extend(dice.map(|dice| Suggestion {
            text: format!("{}{dice}", &before[start..at]),
            shown: dice,
        }));
    }
    list.sort();
    list.dedup();
    Suggestions { start, list }
}

/// Returns whether an offer is a mark that would end a word which may go on: what a slot takes any word of offers nothing.
fn ends_word(before: &str, one: &Expected, expected: &[Expected]) -> bool {
    let is_word = before.ends_with(char::is_alphabetic);
    let is_mark = !one.text.contains(char::is_alphanumeric) && one.start >= before.len();
    let is_open = |other: &Expected| other.kind == ExpectedKind::Type && other.start < before.len();
    is_word && is_mark && expected.iter().any(is_open)
}

/// Nothing was typed yet where an offer begins before the blanks at the end.
fn behind_blanks(before: &str, start: usize) -> usize {
    let start = before.floor_char_boundary(start.min(before.len()));
    let typed = before[start..].trim_start();
    before.len() - typed.len()
}

fn word_start(before: &str) -> usize {
    before
        .rfind(char::is_whitespace)
        .map_or(0, |at| before.ceil_char_boundary(at + 1))
}

/// Words and names that touch nothing are followed by a blank.
fn stands_alone(before: &str, at: usize, one: &Expected) -> bool {
    let touches = before[..at]
        .chars()
        .next_back()
        .is_some_and(|c| !c.is_whitespace());
    !touches && (one.kind == ExpectedKind::Name || one.text.chars().count() > 1)
}

/// Returns whether dice notation is expected.
pub(crate) fn is_dice(one: &Expected) -> bool {
    one.kind == ExpectedKind::Type && one.type_name.as_deref() == Some(DICE)
}

/// Returns dice that begin with what was typed; of a sum, its last part goes on.
fn dice(typed: &str) -> Vec<String> {
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

/// Returns names of the script API, or, inside a text, the ids of the game.
fn luau(before: &str, ids: &[String]) -> Suggestions {
    if let Some(start) = open_text(before) {
        return named(start, &before[start..], ids.iter().cloned());
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let start = before.len()
        - before
            .chars()
            .rev()
            .take_while(|c| is_name(*c))
            .map(char::len_utf8)
            .sum::<usize>();
    named(start, &before[start..], api_names())
}

/// Returns where the text that the cursor stands in begins, if it stands in one.
fn open_text(before: &str) -> Option<usize> {
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, c) in before.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((quote, _)) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => open = Some((c, at + 1)),
            None => {}
        }
    }
    open.map(|(_, at)| at)
}

/// Returns every function of the script API as it is called: `act:get(`, `dice.fold(`.
pub(crate) fn api_names() -> Vec<String> {
    let mut names = Vec::new();
    for group in declarations() {
        for function in &group.functions {
            names.push(match (group.is_type, function.name == group.name) {
                (true, _) => format!("{}:{}(", group.name.to_lowercase(), function.name),
                (false, true) => format!("{}(", function.name),
                (false, false) => format!("{}.{}(", group.name, function.name),
            });
        }
    }
    names.sort();
    names
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
        }
    }

    fn texts(suggestions: &Suggestions) -> Vec<&str> {
        suggestions
            .list
            .iter()
            .map(|one| one.text.as_str())
            .collect()
    }

    #[test]
    fn names_of_several_words_replace_what_was_typed_of_them() {
        let offers = vec![
            expected(7, ExpectedKind::Name, "Hill Guard 1"),
            expected(7, ExpectedKind::Name, "Hill Guard 2"),
        ];
        let found = phrase("attack hill g", offers);
        assert_eq!(
            (found.start, texts(&found)),
            (7, vec!["Hill Guard 1 ", "Hill Guard 2 "])
        );
    }

    #[test]
    fn offers_that_begin_at_different_places_replace_the_same_text() {
        let offers = vec![
            expected(4, ExpectedKind::Word, "33"),
            expected(5, ExpectedKind::Word, "d"),
        ];
        let found = phrase("add 3", offers);
        assert_eq!((found.start, texts(&found)), (4, vec!["33 ", "3d"]));
        let found = phrase("mood ", vec![expected(4, ExpectedKind::Name, "Ann")]);
        assert_eq!((found.start, texts(&found)), (5, vec!["Ann "]));
        assert_eq!(
            phrase("add ", vec![expected(4, ExpectedKind::Type, "a number")]),
            Suggestions::default()
        );
    }

    #[test]
    fn a_word_that_may_be_any_is_not_ended_by_a_mark() {
        let slot = expected(9, ExpectedKind::Type, "a word");
        let mark = expected(12, ExpectedKind::Word, ":");
        let found = phrase("note Ann dur", vec![slot, mark.clone()]);
        assert_eq!(found, Suggestions::default());
        let found = phrase("note Ann Bob", vec![mark]);
        assert_eq!(texts(&found), [":"]);
    }

    #[test]
    fn dice_are_offered_where_a_slot_wants_them() {
        let slot = Expected {
            type_name: Some(DICE.to_owned()),
            ..expected(6, ExpectedKind::Type, "a text")
        };
        let found = phrase("throw 3d1", vec![slot]);
        assert_eq!((found.start, texts(&found)), (6, vec!["3d10", "3d12"]));
        assert_eq!(dice("2d6k"), ["2d6kh1", "2d6kl1"]);
        assert_eq!(
            dice("d8+2d"),
            [
                "d8+2d4", "d8+2d6", "d8+2d8", "d8+2d10", "d8+2d12", "d8+2d20", "d8+2d%", "d8+2dF"
            ]
        );
        assert_eq!(
            dice("2d6"),
            [
                "2d6", "2d6!", "2d6!!", "2d6kh1", "2d6kl1", "2d6dh1", "2d6dl1", "2d6r1", "2d6ro1",
                "2d6min2", "2d6max5", "2d6>=5"
            ]
        );
        assert_eq!(
            dice(""),
            ["d4", "d6", "d8", "d10", "d12", "d20", "d%", "dF"]
        );
        assert_eq!(dice("ä"), Vec::<String>::new());
    }

    #[test]
    fn luau_offers_the_api_and_ids_inside_texts() {
        let ids = ["ann".to_owned(), "bo".to_owned()];
        let found = luau("= 1 + act:ge", &ids);
        assert_eq!(
            (found.start, texts(&found)),
            (6, vec!["act:get(", "act:get_decimal("])
        );
        let found = luau("= act:get(\"a", &ids);
        assert_eq!((found.start, texts(&found)), (11, vec!["ann"]));
        assert_eq!(open_text("= f('it\\'s', \""), Some(14));
        assert_eq!(open_text("= f(\"a\")"), None);
    }
}
