//! Extra inputs for rulings that run again, beyond the inputs that each ruling used itself.
//!
//! Extra inputs are dice that were already rolled, and answers to questions that nobody answered then. These answers
//! come with the correction, or were given while it waits.

use std::collections::{BTreeMap, VecDeque};

use crate::diag::Diagnostic;
use crate::game::past::correction::recorded_ruling::RecordedRuling;
use crate::game::past::correction::rerun_stop::Refusal;
use crate::game::past::replay::ScratchRun;
use crate::game::ruling::input_source::{
    GivenAnswer, Request, WaitingQuestion, stale_ruling_refusal,
};
use crate::game::ruling::policy::SharedPolicy;
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::ruling_context::Manner;
use crate::game::ruling::waiting_ruling;
use crate::game::timeline::input::{Asked, Input, POLICY, ruling_number_of_address};
use crate::game::timeline::seed::Seed;
use crate::script::{Checks, GM};
use crate::store::What;
use crate::value::Name;

/// Extra inputs for rulings that run again, beyond the inputs that each ruling used itself, with a record of their use.
#[derive(Debug, Default)]
pub(super) struct ExtraInputs {
    /// Known inputs: dice that were already rolled, and answers that were already given.
    pub(super) drawn: Vec<Input>,
    /// Way to find the questions of answers.
    pub(super) manner: Manner,
    /// Prompts of earlier answers that are no longer valid.
    pub(super) taken: Vec<Name>,
    /// Whether the correction is only previewed. Dice that are not rolled yet are different when it is carried out.
    pub(super) is_preview: bool,
    /// Whether a preview showed such dice.
    pub(super) has_previewed: bool,
    /// Answers that come with the correction, in the order of the questions.
    pub(super) answers: VecDeque<String>,
    /// Present standing answers: they answer questions that nobody answered then.
    pub(super) orders: BTreeMap<(String, String), String>,
    /// Policy that answers such questions at once, in place of people.
    pub(super) policy: Option<SharedPolicy>,
    /// Source of new dice; without it, the present seed.
    pub(super) seed: Option<Seed>,
    /// Ruling number under which the correction waits, if it waits.
    pub(super) ruling_number: Option<u64>,
    /// Answers by address that were given while the correction waits, and that are not used yet.
    pub(super) given: BTreeMap<String, GivenAnswer>,
    /// Whether a person just gave one of these answers.
    pub(super) is_answered: bool,
    /// Whether an answer is not valid.
    pub(super) is_no_answer: bool,
    /// Used inputs that the rulings did not use then, in order.
    pub(super) used: Vec<Input>,
    /// Checks of a command that was never given before: the checks of the correction itself.
    pub(super) checks: Checks,
}

impl ExtraInputs {
    /// Adds the record of a waiting correction, and the answers that let it continue.
    ///
    /// Dice and files are found by their addresses. Those that nothing asks for any more remain unused.
    pub(super) fn add_waiting_correction(&mut self, resume: &Resumption) {
        let is_drawn = |input: &&Input| matches!(input, Input::Die(_)) || input.holds_file();
        let transcript = resume.waiting.transcript.iter();
        self.drawn
            .extend(transcript.clone().filter(is_drawn).cloned());
        let answers = transcript.filter(|input| !is_drawn(input));
        let answers = answers.filter_map(|input| match input {
            Input::Answer(one) => Some((one.address.clone(), GivenAnswer::of(one))),
            Input::Die(_) => None,
        });
        self.given.extend(answers);
        self.given.extend(resume.given.clone());
        self.ruling_number = Some(resume.waiting.ruling_number);
        self.is_answered = !resume.given.is_empty();
        if !resume.waiting.open.is_empty() {
            // All answers that came with the correction were used before it waited: they are recorded.
            self.answers.clear();
        }
    }

    /// Adds the record of the same correction. Only people and standing answers are asked again.
    pub(super) fn add_recorded_inputs(&mut self, drawn: &[Input]) {
        self.drawn.extend_from_slice(drawn);
        let answers = drawn.iter().filter_map(|input| match input {
            Input::Answer(one) if one.by == POLICY => {
                Some((one.address.clone(), GivenAnswer::of(one)))
            }
            Input::Answer(_) | Input::Die(_) => None,
        });
        self.given.extend(answers);
    }

    /// Returns the answers to the questions of one ruling.
    pub(super) fn answers_given_to(&self, one: &RecordedRuling) -> BTreeMap<String, GivenAnswer> {
        let is_of = |address: &str| {
            let found = ruling_number_of_address(address);
            found.is_some_and(|(_, number)| number == one.ruling_number)
        };
        let given = self.given.iter().filter(|(address, _)| is_of(address));
        given
            .map(|(address, given)| (address.clone(), given.clone()))
            .collect()
    }

    /// Records the inputs that a ruling used, and its open questions.
    pub(super) fn note_inputs_of_ruling(
        &mut self,
        one: &RecordedRuling,
        used: Vec<Input>,
        open: &[WaitingQuestion],
    ) {
        let asked = open.iter().map(|open| open.address.as_str());
        for address in used.iter().map(Input::address).chain(asked) {
            self.given.remove(address);
        }
        for input in used {
            if !one
                .known
                .iter()
                .chain(&self.used)
                .any(|known| known.is_same_input(&input))
            {
                self.used.push(input);
            }
        }
    }

    /// Takes answers for the questions at which a ruling stopped that may not wait. Returns none if the ruling did not
    /// stop or if no answers are left.
    pub(super) fn take_answers_for(
        &mut self,
        one: &RecordedRuling,
        done: &ScratchRun,
    ) -> BTreeMap<String, GivenAnswer> {
        let open = questions_stopped_at(one, done).into_iter();
        let open = open.filter(|open| open.answer.is_none());
        let given = open.map_while(|open| {
            let given = GivenAnswer {
                stakes: open.question.stakes(),
                answer: Err(self.answers.pop_front()?),
                by: GM.to_owned(),
            };
            Some((open.address, given))
        });
        given.collect()
    }

    /// Checks that every answer met its question. `asks` is whether the correction reached a further question.
    ///
    /// Errors: an answer that came with the correction met none; the correction takes another way than when it asked.
    pub(super) fn check_answers_used(&self, asks: bool) -> Result<(), Refusal> {
        if let Some((address, given)) = self.given.first_key_value() {
            let now = if asks {
                Request::FurtherAnswer
            } else {
                Request::Nothing
            };
            let recorded = Request::Question(Asked(address, &given.stakes));
            return Err(stale_ruling_refusal(&recorded, &now));
        }
        let Some(left) = self.answers.front().filter(|_| !asks) else {
            return Ok(());
        };
        let message = format!("no question is left for the answer \"{left}\"");
        let finding = Diagnostic::error("revert/no-question", message);
        let hint = "give answers only to questions that were not answered before, in the order of the questions";
        Err(Box::new(finding.hint(hint).hint("nothing was changed")))
    }
}

/// Returns the questions at which a ruling stopped that may not wait, with the answers that some of them have. Returns
/// none if the ruling did not stop.
pub(super) fn questions_stopped_at(
    one: &RecordedRuling,
    done: &ScratchRun,
) -> Vec<WaitingQuestion> {
    if one.may_wait || done.reply.refusal.is_some() || done.reply.waits.is_none() {
        return Vec::new();
    }
    let waiting = waiting_ruling::waiting_ruling_by_ruling_number(&done.after, one.ruling_number);
    waiting.map_or_else(Vec::new, |waiting| waiting.open)
}

/// Returns the line that shows each cell of a correction.
pub(super) fn details_command_line(what: &What, answers: &[String]) -> String {
    correction_command_line(what, " details", answers)
}

/// Returns the line that gives a correction; `yes` is the text after the number.
pub(super) fn correction_command_line(what: &What, yes: &str, answers: &[String]) -> String {
    let of = what.corrected_number().unwrap_or_default();
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
