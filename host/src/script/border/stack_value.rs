//! What passes between scripts and the API; how it is read off the stack and put there, `raw` knows.

use super::argument_kinds::Kinds;
use crate::value::Value;

/// The table that a method was called on, by its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct This(pub(crate) usize);

/// A name as a script passed it; [`resolve`](super::name_atoms::Atoms::resolve) says what it names.
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

/// Arguments, or what was wrong with them: the function reports it with its own name. With them, the kinds they have.
pub(crate) struct Checked<A>(pub(crate) mlua::Result<A>, pub(crate) Kinds);
