//! Throws the dice of a term: rerolls, explosions, bounds, in this order.
//!
//! Each rolled face is reported to a `Watch`: the plain total stores values only, the roll tree stores everything.

use std::sync::Arc;

use super::expr::{Sides, Term};
use super::face_source::{Budget, Draw, MOST_EXPLOSIONS};
use super::refusal;
use crate::diag::{Diagnostic, Source};

/// An observer of the dice of a term.
pub(super) trait Watch {
    /// A face was rolled and will be rerolled.
    #[inline]
    fn note_rerolled_face(&mut self, _face: i64) {}

    /// A face was rolled and stays. It belongs to the next finished die.
    #[inline]
    fn note_kept_face(&mut self, _face: i64) {}

    /// A die is finished. `bursts` means that this die exploded and the next die exists because of it.
    fn note_finished_die(&mut self, value: i64, bursts: bool);
}

/// The inputs of an evaluation: the face source, the dice budget and the text of the notation.
pub(super) struct Thrower<'a, D: ?Sized> {
    pub(super) draw: &'a mut D,
    pub(super) budget: &'a mut Budget,
    pub(super) source: &'a Arc<Source>,
}

impl<D: Draw + ?Sized> Thrower<'_, D> {
    /// Throws all dice of a term; the budget for the dice written is taken before the first roll.
    #[inline]
    pub(super) fn throw_term<W: Watch>(
        &mut self,
        term: &Term,
        watch: &mut W,
    ) -> Result<(), Box<Diagnostic>> {
        self.spend_dice(term, term.count)?;
        for _ in 0..term.count {
            if term.reroll.is_none() && term.burst.is_none() {
                let face = self.draw_face(term)?;
                watch.note_kept_face(face);
                watch.note_finished_die(term.clamp_value(face), false);
            } else {
                self.throw_die(term, watch)?;
            }
        }
        Ok(())
    }

    fn throw_die<W: Watch>(&mut self, term: &Term, watch: &mut W) -> Result<(), Box<Diagnostic>> {
        let mut sum = 0;
        for _ in 0..=MOST_EXPLOSIONS {
            let face = self.draw_settled_face(term, watch)?;
            watch.note_kept_face(face);
            let (bursts, compound) = match &term.burst {
                Some(burst) => (burst.test.matches(face), burst.compound),
                None => (false, false),
            };
            sum = if compound { sum + face } else { face };
            if !bursts || !compound {
                watch.note_finished_die(term.clamp_value(sum), bursts);
            }
            if !bursts {
                return Ok(());
            }
            self.spend_dice(term, 1)?;
        }
        Err(refusal::too_many_explosions(self.source, term.span))
    }

    /// Rolls a face that is no longer rerolled.
    fn draw_settled_face<W: Watch>(
        &mut self,
        term: &Term,
        watch: &mut W,
    ) -> Result<i64, Box<Diagnostic>> {
        let mut face = self.draw_face(term)?;
        let Some(reroll) = &term.reroll else {
            return Ok(face);
        };
        while reroll.test.matches(face) {
            watch.note_rerolled_face(face);
            self.spend_dice(term, 1)?;
            face = self.draw_face(term)?;
            if reroll.once {
                break;
            }
        }
        Ok(face)
    }

    #[inline]
    pub(super) fn spend_dice(&mut self, term: &Term, dice: u32) -> Result<(), Box<Diagnostic>> {
        if self.budget.take_draws(dice) {
            Ok(())
        } else {
            Err(refusal::too_many_dice(self.source, term.span))
        }
    }

    #[inline]
    fn draw_face(&mut self, term: &Term) -> Result<i64, Box<Diagnostic>> {
        let sides = term.sides.face_count();
        let face = self.draw.draw(sides)?;
        if face == 0 || face > sides {
            return Err(refusal::bad_face(self.source, term.span, face, sides));
        }
        Ok(match term.sides {
            Sides::Number(_) => i64::from(face),
            Sides::Fate => i64::from(face) - 2,
        })
    }
}
