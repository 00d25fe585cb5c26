//! Suggestions for commands that take any text: plans to begin, options of open polls.
//!
//! The lists contain only entries that the user may know of.

use crate::content::Definition;
use crate::doc::{Audience, Viewer, may_see};
use crate::game::attempt::line_parser::parse_command_line;
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::question::permission::forbidden_line_refusal;
use crate::game::timeline::Timeline;
use crate::script::{GM, Owner, PLANS, offered_words, owner_of_template, slots_value};
use crate::value::{Name, Value};

/// The row that owns polls.
const POLLS: &str = "@polls";
/// The vote in a poll that lets voters abstain.
const ABSTAIN: &str = "abstain";

/// Returns the plans that a user may begin, in order, each with its description: only the game master moves the game.
pub fn plans_to_begin(timeline: &Timeline, by: &str) -> Vec<(String, String)> {
    if by != GM {
        return Vec::new();
    }
    let rules = timeline.rules();
    let summary = |one: &Definition| {
        one.value
            .get("summary")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    rules
        .registry
        .of_collection(PLANS)
        .map(|one| (one.id.to_string(), summary(one)))
        .collect()
}

/// Returns the votes that a user may give, in order: the options of the open polls that the user may know of. If there
/// are several polls, each option has its poll.
pub fn poll_choices_for(timeline: &Timeline, by: &str) -> Vec<String> {
    let viewer = viewer_of_seat(timeline, by);
    let open = rows_of_open_polls(timeline, &viewer);
    let is_only = open.len() == 1;
    let choices = open.iter().flat_map(|poll| {
        let text = |option: &Value| option.get("text").as_str().map(str::to_owned);
        let options = poll_field(timeline, *poll, "options")
            .items()
            .iter()
            .filter_map(text);
        let abstains = poll_field(timeline, *poll, "abstain").as_bool() == Some(true);
        let options = options.chain(abstains.then(|| ABSTAIN.to_owned()));
        let key = poll_field(timeline, *poll, "key")
            .as_str()
            .unwrap_or_default();
        options.map(move |option| match is_only {
            true => option,
            false => format!("{option} in {key}"),
        })
    });
    let mut choices: Vec<String> = choices.collect();
    choices.sort();
    choices.dedup();
    choices
}

/// Returns the texts that a command lists with `offers` for its last slot, for the user who types it. The number is the
/// byte offset of that slot in the line.
pub fn texts_offered_for_last_slot(
    timeline: &Timeline,
    by: &str,
    before: &str,
) -> Option<(usize, Vec<String>)> {
    // A text begins at its first word; a word is added if there is none yet.
    let line = match before.ends_with(char::is_whitespace) {
        true => format!("{before}x"),
        false => before.to_owned(),
    };
    let (phrase, _) = parse_command_line(timeline, by, &line).ok()?;
    let owner = owner_of_template(&phrase.template)?;
    if forbidden_line_refusal(timeline, by, &owner).is_some() {
        return None;
    }
    let Owner::Definition { collection, id, .. } = owner else {
        return None;
    };
    let last = phrase.slots.last()?.filled.to_value();
    let start = line
        .trim_end()
        .len()
        .checked_sub(last.as_str()?.trim().len())?;
    let args = slots_value(&phrase);
    let offered = offered_words(
        &timeline.generation().machine(),
        &timeline.state,
        by,
        (&collection, &id),
        &args,
    );
    // A failure while a user types is reported when the line is given.
    Some((start, offered.ok()?))
}

fn rows_of_open_polls(timeline: &Timeline, viewer: &Viewer) -> Vec<Name> {
    let state = &timeline.state;
    let owner = state.names().find(POLLS);
    let polls = owner.into_iter().flat_map(|owner| state.records_of(owner));
    let is_seen = |poll: &Name| {
        let seen = state.get(*poll, state.reserved().seen).as_str();
        let audience = seen.map_or(Ok(Audience::Public), Audience::parse);
        audience.is_ok_and(|audience| may_see(viewer, &audience))
    };
    let is_open = |poll: &Name| poll_field(timeline, *poll, "closed").is_nil();
    polls.filter(is_seen).filter(is_open).collect()
}

fn poll_field<'a>(timeline: &'a Timeline, poll: Name, field: &str) -> &'a Value {
    let field = timeline.state.names().find(field);
    field.map_or(&Value::Nil, |field| timeline.state.get(poll, field))
}
