//! Possible answers to an open question, and the hint for a user who gives an answer as a command.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::game::question::open_questions::{OpenQuestion, QuestionPlace, open_questions_for};
use crate::game::timeline::Timeline;
use crate::script::{ReplyType, YES_NO, offered_words, with_names};
use crate::text::{NameEntry, NameSource, NameTable};
use crate::value::{Name, Value};

/// Returns the texts that a user may answer to a question, as far as they can be listed.
pub fn possible_answers(timeline: &Timeline, by: &str, open: &OpenQuestion) -> Vec<String> {
    match &open.question.reply {
        ReplyType::Named(name) if name != YES_NO => {
            let names = names_for_slot_type(timeline, by, name).unwrap_or_default();
            match names.is_empty() {
                true => offered_answers(timeline, by, open).unwrap_or_default(),
                false => names,
            }
        }
        reply => reply
            .answer_texts()
            .into_iter()
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns the answers to a prompt that the definition which takes its answer lists with `offers`. A failure while a
/// user types is reported when the answer is given.
fn offered_answers(timeline: &Timeline, by: &str, open: &OpenQuestion) -> Option<Vec<String>> {
    let QuestionPlace::Prompt(row) = &open.place else {
        return None;
    };
    let state = &timeline.state;
    let field = |name: &str| Some(state.get(*row, state.names().find(name)?));
    let definition = field("run")?.as_str()?.split_once('/')?;
    let values = field("values").unwrap_or(&Value::Nil);
    let engine = timeline.generation().machine();
    offered_words(&engine, state, by, definition, values).ok()
}

/// Returns how to give a line that is not a command as an answer, if it answers a question that waits for the user.
pub(in crate::game) fn answer_hint_for_line(
    timeline: &Timeline,
    by: &str,
    line: &str,
) -> Option<String> {
    let open = open_questions_for(timeline, by);
    let said = line.to_lowercase();
    let fits = |one: &&OpenQuestion| {
        let mut options = possible_answers(timeline, by, one).into_iter();
        options.any(|option| option.to_lowercase() == said)
    };
    let asks: Vec<&OpenQuestion> = open.iter().filter(fits).collect();
    let lines: Vec<String> = match (open.len(), asks.as_slice()) {
        (1, [_]) => vec![format!("`answer {line}`")],
        (_, asks) => asks
            .iter()
            .map(|one| format!("`answer {} {line}`", one.number_or_key()))
            .collect(),
    };
    (!lines.is_empty()).then(|| format!("this looks like an answer; type {}", lines.join(" or ")))
}

/// Returns the present names that fill a slot type for a user, in order; an id only for a thing without a name. Errors:
/// the function that finds them fails.
pub fn names_for_slot_type(
    timeline: &Timeline,
    by: &str,
    slot_type: &str,
) -> Result<Vec<String>, Diagnostic> {
    let listed = |names: &dyn NameSource| {
        let table = names.names(slot_type);
        let entries = || table.into_iter().flat_map(NameTable::entries);
        let is_id = |entry: &&NameEntry| entry.value.as_str() == Some(&entry.name);
        let named = entries().filter(|entry| !is_id(entry));
        let named: BTreeSet<&str> = named.filter_map(|entry| entry.value.as_str()).collect();
        let is_wanted = |entry: &&NameEntry| !is_id(entry) || !named.contains(&*entry.name);
        let wanted = entries().filter(is_wanted);
        wanted.map(|entry| entry.name.clone()).collect()
    };
    let (names, failed) = with_names(
        &timeline.generation().machine(),
        &timeline.state,
        by,
        listed,
    );
    failed.into_iter().next().map_or(Ok(names), Err)
}

/// Returns the name of an entity.
pub(in crate::game) fn name_of_entity(timeline: &Timeline, row: Name) -> Option<String> {
    let field = timeline.state.names().find("name")?;
    timeline.state.get(row, field).as_str().map(str::to_owned)
}
