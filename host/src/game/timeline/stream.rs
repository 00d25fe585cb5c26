//! Chance without addresses, for simulations and lookaheads: a stream of dice.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::diag::Diagnostic;
use crate::dice::Draw;
use crate::script::Chance;

/// A plain stream of dice for simulation and benchmarks: fast, repeatable, without addresses.
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Returns the stream of a number.
    pub fn new(seed: u64) -> Stream {
        Stream(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns the stream of a text: its SHA-256 is the seed.
    pub fn of_text(text: &str) -> Stream {
        Stream(ChaCha8Rng::from_seed(Sha256::digest(text).into()))
    }

    pub(in crate::game) fn next_word(&mut self) -> u32 {
        self.0.next_u32()
    }
}

impl Draw for Stream {
    #[inline]
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let limit = (1u64 << 32) / u64::from(sides) * u64::from(sides);
        loop {
            let word = self.next_word();
            if u64::from(word) < limit {
                return Ok(word % sides + 1);
            }
        }
    }
}

impl Chance for Stream {
    fn draw_face(&mut self, _: &str, _: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.draw(sides)
    }

    fn draw_order(&mut self, _: &str, _: &str) -> Result<u32, Box<Diagnostic>> {
        Ok(self.next_word())
    }
}

/// A stream that the rulings of one game share.
#[derive(Clone)]
pub(in crate::game) struct SharedStream(Rc<RefCell<Drawn>>);

/// A stream, and whether a value was taken from it.
pub(in crate::game) struct Drawn {
    stream: Stream,
    is_used: bool,
}

impl SharedStream {
    pub(in crate::game) fn new(stream: Stream) -> SharedStream {
        let drawn = Drawn {
            stream,
            is_used: false,
        };
        SharedStream(Rc::new(RefCell::new(drawn)))
    }

    /// Returns the next face, from 1, of a die.
    pub(in crate::game) fn next_face(&self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.draw_from_stream(|stream| stream.draw(sides))
    }

    /// Returns the next word by which a listener is sorted.
    pub(in crate::game) fn next_word(&self) -> u32 {
        self.draw_from_stream(Stream::next_word)
    }

    /// Returns whether a value was taken.
    pub(in crate::game) fn is_used(&self) -> bool {
        self.0.borrow().is_used
    }

    fn draw_from_stream<T>(&self, draw: impl FnOnce(&mut Stream) -> T) -> T {
        let mut drawn = self.0.borrow_mut();
        drawn.is_used = true;
        draw(&mut drawn.stream)
    }
}

impl fmt::Debug for SharedStream {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SharedStream(…)")
    }
}
