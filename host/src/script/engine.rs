//! This module is one machine with one generation of rules: it loads, calls and ends them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mlua::{Function, Lua, Table};

use super::api::{self, new_act, settle};
use super::ask::ask;
use super::compile::Compiled;
use super::convert;
use super::error::{HostError, Sources, diagnose, shortened};
use super::host::{Host, Stop};
use super::limits::{Limit, Limits};
use super::meter::Meter;
use super::module::Modules;
use super::names::{GameNames, found_by, listed};
use super::outside::look;
use super::phrases::SEAT;
use super::printed::Printed;
use super::prompt::Continuation;
use super::question::Question;
use super::raw::{This, install_atoms, install_interrupt};
use super::rules::Rules;
use super::run::{Outcome, Run};
use super::sandbox;
use super::sealing::seal;
use super::seats::{GM, Seats, seats_from, seats_function};
use super::unknown;
use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::store::clock::Clock;
use crate::store::{Explanation, State};
use crate::text::{NameSource, NameTable};
use crate::value::{Name, Names, Value};

/// How a machine is built.
#[derive(Clone)]
pub struct EngineOptions {
    /// What scripts may use.
    pub limits: Limits,
    /// Set by another thread to end the running script.
    pub interrupt: Arc<AtomicBool>,
    /// The names of the game, shared with its state.
    pub names: Rc<Names>,
    /// Whether the fast unsafe parts are used; without them everything works the same, slower.
    pub raw: bool,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            limits: Limits::default(),
            interrupt: Arc::default(),
            names: Rc::default(),
            raw: true,
        }
    }
}

/// One machine with one generation of rules.
///
/// Field order matters: the machine goes before the host that it points to.
pub struct Engine {
    pub(super) lua: Lua,
    pub(super) host: Rc<Host>,
    pub(super) globals: Table,
    /// The files of the rules: for functions that require one while they run, and the tests beside them.
    pub(super) modules: RefCell<Option<Rc<Modules>>>,
    /// Memory in use after the last collection; unit: bytes.
    kept: Cell<usize>,
}

impl Engine {
    /// Returns a machine with the API and without rules; `compiled` is the bytecode known so far.
    ///
    /// Errors: memory.
    pub(crate) fn new(options: &EngineOptions, compiled: Compiled) -> mlua::Result<Engine> {
        let lua = sandbox::new_machine(options.limits.memory)?;
        let meter = Meter::new(options.limits.clone(), Arc::clone(&options.interrupt));
        let atoms = install_atoms(&lua, &options.names, options.raw);
        let host = Host::new(meter, atoms, Rc::clone(&options.names), compiled);
        let host = Rc::new(host);
        let globals = sandbox::globals(&lua, &host, options.raw)?;
        api::register(&lua, &host, &globals, options.raw)?;
        seal(&globals)?;
        seal(&lua.globals())?;
        install_interrupt(&lua, &host, options.raw);
        lua.set_app_data(Rc::clone(&host));
        Ok(Engine {
            lua,
            host,
            globals,
            modules: RefCell::default(),
            kept: Cell::default(),
        })
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rc<Rules> {
        Rc::clone(&self.host.rules.borrow())
    }

    /// Returns the fuel that the last command used; unit: safe points of the machine.
    pub fn fuel_used(&self) -> u64 {
        self.host.meter.used()
    }

    /// Returns the memory that the machine holds, in bytes.
    pub fn memory_used(&self) -> usize {
        self.lua.used_memory()
    }

    /// Takes what scripts printed since the last time.
    pub fn take_printed(&self) -> Printed {
        self.host.take_printed()
    }

    /// Takes the bytecode of this generation, for the next machine.
    pub fn take_compiled(&self) -> Compiled {
        let mut compiled = self.host.take_compiled();
        compiled.next_generation();
        compiled
    }

    /// Runs a function of a definition as a command: `f(act, argument)`.
    ///
    /// Errors: a script error or a limit, as a finding with place and trace. The run comes back as it is then.
    pub fn run(
        &self,
        run: Run,
        (collection, id, key): (&str, &str, &str),
        argument: &Value,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        let rules = self.rules();
        let function = rules
            .tables
            .get(&(collection.to_owned(), id.to_owned()))
            .and_then(|table| table.raw_get::<Function>(key).ok());
        self.run_function(run, function, argument)
    }

    /// Begins a game: its clock shows the first phase, if it has phases, and `setup` of `ruleset.luau` runs: `f(act)`.
    pub fn run_setup(&self, run: Run) -> (Run, Result<Outcome, Diagnostic>) {
        let mut run = run;
        let phases = Rc::clone(&self.rules().phases);
        if !phases.names().is_empty()
            && let Err(error) = Clock::at_first(&phases).keep(&mut run.state)
        {
            return (run, Err(error.to_diagnostic()));
        }
        match self.ruleset_function("setup") {
            Some(setup) => self.run_function(run, Some(setup), &Value::Nil),
            None => (run, Ok(Outcome::Done)),
        }
    }

    /// Runs the function `test` of `ruleset.luau`: `f(act, settings)`, the settings of a test case as texts.
    ///
    /// Errors: there is no such function, or as [`Engine::run`].
    pub fn run_test_setup(&self, run: Run, settings: &Value) -> (Run, Result<Outcome, Diagnostic>) {
        match self.ruleset_function("test") {
            Some(test) => self.run_function(run, Some(test), settings),
            None => (run, Err(no_test_setup(settings))),
        }
    }

    fn ruleset_function(&self, name: &str) -> Option<Function> {
        let rules = self.rules();
        let table = rules.ruleset_table.as_ref()?;
        table.raw_get::<Function>(name).ok()
    }

    fn run_function(
        &self,
        run: Run,
        function: Option<Function>,
        argument: &Value,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        let Some(function) = function else {
            let finding =
                Diagnostic::error("script/no-function", "the definition has no such function");
            return (run, Err(finding));
        };
        let ended = self.with_act(run, |act| {
            let argument = convert::to_lua(argument, &self.lua)?;
            let result: mlua::Value = function.call((act, argument))?;
            self.settled(act, result)
        });
        self.or_waits(ended)
    }

    /// Reads what a rule returned, and tests what may end now that it is done.
    pub(super) fn settled(&self, act: &Table, result: mlua::Value) -> mlua::Result<Outcome> {
        let outcome = outcome(result)?;
        if matches!(outcome, Outcome::Done) && self.host.may_end() {
            settle(&self.lua, act)?;
        }
        Ok(outcome)
    }

    /// Runs what goes on when a prompt is answered: asks its question, whose answer the chance of the run knows, and
    /// calls `run(act, values, answer)`.
    pub fn run_continuation(
        &self,
        run: Run,
        (next, values): (&Continuation, &Value),
        question: Question,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        let key = (next.collection.clone(), next.id.clone());
        let rules = self.rules();
        let function = rules.tables.get(&key);
        let function = function.and_then(|table| table.raw_get::<Function>("run").ok());
        let Some(function) = function else {
            let message = format!("the definition \"{}\" has no function `run`", next.name());
            return (run, Err(Diagnostic::error("ask/no-continuation", message)));
        };
        let ended = self.with_act(run, |act| {
            let this = This(act.to_pointer() as usize);
            let answer = ask(&self.lua, &self.host, this, vec![question])?.pop();
            let answer = convert::to_lua(&answer.unwrap_or_default(), &self.lua)?;
            let values = convert::to_lua(values, &self.lua)?;
            self.settled(act, function.call((act, values, answer))?)
        });
        self.or_waits(ended)
    }

    /// A ruling that waits has no error: it unwound where it asked.
    pub(super) fn or_waits(
        &self,
        (run, result): (Run, Result<Outcome, Diagnostic>),
    ) -> (Run, Result<Outcome, Diagnostic>) {
        if self.host.passed() == Some(Limit::Waits) {
            return (run, Ok(Outcome::Waits));
        }
        (run, result)
    }

    /// Returns who plays, as the ruleset says it in a state. Errors: those of its function.
    pub fn seats(&self, state: &State) -> Result<Seats, Diagnostic> {
        let rules = self.rules();
        let Some(function) = seats_function(&rules) else {
            return Ok(Seats::default());
        };
        let run = Run::looking(state.fork(), &rules.ruleset_id);
        let (_, seats) = self.with_act(run, |act| seats_from(&function, &rules, act));
        seats.map_err(|finding| finding.hint("`seats` of the ruleset should say who plays"))
    }

    /// Returns how a stat of a row comes to show what it shows, with the rules at hand. Errors: those of the fold.
    pub fn explain(&self, state: &State, row: Name, stat: Name) -> Result<Explanation, Diagnostic> {
        let run = Run::looking(state.fork(), &self.rules().ruleset_id);
        let (_, explained) = self.with_act(run, |act| {
            let run = self.host.ruling(This(act.to_pointer() as usize))?;
            look(&self.lua, &self.host, run, |look| look.explain(row, stat))
        });
        explained
    }

    /// Calls `body` with a live `act`, inside the budgets of a command.
    pub(super) fn with_act<R>(
        &self,
        run: Run,
        body: impl FnOnce(&Table) -> mlua::Result<R>,
    ) -> (Run, Result<R, Diagnostic>) {
        self.with_act_in(run, &self.rules().sources, body)
    }

    /// The same; places are found in `sources`.
    pub(super) fn with_act_in<R>(
        &self,
        run: Run,
        sources: &Sources,
        body: impl FnOnce(&Table) -> mlua::Result<R>,
    ) -> (Run, Result<R, Diagnostic>) {
        self.host.meter.begin_command();
        let act = match new_act(&self.lua) {
            Ok(made) => made,
            Err(error) => return (run, Err(diagnose(&error, None, sources))),
        };
        if run.is_traced() {
            self.host.meter.stop_clock();
        }
        self.host.begin(run, &act);
        let result = match self.host.meter.enter() {
            Ok(_scope) => body(&act),
            Err(limit) => Err(HostError::limit(limit)),
        };
        let run = self
            .host
            .end()
            .expect("invariant: the ruling stays in until it is taken out");
        if let Err(error) = &result {
            self.host.meter.pass_if_memory(error);
        }
        let passed = self.host.passed();
        let result = match self.host.stop() {
            Some(Stop::Refused(finding)) => Err(HostError::raise(finding)),
            None => result,
        };
        let result = match (result, passed) {
            (Ok(_), Some(limit)) => Err(diagnose(&HostError::limit(limit), passed, sources)),
            (Ok(value), None) => Ok(value),
            (Err(error), _) => {
                let finding = diagnose(&error, passed, sources);
                Err(unknown::explained(finding, &self.globals))
            }
        };
        if passed == Some(Limit::Memory) || self.is_littered() {
            let _ = self.lua.gc_collect();
            self.kept.set(self.lua.used_memory());
        }
        (run, result)
    }

    /// Drops the ruling that a panic of the host left behind, if any.
    pub fn drop_run(&self) {
        drop(self.host.end());
    }

    /// Takes the ruling out after a panic of the host.
    pub fn recover(&self) -> Run {
        self.host
            .end()
            .expect("invariant: a ruling that panicked is still in")
    }

    /// Returns who reads what is said to somebody in a state; where nobody says who plays, a seat of no group.
    pub fn viewer(&self, state: &State, by: &str) -> Viewer {
        if by == GM {
            return Viewer::Gm;
        }
        let seats = self.seats(state).unwrap_or_default();
        let seat = seats.seat(by).unwrap_or_else(|_| by.to_owned());
        let groups = seats.groups(&seat).iter().map(String::as_str);
        Viewer::seat(seat.as_str(), groups)
    }

    /// Calls `body` with the names that somebody may type in a state.
    ///
    /// Out: what it returns, and why functions of the ruleset that were asked for names found none.
    pub fn with_names<R>(
        &self,
        state: &State,
        by: &str,
        body: impl FnOnce(&dyn NameSource) -> R,
    ) -> (R, Vec<Diagnostic>) {
        let rules = self.rules();
        let failed: RefCell<Vec<Diagnostic>> = RefCell::default();
        let found = |name: &str| {
            let names = self.found_names(&rules, (state, by), name);
            names.unwrap_or_else(|finding| {
                failed.borrow_mut().push(without_names(finding, name));
                NameTable::default()
            })
        };
        let result = body(&GameNames::new(
            &rules,
            state,
            || self.viewer(state, by),
            found,
            |_| {},
        ));
        (result, failed.into_inner())
    }

    /// Asks a function of the ruleset for names. Errors: as [`Engine::run`].
    fn found_names(
        &self,
        rules: &Rules,
        (state, by): (&State, &str),
        name: &str,
    ) -> Result<NameTable, Diagnostic> {
        if name == SEAT {
            let seats = self.seats(state)?;
            return Ok(listed(seats.into_names()));
        }
        let Some(function) = rules.names_function(name) else {
            return Ok(NameTable::default());
        };
        let run = Run {
            by: by.to_owned(),
            ..Run::looking(state.fork(), &rules.ruleset_id)
        };
        let (_, names) = self.with_act(run, |act| found_by(&function, act, name, &self.lua));
        names
    }

    /// Returns the names that every script may use without declaring them; the functions of contracts come to these.
    pub fn known_names(&self) -> BTreeSet<String> {
        let own = ["require", "ruleset", "contract"].map(str::to_owned);
        unknown::keys(&self.globals)
            .into_iter()
            .chain(own)
            .collect()
    }

    /// Gives bytecode back that another machine used.
    pub fn give_compiled(&self, compiled: Compiled) {
        self.host.give_compiled(compiled);
    }

    /// Returns whether the machine must be rebuilt from the state: memory stays short after a collection.
    pub fn is_spent(&self) -> bool {
        self.lua.used_memory() > self.collect_above()
    }

    /// Returns whether rubbish may keep the next command from its memory: the machine does not collect when it is short.
    fn is_littered(&self) -> bool {
        let quarter = self.host.meter.limits().memory / 4;
        self.lua.used_memory() > quarter.max(self.kept.get().saturating_mul(2))
    }

    fn collect_above(&self) -> usize {
        self.host.meter.limits().memory / 4 * 3
    }
}

/// Reads what a command returned: nothing, or the table of `act:done` and `act:fail`.
pub(super) fn outcome(result: mlua::Value) -> mlua::Result<Outcome> {
    let table = match result {
        mlua::Value::Nil => return Ok(Outcome::Done),
        mlua::Value::Table(table) => table,
        other => return Err(no_result(other.type_name())),
    };
    match table.raw_get::<mlua::Value>("ok")?.as_boolean() {
        Some(true) => Ok(Outcome::Done),
        Some(false) => {
            let text = |key: &str| {
                table
                    .raw_get::<Option<String>>(key)
                    .ok()
                    .flatten()
                    .unwrap_or_default()
            };
            let finding = Diagnostic::error(text("code"), shortened(&text("message")))
                .hint(shortened(&text("hint")));
            Ok(Outcome::Refused(finding))
        }
        None => Err(no_result("table")),
    }
}

/// Adds what cannot be read while a function finds no names.
fn without_names(finding: Diagnostic, name: &str) -> Diagnostic {
    finding.hint(format!(
        "it should find the names for {{{name}}}, so no line with one can be read"
    ))
}

fn no_test_setup(settings: &Value) -> Diagnostic {
    let keys: Vec<&str> = settings
        .as_map()
        .into_iter()
        .flatten()
        .map(|(key, _)| &**key)
        .collect();
    let message = format!("nothing reads the setting {} of this test", keys.join(", "));
    Diagnostic::error("script/test-setting", message)
        .hint("give ruleset.luau a function: test = function(act, settings) … end")
}

fn no_result(found: &str) -> mlua::Error {
    let finding = Diagnostic::error(
        "script/no-result",
        format!("the function returns a {found}"),
    )
    .hint("return act:done(…), act:fail(…) or nothing");
    HostError::raise(finding)
}
