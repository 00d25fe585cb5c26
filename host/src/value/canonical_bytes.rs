//! Writes values as bytes that are the same on every machine, and reads them back.
//!
//! One value has one encoding: a tag byte, then lengths and numbers as LEB128. Reading refuses every other encoding, so
//! that equal bytes mean equal values and the reverse.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{Number, Text, Value};

const NIL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const NUMBER: u8 = 3;
const TEXT: u8 = 4;
const LIST: u8 = 5;
const MAP: u8 = 6;

/// Values nest at most this deep, here as at the script border.
const DEPTH: usize = 16;

/// Reasons why bytes are not a canonical value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanonicalError {
    /// The bytes end too early.
    Short,
    /// The bytes differ from the output of the writer.
    Malformed,
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            CanonicalError::Short => "the bytes end in the middle of a value",
            CanonicalError::Malformed => "the bytes are not in canonical form",
        })
    }
}

/// Appends a length or count.
pub(crate) fn write_length(out: &mut Vec<u8>, length: usize) {
    write_u128(out, length as u128);
}

/// Appends a text with its length.
pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    write_length(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Appends the canonical bytes of a value.
pub fn write_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Nil => out.push(NIL),
        Value::Bool(false) => out.push(FALSE),
        Value::Bool(true) => out.push(TRUE),
        Value::Number(number) => {
            let (digits, scale) = number.digits_and_scale();
            out.extend([
                NUMBER,
                u8::try_from(scale).expect("invariant: a scale is below 29"),
            ]);
            write_u128(out, ((digits << 1) ^ (digits >> 127)).cast_unsigned());
        }
        Value::Text(text) => {
            out.push(TEXT);
            write_text(out, text);
        }
        Value::List(items) => {
            out.push(LIST);
            write_length(out, items.len());
            for item in items.iter() {
                write_value(out, item);
            }
        }
        Value::Map(entries) => {
            out.push(MAP);
            write_length(out, entries.len());
            for (key, value) in entries.iter() {
                write_text(out, key);
                write_value(out, value);
            }
        }
    }
}

fn write_u128(out: &mut Vec<u8>, mut value: u128) {
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

/// Reads the output of the writers of this module.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns a reader over `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// Returns whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads one value. Errors: `Short`, `Malformed`.
    pub fn read_value(&mut self) -> Result<Value, CanonicalError> {
        self.read_value_at_depth(0)
    }

    /// Reads a length; it is at most the number of bytes left, so that it is safe to reserve.
    pub(crate) fn read_length(&mut self) -> Result<usize, CanonicalError> {
        let length = usize::try_from(self.read_u128()?).map_err(|_| CanonicalError::Malformed)?;
        if length > self.rest.len() {
            Err(CanonicalError::Short)
        } else {
            Ok(length)
        }
    }

    /// Reads a text with its length.
    pub(crate) fn read_text(&mut self) -> Result<&'a str, CanonicalError> {
        let length = self.read_length()?;
        let bytes = self.take_bytes(length)?;
        std::str::from_utf8(bytes).map_err(|_| CanonicalError::Malformed)
    }

    fn read_value_at_depth(&mut self, depth: usize) -> Result<Value, CanonicalError> {
        if depth > DEPTH {
            return Err(CanonicalError::Malformed);
        }
        match self.read_byte()? {
            NIL => Ok(Value::Nil),
            FALSE => Ok(Value::Bool(false)),
            TRUE => Ok(Value::Bool(true)),
            NUMBER => self.read_number(),
            TEXT => self.read_text().map(Value::from),
            LIST => {
                let count = self.read_length()?;
                let items = (0..count).map(|_| self.read_value_at_depth(depth + 1));
                Ok(Value::List(Arc::new(items.collect::<Result<_, _>>()?)))
            }
            MAP => self.read_map(depth),
            _ => Err(CanonicalError::Malformed),
        }
    }

    fn read_number(&mut self) -> Result<Value, CanonicalError> {
        let scale = u32::from(self.read_byte()?);
        let folded = self.read_u128()?;
        let digits = (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed());
        let number =
            Number::from_digits_and_scale(digits, scale).map_err(|_| CanonicalError::Malformed)?;
        if number.digits_and_scale() != (digits, scale) {
            return Err(CanonicalError::Malformed);
        }
        Ok(Value::Number(number))
    }

    fn read_map(&mut self, depth: usize) -> Result<Value, CanonicalError> {
        let count = self.read_length()?;
        let mut entries: BTreeMap<Text, Value> = BTreeMap::new();
        for _ in 0..count {
            let key: Text = self.read_text()?.into();
            if entries
                .last_key_value()
                .is_some_and(|(last, _)| *last >= key)
            {
                return Err(CanonicalError::Malformed);
            }
            let value = self.read_value_at_depth(depth + 1)?;
            entries.insert(key, value);
        }
        Ok(Value::Map(Arc::new(entries)))
    }

    fn read_u128(&mut self) -> Result<u128, CanonicalError> {
        let mut value = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.read_byte()?;
            let low = u128::from(byte & 0x7f);
            if (low << shift) >> shift != low {
                return Err(CanonicalError::Malformed);
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                let padded = byte == 0 && shift > 0;
                return if padded {
                    Err(CanonicalError::Malformed)
                } else {
                    Ok(value)
                };
            }
        }
        Err(CanonicalError::Malformed)
    }

    fn read_byte(&mut self) -> Result<u8, CanonicalError> {
        self.take_bytes(1).map(|bytes| bytes[0])
    }

    fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], CanonicalError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(CanonicalError::Short)?;
        self.rest = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Nil),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::from),
            (any::<i64>(), 0u32..28).prop_map(|(n, s)| Number::from_digits_and_scale(
                i128::from(n),
                s
            )
            .unwrap()
            .into()),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
                prop::collection::btree_map("[a-z]{1,3}", inner, 0..4).prop_map(Value::map),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_round_trip(value in any_value()) {
            let mut bytes = Vec::new();
            write_value(&mut bytes, &value);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.read_value(), Ok(value));
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn accepted_bytes_are_the_bytes_written(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            let mut reader = Reader::new(&bytes);
            if let Ok(value) = reader.read_value() && reader.is_at_end() {
                let mut again = Vec::new();
                write_value(&mut again, &value);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}
