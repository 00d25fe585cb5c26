//! Reads texts again with an edit in them, to find the errors that they have then.
//!
//! The reports of such readings are not shown. The readings share the value that `begin(true)` returns. This value is
//! made again now and then, since it keeps all that was read. The bytes that are read are counted, for each text and
//! for a whole load. So a book full of mistakes takes no longer than a book with some.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use mlua::{Table, Value as LuaValue};

use super::{Open, file_table};
use crate::diag::{Fix, Source, apply_fixes};
use crate::script::load::definition_calls::{Calls, Failed};
use crate::script::load::script_report::Report;

/// The limit of reading for a load.
/// unit: bytes
const OF_LOAD: usize = 2 << 20;

/// The limit of reading for one text. All other texts of a load together have the same limit. unit: bytes
const OF_TEXT: usize = 1 << 20;

/// The minimum cost of a reading. unit: bytes
const LEAST: usize = 1024;

/// The number of readings that share one value, and its memory.
const SHARED: usize = 200;

/// The errors of a text: code and message, in order.
pub(super) type Wrong = Vec<(String, String)>;

/// The budget is spent, so it is unknown whether an edit is right.
pub(super) struct Spent;

/// The remaining budget of reading.
pub(super) struct Budget {
    of_load: Cell<usize>,
    of_text: Cell<usize>,
}

impl Budget {
    pub(super) fn new() -> Budget {
        Budget {
            of_load: Cell::new(OF_LOAD),
            of_text: Cell::new(0),
        }
    }

    /// Sets the remaining budget for the edits of another text.
    pub(super) fn begin_text(&self) {
        self.of_text.set(self.of_load.get().min(OF_TEXT));
    }

    /// Subtracts one reading of a text from the budget. Errors: the budget is spent.
    pub(super) fn take_reading(&self, text: &str) -> Result<(), Spent> {
        let bytes = text.len().max(LEAST);
        let left = self.of_text.get().checked_sub(bytes).ok_or(Spent)?;
        self.of_text.set(left);
        self.of_load.set(self.of_load.get().saturating_sub(bytes));
        Ok(())
    }

    /// Takes all: a text that passes a limit once does so again.
    fn end_budget(&self) {
        self.of_load.set(0);
        self.of_text.set(0);
    }
}

/// The readings of one load.
pub(super) struct Trials<'a> {
    calls: Calls<'a>,
    shared: RefCell<Option<LuaValue>>,
    count: Cell<usize>,
    pub(super) budget: Budget,
}

impl<'a> Trials<'a> {
    pub(super) fn new(calls: Calls<'a>) -> Trials<'a> {
        Trials {
            calls,
            shared: RefCell::new(None),
            count: Cell::new(0),
            budget: Budget::new(),
        }
    }
}

/// A text that is read with edits.
pub(super) struct Text<'a> {
    pub(super) path: &'a str,
    pub(super) source: &'a Arc<Source>,
    pub(super) head: &'a Table,
}

impl Open<'_> {
    /// Returns whether a text has fewer errors with an edit: the reported one is gone, and no other one is new.
    pub(super) fn is_right_edit(
        &self,
        text: &Text<'_>,
        report: &Report,
        edit: &Fix,
        before: &Wrong,
    ) -> Result<bool, Spent> {
        let (after, _) = apply_fixes(text.source.text(), std::slice::from_ref(edit));
        let Some(after) = self.text_faults(text, &after)? else {
            return Ok(false);
        };
        let told = report.code_and_message();
        let count = |wrong: &Wrong| wrong.iter().filter(|one| **one == told).count();
        // With advice the message may differ.
        let is_less = count(before) == 0 || count(&after) < count(before);
        Ok(is_less && after.len() < before.len() && is_part_of_sorted_list(&after, before))
    }

    /// Returns the errors of a text. Returns nothing if they cannot be determined.
    pub(super) fn text_faults(&self, text: &Text<'_>, said: &str) -> Result<Option<Wrong>, Spent> {
        let Trials { calls, budget, .. } = &self.trials;
        budget.take_reading(said)?;
        calls.renew_report_limit();
        let Some(read) = self.read_edited_text(text, said) else {
            return Ok(None);
        };
        match read {
            (Ok(_), reports) => {
                let told = reports.iter().filter(|one| !one.is_note());
                let mut told: Wrong = told.map(Report::code_and_message).collect();
                told.sort();
                Ok(Some(told))
            }
            (Err(failed), _) => {
                if failed.limit.is_some() {
                    budget.end_budget();
                }
                Ok(None)
            }
        }
    }

    /// Reads an edited text. Returns nothing if its first line no longer names the definition, or without memory.
    fn read_edited_text(
        &self,
        text: &Text<'_>,
        said: &str,
    ) -> Option<(Result<LuaValue, Failed>, Vec<Report>)> {
        let calls = &self.trials.calls;
        let shared = self.shared_value_of_trials()?;
        let file = file_table(&self.engine.lua, text.path, &Source::new(text.path, said)).ok()?;
        let first = |text: &str| text.lines().next().map(str::to_owned);
        let head = if first(said) == first(text.source.text()) {
            text.head.clone()
        } else {
            let called = calls.call::<Option<Table>>(&self.functions.head, &file);
            called.0.ok()??
        };
        let given = (shared, file, head, &calls.report);
        Some(calls.call::<LuaValue>(&self.functions.read, given))
    }

    /// Returns the value that the next readings share.
    fn shared_value_of_trials(&self) -> Option<LuaValue> {
        let Trials {
            calls,
            shared,
            count,
            ..
        } = &self.trials;
        let mut shared = shared.borrow_mut();
        if count.get() % SHARED == 0 {
            // The old one goes before the new one comes.
            *shared = None;
            *shared = calls.call(&self.functions.begin, true).0.ok();
        }
        count.set(count.get() + 1);
        shared.clone()
    }
}

/// Returns whether all of a sorted list is in another one.
fn is_part_of_sorted_list(some: &Wrong, all: &Wrong) -> bool {
    let mut left = all.iter();
    some.iter().all(|one| left.any(|other| other == one))
}
