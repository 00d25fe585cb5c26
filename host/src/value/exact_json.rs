//! The exact form of values in JSON: a written value is read back to the last digit, with every nil.
//!
//! A number is a JSON number with all its digits. A key that begins with `$` is written with one more `$` in front. The
//! reader receives the digits of a number under a key of that kind, and no map may be mistaken for a number.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::{Number, Text, Value};

/// Values nest at most this deep. The limits of the store and the script border are far lower, and the reader of JSON
/// ends at 128.
const DEPTH: usize = 64;

/// A value that is written in exact form.
#[derive(Clone, Copy, Debug)]
pub struct Exact<'a>(pub &'a Value);

/// A value that was read in exact form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadExact(pub Value);

impl Exact<'_> {
    /// Returns whether the value nests more deeply than the reader reads.
    pub fn is_too_deep(&self) -> bool {
        is_deeper_than(self.0, DEPTH)
    }
}

impl Serialize for Exact<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Nil => out.serialize_unit(),
            Value::Bool(value) => out.serialize_bool(*value),
            Value::Number(number) => match number.to_i64() {
                Some(whole) => out.serialize_i64(whole),
                None => serde_json::Number::from_str(&number.to_string())
                    .map_err(S::Error::custom)?
                    .serialize(out),
            },
            Value::Text(text) => out.serialize_str(text),
            Value::List(items) => out.collect_seq(items.iter().map(Exact)),
            Value::Map(entries) => {
                let mut map = out.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    if key.starts_with('$') {
                        map.serialize_entry(&format!("${key}"), &Exact(value))?;
                    } else {
                        map.serialize_entry(&**key, &Exact(value))?;
                    }
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for ReadExact {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<ReadExact, D::Error> {
        let value = input.deserialize_any(ExactVisitor)?;
        if Exact(&value).is_too_deep() {
            return Err(D::Error::custom("a value nests too deeply"));
        }
        Ok(ReadExact(value))
    }
}

/// Reads the inner value; the outermost reader checks the depth once.
struct Inner(Value);

impl<'de> Deserialize<'de> for Inner {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Inner, D::Error> {
        input.deserialize_any(ExactVisitor).map(Inner)
    }
}

struct ExactVisitor;

impl<'de> Visitor<'de> for ExactVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        let number = Number::from_u128(u128::from(value)).map_err(E::custom)?;
        Ok(Value::Number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Inner(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(Arc::new(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map: BTreeMap<Text, Value> = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            let key: Text = match key.strip_prefix('$') {
                None => key.into(),
                Some(own) if own.starts_with('$') => own.into(),
                Some(_) if map.is_empty() => {
                    let digits: String = entries.next_value()?;
                    return Number::from_str(&digits)
                        .map(Value::Number)
                        .map_err(A::Error::custom);
                }
                Some(_) => return Err(A::Error::custom("a key begins with one \"$\"")),
            };
            let Inner(value) = entries.next_value()?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("a map has a key twice"));
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }
}

fn is_deeper_than(value: &Value, depth: usize) -> bool {
    let mut inner = value
        .items()
        .iter()
        .chain(value.as_map().into_iter().flat_map(BTreeMap::values));
    match (value, depth) {
        (Value::List(_) | Value::Map(_), 0) => true,
        _ => inner.any(|one| is_deeper_than(one, depth - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(value: &Value) -> Value {
        let text = serde_json::to_string(&Exact(value)).unwrap();
        serde_json::from_str::<ReadExact>(&text).unwrap().0
    }

    #[test]
    fn numbers_keep_every_digit() {
        for digits in [
            "0",
            "-1",
            "9007199254740991",
            "9007199254740992",
            "-9223372036854775808",
            "18446744073709551616",
            "79228162514264337593543950335",
            "-79228162514264337593543950335",
            "0.0000000000000000000000000001",
            "-7.9228162514264337593543950335",
            "0.1",
            "123456789012345.678901234567",
        ] {
            let number = Value::Number(digits.parse().unwrap());
            let text = serde_json::to_string(&Exact(&number)).unwrap();
            assert_eq!(text, digits);
            assert_eq!(round(&number), number, "{digits}");
        }
    }

    #[test]
    fn no_key_passes_for_a_number() {
        let keys = ["$serde_json::private::Number", "$", "$$", "$$a", "a$", ""];
        for key in keys {
            let map = Value::map([(key, Value::from("7"))]);
            assert_eq!(round(&map), map, "{key}");
        }
        let all = Value::map(keys.map(|key| (key, Value::from(1))));
        assert_eq!(round(&all), all);
    }

    #[test]
    fn nil_stays_where_it_is() {
        let list = Value::list([Value::Nil, Value::from(1), Value::Nil]);
        assert_eq!(round(&list), list);
        let map = Value::Map(Arc::new(BTreeMap::from([("a".into(), Value::Nil)])));
        assert_eq!(round(&map), map);
    }

    #[test]
    fn what_no_writer_wrote_is_refused() {
        let deep = format!("{}{}", "[".repeat(66), "]".repeat(66));
        for text in [
            deep.as_str(),
            "{\"a\":1,\"a\":2}",
            "{\"a\":1,\"$b\":2}",
            "{\"$b\":2}",
            "1e99",
            "[1] x",
        ] {
            assert!(serde_json::from_str::<ReadExact>(text).is_err(), "{text}");
        }
    }
}
