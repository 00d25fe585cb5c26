//! Counts ways for each number of a range: a polynomial whose exponents are totals.

use super::count::Count;
use super::work_budget::{Done, MOST_CELLS, Trouble, Work};

/// Ways for the numbers from `low` on. If `counts` is empty, there are no numbers.
///
/// Invariant: first and last count are not 0.
#[derive(Clone, PartialEq)]
pub(super) struct Poly<C> {
    pub(super) low: i64,
    pub(super) counts: Vec<C>,
}

impl<C: Count> Poly<C> {
    pub(super) fn empty() -> Poly<C> {
        Poly {
            low: 0,
            counts: Vec::new(),
        }
    }

    /// Returns one way to get 0.
    pub(super) fn one() -> Poly<C> {
        Poly {
            low: 0,
            counts: vec![C::one()],
        }
    }

    /// Adds up ways in any order. Errors: `TooLarge` if the numbers are too far apart.
    pub(super) fn from_entries<'a>(
        entries: impl Iterator<Item = (i64, &'a C)> + Clone,
        work: &mut Work,
    ) -> Done<Poly<C>>
    where
        C: 'a,
    {
        let numbers = entries.clone().map(|(number, _)| number);
        let (Some(low), Some(high)) = (numbers.clone().min(), numbers.max()) else {
            return Ok(Poly::empty());
        };
        let mut counts = vec![C::zero(); cell_count(low, high, work)?];
        for (number, count) in entries {
            counts[cell_index(low, number)].add(count);
        }
        Ok(Poly { low, counts })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the highest number with a way.
    pub(super) fn highest_number(&self) -> i64 {
        self.low + length_to_number(self.counts.len()) - 1
    }

    /// Returns numbers and their ways, in order, without those that have none.
    pub(super) fn entries(&self) -> impl Iterator<Item = (i64, &C)> + Clone {
        let numbers = self.low..;
        numbers
            .zip(&self.counts)
            .filter(|(_, count)| !count.is_zero())
    }

    /// Adds the ways of `other`, each `factor` times and `shift` higher.
    pub(super) fn add_shifted(
        &mut self,
        other: &Poly<C>,
        shift: i64,
        factor: &C,
        work: &mut Work,
    ) -> Done<()> {
        let low = other.low.checked_add(shift).ok_or(Trouble::TooLarge)?;
        let high = low
            .checked_add(length_to_number(other.counts.len()))
            .ok_or(Trouble::TooLarge)?;
        work.spend_products(other.counts.len())?;
        self.make_room_for_range(low, high - 1, work)?;
        let start = cell_index(self.low, low);
        for (cell, count) in self.counts[start..].iter_mut().zip(&other.counts) {
            cell.add(&count.times(factor));
        }
        Ok(())
    }

    /// Allocates cells for the numbers from `low` to `high`.
    fn make_room_for_range(&mut self, low: i64, high: i64, work: &mut Work) -> Done<()> {
        if self.is_empty() {
            self.low = low;
            self.counts = vec![C::zero(); cell_count(low, high, work)?];
            return Ok(());
        }
        let (old_low, old_high) = (self.low, self.highest_number());
        if high > old_high {
            let length = cell_count(old_low, high, work)?;
            self.counts.resize(length, C::zero());
        }
        if low < old_low {
            let more = cell_count(low, old_low, work)? - 1;
            cell_count(low, self.highest_number(), work)?;
            self.counts
                .splice(0..0, std::iter::repeat_n(C::zero(), more));
            self.low = low;
        }
        Ok(())
    }

    /// Returns the ways of sums of one number of each.
    pub(super) fn product(&self, other: &Poly<C>, work: &mut Work) -> Done<Poly<C>> {
        if self.is_empty() || other.is_empty() {
            return Ok(Poly::empty());
        }
        let low = self.low.checked_add(other.low).ok_or(Trouble::TooLarge)?;
        let length = self.counts.len() + other.counts.len() - 1;
        let length = cell_count(low, low + length_to_number(length) - 1, work)?;
        if let Some(counts) = C::fast_row_product(&self.counts, &other.counts, work) {
            return Ok(Poly {
                low,
                counts: counts?,
            });
        }
        let mut counts = vec![C::zero(); length];
        for (left, ways) in self.counts.iter().enumerate() {
            if ways.is_zero() {
                continue;
            }
            work.spend_products(other.counts.len())?;
            for (cell, more) in counts[left..].iter_mut().zip(&other.counts) {
                cell.add(&ways.times(more));
            }
        }
        Ok(Poly { low, counts })
    }

    /// Returns the ways of sums of `exponent` numbers of this.
    pub(super) fn power(&self, exponent: u32, work: &mut Work) -> Done<Poly<C>> {
        if exponent > 1 && C::IS_WIDE && !self.is_empty() {
            return self.power_by_recurrence(exponent, work);
        }
        let mut result = Poly::one();
        for step in 0..exponent {
            result = if step == 0 {
                self.clone()
            } else {
                result.product(self, work)?
            };
        }
        Ok(result)
    }

    /// Computes a power by the recurrence of its coefficients, which needs the fewest products.
    ///
    /// Source: J. C. P. Miller; from `b = a^n` follows `a·b' = n·a'·b`, hence
    /// `k·a0·b[k] = Σ (n·i + i - k)·a[i]·b[k-i]`.
    fn power_by_recurrence(&self, exponent: u32, work: &mut Work) -> Done<Poly<C>> {
        let times = usize::try_from(exponent).map_err(|_| Trouble::TooLarge)?;
        let low = self
            .low
            .checked_mul(i64::from(exponent))
            .ok_or(Trouble::TooLarge)?;
        let degree = (self.counts.len() - 1)
            .checked_mul(times)
            .ok_or(Trouble::TooLarge)?;
        let length = cell_count(0, length_to_number(degree), work)?;
        let terms: Vec<(usize, &C)> = (self.counts.iter().enumerate().skip(1))
            .filter(|(_, count)| !count.is_zero())
            .collect();
        let mut counts = Vec::with_capacity(length);
        counts.push(self.counts[0].power(exponent));
        for place in 1..length {
            work.spend_products(2 * terms.len() + 1)?;
            let (mut plus, mut minus) = (C::zero(), C::zero());
            for (step, count) in terms.iter().take_while(|(step, _)| *step <= place) {
                let product = count.times(&counts[place - step]);
                let forward = (times + 1) * step;
                let factor = u64::try_from(forward.abs_diff(place)).unwrap_or(u64::MAX);
                let side = if forward > place {
                    &mut plus
                } else {
                    &mut minus
                };
                side.add(&product.scaled(factor));
            }
            plus.subtract(&minus);
            let divisor = self.counts[0].scaled(u64::try_from(place).unwrap_or(u64::MAX));
            counts.push(plus.divided_exactly(&divisor));
        }
        Ok(Poly { low, counts })
    }
}

/// Returns how many numbers there are from `low` to `high`, if they may be counted at once.
pub(super) fn cell_count(low: i64, high: i64, work: &mut Work) -> Done<usize> {
    let length = i128::from(high) - i128::from(low) + 1;
    match u64::try_from(length) {
        Ok(length) if length <= MOST_CELLS => {
            work.spend_steps(length / 4)?;
            usize::try_from(length).map_err(|_| Trouble::TooLarge)
        }
        Ok(_) | Err(_) => Err(Trouble::TooLarge),
    }
}

/// Returns the index of the ways of `number`.
pub(super) fn cell_index(low: i64, number: i64) -> usize {
    usize::try_from(number - low).expect("invariant: a number is not below the lowest")
}

fn length_to_number(length: usize) -> i64 {
    i64::try_from(length).expect("invariant: lengths are below the number of cells")
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn both_ways_to_a_power_agree() {
        let entries = [(-2i64, 3u64), (0, 1), (3, 5), (4, 2)];
        let small: Vec<u128> = entries
            .iter()
            .map(|(_, count)| u128::from(*count))
            .collect();
        let wide: Vec<BigUint> = entries
            .iter()
            .map(|(_, count)| BigUint::from(*count))
            .collect();
        let mut work = Work::for_small_counts();
        let numbers = || entries.iter().map(|(number, _)| *number);
        let small = Poly::from_entries(numbers().zip(&small), &mut work)
            .ok()
            .unwrap();
        let wide = Poly::from_entries(numbers().zip(&wide), &mut work)
            .ok()
            .unwrap();
        for exponent in 0..7 {
            let small = small.power(exponent, &mut work).ok().unwrap();
            let wide = wide.power(exponent, &mut work).ok().unwrap();
            assert_eq!(small.low, wide.low);
            let same: Vec<BigUint> = small.counts.into_iter().map(BigUint::from).collect();
            assert_eq!(same, wide.counts);
        }
    }
}
