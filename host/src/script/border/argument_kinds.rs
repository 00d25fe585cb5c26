//! Kinds of the arguments of a call: the given kinds, and those that a declaration allows.
//!
//! Both are numbers, so that a call that is as declared costs one comparison.

use mlua::Value;

/// Number of arguments with kinds of their own. The last place also covers all later arguments.
const PLACES: usize = 8;

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Nothing.
    Nothing = 1,
    /// True or false.
    Bool = 2,
    /// A number.
    Number = 4,
    /// A text.
    Text = 8,
    /// A table.
    Table = 16,
    /// A function.
    Function = 32,
    /// A value of the host or of the machine that has no other kind.
    Other = 64,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Text,
        Kind::Number,
        Kind::Bool,
        Kind::Table,
        Kind::Function,
        Kind::Other,
        Kind::Nothing,
    ];

    fn in_words(self) -> &'static str {
        match self {
            Kind::Nothing => "nothing",
            Kind::Bool => "true or false",
            Kind::Number => "a number",
            Kind::Text => "a text",
            Kind::Table => "a table",
            Kind::Function => "a function",
            Kind::Other => "a host object",
        }
    }

    /// Returns the kind of a value.
    fn of(value: &Value) -> Kind {
        match value {
            Value::Nil => Kind::Nothing,
            Value::Boolean(_) => Kind::Bool,
            Value::Integer(_) | Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::Text,
            Value::Table(_) => Kind::Table,
            Value::Function(_) => Kind::Function,
            _ => Kind::Other,
        }
    }
}

/// One byte for each argument, the lowest for the first. The byte has a bit for each kind of the argument, or for each
/// allowed kind.
///
/// A missing argument has the kind nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u64);

/// An argument that is not as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The place of the argument, from 1. The value on which a method is called counts.
    pub(crate) place: usize,
    /// The allowed kinds, in words.
    pub(crate) expected: String,
    /// The given kind, in words.
    pub(crate) found: &'static str,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds::ANY
    }
}

impl Kinds {
    /// No argument at all.
    pub(crate) const NONE: Kinds = Kinds(0x0101_0101_0101_0101);
    /// Any arguments.
    pub(crate) const ANY: Kinds = Kinds(u64::MAX);

    /// Returns the kinds of values.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Kinds {
        let mut kinds = Kinds::NONE;
        for (at, value) in values.into_iter().enumerate() {
            kinds.set_kinds_at(at, Kind::of(value) as u8);
        }
        kinds
    }

    /// Sets the kind of an argument, or its allowed kinds. The arguments are set in order.
    #[inline(always)]
    pub(crate) fn set_kinds_at(&mut self, at: usize, kinds: u8) {
        let is_last = at + 1 >= PLACES;
        let shift = 8 * if is_last { PLACES - 1 } else { at };
        let before = if is_last {
            0
        } else {
            u64::from(u8::MAX) << shift
        };
        self.0 = (self.0 & !before) | (u64::from(kinds) << shift);
    }

    /// Allows any kind for every argument from a place on.
    pub(crate) fn allow_any_from(&mut self, at: usize) {
        for at in at..PLACES {
            self.set_kinds_at(at, u8::MAX);
        }
    }

    /// Returns whether the kinds allow one argument, and none after it.
    pub(crate) fn takes_one_argument(self) -> bool {
        self != Kinds::NONE && self.0 >> 8 == Kinds::NONE.0 >> 8
    }

    /// Returns whether each argument is of a kind that is `allowed`.
    #[inline(always)]
    pub(crate) fn are_within(self, allowed: Kinds) -> bool {
        self.0 & !allowed.0 == 0
    }

    /// Returns the first argument that is not of a kind that is `allowed`.
    pub(crate) fn first_wrong(self, allowed: Kinds) -> Option<Wrong> {
        match self.0 & !allowed.0 {
            0 => None,
            beyond => Some(wrong_argument_from_bits(beyond, allowed)),
        }
    }
}

#[cold]
fn wrong_argument_from_bits(beyond: u64, allowed: Kinds) -> Wrong {
    let at = beyond.trailing_zeros() as usize / 8;
    let in_place = |bits: u64| bits.to_le_bytes()[at];
    let words = |kinds: u8| {
        let held = Kind::ALL.into_iter();
        let held = held.filter(move |kind| kinds & *kind as u8 != 0);
        held.map(Kind::in_words)
    };
    let allowed = in_place(allowed.0);
    let expected: Vec<&str> = match allowed == Kind::Nothing as u8 {
        true => words(allowed).collect(),
        false => words(allowed & !(Kind::Nothing as u8)).collect(),
    };
    let found = words(in_place(beyond)).next();
    Wrong {
        place: at + 1,
        expected: expected.join(" or "),
        found: match found.unwrap_or_default() {
            "true or false" => "a boolean",
            found => found,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_TEXT_AND_MORE: Kinds = Kinds(0x0101_0101_0101_0908);

    fn given(kinds: &[Kind]) -> Kinds {
        let mut given = Kinds::NONE;
        for (at, kind) in kinds.iter().enumerate() {
            given.set_kinds_at(at, *kind as u8);
        }
        given
    }

    #[test]
    fn the_first_argument_of_another_kind_is_told() {
        use Kind::{Bool, Nothing, Number, Text};
        let wrong = |kinds: &[Kind]| given(kinds).first_wrong(ONE_TEXT_AND_MORE);
        for fine in [&[Text][..], &[Text, Text], &[Text, Nothing, Nothing]] {
            assert_eq!(wrong(fine), None, "{fine:?}");
        }
        let told = |kinds: &[Kind]| {
            let wrong = wrong(kinds).unwrap();
            (wrong.place, wrong.expected, wrong.found)
        };
        let text = "a text".to_owned();
        assert_eq!(told(&[Number, Bool]), (1, text.clone(), "a number"));
        assert_eq!(told(&[]), (1, text.clone(), "nothing"));
        assert_eq!(told(&[Text, Bool]), (2, text, "a boolean"));
        assert_eq!(
            told(&[Text, Text, Bool]),
            (3, "nothing".to_owned(), "a boolean")
        );
    }

    #[test]
    fn arguments_behind_the_last_place_count_as_one() {
        let mut many = vec![Kind::Text; 2];
        many.resize(11, Kind::Nothing);
        assert_eq!(given(&many).first_wrong(ONE_TEXT_AND_MORE), None);
        many[10] = Kind::Table;
        let wrong = given(&many).first_wrong(ONE_TEXT_AND_MORE).unwrap();
        assert_eq!((wrong.place, wrong.found), (8, "a table"));
        let mut open = ONE_TEXT_AND_MORE;
        open.allow_any_from(2);
        assert_eq!(given(&many).first_wrong(open), None);
    }
}
