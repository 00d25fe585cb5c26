//! Numbers questions for the seats that they ask. Each seat counts the questions that it was asked, alone or in a
//! group, questions that a ruling waits for and prompts alike. So the numbers of a seat reveal nothing about questions
//! to others.

use std::collections::BTreeMap;

use crate::script::border::GM;
use crate::store::list_fields::{read_list, replace_list};
use crate::store::{Change, State, StoreError};
use crate::value::{Names, Value};

/// The number of a question for each seat that it asks.
pub type OwnNumbers = BTreeMap<String, i64>;

/// The row of the host with the last number of each seat, and the prefix of the names of its fields.
pub const ROW: &str = "@asked";
const LAST: &str = "last";

/// Takes and returns the next number of each seat. The game master has no own numbers. Errors: an error of the store.
pub fn take_next_numbers<'a>(
    state: &mut State,
    seats: impl IntoIterator<Item = &'a String>,
) -> Result<OwnNumbers, StoreError> {
    let seats = seats.into_iter().filter(|seat| *seat != GM);
    let once: OwnNumbers = seats.map(|seat| (seat.clone(), 1)).collect();
    advance_numbers(state, &once)
}

/// Advances the number of each seat by so many questions, and returns the last number of each. Errors: the errors of
/// the store.
pub fn advance_numbers(state: &mut State, many: &OwnNumbers) -> Result<OwnNumbers, StoreError> {
    if many.is_empty() {
        return Ok(OwnNumbers::new());
    }
    let row = state.names().intern(ROW);
    state.ensure_host_row(row)?;
    let mut last = numbers_from_values(&read_list(state, row, LAST));
    let mut reached = OwnNumbers::new();
    for (seat, more) in many {
        let number = last.get(seat).copied().unwrap_or_default();
        let number = number.saturating_add(*more);
        last.insert(seat.clone(), number);
        reached.insert(seat.clone(), number);
    }
    replace_list(state, row, (LAST, numbers_to_values(&last)))?;
    Ok(reached)
}

/// Returns the last number of each seat.
pub(crate) fn last_question_numbers(state: &State) -> OwnNumbers {
    let row = state.names().find(ROW);
    row.map_or_else(OwnNumbers::new, |row| {
        numbers_from_values(&read_list(state, row, LAST))
    })
}

/// Returns the last number of seats before changes, as far as the changes show them.
pub(crate) fn last_numbers_before_changes(names: &Names, changes: &[Change]) -> OwnNumbers {
    let row = names.find(ROW);
    let of_row = changes.iter().filter(|change| Some(change.row) == row);
    of_row
        .flat_map(|change| numbers_from_values(change.old.items()))
        .collect()
}

/// Raises the last number of each seat to these numbers, if it is lower. Errors: an error of the store.
pub(crate) fn raise_last_numbers(
    state: &mut State,
    numbers: &OwnNumbers,
) -> Result<(), StoreError> {
    let now = last_question_numbers(state);
    let missing = numbers.iter().filter_map(|(seat, number)| {
        let more = number - now.get(seat).copied().unwrap_or_default();
        (more > 0).then(|| (seat.clone(), more))
    });
    advance_numbers(state, &missing.collect()).map(drop)
}

/// Returns numbers as a list of seat and number.
pub fn numbers_to_values(numbers: &OwnNumbers) -> Vec<Value> {
    let pair = |(seat, number): (&String, &i64)| {
        Value::list([Value::from(seat.as_str()), Value::from(*number)])
    };
    numbers.iter().map(pair).collect()
}

/// Returns the numbers of a list. A value that is not a pair of seat and number is passed over.
pub fn numbers_from_values(values: &[Value]) -> OwnNumbers {
    let pair = |value: &Value| match value.items() {
        [seat, number] => Some((seat.as_str()?.to_owned(), number.as_i64()?)),
        _ => None,
    };
    values.iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn each_seat_counts_for_itself_whatever_it_is_called() {
        let mut state = State::new(Rc::default());
        let seats = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let odd = format!("#/{} \u{1}", "x".repeat(2_000));
        let mut give = |names: &[&str]| {
            let seats: Vec<String> = seats(names);
            let given = take_next_numbers(&mut state, &seats).unwrap();
            given.into_values().collect::<Vec<_>>()
        };
        assert_eq!(give(&["ann"]), [1]);
        assert_eq!(give(&["gm"]), [0; 0]);
        assert_eq!(give(&[&odd, "ann", "bo"]), [1, 2, 1]);
        assert_eq!(give(&["ann", "bo"]), [3, 2]);
        let many: Vec<String> = (0..1_000).map(|n| format!("seat {n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(give(&many), [1; 1_000]);
        assert_eq!(give(&[&odd, "ann", "seat 999"]), [2, 4, 2]);
    }
}
