//! Explains the shown value of a field: its base, and the effect of each modifier.

use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph};
use crate::doc::{Document, Item, Viewer};
use crate::game::past::changes_in_words::shortened_value_text;
use crate::game::report::why::cause_tree::Answer;
use crate::game::report::why::cell_origin::{Runs, origin_of_cell};
use crate::game::report::why::redaction::cell_for_seat;
use crate::game::report::why::subject::{cell_name_for_viewer, name_for_viewer};
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;
use crate::script::Sight;
use crate::store::{Explanation, Off};
use crate::value::{Name, Value};

/// Explains the shown value of a field.
pub(super) fn why_cell(
    timeline: &Timeline,
    caller: &Caller<'_>,
    viewer: &Viewer,
    row: Name,
    field: Name,
) -> Answer {
    if !Sight::new(&timeline.state, viewer).can_see_field(row, field) {
        return Err(Box::new(not_known_refusal(timeline, viewer, (row, field))));
    }
    let explained = explanation_of_field(timeline, row, field)?;
    if *viewer != Viewer::Gm {
        return Ok(cell_for_seat(timeline, viewer, (row, field), &explained));
    }
    let mut runs = Runs::of(caller);
    let mut items = vec![base_item(timeline, &mut runs, row, field, &explained)];
    for step in &explained.steps {
        let what = format!(
            "{} {} -> {}",
            step.operator.as_str(),
            shortened_value_text(&step.operand),
            shortened_value_text(&step.result)
        );
        let bearer = step
            .bearer
            .map(|row| name_for_viewer(timeline, &Viewer::Gm, row));
        let bearer = bearer.map_or_else(String::new, |row| format!(", carried by {row}"));
        let about = attribute_in_words(timeline, step.record);
        items.push(attribute_item(
            timeline,
            &mut runs,
            step.record,
            format!("{what}: {about}{bearer}"),
        ));
    }
    items.extend(inactive_modifier_items(timeline, &mut runs, &explained));
    let first = first_sentence(timeline, row, field, &explained);
    let blocks = [paragraph(first), list(items)];
    Ok(Document::new(blocks).data(cell_data(timeline, row, field, &explained)))
}

/// Returns the explanation of a field's shown value. Errors: a modifier that cannot work.
pub(super) fn explanation_of_field(
    timeline: &Timeline,
    row: Name,
    field: Name,
) -> Result<Explanation, Box<Diagnostic>> {
    let explained = timeline
        .generation()
        .machine()
        .explain_stat(&timeline.state, row, field);
    explained.map_err(Box::new)
}

fn not_known_refusal(timeline: &Timeline, viewer: &Viewer, cell: (Name, Name)) -> Diagnostic {
    let message = format!(
        "you are not allowed to see {}",
        cell_name_for_viewer(timeline, viewer, cell)
    );
    Diagnostic::error("why/not-known", message)
}

fn first_sentence(timeline: &Timeline, row: Name, field: Name, explained: &Explanation) -> String {
    let cell = cell_name_for_viewer(timeline, &Viewer::Gm, (row, field));
    let now = shortened_value_text(&explained.shown);
    let begin = shortened_value_text(&explained.base);
    let origin = if explained.is_declared {
        "declared"
    } else {
        "stored"
    };
    match explained.steps.len() {
        0 if explained.base.is_nil() => format!("{cell} shows nothing: nothing is stored."),
        0 => format!("{cell} shows {now}, as {origin}; nothing modifies it."),
        1 => format!("{cell} shows {now}: {begin} is {origin}, and 1 modifier changes it."),
        many => {
            format!("{cell} shows {now}: {begin} is {origin}, and {many} modifiers change it.")
        }
    }
}

/// Describes the base value from which stacking begins.
pub(super) fn base_item(
    timeline: &Timeline,
    runs: &mut Runs<'_>,
    row: Name,
    field: Name,
    explained: &Explanation,
) -> Item {
    let begin = shortened_value_text(&explained.base);
    if explained.is_declared {
        let stat = timeline.state.names().text(field);
        let place = timeline.rules().declaration_place_of_stat(&stat);
        let place = place.map(|one| format!(" at {}:{}", one.chunk, one.line));
        let formula = explained.formula.as_ref();
        let formula = formula.map(|text| format!(" by the formula `{text}`"));
        let (place, formula) = (place.unwrap_or_default(), formula.unwrap_or_default());
        return item(format!("{begin} declared{formula}{place}"), []);
    }
    match origin_of_cell(timeline, runs, row, field) {
        Some(origin) => item(format!("{begin} stored by {}", origin.in_words()), []),
        None => item(format!("{begin} stored"), []),
    }
}

/// Describes the effect of an attribute, and below it the origin of the attribute.
fn attribute_item(timeline: &Timeline, runs: &mut Runs<'_>, record: Name, what: String) -> Item {
    let kind = timeline.state.reserved().kind;
    let origin = origin_of_cell(timeline, runs, record, kind);
    let origin = origin.map(|origin| item(format!("attached by {}", origin.in_words()), []));
    let below = origin.map(|origin| list([origin]));
    item(what, below)
}

/// Returns an attribute in a few words: its id, its values, its source.
pub(super) fn attribute_in_words(timeline: &Timeline, record: Name) -> String {
    let (state, names) = (&timeline.state, timeline.state.names());
    let own = state.field_names_of_row(record).into_iter();
    let own = own.filter(|field| !names.text(*field).starts_with('@'));
    let own = own.map(|field| {
        let value = shortened_value_text(state.get(record, field));
        format!("{} {value}", names.text(field))
    });
    let own: Vec<String> = own.collect();
    let text = |key: Name, word: &str| match state.get(record, key) {
        Value::Nil => String::new(),
        value => format!(", {word} {}", shortened_value_text(value)),
    };
    let reserved = state.reserved();
    let id = names.text(record);
    let own = match own.join(", ") {
        none if none.is_empty() => String::new(),
        own => format!(" ({own})"),
    };
    let source = state.get(record, reserved.source).as_str();
    let source = source.map_or_else(String::new, |id| {
        let row = names.find(id).filter(|row| state.exists(*row));
        let maker = row.map_or_else(
            || id.to_owned(),
            |row| name_for_viewer(timeline, &Viewer::Gm, row),
        );
        format!(", from {maker}")
    });
    format!("{id}{own}{source}{}", text(reserved.acting, "as"))
}

/// Lists the modifiers that could change the field and do not.
pub(super) fn inactive_modifier_items(
    timeline: &Timeline,
    runs: &mut Runs<'_>,
    explained: &Explanation,
) -> Vec<Item> {
    let why = "is inactive: the stat has no such layer";
    let asleep = explained
        .asleep
        .iter()
        .map(|record| (*record, why.to_owned()));
    let off = explained
        .off
        .iter()
        .map(|off| (off.record, inactive_modifier_text(off)));
    let all: Vec<(Name, String)> = asleep.chain(off).collect();
    let mut items = Vec::new();
    for (record, why) in all {
        let about = attribute_in_words(timeline, record);
        items.push(attribute_item(
            timeline,
            runs,
            record,
            format!("{about} {why}"),
        ));
    }
    items
}

fn cell_data(timeline: &Timeline, row: Name, field: Name, explained: &Explanation) -> Value {
    let names = timeline.state.names();
    let steps = explained.steps.iter().map(|step| {
        Value::map([
            ("record", Value::Text(names.text(step.record))),
            ("op", step.operator.as_str().into()),
            ("value", step.operand.clone()),
            ("result", step.result.clone()),
        ])
    });
    Value::map([
        ("row", Value::Text(names.text(row))),
        ("field", Value::Text(names.text(field))),
        ("shown", explained.shown.clone()),
        ("base", explained.base.clone()),
        ("steps", Value::list(steps)),
    ])
}

/// Explains why a modifier is off: the expression that does not hold, and the values in it.
fn inactive_modifier_text(off: &Off) -> String {
    let what = if off.is_place {
        "does not apply to this row"
    } else {
        "is inactive"
    };
    let values = off.values.iter();
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} is {value}"))
        .collect();
    let reason = match (&off.broken, values.join(", ")) {
        (Some(broken), _) => format!("cannot be read ({broken})"),
        (None, none) if none.is_empty() => "does not hold".to_owned(),
        (None, values) => format!("does not hold ({values})"),
    };
    format!("{what}: `{}` {reason}", off.expression)
}
