//! Questions, stored progress and messages while the steps of a plan run.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::attempt::plans::plan_progress::{self, Level, Progress};
use crate::script::{GM, Question, ReplyType, StepWatch, Verdict};
use crate::store::clock::{Clock, Phases};
use crate::store::{Change, Mark, State};
use crate::value::{Name, Value};

/// The number of changes that are shown for one step.
const TOLD: usize = 8;
/// The number of steps that are named in one line.
const NAMED: usize = 12;

/// The choices of the game master for a step.
const VERDICTS: [(&str, Verdict); 3] = [
    ("run", Verdict::Run),
    ("skip", Verdict::Skip),
    ("stop", Verdict::Stop),
];

type Refusal = Box<Diagnostic>;

/// The stored progress and the reports while the steps of a plan run.
pub(in crate::game) struct Steps {
    pub(in crate::game) plan: String,
    pub(in crate::game) names: Vec<String>,
    pub(in crate::game) skipped: Vec<String>,
    pub(in crate::game) level: Level,
    /// The phase in which the plan begins, and the phase to which it leads.
    pub(in crate::game) when: Option<(String, String)>,
    pub(in crate::game) phases: Rc<Phases>,
    /// Whether the game master is asked before each step. A user who types `step` has agreed already.
    pub(in crate::game) asks: bool,
}

impl Steps {
    /// Stores the next step; after the last one, no plan is in progress.
    fn store_next_step(&self, state: &mut State, step: usize) -> Result<(), Refusal> {
        let place = self.names.get(step).map(|next| Progress {
            plan: self.plan.clone(),
            step: next.clone(),
            skipped: self.skipped.clone(),
        });
        plan_progress::store_plan_position(state, place.as_ref())
            .map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Returns whether all its steps ran and none of them is next.
    pub(in crate::game) fn are_all_steps_run(&self, next: Option<&Progress>) -> bool {
        self.skipped.is_empty() && next.is_none_or(|next| next.plan != self.plan)
    }

    /// Reports the steps that ran from one step on and the next step, or the end of the plan.
    pub(in crate::game) fn ran_steps_report(
        &self,
        first: usize,
        next: Option<&Progress>,
    ) -> Document {
        let next = next.filter(|next| next.plan == self.plan);
        let next = next.map(|next| next.step.as_str());
        let end = next.and_then(|next| self.names.iter().position(|name| name == next));
        let end = end.unwrap_or(self.names.len()).max(first);
        let behind = self.names[first..end].iter();
        let (skipped, done): (Vec<&String>, Vec<&String>) =
            behind.partition(|name| self.skipped.contains(name));
        let mut parts = Vec::new();
        // If each step was shown with its changes, only the position is new.
        if self.level != Level::Show {
            parts.push(match done.as_slice() {
                [] => "no step is done".to_owned(),
                [one] if first + 1 == end => {
                    format!("step {end} of {} is done, {one}", self.names.len())
                }
                [one] => format!("1 step is done, {one}"),
                many => format!("{} steps are done, {}", many.len(), shortened_list(many)),
            });
        }
        parts.extend(
            (!skipped.is_empty()).then(|| format!("skipped: {}", shortened_list(&skipped))),
        );
        parts.push(match next {
            Some(next) => format!("next is {next}"),
            None => "it is over".to_owned(),
        });
        let list = |names: &[&String]| Value::list(names.iter().map(|name| name.as_str().into()));
        let data = [
            ("plan", Value::from(self.plan.as_str())),
            ("done", list(&done)),
            ("skipped", list(&skipped)),
            ("next", next.map_or(Value::Nil, Value::from)),
        ];
        Document::new([paragraph(format!(
            "plan {}: {}",
            self.plan,
            parts.join("; ")
        ))])
        .limit_to_audience(Audience::Gm)
        .data(Value::map(data))
    }
}

/// Returns names separated by commas; of many names, the first ones and the number of the others.
fn shortened_list(names: &[&String]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).map(|name| name.as_str()).collect();
    let more = names.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

impl StepWatch for Steps {
    fn question_before_step(&self, step: usize) -> Option<Question> {
        let name = self.names.get(step).filter(|_| self.asks)?;
        let count = self.names.len();
        Some(Question {
            to: GM.to_owned(),
            members: Vec::new(),
            key: format!("step/{}/{name}", self.plan),
            who: "-".to_owned(),
            reply: ReplyType::Options(VERDICTS.map(|(word, _)| word.to_owned()).into()),
            default: Value::from("run"),
            deadline: None,
            text: format!("{}, step {} of {count}: {name}?", self.plan, step + 1),
        })
    }

    fn keep_step_answer(
        &mut self,
        state: &mut State,
        step: usize,
        answer: &Value,
    ) -> Result<Verdict, Refusal> {
        let word = answer.as_str().unwrap_or_default();
        let verdict = VERDICTS.iter().find(|(known, _)| *known == word);
        let verdict = verdict.map_or(Verdict::Stop, |(_, verdict)| *verdict);
        match verdict {
            Verdict::Run => {}
            Verdict::Skip => {
                self.skipped.extend(self.names.get(step).cloned());
                self.store_next_step(state, step + 1)?;
            }
            Verdict::Stop => self.store_next_step(state, step)?,
        }
        Ok(verdict)
    }

    fn next_phase_after(&self, state: &State, step: usize) -> Option<String> {
        let (from, to) = self.when.as_ref()?;
        let phase = Clock::from_state(state, &self.phases).phase?;
        (step + 1 == self.names.len() && *phase == **from).then(|| to.clone())
    }

    fn keep_step_done(
        &mut self,
        state: &mut State,
        step: usize,
        before: Mark,
    ) -> Result<Option<Document>, Refusal> {
        let told = match self.level {
            Level::Show => {
                let changes = state.changes_since(before);
                Some(step_report((step, &self.names), &changes, state))
            }
            Level::Ask | Level::Run => None,
        };
        self.store_next_step(state, step + 1)?;
        Ok(told)
    }
}

/// Reports a step and its changes, in short form.
fn step_report((step, steps): (usize, &[String]), changes: &[Change], state: &State) -> Document {
    let names = state.names();
    let called = |id: &str, row: Name| {
        let name = names.find("name").map(|field| state.get(row, field));
        let name = name.and_then(|name| name.as_str());
        name.unwrap_or(id).to_owned()
    };
    let mut parts: Vec<String> = Vec::new();
    let mut gone_or_new = None;
    for change in changes {
        let (id, field) = change.row_and_field_texts(names);
        if gone_or_new == Some(change.row) || id.starts_with('@') {
            continue;
        }
        let row = called(&id, change.row);
        if &*field == "@kind" {
            let is_gone = change.new.is_nil();
            parts.push(format!("{row} {}", if is_gone { "gone" } else { "new" }));
            gone_or_new = Some(change.row);
        } else if !field.starts_with('@') {
            parts.push(format!("{row} {field} {} -> {}", change.old, change.new));
        }
    }
    let more = parts.len().saturating_sub(TOLD);
    parts.truncate(TOLD);
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    let what = match parts.as_slice() {
        [] => "nothing changed".to_owned(),
        parts => parts.join(", "),
    };
    let name = steps.get(step).map_or("", String::as_str);
    let text = format!("step {} of {}, {name}: {what}", step + 1, steps.len());
    Document::new([paragraph(text)]).limit_to_audience(Audience::Gm)
}
