//! This module makes the two machines that are compared: the host's engine with a ruling, and a bare one.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use host::dice::Budget;
use host::game::Stream;
use host::script::{Compiled, Engine, EngineOptions, Limits, Run, load};
use host::store::{Mark, StatDeclaration, State, Stats, Write};
use host::value::{Names, Value};
use mlua::chunk::Compiler;
use mlua::{Function, Lua, LuaOptions, StdLib};

use crate::timing::clock;

/// The host's machine without rules, and a ruling in a game of some people with some stats.
pub(crate) struct HostMachine {
    engine: Engine,
    mark: Mark,
    run: Cell<Option<Run>>,
}

impl HostMachine {
    /// Returns the machine with limits that no measurement reaches, but with everything that counts them.
    pub(crate) fn new() -> HostMachine {
        let options = engine_options();
        let loaded = load(&[], &[], &options, Compiled::default());
        let (engine, _) = loaded.expect("invariant: there is memory for a machine");
        let state = people(&options.names);
        let mark = state.mark();
        HostMachine {
            engine,
            mark,
            run: Cell::new(Some(run(state))),
        }
    }

    /// Returns how long a chunk takes that knows `act`; what it wrote is taken back.
    pub(crate) fn time(&self, chunk: &str) -> Duration {
        let run = self.run.take().expect("invariant: the ruling is put back");
        let mut ended = None;
        let time = clock(|| ended = Some(self.engine.evaluate(run, chunk, &Value::Nil)));
        let (mut run, result) = ended.expect("invariant: it ran");
        if let Err(finding) = result {
            panic!("invariant: measured chunks work: {}", finding.message);
        }
        run.state.rollback(self.mark);
        run.documents.clear();
        run.dice = Budget::of(u32::MAX);
        self.run.set(Some(run));
        time
    }
}

/// Returns options with limits out of reach.
pub(crate) fn engine_options() -> EngineOptions {
    let limits = Limits {
        fuel_callback: u64::MAX,
        fuel_command: u64::MAX,
        time_callback: None,
        time_command: None,
        ..Limits::default()
    };
    EngineOptions {
        limits,
        ..EngineOptions::default()
    }
}

/// Returns twenty people with twelve stats each, one of them Ann.
fn people(names: &Rc<Names>) -> State {
    let mut state = State::new(Rc::clone(names));
    let mut stats = Stats::default();
    let fields: Vec<_> = (1..12)
        .map(|number| format!("stat_{number}"))
        .chain(["mood".to_owned()])
        .collect();
    for field in &fields {
        stats.declare(
            names.intern(field),
            StatDeclaration {
                base: Value::from(0),
                ..StatDeclaration::default()
            },
        );
    }
    state.declare(Rc::new(stats));
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

fn run(state: State) -> Run {
    Run {
        dice: Budget::of(u32::MAX),
        output_left: 8 << 20,
        ..Run::new(state, Box::new(Stream::new(1)), "bench")
    }
}

/// A machine of the same make and compiler settings, without anything of the host: no interrupt, no API.
pub(crate) struct BareMachine(Lua);

impl BareMachine {
    /// Returns the machine; it knows one function of its embedder, `nothing`, which does nothing.
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

    /// Returns a chunk, ready to be called.
    pub(crate) fn chunk(&self, text: &str) -> Function {
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
        let chunk = self.0.load(text).set_compiler(compiler).into_function();
        chunk.expect("invariant: measured chunks compile")
    }
}

/// Returns how long a chunk of a bare machine takes.
pub(crate) fn time_bare(chunk: &Function) -> Duration {
    clock(|| {
        chunk
            .call::<()>(())
            .expect("invariant: measured chunks work");
    })
}
