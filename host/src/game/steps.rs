//! This module moves a game on by its plans: the rest of one at once, or a single step, as one operation.

use std::ops::Range;

use super::plan::{self, Level, PlanStatus, Progress};
use super::reply::Reply;
use super::session::{Order, Session};
use super::watch::Steps;
use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::script::{PLANS, plan_when, step_names};

/// How far a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To its end.
    Rest,
    /// One step.
    Step,
}

/// What comes when no plan is in progress.
enum Due {
    Plan(String),
    Phase,
}

type Refusal = Box<Diagnostic>;

impl Session {
    /// Runs the rest of the plan in progress or its next step; without one, begins the plan that is due, or moves the
    /// clock to the next phase where none is.
    pub fn move_on(&mut self, extent: Extent, (by, line): (&str, &str)) -> Reply {
        if let Some(refusal) = gm_only(by) {
            return Reply::refused(refusal);
        }
        if let Some(refusal) = self.held_back(by, None) {
            return Reply::refused(refusal);
        }
        let place = match plan::progress(&self.state) {
            Some(place) => Ok(Some(place)),
            None => self.due().map(|due| match due {
                Due::Plan(plan) => Some(self.first(plan)),
                Due::Phase => None,
            }),
        };
        match place {
            Ok(Some(place)) => self.run_plan(place, extent, (by, line)),
            Ok(None) => Reply::refused(nothing_to_do()),
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Begins a plan without running a step.
    pub fn begin_plan(&mut self, plan: &str, (by, line): (&str, &str)) -> Reply {
        if let Some(open) = plan::progress(&self.state) {
            let message = format!("the plan \"{}\" is in progress", open.plan);
            return Reply::refused(
                Diagnostic::error("plan/in-progress", message)
                    .hint("next runs the rest of it, plan drop gives it up"),
            );
        }
        match self.known(plan) {
            Ok(_) => self.placed(Some(self.first(plan.to_owned())), (by, line)),
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Goes back to the first step of the plan in progress; what its steps did stays.
    pub fn restart_plan(&mut self, (by, line): (&str, &str)) -> Reply {
        let Some(open) = plan::progress(&self.state) else {
            return Reply::refused(none_in_progress());
        };
        match self.known(&open.plan) {
            Ok(_) => self.placed(Some(self.first(open.plan)), (by, line)),
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Gives the plan in progress up; what its steps did stays.
    pub fn drop_plan(&mut self, (by, line): (&str, &str)) -> Reply {
        match plan::progress(&self.state) {
            Some(_) => self.placed(None, (by, line)),
            None => Reply::refused(none_in_progress()),
        }
    }

    /// Sets what the game master is asked or told of steps.
    pub fn set_level(&mut self, level: Level, (by, line): (&str, &str)) -> Reply {
        if let Some(refusal) = gm_only(by) {
            return Reply::refused(refusal);
        }
        self.host_ruling(by, line, |state| {
            plan::keep_level(state, level).map_err(|error| error.to_diagnostic())?;
            Ok(Vec::new())
        })
    }

    /// Returns the plan in progress with its steps, and what waits in queues.
    pub fn plan_status(&self) -> PlanStatus {
        plan::status(&self.state, &self.rules())
    }

    fn placed(&mut self, place: Option<Progress>, (by, line): (&str, &str)) -> Reply {
        if let Some(refusal) = gm_only(by) {
            return Reply::refused(refusal);
        }
        let text = match &place {
            Some(place) => format!("plan {}: next is {}", place.plan, place.step),
            None => "no plan is in progress".to_owned(),
        };
        self.host_ruling(by, line, |state| {
            plan::keep(state, place.as_ref()).map_err(|error| error.to_diagnostic())?;
            Ok(vec![Document::new([paragraph(text)]).to(Audience::Gm)])
        })
    }

    fn run_plan(&mut self, place: Progress, extent: Extent, (by, line): (&str, &str)) -> Reply {
        let steps = match self.steps_left(&place) {
            Ok(steps) => steps,
            Err(refusal) => return Reply::refused(*refusal),
        };
        let steps = match extent {
            Extent::Rest => steps,
            Extent::Step => steps.start..steps.start + 1,
        };
        let rule = format!("{PLANS}/{}", place.plan);
        let names = step_names(&self.rules(), &place.plan).unwrap_or_default();
        let mut watch = Steps {
            level: plan::level(&self.state),
            plan: place.plan.clone(),
            skipped: place.skipped.clone(),
            asks: extent == Extent::Rest && plan::level(&self.state) == Level::Ask,
            names,
        };
        let order = Order {
            by,
            line,
            rule: &rule,
            query: false,
        };
        self.ruling(&order, |engine, run| {
            engine.run_steps(run, (&place.plan, steps), &mut watch)
        })
    }

    /// Returns the steps that are left of a plan. Errors: the rules do not have it, or the step, any more.
    fn steps_left(&self, place: &Progress) -> Result<Range<usize>, Refusal> {
        let names = self.known(&place.plan)?;
        match names.iter().position(|name| *name == place.step) {
            Some(at) => Ok(at..names.len()),
            None => {
                let message = format!(
                    "the plan \"{}\" has no step \"{}\" any more, which comes next",
                    place.plan, place.step
                );
                Err(Box::new(
                    Diagnostic::error("plan/no-step", message)
                        .hint(near_hint(&place.step, names.iter().map(String::as_str)))
                        .hint("plan restart begins with its first step, plan drop gives it up"),
                ))
            }
        }
    }

    /// Returns the steps of a plan. Errors: there is no such plan.
    fn known(&self, plan: &str) -> Result<Vec<String>, Refusal> {
        let rules = self.rules();
        step_names(&rules, plan).ok_or_else(|| {
            let plans: Vec<&str> = rules.registry.of(PLANS).map(|one| &*one.id).collect();
            let mut finding =
                Diagnostic::error("plan/unknown", format!("there is no plan \"{plan}\""))
                    .hint(near_hint(plan, plans.iter().copied()));
            if plan::progress(&self.state).is_some_and(|open| open.plan == plan) {
                finding = finding.hint("it is in progress: plan drop gives it up");
            }
            Box::new(finding)
        })
    }

    fn first(&self, plan: String) -> Progress {
        let names = step_names(&self.rules(), &plan).unwrap_or_default();
        Progress {
            step: names.into_iter().next().unwrap_or_default(),
            plan,
            skipped: Vec::new(),
        }
    }

    /// Returns what comes next when no plan is in progress.
    ///
    /// Errors: there are neither plans nor phases, or several plans.
    fn due(&self) -> Result<Due, Refusal> {
        if let Some(chosen) = self.engine.chosen_plan(&self.state)? {
            return match chosen {
                Some(plan) => self.known(&plan).map(|_| Due::Plan(plan)),
                None => Ok(Due::Phase),
            };
        }
        let rules = self.rules();
        let plans: Vec<&str> = rules.registry.of(PLANS).map(|one| &*one.id).collect();
        let fits = |plan: &&&str| plan_when(&rules, plan).0.is_none();
        let fitting: Vec<&str> = plans.iter().filter(fits).copied().collect();
        match fitting.as_slice() {
            [] => Ok(Due::Phase),
            [one] => Ok(Due::Plan((*one).to_owned())),
            several => {
                let message = format!("{} plans may begin", several.len());
                Err(Box::new(Diagnostic::error("plan/which", message).hint(
                    format!("begin one: plan begin {}", several.join(", plan begin ")),
                )))
            }
        }
    }
}

fn gm_only(by: &str) -> Option<Diagnostic> {
    (by != "gm")
        .then(|| Diagnostic::error("plan/gm-only", "only the game master moves the game on"))
}

fn none_in_progress() -> Diagnostic {
    Diagnostic::error("plan/none", "no plan is in progress")
        .hint("next or step begins the one that is due")
}

fn nothing_to_do() -> Diagnostic {
    Diagnostic::error(
        "plan/nothing",
        "this game has neither plans nor phases, so that nothing comes next",
    )
    .hint("a ruleset declares phases in ruleset.luau under `clock`, and plans as files in plans/")
}
