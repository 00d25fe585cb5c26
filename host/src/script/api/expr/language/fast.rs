//! This module is the fast way of `language:eval`: a known text over constants, plain stats and whole numbers.

use std::cell::RefMut;
use std::os::raw::c_int;

use super::super::super::super::host::Host;
use super::super::super::super::raw::{Call, Fast, Key};
use super::super::super::super::run::Run;
use super::super::STEPS;
use super::{Language, Meaning, Ready};
use crate::expr::{ExprError, Item, Scope};
use crate::store::{remembered, unmodified};
use crate::value::{Name, Value};

/// `language:eval(act, text, context)`.
pub(super) struct FastEval;

/// Where the arguments lie.
const LANGUAGE: usize = 0;
const ACT: usize = 1;
const TEXT: usize = 2;
const CONTEXT: usize = 3;

impl Fast for FastEval {
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int> {
        call.table(CONTEXT)?;
        let run = host.free_ruling(call.table(ACT)?)?;
        let language = host.languages.find(call.object(LANGUAGE)?)?;
        let all = language.ready.borrow();
        let ready = all.get(call.text(TEXT)?).filter(|ready| ready.is_plain)?;
        let program = ready.program.as_ref().ok()?;
        let mut plain = Plain {
            host,
            call,
            run,
            language: &language,
            ready,
            last: None,
        };
        let value = program.evaluate(&mut plain).ok()?.to_value()?;
        if matches!(value, Value::Text(_)) {
            return None;
        }
        let fuel = ready.fuel + program.steps().div_ceil(STEPS) as u64;
        if !host.meter.charge_again(fuel) {
            return None;
        }
        Some(call.results::<1>(&value)? + call.results::<1>(&Value::Nil)?)
    }
}

/// An expression over what can be read without Luau and without a fold.
struct Plain<'a> {
    host: &'a Host,
    call: &'a Call<'a>,
    run: RefMut<'a, Run>,
    language: &'a Language,
    ready: &'a Ready,
    /// The row that was looked up last, by the address of the word for it.
    last: Option<(usize, Name)>,
}

/// The safe way does it.
struct Leave;

impl From<ExprError> for Leave {
    fn from(_: ExprError) -> Leave {
        Leave
    }
}

impl Plain<'_> {
    fn row(&mut self, who: &Key) -> Option<Name> {
        match self.last {
            Some((last, row)) if last == who.address() => Some(row),
            _ => {
                let row = self.call.name_under(self.host, CONTEXT, who)?;
                self.last = Some((who.address(), row));
                Some(row)
            }
        }
    }

    fn value(&mut self, meaning: &Meaning) -> Option<Item> {
        match meaning {
            Meaning::Constant(item) => Some(item.clone()),
            Meaning::Stat {
                who, stat, whole, ..
            } => {
                let row = self.row(who)?;
                let state = &self.run.state;
                let item = match unmodified(state, row, *stat) {
                    Some(value) => Item::from_value(value),
                    None => Item::from_value(&remembered(state, row, *stat)?),
                };
                let item = item.ok().filter(|item| *item != Item::Nil)?;
                Some(self.language.counted(item, *whole))
            }
            Meaning::Held { list, at, .. } => {
                let number = self.call.number_under(CONTEXT, list, *at)?;
                Item::from_value(&Value::Number(number)).ok()
            }
            Meaning::Asked(_) => None,
        }
    }
}

impl Scope for Plain<'_> {
    type Error = Leave;

    fn variable(&mut self, at: usize, _: &str) -> Result<Item, Leave> {
        let ready = self.ready;
        self.value(&ready.meanings[at]).ok_or(Leave)
    }

    fn call(&mut self, _: &str, _: &[Item]) -> Result<Item, Leave> {
        Err(Leave)
    }
}

#[cfg(test)]
mod tests;
