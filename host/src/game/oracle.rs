//! This module is where the inputs of a ruling come from: seeded, typed by hand, recorded or scripted dice.
//!
//! Whatever the source, the oracle notes what was used with its address, so that a ruling can be run again.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::seed::{Seed, encoded};
use crate::diag::Diagnostic;
use crate::dice::Draw;
use crate::script::{Chance, Face};
use crate::value::Value;

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
    Recorded(BTreeMap<String, u32>),
    Scripted(VecDeque<u32>),
    Refusing,
}

/// One face or place that a ruling used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it stands: slot, purpose, who, count.
    pub address: String,
    /// Sides of the die; 0 for the word of a random order.
    pub sides: u32,
    /// The face, or the word.
    pub face: u32,
    /// Whether a person typed it.
    pub typed: bool,
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

/// The codes of refusals that are about the dice that a person typed, and no fault of a rule.
pub(super) const HAND_CODES: [&str; 2] = ["dice/too-few", "dice/wrong-die"];

/// The inputs of one ruling.
#[derive(Debug)]
struct Oracle {
    slot: String,
    source: Source,
    hand: VecDeque<HandDie>,
    had_hand: usize,
    counts: HashMap<(String, String), u32>,
    used: Vec<Input>,
}

/// An oracle that a ruling and its session share.
#[derive(Clone, Debug)]
pub struct SharedOracle(Rc<RefCell<Oracle>>);

impl SharedOracle {
    /// Returns the oracle of a ruling with seeded dice, after those typed by hand are spent.
    pub fn seeded(seed: &Seed, slot: &str, hand: Vec<HandDie>) -> SharedOracle {
        SharedOracle::of(slot, Source::Seeded(seed.clone()), hand)
    }

    /// Returns an oracle that gives recorded faces by their address.
    pub fn recorded(slot: &str, inputs: &[Input]) -> SharedOracle {
        let faces = inputs
            .iter()
            .map(|input| (input.address.clone(), input.face))
            .collect();
        SharedOracle::of(slot, Source::Recorded(faces), Vec::new())
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
            had_hand: hand.len(),
            hand: hand.into(),
            counts: HashMap::new(),
            used: Vec::new(),
        };
        SharedOracle(Rc::new(RefCell::new(oracle)))
    }

    /// Returns what was used, in order.
    pub fn used(&self) -> Vec<Input> {
        self.0.borrow().used.clone()
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
        let drawn = oracle.used.iter().skip(count);
        drawn
            .map(|input| Face {
                address: input.address.clone(),
                sides: input.sides,
                face: input.face,
            })
            .collect()
    }
}

impl Oracle {
    fn face(&mut self, purpose: &str, who: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let count = self
            .counts
            .entry((purpose.to_owned(), who.to_owned()))
            .or_default();
        *count += 1;
        let address = format!(
            "{}/{}/{}/{count}",
            self.slot,
            encoded(purpose),
            encoded(who)
        );
        let typed = self.had_hand > 0;
        let face = if typed {
            self.by_hand(sides)?
        } else {
            self.drawn(&address, sides)?
        };
        self.used.push(Input {
            address,
            sides,
            face,
            typed,
        });
        Ok(face)
    }

    fn order(&mut self, purpose: &str, element: &str) -> Result<u32, Box<Diagnostic>> {
        let address = format!("{}/{}/{}/1", self.slot, encoded(purpose), encoded(element));
        let word = match &mut self.source {
            Source::Seeded(seed) => seed.first_word(&address),
            Source::Recorded(faces) => *faces.get(&address).ok_or_else(|| other_dice(&address))?,
            Source::Scripted(faces) => faces.pop_front().ok_or_else(|| other_dice(&address))?,
            Source::Refusing => return Err(no_dice()),
        };
        self.used.push(Input {
            address,
            sides: 0,
            face: word,
            typed: false,
        });
        Ok(word)
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
            Source::Seeded(seed) => return Ok(seed.face(address, sides)),
            Source::Recorded(faces) => faces.get(address).copied(),
            Source::Scripted(faces) => faces.pop_front(),
            Source::Refusing => return Err(no_dice()),
        };
        face.filter(|face| (1..=sides).contains(face))
            .ok_or_else(|| other_dice(address))
    }
}

fn other_dice(address: &str) -> Box<Diagnostic> {
    let message = format!("no recorded die fits {address}");
    Box::new(
        Diagnostic::error("dice/not-recorded", message)
            .hint("the rules ask for other dice than they did then"),
    )
}

fn no_dice() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "dice/none-here",
        "nothing can be rolled here",
    ))
}

impl Input {
    /// Returns the input as plain data for the history.
    pub fn to_value(&self) -> Value {
        let typed = if self.typed {
            Value::Bool(true)
        } else {
            Value::Nil
        };
        Value::map([
            ("address", Value::from(self.address.as_str())),
            ("sides", Value::from(i64::from(self.sides))),
            ("face", Value::from(i64::from(self.face))),
            ("typed", typed),
        ])
    }

    /// Returns the input that plain data of the history says.
    pub fn from_value(value: &Value) -> Option<Input> {
        let number = |key: &str| {
            value
                .get(key)
                .as_i64()
                .and_then(|number| u32::try_from(number).ok())
        };
        Some(Input {
            address: value.get("address").as_str()?.to_owned(),
            sides: number("sides")?,
            face: number("face")?,
            typed: value.get("typed").as_bool().unwrap_or(false),
        })
    }
}

/// A plain stream of dice for simulation and benchmarks: fast, repeatable, without addresses.
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Returns the stream of a number.
    pub fn new(seed: u64) -> Stream {
        Stream(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl Draw for Stream {
    #[inline]
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let limit = (1u64 << 32) / u64::from(sides) * u64::from(sides);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < limit {
                return Ok(word % sides + 1);
            }
        }
    }
}

impl Chance for Stream {
    fn face(&mut self, _: &str, _: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.draw(sides)
    }

    fn order(&mut self, _: &str, _: &str) -> Result<u32, Box<Diagnostic>> {
        Ok(self.0.next_u32())
    }
}
