//! Keeps used numbers and ids reserved when rulings are run again without some of them. A row that is made again gets
//! its old name. A row that is made later gets a new name.

use std::rc::Rc;

use super::question_numbers;
use crate::store::{Change, State, StoreError, Write, is_host_name};
use crate::value::{Name, Names};

/// The row of the host with the highest number, by kind, of a used id without a present row; and its kind.
pub const IDS: &str = "@ids";

/// Reserves the numbers and ids that were used before a ruling, by the changes that the ruling made. Errors: the errors
/// of the store.
pub fn reserve_ids_before(state: &mut State, changes: &[Change]) -> Result<(), StoreError> {
    if let Some(number) = state.record_number_before(changes) {
        state.skip_record_numbers(number);
    }
    question_numbers::raise_last_numbers(
        state,
        &question_numbers::last_numbers_before_changes(state.names(), changes),
    )?;
    let kind = state.reserved().kind;
    let made = changes
        .iter()
        .filter(|one| one.field == kind && one.old.is_nil());
    let made =
        made.filter_map(|one| kind_and_number_of_id(state.names(), one.row, one.new.as_str()));
    let made: Vec<(Name, i64)> = made.collect();
    for (kind, number) in made {
        if next_id_number(state, kind) < number {
            note_highest_id(state, kind, number - 1)?;
        }
    }
    Ok(())
}

/// Reserves all numbers and ids that were used in another state. Errors: an error of the store.
pub fn reserve_ids_of_state(state: &mut State, other: &State) -> Result<(), StoreError> {
    state.skip_record_numbers(other.peek_record_number());
    question_numbers::raise_last_numbers(state, &question_numbers::last_question_numbers(other))?;
    let names = Rc::clone(state.names());
    let gone = other.rows().into_iter().filter(|row| !state.exists(*row));
    let gone = gone
        .filter_map(|row| kind_and_number_of_id(&names, row, Some(&*names.text(other.kind(row)?))));
    let gone: Vec<(Name, i64)> = gone.collect();
    let noted = names
        .find(IDS)
        .map(|ids| (ids, other.field_names_of_row(ids)));
    let noted = noted.into_iter().flat_map(|(ids, fields)| {
        let number = move |kind: Name| Some((kind, other.get(ids, kind).as_i64()?));
        fields.into_iter().filter_map(number)
    });
    for (kind, number) in gone.into_iter().chain(noted) {
        note_highest_id(state, kind, number)?;
    }
    Ok(())
}

/// Returns kind and number of a used id, `kind-1` and so on. The host's own rows have none.
fn kind_and_number_of_id(names: &Names, row: Name, kind: Option<&str>) -> Option<(Name, i64)> {
    let kind = kind.filter(|kind| !is_host_name(kind))?;
    let id = names.text(row);
    let number = id.strip_prefix(kind)?.strip_prefix('-')?;
    let is_plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_plain.then(|| number.parse().ok()).flatten()?;
    Some((names.find(kind)?, number))
}

/// Returns the number of the next id of a kind.
fn next_id_number(state: &State, kind: Name) -> i64 {
    let names = state.names();
    let text = names.text(kind);
    let is_taken = |number: &i64| {
        let id = names.find(&format!("{text}-{number}"));
        id.is_some_and(|id| state.exists(id))
    };
    let first = highest_gone_number(state, kind) + 1;
    (first..).find(|number| !is_taken(number)).unwrap_or(first)
}

fn highest_gone_number(state: &State, kind: Name) -> i64 {
    let ids = state.names().find(IDS);
    let number = ids.and_then(|ids| state.get(ids, kind).as_i64());
    number.unwrap_or(0)
}

/// Notes that ids of a kind were used up to a number.
fn note_highest_id(state: &mut State, kind: Name, number: i64) -> Result<(), StoreError> {
    if number <= highest_gone_number(state, kind) {
        return Ok(());
    }
    let ids = state.names().intern(IDS);
    state.ensure_host_row(ids)?;
    state.apply(Write::Set {
        row: ids,
        field: kind,
        value: number.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::run::question_numbers::OwnNumbers;

    fn state() -> State {
        State::new(Rc::default())
    }

    fn make(state: &mut State, id: &str) -> Vec<Change> {
        let mark = state.mark();
        let (row, kind) = (state.names().intern(id), state.names().intern("boat"));
        let put = Write::Put {
            row,
            kind,
            owner: None,
            fields: Vec::new(),
        };
        state.apply(put).unwrap();
        state.commit(mark)
    }

    #[test]
    fn what_is_made_again_has_its_old_id() {
        let mut first = state();
        make(&mut first, "boat-1");
        let second = make(&mut first, "boat-2");
        let names = Rc::clone(first.names());
        let mut other = State::new(Rc::clone(&names));
        let boat = names.intern("boat");
        assert_eq!(next_id_number(&other, boat), 1);
        reserve_ids_before(&mut other, &second).unwrap();
        assert_eq!(next_id_number(&other, boat), 2);
        let hash = first.hash();
        reserve_ids_before(&mut first, &[]).unwrap();
        assert_eq!(first.hash(), hash, "nothing was passed over");
    }

    #[test]
    fn what_was_given_out_is_given_out_nowhere_else() {
        let mut first = state();
        make(&mut first, "boat-3");
        make(&mut first, "boat-x");
        first.take_record_number().unwrap();
        let asked: OwnNumbers = [("ann".to_owned(), 4)].into();
        question_numbers::raise_last_numbers(&mut first, &asked).unwrap();
        let mut other = State::new(Rc::clone(first.names()));
        reserve_ids_of_state(&mut other, &first).unwrap();
        let boat = other.names().intern("boat");
        assert_eq!(
            (next_id_number(&other, boat), other.peek_record_number()),
            (4, 2)
        );
        assert_eq!(question_numbers::last_question_numbers(&other), asked);
        let hash = other.hash();
        reserve_ids_of_state(&mut other, &first).unwrap();
        assert_eq!(other.hash(), hash);
        assert_eq!(
            kind_and_number_of_id(other.names(), boat, Some("boat")),
            None
        );
    }
}
