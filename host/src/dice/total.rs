//! Computes the total of a notation and nothing else, for up to 64 dice a term without allocating.

use super::expr::{Chain, Expr, Fault, Group, Term};
use super::face_source::Draw;
use super::refusal;
use super::throw::{Thrower, Watch};
use crate::diag::Diagnostic;

/// Most dice of a term that fit without allocating.
const DICE: usize = 64;

/// Most items of a group that fit without allocating.
const ITEMS: usize = 16;

/// A list of values that begins on the stack.
struct Values<T, const INLINE: usize> {
    inline: [T; INLINE],
    count: usize,
    heap: Vec<T>,
}

impl<T: Copy + Default, const INLINE: usize> Values<T, INLINE> {
    #[inline]
    fn new() -> Values<T, INLINE> {
        Values {
            inline: [T::default(); INLINE],
            count: 0,
            heap: Vec::new(),
        }
    }

    #[inline]
    fn push(&mut self, value: T) {
        if self.count < INLINE {
            self.inline[self.count] = value;
        } else {
            if self.count == INLINE {
                self.heap.extend_from_slice(&self.inline);
            }
            self.heap.push(value);
        }
        self.count += 1;
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [T] {
        if self.count <= INLINE {
            &mut self.inline[..self.count]
        } else {
            &mut self.heap
        }
    }
}

/// Unit: a value is at most 101 explosions of a million; half the bytes are half the clearing.
impl Watch for Values<i32, DICE> {
    #[inline]
    fn note_finished_die(&mut self, value: i64, _bursts: bool) {
        self.push(i32::try_from(value).expect("invariant: a die is worth at most 101 million"));
    }
}

/// Adds up the scores of the dice and remembers the extremes. This is enough if all dice count, or all but one, or one.
struct Scores<'a> {
    term: &'a Term,
    total: i64,
    least: i64,
    most: i64,
}

impl Watch for Scores<'_> {
    #[inline]
    fn note_finished_die(&mut self, value: i64, _bursts: bool) {
        self.total += self.term.score_of_value(value);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

impl<D: Draw + ?Sized> Thrower<'_, D> {
    /// Returns the total of an expression.
    pub(super) fn total(&mut self, expr: &Expr) -> Result<i64, Box<Diagnostic>> {
        match expr {
            Expr::Number(number) => Ok(*number),
            Expr::Negative(inner, span) => {
                let total = self.total(inner)?.checked_neg();
                total
                    .ok_or_else(|| refusal::arithmetic_refusal(self.source, *span, Fault::Overflow))
            }
            Expr::Chain(chain) => self.chain_total(chain),
            Expr::Dice(term) => self.term_total(term),
            Expr::Group(group) => self.group_total(group),
            Expr::Label(_, inner) => self.total(inner),
        }
    }

    fn chain_total(&mut self, chain: &Chain) -> Result<i64, Box<Diagnostic>> {
        let mut total = self.total(&chain.first)?;
        for (operator, operand) in &chain.rest {
            let right = self.total(operand)?;
            total = operator
                .apply_to_numbers(total, right)
                .map_err(|fault| refusal::arithmetic_refusal(self.source, chain.span, fault))?;
        }
        Ok(total)
    }

    /// Unit: at most 1,000 dice of at most 101 million each, so that a sum cannot overflow.
    #[inline]
    fn term_total(&mut self, term: &Term) -> Result<i64, Box<Diagnostic>> {
        let count = usize::try_from(term.count).unwrap_or(usize::MAX);
        let kept = term.keep.map_or(0..count, |keep| keep.kept_ranks(count));
        let needs_order = kept.len() > 1 && kept.len() + 1 < count;
        let needs_count = term.keep.is_some() && term.burst.is_some();
        if needs_order || needs_count {
            return self.kept_total_after_sorting(term);
        }
        let mut scores = Scores {
            term,
            total: 0,
            least: i64::MAX,
            most: i64::MIN,
        };
        if term.has_unchanged_faces_only() {
            self.throw_unmodified_dice(term, &mut scores)?;
        } else {
            self.throw_term(term, &mut scores)?;
        }
        let is_low = kept.start == 0;
        Ok(match kept.len() {
            0 => 0,
            all if all == count => scores.total,
            1 if is_low => term.score_of_value(scores.least),
            1 => term.score_of_value(scores.most),
            _ if is_low => scores.total - term.score_of_value(scores.most),
            _ => scores.total - term.score_of_value(scores.least),
        })
    }

    /// Throws simple dice with the same result as `throw`, without checks on the way.
    #[inline]
    fn throw_unmodified_dice(
        &mut self,
        term: &Term,
        scores: &mut Scores<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let sides = term.sides.face_count();
        self.spend_dice(term, term.count)?;
        let (mut total, mut least, mut most) = (0, u32::MAX, 0);
        for _ in 0..term.count {
            let face = self.draw.draw(sides)?;
            if face == 0 || face > sides {
                return Err(refusal::bad_face(self.source, term.span, face, sides));
            }
            total += u64::from(face);
            least = least.min(face);
            most = most.max(face);
        }
        scores.total = total.cast_signed();
        (scores.least, scores.most) = (least.into(), most.into());
        Ok(())
    }

    fn kept_total_after_sorting(&mut self, term: &Term) -> Result<i64, Box<Diagnostic>> {
        let mut values = Values::<i32, DICE>::new();
        self.throw_term(term, &mut values)?;
        let values = values.as_mut_slice();
        values.sort_unstable();
        let kept = term
            .keep
            .map_or(0..values.len(), |keep| keep.kept_ranks(values.len()));
        Ok(values[kept]
            .iter()
            .map(|value| term.score_of_value(i64::from(*value)))
            .sum())
    }

    fn group_total(&mut self, group: &Group) -> Result<i64, Box<Diagnostic>> {
        let mut values = Values::<i64, ITEMS>::new();
        for item in &group.items {
            values.push(self.total(item)?);
        }
        let values = values.as_mut_slice();
        let range = group.keep.map_or(0..values.len(), |keep| {
            values.sort_unstable();
            keep.kept_ranks(values.len())
        });
        let total: i128 = values[range].iter().map(|value| i128::from(*value)).sum();
        i64::try_from(total)
            .map_err(|_| refusal::arithmetic_refusal(self.source, group.span, Fault::Overflow))
    }
}
