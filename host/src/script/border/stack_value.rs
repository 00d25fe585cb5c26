//! Values that pass between scripts and the API. `raw` reads them from the stack and puts them there.

use super::argument_kinds::Kinds;
use crate::value::{Number, NumberError, Value};

/// The table on which a method was called, by its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct This(pub(crate) usize);

/// A name as a script passed it. [`resolve`](super::name_atoms::Atoms::resolve) returns the name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NameArgument {
    /// The atom of a string.
    Atom(u16),
    /// The text of a string without an atom.
    Text(String),
}

/// A plain value that a script passes.
#[derive(Debug)]
pub(crate) struct Argument(pub(crate) Value);

/// A plain value that goes to a script.
#[derive(Debug)]
pub(crate) struct Returned(pub(crate) Value);

/// Arguments or the error in them, and the kinds of the arguments. The function reports the error with its own name.
pub(crate) struct Checked<A>(pub(crate) mlua::Result<A>, pub(crate) Kinds);

/// A list of small tables that goes to a script.
#[derive(Debug, Default)]
pub(crate) struct Rows(pub(crate) Vec<Row>);

/// A table of a list: fields in any order, each key once. A field of nothing is left out.
pub(crate) type Row = Vec<(&'static str, Field)>;

/// A value in a small table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
}

impl Rows {
    /// Returns the same as a plain value. Errors: a number is not finite.
    pub(crate) fn to_value(&self) -> Result<Value, NumberError> {
        let field = |field: &Field| match field {
            Field::Text(text) => Ok(Value::from(text.as_str())),
            Field::Number(number) => Number::from_f64(*number).map(Value::Number),
        };
        let row = |row: &Row| {
            let fields = row.iter().map(|(key, one)| Ok((*key, field(one)?)));
            Ok(Value::map(fields.collect::<Result<Vec<_>, NumberError>>()?))
        };
        let rows: Result<Vec<Value>, NumberError> = self.0.iter().map(row).collect();
        rows.map(Value::list)
    }
}
