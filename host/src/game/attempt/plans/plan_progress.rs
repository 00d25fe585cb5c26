//! The position of a game in a plan. It is stored in a row of the state, so undo, forks and saved games keep it too.
//!
//! The position is stored as the name of the next step, because rules may be reloaded between two steps.

use std::rc::Rc;

use crate::script::{Rules, step_names};
use crate::store::{State, StoreError, Write};
use crate::value::Value;

/// The row that stores the progress, and its kind.
const ROW: &str = "@plan";
/// The row that owns the rows waiting in queues.
const QUEUES: &str = "@queues";

/// The questions or reports about steps that the game master gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// A question before each step.
    Ask,
    /// A report of the changes of each step.
    Show,
    /// Only the output of the rules.
    #[default]
    Run,
}

/// A plan in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The plan.
    pub plan: String,
    /// The name of the step that comes next.
    pub step: String,
    /// The names of the skipped steps.
    pub skipped: Vec<String>,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepStatus {
    /// It ran.
    Done,
    /// It was skipped.
    Skipped,
    /// It ran in a ruling that is waiting, and counts when the ruling is finished.
    Provisional,
    /// A ruling is waiting in it.
    Waits,
    /// It comes next.
    Next,
    /// It comes later.
    ToCome,
}

/// A plan in progress, and the rows waiting in queues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanStatus {
    /// The plan, if one is in progress, and its steps.
    pub plan: Option<(String, Vec<(String, StepStatus)>)>,
    /// Rulings that run a plan and are waiting for answers.
    pub waits: Vec<PlanWait>,
    /// Queues by name, with their waiting rows, in order.
    pub queues: Vec<(String, Vec<String>)>,
    /// The questions or reports that the game master gets.
    pub level: Level,
}

/// A ruling that runs a plan and is waiting for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanWait {
    /// The number by which people name the ruling.
    pub number: u64,
    /// The plan.
    pub plan: String,
    /// The name of its present step.
    pub step: String,
    /// The unanswered questions: number, and the person asked.
    pub asked: Vec<(String, String)>,
}

impl Level {
    /// The levels with their words.
    const ALL: [(Level, &'static str); 3] = [
        (Level::Ask, "ask"),
        (Level::Show, "show"),
        (Level::Run, "run"),
    ];

    /// Returns its word.
    pub fn word(self) -> &'static str {
        let own = Level::ALL.iter().find(|(level, _)| *level == self);
        own.map_or("run", |(_, word)| word)
    }

    /// Returns the level of a word.
    pub fn of(word: &str) -> Option<Level> {
        let same = |(_, known): &&(Level, &str)| known.eq_ignore_ascii_case(word);
        Level::ALL.iter().find(same).map(|(level, _)| *level)
    }
}

/// Returns the plan in progress, if there is one.
pub(in crate::game) fn plan_in_progress(state: &State) -> Option<Progress> {
    let text = |name: &str| plan_field(state, name).as_str().map(str::to_owned);
    let skipped = plan_field(state, "skipped").items().iter();
    Some(Progress {
        plan: text("plan")?,
        step: text("step")?,
        skipped: skipped
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
    })
}

/// Returns the level of questions and reports for the game master.
pub(in crate::game) fn stored_report_level(state: &State) -> Level {
    let word = plan_field(state, "auto").as_str();
    word.and_then(Level::of).unwrap_or_default()
}

/// Stores the position in a plan; without a position, no plan is in progress. Errors: the errors of the store.
pub(in crate::game) fn store_plan_position(
    state: &mut State,
    progress: Option<&Progress>,
) -> Result<(), StoreError> {
    let level = stored_report_level(state);
    store_plan_row(state, progress, level)
}

/// Stores the level of questions and reports for the game master. Errors: the errors of the store.
pub(in crate::game) fn store_report_level(
    state: &mut State,
    level: Level,
) -> Result<(), StoreError> {
    let progress = plan_in_progress(state);
    store_plan_row(state, progress.as_ref(), level)
}

fn store_plan_row(
    state: &mut State,
    progress: Option<&Progress>,
    level: Level,
) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let row = names.intern(ROW);
    if progress.is_none() && level == Level::default() {
        return match state.exists(row) {
            true => state.apply(Write::Remove { row }),
            false => Ok(()),
        };
    }
    state.ensure_host_row(row)?;
    let text = |text: Option<&str>| {
        text.filter(|text| !text.is_empty())
            .map_or(Value::Nil, Value::from)
    };
    let skipped = progress.map_or(&[][..], |progress| &progress.skipped);
    let skipped = match skipped {
        [] => Value::Nil,
        names => Value::list(names.iter().map(|name| Value::from(name.as_str()))),
    };
    let auto = (level != Level::default()).then(|| level.word());
    let fields = [
        ("plan", text(progress.map(|one| one.plan.as_str()))),
        ("step", text(progress.map(|one| one.step.as_str()))),
        ("skipped", skipped),
        ("auto", text(auto)),
    ];
    for (field, value) in fields {
        let field = names.intern(field);
        if *state.get(row, field) != value {
            state.apply(Write::Set { row, field, value })?;
        }
    }
    Ok(())
}

fn plan_field<'a>(state: &'a State, name: &str) -> &'a Value {
    match (state.names().find(ROW), state.names().find(name)) {
        (Some(row), Some(field)) => state.get(row, field),
        _ => &Value::Nil,
    }
}

/// Returns the plan in progress with its steps, the rulings waiting in it, and the rows waiting in queues.
pub(in crate::game) fn status_of_plan(
    state: &State,
    rules: &Rules,
    waits: Vec<PlanWait>,
) -> PlanStatus {
    // A plan that waits in its first run is in progress, although no progress is stored yet.
    let begun = plan_in_progress(state).or_else(|| {
        let plan = waits.first()?.plan.clone();
        let step = step_names(rules, &plan)?.into_iter().next()?;
        let skipped = Vec::new();
        Some(Progress {
            plan,
            step,
            skipped,
        })
    });
    let plan = begun.map(|progress| {
        let names = step_names(rules, &progress.plan).unwrap_or_default();
        let place = |step: &str| names.iter().position(|name| name == step);
        let next = place(&progress.step);
        let wait = waits.iter().find(|wait| wait.plan == progress.plan);
        let wait = wait.and_then(|wait| place(&wait.step));
        let status = |(at, name): (usize, &String)| match next {
            _ if progress.skipped.contains(name) => StepStatus::Skipped,
            _ if wait == Some(at) => StepStatus::Waits,
            Some(next) if next <= at && wait.is_some_and(|wait| at < wait) => {
                StepStatus::Provisional
            }
            Some(next) if at < next => StepStatus::Done,
            Some(next) if at == next => StepStatus::Next,
            Some(_) | None => StepStatus::ToCome,
        };
        let steps = names.iter().enumerate();
        let steps = steps.map(|(at, name)| (name.clone(), status((at, name))));
        (progress.plan.clone(), steps.collect())
    });
    PlanStatus {
        plan,
        waits,
        queues: waiting_rows_by_queue(state),
        level: stored_report_level(state),
    }
}

fn waiting_rows_by_queue(state: &State) -> Vec<(String, Vec<String>)> {
    let names = state.names();
    let mut queues: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    let rows = names.find(QUEUES).into_iter();
    for row in rows.flat_map(|owner| state.records_of(owner)) {
        let queue = state.kind(row).map(|kind| names.text(kind).to_string());
        let rows = queues.entry(queue.unwrap_or_default()).or_default();
        rows.push(names.text(row).to_string());
    }
    queues.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_is_there_only_while_it_says_something() {
        let mut state = State::new(Rc::default());
        let empty = state.hash();
        let place = Progress {
            plan: "dawn".to_owned(),
            step: "wake".to_owned(),
            skipped: vec!["yawn".to_owned()],
        };
        store_plan_position(&mut state, Some(&place)).unwrap();
        assert_eq!(plan_in_progress(&state), Some(place));
        store_report_level(&mut state, Level::Ask).unwrap();
        store_plan_position(&mut state, None).unwrap();
        assert_eq!(
            (plan_in_progress(&state), stored_report_level(&state)),
            (None, Level::Ask)
        );
        store_report_level(&mut state, Level::Run).unwrap();
        assert_eq!(state.hash(), empty);
    }
}
