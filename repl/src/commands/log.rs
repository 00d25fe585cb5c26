//! This module is the command `log`: what was done, and what became of it.

use std::collections::BTreeSet;

use host::diag::{Diagnostic, near_hint};
use host::doc::build::{paragraph, right, table};
use host::doc::{Document, Viewer, plain};
use host::game::{Call, Die, Entry, HostCommand, Input, Reply, Session, told_code};
use host::script::shown_answer;
use host::store::{Operation, What};
use host::value::Value;

use super::log_filter::{Fates, Filter, Wrong};

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
/// Rulings that a correction names; the others are counted.
const LISTED: usize = 12;
/// Characters of what was said that a line shows.
const SAID: usize = 120;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let viewer = session.viewer(call.by);
    // The only number of the line stands in a slot of its own.
    let words = call.text("count") + &call.text("filter");
    let filter = match Filter::read(&words) {
        Ok(filter) => filter,
        Err(wrong) => return Reply::refused(refusal(&wrong, &names_for(session, &viewer))),
    };
    if let Some(refusal) = stranger(session, &viewer, &filter) {
        return Reply::refused(refusal);
    }
    let live = Fates::of(session.history());
    let entries = session.entries(&viewer);
    let names = session.state().names();
    let fits = |entry: &&Entry<'_>| filter.fits(entry, &live, (&viewer, names));
    let found: Vec<&Entry<'_>> = entries.iter().filter(fits).collect();
    let first = found.len().saturating_sub(filter.count.unwrap_or(LAST));
    Reply::document(listed(&viewer, &found[first..], (first, &filter), &live))
}

/// Returns who gave the commands that a viewer may know of, in order.
fn names_for(session: &Session, viewer: &Viewer) -> BTreeSet<String> {
    let entries = session.entries(viewer).into_iter();
    let own = entries.filter(|entry| entry.is_own);
    own.map(|entry| entry.operation.by.to_string()).collect()
}

fn refusal(wrong: &Wrong, names: &BTreeSet<String>) -> Diagnostic {
    let message = match wrong {
        Wrong::ByNobody => "`by` needs a name: whose commands are listed",
        Wrong::NoLines => "no lines are asked for",
    };
    let hint = match wrong {
        Wrong::ByNobody => written(names),
        Wrong::NoLines => "write log and how many of the last lines: log 5".to_owned(),
    };
    Diagnostic::error("log/filter", message).hint(hint)
}

/// Refuses a name that nobody has, to the game master: a seat may not know who gave commands.
fn stranger(session: &Session, viewer: &Viewer, filter: &Filter) -> Option<Diagnostic> {
    let by = filter.by().filter(|_| *viewer == Viewer::Gm)?;
    let mut known = names_for(session, viewer);
    let seats = session.seats();
    known.extend(seats.names().into_iter().flatten().map(str::to_owned));
    let is_by = |name: &String| name.to_lowercase() == by.to_lowercase();
    if known.iter().any(is_by) {
        return None;
    }
    let message = format!("nobody called \"{by}\" gave a command");
    Some(
        Diagnostic::error("log/filter", message)
            .hint(near_hint(by, known.iter().map(String::as_str)))
            .hint(written(&names_for(session, viewer))),
    )
}

fn written(names: &BTreeSet<String>) -> String {
    let lines: Vec<String> = names.iter().map(|name| format!("log by {name}")).collect();
    match lines.as_slice() {
        [] => "write log by NAME".to_owned(),
        lines => format!("write {}", lines.join(", ")),
    }
}

fn listed(
    viewer: &Viewer,
    entries: &[&Entry<'_>],
    (left_out, filter): (usize, &Filter),
    live: &Fates,
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
            let (by, command) = (operation.by.to_string(), operation.command.to_string());
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
        entry.operation.command.to_string()
    } else {
        String::new()
    }
}

/// Returns what a seat may know of an operation: what became of its own command, and what was said to it.
fn told(entry: &Entry<'_>, live: &Fates) -> String {
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
fn outcome(operation: &Operation, live: &Fates) -> String {
    let parts = [became(operation, live), drawn(operation)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Returns what became of an operation: `undone`, `refused: code`.
fn became(operation: &Operation, live: &Fates) -> String {
    match &operation.what {
        What::Ruling | What::Revert { .. } | What::Replace { .. } if !live.holds(operation.seq) => {
            "undone".to_owned()
        }
        What::Ruling | What::Revert { .. } | What::Replace { .. }
            if let Some(by) = live.left_out.get(&operation.seq) =>
        {
            format!("has no effect since {by}")
        }
        What::Ruling => String::new(),
        What::Undo { of } => format!("took back {of}"),
        What::Redo { of } => format!("did {of} again"),
        What::Refused { code, .. } => format!("refused: {code}"),
        What::Revert {
            of,
            changed,
            refused,
        } => format!("left out {of}{}", ruled_again(changed, refused)),
        What::Replace {
            of,
            changed,
            refused,
            ..
        } => format!("replaced {of}{}", ruled_again(changed, refused)),
    }
}

/// Says which rulings a correction changed.
fn ruled_again(changed: &[u64], refused: &[u64]) -> String {
    let part = |word: &str, numbers: &[u64]| {
        let shown: Vec<String> = numbers.iter().take(LISTED).map(u64::to_string).collect();
        let more = numbers.len().saturating_sub(LISTED);
        match (shown.is_empty(), more) {
            (true, _) => String::new(),
            (_, 0) => format!(", {word} {}", shown.join(" ")),
            (_, more) => format!(", {word} {} and {more} more", shown.join(" ")),
        }
    };
    part("changed", changed) + &part("refused", refused)
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

fn data(entry: &Entry<'_>, live: &Fates, is_gm: bool) -> Value {
    let operation = entry.operation;
    if !is_gm {
        return Value::map([
            ("line", number(entry.number)),
            ("command", Value::from(own_command(entry).as_str())),
            ("outcome", Value::from(told(entry, live).as_str())),
        ]);
    }
    let slot = operation.slot.map_or(Value::Nil, number);
    Value::map([
        ("op", number(operation.seq)),
        ("slot", slot),
        ("by", Value::Text(operation.by.clone())),
        ("command", Value::Text(operation.command.clone())),
        ("outcome", Value::from(outcome(operation, live).as_str())),
    ])
}

fn number(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
