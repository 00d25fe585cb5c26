//! Stores rulings that wait for answers. Each is a row of the host in the state, so undo, forks and saved games keep it
//! too.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::planted_mistakes::{self, Mistake};
use crate::game::ruling::input_source::WaitingQuestion;
use crate::game::timeline::input::{Input, ruling_number_of_address};
use crate::script::{OwnNumbers, Question, numbers_from_values, numbers_to_values};
use crate::store::list_fields::{read_list, replace_list, split_into_fields};
use crate::store::{Change, State, StoreError, Write};
use crate::value::{Name, Names, Value};

/// The kind of the rows; the id is the kind, `-`, and the ruling number.
pub(in crate::game) const KIND: &str = "@ruling";
/// The prefix of the fields with each list.
const TRANSCRIPT: &str = "transcript";
const QUESTION: &str = "question";
const NUMBER: &str = "number";
const GIVEN: &str = "given";

/// A ruling that waits for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its ruling number.
    pub ruling_number: u64,
    /// Its line.
    pub command: String,
    /// The giver of the line.
    pub by: String,
    /// Its rule.
    pub rule: String,
    /// The hash of the rules with which it began.
    pub rules: String,
    /// Whether it continues under those rules, regardless of the live ones.
    pub is_pinned: bool,
    /// The number of players' salts for its dice: those that counted when it began.
    pub salts: usize,
    /// Its present step of a plan, if it runs one.
    pub step: Option<String>,
    /// The inputs that it used so far.
    pub transcript: Vec<Input>,
    /// The questions that it asked together; at least one has no answer.
    pub open: Vec<WaitingQuestion>,
    /// The numbers of unanswered questions for the seats that they ask, by the questions' ordinals in the ruling.
    pub numbers: BTreeMap<usize, OwnNumbers>,
    /// The count of numbers that it gave to each seat so far.
    pub given: OwnNumbers,
}

impl Waiting {
    /// Returns the ruling number as written in its addresses; nothing if it begins again.
    pub(in crate::game) fn ruling_number_in_addresses(&self) -> Option<&str> {
        let used = self.transcript.first().map(Input::address);
        let asked = self.open.first().map(|open| open.address.as_str());
        used.or(asked)
            .and_then(ruling_number_of_address)
            .map(|(text, _)| text)
    }

    /// Gives new numbers to the seats that a question asks.
    pub(in crate::game) fn add_seat_numbers(&mut self, ordinal: usize, new: OwnNumbers) {
        for seat in new.keys() {
            *self.given.entry(seat.clone()).or_default() += 1;
        }
        self.numbers.entry(ordinal).or_default().extend(new);
    }

    /// Returns the numbers of a question for the seats that it asks.
    pub(in crate::game) fn seat_numbers_of_question(&self, ordinal: usize) -> OwnNumbers {
        self.numbers.get(&ordinal).cloned().unwrap_or_default()
    }
}

/// Returns the waiting rulings, by ruling number.
pub fn waiting_rulings(state: &State) -> Vec<Waiting> {
    let kind = state.names().find(KIND);
    let rows = kind.into_iter().flat_map(|kind| state.rows_of_kind(kind));
    let mut found: Vec<Waiting> = rows
        .filter_map(|row| read_waiting_ruling(state, row))
        .collect();
    found.sort_by_key(|one| one.ruling_number);
    found
}

/// Returns the waiting ruling with a ruling number.
pub(in crate::game) fn waiting_ruling_by_ruling_number(
    state: &State,
    ruling_number: u64,
) -> Option<Waiting> {
    let row = state.names().find(&waiting_row_id(ruling_number))?;
    read_waiting_ruling(state, row)
}

/// Returns whether any ruling is waiting.
pub(in crate::game) fn has_waiting_ruling(state: &State) -> bool {
    let kind = state.names().find(KIND);
    kind.is_some_and(|kind| state.rows_of_kind(kind).next().is_some())
}

/// Returns the ruling number of the ruling that a row stores, by the row's name.
pub(in crate::game) fn ruling_number_from_row_id(row: &str) -> Option<u64> {
    row.strip_prefix(KIND)?.strip_prefix('-')?.parse().ok()
}

/// Returns whether changes suspend the ruling with a ruling number.
pub(in crate::game) fn changes_suspend_ruling(
    changes: &[Change],
    names: &Names,
    ruling_number: u64,
) -> bool {
    let row = names.find(&waiting_row_id(ruling_number));
    let of_row = |change: &&Change| Some(change.row) == row;
    let mut changes = changes.iter().filter(of_row);
    changes.any(|change| !change.new.is_nil())
}

/// Returns whether changes end the waiting of the ruling with a ruling number.
pub(in crate::game) fn changes_end_waiting(
    changes: &[Change],
    names: &Names,
    ruling_number: u64,
) -> bool {
    let row = names.find(&waiting_row_id(ruling_number));
    let mut of_row = changes.iter().filter(|one| Some(one.row) == row);
    of_row.any(|one| one.new.is_nil()) && !changes_suspend_ruling(changes, names, ruling_number)
}

fn waiting_row_id(ruling_number: u64) -> String {
    format!("{KIND}-{ruling_number}")
}

fn read_waiting_ruling(state: &State, row: Name) -> Option<Waiting> {
    let names = state.names();
    let field = |name: &str| {
        let field = names.find(name);
        field.map_or(&Value::Nil, |field| state.get(row, field))
    };
    let text = |name: &str| field(name).as_str().map(str::to_owned);
    let mut transcript = read_list(state, row, TRANSCRIPT);
    if planted_mistakes::is_planted(Mistake::LostAnswer) {
        transcript.pop();
    }
    let open = read_list(state, row, QUESTION);
    let numbers = read_list(state, row, NUMBER);
    let given = read_list(state, row, GIVEN);
    Some(Waiting {
        ruling_number: u64::try_from(field("slot").as_i64()?).ok()?,
        command: text("command")?,
        by: text("by")?,
        rule: text("rule")?,
        rules: text("rules")?,
        is_pinned: field("pinned").as_bool().unwrap_or(false),
        salts: field("salts")
            .as_i64()
            .and_then(|many| usize::try_from(many).ok())
            .unwrap_or(0),
        step: text("step"),
        transcript: transcript
            .iter()
            .map(Input::from_value)
            .collect::<Option<_>>()?,
        open: open
            .iter()
            .map(open_question_from_value)
            .collect::<Option<_>>()?,
        numbers: seat_numbers_by_ordinal(&numbers)?,
        given: numbers_from_values(&given),
    })
}

/// Stores a waiting ruling. Errors: it used more inputs than a row can hold.
pub(in crate::game) fn store_waiting_ruling(
    state: &mut State,
    waiting: &Waiting,
) -> Result<(), StoreError> {
    remove_waiting_ruling(state, waiting.ruling_number)?;
    let names = Rc::clone(state.names());
    let ruling_number = i64::try_from(waiting.ruling_number).unwrap_or(i64::MAX);
    let pinned = if waiting.is_pinned {
        Value::Bool(true)
    } else {
        Value::Nil
    };
    let salts = match i64::try_from(waiting.salts) {
        Ok(many @ 1..) => Value::from(many),
        Ok(_) | Err(_) => Value::Nil,
    };
    let mut fields: Vec<(String, Value)> = [
        ("slot", Value::from(ruling_number)),
        ("command", waiting.command.as_str().into()),
        ("by", waiting.by.as_str().into()),
        ("rule", waiting.rule.as_str().into()),
        ("rules", waiting.rules.as_str().into()),
        ("pinned", pinned),
        ("salts", salts),
        (
            "step",
            waiting.step.as_deref().map_or(Value::Nil, Value::from),
        ),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    fields.extend(split_into_fields(
        TRANSCRIPT,
        waiting.transcript.iter().map(Input::to_value),
    ));
    fields.extend(split_into_fields(
        QUESTION,
        waiting.open.iter().map(value_of_open_question),
    ));
    fields.extend(split_into_fields(
        NUMBER,
        seat_number_values(&waiting.numbers),
    ));
    fields.extend(split_into_fields(GIVEN, numbers_to_values(&waiting.given)));
    let fields = fields.into_iter();
    let (row, kind) = (
        names.intern(&waiting_row_id(waiting.ruling_number)),
        names.intern(KIND),
    );
    let fields = fields.map(|(name, value)| (names.intern(&name), value));
    state.apply(Write::Put {
        row,
        kind,
        owner: None,
        fields: fields.collect(),
    })
}

/// Replaces the numbers of the questions of a waiting ruling. Errors: the errors of the store.
pub(in crate::game) fn store_question_numbers(
    state: &mut State,
    waiting: &Waiting,
) -> Result<(), StoreError> {
    let row = state.names().intern(&waiting_row_id(waiting.ruling_number));
    replace_list(state, row, (NUMBER, seat_number_values(&waiting.numbers)))?;
    replace_list(state, row, (GIVEN, numbers_to_values(&waiting.given)))
}

/// Removes the waiting ruling with a ruling number, if there is one.
pub(in crate::game) fn remove_waiting_ruling(
    state: &mut State,
    ruling_number: u64,
) -> Result<(), StoreError> {
    match state.names().find(&waiting_row_id(ruling_number)) {
        Some(row) if state.exists(row) => state.apply(Write::Remove { row }),
        Some(_) | None => Ok(()),
    }
}

fn value_of_open_question(open: &WaitingQuestion) -> Value {
    let mut entries = open
        .question
        .to_value()
        .as_map()
        .cloned()
        .unwrap_or_default();
    let ordinal = i64::try_from(open.ordinal).unwrap_or(i64::MAX);
    entries.insert("address".into(), open.address.as_str().into());
    entries.insert("ordinal".into(), ordinal.into());
    if let Some((answer, by)) = &open.answer {
        entries.insert("answer".into(), answer.clone());
        entries.insert("by".into(), by.as_str().into());
    }
    Value::map(entries)
}

fn open_question_from_value(value: &Value) -> Option<WaitingQuestion> {
    let by = value.get("by").as_str();
    Some(WaitingQuestion {
        question: Question::from_value(value)?,
        address: value.get("address").as_str()?.to_owned(),
        ordinal: usize::try_from(value.get("ordinal").as_i64()?).ok()?,
        answer: by.map(|by| (value.get("answer").clone(), by.to_owned())),
    })
}

/// Returns the numbers as a list of place, seat, number.
fn seat_number_values(numbers: &BTreeMap<usize, OwnNumbers>) -> Vec<Value> {
    let one = |(ordinal, own): (&usize, &OwnNumbers)| -> Vec<Value> {
        let place = Value::from(i64::try_from(*ordinal).unwrap_or(i64::MAX));
        let own = own.iter();
        let own = own.map(|(seat, number)| {
            Value::list([place.clone(), seat.as_str().into(), (*number).into()])
        });
        own.collect()
    };
    numbers.iter().flat_map(one).collect()
}

fn seat_numbers_by_ordinal(values: &[Value]) -> Option<BTreeMap<usize, OwnNumbers>> {
    let mut numbers: BTreeMap<usize, OwnNumbers> = BTreeMap::new();
    for value in values {
        let [place, seat, number] = value.items() else {
            return None;
        };
        let own = numbers.entry(usize::try_from(place.as_i64()?).ok()?);
        let seat = seat.as_str()?.to_owned();
        own.or_default().insert(seat, number.as_i64()?);
    }
    Some(numbers)
}
