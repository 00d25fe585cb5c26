//! Counts the resources that a running script uses, and remembers the first limit that it passed.
//!
//! The virtual machine calls [`Meter::count_safe_point`] at every safe point. Everything else happens once in [`CHUNK`]
//! ticks. Fuel is exact and the same on each machine. The clock is only the fallback.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::script::border::root_error;
use crate::script::fuel::budget_clock::{Clock, Deadline};
use crate::script::fuel::{Limit, Limits};

/// Safe points between two looks at fuel, clock and memory.
const CHUNK: u32 = 1024;

/// Charges above this many units look at the clock.
const HEAVY: u64 = 64;

/// The meter of one virtual machine.
#[derive(Debug)]
pub(crate) struct Meter {
    /// Safe points until the next check. Below 0 a check is due. The sign decides, so that decrement and branch take
    /// one instruction each.
    countdown: Cell<i32>,
    chunk: Cell<u32>,
    used: Cell<u64>,
    callback_end: Cell<u64>,
    command_end: Cell<u64>,
    depth: Cell<u32>,
    collected_at: Cell<usize>,
    passed: Cell<Option<Limit>>,
    clock: Clock,
    interrupt: Arc<AtomicBool>,
    limits: Limits,
}

/// The state that a call into a script restores at its end.
pub(crate) struct Scope<'a> {
    meter: &'a Meter,
    callback_end: u64,
    deadline: Option<Deadline>,
}

/// The use of resources before a work that is done beside the command.
pub(crate) struct Aside<'a> {
    meter: &'a Meter,
    used: u64,
    callback_end: u64,
    command_end: u64,
}

impl Meter {
    /// Returns a meter at rest.
    pub(crate) fn new(limits: Limits, interrupt: Arc<AtomicBool>) -> Meter {
        Meter {
            countdown: Cell::new(CHUNK.cast_signed() - 1),
            chunk: Cell::new(CHUNK),
            used: Cell::new(0),
            callback_end: Cell::new(u64::MAX),
            command_end: Cell::new(u64::MAX),
            depth: Cell::new(0),
            collected_at: Cell::new(0),
            passed: Cell::new(None),
            clock: Clock::default(),
            interrupt,
            limits,
        }
    }

    /// Returns the limits it keeps.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts a command: fuel, clock and the passed limit start again. An interrupt ends every command until the flag
    /// is cleared: a line that runs many commands ends as one.
    pub(crate) fn begin_command(&self) {
        self.used.set(0);
        self.command_end.set(self.limits.fuel_command);
        self.callback_end.set(self.limits.fuel_command);
        self.passed.set(None);
        self.collected_at.set(0);
        self.clock.begin_command(self.limits.time_command);
        self.start_chunk();
        // A short command is not checked while it runs.
        if self.is_interrupted() {
            self.note_passed_limit(Limit::Interrupted);
        }
    }

    /// Returns whether a user interrupted the present work.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Stops the clock of this command: a run that is repeated ends at the same place as before.
    pub(crate) fn stop_clock(&self) {
        self.clock.remove_deadlines();
    }

    /// Adds the fuel of a number of commands, for work on a whole file.
    pub(crate) fn add_command_fuel(&self, commands: u64) {
        self.count_spent_fuel();
        let more = self.limits.fuel_command.saturating_mul(commands);
        let end = self.used.get().saturating_add(more);
        self.command_end.set(end);
        self.callback_end.set(end);
        self.start_chunk();
    }

    /// Enters a call from the host into a script. Errors: `Depth`, or the limit passed before.
    pub(crate) fn enter_script_call(&self) -> Result<Scope<'_>, Limit> {
        if let Some(limit) = self.passed.get() {
            return Err(limit);
        }
        if self.depth.get() >= self.limits.depth {
            return Err(self.note_passed_limit(Limit::Depth));
        }
        self.count_spent_fuel();
        let scope = Scope {
            meter: self,
            callback_end: self.callback_end.get(),
            deadline: self.clock.callback_deadline(),
        };
        let end = self.used.get().saturating_add(self.limits.fuel_callback);
        self.callback_end.set(end.min(self.command_end.get()));
        if self.depth.get() == 0 {
            self.clock.begin_callback(self.limits.time_callback);
        }
        self.depth.set(self.depth.get() + 1);
        self.start_chunk();
        Ok(scope)
    }

    /// Gives a function that a rule calls back the fuel of a callback, at most the fuel that the command has left.
    pub(crate) fn renew_callback_fuel(&self) {
        self.count_spent_fuel();
        let end = self.used.get().saturating_add(self.limits.fuel_callback);
        self.callback_end.set(end.min(self.command_end.get()));
        self.start_chunk();
    }

    /// Begins work that only some runs of a command do. Until its end there is the fuel of a callback, independent of
    /// the fuel that the command has left. The command pays nothing for this work.
    pub(crate) fn begin_uncharged_work(&self) -> Aside<'_> {
        self.count_spent_fuel();
        let aside = Aside {
            meter: self,
            used: self.used.get(),
            callback_end: self.callback_end.get(),
            command_end: self.command_end.get(),
        };
        let end = aside.used.saturating_add(self.limits.fuel_callback);
        self.callback_end.set(end);
        self.command_end.set(end);
        self.start_chunk();
        aside
    }

    /// Gives the next one of several functions that the host calls in one command the budgets of a callback.
    pub(crate) fn renew_callback_budgets(&self) {
        self.renew_callback_fuel();
        self.clock.begin_callback(self.limits.time_callback);
    }

    /// Counts one safe point. Returns true if [`Meter::check_limits`] must be called.
    #[inline(always)]
    pub(crate) fn count_safe_point(&self) -> bool {
        let left = self.countdown.get().wrapping_sub(1);
        self.countdown.set(left);
        left < 0
    }

    /// Spends the fuel of a call of the host. A passed limit takes effect at the next safe point.
    #[inline(always)]
    pub(crate) fn spend_fuel(&self, units: u32) {
        let left = self.countdown.get().saturating_sub_unsigned(units);
        self.countdown.set(left);
    }

    /// Settles a chunk and returns the limit that is passed, if any.
    #[cold]
    pub(crate) fn check_limits(&self) -> Option<Limit> {
        self.count_spent_fuel();
        self.start_chunk();
        self.check_fuel();
        self.check_clock();
        self.passed.get()
    }

    /// Charges work of a library call. Errors: the limit that is passed.
    pub(crate) fn charge(&self, units: u64) -> Result<(), Limit> {
        if let Some(limit) = self.passed.get() {
            return Err(limit);
        }
        self.count_spent_fuel();
        self.used.set(self.used.get().saturating_add(units));
        self.start_chunk();
        self.check_fuel();
        if units > HEAVY {
            self.check_clock();
        }
        self.passed.get().map_or(Ok(()), Err)
    }

    /// Charges work, unless a limit is passed or would be. Returns whether it charged.
    pub(crate) fn try_charge(&self, units: u64) -> bool {
        if units > HEAVY {
            self.check_clock();
        }
        self.try_charge_without_clock(units)
    }

    /// Does the same without a look at the clock, for work that was done before and is not done again.
    pub(crate) fn try_charge_without_clock(&self, units: u64) -> bool {
        self.count_spent_fuel();
        let used = self.used.get().saturating_add(units);
        let is_free = self.passed.get().is_none() && used < self.callback_end.get();
        if is_free {
            self.used.set(used);
        }
        self.start_chunk();
        is_free
    }

    /// Notes a limit as passed, unless another one was passed before. Returns the first passed limit.
    pub(crate) fn note_passed_limit(&self, limit: Limit) -> Limit {
        let first = self.passed.get().unwrap_or(limit);
        self.passed.set(Some(first));
        self.countdown.set(-1);
        self.chunk.set(0);
        first
    }

    /// Remembers that memory ran out, if an error reports that.
    pub(crate) fn note_if_out_of_memory(&self, error: &mlua::Error) {
        if matches!(root_error(error), mlua::Error::MemoryError(_)) {
            self.note_passed_limit(Limit::Memory);
        }
    }

    /// Lets the next file of a mod run although one before it passed a limit. The used resources stay used.
    pub(crate) fn clear_limit_for_next_file(&self) {
        if self.depth.get() == 0 {
            self.passed.set(None);
            self.start_chunk();
        }
    }

    /// Returns the limit that this command passed.
    pub(crate) fn passed_limit(&self) -> Option<Limit> {
        self.passed.get()
    }

    /// Returns the fuel that this command used.
    pub(crate) fn fuel_used(&self) -> u64 {
        self.count_spent_fuel();
        self.start_chunk();
        self.used.get()
    }

    /// Resets the fuel that this command used to an earlier value: for work that is charged in another way.
    pub(crate) fn reset_fuel_used(&self, used: u64) {
        self.count_spent_fuel();
        self.used.set(used);
        self.start_chunk();
    }

    /// Returns whether memory is short and has grown since the last collection. If so, notes a collection.
    pub(crate) fn wants_collection(&self, used: usize) -> bool {
        let short = self.limits.memory / 4 * 3;
        let grown = used
            > self
                .collected_at
                .get()
                .saturating_add(self.limits.memory / 8);
        if used > short && (grown || self.collected_at.get() == 0) {
            self.collected_at.set(used);
            return true;
        }
        false
    }

    /// Counts the fuel that was spent since the last call. Unwinding after a limit spends nothing.
    fn count_spent_fuel(&self) {
        if self.passed.get().is_some() {
            return;
        }
        let left = i64::from(self.countdown.get()) + 1;
        let spent = u64::try_from(i64::from(self.chunk.get()) - left).unwrap_or(0);
        self.used.set(self.used.get().saturating_add(spent));
        self.chunk.set(u32::try_from(left).unwrap_or(0));
    }

    fn start_chunk(&self) {
        let left = self.callback_end.get().saturating_sub(self.used.get());
        let ticks = match self.passed.get() {
            Some(_) => 0,
            None => u32::try_from(left).unwrap_or(CHUNK).clamp(1, CHUNK),
        };
        self.chunk.set(ticks);
        self.countdown.set(ticks.cast_signed() - 1);
    }

    /// Work that runs out of fuel has used exactly the limit, regardless of the size of the last call.
    fn check_fuel(&self) {
        let end = self.callback_end.get();
        if self.passed.get().is_none() && self.used.get() >= end {
            self.used.set(end);
            self.note_passed_limit(Limit::Fuel);
        }
    }

    fn check_clock(&self) {
        if self.interrupt.load(Ordering::Relaxed) {
            self.note_passed_limit(Limit::Interrupted);
        } else if self.clock.is_deadline_past() {
            self.note_passed_limit(Limit::Time);
        }
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        let meter = self.meter;
        meter.count_spent_fuel();
        meter.depth.set(meter.depth.get() - 1);
        meter.callback_end.set(self.callback_end);
        meter.clock.restore_callback_deadline(self.deadline);
        meter.start_chunk();
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        let meter = self.meter;
        meter.count_spent_fuel();
        meter.used.set(self.used);
        meter.callback_end.set(self.callback_end);
        meter.command_end.set(self.command_end);
        meter.start_chunk();
    }
}

#[cfg(test)]
mod tests;
