//! Gives API functions the running ruling for a permitted use: to read, change, roll, ask, or send messages.

use std::cell::RefMut;
use std::rc::Rc;

use mlua::Lua;

use super::Host;
use crate::diag::{Diagnostic, planted_mistakes};
use crate::script::border::stack_value::This;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::script::run::cause::ROOT;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::event_cursor::EventCursor;
use crate::script::run::seats::Seats;
use crate::script::run::trace;

impl Host {
    /// Returns the ruling that runs. Errors: `this` is not its `act`.
    #[inline]
    pub(crate) fn ruling(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        planted_mistakes::note_host_call();
        if this.0 != self.act.get() || this.0 == 0 {
            return Err(dead_act_error());
        }
        RefMut::filter_map(self.run.borrow_mut(), Option::as_mut).map_err(|_| dead_act_error())
    }

    /// Returns the running ruling if it is not borrowed and not traced, for callers that leave every refusal to others.
    #[inline]
    pub(crate) fn free_ruling(&self, this: This) -> Option<RefMut<'_, Run>> {
        planted_mistakes::note_host_call();
        let run = self
            .run
            .try_borrow_mut()
            .ok()
            .filter(|_| this.0 == self.fast_act.get() && this.0 != 0)?;
        RefMut::filter_map(run, Option::as_mut).ok()
    }

    /// Returns whether all checks apply to the present code: a line that is given now, or live rules while they are
    /// loaded or asked.
    pub(crate) fn is_live_line(&self) -> bool {
        let run = self.run.try_borrow();
        let run = run.as_ref().ok().and_then(|run| run.as_ref());
        let checks = match run {
            None => self.checks,
            Some(run) if run.query => run.checks.combined_with(self.checks),
            Some(run) => run.checks,
        };
        checks == Checks::Now
    }

    /// Remembers the seats, until the state changes.
    pub(crate) fn remember_seats(&self, seats: &Rc<Seats>) {
        if let Ok(mut run) = self.run.try_borrow_mut()
            && let Some(run) = run.as_mut()
        {
            run.known_seats = Some((run.state.version(), Rc::clone(seats)));
        }
    }

    /// Returns whether the steps of the run are noted.
    #[inline]
    pub(crate) fn is_traced(&self) -> bool {
        self.fast_act.get() != self.act.get()
    }

    /// Adds the writes of a function of the API to the trace of the running ruling, if it is not borrowed.
    #[cold]
    pub(crate) fn trace_writes(&self, lua: &Lua) {
        if let Ok(mut run) = self.run.try_borrow_mut()
            && let Some(run) = run.as_mut()
        {
            trace::note_writes(lua, run);
        }
    }

    /// Returns the cause at work when a protected call begins. A handler that only looked so far is not a cause yet,
    /// and the call does not make it one.
    pub(crate) fn cause_at_work(&self) -> u32 {
        let run = self.run.try_borrow().ok();
        let run = run.as_ref().and_then(|run| run.as_ref());
        run.map_or(ROOT, |run| run.motion.causes.cause_at_work())
    }

    /// Makes the cause at work again that was at work before a protected call that ended by an error.
    pub(crate) fn resume_unwound_cause(&self, cause: u32) {
        if let Ok(mut run) = self.run.try_borrow_mut()
            && let Some(run) = run.as_mut()
        {
            run.motion.causes.resume_after_error(cause, &run.state);
        }
    }

    /// Returns the ruling that runs, to change the game. Errors: it may only look.
    #[inline]
    pub(crate) fn ruling_to_change(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if run.query || self.is_schema_asked(&run) {
            Err(self.read_only_error(&run, "cannot change the game"))
        } else {
            Ok(self.with_turn_noted(run))
        }
    }

    /// Returns the ruling that runs, with the handler of the present turn as the cause at work.
    pub(crate) fn ruling_at_its_turn(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        Ok(self.with_turn_noted(self.ruling(this)?))
    }

    /// Returns the ruling that runs, to use chance. Errors: it may only look.
    pub(crate) fn ruling_to_draw(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if (run.query && !run.may_draw) || self.is_schema_asked(&run) {
            Err(self.read_only_error(&run, "cannot roll dice"))
        } else {
            Ok(self.with_turn_noted(run))
        }
    }

    /// Returns the ruling that runs, to ask a question. Errors: it may only look.
    pub(crate) fn ruling_to_ask(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if run.query || self.is_schema_asked(&run) {
            Err(self.read_only_error(&run, "cannot ask anybody"))
        } else {
            Ok(run)
        }
    }

    /// Returns the ruling that runs, to do things that expressions may not do. Errors: an expression is being
    /// evaluated, which `never` in words.
    pub(crate) fn ruling_outside_expressions(
        &self,
        this: This,
        never: &str,
    ) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if self.looking.get().is_some() || self.is_schema_asked(&run) {
            Err(self.read_only_error(&run, never))
        } else {
            Ok(self.with_turn_noted(run))
        }
    }

    /// Returns the ruling that runs, to change the game. Returns nothing if it is borrowed or may only read.
    #[inline]
    pub(crate) fn free_ruling_to_change(&self, this: This) -> Option<RefMut<'_, Run>> {
        let run = self.free_ruling(this)?;
        (!run.query && !self.is_schema_asked(&run)).then(|| self.with_turn_noted(run))
    }

    /// Returns the ruling that runs, for actions that expressions may not take. Returns nothing if it is borrowed or
    /// may not act.
    #[inline]
    pub(crate) fn free_ruling_outside_expressions(&self, this: This) -> Option<RefMut<'_, Run>> {
        let run = self.free_ruling(this)?;
        (self.looking.get().is_none() && !self.is_schema_asked(&run))
            .then(|| self.with_turn_noted(run))
    }

    /// Returns whether a schema is being asked if a handler applies, or for its label.
    #[inline]
    fn is_schema_asked(&self, run: &Run) -> bool {
        !run.motion.frames.is_empty()
            && self
                .turn
                .borrow()
                .as_ref()
                .is_some_and(EventCursor::may_only_look)
    }

    /// Notes the handler of the present turn in a ruling, before it does anything: handlers that only look cost nothing
    /// here.
    #[inline]
    fn with_turn_noted<'a>(&self, mut run: RefMut<'a, Run>) -> RefMut<'a, Run> {
        if !run.motion.frames.is_empty() {
            self.note_turn_begun(&mut run);
        }
        run
    }

    fn note_turn_begun(&self, run: &mut Run) {
        let turn = self.turn.borrow();
        let Some(turn) = turn.as_ref() else { return };
        if turn
            .place()
            .is_some_and(|place| run.begin_recipient_turn(place) || run.is_turn_of_read_handler())
        {
            turn.set_changed_since_recipients(true);
        }
    }

    /// Lets the ruling only look until the returned value is dropped.
    pub(crate) fn allow_looking_only(&self) -> Looking<'_> {
        self.restrict_ruling_to(Looks::Expression)
    }

    fn restrict_ruling_to(&self, looks: Looks) -> Looking<'_> {
        let around = self.looking.replace(Some(looks));
        let mut run = self.run.borrow_mut();
        let before = run.as_mut().map(|run| {
            let before = (run.query, run.may_draw);
            (run.query, run.may_draw) = (true, false);
            before
        });
        let (was_query, could_draw) = before.unwrap_or((true, false));
        Looking {
            host: self,
            around,
            was_query,
            could_draw,
        }
    }

    /// Like [`Self::allow_looking_only`], but allows rolls too: for a function that names the definition of a handler.
    pub(crate) fn allow_looking_and_drawing_only(&self) -> Looking<'_> {
        let looking = self.restrict_ruling_to(Looks::Choice);
        if let Some(run) = self.run.borrow_mut().as_mut() {
            run.may_draw = true;
        }
        looking
    }

    #[cold]
    fn read_only_error(&self, run: &Run, what: &str) -> mlua::Error {
        let (who, hint) = match self.looking.get() {
            None if !run.query => (
                "`applies` or `label` of a schema",
                "they run before a handler begins; let `fire` do this",
            ),
            None => (
                "this command",
                "remove `query = true` from the command's definition",
            ),
            Some(Looks::Expression) => (
                "an expression",
                "it is evaluated whenever a value is read; let a rule do this",
            ),
            Some(Looks::Choice) => (
                "`of` of a handler",
                "it runs before any handler of the event; let a handler do this",
            ),
        };
        let message = format!("{who} is read-only: it {what}");
        HostError::error_of_finding(Diagnostic::error("script/read-only", message).hint(hint))
    }
}

/// The code that only looks, inside of a run that may change things.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Looks {
    /// An expression, or the test of an end.
    Expression,
    /// The `of` of a handler.
    Choice,
}

/// A time in which a ruling only looks.
pub(crate) struct Looking<'a> {
    host: &'a Host,
    /// The code that only looked around it.
    around: Option<Looks>,
    was_query: bool,
    could_draw: bool,
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        self.host.looking.set(self.around);
        if let Some(run) = self.host.run.borrow_mut().as_mut() {
            run.query = self.was_query;
            run.may_draw = self.could_draw;
        }
    }
}

#[cold]
fn dead_act_error() -> mlua::Error {
    let message = "`act` is used after the run it was made for, or a method is called with `.` instead of `:`";
    HostError::error_of_finding(
        Diagnostic::error("script/dead-act", message).hint(
            "take `act` from the arguments of the function that runs, and write `act:get(...)`",
        ),
    )
}
