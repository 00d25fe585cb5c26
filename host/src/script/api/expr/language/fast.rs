//! This module is the fast way of `language:eval`: a known text over constants, plain stats and whole numbers.

use std::cell::RefMut;

use super::Language;
use super::compiled::Ready;
use super::key::Key;
use super::symbols::Meaning;
use crate::expr::{ExprError, Item, Scope};
use crate::script::api::expr::signature::STEPS;
use crate::script::host::Host;
use crate::script::raw::{Call, Fast, Given, Slot};
use crate::script::run::Run;
use crate::store::{remembered, unmodified};
use crate::value::{Name, Number, Value};

/// `language:eval(act, text, context)`.
pub(super) struct FastEval;

/// Where the arguments lie.
const LANGUAGE: usize = 0;
const ACT: usize = 1;
const TEXT: usize = 2;
const CONTEXT: usize = 3;

impl Fast for FastEval {
    type Owner = Host;

    fn answer(host: &Host, call: Call<'_>) -> Option<Given> {
        call.argument(CONTEXT)?.table()?;
        let run = host.free_ruling(call.argument(ACT)?.table()?)?;
        let language = host.languages.find::<Language>(call.object(LANGUAGE))?;
        let all = language.ready.borrow();
        let ready = all
            .get(call.argument(TEXT)?.text()?)
            .filter(|ready| ready.is_plain)?;
        let program = ready.program.as_ref().ok()?;
        let mut plain = Plain {
            host,
            call: &call,
            run,
            language: &language,
            ready,
            last: None,
        };
        let value = program.evaluate(&mut plain).ok()?.to_value()?;
        let fuel = ready.fuel + program.steps().div_ceil(STEPS) as u64;
        if !host.meter.charge_again(fuel) {
            return None;
        }
        drop(plain);
        Some(call.two(&value, &Value::Nil))
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
                let atom = self.call.field(CONTEXT, who.way(None)?, Slot::atom)?;
                let row = self.host.atoms.name(atom);
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
                let item = list.way(Some(*at))?;
                let number = self.call.field(CONTEXT, item, Slot::number)?;
                let number = Number::from_whole_f64(number)?;
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
