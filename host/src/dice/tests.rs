//! Tests notations, rolls and distributions together.

mod folding;
mod notation;
mod odds;
mod rolling;

use super::{Budget, Draw, Notation};
use crate::diag::Diagnostic;

/// Gives typed faces, then refuses.
pub(super) struct Script {
    faces: Vec<u32>,
    at: usize,
    /// Sides of the die that found no face.
    pub(super) wanted: Option<u32>,
}

impl Script {
    pub(super) fn new(faces: &[u32]) -> Script {
        Script {
            faces: faces.to_vec(),
            at: 0,
            wanted: None,
        }
    }
}

impl Draw for Script {
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let face = self.faces.get(self.at).copied();
        self.at += 1;
        face.ok_or_else(|| {
            self.wanted = Some(sides);
            Diagnostic::error("test/no-face", "the script ends").into()
        })
    }
}

/// Gives faces that look like chance.
pub(super) struct Stream(pub(super) u64);

impl Draw for Stream {
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        Ok(u32::try_from((self.0 >> 33) % u64::from(sides)).unwrap() + 1)
    }
}

pub(super) fn parse_notation(text: &str) -> Notation {
    Notation::parse(text).unwrap_or_else(|findings| panic!("{text}: {findings:?}"))
}

/// Returns the line of a roll with these faces.
pub(super) fn roll_line(text: &str, faces: &[u32]) -> String {
    let notation = parse_notation(text);
    let mut script = Script::new(faces);
    match notation.roll(&mut script, &mut Budget::default()) {
        Ok(roll) => {
            assert_eq!(script.at, faces.len(), "{text} left faces over");
            let total = notation.roll_total(&mut Script::new(faces), &mut Budget::default());
            assert_eq!(total, Ok(roll.total()), "{text}");
            roll.to_string()
        }
        Err(refusal) => format!("refused {}", refusal.code),
    }
}
