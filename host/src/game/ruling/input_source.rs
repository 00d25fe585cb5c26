//! The source of the inputs of a ruling. Recorded inputs come first. Then come dice, seeded or typed by hand, and
//! answers of people, standing answers or a policy.
//!
//! Recorded inputs must be requested in order and with the same stakes; otherwise the ruling is stale. The input source
//! notes each used input of any source with its address, so that the ruling can run again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::ruling::input_source::dice::Source;
use crate::game::ruling::policy::SharedPolicy;
use crate::game::timeline::input::{Asked, Input, is_file_address};
use crate::game::timeline::seed::Seed;
use crate::game::timeline::stream::SharedStream;
use crate::script::{Chance, Face, Question, Reader};
use crate::value::Value;

pub(crate) mod answers;
mod dice;
mod hand_dice;
mod request;

pub use answers::GivenAnswer;
pub use answers::WaitingQuestion;
pub(in crate::game) use answers::still_answers_question;
pub(in crate::game) use hand_dice::HAND_CODES;
pub use hand_dice::HandDie;
pub(in crate::game) use request::{Request, ruling_number_in_message, stale_ruling_refusal};

/// The code of the refusal to roll dice that everybody can compute.
pub(in crate::game) const REVEALED: &str = "dice/revealed";

/// The inputs of one ruling.
#[derive(Debug)]
struct InputSource {
    address_start: String,
    source: Source,
    /// The inputs that the ruling used when it ran before and has not requested yet.
    transcript: VecDeque<Input>,
    /// The inputs that it used before, by address, if it may go another way now. New dice are never typed ones.
    remembered: Option<BTreeMap<String, Input>>,
    /// Answers to the questions that it waited for, by address.
    given: BTreeMap<String, GivenAnswer>,
    /// Answers to questions that it may ask or not, by address.
    offered: BTreeMap<String, GivenAnswer>,
    /// Addresses of questions that it asked before, no matter who answers them.
    asked: BTreeSet<String>,
    /// Texts of standing answers, by seat and key.
    orders: BTreeMap<(String, String), String>,
    policy: Option<SharedPolicy>,
    may_wait: bool,
    questions: usize,
    ended: Option<Ended>,
    hand: VecDeque<HandDie>,
    had_hand: usize,
    /// Whether a face was rolled that cannot count.
    has_previewed: bool,
    counts: HashMap<(String, String), u32>,
    /// Whether the used dice are noted; otherwise they need no addresses.
    is_noted: bool,
    used: Vec<Input>,
}

/// The reason why a ruling ended before its rule did.
#[derive(Clone, Debug)]
enum Ended {
    /// It waits for answers to these questions.
    Waits(Vec<WaitingQuestion>),
    /// It goes another way than recorded.
    Stale(Box<Diagnostic>),
    /// An answer is invalid.
    Refused(Box<Diagnostic>),
}

/// An input source that a ruling and its session share.
#[derive(Clone, Debug)]
pub struct SharedInputs(Rc<RefCell<InputSource>>);

impl SharedInputs {
    /// Returns the input source of a ruling with seeded dice, which are used after those typed by hand.
    pub fn with_seeded_dice(seed: &Seed, address_start: &str, hand: Vec<HandDie>) -> SharedInputs {
        SharedInputs::with_source(address_start, Source::Seeded(seed.clone()), hand)
    }

    /// Returns the input source of a ruling that is only previewed: its dice from the seed do not count.
    pub(in crate::game) fn with_preview_dice(
        seed: &Seed,
        address_start: &str,
        hand: Vec<HandDie>,
    ) -> SharedInputs {
        SharedInputs::with_source(address_start, Source::Previewed(seed.clone()), hand)
    }

    /// Returns the input source of a ruling with dice of a stream that it shares with the others of its game.
    pub(in crate::game) fn with_stream_dice(
        (stream, is_noted): (&SharedStream, bool),
        address_start: &str,
        hand: Vec<HandDie>,
    ) -> SharedInputs {
        let input_source =
            SharedInputs::with_source(address_start, Source::Streamed(stream.clone()), hand);
        input_source.0.borrow_mut().is_noted = is_noted;
        input_source
    }

    /// Returns an input source that gives the recorded inputs and nothing else.
    ///
    /// The answers at the end are found by their addresses, because other answers to the same questions may have been
    /// missing.
    pub fn of_recorded_inputs(address_start: &str, inputs: &[Input]) -> SharedInputs {
        let is_die = |input: &Input| matches!(input, Input::Die(_));
        let end = inputs.iter().rposition(is_die).map_or(0, |at| at + 1);
        let (before, answers) = inputs.split_at(end);
        let given = answers.iter().filter_map(|input| match input {
            Input::Answer(one) => Some((one.address.clone(), GivenAnswer::of(one))),
            Input::Die(_) => None,
        });
        let input_source = SharedInputs::with_source(address_start, Source::Recorded, Vec::new());
        input_source.with_transcript(before.to_vec(), given.collect())
    }

    fn with_source(address_start: &str, source: Source, hand: Vec<HandDie>) -> SharedInputs {
        let input_source = InputSource {
            address_start: address_start.to_owned(),
            source,
            transcript: VecDeque::new(),
            remembered: None,
            given: BTreeMap::new(),
            offered: BTreeMap::new(),
            asked: BTreeSet::new(),
            orders: BTreeMap::new(),
            policy: None,
            may_wait: false,
            questions: 0,
            ended: None,
            had_hand: hand.len(),
            hand: hand.into(),
            has_previewed: false,
            counts: HashMap::new(),
            is_noted: true,
            used: Vec::new(),
        };
        SharedInputs(Rc::new(RefCell::new(input_source)))
    }

    /// Lets a ruling continue: `transcript` contains the inputs that it used so far, `given` the answers for which it
    /// waited.
    #[must_use]
    pub fn with_transcript(
        self,
        transcript: Vec<Input>,
        given: BTreeMap<String, GivenAnswer>,
    ) -> SharedInputs {
        {
            let mut input_source = self.0.borrow_mut();
            let typed = transcript
                .iter()
                .filter(|input| matches!(input, Input::Die(die) if die.typed))
                .count();
            input_source.had_hand += typed;
            input_source.transcript = transcript.into();
            input_source.given = given;
        }
        self
    }

    /// Gives answers to questions that no recorded input answers.
    #[must_use]
    pub(in crate::game) fn with_given_answers(
        self,
        given: BTreeMap<String, GivenAnswer>,
    ) -> SharedInputs {
        self.0.borrow_mut().given.extend(given);
        self
    }

    /// Offers answers to questions that the ruling may ask or not.
    #[must_use]
    pub(in crate::game) fn with_offered_answers(
        self,
        offered: BTreeMap<String, GivenAnswer>,
    ) -> SharedInputs {
        self.0.borrow_mut().offered = offered;
        self
    }

    /// Sets the questions that were asked before: they keep the deadline that they had then.
    #[must_use]
    pub(in crate::game) fn with_asked_questions(self, open: &[WaitingQuestion]) -> SharedInputs {
        let addresses = open.iter().map(|open| open.address.clone());
        self.0.borrow_mut().asked.extend(addresses);
        self
    }

    /// Gives a previously used input each time it is requested again, in any order.
    ///
    /// Dice at other addresses come from the seed, and typed ones stay with the addresses at which they were used.
    #[must_use]
    pub fn with_remembered_inputs(self, inputs: &[Input]) -> SharedInputs {
        let known = inputs.iter();
        let known = known.map(|input| (input.address().to_owned(), input.clone()));
        self.0.borrow_mut().remembered = Some(known.collect());
        self
    }

    /// Keeps unused dice typed by hand.
    #[must_use]
    pub fn with_hand_dice(self, hand: Vec<HandDie>) -> SharedInputs {
        {
            let mut input_source = self.0.borrow_mut();
            input_source.had_hand += hand.len();
            input_source.hand = hand.into();
        }
        self
    }

    /// Lets a ruling wait for answers that are not given at once.
    #[must_use]
    pub fn letting_questions_wait(self) -> SharedInputs {
        self.0.borrow_mut().may_wait = true;
        self
    }

    /// Answers with standing answers: texts by seat and key.
    #[must_use]
    pub fn with_standing_answers(self, orders: BTreeMap<(String, String), String>) -> SharedInputs {
        self.0.borrow_mut().orders = orders;
        self
    }

    /// Answers with a policy.
    #[must_use]
    pub fn with_policy(self, policy: Option<SharedPolicy>) -> SharedInputs {
        self.0.borrow_mut().policy = policy;
        self
    }

    /// Returns the questions for which the ruling waits; nothing if it does not wait.
    pub fn questions_at_stop(&self) -> Option<Vec<WaitingQuestion>> {
        match &self.0.borrow().ended {
            Some(Ended::Waits(open)) => Some(open.clone()),
            Some(Ended::Stale(_) | Ended::Refused(_)) | None => None,
        }
    }

    /// Returns whether the ruling is waiting for a person.
    pub(in crate::game) fn is_waiting(&self) -> bool {
        matches!(self.0.borrow().ended, Some(Ended::Waits(_)))
    }

    /// Returns why the ruling cannot continue as recorded; `is_over` is true if its rule came to its end.
    pub fn stale_refusal(&self, is_over: bool) -> Option<Diagnostic> {
        let input_source = self.0.borrow();
        if let Some(Ended::Stale(finding)) = &input_source.ended {
            return Some((**finding).clone());
        }
        let waits = matches!(input_source.ended, Some(Ended::Waits(_)));
        let next = input_source.transcript.front().map(Request::of_input);
        let given = input_source.given.iter().next();
        let given = given.map(|(address, given)| Asked(address, &given.stakes));
        let next = next.or(given.map(Request::Question));
        let next = next.filter(|_| is_over || waits)?;
        let now = if waits {
            Request::FurtherAnswer
        } else {
            Request::Nothing
        };
        Some(*input_source.other_way_refusal(&next, &now))
    }

    /// Returns why an answer is invalid.
    pub fn wrong_answer_refusal(&self) -> Option<Diagnostic> {
        match &self.0.borrow().ended {
            Some(Ended::Refused(finding)) => Some((**finding).clone()),
            Some(Ended::Waits(_) | Ended::Stale(_)) | None => None,
        }
    }

    /// Returns whether a file that a line names is among the recorded inputs, or whether no other inputs are allowed.
    pub(in crate::game) fn knows_file(&self, path: &str) -> bool {
        let input_source = self.0.borrow();
        let remembered = input_source.remembered.iter().flat_map(BTreeMap::values);
        let mut recorded = input_source.transcript.iter().chain(remembered);
        let mut given = input_source.given.keys();
        matches!(input_source.source, Source::Recorded)
            || recorded.any(|one| is_file_address(one.address(), path))
            || given.any(|address| is_file_address(address, path))
    }

    /// Returns the used inputs, in order.
    pub fn used_inputs(&self) -> Vec<Input> {
        self.0.borrow().used.clone()
    }

    /// Prevents further rolls from the seed, because it is known to everybody.
    #[must_use]
    pub(in crate::game) fn with_revealed_seed(self) -> SharedInputs {
        self.0.borrow_mut().source = Source::Revealed;
        self
    }

    /// Returns whether a face was rolled that cannot count.
    pub(in crate::game) fn has_previewed_dice(&self) -> bool {
        self.0.borrow().has_previewed
    }

    /// Returns the unused dice typed by hand.
    pub fn unused_hand_dice(&self) -> Vec<HandDie> {
        self.0.borrow().hand.iter().copied().collect()
    }
}

impl Chance for SharedInputs {
    fn draw_face(&mut self, purpose: &str, who: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.0.borrow_mut().next_face(purpose, who, sides)
    }

    fn draw_order(&mut self, purpose: &str, element: &str) -> Result<u32, Box<Diagnostic>> {
        self.0.borrow_mut().next_order_word(purpose, element)
    }

    fn drawn_since(&self, count: usize) -> Vec<Face> {
        let input_source = self.0.borrow();
        let dice = input_source.used.iter().filter_map(|input| match input {
            Input::Die(die) => Some(die),
            Input::Answer(_) => None,
        });
        dice.skip(count)
            .map(|die| Face {
                address: die.address.clone(),
                sides: die.sides,
                face: die.face,
            })
            .collect()
    }

    fn ask(
        &mut self,
        questions: &[Question],
        reader: &dyn Reader,
    ) -> Result<Option<Vec<Value>>, Box<Diagnostic>> {
        self.0.borrow_mut().ask(questions, reader)
    }

    fn file_answer(
        &mut self,
        question: &Question,
        held: &Value,
    ) -> Result<Option<Value>, Box<Diagnostic>> {
        self.0.borrow_mut().file_of_line(question, held)
    }
}

impl InputSource {
    /// Returns a refusal because the ruling goes another way than recorded. A replay names the addresses.
    fn other_way_refusal(&self, recorded: &Request<'_>, now: &Request<'_>) -> Box<Diagnostic> {
        match self.source {
            Source::Recorded => request::diverged_replay_refusal(recorded, now),
            Source::Seeded(_) | Source::Previewed(_) | Source::Streamed(_) | Source::Revealed => {
                stale_ruling_refusal(recorded, now)
            }
        }
    }
}

#[cfg(test)]
mod tests;
