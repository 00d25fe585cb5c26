//! Runs steps of a plan: functions of one definition, one after the other in one ruling, each a cause of its own.
//!
//! The caller decides which steps run, which data is kept about them and which messages are sent.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use mlua::{Function, ObjectLike, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::script::api::end_records_by_expression;
use crate::script::border::stack_value::This;
use crate::script::call::rule_runs::{finish_outcome, with_waiting_outcome};
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::questions::ask_people;
use crate::script::load::definition_calls::place_of_function;
use crate::script::rules::Rules;
use crate::script::rules::plans::{PLANS, step_names};
use crate::script::run::cause::{Cause, ROOT};
use crate::script::run::question::Question;
use crate::script::run::{Outcome, Run};
use crate::store::{Mark, State};
use crate::value::Value;

/// The outcome of a question about a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Run,
    /// It is left out.
    Skip,
    /// The step does not run now, and no later step runs.
    Stop,
}

/// The observer of running steps.
pub trait StepWatch {
    /// Returns the question before a step, if there is one.
    fn question_before_step(&self, step: usize) -> Option<Question>;

    /// Keeps the answer about a step, and returns the verdict. Errors: it cannot be kept.
    fn keep_step_answer(
        &mut self,
        state: &mut State,
        step: usize,
        answer: &Value,
    ) -> Result<Verdict, Box<Diagnostic>>;

    /// Returns the phase that begins after a step, if the plan ends there and leads to a phase.
    fn next_phase_after(&self, state: &State, step: usize) -> Option<String>;

    /// Keeps that a step is done. Returns the message about the step, which is placed before the step's own messages.
    ///
    /// Errors: it cannot be kept.
    fn keep_step_done(
        &mut self,
        state: &mut State,
        step: usize,
        before: Mark,
    ) -> Result<Option<Document>, Box<Diagnostic>>;
}

/// Runs steps of a plan in order: `f(act, shared)`, each with the fuel of a callback. The result of `share(act)` of the
/// plan is made once, for all steps of this ruling.
///
/// Errors: as [`run_command`](crate::script::run_command); the finding names the step and its place.
pub fn run_steps(
    engine: &Engine,
    run: Run,
    (plan, steps): (&str, Range<usize>),
    watch: &mut dyn StepWatch,
) -> (Run, Result<Outcome, Diagnostic>) {
    let rules = engine.rules();
    let names = step_names(&rules, plan).unwrap_or_default();
    let functions = step_functions(&rules, plan);
    let share = plan_share_function(&rules, plan);
    let at = Cell::new(steps.start);
    let (run, result) = engine.with_act(run, |act| {
        let mut shared: Option<LuaValue> = None;
        for step in steps {
            at.set(step);
            match ask_about_step(engine, act, step, watch)? {
                Verdict::Run => {}
                Verdict::Skip => continue,
                Verdict::Stop => break,
            }
            let (Some(function), Some(name)) = (functions.get(step), names.get(step)) else {
                break;
            };
            if let (None, Some(share)) = (&shared, &share) {
                shared = Some(engine.call_script_function::<LuaValue>(share, act)?);
            }
            let given = shared.clone().unwrap_or(LuaValue::Nil);
            let ended = run_step(engine, act, (step, name, function), given, watch)?;
            if let Outcome::Refused(_) = ended {
                return Ok(ended);
            }
        }
        Ok(Outcome::Done)
    });
    let (mut run, result) = with_waiting_outcome(engine, (run, result));
    run.step = names.get(at.get()).cloned();
    let told = |finding: Diagnostic| {
        finding.hint(step_place_text(&rules, plan, &names, &functions, at.get()))
    };
    let result = match result {
        Ok(Outcome::Refused(finding)) => Ok(Outcome::Refused(told(finding))),
        Ok(ended @ (Outcome::Done | Outcome::Waits)) => Ok(ended),
        Err(finding) => Err(told(finding)),
    };
    (run, result)
}

/// Asks the question about a step, if there is one.
fn ask_about_step(
    engine: &Engine,
    act: &Table,
    step: usize,
    watch: &mut dyn StepWatch,
) -> mlua::Result<Verdict> {
    let Some(question) = watch.question_before_step(step) else {
        return Ok(Verdict::Run);
    };
    let this = This(act.to_pointer() as usize);
    let answer = ask_people(&engine.lua, &engine.host, this, vec![question])?.pop();
    let mut run = engine.host.ruling(this)?;
    watch
        .keep_step_answer(&mut run.state, step, &answer.unwrap_or_default())
        .map_err(HostError::error_of_finding)
}

fn run_step(
    engine: &Engine,
    act: &Table,
    (step, name, function): (usize, &str, &Function),
    shared: LuaValue,
    watch: &mut dyn StepWatch,
) -> mlua::Result<Outcome> {
    let this = This(act.to_pointer() as usize);
    let (before, said) = {
        let mut guard = engine.host.ruling(this)?;
        let run = &mut *guard;
        let cause = Cause::Step {
            name: Rc::from(name),
        };
        run.motion.causes.begin_cause(ROOT, cause, &run.state);
        (run.state.mark(), run.documents.len())
    };
    engine.host.meter.renew_callback_budgets();
    let result = engine.call_script_function(function, (act, shared))?;
    let ended = finish_outcome(engine, act, (function, result))?;
    if let Outcome::Refused(_) = ended {
        return Ok(ended);
    }
    let next = watch.next_phase_after(&engine.host.ruling(this)?.state, step);
    if let Some(phase) = next {
        move_to_phase(engine, act, Some(&phase))?;
    }
    let mut guard = engine.host.ruling(this)?;
    let run = &mut *guard;
    run.motion.causes.resume_cause(ROOT, &run.state);
    let told = watch.keep_step_done(&mut run.state, step, before);
    if let Some(document) = told.map_err(HostError::error_of_finding)? {
        run.documents.insert(said, document);
    }
    Ok(Outcome::Done)
}

/// Moves the clock to the next phase.
///
/// Errors: as [`run_command`](crate::script::run_command); the game has no phases.
pub fn advance_to_next_phase(engine: &Engine, run: Run) -> (Run, Result<Outcome, Diagnostic>) {
    let ended = engine.with_act(run, |act| {
        move_to_phase(engine, act, None)?;
        Ok(Outcome::Done)
    });
    with_waiting_outcome(engine, ended)
}

fn move_to_phase(engine: &Engine, act: &Table, phase: Option<&str>) -> mlua::Result<()> {
    act.call_method::<()>("next_phase", phase)?;
    end_records_by_expression(&engine.lua, act)
}

/// Returns the plan that the function `plan` of `ruleset.luau` names in a state. The outer value is nothing if there is
/// no such function. The inner one is nothing if it names no plan.
///
/// Errors: the function fails, or returns a value that does not name a plan.
pub fn chosen_plan(engine: &Engine, state: &State) -> Result<Option<Option<String>>, Diagnostic> {
    let rules = engine.rules();
    let table = rules.ruleset_table.as_ref();
    let Some(choose) = table.and_then(|table| table.raw_get::<Function>("plan").ok()) else {
        return Ok(None);
    };
    let run = Run::read_only(state.fork(), &rules.ruleset_id);
    let (_, chosen) = engine.with_act(run, |act| {
        engine.call_script_function::<Option<String>>(&choose, act)
    });
    chosen.map(Some)
}

fn plan_share_function(rules: &Rules, plan: &str) -> Option<Function> {
    let table = rules.tables.get(&(PLANS.to_owned(), plan.to_owned()))?;
    table.raw_get("share").ok()
}

fn step_functions(rules: &Rules, plan: &str) -> Vec<Function> {
    let table = rules.tables.get(&(PLANS.to_owned(), plan.to_owned()));
    let steps = table.and_then(|table| table.raw_get::<Table>("steps").ok());
    let steps = steps.into_iter().flat_map(|steps| {
        steps
            .sequence_values::<Table>()
            .flatten()
            .collect::<Vec<_>>()
    });
    steps
        .filter_map(|step| step.raw_get::<Function>("run").ok())
        .collect()
}

/// Returns the step and its plan, with file and line.
fn step_place_text(
    rules: &Rules,
    plan: &str,
    names: &[String],
    functions: &[Function],
    at: usize,
) -> String {
    let name = names.get(at).map_or("", String::as_str);
    let definition = rules.registry.get(PLANS, plan);
    let source = definition.map(|definition| &definition.source);
    let place = source.zip(functions.get(at));
    let place = place.map_or_else(String::new, |(source, step)| {
        place_of_function(source, step)
    });
    format!(
        "this was step {} of {}, \"{name}\", of the plan \"{plan}\": {place}",
        at + 1,
        names.len()
    )
}
