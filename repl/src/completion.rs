//! Returns the suggestions for Tab: commands and names from the grammar, dice, words of `help`, the script API.

mod answer_suggestions;
pub(crate) mod grammar_suggestions;
mod inner_command;
pub(crate) mod luau_suggestions;
#[cfg(test)]
mod shipped_offers;
mod suggestion;

use host::game;
use host::game::Timeline;
use host::script::GM;

use inner_command::text_after_words;
pub(crate) use suggestion::{Suggestion, Suggestions};
use suggestion::{first_words_of_sentence, matching_suggestions, without_descriptions};

/// Returns the suggestions for the acting person at the cursor, a byte offset in the line.
pub(crate) fn suggestions_at_cursor(
    timeline: &Timeline,
    by: &str,
    line: &str,
    cursor: usize,
) -> Suggestions {
    let Some((before, after)) = line.split_at_checked(cursor) else {
        return Suggestions::default();
    };
    let typed = before.trim_start();
    if typed.starts_with('=') {
        // Only the game master evaluates.
        let ids = if by == GM {
            game::ids_for_scripts(timeline)
        } else {
            Vec::new()
        };
        return luau_suggestions::luau_suggestions(before, &ids);
    }
    if let Some(inner) = inner_command_suggestions(timeline, (by, before), after) {
        return inner;
    }
    if let Some(word) = text_after_words(typed, "help") {
        return help_suggestions(before.len() - word.len(), word, (timeline, by));
    }
    if let Some(rest) = text_after_words(typed, "answer") {
        return answer_suggestions::answer_suggestions(
            before.len() - rest.len(),
            rest,
            (timeline, by),
        );
    }
    let is_word = !typed.contains(char::is_whitespace);
    if is_word && after.starts_with('?') {
        return help_suggestions(before.len() - typed.len(), typed, (timeline, by));
    }
    let expected = game::expected_next_words(timeline, by, before);
    let expected = grammar_suggestions::drop_misplaced_words(timeline, before, expected);
    let found = grammar_suggestions::grammar_suggestions(before, &expected, |offers| {
        grammar_suggestions::descriptions_of_offers(timeline, by, before, offers)
    });
    merge_suggestions(found, free_text_suggestions(before, typed, (timeline, by)))
}

/// Merges suggestions of the grammar and suggestions for free text, if both begin at the same place.
fn merge_suggestions(mut found: Suggestions, free: Suggestions) -> Suggestions {
    match (found.list.is_empty(), found.start == free.start) {
        (true, _) => free,
        (false, true) => {
            found.list.extend(free.list);
            found.list.sort();
            found
        }
        (false, false) => found,
    }
}

/// Returns suggestions for the command inside a line, if there are any, as for its giver.
fn inner_command_suggestions(
    timeline: &Timeline,
    (by, before): (&str, &str),
    after: &str,
) -> Option<Suggestions> {
    let (giver, line) = inner_command::inner_command(timeline, by, before)?;
    let start = before.len() - line.len();
    let within = suggestions_at_cursor(timeline, &giver, &format!("{line}{after}"), line.len());
    (!within.list.is_empty()).then(|| Suggestions {
        start: start + within.start,
        ..within
    })
}

/// Returns suggestions where a command takes any text: plans that may begin, subjects of votes, keys of standing
/// answers, suggestions of the command itself.
fn free_text_suggestions(
    before: &str,
    typed: &str,
    (timeline, by): (&Timeline, &str),
) -> Suggestions {
    let place = |rest: &str| before.len() - rest.len();
    if let Some(rest) = text_after_words(typed, "plan begin") {
        return matching_suggestions(place(rest), rest, game::plans_to_begin(timeline, by));
    }
    if let Some(rest) = text_after_words(typed, "vote") {
        return matching_suggestions(
            place(rest),
            rest,
            names_with_descriptions((timeline, by), game::poll_choices_for(timeline, by)),
        );
    }
    if let Some(rest) = text_after_words(typed, "always") {
        return answer_suggestions::standing_answer_suggestions(place(rest), rest, (timeline, by));
    }
    match game::texts_offered_for_last_slot(timeline, by, before) {
        Some((start, offered)) => {
            list_item_suggestions(start, &before[start..], offered, (timeline, by))
        }
        None => Suggestions::default(),
    }
}

/// Returns the words that `help` takes: at first the topics, then every word, code and function with the typed beginning.
fn help_suggestions(start: usize, word: &str, (timeline, by): (&Timeline, &str)) -> Suggestions {
    let topics = game::help_topics(timeline, by);
    if word.is_empty() {
        return matching_suggestions(start, word, topics);
    }
    let words = game::help_words_for_user(timeline, by).into_iter();
    let told = words.map(|word| {
        let topic = topics.binary_search_by(|(topic, _)| topic.cmp(&word));
        let about = topic.map_or_else(|_| String::new(), |at| topics[at].1.clone());
        (word, about)
    });
    let told = told.chain(game::help_words_after(timeline, word));
    let mut found = matching_suggestions(start, word, told);
    found.list.sort();
    found
}

/// Returns the texts that begin with the typed text; of a list only the last item is shown.
fn list_item_suggestions(
    start: usize,
    typed: &str,
    texts: Vec<String>,
    (timeline, by): (&Timeline, &str),
) -> Suggestions {
    let last = typed.rfind(", ").map_or(0, |at| at + ", ".len());
    let last = last.max(common_words_length(typed, &texts));
    let mut found = matching_suggestions(start, typed, without_descriptions(texts));
    for one in &mut found.list {
        one.shown.drain(..last);
    }
    let shown: Vec<&str> = found.list.iter().map(|one| one.shown.as_str()).collect();
    let about = game::describe_names(timeline, by, &shown);
    for (one, about) in found.list.iter_mut().zip(about) {
        one.about = first_words_of_sentence(&about);
    }
    found
}

/// Returns the length of the typed whole words with which all texts begin.
fn common_words_length(typed: &str, texts: &[String]) -> usize {
    let same = |text: &String| {
        let both = typed.bytes().zip(text.bytes());
        let same = both.take_while(|(one, other)| one.eq_ignore_ascii_case(other));
        same.count()
    };
    let length = texts.iter().map(same).min().unwrap_or_default();
    let same = &typed[..typed.floor_char_boundary(length)];
    same.rfind(' ').map_or(0, |at| at + 1)
}

/// Returns names, each with its description.
fn names_with_descriptions(
    (timeline, by): (&Timeline, &str),
    names: Vec<String>,
) -> impl Iterator<Item = (String, String)> {
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let about = game::describe_names(timeline, by, &texts);
    names.into_iter().zip(about)
}
