//! This module is what rulings that are ruled again may use beyond what each used itself: dice that are known to be
//! drawn, and answers that come with the correction to questions that nobody answered then.

use std::collections::{BTreeMap, VecDeque};

use super::Refusal;
use super::ruled::Ruled;
use crate::diag::Diagnostic;
use crate::game::answers;
use crate::game::past::replay::Elsewhere;
use crate::game::ruling::input::Input;
use crate::game::ruling::oracle::{Given, Open};
use crate::game::waiting::rows;
use crate::script::GM;
use crate::store::What;
use crate::store::clock::Times;

/// What rulings that are ruled again may use beyond what each used itself, and whether they did.
#[derive(Debug, Default)]
pub(super) struct Means {
    /// What is known to be drawn.
    pub(super) drawn: Vec<Input>,
    /// Whether it is only looked at: dice that are not drawn yet are others when it is done.
    pub(super) is_preview: bool,
    /// Whether such dice were shown.
    pub(super) has_previewed: bool,
    /// Answers that come with the correction, in the order of the questions.
    pub(super) answers: VecDeque<String>,
    /// Standing orders of now: they answer what nobody answered then.
    pub(super) orders: BTreeMap<(String, String), String>,
}

impl Means {
    /// Takes answers for the questions at which a ruling stopped that may not wait; none, if it did not or none are left.
    pub(super) fn answers_for(&mut self, one: &Ruled, done: &Elsewhere) -> BTreeMap<String, Given> {
        let open = unanswered(one, done).into_iter();
        let given = open.map_while(|open| {
            let given = Given {
                stakes: open.question.stakes(),
                answer: Err(self.answers.pop_front()?),
                by: GM.to_owned(),
            };
            Some((open.address, given))
        });
        given.collect()
    }

    /// Checks that every answer that came with the correction met a question. Errors: which one did not.
    pub(super) fn check_used(&self) -> Result<(), Refusal> {
        let Some(left) = self.answers.front() else {
            return Ok(());
        };
        let message = format!("nothing asks for the answer \"{left}\"");
        let finding = Diagnostic::error("revert/no-question", message);
        let hint =
            "an answer is for a question that nobody answered then, in the order of the questions";
        Err(Box::new(finding.hint(hint).hint("nothing was changed")))
    }
}

/// Returns the questions without an answer at which a ruling stopped that may not wait.
fn unanswered(one: &Ruled, done: &Elsewhere) -> Vec<Open> {
    if one.may_wait || done.reply.refusal.is_some() || done.reply.waits.is_none() {
        return Vec::new();
    }
    let waiting = rows::in_slot(&done.after, one.slot);
    let open = waiting.into_iter().flat_map(|waiting| waiting.open);
    open.filter(|open| open.answer.is_none()).collect()
}

/// Returns that a ruling asks what nobody answered, with who is asked; nothing, if it does not.
pub(super) fn asks(one: &Ruled, done: &Elsewhere, times: Times) -> Option<Diagnostic> {
    let open = unanswered(one, done);
    let text = &open.first()?.question.text;
    let message = format!("it asks what nobody answered then: {text}");
    let finding = Diagnostic::error(ASKS, message);
    Some(open.iter().fold(finding, |finding, open| {
        let (question, to) = (&open.question, &open.question.to);
        let may_be = answers(question, times);
        finding.hint(format!("{to} is asked: {} ({may_be})", question.text))
    }))
}

/// The code of the refusal of a correction in which somebody is asked.
pub(super) const ASKS: &str = "revert/asks";

/// Says in a refusal how the questions are answered for which answers are missing.
pub(super) fn with_answers(mut refusal: Refusal, what: &What, given: &[String]) -> Refusal {
    if refusal.code == ASKS {
        let hints = refusal.hints.iter();
        let missing = hints.filter(|hint| hint.contains(" is asked: ")).count();
        let all = [given, &vec!["TEXT".to_owned(); missing]].concat();
        let (asked, done) = (line(what, "", &all), line(what, " yes", &all));
        let last = refusal.hints.len().saturating_sub(1);
        let hint = format!(
            "`{done}` answers it, a text for each TEXT; `{asked}` shows what would become of it"
        );
        refusal.hints.insert(last, hint);
    }
    refusal
}

/// Returns the line that gives a correction; `yes` is what stands behind the number.
pub(super) fn line(what: &What, yes: &str, answers: &[String]) -> String {
    let of = what.corrects().unwrap_or_default();
    let answers = answers.iter().map(|text| format!("answer {text}"));
    let answers: Vec<String> = answers.collect();
    let answers = match answers.join(", ") {
        none if none.is_empty() => none,
        answers => format!(" {answers}"),
    };
    match what {
        What::Replace { with, .. } => format!("replace {of}{yes}{answers} with {with}"),
        _ => format!("revert {of}{yes}{answers}"),
    }
}
