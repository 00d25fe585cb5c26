//! The command `log`: lists the commands of the game and their results.

use host::game;
use std::collections::{BTreeMap, BTreeSet};

use host::diag::{Diagnostic, near_hint};
use host::doc::build::{paragraph, right_column, table};
use host::doc::{Block, Document, Viewer};
use host::game::{
    Call, CommandKind, Die, Entry, Fiat, HostCommand, Input, Reply, Timeline, Validities,
    dispute_marks, entered_by_text, fate_in_words, giver_in_words,
};
use host::store::Operation;
use host::value::Value;
use host::words::Words;

use super::log_filter::{Filter, Wrong};
use super::{log_disputes, log_rolls, log_tables};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "log",
    syntax: &[
        "log [{count: Integer}]",
        "log rolls [{rolls: Rest}]",
        "log disputes",
        "log {filter: Rest}",
    ],
    formerly: &[],
    summary: "lists the last commands, 20 unless you give a number",
    help: "Each line has a number, who gave the command, and the result. `log ann` lists what names or changed ann. \
           `log by bo` lists what bo did. `log refused` and `log undone` list what is not valid. `log cheer` lists \
           commands with that word. `log fiat` lists changes without a rule. A number among these words limits the \
           lines. `log rolls` lists the rolls. Choose rolls with words: by ann, of 12, from 12, to 20, typed, seen; \
           for PURPOSE stands at the end. `log disputes` lists the disputes with their decisions. Players see their own \
           commands and the messages to them, with numbers of their own. Commands such as `why`, `post`, `dispute`, \
           `revert`, `replace` and `view` use these numbers.",
    kind: CommandKind::Query(run),
};

/// The number of operations that `log` lists if the line names no number.
const LAST: usize = 20;
/// The maximum number of faces in a line. Further faces are only counted.
const FACES: usize = 12;
/// The maximum number of characters of a message in a line.
const SAID: usize = 120;

/// Limits the documents to the person who asks: others may not see this part of the past.
fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let mut reply = log_reply(timeline, call);
    for document in &mut reply.documents {
        document.audience = call.audience();
    }
    reply
}

fn log_reply(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let viewer = game::viewer_of_seat(timeline, call.by());
    if let Some(rest) = log_rolls::words_after_log_rolls(call.ruling.line) {
        return log_rolls::run(timeline, &viewer, rest);
    }
    if has_only_words(call.ruling.line, ["log", "disputes"]) {
        return log_disputes::run(timeline, &viewer);
    }
    // A line with only a number has that number in a separate slot.
    let words = call.text("count") + &call.text("filter");
    let filter = match Filter::parse(&words) {
        Ok(filter) => filter,
        Err(wrong) => {
            return Reply::refused(filter_refusal(
                &wrong,
                &command_giver_names(timeline, &viewer),
            ));
        }
    };
    if let Some(refusal) = unknown_name_refusal(timeline, &viewer, &filter) {
        return Reply::refused(refusal);
    }
    let live = game::validities_for_viewer(timeline, &viewer);
    let entries = game::log_entries(timeline, &viewer);
    let names = timeline.state().names();
    let fits = |entry: &&Entry<'_>| filter.matches_entry(entry, &live, (&viewer, names));
    let found: Vec<&Entry<'_>> = entries.iter().filter(fits).collect();
    let first = found.len().saturating_sub(filter.count.unwrap_or(LAST));
    let known = Known {
        live,
        marks: dispute_marks(
            &game::disputes_for_viewer(timeline, &viewer),
            &Words::english(),
        ),
        dates: game::dates_of_operations(timeline),
    };
    let shown = found[first..].iter().copied();
    Reply::document(log_document(&viewer, shown, (first, &filter), &known))
}

fn has_only_words(line: &str, words: [&str; 2]) -> bool {
    let mut given = line.split_whitespace();
    let is_same =
        |word: &str, given: Option<&str>| given.is_some_and(|one| one.eq_ignore_ascii_case(word));
    words.into_iter().all(|word| is_same(word, given.next())) && given.next().is_none()
}

/// Data about the lines of a log that the operations do not contain.
struct Known {
    /// The present validity of the rulings.
    live: Validities,
    /// The remarks about disputes, by line number.
    marks: BTreeMap<u64, String>,
    /// The date of each operation, if the game time consists of dates.
    dates: Option<BTreeMap<u64, String>>,
}

/// Returns rulings as log lines and as data for programs. The command `status` uses both.
pub(super) fn ruling_lines(
    timeline: &Timeline,
    viewer: &Viewer,
    entries: &[Entry<'_>],
) -> (Option<Block>, Value) {
    let known = Known {
        live: game::validities_for_viewer(timeline, viewer),
        marks: dispute_marks(
            &game::disputes_for_viewer(timeline, viewer),
            &Words::english(),
        ),
        dates: game::dates_of_operations(timeline),
    };
    let is_gm = *viewer == Viewer::Gm;
    let data = entries.iter().map(|entry| entry_data(entry, &known, is_gm));
    let shown = (!entries.is_empty()).then(|| log_table(viewer, entries.iter(), &known));
    (shown, Value::list(data))
}

/// Returns the sorted names of the people whose commands the viewer may see.
fn command_giver_names(timeline: &Timeline, viewer: &Viewer) -> BTreeSet<String> {
    let entries = game::log_entries(timeline, viewer).into_iter();
    let own = entries.filter(|entry| entry.is_own);
    own.map(|entry| entry.operation.by.to_string()).collect()
}

fn filter_refusal(wrong: &Wrong, names: &BTreeSet<String>) -> Diagnostic {
    let message = match wrong {
        Wrong::ByNobody => "the name after `by` is missing",
        Wrong::NoLines => "the number of lines must be at least 1",
    };
    let hint = match wrong {
        Wrong::ByNobody => names_list(names),
        Wrong::NoLines => "for example, type `log 5` for the last 5 lines".to_owned(),
    };
    Diagnostic::error("log/filter", message).hint(hint)
}

/// Refuses an unknown name, but only for the game master. A seat may not learn who gave commands.
fn unknown_name_refusal(
    timeline: &Timeline,
    viewer: &Viewer,
    filter: &Filter,
) -> Option<Diagnostic> {
    let by = filter.giver_name().filter(|_| *viewer == Viewer::Gm)?;
    let mut known = command_giver_names(timeline, viewer);
    let seats = game::seats_in_play(timeline);
    known.extend(seats.names().into_iter().flatten().map(str::to_owned));
    let is_by = |name: &String| name.to_lowercase() == by.to_lowercase();
    if known.iter().any(is_by) {
        return None;
    }
    let message = format!("no command by \"{by}\" found");
    Some(
        Diagnostic::error("log/filter", message)
            .hint(near_hint(by, known.iter().map(String::as_str)))
            .hint(names_list(&command_giver_names(timeline, viewer))),
    )
}

fn names_list(names: &BTreeSet<String>) -> String {
    let lines: Vec<String> = names.iter().map(|name| format!("log by {name}")).collect();
    match lines.as_slice() {
        [] => "type log by NAME".to_owned(),
        lines => format!("type {}", lines.join(", ")),
    }
}

fn log_document<'a>(
    viewer: &Viewer,
    entries: impl ExactSizeIterator<Item = &'a Entry<'a>> + Clone,
    (left_out, filter): (usize, &Filter),
    known: &Known,
) -> Document {
    if entries.len() == 0 {
        let words = filter.filter_words();
        let text = if filter.is_empty() {
            "the log is empty".to_owned()
        } else if filter.has_only_words() {
            format!("no line of the log contains \"{words}\"; `log rolls` lists the rolls")
        } else {
            format!("no line of the log matches \"{words}\"")
        };
        return Document::new([paragraph(text)]);
    }
    let more = (left_out > 0).then(|| {
        let all = left_out + entries.len();
        let words = filter.filter_words();
        let blank = if words.is_empty() { "" } else { " " };
        paragraph(format!(
            "{left_out} earlier; `log{blank}{words} {all}` lists them"
        ))
    });
    let is_gm = *viewer == Viewer::Gm;
    let data = entries.clone().map(|entry| entry_data(entry, known, is_gm));
    let data = Value::list(data);
    let rows = log_table(viewer, entries.clone(), known);
    // The game master sees the results of lines, not their messages.
    let said = (!is_gm).then(|| log_tables::tables_of_entries(entries));
    let said = said.into_iter().flatten();
    Document::new(std::iter::once(rows).chain(more).chain(said)).data(data)
}

fn log_table<'a>(
    viewer: &Viewer,
    entries: impl Iterator<Item = &'a Entry<'a>>,
    known: &Known,
) -> Block {
    let is_gm = *viewer == Viewer::Gm;
    let mut rows = table([right_column("no.")]);
    let dated = known.dates.as_ref();
    rows.columns.extend(dated.map(|_| "time".into()));
    let titles: &[&str] = if is_gm {
        &["who", "command", "result"]
    } else {
        &["command", "result"]
    };
    rows.columns
        .extend(titles.iter().map(|title| (*title).into()));
    for entry in entries {
        let number = entry.number.to_string();
        let operation = entry.operation;
        let date = dated.map(|dates| dates.get(&operation.seq).cloned());
        let date = date.map(Option::unwrap_or_default);
        let first = std::iter::once(number);
        rows = if is_gm {
            let (by, command) = (giver_in_words(operation), operation.command.to_string());
            let cells = [by, command, operation_outcome(operation, known)];
            rows.row(first.chain(date).chain(cells))
        } else {
            let cells = [own_command_text(entry), seat_outcome(entry, known)];
            rows.row(first.chain(date).chain(cells))
        };
    }
    rows.into()
}

fn own_command_text(entry: &Entry<'_>) -> String {
    if entry.is_own {
        format!(
            "{}{}",
            entry.operation.command,
            entered_by_text(entry.operation)
        )
    } else {
        String::new()
    }
}

/// Returns the visible outcome of an operation for a seat: the result of its own command, and messages to it.
fn seat_outcome(entry: &Entry<'_>, known: &Known) -> String {
    let said = entry.documents.iter().map(log_tables::document_on_one_line);
    let said: Vec<String> = said.filter(|text| !text.is_empty()).collect();
    let said = said.join(" ");
    let said = match said.char_indices().nth(SAID) {
        Some((at, _)) => format!("{}…", &said[..at]),
        None => said,
    };
    let became = fate_in_words(entry.operation, &known.live, &Words::english());
    let mark = known.marks.get(&entry.number).cloned();
    let became = [became, mark.unwrap_or_default()];
    let parts = [join_nonempty_parts(became), said];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

/// Returns the result of an operation and its dice.
fn operation_outcome(operation: &Operation, known: &Known) -> String {
    let fiat = Fiat::of(operation).map(|fiat| fiat.in_words());
    let mark = known.marks.get(&operation.seq).cloned();
    join_nonempty_parts([
        fate_in_words(operation, &known.live, &Words::english()),
        mark.unwrap_or_default(),
        fiat.unwrap_or_default(),
        drawn_dice_text(operation),
    ])
}

fn join_nonempty_parts(parts: impl IntoIterator<Item = String>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

fn drawn_dice_text(operation: &Operation) -> String {
    let inputs: Vec<Input> = operation
        .inputs
        .iter()
        .filter_map(Input::from_value)
        .collect();
    let faces: Vec<String> = inputs.iter().filter_map(input_text).collect();
    match faces.len() {
        0 => String::new(),
        count if count > FACES => format!("{} … ({count} dice)", faces[..FACES].join(" ")),
        _ => faces.join(" "),
    }
}

/// Returns a face as `d6:5` and an answer as `ann: yes`. A typed face has a mark. A random order gives `None`.
fn input_text(input: &Input) -> Option<String> {
    match input {
        Input::Die(Die { sides: 0, .. }) => None,
        Input::Die(die) => {
            let typed = if die.typed { "*" } else { "" };
            Some(format!("d{}:{}{typed}", die.sides, die.face))
        }
        Input::Answer(one) => Some(one.in_words()),
    }
}

fn entry_data(entry: &Entry<'_>, known: &Known, is_gm: bool) -> Value {
    let operation = entry.operation;
    let date = known
        .dates
        .as_ref()
        .and_then(|dates| dates.get(&operation.seq));
    let date = date.map_or(Value::Nil, |date| Value::from(date.as_str()));
    if !is_gm {
        return Value::map([
            ("line", number_value(entry.number)),
            ("time", date),
            ("command", Value::from(own_command_text(entry).as_str())),
            ("outcome", Value::from(seat_outcome(entry, known).as_str())),
        ]);
    }
    let slot = operation.slot.map_or(Value::Nil, number_value);
    let through = operation.through.clone();
    let fiat = Fiat::of(operation).map_or(Value::Nil, |fiat| {
        Value::from(fiat.reason.unwrap_or_default().as_str())
    });
    Value::map([
        ("op", number_value(operation.seq)),
        ("slot", slot),
        ("time", date),
        ("by", Value::Text(operation.by.clone())),
        ("through", through.map_or(Value::Nil, Value::Text)),
        ("command", Value::Text(operation.command.clone())),
        ("fiat", fiat),
        (
            "outcome",
            Value::from(operation_outcome(operation, known).as_str()),
        ),
    ])
}

pub(super) fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
