//! This module is the command `log`: what was done, and what became of it.

use std::collections::BTreeSet;

use host::doc::Document;
use host::doc::build::{paragraph, right, table};
use host::game::{Call, Die, HostCommand, Input, Reply, Session};
use host::script::shown_answer;
use host::store::{History, Operation, What};
use host::value::Value;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "log",
    syntax: &["log [{count: Whole}]"],
    summary: "lists the last operations, 20 unless a number says otherwise",
    help: "Each line is one operation: its number, the slot of its dice, who gave the command, and what became of it. \
           A seat sees its own commands.",
    run,
};

/// Operations that are listed when nobody says how many.
const LAST: usize = 20;
/// Faces that a line shows; the others are counted.
const FACES: usize = 12;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let count = call
        .slot("count")
        .as_i64()
        .map_or(LAST, |count| usize::try_from(count).unwrap_or(LAST));
    let history = session.history();
    let seen = |operation: &&Operation| call.by == "gm" || *operation.by == *call.by;
    let operations: Vec<&Operation> = history.operations().iter().filter(seen).collect();
    let first = operations.len().saturating_sub(count);
    Reply::document(listed(history, call.by, &operations[first..], first))
}

fn listed(history: &History, by: &str, operations: &[&Operation], left_out: usize) -> Document {
    let live: BTreeSet<u64> = history.live().map(|operation| operation.seq).collect();
    if operations.is_empty() {
        return Document::new([paragraph("nothing was done")]);
    }
    let empty = table([right("no."), right("slot")]);
    let mut rows = empty;
    for title in ["who", "command", "what became of it"] {
        rows.columns.push(title.into());
    }
    for operation in operations {
        let slot = operation
            .slot
            .map(|slot| slot.to_string())
            .unwrap_or_default();
        rows = rows.row([
            operation.seq.to_string(),
            slot,
            operation.by.to_string(),
            operation.command.to_string(),
            outcome(operation, &live, by),
        ]);
    }
    let more = (left_out > 0).then(|| {
        paragraph(format!(
            "{left_out} earlier: log {} lists them",
            left_out + operations.len()
        ))
    });
    let data = operations
        .iter()
        .map(|operation| data(operation, &live, by));
    Document::new(std::iter::once(rows.into()).chain(more)).data(Value::list(data))
}

/// Returns what became of an operation: `undone`, `refused: code`, and the dice it drew.
fn outcome(operation: &Operation, live: &BTreeSet<u64>, by: &str) -> String {
    let became = match &operation.what {
        What::Ruling if live.contains(&operation.seq) => String::new(),
        What::Ruling => "undone".to_owned(),
        What::Undo { of } => format!("took back {of}"),
        What::Redo { of } => format!("did {of} again"),
        What::Refused { code } => format!("refused: {code}"),
    };
    let parts = [became, drawn(operation, by)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn drawn(operation: &Operation, by: &str) -> String {
    let inputs: Vec<Input> = operation
        .inputs
        .iter()
        .filter_map(Input::from_value)
        .collect();
    let faces: Vec<String> = inputs.iter().filter_map(|input| used(input, by)).collect();
    match faces.len() {
        0 => String::new(),
        count if count > FACES => format!("{} … ({count} dice)", faces[..FACES].join(" ")),
        _ => faces.join(" "),
    }
}

/// Returns a face as `d6:5`, one that a person typed is marked; an answer as `ann: yes`; a random order is not shown.
fn used(input: &Input, by: &str) -> Option<String> {
    match input {
        Input::Die(Die { sides: 0, .. }) => None,
        Input::Die(die) => {
            let typed = if die.typed { "*" } else { "" };
            Some(format!("d{}:{}{typed}", die.sides, die.face))
        }
        // What others answered is not for every seat to know.
        Input::Answer(one) if by != "gm" && one.by != by => None,
        Input::Answer(one) => Some(format!("{}: {}", one.by, shown_answer(&one.answer))),
    }
}

fn data(operation: &Operation, live: &BTreeSet<u64>, by: &str) -> Value {
    let slot = operation.slot.map_or(Value::Nil, number);
    Value::map([
        ("op", number(operation.seq)),
        ("slot", slot),
        ("by", Value::Text(operation.by.clone())),
        ("command", Value::Text(operation.command.clone())),
        (
            "outcome",
            Value::from(outcome(operation, live, by).as_str()),
        ),
    ])
}

fn number(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
