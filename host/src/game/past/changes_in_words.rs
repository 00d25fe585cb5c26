//! Describes changes in words.

use crate::doc::Item;
use crate::doc::build::item;
use crate::store::{Change, State, is_host_name};
use crate::value::Value;

/// The words about created rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum CreationWords {
    /// Those of recorded reports about corrections.
    Former,
    Present,
}

/// Returns changes in words: an added or removed row is one line, otherwise each field is. Rows and fields of the host
/// are left out.
pub(in crate::game) fn changes_in_words(changes: &[&Change], state: &State) -> Vec<Item> {
    changes_with_creation_words(changes, state, CreationWords::Present)
}

/// Does the same, with these words about created rows.
pub(in crate::game) fn changes_with_creation_words(
    changes: &[&Change],
    state: &State,
    words: CreationWords,
) -> Vec<Item> {
    let names = state.names();
    let mut items = Vec::new();
    for of_row in changes.chunk_by(|one, other| one.row == other.row) {
        let row = names.text(of_row[0].row);
        if is_host_name(&row) {
            continue;
        }
        let cells = of_row
            .iter()
            .map(|change| (names.text(change.field), *change));
        let (own, fixed): (Vec<_>, Vec<_>) = cells.partition(|(field, _)| !field.starts_with('@'));
        let fixed = |name: &str| fixed.iter().find(|(field, _)| **field == *name);
        match fixed("@kind").map(|(_, change)| (&change.old, &change.new)) {
            Some((Value::Nil, kind)) => {
                let owner = fixed("@owner").and_then(|(_, change)| change.new.as_str());
                let fields = own
                    .iter()
                    .map(|(field, change)| (field.clone(), change.new.clone()));
                let kind = kind.as_str().unwrap_or_default();
                let fields = Value::map(fields);
                items.push(item(row_in_words((&row, kind, owner), &fields, words), []));
            }
            Some((_, Value::Nil)) => items.push(item(format!("{row} removed"), [])),
            _ => items.extend(
                own.iter()
                    .map(|(_, change)| item(change_in_words(change, state), [])),
            ),
        }
    }
    items
}

/// Returns a change in words.
pub(in crate::game) fn change_in_words(change: &Change, state: &State) -> String {
    let (row, field) = change.row_and_field_texts(state.names());
    let [old, new] =
        [&change.old, &change.new].map(|value| changed_value_in_words(value, change, state));
    format!("{row}.{field}: {old} -> {new}")
}

/// Returns the value of a changed field in words. If a stat has no own value, returns the base that the rules declare.
pub(in crate::game) fn changed_value_in_words(
    value: &Value,
    change: &Change,
    state: &State,
) -> String {
    let declared = state.stats().declaration_of(change.field);
    match (value, &declared.base) {
        (Value::Nil, base) if !base.is_nil() && declared.formula.is_none() => {
            format!("{} (its base)", shortened_value_text(base))
        }
        _ => shortened_value_text(value),
    }
}

/// Returns the text about an added row with its fields.
pub(in crate::game) fn added_row_in_words(
    row: (&str, &str, Option<&str>),
    fields: &Value,
) -> String {
    row_in_words(row, fields, CreationWords::Present)
}

fn row_in_words(
    (row, kind, owner): (&str, &str, Option<&str>),
    fields: &Value,
    words: CreationWords,
) -> String {
    if owner == Some(PROMPTS) {
        let part = |key: &str| shortened_value_text(fields.get(key));
        let (to, text, run) = (part("to"), part("text"), part("run"));
        return format!("{row} asks {to}: {text} ({run} goes on with the answer)");
    }
    let fields = fields.as_map().into_iter().flatten();
    let fields = fields.map(|(field, value)| format!("{field} {}", shortened_value_text(value)));
    let fields = match fields.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        fields => format!(" with {fields}"),
    };
    match owner {
        Some(QUEUES) => format!("{row} waits in a queue{fields}"),
        Some(owner) => format!("{row} attached to {owner}{fields}"),
        None if words == CreationWords::Former => format!("{row} made, a {kind}{fields}"),
        None if kind.is_empty() => format!("created {row}{fields}"),
        None => format!("created {row} ({kind}){fields}"),
    }
}

/// Host row that owns the entries of queues.
const QUEUES: &str = "@queues";

/// Host row that owns prompts.
const PROMPTS: &str = "@prompts";

/// Returns a value as text for a line.
pub(in crate::game) fn shortened_value_text(value: &Value) -> String {
    let text = match value {
        Value::Nil => "nothing".to_owned(),
        Value::Map(_) => {
            let whole = value.to_string();
            whole[1..whole.len() - 1].to_owned()
        }
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => value.to_string(),
    };
    match text.char_indices().nth(VALUE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Largest number of characters that are shown of a value.
const VALUE: usize = 200;
