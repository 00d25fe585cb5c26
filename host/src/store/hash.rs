//! The hash of a state: a sum over its cells, so the cost of a change depends only on the changed cells.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use crate::value::{Value, write_text, write_value};

/// The sum modulo 2^256 of the BLAKE3 hashes of all cells, each read as a number, first byte highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StateHash {
    /// The lowest 64 bits come first.
    limbs: [u64; 4],
}

impl StateHash {
    /// Returns the hash of one cell; `Nil` means no cell and counts nothing.
    pub fn of_cell(row: &str, field: &str, value: &Value) -> StateHash {
        Sum::of_cell(&mut Vec::new(), row, field, value).hash
    }

    /// Reads the output of `Display`: 64 lower-case hex digits.
    pub fn parse(text: &str) -> Option<StateHash> {
        let digits =
            text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let limb = |at: usize| u64::from_str_radix(text.get(at * 16..at * 16 + 16)?, 16).ok();
        let parts = if digits {
            Some([limb(3)?, limb(2)?, limb(1)?, limb(0)?])
        } else {
            None
        };
        parts.map(|limbs| StateHash { limbs })
    }

    fn from_bytes(bytes: [u8; 32]) -> StateHash {
        let (parts, _) = bytes.as_chunks::<8>();
        let mut limbs = [0; 4];
        for (limb, part) in limbs.iter_mut().rev().zip(parts) {
            *limb = u64::from_be_bytes(*part);
        }
        StateHash { limbs }
    }
}

/// Sum over cells: their hash, and the number of hashed bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) hash: StateHash,
    pub(super) bytes: u64,
}

impl Sum {
    /// Returns the sum of one cell; the buffer is reused for the next cell.
    pub(super) fn of_cell(scratch: &mut Vec<u8>, row: &str, field: &str, value: &Value) -> Sum {
        if value.is_nil() {
            return Sum::default();
        }
        scratch.clear();
        write_text(scratch, row);
        write_text(scratch, field);
        write_value(scratch, value);
        Sum {
            hash: StateHash::from_bytes(*blake3::hash(scratch).as_bytes()),
            bytes: scratch.len() as u64,
        }
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        self.hash += other.hash;
        self.bytes += other.bytes;
    }
}

impl SubAssign for Sum {
    fn sub_assign(&mut self, other: Sum) {
        self.hash -= other.hash;
        self.bytes -= other.bytes;
    }
}

impl AddAssign for StateHash {
    fn add_assign(&mut self, other: StateHash) {
        let mut carry = false;
        for (limb, added) in self.limbs.iter_mut().zip(other.limbs) {
            let (sum, first) = limb.overflowing_add(added);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, first || second);
        }
    }
}

impl SubAssign for StateHash {
    fn sub_assign(&mut self, other: StateHash) {
        let mut borrow = false;
        for (limb, taken) in self.limbs.iter_mut().zip(other.limbs) {
            let (rest, first) = limb.overflowing_sub(taken);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (rest, first || second);
        }
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.limbs
            .iter()
            .rev()
            .try_for_each(|limb| write!(out, "{limb:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_carry_across_all_limbs_and_back() {
        let mut hash = StateHash {
            limbs: [u64::MAX; 4],
        };
        let one = StateHash {
            limbs: [1, 0, 0, 0],
        };
        hash += one;
        assert_eq!(hash, StateHash::default());
        hash -= one;
        assert_eq!(hash.to_string(), "f".repeat(64));
        assert_eq!(StateHash::parse(&hash.to_string()), Some(hash));
        assert_eq!(StateHash::parse(&"F".repeat(64)), None);
        assert_eq!(StateHash::parse("é"), None);
    }

    #[test]
    fn a_cell_is_hashed_as_row_field_and_value() {
        let mut bytes = b"\x03ann\x02hp".to_vec();
        write_value(&mut bytes, &Value::from(7));
        let expected = blake3::hash(&bytes).to_hex();
        let cell = StateHash::of_cell("ann", "hp", &Value::from(7));
        assert_eq!(cell.to_string(), expected.as_str());
        assert_eq!(
            StateHash::of_cell("ann", "hp", &Value::Nil),
            StateHash::default()
        );
    }
}
