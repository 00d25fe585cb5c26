//! Finds the rulings that wait for the game master and not for an answer. Such a ruling could not continue with the
//! last answer, because the game had changed in the meantime.
//!
//! These rulings are found in the log: the answer was refused as stale, and the ruling has not continued since then.
//! Also, nothing was undone, corrected or changed by fiat since then; such a change may have fixed the ruling.

use crate::diag::Diagnostic;
use crate::game::question::open_questions::canonical_seat;
use crate::game::ruling::input_source::ruling_number_in_message;
use crate::game::ruling::waiting_ruling::{Waiting, changes_suspend_ruling, waiting_rulings};
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::game::timeline::input::{Input, ruling_number_of_address};
use crate::game::timeline::seat_replies::STALE;
use crate::script::GM;
use crate::store::{Operation, What};

/// A ruling that waits and could not go on with the last answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleRuling {
    /// Its ruling number.
    pub ruling_number: u64,
    /// The number by which people name the ruling: its log line.
    pub number: u64,
    /// The line of the ruling.
    pub command: String,
    /// The operation of the last answer.
    pub op: u64,
    /// The line of that answer.
    pub answer: String,
    /// The giver of that answer.
    pub by: String,
    /// The options of the game master, in words.
    pub ways: String,
}

/// Returns the rulings that could not go on with the last answer, by ruling number.
pub fn stale_rulings(timeline: &Timeline) -> Vec<StaleRuling> {
    let waiting = waiting_rulings(&timeline.state).into_iter();
    let stale = waiting.filter_map(|one| {
        let refused = last_stale_answer(timeline, &one)?;
        Some(StaleRuling {
            ruling_number: one.ruling_number,
            number: timeline.log_line_of_ruling(one.ruling_number),
            op: refused.seq,
            answer: refused.command.to_string(),
            by: refused.by.to_string(),
            ways: ways_out_hint(timeline, &one),
            command: one.command,
        })
    });
    stale.collect()
}

/// Returns the ruling numbers of the stale rulings that a user knows of. The game master knows all of them, a seat
/// those with its own answer.
pub fn stale_ruling_numbers_known_to(timeline: &Timeline, by: &str) -> Vec<u64> {
    let mut stale = stale_rulings(timeline);
    if by != GM && !stale.is_empty() {
        let seat = canonical_seat(timeline, by);
        stale.retain(|one| one.by == seat);
    }
    stale.into_iter().map(|one| one.ruling_number).collect()
}

/// Returns the game master's options for a ruling that cannot go on.
fn ways_out_hint(timeline: &Timeline, waiting: &Waiting) -> String {
    let number = timeline.log_line_of_ruling(waiting.ruling_number);
    let finish = match waiting.is_pinned || waiting.rules == timeline.generation().hash() {
        true => String::new(),
        false => format!("`finish {number}` continues under the rules that it started with, "),
    };
    format!("`restart {number}` runs it again from its start, {finish}`drop {number}` cancels it")
}

/// Returns the operation of the last answer to a ruling if it was stale and nothing changed since.
fn last_stale_answer<'a>(timeline: &'a Timeline, waiting: &Waiting) -> Option<&'a Operation> {
    let (names, ruling_number) = (timeline.state.names(), waiting.ruling_number);
    for operation in timeline.history.operations().iter().rev() {
        match &operation.what {
            What::Refused { code, message } => {
                if **code == *STALE && is_answer_to_ruling(operation, message, waiting) {
                    return Some(operation);
                }
            }
            What::Ruling
                if changes_suspend_ruling(&operation.changes, names, ruling_number)
                    || Fiat::of(operation).is_some() =>
            {
                return None;
            }
            What::Ruling | What::Posted { .. } | What::Withdrawn { .. } => {}
            What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. } => {
                return None;
            }
        }
    }
    None
}

/// Returns whether a stale answer was for a ruling. A refusal has no ruling number, but its first input may contain one
/// in its address. Else its message contains the ruling number, or in older games the address at which the ruling went
/// another way.
fn is_answer_to_ruling(refused: &Operation, message: &str, waiting: &Waiting) -> bool {
    let used = refused.inputs.first().and_then(Input::from_value);
    if let Some((_, ruling_number)) = used.as_ref().and_then(Input::ruling_number_in_address) {
        return ruling_number == waiting.ruling_number;
    }
    let recorded = waiting.transcript.iter().map(Input::address);
    let asked = waiting.open.iter().map(|open| open.address.as_str());
    let mut addresses = recorded.chain(asked);
    let number = ruling_number_in_message(message);
    addresses.any(|address| match number {
        Some(number) => ruling_number_of_address(address).is_some_and(|(_, of)| of == number),
        None => message_names_address(message, address),
    })
}

/// Returns whether a message names an address, and not only a longer one that begins with it.
fn message_names_address(message: &str, address: &str) -> bool {
    let mut found = message.match_indices(" at ");
    found.any(|(at, word)| {
        let behind = message[at + word.len()..].strip_prefix(address);
        behind.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
    })
}

/// Adds the game master's options for a ruling that cannot go on.
pub(in crate::game) fn add_ways_out_hint(
    timeline: &Timeline,
    finding: Diagnostic,
    waiting: &Waiting,
) -> Diagnostic {
    finding.hint(ways_out_hint(timeline, waiting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_named_whole() {
        let message = "the recorded ruling used a question at 13/sure/bo/1 to Bo, this run requested nothing more";
        assert!(message_names_address(message, "13/sure/bo/1"));
        for other in ["3/sure/bo/1", "13/sure/bo", "1", "13/sure/bo/11"] {
            assert!(!message_names_address(message, other), "{other}");
        }
        assert!(message_names_address(
            "the recorded ruling used a d6 at 3/a/-/1, this",
            "3/a/-/1"
        ));
    }
}
