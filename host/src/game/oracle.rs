//! This module is where the inputs of a ruling come from: first what was recorded of it, then dice that are
//! seeded, typed by hand or scripted, and answers of people, standing orders or a policy.
//!
//! What was recorded must be requested in order, with the same at stake; else the ruling is stale. Whatever the
//! source, the oracle notes what was used with its address, so that a ruling can be run again.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;

use super::input::{Asked, Die, Input, is_file};
use super::policy::SharedPolicy;
use super::seed::{Seed, encoded};
use crate::diag::Diagnostic;
use crate::script::{Chance, Face, Question, Reader};
use crate::value::Value;

mod answers;
pub use answers::{Given, Open};

/// A die that a person rolled by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandDie {
    /// What it shows.
    pub face: u32,
    /// Its sides, where the person said so.
    pub sides: Option<u32>,
}

/// Where faces come from when nobody typed them.
#[derive(Clone, Debug)]
enum Source {
    Seeded(Seed),
    Recorded,
    Scripted(VecDeque<u32>),
    Revealed,
    Refusing,
}

impl fmt::Display for HandDie {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sides {
            Some(sides) => write!(out, "d{sides}:{}", self.face),
            None => write!(out, "{}", self.face),
        }
    }
}

/// How typed dice are got rid of.
const DROP: &str = "dice clear drops all typed dice that wait, undo the last that were typed";

/// The codes of refusals that are about the dice that a person typed, or made known, and no fault of a rule.
pub(super) const HAND_CODES: [&str; 3] = ["dice/too-few", "dice/wrong-die", REVEALED];

/// The code of the refusal of dice that everybody knows.
pub(super) const REVEALED: &str = "dice/revealed";

/// The inputs of one ruling.
#[derive(Debug)]
struct Oracle {
    slot: String,
    source: Source,
    /// What the ruling used when it ran before, and is yet to be requested.
    transcript: VecDeque<Input>,
    /// What it used then, by address, where it may go another way now; dice that are new are never typed ones.
    remembered: Option<BTreeMap<String, Input>>,
    /// Answers to the questions that it waited for, by address.
    given: BTreeMap<String, Given>,
    /// Texts of standing orders, by seat and key.
    orders: BTreeMap<(String, String), String>,
    policy: Option<SharedPolicy>,
    may_wait: bool,
    questions: usize,
    ended: Option<Ended>,
    hand: VecDeque<HandDie>,
    had_hand: usize,
    counts: HashMap<(String, String), u32>,
    used: Vec<Input>,
}

/// Why a ruling ended before its rule did.
#[derive(Clone, Debug)]
enum Ended {
    /// It waits for these.
    Waits(Vec<Open>),
    /// It goes another way than what was recorded of it.
    Stale(Box<Diagnostic>),
    /// An answer is none.
    Refused(Box<Diagnostic>),
}

/// An oracle that a ruling and its session share.
#[derive(Clone, Debug)]
pub struct SharedOracle(Rc<RefCell<Oracle>>);

impl SharedOracle {
    /// Returns the oracle of a ruling with seeded dice, after those typed by hand are spent.
    pub fn seeded(seed: &Seed, slot: &str, hand: Vec<HandDie>) -> SharedOracle {
        SharedOracle::of(slot, Source::Seeded(seed.clone()), hand)
    }

    /// Returns an oracle that gives what was recorded and nothing else.
    ///
    /// The answers at the end are found by their addresses: others of the same questions may have been missing.
    pub fn recorded(slot: &str, inputs: &[Input]) -> SharedOracle {
        let is_die = |input: &Input| matches!(input, Input::Die(_));
        let end = inputs.iter().rposition(is_die).map_or(0, |at| at + 1);
        let (before, answers) = inputs.split_at(end);
        let given = answers.iter().filter_map(|input| match input {
            Input::Answer(one) => Some((one.address.clone(), Given::of(one))),
            Input::Die(_) => None,
        });
        let oracle = SharedOracle::of(slot, Source::Recorded, Vec::new());
        oracle.going_on(before.to_vec(), given.collect())
    }

    /// Returns an oracle that gives these faces in order.
    pub fn scripted(slot: &str, faces: impl IntoIterator<Item = u32>) -> SharedOracle {
        SharedOracle::of(
            slot,
            Source::Scripted(faces.into_iter().collect()),
            Vec::new(),
        )
    }

    /// Returns an oracle for what draws nothing.
    pub fn refusing() -> SharedOracle {
        SharedOracle::of("-", Source::Refusing, Vec::new())
    }

    fn of(slot: &str, source: Source, hand: Vec<HandDie>) -> SharedOracle {
        let oracle = Oracle {
            slot: slot.to_owned(),
            source,
            transcript: VecDeque::new(),
            remembered: None,
            given: BTreeMap::new(),
            orders: BTreeMap::new(),
            policy: None,
            may_wait: false,
            questions: 0,
            ended: None,
            had_hand: hand.len(),
            hand: hand.into(),
            counts: HashMap::new(),
            used: Vec::new(),
        };
        SharedOracle(Rc::new(RefCell::new(oracle)))
    }

    /// Lets a ruling go on: `transcript` is what it used so far, `given` the answers that it waited for.
    #[must_use]
    pub fn going_on(self, transcript: Vec<Input>, given: BTreeMap<String, Given>) -> SharedOracle {
        {
            let mut oracle = self.0.borrow_mut();
            let typed = transcript
                .iter()
                .filter(|input| matches!(input, Input::Die(die) if die.typed))
                .count();
            oracle.had_hand += typed;
            oracle.transcript = transcript.into();
            oracle.given = given;
        }
        self
    }

    /// Gives answers to questions that nothing recorded answers.
    #[must_use]
    pub(super) fn giving(self, given: BTreeMap<String, Given>) -> SharedOracle {
        self.0.borrow_mut().given.extend(given);
        self
    }

    /// Gives what was used before wherever it is asked for again, in whatever order.
    ///
    /// Dice at other addresses come from the seed, and typed ones stay with the addresses that they were used at.
    #[must_use]
    pub fn remembering(self, inputs: &[Input]) -> SharedOracle {
        let known = inputs.iter();
        let known = known.map(|input| (input.address().to_owned(), input.clone()));
        self.0.borrow_mut().remembered = Some(known.collect());
        self
    }

    /// Keeps dice typed by hand that are not used yet.
    #[must_use]
    pub fn with_hand(self, hand: Vec<HandDie>) -> SharedOracle {
        {
            let mut oracle = self.0.borrow_mut();
            oracle.had_hand += hand.len();
            oracle.hand = hand.into();
        }
        self
    }

    /// Lets a ruling wait for answers that nobody gives at once.
    #[must_use]
    pub fn waiting(self) -> SharedOracle {
        self.0.borrow_mut().may_wait = true;
        self
    }

    /// Answers by standing orders, texts by seat and key.
    #[must_use]
    pub fn with_orders(self, orders: BTreeMap<(String, String), String>) -> SharedOracle {
        self.0.borrow_mut().orders = orders;
        self
    }

    /// Answers by a policy.
    #[must_use]
    pub fn with_policy(self, policy: Option<SharedPolicy>) -> SharedOracle {
        self.0.borrow_mut().policy = policy;
        self
    }

    /// Returns the questions that the ruling waits for; nothing if it does not wait.
    pub fn open(&self) -> Option<Vec<Open>> {
        match &self.0.borrow().ended {
            Some(Ended::Waits(open)) => Some(open.clone()),
            Some(Ended::Stale(_) | Ended::Refused(_)) | None => None,
        }
    }

    /// Returns whether the ruling waits for somebody.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.0.borrow().ended, Some(Ended::Waits(_)))
    }

    /// Returns why the ruling cannot go on as it was recorded; `is_over` says that its rule came to its end.
    pub fn stale(&self, is_over: bool) -> Option<Diagnostic> {
        let oracle = self.0.borrow();
        if let Some(Ended::Stale(finding)) = &oracle.ended {
            return Some((**finding).clone());
        }
        let waits = matches!(oracle.ended, Some(Ended::Waits(_)));
        let next = oracle.transcript.front().map(Input::to_string);
        let given = oracle.given.iter().next();
        let next = next.or(given.map(|(address, given)| Asked(address, &given.stakes).to_string()));
        let next = next.filter(|_| is_over || waits)?;
        let now = if waits {
            "another answer first"
        } else {
            "nothing more"
        };
        Some(*stale(&next, now))
    }

    /// Returns why an answer is none.
    pub fn refused(&self) -> Option<Diagnostic> {
        match &self.0.borrow().ended {
            Some(Ended::Refused(finding)) => Some((**finding).clone()),
            Some(Ended::Waits(_) | Ended::Stale(_)) | None => None,
        }
    }

    /// Returns whether a file that a line names is among what was recorded, or nothing else may be.
    pub(super) fn knows_file(&self, path: &str) -> bool {
        let oracle = self.0.borrow();
        let remembered = oracle.remembered.iter().flat_map(BTreeMap::values);
        let mut recorded = oracle.transcript.iter().chain(remembered);
        let mut given = oracle.given.keys();
        matches!(oracle.source, Source::Recorded)
            || recorded.any(|one| is_file(one.address(), path))
            || given.any(|address| is_file(address, path))
    }

    /// Returns what was used, in order.
    pub fn used(&self) -> Vec<Input> {
        self.0.borrow().used.clone()
    }

    /// Lets nothing be drawn from the seed any more: it is known.
    #[must_use]
    pub(super) fn revealed(self) -> SharedOracle {
        self.0.borrow_mut().source = Source::Revealed;
        self
    }

    /// Returns the dice typed by hand that were not used.
    pub fn hand_left(&self) -> Vec<HandDie> {
        self.0.borrow().hand.iter().copied().collect()
    }
}

impl Chance for SharedOracle {
    fn face(&mut self, purpose: &str, who: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.0.borrow_mut().face(purpose, who, sides)
    }

    fn order(&mut self, purpose: &str, element: &str) -> Result<u32, Box<Diagnostic>> {
        self.0.borrow_mut().order(purpose, element)
    }

    fn drawn_since(&self, count: usize) -> Vec<Face> {
        let oracle = self.0.borrow();
        let dice = oracle.used.iter().filter_map(|input| match input {
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

    fn file(
        &mut self,
        question: &Question,
        held: &Value,
    ) -> Result<Option<Value>, Box<Diagnostic>> {
        self.0.borrow_mut().file(question, held)
    }
}

impl Oracle {
    fn face(&mut self, purpose: &str, who: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let address = self.next_address(purpose, who);
        if let Some(face) = self.recorded(&address, sides)? {
            return Ok(face);
        }
        if let Some(face) = self.remembered(&address, sides) {
            return Ok(face);
        }
        let typed = self.had_hand > 0 && self.remembered.is_none();
        let face = if typed {
            self.by_hand(sides)?
        } else {
            self.drawn(&address, sides)?
        };
        self.used.push(Input::Die(Die {
            address,
            sides,
            face,
            typed,
        }));
        Ok(face)
    }

    fn order(&mut self, purpose: &str, element: &str) -> Result<u32, Box<Diagnostic>> {
        let address = format!("{}/{}/{}/1", self.slot, encoded(purpose), encoded(element));
        if let Some(word) = self.recorded(&address, 0)? {
            return Ok(word);
        }
        if let Some(word) = self.remembered(&address, 0) {
            return Ok(word);
        }
        let word = match &mut self.source {
            Source::Seeded(seed) if seed.is_missing() => return Err(no_secret()),
            Source::Seeded(seed) => seed.first_word(&address),
            Source::Recorded => return Err(other_dice(&address)),
            Source::Scripted(faces) => faces.pop_front().ok_or_else(|| other_dice(&address))?,
            Source::Revealed => return Err(known_dice()),
            Source::Refusing => return Err(no_dice()),
        };
        self.used.push(Input::Die(Die {
            address,
            sides: 0,
            face: word,
            typed: false,
        }));
        Ok(word)
    }

    /// Returns the address of the next input of a purpose and roller.
    fn next_address(&mut self, purpose: &str, who: &str) -> String {
        let count = self
            .counts
            .entry((purpose.to_owned(), who.to_owned()))
            .or_default();
        *count += 1;
        format!(
            "{}/{}/{}/{count}",
            self.slot,
            encoded(purpose),
            encoded(who)
        )
    }

    /// Returns the recorded face for an address, while something is recorded. Errors: something else is.
    fn recorded(&mut self, address: &str, sides: u32) -> Result<Option<u32>, Box<Diagnostic>> {
        let Some(next) = self.transcript.front() else {
            return Ok(None);
        };
        match next {
            Input::Die(die) if die.address == address && die.sides == sides => {
                let face = die.face;
                if sides > 0 && !(1..=sides).contains(&face) {
                    return Err(other_dice(address));
                }
                self.used.extend(self.transcript.pop_front());
                Ok(Some(face))
            }
            Input::Die(_) | Input::Answer(_) => {
                let now = match sides {
                    0 => format!("a random order at {address}"),
                    sides => format!("a d{sides} at {address}"),
                };
                let finding = stale(&next.to_string(), &now);
                self.ended.get_or_insert(Ended::Stale(finding.clone()));
                Err(finding)
            }
        }
    }

    /// Returns the face that a die with so many sides showed at an address; a typed one is taken from those that wait.
    fn remembered(&mut self, address: &str, sides: u32) -> Option<u32> {
        let known = self.remembered.as_ref()?.get(address)?;
        let Input::Die(die) = known else { return None };
        let fits = die.sides == sides && (sides == 0 || (1..=sides).contains(&die.face));
        let die = fits.then(|| die.clone())?;
        if die.typed {
            self.hand.pop_front();
        }
        let face = die.face;
        self.used.push(Input::Die(die));
        Some(face)
    }

    fn by_hand(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let Some(die) = self.hand.pop_front() else {
            return Err(Box::new(self.none_left(sides)));
        };
        let named = die.sides.unwrap_or(sides);
        if named != sides || die.face > sides || die.face == 0 {
            return Err(Box::new(self.wrong_die(die, sides)));
        }
        Ok(die.face)
    }

    fn none_left(&self, sides: u32) -> Diagnostic {
        let typed = match self.had_hand {
            1 => "1 die was typed and is".to_owned(),
            many => format!("{many} dice were typed and are"),
        };
        let message = format!("a d{sides} is rolled, and no typed die is left for it");
        Diagnostic::error("dice/too-few", message)
            .hint(format!(
                "{typed} used up: type the others too, with dice next"
            ))
            .hint(DROP)
    }

    /// The die was taken out already.
    fn wrong_die(&self, die: HandDie, sides: u32) -> Diagnostic {
        let place = self.had_hand - self.hand.len();
        let of = match self.had_hand {
            1 => String::new(),
            many => format!(", number {place} of {many},"),
        };
        let message = format!("the typed die {die}{of} cannot be used: a d{sides} is rolled");
        let advice = match die.sides {
            None => format!("a d{sides} shows 1 to {sides}"),
            Some(_) => "type the dice in the order in which they are rolled".to_owned(),
        };
        Diagnostic::error("dice/wrong-die", message)
            .hint(advice)
            .hint(DROP)
    }

    fn drawn(&mut self, address: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let face = match &mut self.source {
            Source::Seeded(seed) if seed.is_missing() => return Err(no_secret()),
            Source::Seeded(seed) => return Ok(seed.face(address, sides)),
            Source::Recorded => None,
            Source::Scripted(faces) => faces.pop_front(),
            Source::Revealed => return Err(known_dice()),
            Source::Refusing => return Err(no_dice()),
        };
        face.filter(|face| (1..=sides).contains(face))
            .ok_or_else(|| other_dice(address))
    }
}

/// Returns that a ruling goes another way than was recorded of it.
fn stale(recorded: &str, now: &str) -> Box<Diagnostic> {
    let message = format!(
        "the ruling goes another way than it did: recorded is {recorded}, now it asks for {now}"
    );
    Box::new(Diagnostic::error("ask/stale", message))
}

fn other_dice(address: &str) -> Box<Diagnostic> {
    let message = format!("no recorded die fits {address}");
    Box::new(
        Diagnostic::error("dice/not-recorded", message)
            .hint("the rules ask for other dice than they did then"),
    )
}

fn known_dice() -> Box<Diagnostic> {
    let message = "the seed is revealed: everybody could know this die before it is thrown";
    Box::new(
        Diagnostic::error(REVEALED, message).hint(
            "dice next takes dice from a real table; reveal and roll on lets known dice count",
        ),
    )
}

fn no_secret() -> Box<Diagnostic> {
    let message = "the secret of the game is not there, and no die comes without it";
    Box::new(Diagnostic::error("dice/no-secret", message).hint(
        "dice next takes dice from a real table; the secret comes with the whole folder of a game",
    ))
}

fn no_dice() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "dice/none-here",
        "nothing can be rolled here",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::ReplyType;

    /// Reads any text as itself.
    struct Plain;

    impl Reader for Plain {
        fn read(&self, _: &Question, text: &str) -> Result<Value, Box<Diagnostic>> {
            Ok(Value::from(text))
        }

        fn choices(&self, _: &Question) -> Vec<Value> {
            Vec::new()
        }
    }

    fn question(to: &str) -> Question {
        Question {
            to: to.to_owned(),
            members: vec![to.to_owned()],
            key: "way".to_owned(),
            who: "-".to_owned(),
            reply: ReplyType::Options(vec!["left".to_owned(), "right".to_owned()]),
            default: Value::Nil,
            deadline: None,
            text: "Which way?".to_owned(),
        }
    }

    /// A ruling that rolls, asks and orders; returns what it got.
    fn ruling(oracle: &SharedOracle, to: &str, sides: u32) -> Result<String, Box<Diagnostic>> {
        let mut chance = oracle.clone();
        let face = chance.face("roll", "ann", sides)?;
        let answer = chance.ask(&[question(to)], &Plain)?;
        let word = chance.order("order", "bo")?;
        Ok(format!("{face} {answer:?} {word}"))
    }

    fn first() -> SharedOracle {
        let seed = Seed::from_text("recorded");
        let orders = [(("ann".to_owned(), "way".to_owned()), "left".to_owned())];
        SharedOracle::seeded(&seed, "3", Vec::new()).with_orders(BTreeMap::from(orders))
    }

    #[test]
    fn what_was_recorded_is_the_ruling_again() {
        let then = first();
        let result = ruling(&then, "ann", 20).unwrap();
        let addresses: Vec<String> = then
            .used()
            .iter()
            .map(|input| input.address().to_owned())
            .collect();
        assert_eq!(addresses, ["3/roll/ann/1", "3/way/-/1", "3/order/bo/1"]);
        let again = SharedOracle::recorded("3", &then.used());
        assert_eq!(ruling(&again, "ann", 20).unwrap(), result);
        assert_eq!((again.used(), again.stale(true)), (then.used(), None));
    }

    #[test]
    fn other_stakes_another_order_and_leftovers_are_stale() {
        let then = first();
        ruling(&then, "ann", 20).unwrap();
        let again = || SharedOracle::recorded("3", &then.used());
        for (to, sides) in [("bo", 20), ("ann", 12)] {
            let oracle = again();
            let _ = ruling(&oracle, to, sides);
            assert_eq!(
                oracle.stale(true).unwrap().code,
                "ask/stale",
                "{to} d{sides}"
            );
        }
        let other_order = again();
        let refusal = other_order.clone().order("order", "bo").unwrap_err();
        assert!(
            refusal
                .message
                .contains("recorded is a d20 at 3/roll/ann/1"),
            "{}",
            refusal.message
        );
        let short = again();
        short.clone().face("roll", "ann", 20).unwrap();
        assert!(short.stale(true).unwrap().message.ends_with("nothing more"));
        let beyond = again();
        ruling(&beyond, "ann", 20).unwrap();
        assert_eq!(
            beyond.clone().face("roll", "ann", 20).unwrap_err().code,
            "dice/not-recorded"
        );
    }
}
