//! Arithmetic that rules write as text: postfix (RPN) expressions over exact fractions, compiled once.
//!
//! The caller defines the meaning of names and functions with a [`Scope`], and the allowed names with a [`Dialect`].

mod compile;
mod dialect;
mod error;
mod evaluate;
pub(crate) mod fraction;
mod item;
mod operator;
mod program;
#[cfg(test)]
mod tests;
mod token;

pub use compile::compile;
pub use dialect::{Dialect, Signature};
pub use error::ExprError;
pub use evaluate::Scope;
pub use fraction::Fraction;
pub use item::{Item, Several};
pub use operator::{Operator, OperatorText};
pub use program::{Operand, Program};

/// Bytes of an expression.
pub const BYTES: usize = 4 * 1024;

/// Tokens of an expression.
pub const TOKENS: usize = 1_000;

/// Values that an expression may pile up.
pub const STACK: usize = 256;
