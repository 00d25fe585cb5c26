//! The shape of data: the form that a schema requires of a definition.
//!
//! A shape is written as a text, a record of shapes, or a list that begins with a text:
//!
//! | written | means |
//! |---|---|
//! | `string` `boolean` `function` `any` | data of this kind; `any` is everything but nothing |
//! | `number` `integer` `decimal` | an exact number; a whole one; a number, or a string of decimal digits |
//! | `integer 1..12` `number 0..` `decimal ..1` | the same within bounds, both included |
//! | `id` `name` | a text of 1 to 64 of `a-z 0-9 _ -`; a name people read, of 1 to 64 characters |
//! | `dice` | dice text or a number; whether the text is dice notation is for the layer that rolls ([`refs_and_dice`]) |
//! | `one of a, b, c` | one of these texts; a choice in digits, `true` or `false` fits that value too |
//! | `ref of roles` | the id of a definition of that collection |
//! | `list of X` `map of X` | a list of X; a map from any key to X |
//! | `X or Y` | either; `or` binds loosest, so `string or list of string` is a string, or a list of strings |
//! | `{ key = X, ["key?"] = X }` | a record: these keys and no others, those with `?` may be missing |
//! | `{ ["*"] = X }` | any other key holds an X |
//! | `{ ["size?, formerly width"] = X }` | the key was called `width`: data with the old key is read, with a warning |
//! | `{ "list of", X }` `{ "map of", X }` `{ "any of", X, Y }` | the same where X is not a text |
//!
//! A `?` after the text of a record's shape (`string?`) makes its key optional too. A key that holds nothing is a
//! missing key. `text`, `whole` and `bool` are former words for `string`, `integer` and `boolean`.

mod check;
mod former_keys;
mod luau_type;
pub(crate) mod parse;
#[cfg(test)]
mod tests;

pub use check::{Leaf, check, refs_and_dice};
pub use former_keys::{FormerKey, rename_former_keys};
pub use parse::{FORMER_WORDS, parse_shape};

use std::fmt;

use crate::value::{Number, Text};

/// The required form of data.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Everything but nothing.
    Any,
    /// A text.
    Text,
    /// An exact number.
    Number(Bounds),
    /// A whole number below 2^53.
    Whole(Bounds),
    /// A number, or a text of decimal digits.
    Decimal(Bounds),
    /// True or false.
    Bool,
    /// A function of a script.
    Function,
    /// An id.
    Id,
    /// A name.
    Name,
    /// Dice text, or a number.
    Dice,
    /// The id of a definition of this collection.
    Ref(Text),
    /// One of these.
    OneOf(Vec<Text>),
    /// A list of this.
    List(Box<Shape>),
    /// A map from any key to this.
    Map(Box<Shape>),
    /// These keys.
    Record(Record),
    /// The first of these shapes that fits.
    Union(Vec<Shape>),
}

/// The least and the greatest number allowed, both included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The least.
    pub low: Option<Number>,
    /// The greatest.
    pub high: Option<Number>,
}

/// The keys of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The keys, in the order of the schema.
    pub fields: Vec<Field>,
    /// The shape of any other key; without it other keys are findings.
    pub others: Option<Box<Shape>>,
}

/// One key of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub key: Text,
    /// The shape of its value.
    pub shape: Shape,
    /// Whether it may be missing.
    pub optional: bool,
    /// Its former name.
    pub formerly: Option<Text>,
}

impl Bounds {
    /// Returns whether the number lies within.
    pub fn holds(&self, number: &Number) -> bool {
        self.low.is_none_or(|low| low <= *number) && self.high.is_none_or(|high| *number <= high)
    }
}

impl Record {
    /// Returns the field with this key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| &*field.key == key)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |bound: Option<Number>| bound.map_or(String::new(), |number| number.to_string());
        if self.low.is_some() || self.high.is_some() {
            write!(out, " {}..{}", side(self.low), side(self.high))?;
        }
        Ok(())
    }
}

/// Prints a shape as messages name it: `a whole number 1..12`, `a list of texts`.
impl fmt::Display for Shape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Any => out.write_str("a value"),
            Shape::Text => out.write_str("a text"),
            Shape::Number(bounds) => write!(out, "a number{bounds}"),
            Shape::Whole(bounds) => write!(out, "a whole number{bounds}"),
            Shape::Decimal(bounds) => write!(out, "a decimal number{bounds}"),
            Shape::Bool => out.write_str("true or false"),
            Shape::Function => out.write_str("a function"),
            Shape::Id => out.write_str("an id (1 to 64 of a-z, 0-9, _ and -)"),
            Shape::Name => out.write_str("a name"),
            Shape::Dice => out.write_str("dice"),
            Shape::Ref(collection) => write!(out, "the id of one of the {collection}"),
            Shape::OneOf(choices) => write!(out, "one of {}", choices.join(", ")),
            Shape::List(item) => write!(out, "a list, each item {item}"),
            Shape::Map(item) => write!(out, "a map, each entry {item}"),
            Shape::Record(record) => {
                let keys: Vec<&str> = record.fields.iter().map(|field| &*field.key).collect();
                let among = if keys.is_empty() {
                    ""
                } else {
                    " with the keys "
                };
                write!(out, "a map{among}{}", keys.join(", "))
            }
            Shape::Union(shapes) => {
                let each: Vec<String> = shapes.iter().map(Shape::to_string).collect();
                out.write_str(&each.join(" or "))
            }
        }
    }
}
