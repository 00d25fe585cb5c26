//! Answers to `why` for a seat: only the values that the seat may see, and no numbers that reveal the count of other
//! values.
//!
//! A seat sees no numbers of operations and attributes, because these numbers count the actions of others. A seat sees
//! no trace either. Dice, conditions and rules are the game master's until a rule announces them.

use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph};
use crate::doc::{Block, Document, Viewer};
use crate::game::attempt::change_log::last_changing_operation;
use crate::game::attempt::command_kind::host_effect_of_past_line;
use crate::game::command::lines_for_seats::entered_by_text;
use crate::game::past::changes_in_words::{change_in_words, shortened_value_text};
use crate::game::past::replay::replay_traced;
use crate::game::report::why::cause_tree::Answer;
use crate::game::report::why::subject::{cell_name_for_viewer, name_for_viewer};
use crate::game::ruling::caller::Caller;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::fiat::Fiat;
use crate::game::timeline::log_entries::{
    Entry, documents_for_viewer, log_entries, no_line_refusal,
};
use crate::game::timeline::{Timeline, seat_replies};
use crate::script::Sight;
use crate::store::{Change, Explanation, Operation, What};
use crate::value::Name;

/// Explains a line of the seat's own log.
pub(super) fn operation_for_seat(timeline: &Timeline, viewer: &Viewer, number: u64) -> Answer {
    let entries = log_entries(timeline, viewer);
    let found = entries.iter().find(|entry| entry.number == number);
    let Some(entry) = found else {
        let finding = no_line_refusal("store/unknown-operation", timeline, viewer, number);
        return Err(Box::new(finding));
    };
    let Entry {
        operation,
        is_own,
        documents,
        ..
    } = entry;
    let mut blocks = Vec::new();
    if *is_own {
        blocks.push(paragraph(own_line_sentence(timeline, number, operation)));
        blocks.extend(seen_changes(timeline, viewer, operation));
    } else {
        blocks.push(paragraph(format!(
            "Line {number} of your log is a message to you."
        )));
    }
    blocks.extend(documents.iter().flat_map(|one| one.blocks.clone()));
    Ok(Document::new(blocks))
}

/// Lists the changes of an operation that a seat may see.
fn seen_changes(timeline: &Timeline, viewer: &Viewer, operation: &Operation) -> Option<Block> {
    let before = timeline.history.state_before(operation.seq).ok()?;
    let after = timeline.history.state_before(operation.seq + 1).ok()?;
    let names = timeline.state.names();
    let state_of = |row: Name| if after.exists(row) { &after } else { &before };
    let seen = operation.changes.iter().filter(|change| {
        let state = state_of(change.row);
        let is_own =
            !names.text(change.field).starts_with('@') && state.owner(change.row).is_none();
        is_own && Sight::new(state, viewer).can_see_field(change.row, change.field)
    });
    let items: Vec<_> = seen
        .map(|change| item(change_in_words(change, &timeline.state), []))
        .collect();
    (!items.is_empty()).then(|| list(items))
}

/// Explains the shown value of a field, as far as the seat may see it.
pub(super) fn cell_for_seat(
    timeline: &Timeline,
    viewer: &Viewer,
    (row, field): (Name, Name),
    explained: &Explanation,
) -> Document {
    let sight = Sight::new(&timeline.state, viewer);
    let cell = cell_name_for_viewer(timeline, viewer, (row, field));
    let first = format!("{cell} shows {}.", shortened_value_text(&explained.shown));
    let begin = shortened_value_text(&explained.base);
    let origin = if explained.is_declared {
        "declared"
    } else {
        "stored"
    };
    let steps = explained
        .steps
        .iter()
        .filter(|step| sight.can_see_row(step.record));
    let steps = steps.map(|step| {
        let (what, operand) = (step.operator.as_str(), shortened_value_text(&step.operand));
        format!(
            "{what} {operand}: {}",
            visible_record_text(timeline, &sight, step.record)
        )
    });
    let fiat = match explained.is_declared {
        true => None,
        false => fiat_sentence(timeline, viewer, row, field),
    };
    let begins = format!("{begin} {origin}{}", fiat.unwrap_or_default());
    let items = std::iter::once(begins).chain(steps);
    Document::new([paragraph(first), list(items)])
}

/// Describes the fiat that changed a field, with its reason, for viewers who got its message then.
fn fiat_sentence(timeline: &Timeline, viewer: &Viewer, row: Name, field: Name) -> Option<String> {
    let changed = |change: &Change| (change.row, change.field) == (row, field);
    let operation = last_changing_operation(timeline, changed)?;
    let fiat = Fiat::of(operation)?;
    let was_told = !documents_for_viewer(operation, viewer).is_empty();
    was_told.then(|| fiat.as_clause())
}

/// Explains a row, as far as the seat may see it.
pub(super) fn row_for_seat(timeline: &Timeline, viewer: &Viewer, row: Name) -> Document {
    let names = timeline.state.names();
    let sight = Sight::new(&timeline.state, viewer);
    let kind = timeline.state.kind(row).map(|kind| names.text(kind));
    let kind = kind.as_deref().unwrap_or_default();
    let first = match timeline.state.owner(row) {
        Some(owner) => {
            let about = visible_record_text(timeline, &sight, row);
            format!(
                "{about} is attached to {}.",
                name_for_viewer(timeline, viewer, owner)
            )
        }
        None => format!("{} is a {kind}.", name_for_viewer(timeline, viewer, row)),
    };
    let records = timeline
        .state
        .records_of(row)
        .filter(|record| sight.can_see_row(*record));
    let items: Vec<String> = records
        .map(|record| visible_record_text(timeline, &sight, record))
        .collect();
    let items = (!items.is_empty()).then(|| list(items));
    Document::new(std::iter::once(paragraph(first)).chain(items))
}

/// Returns an attribute in a few words, without its number.
fn visible_record_text(timeline: &Timeline, sight: &Sight<'_>, record: Name) -> String {
    let (state, names) = (&timeline.state, timeline.state.names());
    let fields = state.field_names_of_row(record).into_iter();
    let fields = fields.filter(|field| {
        !names.text(*field).starts_with('@') && sight.can_see_field(record, *field)
    });
    let fields = fields.map(|field| {
        format!(
            "{} {}",
            names.text(field),
            shortened_value_text(state.get(record, field))
        )
    });
    let fields: Vec<String> = fields.collect();
    let kind = state.kind(record).map(|kind| names.text(kind));
    let kind = kind.as_deref().unwrap_or_default();
    match fields.join(", ") {
        none if none.is_empty() => kind.to_owned(),
        fields => format!("{kind} ({fields})"),
    }
}

/// Explains the refusal of a command of the seat with the message that the seat got then. The command is not run.
pub(super) fn past_refusal_for_seat(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    line: &str,
) -> Answer {
    let line = line.trim();
    let refused = |entry: &&Entry| {
        let was_refused = matches!(entry.operation.what, What::Refused { .. });
        entry.is_own && was_refused && *entry.operation.command == *line
    };
    let entries = log_entries(timeline, viewer);
    let found = entries.iter().rev().find(refused);
    let Some((number, operation)) = found.map(|one| (one.number, one.operation.clone())) else {
        let message = format!("you have no refused command \"{line}\"");
        let hint = "a player can use `why not` only for their own refused commands, the game master for any command";
        return Err(Box::new(
            Diagnostic::error("why/not-given", message).hint(hint),
        ));
    };
    let told = replay_traced(timeline, caller, &operation)
        .ok()
        .and_then(|again| again.result.err());
    let first = own_line_sentence(timeline, number, &operation);
    let unsaid = match is_answer_line(timeline, line) {
        true => seat_replies::answer_refusal_for_seat,
        false => seat_replies::refusal_for_seat,
    };
    let why = told.map(unsaid).map(|refusal| {
        let hints = refusal.hints.iter().map(|hint| paragraph(hint.as_str()));
        std::iter::once(paragraph(refusal.message.as_str()))
            .chain(hints)
            .collect::<Vec<_>>()
    });
    Ok(Document::new(
        std::iter::once(paragraph(first)).chain(why.unwrap_or_default()),
    ))
}

fn own_line_sentence(timeline: &Timeline, number: u64, operation: &Operation) -> String {
    let command = &operation.command;
    let entered = entered_by_text(operation);
    match &operation.what {
        What::Refused { code, .. } => {
            let code = seat_replies::refusal_code_for_seat(is_answer_line(timeline, command), code);
            format!(
                "Line {number} of your log is your command `{command}`{entered}, which was refused ({code})."
            )
        }
        What::Ruling
        | What::Undo { .. }
        | What::Redo { .. }
        | What::Revert { .. }
        | What::Replace { .. }
        | What::Posted { .. }
        | What::Withdrawn { .. } => {
            format!("Line {number} of your log is your command `{command}`{entered}.")
        }
    }
}

fn is_answer_line(timeline: &Timeline, line: &str) -> bool {
    host_effect_of_past_line(timeline, line) == Some(CommandEffect::Answers)
}
