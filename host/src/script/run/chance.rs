//! The source of the dice and answers of a run.

use super::question::{Question, Reader};
use crate::diag::Diagnostic;
use crate::value::Value;

/// The source of dice and answers. A higher layer seeds, types, records or scripts them.
pub trait Chance {
    /// Returns the next face, from 1, of a die for a purpose and a roller. Errors end the ruling.
    fn draw_face(&mut self, purpose: &str, who: &str, sides: u32) -> Result<u32, Box<Diagnostic>>;

    /// Returns the word that puts a listener in its random place for a purpose.
    fn draw_order(&mut self, purpose: &str, element: &str) -> Result<u32, Box<Diagnostic>>;

    /// Returns the faces and places that were rolled after the first `_count`. A source without a record returns
    /// nothing.
    fn drawn_since(&self, _count: usize) -> Vec<Face> {
        Vec::new()
    }

    /// Returns the answers to questions that are asked at once, in the same order. Returns nothing if the ruling ends
    /// here to wait. The caller then unwinds the run, in a way that no script can catch.
    ///
    /// Errors: the questions cannot be asked; they end the ruling.
    fn ask(
        &mut self,
        questions: &[Question],
        reader: &dyn Reader,
    ) -> Result<Option<Vec<Value>>, Box<Diagnostic>> {
        let _ = (questions, reader);
        Err(nobody_asked_error())
    }

    /// Returns the file that answers a question: the recorded file, else the file that is `held` now. Returns nothing
    /// if the ruling ends here, because something else was recorded.
    ///
    /// Errors: nothing is recorded, and nothing held.
    fn file_answer(
        &mut self,
        question: &Question,
        held: &Value,
    ) -> Result<Option<Value>, Box<Diagnostic>> {
        let _ = (question, held);
        Err(nobody_asked_error())
    }
}

/// One face or place that was rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// Its address: slot, purpose, who, count.
    pub address: String,
    /// Sides of the die. 0 for the word of a random order.
    pub sides: u32,
    /// The face, or the word.
    pub face: u32,
}

/// Chance of a run that rolls nothing.
pub(crate) struct NoChance;

impl Chance for NoChance {
    fn draw_face(&mut self, _: &str, _: &str, _: u32) -> Result<u32, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error(
            "dice/none-here",
            "nothing can be rolled here",
        )))
    }

    fn draw_order(&mut self, _: &str, _: &str) -> Result<u32, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::error(
            "dice/none-here",
            "nothing can be rolled here",
        )))
    }
}

/// Returns the error of a source that cannot ask questions.
fn nobody_asked_error() -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        "ask/none-here",
        "nobody can be asked here",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_chance_rolls_nothing() {
        let code = "dice/none-here";
        assert_eq!(NoChance.draw_face("roll", "gm", 6).unwrap_err().code, code);
        assert_eq!(NoChance.draw_order("deal", "gm").unwrap_err().code, code);
    }
}
