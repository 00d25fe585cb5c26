//! Reasons to refuse an expression, while it is read or while it runs.

use std::borrow::Cow;
use std::fmt;

use crate::diag::{Diagnostic, Span};

/// The reason why an expression cannot be read or gives no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprError {
    /// Stable name, `area/name`.
    pub code: Cow<'static, str>,
    /// One sentence.
    pub message: String,
    /// The token in the text of the expression; unit: bytes.
    pub at: Span,
    /// Advice; may be empty.
    pub hint: String,
}

impl ExprError {
    pub(super) fn new(code: &'static str, at: Span, message: impl Into<String>) -> ExprError {
        ExprError {
            code: Cow::Borrowed(code),
            message: message.into(),
            at,
            hint: String::new(),
        }
    }

    pub(super) fn hint(self, hint: String) -> ExprError {
        ExprError { hint, ..self }
    }

    /// Returns the refusal as a finding without a place.
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.code.clone(), &*self.message).hint(&*self.hint)
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for ExprError {}

/// The reason why an operation on values gives none; the expression adds the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A number is needed, and this is not a number.
    NotANumber(String),
    /// A division by zero.
    DivisionByZero,
    /// An exponent that is not a whole number from -64 to 64.
    BadPower,
    /// A fraction with more digits than the limit.
    Overflow,
}

impl Fault {
    pub(super) fn into_expr_error(self, word: &str, at: Span) -> ExprError {
        let (code, message) = match self {
            Fault::NotANumber(found) => (
                "expr/type",
                format!("\"{word}\" needs numbers, found {found}"),
            ),
            Fault::DivisionByZero => ("expr/division", format!("\"{word}\" divides by zero")),
            Fault::BadPower => (
                "expr/power",
                format!("the exponent of \"{word}\" is not a whole number from -64 to 64"),
            ),
            Fault::Overflow => (
                "expr/overflow",
                format!("\"{word}\" gives a number of more than 36 digits"),
            ),
        };
        ExprError::new(code, at, message)
    }
}
