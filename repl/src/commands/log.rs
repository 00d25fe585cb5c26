//! This module is the command `log`: what was done, and what became of it.

use std::collections::BTreeSet;

use host::doc::build::{paragraph, right, table};
use host::doc::{Document, Viewer, plain};
use host::game::{
    Call, Die, Entry, HostCommand, Input, Reply, Session, entered, given_by, told_code,
};
use host::script::shown_answer;
use host::store::{Operation, What};
use host::value::Value;

use super::log_filter::Filter;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "log",
    syntax: &["log [{count: Whole}]", "log {filter: Rest}"],
    summary: "lists the last operations, 20 unless a number says otherwise",
    help: "Each line is one operation: its number, the slot of its dice, who gave the command, and what became of it. \
           log ann lists what names or changed ann, log by bo what bo did, log refused and log undone what did not hold, \
           log cheer the commands with that word; a number among them says how many. \
           A seat sees its own commands and what was said to it, counted for itself.",
    run,
};

/// Operations that are listed when nobody says how many.
const LAST: usize = 20;
/// Faces that a line shows; the others are counted.
const FACES: usize = 12;
/// Characters of what was said that a line shows.
const SAID: usize = 120;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let count = call.slot("count").as_i64();
    let mut filter = Filter::read(&call.text("filter"));
    if let Some(count) = count {
        filter.count = usize::try_from(count).ok();
    }
    let viewer = session.viewer(call.by);
    let live: BTreeSet<u64> = session
        .history()
        .live()
        .map(|operation| operation.seq)
        .collect();
    let entries = session.entries(&viewer);
    let names = session.state().names();
    let fits = |entry: &&Entry<'_>| filter.fits(entry, &live, (&viewer, names));
    let found: Vec<&Entry<'_>> = entries.iter().filter(fits).collect();
    let first = found.len().saturating_sub(filter.count.unwrap_or(LAST));
    Reply::document(listed(&viewer, &found[first..], (first, &filter), &live))
}

fn listed(
    viewer: &Viewer,
    entries: &[&Entry<'_>],
    (left_out, filter): (usize, &Filter),
    live: &BTreeSet<u64>,
) -> Document {
    if entries.is_empty() {
        let text = if filter.is_empty() {
            "nothing was done"
        } else {
            "nothing in the log fits"
        };
        return Document::new([paragraph(text)]);
    }
    let is_gm = *viewer == Viewer::Gm;
    let mut rows = table([right("no.")]);
    let titles: &[&str] = if is_gm {
        rows.columns.push(right("slot"));
        &["who", "command", "what became of it"]
    } else {
        &["command", "what became of it"]
    };
    rows.columns
        .extend(titles.iter().map(|title| (*title).into()));
    for entry in entries {
        let number = entry.number.to_string();
        let operation = entry.operation;
        rows = if is_gm {
            let slot = operation
                .slot
                .map(|slot| slot.to_string())
                .unwrap_or_default();
            let (by, command) = (given_by(operation), operation.command.to_string());
            rows.row([number, slot, by, command, outcome(operation, live)])
        } else {
            rows.row([number, own_command(entry), told(entry, live)])
        };
    }
    let more = (left_out > 0).then(|| {
        let all = left_out + entries.len();
        let words = filter.words();
        let blank = if words.is_empty() { "" } else { " " };
        paragraph(format!(
            "{left_out} earlier: log{blank}{words} {all} lists them"
        ))
    });
    let data = entries.iter().map(|entry| data(entry, live, is_gm));
    Document::new(std::iter::once(rows.into()).chain(more)).data(Value::list(data))
}

fn own_command(entry: &Entry<'_>) -> String {
    if entry.is_own {
        format!("{}{}", entry.operation.command, entered(entry.operation))
    } else {
        String::new()
    }
}

/// Returns what a seat may know of an operation: what became of its own command, and what was said to it.
fn told(entry: &Entry<'_>, live: &BTreeSet<u64>) -> String {
    let said: Vec<String> = entry.documents.iter().map(plain).collect();
    let said = said
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let said = match said.char_indices().nth(SAID) {
        Some((at, _)) => format!("{}…", &said[..at]),
        None => said,
    };
    let became = if !entry.is_own {
        String::new()
    } else if let What::Refused { code, .. } = &entry.operation.what {
        format!("refused: {}", told_code(&entry.operation.command, code))
    } else {
        became(entry.operation, live)
    };
    let parts = [became, said];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

/// Returns what became of an operation, and the dice it drew.
fn outcome(operation: &Operation, live: &BTreeSet<u64>) -> String {
    let parts = [became(operation, live), drawn(operation)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Returns what became of an operation: `undone`, `refused: code`.
fn became(operation: &Operation, live: &BTreeSet<u64>) -> String {
    match &operation.what {
        What::Ruling if live.contains(&operation.seq) => String::new(),
        What::Ruling => "undone".to_owned(),
        What::Undo { of } => format!("took back {of}"),
        What::Redo { of } => format!("did {of} again"),
        What::Refused { code, .. } => format!("refused: {code}"),
    }
}

fn drawn(operation: &Operation) -> String {
    let inputs: Vec<Input> = operation
        .inputs
        .iter()
        .filter_map(Input::from_value)
        .collect();
    let faces: Vec<String> = inputs.iter().filter_map(used).collect();
    match faces.len() {
        0 => String::new(),
        count if count > FACES => format!("{} … ({count} dice)", faces[..FACES].join(" ")),
        _ => faces.join(" "),
    }
}

/// Returns a face as `d6:5`, one that a person typed is marked; an answer as `ann: yes`; a random order is not shown.
fn used(input: &Input) -> Option<String> {
    match input {
        Input::Die(Die { sides: 0, .. }) => None,
        Input::Die(die) => {
            let typed = if die.typed { "*" } else { "" };
            Some(format!("d{}:{}{typed}", die.sides, die.face))
        }
        Input::Answer(one) => Some(format!("{}: {}", one.by, shown_answer(&one.answer))),
    }
}

fn data(entry: &Entry<'_>, live: &BTreeSet<u64>, is_gm: bool) -> Value {
    let operation = entry.operation;
    if !is_gm {
        return Value::map([
            ("line", number(entry.number)),
            ("command", Value::from(own_command(entry).as_str())),
            ("outcome", Value::from(told(entry, live).as_str())),
        ]);
    }
    let slot = operation.slot.map_or(Value::Nil, number);
    let through = operation.through.clone();
    Value::map([
        ("op", number(operation.seq)),
        ("slot", slot),
        ("by", Value::Text(operation.by.clone())),
        ("through", through.map_or(Value::Nil, Value::Text)),
        ("command", Value::Text(operation.command.clone())),
        ("outcome", Value::from(outcome(operation, live).as_str())),
    ])
}

fn number(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
