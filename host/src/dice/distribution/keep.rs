//! Counts the ways of "the best few of many": keep and drop, over dice of mixed kinds.
//!
//! Values are processed from the end that the choice prefers. The state is the number of dice of each kind that have a
//! value. The sum of these numbers is the rank of the next die, and the rank decides whether that die counts. The work
//! grows with values × states × dice × totals, never with outcomes.

use super::count::{Count, binomial, next_binomial};
use super::poly::Poly;
use super::work_budget::{Done, Trouble, Work};
use crate::dice::expr::Keep;

/// Rows of binomials that are computed beforehand.
const TRIANGLE: usize = 64;

/// Steps that one state takes; it also takes memory.
const STATE_STEPS: u64 = 16;

/// One possible value of a die.
#[derive(Clone)]
pub(super) struct Ranked<C> {
    /// The value that decides whether it is kept.
    pub(super) value: i64,
    /// The number it adds to the total if it is kept.
    pub(super) score: i64,
    pub(super) weight: C,
}

/// Dice with the same values.
pub(super) struct Kind<C> {
    pub(super) count: usize,
    pub(super) values: Vec<Ranked<C>>,
}

impl Keep {
    /// Returns how many of `more` dice count if their ranks begin after `before` others.
    fn count_kept_dice(self, before: usize, more: usize) -> usize {
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        let inside = number.saturating_sub(before).min(more);
        if self.drop { more - inside } else { inside }
    }
}

/// Returns the ways of the total when every die of every kind has a value.
pub(super) fn kept_sum_ways<C: Count>(
    kinds: &[Kind<C>],
    keep: Keep,
    work: &mut Work,
) -> Done<Poly<C>> {
    let mut states = ways_by_state(kinds, keep, work)?;
    Ok(states.pop().expect("invariant: there is a last state"))
}

/// Returns the ways for each state. The index grows by one for each die of the first kind. For the second kind it grows
/// by one more than the first kind has dice, and so on.
pub(super) fn ways_by_state<C: Count>(
    kinds: &[Kind<C>],
    keep: Keep,
    work: &mut Work,
) -> Done<Vec<Poly<C>>> {
    let mut length = 1usize;
    let mut strides = Vec::with_capacity(kinds.len());
    for kind in kinds {
        strides.push(length);
        length = length
            .checked_mul(kind.count + 1)
            .ok_or(Trouble::TooLarge)?;
    }
    work.spend_steps(
        u64::try_from(length)
            .unwrap_or(u64::MAX)
            .saturating_mul(STATE_STEPS),
    )?;
    let mut states = vec![Poly::empty(); length];
    states[0] = Poly::one();
    let mut values: Vec<(usize, &Ranked<C>)> = (kinds.iter().enumerate())
        .flat_map(|(index, kind)| kind.values.iter().map(move |value| (index, value)))
        .collect();
    values.sort_by_key(|(_, value)| value.value);
    if keep.high {
        values.reverse();
    }
    let places = Places::new(kinds, &strides, length);
    for (index, value) in values {
        places.give_value_to_dice(&mut states, index, value, keep, work)?;
    }
    Ok(states)
}

/// The meaning of the index of a state.
struct Places<'a, C> {
    kinds: &'a [Kind<C>],
    strides: &'a [usize],
    /// Dice that have a value, for each state.
    given: Vec<usize>,
    triangle: Vec<C>,
}

impl<'a, C: Count> Places<'a, C> {
    fn new(kinds: &'a [Kind<C>], strides: &'a [usize], length: usize) -> Places<'a, C> {
        let of_kind =
            |place: usize, index: usize| place / strides[index] % (kinds[index].count + 1);
        let given =
            (0..length).map(|place| (0..kinds.len()).map(|index| of_kind(place, index)).sum());
        let rows = kinds
            .iter()
            .map(|kind| kind.count)
            .max()
            .unwrap_or(0)
            .min(TRIANGLE);
        let mut triangle: Vec<C> = Vec::with_capacity((rows + 1) * (rows + 2) / 2);
        for all in 0..=rows {
            for chosen in 0..=all {
                let one = chosen == 0 || chosen == all;
                triangle.push(if one {
                    C::one()
                } else {
                    binomial_from_row_above(&triangle, all, chosen)
                });
            }
        }
        Places {
            kinds,
            strides,
            given: given.collect(),
            triangle,
        }
    }

    /// Gives a value to any number of dice of a kind that have none yet.
    ///
    /// States are changed from the last to the first, so that each one uses states before this value.
    fn give_value_to_dice(
        &self,
        states: &mut [Poly<C>],
        index: usize,
        value: &Ranked<C>,
        keep: Keep,
        work: &mut Work,
    ) -> Done<()> {
        let (stride, count) = (self.strides[index], self.kinds[index].count);
        let mut powers = vec![C::one()];
        for place in (0..states.len()).rev() {
            let all = place / stride % (count + 1);
            let mut ways = Choices::of_things(all);
            let (before, rest) = states.split_at_mut(place);
            work.spend_steps(u64::try_from(all).unwrap_or(u64::MAX))?;
            for more in 1..=all {
                let source = &before[place - more * stride];
                if source.is_empty() {
                    continue;
                }
                while powers.len() <= more {
                    work.spend_products(1)?;
                    powers.push(powers[powers.len() - 1].times(&value.weight));
                }
                let ways = self
                    .ways_to_choose(&mut ways, more, work)?
                    .times(&powers[more]);
                let counted = keep.count_kept_dice(self.given[place - more * stride], more);
                let counted = i64::try_from(counted).map_err(|_| Trouble::TooLarge)?;
                let shift = value.score.checked_mul(counted).ok_or(Trouble::TooLarge)?;
                rest[0].add_shifted(source, shift, &ways, work)?;
            }
        }
        Ok(())
    }

    fn ways_to_choose(&self, choices: &mut Choices<C>, chosen: usize, work: &mut Work) -> Done<C> {
        match self
            .triangle
            .get(choices.all * (choices.all + 1) / 2 + chosen)
        {
            Some(ways) => Ok(ways.clone()),
            None => choices.advance_to_chosen(chosen, work),
        }
    }
}

/// Binomials of one row, from left to right.
struct Choices<C> {
    all: usize,
    chosen: usize,
    ways: C,
}

impl<C: Count> Choices<C> {
    fn of_things(all: usize) -> Choices<C> {
        Choices {
            all,
            chosen: 0,
            ways: C::one(),
        }
    }

    /// Moves on to `chosen`, which is not left of the last one; from there or from the near end of the row.
    fn advance_to_chosen(&mut self, chosen: usize, work: &mut Work) -> Done<C> {
        let from_end = self.all - chosen;
        if from_end < chosen - self.chosen {
            work.spend_products(2 * from_end)?;
            self.ways = binomial(self.all, chosen);
        } else {
            work.spend_products(2 * (chosen - self.chosen))?;
            for step in self.chosen..chosen {
                self.ways = next_binomial(&self.ways, self.all, step);
            }
        }
        self.chosen = chosen;
        Ok(self.ways.clone())
    }
}

fn binomial_from_row_above<C: Count>(triangle: &[C], all: usize, chosen: usize) -> C {
    let row = (all - 1) * all / 2;
    let mut sum = triangle[row + chosen - 1].clone();
    sum.add(&triangle[row + chosen]);
    sum
}
