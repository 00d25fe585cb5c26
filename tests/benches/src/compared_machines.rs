//! The two compared machines: the host's engine with a ruling, and a bare one.

use host::script;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use host::diag::Diagnostic;
use host::dice::Budget;
use host::game::Stream;
use host::script::{Compiled, Engine, EngineOptions, Limits, ModFiles, Rules, Run, load_rules};
use host::store::{Mark, StatDeclaration, State, Stats, Write};
use host::value::{Name, Names, Value};
use mlua::chunk::Compiler;
use mlua::{Function, Lua, LuaOptions, StdLib};

use crate::lane_race::elapsed_time;

/// The host's machine, and a ruling in a game of twenty people with stats.
pub(crate) struct HostMachine {
    engine: Engine,
    names: Rc<Names>,
    mark: Mark,
    run: Cell<Option<Run>>,
}

impl HostMachine {
    /// Returns the machine without rules. No measurement reaches its limits, but they are counted.
    pub(crate) fn new() -> HostMachine {
        HostMachine::with_rules(&[])
    }

    /// Returns the machine with rules; the last mod is the ruleset.
    pub(crate) fn with_rules(mods: &[ModFiles]) -> HostMachine {
        let options = engine_options();
        let loaded = load_rules(mods, &[], &options, Compiled::default());
        let (engine, findings) = loaded.expect("invariant: there is memory for a machine");
        assert!(
            mods.is_empty() || findings.is_empty(),
            "invariant: measured rules load: {findings:?}"
        );
        let mut state = people_state(&options.names);
        if !mods.is_empty() {
            engine.rules().add_declarations_to_state(&mut state);
        }
        let mark = state.mark();
        HostMachine {
            engine,
            names: options.names,
            mark,
            run: Cell::new(Some(measured_run(state))),
        }
    }

    /// Runs a chunk that can use `act` and keeps its writes.
    pub(crate) fn run_and_keep(&mut self, chunk: &str) {
        let run = self.run.take().expect("invariant: the ruling is put back");
        let (run, result) = script::evaluate_typed_luau(&self.engine, run, chunk, &Value::Nil);
        assert!(
            result.is_ok(),
            "invariant: measured chunks work: {result:?}"
        );
        self.mark = run.state.mark();
        self.run.set(Some(run));
    }

    /// Returns a fork of the present state.
    pub(crate) fn state_fork(&self) -> State {
        self.state_after("")
    }

    /// Returns the names of the game.
    pub(crate) fn names(&self) -> Rc<Names> {
        Rc::clone(&self.names)
    }

    /// Returns the rules.
    pub(crate) fn rules(&self) -> Rc<Rules> {
        self.engine.rules()
    }

    /// Returns a name of the game.
    pub(crate) fn name(&self, text: &str) -> Name {
        self.names.intern(text)
    }

    /// Runs a function in the game, rolls its writes back, and returns the state before that.
    fn run_and_roll_back<T>(
        &self,
        body: impl FnOnce(&Engine, Run) -> (Run, Result<T, Diagnostic>),
    ) -> State {
        let ruling = self.run.take().expect("invariant: the ruling is put back");
        let (mut ended, result) = body(&self.engine, ruling);
        if let Err(finding) = result {
            panic!("invariant: measured scripts work: {}", finding.message);
        }
        let after = ended.state.fork();
        ended.state.rollback(self.mark);
        self.run.set(Some(measured_run(ended.state)));
        after
    }

    /// Returns the time of a chunk that can use `act`; its writes are rolled back.
    pub(crate) fn time_chunk(&self, chunk: &str) -> Duration {
        let mut time = Duration::ZERO;
        self.run_and_roll_back(|engine, run| {
            let mut ended = None;
            time = elapsed_time(|| {
                ended = Some(script::evaluate_typed_luau(engine, run, chunk, &Value::Nil));
            });
            ended.expect("invariant: it ran")
        });
        time
    }

    /// Returns the time to emit an event a number of times, with each handler called from Rust.
    pub(crate) fn time_handlers_one_by_one(&self, event: Name, times: u32) -> Duration {
        let mut time = Duration::ZERO;
        self.run_and_roll_back(|engine, run| {
            let mut ended = None;
            time = elapsed_time(|| {
                ended = Some(script::emit_one_by_one_from_rust(engine, run, event, times));
            });
            ended.expect("invariant: it ran")
        });
        time
    }

    /// Returns the state after a chunk that can use `act`; the chunk's writes are rolled back in this machine.
    pub(crate) fn state_after(&self, chunk: &str) -> State {
        self.run_and_roll_back(|engine, run| {
            script::evaluate_typed_luau(engine, run, chunk, &Value::Nil)
        })
    }
}

/// Returns options with limits out of reach.
pub(crate) fn engine_options() -> EngineOptions {
    let limits = Limits {
        fuel_callback: u64::MAX,
        fuel_command: u64::MAX,
        time_callback: None,
        time_command: None,
        firings: u32::MAX,
        ..Limits::default()
    };
    EngineOptions {
        limits,
        ..EngineOptions::default()
    }
}

/// Returns twenty people with twelve stats each, one of them Ann.
fn people_state(names: &Rc<Names>) -> State {
    let mut state = State::new(Rc::clone(names));
    let mut stats = Stats::default();
    let fields: Vec<_> = (1..12)
        .map(|number| format!("stat_{number}"))
        .chain(["mood".to_owned()])
        .collect();
    for field in &fields {
        stats.declare_stat(
            names.intern(field),
            StatDeclaration {
                base: Value::from(0),
                ..StatDeclaration::default()
            },
        );
    }
    state.declare_stats(Rc::new(stats));
    let kind = names.intern("person");
    for id in (1..20)
        .map(|number| format!("person-{number}"))
        .chain(["ann".to_owned()])
    {
        let fields = fields
            .iter()
            .map(|field| (names.intern(field), Value::from(3)))
            .collect();
        let write = Write::Put {
            row: names.intern(&id),
            kind,
            owner: None,
            fields,
        };
        state.apply(write).expect("invariant: people are rows");
    }
    state
}

fn measured_run(state: State) -> Run {
    let mut run = Run::new(state, Box::new(Stream::new(1)), "bench");
    run.dice = Budget::of_draws(u32::MAX);
    run.output_left = 8 << 20;
    run
}

/// A machine with the same compiler settings, but without parts of the host: no interrupt, no API.
pub(crate) struct BareMachine(Lua);

impl BareMachine {
    /// Returns the machine with one Rust function, `nothing`, which does nothing.
    pub(crate) fn new() -> BareMachine {
        let options = LuaOptions::new().catch_rust_panics(false);
        let lua = Lua::new_with(StdLib::TABLE | StdLib::STRING | StdLib::MATH, options);
        let lua = lua.expect("invariant: there is memory for a machine");
        let nothing = lua
            .create_function(|_, ()| Ok(()))
            .expect("invariant: there is memory for a function");
        lua.globals()
            .set("nothing", nothing)
            .expect("invariant: globals are open");
        BareMachine(lua)
    }

    /// Compiles a chunk into a function.
    pub(crate) fn compile_chunk(&self, text: &str) -> Function {
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
        let chunk = self.0.load(text).set_compiler(compiler).into_function();
        chunk.expect("invariant: measured chunks compile")
    }
}

/// Returns the time of a chunk of a bare machine.
pub(crate) fn time_bare_chunk(chunk: &Function) -> Duration {
    elapsed_time(|| {
        chunk
            .call::<()>(())
            .expect("invariant: measured chunks work");
    })
}
