//! Counts the ways of exploding dice, up to the last explosion that is allowed.
//!
//! One rolled face has `weight` ways: ways that end a die (`settled`) and ways that explode (`rising`). With `limit`
//! explosions at most, a die has `Σ settled · rising^j · weight^(limit-j)` ways for j from 0 to `limit`.
//! Rolls that the limit refuses have no total and are left out.

use super::count::Count;
use super::keep::{Kind, Ranked, ways_by_state};
use super::poly::Poly;
use super::work_budget::{Done, Trouble, Work};
use crate::dice::expr::Keep;
use crate::dice::face_source::MOST_EXPLOSIONS;

/// Returns the ways of the sum of `dice` exploding dice.
pub(super) fn exploding_sum_ways<C: Count>(
    settled: &Poly<C>,
    rising: &Poly<C>,
    weight: u64,
    dice: u32,
    work: &mut Work,
) -> Done<Poly<C>> {
    let mut ways = settled.power(dice, work)?;
    if rising.low < 0 {
        let chain = geometric_sum_term_by_term(rising, weight, work)?;
        return ways.product(&chain.power(dice, work)?, work);
    }
    let last = rising.power(MOST_EXPLOSIONS + 1, work)?;
    let full = C::from_u64(weight).power(MOST_EXPLOSIONS + 1);
    for _ in 0..dice {
        ways = geometric_sum_by_recurrence(&ways, rising, weight, &last, &full, work)?;
    }
    Ok(ways)
}

/// Returns `Σ rising^j · weight^(limit-j)`, term by term.
fn geometric_sum_term_by_term<C: Count>(
    rising: &Poly<C>,
    weight: u64,
    work: &mut Work,
) -> Done<Poly<C>> {
    let mut result = Poly::one();
    let mut power = C::one();
    for _ in 0..MOST_EXPLOSIONS {
        power = power.scaled(weight);
        result = result.product(rising, work)?;
        result.add_shifted(&Poly::one(), 0, &power, work)?;
    }
    Ok(result)
}

/// Returns `ways · Σ rising^j · weight^(limit-j)`, which is
/// `ways · (weight^(limit+1) - rising^(limit+1)) / (weight - rising)`, by the recurrence of that division.
///
/// Invariant: `rising` holds no negative number. Then each coefficient follows from the lower ones.
fn geometric_sum_by_recurrence<C: Count>(
    ways: &Poly<C>,
    rising: &Poly<C>,
    weight: u64,
    last: &Poly<C>,
    full: &C,
    work: &mut Work,
) -> Done<Poly<C>> {
    let beyond = ways.product(last, work)?;
    let length = ways.counts.len() + last.counts.len() - 1;
    let length = usize::try_from(beyond.low - ways.low).map_err(|_| Trouble::TooLarge)? + length;
    let mut divisor = C::from_u64(weight);
    let mut steps = Vec::new();
    for (number, count) in rising.entries() {
        match usize::try_from(number) {
            Ok(0) | Err(_) => divisor.subtract(count),
            Ok(step) => steps.push((step, count)),
        }
    }
    super::poly::cell_count(0, i64::try_from(length).unwrap_or(i64::MAX), work)?;
    let mut counts: Vec<C> = Vec::with_capacity(length);
    let offset = length - beyond.counts.len();
    for place in 0..length {
        work.spend_products(steps.len() + 3)?;
        let mut sum = ways
            .counts
            .get(place)
            .map_or_else(C::zero, |count| count.times(full));
        for (step, count) in steps.iter().filter(|(step, _)| *step <= place) {
            sum.add(&counts[place - step].times(count));
        }
        if let Some(count) = place
            .checked_sub(offset)
            .and_then(|at| beyond.counts.get(at))
        {
            sum.subtract(count);
        }
        counts.push(sum.divided_exactly(&divisor));
    }
    while counts.last().is_some_and(C::is_zero) {
        counts.pop();
    }
    Ok(Poly {
        low: ways.low,
        counts,
    })
}

/// Returns the ways of the kept sum when every exploded die is a die of its own.
///
/// The dice that end and those that explode are two kinds. The distribution of the exploded dice over the written dice
/// only decides the number of ways.
pub(super) fn kept_sum_ways_of_exploding_dice<C: Count>(
    settled: Vec<Ranked<C>>,
    rising: Vec<Ranked<C>>,
    weight: u64,
    dice: u32,
    keep: Keep,
    work: &mut Work,
) -> Done<Poly<C>> {
    let most = usize::try_from(dice * MOST_EXPLOSIONS).map_err(|_| Trouble::TooLarge)?;
    let count = usize::try_from(dice).map_err(|_| Trouble::TooLarge)?;
    let kinds = [
        Kind {
            count,
            values: settled,
        },
        Kind {
            count: most,
            values: rising,
        },
    ];
    let states = ways_by_state(&kinds, keep, work)?;
    let spread = ways_by_explosion_count(weight, dice, work)?;
    let mut ways = Poly::empty();
    for (explosions, factor) in spread.iter().enumerate() {
        let state = &states[count + explosions * (count + 1)];
        if !state.is_empty() {
            ways.add_shifted(state, 0, factor, work)?;
        }
    }
    Ok(ways)
}

/// Returns, for each number of explosions, the number of ways to share them among the dice, with the missing ones
/// filled up.
fn ways_by_explosion_count<C: Count>(weight: u64, dice: u32, work: &mut Work) -> Done<Vec<C>> {
    let one = C::one();
    let numbers = 0..=i64::from(MOST_EXPLOSIONS);
    let die = Poly::from_entries(numbers.map(|explosions| (explosions, &one)), work)?;
    let mut spread = die.power(dice, work)?.counts;
    let mut fill = C::one();
    for ways in spread.iter_mut().rev() {
        work.spend_products(2)?;
        *ways = ways.times(&fill);
        fill = fill.scaled(weight);
    }
    Ok(spread)
}
