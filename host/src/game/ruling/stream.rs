//! This module is chance without addresses, for simulation and benchmarks: a stream of dice, and a policy that answers.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::policy::Policy;
use crate::diag::Diagnostic;
use crate::dice::Draw;
use crate::script::{Chance, Question, Reader};
use crate::value::Value;

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

/// A player that needs nobody: dice by stream, answers by a policy.
pub struct SelfPlay<P> {
    /// Its dice.
    pub stream: Stream,
    /// Its answers.
    pub policy: P,
}

impl<P: Policy> Chance for SelfPlay<P> {
    fn face(&mut self, _: &str, _: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.stream.draw(sides)
    }

    fn order(&mut self, _: &str, _: &str) -> Result<u32, Box<Diagnostic>> {
        Ok(self.stream.0.next_u32())
    }

    fn ask(
        &mut self,
        questions: &[Question],
        reader: &dyn Reader,
    ) -> Result<Option<Vec<Value>>, Box<Diagnostic>> {
        let answers = questions
            .iter()
            .map(|question| self.policy.answer(question, reader));
        Ok(answers.collect())
    }
}
