//! This module is what API functions reach behind the border: the meter, the names, and the ruling that runs.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::api::{Programs, in_expression};
use super::atoms::Atoms;
use super::compile::Compiled;
use super::dispatch::Recipient;
use super::error::{HostError, shortened};
use super::kept::Kept;
use super::limits::Limit;
use super::listen::Event;
use super::meter::Meter;
use super::phrases::KnownGrammar;
use super::printed::Printed;
use super::raw::{NameArgument, This};
use super::rules::Rules;
use super::run::Run;
use super::turn::Turn;
use crate::diag::{Diagnostic, near_hint};
use crate::dice::Notation;
use crate::expr::{Dialect, Program, compile};
use crate::store::{Expression, Role, StoreError, is_host_name};
use crate::value::{Name, Names, Text};

/// Bytes of a text that may be a name: the store takes 200 characters.
const NAME: usize = 800;

/// Notations that are kept in their read form.
const NOTATIONS: usize = 1_000;

/// The host's side of one machine.
pub(crate) struct Host {
    pub(crate) meter: Meter,
    pub(crate) atoms: Rc<Atoms>,
    pub(crate) names: Rc<Names>,
    pub(crate) rules: RefCell<Rc<Rules>>,
    compiled: RefCell<Compiled>,
    run: RefCell<Option<Run>>,
    act: Cell<usize>,
    /// The same for the fast ways; 0 while a run is traced.
    fast_act: Cell<usize>,
    live_act: RefCell<Option<mlua::Table>>,
    /// Scripts that answer an expression, one inside the other.
    looking: Cell<u32>,
    pub(super) printed: RefCell<Printed>,
    notations: RefCell<HashMap<String, Rc<Notation>>>,
    conditions: RefCell<HashMap<Text, Rc<Expression>>>,
    expressions: RefCell<Programs>,
    /// Whose turn it is among the recipients of the innermost event: the place of the handler, and
    /// whether a handler has done anything since.
    turn: RefCell<Option<Turn>>,
    /// Why the command stops; like a limit, nothing that scripts do takes it back.
    stop: RefCell<Option<Stop>>,
    /// Who hears an event that is sent to nobody in particular, for the shape of the state then.
    heard: RefCell<Vec<Option<(u64, Heard)>>>,
    /// Those who heard an event last, as its frame calls them, by its name.
    lists: RefCell<Option<mlua::Table>>,
}

/// Why a command stops, whatever its scripts catch.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A rule, or a rule that broke, ends it with this.
    Refused(Box<Diagnostic>),
}

/// Who hears an event: the handlers with what they are called with, and what the host knows of them.
#[derive(Clone)]
pub(crate) struct Heard {
    pub(crate) table: mlua::Table,
    pub(crate) recipients: Rc<[Recipient]>,
}

impl Host {
    pub(crate) fn new(
        meter: Meter,
        atoms: Rc<Atoms>,
        names: Rc<Names>,
        compiled: Compiled,
    ) -> Host {
        Host {
            meter,
            atoms,
            names,
            rules: RefCell::default(),
            compiled: RefCell::new(compiled),
            run: RefCell::new(None),
            act: Cell::new(0),
            fast_act: Cell::new(0),
            live_act: RefCell::new(None),
            looking: Cell::default(),
            printed: RefCell::default(),
            notations: RefCell::default(),
            conditions: RefCell::default(),
            expressions: RefCell::default(),
            turn: RefCell::default(),
            stop: RefCell::default(),
            heard: RefCell::default(),
            lists: RefCell::default(),
        }
    }

    /// Returns the bytecode of a source text, from the cache where it was compiled before.
    pub(crate) fn compiled(&self, text: &str) -> mlua::Result<Arc<Vec<u8>>> {
        self.compiled.borrow_mut().get(text)
    }

    /// Returns the last grammar without mistakes, to use or to replace.
    pub(super) fn known_grammar(&self) -> RefMut<'_, Option<KnownGrammar>> {
        RefMut::map(self.compiled.borrow_mut(), |compiled| &mut compiled.grammar)
    }

    /// Returns the definitions that were read last, to use or to replace.
    pub(super) fn kept(&self) -> RefMut<'_, Kept> {
        RefMut::map(self.compiled.borrow_mut(), |compiled| &mut compiled.kept)
    }

    /// Returns the cache of bytecode, for the next machine.
    pub(crate) fn take_compiled(&self) -> Compiled {
        self.compiled.take()
    }

    /// Takes bytecode that another machine used.
    pub(crate) fn give_compiled(&self, compiled: Compiled) {
        self.compiled.borrow_mut().absorb(compiled);
    }

    /// Puts a ruling in; `act` is the table that scripts know it by.
    pub(crate) fn begin(&self, run: Run, act: &mlua::Table) {
        // What was computed before costs this ruling its fuel again, wherever it runs.
        run.state.forget();
        let act_id = act.to_pointer() as usize;
        self.fast_act.set(if run.is_traced() { 0 } else { act_id });
        *self.run.borrow_mut() = Some(run);
        self.stop.take();
        self.heard.borrow_mut().clear();
        self.act.set(act_id);
        *self.live_act.borrow_mut() = Some(act.clone());
    }

    /// Returns the `act` of the ruling that runs.
    pub(crate) fn live_act(&self) -> Option<mlua::Table> {
        self.live_act.borrow().clone()
    }

    /// Takes the ruling out: its `act` is dead.
    pub(crate) fn end(&self) -> Option<Run> {
        self.act.set(0);
        self.fast_act.set(0);
        self.live_act.take();
        self.run.borrow_mut().take()
    }

    /// Returns the ruling that runs. Errors: `this` is not its `act`.
    #[inline]
    pub(crate) fn ruling(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        if this.0 != self.act.get() || this.0 == 0 {
            return Err(dead_act());
        }
        RefMut::filter_map(self.run.borrow_mut(), Option::as_mut).map_err(|_| dead_act())
    }

    /// Returns the ruling that runs if nobody holds it and it is not traced, for what leaves every refusal to others.
    #[inline]
    pub(crate) fn free_ruling(&self, this: This) -> Option<RefMut<'_, Run>> {
        let run = self
            .run
            .try_borrow_mut()
            .ok()
            .filter(|_| this.0 == self.fast_act.get() && this.0 != 0)?;
        RefMut::filter_map(run, Option::as_mut).ok()
    }

    /// Returns whether what happens is noted.
    #[inline]
    pub(crate) fn is_traced(&self) -> bool {
        self.fast_act.get() != self.act.get()
    }

    /// Returns the ruling that runs, if it is traced and nobody holds it.
    pub(crate) fn traced_ruling(&self) -> Option<RefMut<'_, Run>> {
        let run = self.run.try_borrow_mut().ok()?;
        RefMut::filter_map(run, Option::as_mut).ok()
    }

    /// Returns the ruling that runs, to change the game. Errors: it may only look.
    #[inline]
    pub(crate) fn changing(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if run.query {
            Err(self.read_only("changes nothing"))
        } else {
            Ok(self.caught_up(run))
        }
    }

    /// Returns the ruling that runs, with the handler whose turn it is as the cause at work.
    pub(crate) fn at_its_turn(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        Ok(self.caught_up(self.ruling(this)?))
    }

    /// Returns the ruling that runs, to draw chance. Errors: it may only look.
    pub(crate) fn drawing(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if run.query {
            Err(self.read_only("draws no dice"))
        } else {
            Ok(self.caught_up(run))
        }
    }

    /// Returns the ruling that runs, to ask somebody. Errors: it may only look.
    pub(crate) fn asking(&self, this: This) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if run.query {
            Err(self.read_only("asks nobody"))
        } else {
            Ok(run)
        }
    }

    /// Returns the ruling that runs, to do what no expression does. Errors: an expression is being evaluated, which
    /// `never` in words.
    pub(crate) fn speaking(&self, this: This, never: &str) -> mlua::Result<RefMut<'_, Run>> {
        let run = self.ruling(this)?;
        if self.looking.get() > 0 {
            Err(self.read_only(never))
        } else {
            Ok(self.caught_up(run))
        }
    }

    /// Returns the ruling that runs, to change the game, if nobody holds it and it may; leaves every refusal to others.
    #[inline]
    pub(crate) fn free_changing(&self, this: This) -> Option<RefMut<'_, Run>> {
        let run = self.free_ruling(this).filter(|run| !run.query)?;
        Some(self.caught_up(run))
    }

    /// Returns the ruling that runs, to do what no expression does, if nobody holds it and it may; leaves every refusal
    /// to others.
    #[inline]
    pub(crate) fn free_speaking(&self, this: This) -> Option<RefMut<'_, Run>> {
        let run = self.free_ruling(this).filter(|_| self.looking.get() == 0)?;
        Some(self.caught_up(run))
    }

    /// Lets a ruling know whose turn it is, before it does anything: handlers that only look cost nothing here.
    #[inline]
    fn caught_up<'a>(&self, mut run: RefMut<'a, Run>) -> RefMut<'a, Run> {
        if !run.motion.frames.is_empty() {
            self.catch_up(&mut run);
        }
        run
    }

    fn catch_up(&self, run: &mut Run) {
        let turn = self.turn.borrow();
        let Some(turn) = turn.as_ref() else { return };
        if turn.place().is_some_and(|place| run.enter(place)) {
            turn.touch(true);
        }
    }

    /// Takes the table in which the frame of events keeps whose turn it is.
    pub(crate) fn take_turns(&self, turn: Turn) {
        *self.turn.borrow_mut() = Some(turn);
    }

    /// Takes the table in which the frame of events finds those who heard an event last.
    pub(crate) fn take_lists(&self, lists: mlua::Table) {
        *self.lists.borrow_mut() = Some(lists);
    }

    /// Says that nothing has changed since the recipients of the innermost event were found.
    pub(crate) fn is_untouched(&self) {
        if let Some(turn) = self.turn.borrow().as_ref() {
            turn.touch(false);
        }
    }

    /// Lets the ruling only look until what is returned is dropped.
    pub(crate) fn look_only(&self) -> Looking<'_> {
        self.looking.set(self.looking.get() + 1);
        let mut run = self.run.borrow_mut();
        let was_query = run
            .as_mut()
            .map(|run| std::mem::replace(&mut run.query, true));
        Looking {
            host: self,
            was_query: was_query.unwrap_or(true),
        }
    }

    #[cold]
    fn read_only(&self, what: &str) -> mlua::Error {
        let (who, hint) = match self.looking.get() {
            0 => (
                "this command",
                "take `query = true` out of the command's definition",
            ),
            _ => (
                "an expression",
                "it is evaluated whenever somebody reads; let a rule do this",
            ),
        };
        let message = format!("{who} only looks: it {what}");
        HostError::raise(Diagnostic::error("script/read-only", message).hint(hint))
    }

    /// Returns dice notation in its read form; texts that were read before cost a look-up.
    pub(crate) fn notation(&self, text: &mlua::LuaString) -> mlua::Result<Rc<Notation>> {
        let text = text.to_str()?;
        if let Some(known) = self.notations.borrow().get(&*text) {
            return Ok(Rc::clone(known));
        }
        let read = Rc::new(Notation::parse(&text).map_err(first)?);
        let mut notations = self.notations.borrow_mut();
        if notations.len() >= NOTATIONS {
            notations.clear();
        }
        notations.insert(text.to_owned(), Rc::clone(&read));
        Ok(read)
    }

    /// Returns an expression in its compiled form; texts that were read before cost a look-up.
    pub(crate) fn expression(&self, text: &str, dialect: &Dialect) -> mlua::Result<Rc<Program>> {
        let key = Programs::key(text, dialect);
        self.charge(Programs::work(text))?;
        if let Some(known) = self.expressions.borrow().find(&key) {
            return Ok(known);
        }
        let made = compile(text, dialect).map_err(|errors| in_expression(text, &errors[0]))?;
        let made = Rc::new(made);
        self.expressions.borrow_mut().keep(key, &made);
        Ok(made)
    }

    /// Returns the ruling that runs, if there is one, for functions that need no `act`.
    pub(crate) fn running(&self) -> Ref<'_, Option<Run>> {
        self.run.borrow()
    }

    /// Returns the name of a row or field that must exist already.
    #[inline]
    pub(crate) fn name(&self, argument: &NameArgument) -> Result<Name, String> {
        self.atoms.resolve(argument)
    }

    /// Returns the name of a row or field, making it at first sight. Errors: no name is so long.
    pub(crate) fn new_name(&self, argument: &NameArgument) -> mlua::Result<Name> {
        match self.atoms.resolve(argument) {
            Ok(name) => Ok(name),
            Err(text) if text.len() <= NAME && !is_host_name(&text) => Ok(self.names.intern(&text)),
            Err(text) => {
                let error = StoreError::BadName(shortened(&text).into());
                Err(HostError::raise(error.to_diagnostic()))
            }
        }
    }

    /// Charges fuel. Errors: the limit that is passed.
    pub(crate) fn charge(&self, units: u64) -> mlua::Result<()> {
        self.meter.charge(units).map_err(HostError::limit)
    }

    /// Returns a declared event. Errors: nobody declares it.
    pub(crate) fn event(&self, name: &NameArgument) -> mlua::Result<Rc<Event>> {
        let rules = self.rules.borrow();
        let known = self.name(name).ok();
        match known.and_then(|name| rules.listeners.event(name)) {
            Some(event) => Ok(Rc::clone(event)),
            None => Err(self.unknown_event(name)),
        }
    }

    /// Returns whether the ruling that runs may end records now, by expressions that turned true.
    pub(crate) fn may_end(&self) -> bool {
        let run = self.run.borrow();
        run.as_ref()
            .is_some_and(|run| !run.query && run.state.ends_after_events())
    }

    /// Checks that an event is declared. Errors: nobody declares it.
    pub(crate) fn check_event(&self, name: &str) -> Result<(), Box<Diagnostic>> {
        let known = self.names.find(name);
        let rules = self.rules.borrow();
        match known.and_then(|name| rules.listeners.event(name)) {
            Some(_) => Ok(()),
            None => Err(Box::new(self.no_event(&shortened(name)))),
        }
    }

    /// Returns an expression that speaks of a record; texts that were read before cost a look-up.
    pub(crate) fn condition(&self, text: &Text) -> Rc<Expression> {
        if let Some(known) = self.conditions.borrow().get(text) {
            return Rc::clone(known);
        }
        let stats = Rc::clone(&self.rules.borrow().stats);
        let made = Expression::new(text, Role::Record, stats.vocabulary(), &self.names);
        let made = Rc::new(made);
        let mut conditions = self.conditions.borrow_mut();
        if conditions.len() >= NOTATIONS {
            conditions.clear();
        }
        conditions.insert(Text::clone(text), Rc::clone(&made));
        made
    }

    #[cold]
    fn unknown_event(&self, name: &NameArgument) -> mlua::Error {
        HostError::raise(self.no_event(&match self.name(name) {
            Ok(name) => self.names.text(name).to_string(),
            Err(text) => shortened(&text),
        }))
    }

    fn no_event(&self, name: &str) -> Diagnostic {
        let rules = self.rules.borrow();
        let message = format!("no event is called \"{name}\"");
        let known = rules.events().map(|(event, _)| event);
        Diagnostic::error("script/unknown-event", message)
            .hint(near_hint(name, known))
            .hint("events are declared in ruleset.luau under `events`")
    }

    /// Stops the command with a finding and returns the error that unwinds it.
    pub(crate) fn stop_command(&self, finding: Diagnostic) -> mlua::Error {
        let mut stop = self.stop.borrow_mut();
        let Stop::Refused(first) = stop.get_or_insert(Stop::Refused(Box::new(finding)));
        HostError::raise(first.clone())
    }

    /// Returns why the command stops, if it does and no limit ends it.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop.borrow().clone()
    }

    /// Returns whether the command ends, whatever its scripts catch.
    pub(crate) fn is_stopped(&self) -> bool {
        self.meter.passed().is_some() || self.stop.borrow().is_some()
    }

    /// Returns who hears an event, if that is known for this shape of the state.
    pub(crate) fn heard(&self, event: Name, shape: u64) -> Option<Heard> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| heard.clone())
    }

    /// Returns the recipients of an event alone, if they are known for this shape of the state.
    #[inline]
    pub(crate) fn heard_by(&self, event: Name, shape: u64) -> Option<Rc<[Recipient]>> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| Rc::clone(&heard.recipients))
    }

    /// Remembers who hears an event for this shape of the state.
    pub(crate) fn hear(&self, event: Name, shape: u64, heard: Heard) -> mlua::Result<()> {
        if let Some(lists) = self.lists.borrow().as_ref() {
            lists.raw_set(&*self.names.text(event), &heard.table)?;
        }
        let mut all = self.heard.borrow_mut();
        let size = all.len().max(event.index() + 1);
        all.resize_with(size, || None);
        all[event.index()] = Some((shape, heard));
        Ok(())
    }

    /// Returns the limit that the command passed.
    pub(crate) fn passed(&self) -> Option<Limit> {
        self.meter.passed()
    }
}

/// A time in which a ruling only looks.
pub(crate) struct Looking<'a> {
    host: &'a Host,
    was_query: bool,
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        self.host.looking.set(self.host.looking.get() - 1);
        if let Some(run) = self.host.run.borrow_mut().as_mut() {
            run.query = self.was_query;
        }
    }
}

/// Returns the error for the first of several findings; the others become its hints.
fn first(findings: Vec<Diagnostic>) -> mlua::Error {
    let mut findings = findings.into_iter();
    let first = findings.next().expect("invariant: a refusal has a finding");
    HostError::raise(findings.fold(first, |first, other| first.hint(other.message)))
}

#[cold]
fn dead_act() -> mlua::Error {
    let message = "`act` is used outside the run it was made for, or a method is called with `.` instead of `:`";
    HostError::raise(
        Diagnostic::error("script/dead-act", message).hint(
            "take `act` from the arguments of the function that runs, and write `act:get(...)`",
        ),
    )
}
