//! Values that pass between scripts and the API. `raw` reads them from the stack and puts them there.

use super::argument_kinds::Kinds;
use crate::value::Value;

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
