//! Multiplies long rows of large counts as two single integers.
//!
//! Each count gets a slot wide enough for the largest sum of products (Kronecker substitution), so that the fast
//! multiplication of large integers does the work of all pairs.

use num_bigint::BigUint;

use super::work_budget::{Done, Trouble, Work};

/// Rows shorter than this are multiplied term by term.
pub(super) const SHORTEST: usize = 32;

/// Returns, for each place, the sum of the products of counts whose places add up to it.
pub(super) fn packed_product(
    left: &[BigUint],
    right: &[BigUint],
    work: &mut Work,
) -> Done<Vec<BigUint>> {
    let widest = |row: &[BigUint]| row.iter().map(BigUint::bits).max().unwrap_or(0);
    let carry = u64::from(usize::BITS - left.len().min(right.len()).leading_zeros());
    let slot = (widest(left) + widest(right) + carry).div_ceil(32);
    let slot = usize::try_from(slot).map_err(|_| Trouble::TooLarge)?.max(1);
    let (long, short) = (left.len().max(right.len()), left.len().min(right.len()));
    let words = |length: usize| length.saturating_mul(slot) as u64 / 2 + 1;
    work.spend_steps(words(long).saturating_mul(2 * words(short).isqrt() + 8))?;
    let digits = (pack_row(left, slot) * pack_row(right, slot)).to_u32_digits();
    let mut counts: Vec<BigUint> = digits.chunks(slot).map(BigUint::from_slice).collect();
    counts.resize(left.len() + right.len() - 1, BigUint::ZERO);
    Ok(counts)
}

fn pack_row(row: &[BigUint], slot: usize) -> BigUint {
    let mut digits = vec![0u32; row.len() * slot];
    for (count, place) in row.iter().zip(digits.chunks_mut(slot)) {
        for (digit, cell) in count.iter_u32_digits().zip(place) {
            *cell = digit;
        }
    }
    BigUint::new(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_product_is_the_product() {
        let row = |length: u32, base: u32| -> Vec<BigUint> {
            let counts = (0..length).map(|place| BigUint::from(base).pow(place % 7) - place % 2);
            counts.collect()
        };
        let (left, right) = (row(40, 1_000_003), row(33, 4_000_000_007));
        let mut plain = vec![BigUint::ZERO; 72];
        for (i, a) in left.iter().enumerate() {
            for (j, b) in right.iter().enumerate() {
                plain[i + j] += a * b;
            }
        }
        assert_eq!(
            packed_product(&left, &right, &mut Work::for_small_counts()),
            Ok(plain)
        );
        let nothing = vec![BigUint::ZERO; 40];
        assert_eq!(
            packed_product(&nothing, &right, &mut Work::for_small_counts()),
            Ok(vec![BigUint::ZERO; 72])
        );
    }
}
