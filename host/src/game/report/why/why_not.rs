//! Explains refused commands, and fields that nothing modifies.

use crate::doc::build::{list, paragraph};
use crate::doc::{Document, Viewer};
use crate::game::command::lines_for_seats::{parse_for_seat_line, seat_spoken_for};
use crate::game::past::changes_in_words::shortened_value_text;
use crate::game::past::replay::rehearse_line;
use crate::game::report::why::cause_tree::{Answer, trace_tree};
use crate::game::report::why::cell::{
    base_item, explanation_of_field, inactive_modifier_items, why_cell,
};
use crate::game::report::why::cell_origin::Runs;
use crate::game::report::why::operation::{left_out_note, refusal_blocks};
use crate::game::report::why::redaction::past_refusal_for_seat;
use crate::game::report::why::subject::cell_name_for_viewer;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::ruling_context::Giver;
use crate::game::timeline::Timeline;
use crate::script::{GM, Sight};
use crate::value::Name;

/// Runs a command, takes it back and explains its refusal.
pub(super) fn why_refused(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    line: &str,
) -> Answer {
    if *viewer != Viewer::Gm {
        return past_refusal_for_seat(timeline, caller, viewer, line);
    }
    let (seat, command) = match parse_for_seat_line(line) {
        Some((seat, command)) => (seat_spoken_for(timeline, GM, seat)?, command),
        None => (GM.to_owned(), line),
    };
    let giver = Giver {
        seat: &seat,
        entered_by: (seat != GM).then_some(GM),
    };
    let again = rehearse_line(timeline, caller, (giver, command)).map_err(Box::new)?;
    let names = timeline.state.names();
    let mut blocks = match &again.result {
        Ok(()) => vec![paragraph(format!(
            "`{line}` is allowed: {} would run it.",
            again.rule
        ))],
        Err(refusal) => refusal_blocks(&again, refusal),
    };
    blocks.extend(left_out_note(&again));
    blocks.push(trace_tree(&again.lines, names));
    Ok(Document::new(blocks))
}

/// Explains why nothing modifies a field, or reports that something does.
pub(super) fn why_unchanged(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    row: Name,
    field: Name,
) -> Answer {
    let is_seen = Sight::new(&timeline.state, viewer).can_see_field(row, field);
    if *viewer != Viewer::Gm || !is_seen {
        return why_cell(timeline, caller, viewer, row, field);
    }
    let explained = explanation_of_field(timeline, row, field)?;
    if !explained.steps.is_empty() {
        return why_cell(timeline, caller, viewer, row, field);
    }
    let cell = cell_name_for_viewer(timeline, viewer, (row, field));
    let now = shortened_value_text(&explained.shown);
    let mut runs = Runs::of(caller);
    let asleep = inactive_modifier_items(timeline, &mut runs, &explained);
    let first = match asleep.len() {
        0 => {
            format!("{cell} is {now}. No attribute has a modifier for it.")
        }
        1 => format!("{cell} is {now}. One modifier exists but is inactive."),
        many => format!("{cell} is {now}. {many} modifiers exist but are inactive."),
    };
    let mut items = asleep;
    items.insert(0, base_item(timeline, &mut runs, row, field, &explained));
    Ok(Document::new([paragraph(first), list(items)]))
}
