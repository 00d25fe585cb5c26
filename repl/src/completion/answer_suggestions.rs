//! Suggests answers to an open question, and standing answers.

use host::game;
use host::game::{OpenQuestion, Timeline};

use super::names_with_descriptions;
use super::suggestion::{Suggestions, matching_suggestions};

/// Returns suggestions for an answer: the options of a question if the line names it, else the numbers and keys.
pub(super) fn answer_suggestions(
    start: usize,
    typed: &str,
    (timeline, by): (&Timeline, &str),
) -> Suggestions {
    let open = game::open_questions_for(timeline, by);
    let meant = |word: &str| {
        let fits = |one: &&OpenQuestion| one.number == word || one.question.key == word;
        open.iter().find(fits)
    };
    let options = |one: &OpenQuestion| {
        let texts =
            names_with_descriptions((timeline, by), game::possible_answers(timeline, by, one));
        // An option that is not a name of the rules is described by the text of its question.
        let asked = one.question.text.clone();
        texts.map(move |(text, about)| match about.is_empty() {
            true => (text, asked.clone()),
            false => (text, about),
        })
    };
    if let Some((word, rest)) = typed.split_once(' ')
        && let Some(one) = meant(word)
    {
        let option = rest.trim_start();
        return matching_suggestions(start + typed.len() - option.len(), option, options(one));
    }
    let asked = |one: &OpenQuestion, word: &str| (word.to_owned(), one.question.text.clone());
    let mut words: Vec<(String, String)> = match open.as_slice() {
        [one] => options(one).collect(),
        several => several
            .iter()
            .map(|one| asked(one, one.number_or_key()))
            .collect(),
    };
    words.extend(open.iter().map(|one| asked(one, &one.question.key)));
    words.sort();
    words.dedup_by(|later, earlier| later.0 == earlier.0);
    matching_suggestions(start, typed, words)
}

/// Returns suggestions for a standing answer: the keys of questions; after a key its options and `off`.
pub(super) fn standing_answer_suggestions(
    start: usize,
    typed: &str,
    (timeline, by): (&Timeline, &str),
) -> Suggestions {
    let open = game::open_questions_for(timeline, by);
    let of = |key: &str| open.iter().find(|one| one.question.key == key);
    if let Some((key, rest)) = typed.split_once(' ') {
        let option = rest.trim_start();
        let options = of(key).map(|one| game::possible_answers(timeline, by, one));
        let seat = game::canonical_seat(timeline, by);
        let given = game::standing_answers_by_seat_and_key(timeline.state());
        let given = given.contains_key(&(seat, key.to_owned()));
        let off = given.then(|| ("off".to_owned(), "removes the standing answer".to_owned()));
        let texts = names_with_descriptions((timeline, by), options.unwrap_or_default()).chain(off);
        return matching_suggestions(start + typed.len() - option.len(), option, texts);
    }
    let keys = game::keys_for_new_standing_answer(timeline, by).into_iter();
    let told = keys.map(|key| {
        let text = of(&key).map(|one| one.question.text.clone());
        (key, text.unwrap_or_default())
    });
    matching_suggestions(start, typed, told)
}
