//! Table of rolls, for the log and for exports.

use crate::doc::Table;
use crate::doc::build::{right_column, table};
use crate::game::report::rolls::{Fate, Roll};
use crate::game::timeline::input::Die;
use crate::value::Value;
use crate::words::Words;

/// Maximum number of faces that a line shows; the others are counted.
const FACES: usize = 20;

/// Returns rolls as a table, and as data: a list of `{line, time, by, who, name, purpose, formula, faces, total, typed, counts, notes}`.
pub fn rolls_table(rolls: &[Roll], words: &Words) -> (Table, Value) {
    let mut rows = table([right_column(words.text("column.number"))]);
    let is_dated = rolls.iter().any(|roll| roll.date.is_some());
    let title = |key: &str| words.text(key).as_str().into();
    rows.columns.extend(is_dated.then(|| title("column.time")));
    for key in [
        "column.who",
        "column.purpose",
        "column.formula",
        "column.faces",
    ] {
        rows.columns.push(title(key));
    }
    rows.columns.push(right_column(words.text("column.total")));
    rows.columns.push(title("column.note"));
    for roll in rolls {
        let line = roll.line.map(|line| line.to_string());
        let date = is_dated.then(|| roll.date.clone().unwrap_or_default());
        let cells = [
            roller_text(roll).to_owned(),
            roll.purpose.clone(),
            roll.formula.clone(),
            faces_text(&roll.faces, words),
            total_text(&roll.total),
            notes_text(roll, words),
        ];
        let first = std::iter::once(line.unwrap_or_default()).chain(date);
        rows = rows.row(first.chain(cells));
    }
    (rows, Value::list(rolls.iter().map(roll_data)))
}

/// Returns the roller; if the rule names none, the giver of the command.
fn roller_text(roll: &Roll) -> &str {
    let who = roll.name.as_deref().or(roll.who.as_deref());
    who.or(roll.by.as_deref()).unwrap_or_default()
}

fn total_text(total: &Value) -> String {
    match total {
        Value::Nil => String::new(),
        total => total.to_string(),
    }
}

/// Returns faces as `5 3`; faces that a person typed are marked.
fn faces_text(dice: &[Die], words: &Words) -> String {
    let face = |die: &Die| {
        let typed = if die.typed { "*" } else { "" };
        format!("{}{typed}", die.face)
    };
    let shown: Vec<String> = dice.iter().take(FACES).map(face).collect();
    match dice.len().saturating_sub(FACES) {
        0 => shown.join(" "),
        _ => words.count("roll.faces", dice.len(), &[("faces", &shown.join(" "))]),
    }
}

fn notes_text(roll: &Roll, words: &Words) -> String {
    let notes = roll_notes(roll).into_iter().map(|note| {
        words.text(match note {
            TYPED => "roll.typed",
            SEEN => "roll.seen",
            LEFT_OUT => "roll.left_out",
            _ => "roll.seen_before",
        })
    });
    notes.collect::<Vec<_>>().join(", ")
}

/// Notes in data, which are the same in every language.
const TYPED: &str = "typed";
const SEEN: &str = "seen";
const LEFT_OUT: &str = "left out";
const SEEN_BEFORE: &str = "seen before";

/// Returns the notes on a roll: typed, seen, seen before, left out.
fn roll_notes(roll: &Roll) -> Vec<&'static str> {
    let typed = roll.faces.iter().any(|die| die.typed).then_some(TYPED);
    let fate = match roll.fate {
        Fate::Counts => None,
        Fate::Seen => Some(SEEN),
        Fate::LeftOut => Some(LEFT_OUT),
    };
    let before = roll.was_seen.then_some(SEEN_BEFORE);
    [typed, fate, before].into_iter().flatten().collect()
}

fn roll_data(roll: &Roll) -> Value {
    let face = |die: &Die| {
        let parts = [("sides", die.sides), ("face", die.face)];
        let parts = parts.map(|(key, number)| (key, Value::from(i64::from(number))));
        let typed = ("typed", Value::Bool(die.typed));
        Value::map(parts.into_iter().chain([typed]))
    };
    let text = |text: Option<&str>| text.map_or(Value::Nil, Value::from);
    Value::map([
        ("line", roll.line.map_or(Value::Nil, number_value)),
        ("time", text(roll.date.as_deref())),
        ("by", text(roll.by.as_deref())),
        ("who", text(roll.who.as_deref())),
        ("name", text(roll.name.as_deref())),
        ("purpose", roll.purpose.as_str().into()),
        ("formula", roll.formula.as_str().into()),
        ("faces", Value::list(roll.faces.iter().map(face))),
        ("total", roll.total.clone()),
        ("typed", roll.faces.iter().any(|die| die.typed).into()),
        ("counts", Value::Bool(roll.fate == Fate::Counts)),
        (
            "notes",
            Value::list(roll_notes(roll).into_iter().map(Value::from)),
        ),
    ])
}

fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
