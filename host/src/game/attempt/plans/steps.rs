//! Moves a game on by its plans: the rest of a plan at once, or a single step. Each move is one operation.

use std::ops::Range;
use std::rc::Rc;

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::attempt::lifecycle::one_at_a_time_refusal;
use crate::game::attempt::plans::plan_progress::{self, Level, PlanStatus, PlanWait, Progress};
use crate::game::attempt::plans::step_hooks::Steps;
use crate::game::attempt::procedure::Procedure;
use crate::game::attempt::ruling_run::{make_host_ruling, run_ruling};
use crate::game::question::open_questions::open_questions;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::waiting_ruling::waiting_rulings;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::PlanExtent;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::Reply;
use crate::script::{PLANS, Rules, chosen_plan, plan_phases, step_names};
use crate::store::clock::Clock;

/// The next action when no plan is in progress.
enum Due {
    Plan(String),
    Phase,
}

type Refusal = Box<Diagnostic>;

/// Runs the rest of the plan in progress or its next step. If there is none, begins the plan that is due. If no plan is
/// due, moves the clock to the next phase.
pub fn move_game_on(timeline: &mut Timeline, extent: PlanExtent, ruling: &Ruling<'_>) -> Reply {
    if let Some(refusal) = gm_only_refusal(ruling.by(), "can move the game on") {
        return Reply::refused(refusal);
    }
    if let Some(refusal) = one_at_a_time_refusal(timeline, ruling, None) {
        return Reply::refused(refusal);
    }
    let place = match plan_progress::plan_in_progress(&timeline.state) {
        Some(place) => Ok(Some(place)),
        None => next_plan_or_phase(timeline).map(|due| match due {
            Due::Plan(plan) => Some(first_step_of_plan(timeline, plan)),
            Due::Phase => None,
        }),
    };
    match place {
        Ok(Some(place)) => run_plan_steps(timeline, place, extent, ruling),
        Ok(None) => begin_next_phase(timeline, ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Begins a plan without running a step.
pub fn begin_plan(timeline: &mut Timeline, plan: &str, ruling: &Ruling<'_>) -> Reply {
    if let Some(open) = plan_progress::plan_in_progress(&timeline.state) {
        let message = format!("the plan \"{}\" is in progress", open.plan);
        return Reply::refused(
            Diagnostic::error("plan/in-progress", message)
                .hint("`next` runs the rest of it, `plan drop` cancels it"),
        );
    }
    match steps_of_plan_or_refusal(timeline, plan) {
        Ok(_) => set_plan_progress(
            timeline,
            Some(first_step_of_plan(timeline, plan.to_owned())),
            ruling,
        ),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns to the first step of the plan in progress; the changes of its steps stay.
pub fn restart_plan(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    let Some(open) = plan_progress::plan_in_progress(&timeline.state) else {
        return Reply::refused(no_plan_refusal(timeline));
    };
    match steps_of_plan_or_refusal(timeline, &open.plan) {
        Ok(_) => set_plan_progress(
            timeline,
            Some(first_step_of_plan(timeline, open.plan)),
            ruling,
        ),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Drops the plan in progress; the changes of its steps stay.
pub fn drop_plan(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    match plan_progress::plan_in_progress(&timeline.state) {
        Some(_) => set_plan_progress(timeline, None, ruling),
        None => Reply::refused(no_plan_refusal(timeline)),
    }
}

/// Sets the level of questions and reports about steps for the game master.
pub fn set_step_supervision(timeline: &mut Timeline, level: Level, ruling: &Ruling<'_>) -> Reply {
    if let Some(refusal) = gm_only_refusal(ruling.by(), "can move the game on") {
        return Reply::refused(refusal);
    }
    make_host_ruling(timeline, ruling, |state| {
        plan_progress::store_report_level(state, level).map_err(|error| error.to_diagnostic())?;
        Ok(Vec::new())
    })
}

/// Returns the phase and its count among phases of its kind, such as `night 2`; nothing in a game without phases.
pub fn phase_text(timeline: &Timeline) -> Option<String> {
    let clock = Clock::from_state(&timeline.state, &timeline.rules().phases);
    let phase = clock.phase?;
    Some(format!("{phase} {}", clock.number))
}

/// Returns the plan in progress with its steps, the rulings waiting in it, and the rows waiting in queues.
pub fn plan_status(timeline: &Timeline) -> PlanStatus {
    let open = open_questions(timeline);
    let waits = waiting_rulings(&timeline.state)
        .into_iter()
        .filter_map(|waiting| {
            let (collection, plan) = waiting.rule.split_once('/')?;
            let of = open
                .iter()
                .filter(|one| one.is_of_ruling(waiting.ruling_number));
            let asked = of.map(|one| (one.number.clone(), one.question.to.clone()));
            (collection == PLANS).then(|| PlanWait {
                number: timeline.log_line_of_ruling(waiting.ruling_number),
                plan: plan.to_owned(),
                step: waiting.step.clone().unwrap_or_default(),
                asked: asked.collect(),
            })
        });
    plan_progress::status_of_plan(&timeline.state, &timeline.rules(), waits.collect())
}

/// Moves the clock to the next phase and reports that phase.
fn begin_next_phase(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    let phases = Rc::clone(&timeline.rules().phases);
    run_ruling(timeline, ruling, Procedure::NextPhase(phases))
}

fn set_plan_progress(
    timeline: &mut Timeline,
    place: Option<Progress>,
    ruling: &Ruling<'_>,
) -> Reply {
    if let Some(refusal) = gm_only_refusal(ruling.by(), "can move the game on") {
        return Reply::refused(refusal);
    }
    let text = match &place {
        Some(place) => format!("plan {}: next is {}", place.plan, place.step),
        None => "no plan is in progress".to_owned(),
    };
    make_host_ruling(timeline, ruling, |state| {
        plan_progress::store_plan_position(state, place.as_ref())
            .map_err(|error| error.to_diagnostic())?;
        Ok(vec![
            Document::new([paragraph(text)]).limit_to_audience(Audience::Gm),
        ])
    })
}

fn run_plan_steps(
    timeline: &mut Timeline,
    place: Progress,
    extent: PlanExtent,
    ruling: &Ruling<'_>,
) -> Reply {
    let steps = match remaining_steps_of_plan(timeline, &place) {
        Ok(steps) => steps,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let steps = match extent {
        PlanExtent::Rest => steps,
        PlanExtent::Step => steps.start..steps.start + 1,
    };
    let rules = timeline.rules();
    let names = step_names(&rules, &place.plan).unwrap_or_default();
    let (from, to) = plan_phases(&rules, &place.plan);
    let mut watch = Steps {
        level: plan_progress::stored_report_level(&timeline.state),
        plan: place.plan.clone(),
        skipped: place.skipped.clone(),
        when: from
            .zip(to)
            .map(|(from, to)| (from.to_owned(), to.to_owned())),
        phases: Rc::clone(&rules.phases),
        asks: extent == PlanExtent::Rest
            && plan_progress::stored_report_level(&timeline.state) == Level::Ask,
        names,
    };
    let first = steps.start;
    let mut reply = run_ruling(timeline, ruling, Procedure::Plan(steps, &mut watch));
    if reply.op.is_some() && reply.waits.is_none() {
        let next = plan_progress::plan_in_progress(&timeline.state);
        // If all of the plan ran and its steps printed their results, the next phase is the news.
        let is_told = extent == PlanExtent::Rest && !reply.documents.is_empty();
        if !(is_told && watch.are_all_steps_run(next.as_ref())) {
            reply
                .aside
                .push(watch.ran_steps_report(first, next.as_ref()));
        }
    }
    reply
}

/// Returns the remaining steps of a plan. Errors: the rules no longer contain the plan, or the step.
fn remaining_steps_of_plan(timeline: &Timeline, place: &Progress) -> Result<Range<usize>, Refusal> {
    let names = steps_of_plan_or_refusal(timeline, &place.plan)?;
    match names.iter().position(|name| *name == place.step) {
        Some(at) => Ok(at..names.len()),
        None => {
            let message = format!(
                "the plan \"{}\" no longer has its next step \"{}\"",
                place.plan, place.step
            );
            Err(Box::new(
                Diagnostic::error("plan/no-step", message)
                    .hint(near_hint(&place.step, names.iter().map(String::as_str)))
                    .hint("`plan restart` starts again at its first step, `plan drop` cancels the plan"),
            ))
        }
    }
}

/// Returns the steps of a plan. Errors: the plan does not exist.
fn steps_of_plan_or_refusal(timeline: &Timeline, plan: &str) -> Result<Vec<String>, Refusal> {
    let rules = timeline.rules();
    step_names(&rules, plan).ok_or_else(|| {
        let plans: Vec<&str> = rules
            .registry
            .of_collection(PLANS)
            .map(|one| &*one.id)
            .collect();
        let mut finding = Diagnostic::error("plan/unknown", format!("unknown plan \"{plan}\""))
            .hint(near_hint(plan, plans.iter().copied()));
        if plan_progress::plan_in_progress(&timeline.state).is_some_and(|open| open.plan == plan) {
            finding = finding.hint("it is in progress; `plan drop` cancels it");
        }
        Box::new(finding)
    })
}

fn no_plan_refusal(timeline: &Timeline) -> Diagnostic {
    let waits = plan_status(timeline).waits.into_iter().next();
    let hint = waits.map_or_else(
        || "`next` or `step` starts the plan that is due".to_owned(),
        |wait| {
            let PlanWait { number, plan, .. } = wait;
            format!("the plan {plan} is waiting for an answer; `drop {number}` cancels that run")
        },
    );
    Diagnostic::error("plan/none", "no plan is in progress").hint(hint)
}

fn first_step_of_plan(timeline: &Timeline, plan: String) -> Progress {
    let names = step_names(&timeline.rules(), &plan).unwrap_or_default();
    Progress {
        step: names.into_iter().next().unwrap_or_default(),
        plan,
        skipped: Vec::new(),
    }
}

/// Returns the next action when no plan is in progress. It is the plan that the ruleset chooses, or the plan for the
/// present phase, or a plan for any phase. Otherwise it is the next phase.
///
/// Errors: there are neither plans nor phases, or there are several plans.
fn next_plan_or_phase(timeline: &Timeline) -> Result<Due, Refusal> {
    let chosen = chosen_plan(&timeline.generation().machine(), &timeline.state)?;
    let rules = timeline.rules();
    let clock = Clock::from_state(&timeline.state, &rules.phases);
    let plan = match chosen {
        Some(Some(plan)) => steps_of_plan_or_refusal(timeline, &plan).map(|_| Some(plan))?,
        Some(None) => None,
        None => plan_for_phase(&rules, &clock)?,
    };
    match plan {
        Some(plan) => Ok(Due::Plan(plan)),
        None if clock.phase.is_some() => Ok(Due::Phase),
        None => Err(Box::new(nothing_to_do_refusal(timeline, &rules))),
    }
}

/// Returns the plan for the present phase, or a plan for any phase. Errors: there are several.
fn plan_for_phase(rules: &Rules, clock: &Clock) -> Result<Option<String>, Refusal> {
    let next = clock.next_phase(&rules.phases, None).ok();
    let next = next.and_then(|clock| clock.phase);
    let plans = rules.registry.of_collection(PLANS).map(|one| &*one.id);
    let plans: Vec<(&str, _)> = plans.map(|id| (id, plan_phases(rules, id))).collect();
    let here = |when: &(Option<&str>, _)| when.0.is_some() && when.0 == clock.phase.as_deref();
    // From nearest to farthest: from the present phase to the next one, from it to another, for any phase.
    let ranks = [
        |here: bool, leads_on: bool, _: bool| here && leads_on,
        |here: bool, _: bool, _: bool| here,
        |_: bool, _: bool, is_free: bool| is_free,
    ];
    for fits in ranks {
        let fitting = plans.iter().filter(|(_, when)| {
            let leads_on = when.1.is_some() && when.1 == next.as_deref();
            fits(here(when), leads_on, when.0.is_none())
        });
        let fitting: Vec<&str> = fitting.map(|(id, _)| *id).collect();
        match fitting.as_slice() {
            [] => {}
            [one] => return Ok(Some((*one).to_owned())),
            several => return Err(several_plans_refusal(several)),
        }
    }
    Ok(None)
}

fn several_plans_refusal(plans: &[&str]) -> Refusal {
    let message = format!("{} plans can start now", plans.len());
    let hint = format!(
        "start one of them: plan begin {}",
        plans.join(", plan begin ")
    );
    Box::new(Diagnostic::error("plan/which", message).hint(hint))
}

/// Returns a refusal because nothing comes next, with the line that moves the game on. A new game must be begun first.
fn nothing_to_do_refusal(timeline: &Timeline, rules: &Rules) -> Diagnostic {
    let message = "this ruleset has no phases and no plans, so `next` and `step` do nothing here";
    let finding = Diagnostic::error("plan/nothing", message);
    finding.hint(match rules.moves_on_line() {
        Some(line) => {
            let start = rules.start_lines().into_iter().take_while(|one| one != line);
            let start: Vec<String> = start.map(|one| format!("`{one}`")).collect();
            let is_new = timeline.history.operations().len() <= 1 && !start.is_empty();
            let begin = match is_new {
                true => format!("type {} to start this game; then ", start.join(", ")),
                false => String::new(),
            };
            format!("{begin}`{line}` moves this game on; `help` lists the commands")
        }
        None => "a ruleset declares phases under `clock` in ruleset.luau, and plans as files in plans/; without \
                 them, `moves_on` names the command that moves the game on"
            .to_owned(),
    })
}
