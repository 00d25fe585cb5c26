//! Tries chunks of Luau with and without fast methods, and counts the calls that fast methods answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::script::raw::ANSWERED;
use crate::script::{Compiled, Engine, EngineOptions, Run, load_rules};
use crate::store::{State, StateHash, Write};
use crate::value::{Names, Value};

/// The result of a chunk.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Its result as a text, or its refusal.
    pub(crate) shown: String,
    /// The state after it.
    hash: StateHash,
    fuel: u64,
}

/// A machine without rules, and a game with the only entity `ann`.
pub(crate) struct Trial {
    engine: Engine,
    ann: State,
}

impl Trial {
    /// Returns a trial with fast methods or without, with `names_before` known names. `ann` has these fields.
    pub(crate) fn new(raw: bool, names_before: usize, fields: &[(&str, Value)]) -> Trial {
        let names: Rc<Names> = Rc::default();
        for number in 0..names_before {
            names.intern(&format!("name {number}"));
        }
        let options = EngineOptions {
            raw,
            names: Rc::clone(&names),
            ..EngineOptions::default()
        };
        let (engine, _) = load_rules(&[], &[], &options, Compiled::default()).unwrap();
        let mut ann = State::new(Rc::clone(&names));
        let fields = fields.iter();
        let made = Write::Put {
            row: names.intern("ann"),
            kind: names.intern("person"),
            owner: None,
            fields: fields
                .map(|(name, value)| (names.intern(name), value.clone()))
                .collect(),
        };
        ann.apply(made).unwrap();
        Trial { engine, ann }
    }

    /// Returns the result of a chunk, in a query or not.
    pub(crate) fn run(&self, chunk: &str, query: bool) -> Outcome {
        let run = Run {
            query,
            ..Run::read_only(self.ann.fork(), "test")
        };
        let (run, result) =
            crate::script::evaluate_typed_luau(&self.engine, run, chunk, &Value::Nil);
        let shown = match result {
            Ok(evaluated) => evaluated.map_or_else(String::new, |evaluated| evaluated.shown),
            Err(finding) => format!("{}: {} {:?}", finding.code, finding.message, finding.hints),
        };
        Outcome {
            shown,
            hash: run.state.hash(),
            fuel: self.engine.fuel_used(),
        }
    }

    /// Returns the message of the host's panic in a chunk while the host can find no late name. Afterwards, no ruling
    /// runs.
    pub(crate) fn panic_of(&self, chunk: &str) -> String {
        let held = self.engine.host.atoms.hold_late_atoms();
        let ended = catch_unwind(AssertUnwindSafe(|| self.run(chunk, false)));
        drop(held);
        self.engine.drop_run_after_panic();
        let panic = ended.expect_err("the host finds no name");
        let text = panic.downcast_ref::<String>().cloned();
        text.unwrap_or_else(|| "no text".to_owned())
    }

    /// Returns how many calls of a chunk fast methods answer, and its result.
    pub(crate) fn answered(&self, chunk: &str) -> (usize, String) {
        let before = ANSWERED.get();
        let shown = self.run(chunk, false).shown;
        (ANSWERED.get() - before, shown)
    }
}
