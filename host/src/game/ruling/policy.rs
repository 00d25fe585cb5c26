//! Answers questions without people, for self-play and tests.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::dice::Draw;
use crate::game::timeline::stream::Stream;
use crate::script::{Chance, Question, Reader};
use crate::value::Value;

/// A source of immediate answers to questions.
pub trait Policy {
    /// Returns an answer, or nothing; then a person is asked.
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value>;
}

/// A closure is a policy.
impl<F: FnMut(&Question, &dyn Reader) -> Option<Value>> Policy for F {
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value> {
        self(question, reader)
    }
}

/// A policy that rulings and their session share.
#[derive(Clone)]
pub struct SharedPolicy(Rc<RefCell<dyn Policy>>);

impl SharedPolicy {
    /// Returns a policy to share.
    pub fn new(policy: impl Policy + 'static) -> SharedPolicy {
        SharedPolicy(Rc::new(RefCell::new(policy)))
    }
}

impl fmt::Debug for SharedPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SharedPolicy(…)")
    }
}

impl Policy for SharedPolicy {
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value> {
        self.0.borrow_mut().answer(question, reader)
    }
}

/// Answers the default, else the first choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults;

impl Policy for Defaults {
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value> {
        if question.default.is_nil() {
            reader.choices(question).into_iter().next()
        } else {
            Some(question.default.clone())
        }
    }
}

/// Answers with any of the choices, by its own stream; if they cannot be listed, with the default.
pub struct AnyChoice(Stream);

impl AnyChoice {
    /// Returns the policy of a number.
    pub fn new(seed: u64) -> AnyChoice {
        AnyChoice(Stream::new(seed))
    }

    /// Returns the policy that chooses by a stream.
    pub fn of(stream: Stream) -> AnyChoice {
        AnyChoice(stream)
    }
}

impl Policy for AnyChoice {
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value> {
        let mut choices = reader.choices(question);
        let sides = u32::try_from(choices.len()).unwrap_or(u32::MAX);
        if sides == 0 {
            return Defaults.answer(question, reader);
        }
        let face = self.0.draw(sides).unwrap_or(1);
        Some(choices.swap_remove(face as usize - 1))
    }
}

/// A player without people: dice by stream, answers by a policy.
pub struct SelfPlay<P> {
    /// Its dice.
    pub stream: Stream,
    /// Its answers.
    pub policy: P,
}

impl<P: Policy> Chance for SelfPlay<P> {
    fn draw_face(&mut self, _: &str, _: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.stream.draw(sides)
    }

    fn draw_order(&mut self, _: &str, _: &str) -> Result<u32, Box<Diagnostic>> {
        Ok(self.stream.next_word())
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
