//! Procedures that a ruling can run: a command of the rules, their setup, the continuation after an answer, a plan, a
//! phase.

use std::ops::Range;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::doc::build::paragraph;
use crate::game::attempt::plans::step_hooks::Steps;
use crate::game::ruling::named_files::Prepared;
use crate::game::timeline::input::is_automatic_giver;
use crate::script::{
    Continuation, Engine, Outcome, PLANS, Question, Run, advance_to_next_phase, run_continuation,
    run_setup, run_steps, run_test_setup,
};
use crate::store::Write;
use crate::store::clock::{Clock, Phases};
use crate::value::{Name, Value};

/// A procedure that a ruling runs.
pub(in crate::game) enum Procedure<'a> {
    /// The setup of the game.
    Setup,
    /// The setup of a test, with its settings.
    TestSetup(&'a Value),
    /// A command of the rules with everything that its line brings.
    Command(&'a Ready),
    /// The continuation after the answer to a prompt: the prompt's row, its id and its question.
    Continuation(&'a Next, Name, &'a str, &'a Question),
    /// Steps of a plan.
    Plan(Range<usize>, &'a mut Steps),
    /// The next phase, of these.
    NextPhase(Rc<Phases>),
}

impl Procedure<'_> {
    /// Returns the rule that it runs: collection and id, or the host's name for it.
    pub(in crate::game) fn rule(&self) -> String {
        match self {
            Procedure::Setup => "setup".to_owned(),
            Procedure::TestSetup(_) => "test".to_owned(),
            Procedure::Command(ready) => ready.rule.clone(),
            Procedure::Continuation(_, _, id, _) => (*id).to_owned(),
            Procedure::Plan(_, steps) => format!("{PLANS}/{}", steps.plan),
            Procedure::NextPhase(_) => "clock".to_owned(),
        }
    }

    /// Returns whether its changes are rolled back.
    pub(in crate::game) fn is_query(&self) -> bool {
        match self {
            Procedure::Command(ready) => ready.query,
            Procedure::Setup
            | Procedure::TestSetup(_)
            | Procedure::Continuation(..)
            | Procedure::Plan(..)
            | Procedure::NextPhase(_) => false,
        }
    }

    /// Runs it on a machine.
    pub(in crate::game) fn run(
        self,
        engine: &Engine,
        run: Run,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        match self {
            Procedure::Setup => run_setup(engine, run),
            Procedure::TestSetup(settings) => run_test_setup(engine, run, settings),
            Procedure::Command(ready) => ready.command.run(engine, run),
            Procedure::Continuation(next, row, _, question) => {
                next.run(engine, run, row, question.clone())
            }
            Procedure::Plan(range, steps) => {
                let plan = steps.plan.clone();
                run_steps(engine, run, (&plan, range), steps)
            }
            Procedure::NextPhase(phases) => move_to_next_phase(engine, run, &phases),
        }
    }
}

/// Moves the clock to the next phase and reports that phase.
fn move_to_next_phase(
    engine: &Engine,
    run: Run,
    phases: &Phases,
) -> (Run, Result<Outcome, Diagnostic>) {
    let (mut run, ended) = advance_to_next_phase(engine, run);
    let clock = Clock::from_state(&run.state, phases);
    if let (Ok(Outcome::Done), Some(phase)) = (&ended, &clock.phase) {
        let text = format!("{phase} {}", clock.number);
        run.documents.push(Document::new([paragraph(text)]));
    }
    (run, ended)
}

/// A line of a command of the rules that may run now.
pub(in crate::game) struct Ready {
    /// The command with the values of its slots.
    pub(in crate::game) command: Prepared,
    /// Collection and id.
    pub(in crate::game) rule: String,
    /// Whether it is a query.
    pub(in crate::game) query: bool,
}

/// The continuation after the answer to a prompt.
pub(in crate::game) struct Next {
    pub(in crate::game) continuation: Continuation,
    pub(in crate::game) values: Value,
    /// Whether its text changed since the prompt was made.
    pub(in crate::game) is_changed: bool,
}

impl Next {
    /// Removes the prompt and continues with its answer. If no person gave the answer, the person asked counts as its
    /// giver.
    pub(in crate::game) fn run(
        &self,
        engine: &Engine,
        mut run: Run,
        row: Name,
        question: Question,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        if is_automatic_giver(&run.by) {
            run.by.clone_from(&question.to);
        }
        match run.state.apply(Write::Remove { row }) {
            Ok(()) => run_continuation(engine, run, (&self.continuation, &self.values), question),
            Err(error) => (run, Err(error.to_diagnostic())),
        }
    }
}
