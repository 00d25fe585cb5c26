//! The host's data for API functions: the meter, the names, and the running ruling.

use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::dice::Notation;
use crate::script::border::name_atoms::Atoms;
use crate::script::border::printed_lines::Printed;
use crate::script::border::stack_value::NameArgument;
use crate::script::fuel::Limit;
use crate::script::fuel::Meter;
use crate::script::host::error_findings::{HostError, shorten_error_text};
use crate::script::profile::Sampler;
use crate::script::raw::{Frames, Look, Met, Owner};
use crate::script::rules::Rules;
use crate::script::rules::compile_cache::Compiled;
use crate::script::rules::definition_cache::DefinitionCache;
use crate::script::rules::file_facts::FileFacts;
use crate::script::rules::grammar::KnownGrammar;
use crate::script::run::Run;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::event_cursor::EventCursor;
use crate::store::{Expression, StoreError, is_host_name};
use crate::value::{Name, Names, Text};

pub(crate) mod error_findings;
mod expression_programs;
pub(crate) mod fast_call_arguments;
#[cfg(feature = "measure")]
pub(crate) mod fast_omission;
pub(crate) mod modules;
pub(crate) mod parse_cache;
pub(crate) mod profiler_hooks;
mod raised_error;
pub(crate) mod read_only_tables;
pub(crate) mod recipient_cache;
mod ruling_access;
pub(crate) mod safe_fallback;
pub(crate) mod sandbox;
pub(crate) mod try_counts;

pub(crate) use expression_programs::Programs;
pub(crate) use parse_cache::expression_error;
pub(crate) use raised_error::ErrorReportingCall;
use raised_error::Raised;
pub(crate) use recipient_cache::{CachedRecipients, RecipientTables};
use try_counts::TryCounts;

/// Bytes of a text that may be a name: the store takes 200 characters.
const NAME: usize = 800;

/// The host's side of one machine.
pub(crate) struct Host {
    pub(crate) meter: Meter,
    pub(crate) atoms: Rc<Atoms>,
    pub(crate) names: Rc<Names>,
    pub(crate) rules: RefCell<Rc<Rules>>,
    /// The checks that apply to the rules while they are loaded, and when they are only asked.
    pub(crate) checks: Checks,
    compiled: RefCell<Compiled>,
    run: RefCell<Option<Run>>,
    act: Cell<usize>,
    /// The same for the fast functions, or 0 while a run is traced.
    fast_act: Cell<usize>,
    live_act: RefCell<Option<mlua::Table>>,
    /// The part of a changing run that only looks at present.
    looking: Cell<Option<ruling_access::Looks>>,
    printed: RefCell<Printed>,
    /// The attempts of rules, if they are counted.
    tried: RefCell<Option<TryCounts>>,
    notations: RefCell<HashMap<String, Rc<Notation>>>,
    conditions: RefCell<HashMap<Text, Rc<Expression>>>,
    expressions: RefCell<Programs>,
    /// The present turn among the recipients of the innermost event: the place of the handler, and whether a handler
    /// has done anything since.
    turn: RefCell<Option<EventCursor>>,
    /// The reason why the command stops. Scripts cannot undo it, as they cannot undo a passed limit.
    stop: RefCell<Option<Stop>>,
    /// The recipients of an event that is emitted to everybody, for the shape of the state then.
    heard: RefCell<Vec<Option<(u64, CachedRecipients)>>>,
    /// The tables in which the frame of events looks up an event by its name.
    lists: RefCell<Option<RecipientTables>>,
    /// The definitions by collection and id, where scripts find them without the host.
    known: RefCell<Option<mlua::Table>>,
    /// The function that calls a function of a script and reports the place of an error.
    told: OnceCell<ErrorReportingCall>,
    /// The last error of a script, as it was reported.
    raised: RefCell<Raised>,
    /// The profiler's sampler, if a profile is made.
    pub(crate) sampler: Option<Rc<Sampler>>,
}

impl Owner for Host {
    #[inline(always)]
    fn count_safe_point(&self) -> bool {
        self.meter.count_safe_point()
    }

    #[inline(always)]
    fn spend_fuel(&self, fuel: u32) {
        self.meter.spend_fuel(fuel);
    }

    fn check_limits(&self, used: usize) -> Look {
        if self.meter.check_limits().is_some() {
            Look::Stop
        } else if self.meter.wants_collection(used) {
            Look::Collect
        } else {
            Look::Go
        }
    }

    fn note_out_of_memory(&self) {
        self.meter.note_passed_limit(Limit::Memory);
    }

    fn is_sampled(&self) -> bool {
        self.sampler.is_some()
    }

    fn sample(&self, frames: Frames<'_>, met: Met) {
        self.sample_frames(frames, met);
    }

    fn begin_raised_error(&self, text: Option<&[u8]>) {
        if let Ok(mut raised) = self.raised.try_borrow_mut() {
            raised.begin_unless_unwinding(text, self.meter.passed_limit().is_some());
        }
    }

    fn add_raised_frame(&self, chunk: &[u8], line: usize, name: &[u8]) {
        if let Ok(mut raised) = self.raised.try_borrow_mut() {
            raised.add_frame(chunk, line, name);
        }
    }
}

/// The reason why a command stops, even if its scripts catch errors.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A rule, or a rule that failed, ends it with this.
    Refused(Box<Diagnostic>),
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
            checks: Checks::Now,
            compiled: RefCell::new(compiled),
            run: RefCell::new(None),
            act: Cell::new(0),
            fast_act: Cell::new(0),
            live_act: RefCell::new(None),
            looking: Cell::default(),
            printed: RefCell::default(),
            tried: RefCell::default(),
            notations: RefCell::default(),
            conditions: RefCell::default(),
            expressions: RefCell::default(),
            turn: RefCell::default(),
            stop: RefCell::default(),
            heard: RefCell::default(),
            lists: RefCell::default(),
            known: RefCell::default(),
            told: OnceCell::new(),
            raised: RefCell::default(),
            sampler: None,
        }
    }

    /// Returns the bytecode of a source text, from the cache where it was compiled before.
    pub(crate) fn compiled_bytecode(&self, text: &str) -> mlua::Result<Arc<Vec<u8>>> {
        self.compiled.borrow_mut().bytecode_of_text(text)
    }

    /// Stops the compilation on other threads: everything that a load needs is there.
    pub(super) fn stop_compiling(&self) {
        self.compiled.borrow_mut().stop_compiling();
    }

    /// Returns the last grammar without mistakes, to use or to replace.
    pub(super) fn last_clean_grammar(&self) -> RefMut<'_, Option<KnownGrammar>> {
        RefMut::map(self.compiled.borrow_mut(), |compiled| &mut compiled.grammar)
    }

    /// Returns the definitions that were read last, to use or to replace.
    pub(super) fn definition_cache(&self) -> RefMut<'_, DefinitionCache> {
        RefMut::map(self.compiled.borrow_mut(), |compiled| &mut compiled.kept)
    }

    /// Returns the known facts about files, to use or to add to.
    pub(super) fn file_facts(&self) -> RefMut<'_, FileFacts> {
        RefMut::map(self.compiled.borrow_mut(), |compiled| {
            &mut compiled.file_facts
        })
    }

    /// Returns the cache of bytecode, for the next machine.
    pub(crate) fn take_compile_cache(&self) -> Compiled {
        self.compiled.take()
    }

    /// Takes bytecode that another machine used.
    pub(crate) fn absorb_compile_cache(&self, compiled: Compiled) {
        self.compiled.borrow_mut().absorb(compiled);
    }

    /// Takes the rules out, to change them while they are loaded.
    pub(super) fn take_rules(&self) -> Rules {
        let rules = self.rules.take();
        Rc::into_inner(rules).expect("invariant: nothing holds rules while no script runs")
    }

    /// Begins a ruling. `act` is its table for scripts.
    pub(crate) fn begin_run(&self, mut run: Run, act: &mlua::Table) {
        // Another machine of the same rules may have run this state before: handlers of rows are numbers of this
        // machine.
        let listeners = self.rules.borrow().listeners();
        if !listeners.rules.entries().is_empty() {
            run.state.index_listeners(Rc::clone(&listeners.rules));
        }
        // Values that were computed before cost this ruling their fuel again, on each machine.
        run.state.clear_computed_values();
        let act_id = act.to_pointer() as usize;
        self.fast_act.set(if run.is_traced() { 0 } else { act_id });
        if let Some(turn) = self.turn.borrow().as_ref() {
            turn.set_run_flags(run.tells_causes, run.is_attended);
        }
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
    pub(crate) fn end_run(&self) -> Option<Run> {
        self.act.set(0);
        self.fast_act.set(0);
        self.live_act.take();
        self.run.borrow_mut().take()
    }

    /// Sets the cursor in which the frame of events keeps the present turn.
    pub(crate) fn set_event_cursor(&self, turn: EventCursor) {
        *self.turn.borrow_mut() = Some(turn);
    }

    /// Sets the tables in which the frame of events finds the last recipients of an event.
    pub(crate) fn set_recipient_tables(&self, lists: RecipientTables) {
        *self.lists.borrow_mut() = Some(lists);
    }

    /// Sets the table in which scripts find definitions.
    pub(crate) fn set_known_definitions(&self, known: mlua::Table) {
        *self.known.borrow_mut() = Some(known);
    }

    /// Lets scripts find the definitions without the host from now on. All definitions are entered at once, so finding
    /// one always costs the same fuel. Results that are memoized while rules are loaded, checked and asked for their
    /// handlers cost the same as in play. So a machine that ran none of that spends as much.
    pub(crate) fn fill_known_definitions(&self, lua: &mlua::Lua) -> mlua::Result<()> {
        let (known, rules) = (self.known.borrow(), self.rules.borrow());
        let Some(known) = known.as_ref() else {
            return Ok(());
        };
        for collection in rules.schemas.keys() {
            let of = lua.create_table()?;
            for one in rules.registry.of_collection(collection) {
                let key = (collection.clone(), one.id.to_string());
                if let Some(table) = rules.tables.get(&key) {
                    of.raw_set(key.1, table)?;
                }
            }
            known.raw_set(collection.as_str(), of)?;
        }
        Ok(())
    }

    /// Sets whether anything has changed since the recipients of the innermost event were found.
    pub(crate) fn set_changed_since_recipients(&self, is_touched: bool) {
        if let Some(turn) = self.turn.borrow().as_ref() {
            turn.set_changed_since_recipients(is_touched);
        }
    }

    /// Returns the ruling that runs, if there is one, for functions that need no `act`.
    pub(crate) fn running_ruling(&self) -> Ref<'_, Option<Run>> {
        self.run.borrow()
    }

    /// Returns the name of a row or field that must exist already.
    #[inline]
    pub(crate) fn existing_name(&self, argument: &NameArgument) -> Result<Name, String> {
        self.atoms.resolve(argument)
    }

    /// Returns the name of a row or field, making it at first sight. Errors: the name is too long.
    pub(crate) fn new_name(&self, argument: &NameArgument) -> mlua::Result<Name> {
        match self.atoms.resolve(argument) {
            Ok(name) => Ok(name),
            Err(text) if text.len() <= NAME && !is_host_name(&text) => Ok(self.names.intern(&text)),
            Err(text) => {
                let error = StoreError::BadName(shorten_error_text(&text).into());
                Err(HostError::error_of_finding(error.to_diagnostic()))
            }
        }
    }

    /// Keeps the values that a script prints.
    pub(crate) fn keep_printed_values<'a>(&self, values: impl Iterator<Item = &'a mlua::Value>) {
        self.printed.borrow_mut().keep_printed_line(values);
    }

    /// Takes the output since the last time.
    pub(crate) fn take_printed(&self) -> Printed {
        self.printed.take()
    }

    /// Starts or stops counting the attempts of rules, and takes the counts so far.
    pub(crate) fn switch_counting_and_take_tries(&self, counts: bool) -> TryCounts {
        let before = self.tried.replace(counts.then(TryCounts::new));
        before.unwrap_or_default()
    }

    /// Returns whether the attempts of rules are counted.
    pub(crate) fn are_tries_counted(&self) -> bool {
        self.tried.borrow().is_some()
    }

    /// Counts an attempt that a rule reports, if attempts are counted. Errors: `limit/size`.
    pub(crate) fn note_try(
        &self,
        of: &str,
        name: Option<&str>,
        success: Option<bool>,
    ) -> mlua::Result<()> {
        match self.tried.borrow_mut().as_mut() {
            Some(tried) => try_counts::count_try(tried, of, name, success)
                .map_err(|why| HostError::error_of_finding(*why)),
            None => Ok(()),
        }
    }

    /// Charges fuel. Errors: the limit that is passed.
    pub(crate) fn charge(&self, units: u64) -> mlua::Result<()> {
        self.meter.charge(units).map_err(HostError::error_of_limit)
    }

    /// Returns whether the ruling that runs may end records now, by expressions that turned true.
    pub(crate) fn may_end_records(&self) -> bool {
        let hears_settled = self.rules.borrow().listeners().hears_settled;
        let run = self.run.borrow();
        run.as_ref()
            .is_some_and(|run| !run.query && (run.state.may_end_after_any_event() || hears_settled))
    }

    /// Stops the command with a finding and returns the error that unwinds it.
    pub(crate) fn stop_command(&self, finding: Diagnostic) -> mlua::Error {
        let mut stop = self.stop.borrow_mut();
        let Stop::Refused(first) = stop.get_or_insert(Stop::Refused(Box::new(finding)));
        HostError::error_of_finding(first.clone())
    }

    /// Returns why the command stops, if it does and no limit ends it.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        self.stop.borrow().clone()
    }

    /// Returns whether the command ends, even if its scripts catch errors.
    pub(crate) fn is_stopped(&self) -> bool {
        self.meter.passed_limit().is_some() || self.stop.borrow().is_some()
    }

    /// Returns the limit that the command passed.
    pub(crate) fn passed_limit(&self) -> Option<Limit> {
        self.meter.passed_limit()
    }
}
