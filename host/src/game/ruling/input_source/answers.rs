//! Answers the questions of a ruling from recorded or given answers, standing answers, or a policy.

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::{Ended, InputSource, Request};
use crate::game::ruling::policy::Policy;
use crate::game::timeline::input::{Answer, Asked, Input, ORDER, POLICY};
use crate::script::{Question, Reader, ReplyType};
use crate::value::Value;

/// The maximum number of questions in one ruling.
pub(crate) const QUESTIONS: usize = 100;

/// An answer to a question for which a ruling waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// The stakes at the time of the question.
    pub stakes: Value,
    /// The typed text, or the value that was read before.
    pub answer: Result<Value, String>,
    /// Its giver.
    pub by: String,
}

impl GivenAnswer {
    /// Returns a recorded answer.
    pub(in crate::game) fn of(recorded: &Answer) -> GivenAnswer {
        GivenAnswer {
            stakes: recorded.stakes.clone(),
            answer: Ok(recorded.answer.clone()),
            by: recorded.by.clone(),
        }
    }
}

/// A question that is waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingQuestion {
    /// The question.
    pub question: Question,
    /// The address of its answer.
    pub address: String,
    /// Its number among the questions of the ruling, from 1.
    pub ordinal: usize,
    /// The answer and its giver, if only other answers are missing.
    pub answer: Option<(Value, String)>,
}

impl WaitingQuestion {
    /// Returns its answer as an input, if there is one.
    pub(in crate::game) fn answer_as_input(&self) -> Option<Input> {
        let (answer, by) = self.answer.clone()?;
        Some(Input::Answer(Answer {
            address: self.address.clone(),
            stakes: self.question.stakes(),
            answer,
            by,
        }))
    }

    /// Returns the question as a waiting ruling stores it: the people who may answer are computed again each time.
    pub(in crate::game) fn into_stored(mut self) -> WaitingQuestion {
        self.question.members.clear();
        self
    }
}

/// The result of one question.
enum AnswerState {
    Answered(Value, String),
    Missing,
    Ended(Ended),
}

impl InputSource {
    /// Returns the answers to questions asked together; nothing if the ruling ends here.
    pub(super) fn ask(
        &mut self,
        questions: &[Question],
        reader: &dyn Reader,
    ) -> Result<Option<Vec<Value>>, Box<Diagnostic>> {
        if self.questions + questions.len() > QUESTIONS {
            let message = format!("a ruling can ask at most {QUESTIONS} questions");
            return Err(Box::new(Diagnostic::error("limit/questions", message)));
        }
        let mut open = Vec::with_capacity(questions.len());
        for question in questions {
            let address = self.next_address(&question.key, &question.who);
            self.questions += 1;
            let answer = match self.answer_or_missing(question, &address, reader)? {
                AnswerState::Answered(answer, by) => Some((answer, by)),
                AnswerState::Missing => None,
                AnswerState::Ended(ended) => {
                    self.ended.get_or_insert(ended);
                    return Ok(None);
                }
            };
            let (question, ordinal) = (question.clone(), self.questions);
            open.push(WaitingQuestion {
                question,
                address,
                ordinal,
                answer,
            });
        }
        if open.iter().all(|one| one.answer.is_some()) {
            return Ok(Some(self.note_answers_as_used(open)));
        }
        if !self.may_wait {
            return Err(nobody_to_ask_refusal());
        }
        self.ended.get_or_insert(Ended::Waits(open));
        Ok(None)
    }

    /// Returns the file that a line brings: the recorded one, else the present one; nothing if the ruling ends here.
    pub(super) fn file_of_line(
        &mut self,
        question: &Question,
        held: &Value,
    ) -> Result<Option<Value>, Box<Diagnostic>> {
        let address = self.next_address(&question.key, &question.who);
        let known = self.recorded_or_given_answer(question, &address, &NoTextReader);
        let (answer, by) = match known {
            Some(AnswerState::Answered(answer, by)) => (answer, by),
            Some(AnswerState::Ended(ended)) => {
                self.ended.get_or_insert(ended);
                return Ok(None);
            }
            Some(AnswerState::Missing) | None if held.is_nil() => {
                return Err(no_file_refusal(&address));
            }
            Some(AnswerState::Missing) | None => (held.clone(), question.to.clone()),
        };
        self.used.push(Input::Answer(Answer {
            address,
            stakes: question.stakes(),
            answer: answer.clone(),
            by,
        }));
        Ok(Some(answer))
    }

    fn answer_or_missing(
        &mut self,
        question: &Question,
        address: &str,
        reader: &dyn Reader,
    ) -> Result<AnswerState, Box<Diagnostic>> {
        if let Some(became) = self.recorded_or_given_answer(question, address, reader) {
            return Ok(became);
        }
        let is_new = !self.asked.contains(address);
        match reader.lateness_refusal(question).filter(|_| is_new) {
            Some(refusal) => Err(refusal),
            None => Ok(self.automatic_answer(question, reader)),
        }
    }

    /// Returns the recorded or given answer to a question.
    fn recorded_or_given_answer(
        &mut self,
        question: &Question,
        address: &str,
        reader: &dyn Reader,
    ) -> Option<AnswerState> {
        let stakes = question.stakes();
        let differs = |source: &InputSource, recorded: &Request<'_>| {
            let now = Request::Question(Asked(address, &stakes));
            let finding = source.other_way_refusal(recorded, &now);
            Some(AnswerState::Ended(Ended::Stale(finding)))
        };
        match self.transcript.pop_front() {
            Some(Input::Answer(one)) if one.address == address && one.stakes == stakes => {
                return Some(AnswerState::Answered(one.answer, one.by));
            }
            Some(other) => return differs(self, &Request::of_input(&other)),
            None => {}
        }
        let remembered = self.remembered.as_ref();
        if let Some(input @ Input::Answer(one)) = remembered.and_then(|known| known.get(address)) {
            if one.stakes == stakes || still_answers_question(one, question) {
                return Some(AnswerState::Answered(one.answer.clone(), one.by.clone()));
            } else if input.holds_file() {
                return differs(self, &Request::of_input(input));
            }
            // A person who now gets a different question is asked again.
        }
        let given = self.given.remove(address);
        let given = given.or_else(|| self.offered.remove(address))?;
        if given.stakes != stakes {
            let recorded = Request::Question(Asked(address, &given.stakes));
            return differs(self, &recorded);
        }
        let read = match given.answer {
            Ok(answer) => Ok(answer),
            Err(text) => reader.read(question, &text),
        };
        Some(match read {
            Ok(answer) => AnswerState::Answered(answer, given.by),
            Err(refusal) => AnswerState::Ended(Ended::Refused(refusal)),
        })
    }

    /// Tries standing answers and the policy; a standing answer that does not fit the question is ignored.
    fn automatic_answer(&mut self, question: &Question, reader: &dyn Reader) -> AnswerState {
        let ordered = question.members.iter().find_map(|seat| {
            let text = self.orders.get(&(seat.clone(), question.key.clone()))?;
            reader.read(question, text).ok()
        });
        if let Some(answer) = ordered {
            return AnswerState::Answered(answer, ORDER.to_owned());
        }
        let answer = self
            .policy
            .as_mut()
            .and_then(|policy| policy.answer(question, reader));
        match answer {
            Some(answer) if !answer.is_nil() => AnswerState::Answered(answer, POLICY.to_owned()),
            Some(_) | None => AnswerState::Missing,
        }
    }

    /// Notes the answers as used.
    fn note_answers_as_used(&mut self, open: Vec<WaitingQuestion>) -> Vec<Value> {
        let inputs = open.iter().filter_map(WaitingQuestion::answer_as_input);
        self.used.extend(inputs);
        let answers = open.into_iter().filter_map(|one| one.answer);
        answers.map(|(answer, _)| answer).collect()
    }
}

/// Returns whether an answer given to one form of a question also answers another form: the same is asked, and the
/// answer may still be chosen.
pub(in crate::game) fn still_answers_question(given: &Answer, question: &Question) -> bool {
    let stakes = question.stakes();
    let is_same = |key: &str| given.stakes.get(key) == stakes.get(key);
    is_same("to")
        && match &question.reply {
            ReplyType::Options(options) => {
                let given = given.answer.as_str();
                options.iter().any(|option| Some(&**option) == given)
            }
            ReplyType::Named(_) => is_same("type") && is_same("options"),
        }
}

/// Reads nothing: a file is not a typed text.
struct NoTextReader;

impl Reader for NoTextReader {
    fn read(&self, _: &Question, _: &str) -> Result<Value, Box<Diagnostic>> {
        Err(nobody_to_ask_refusal())
    }

    fn choices(&self, _: &Question) -> Vec<Value> {
        Vec::new()
    }
}

fn no_file_refusal(address: &str) -> Box<Diagnostic> {
    let message = format!("no recorded file fits {address}");
    Box::new(Diagnostic::error("ask/no-file", message))
}

fn nobody_to_ask_refusal() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "ask/none-here",
        "nobody can be asked here",
    ))
}
