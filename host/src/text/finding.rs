//! Findings of the readers of this layer, before the file of the text is known.

use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span};

/// A finding with a span in the text that was read; the caller knows the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable name, `area/name`.
    pub code: &'static str,
    /// The problem.
    pub message: String,
    /// The place in the text.
    pub span: Span,
    /// Advice.
    pub hints: Vec<String>,
}

impl Finding {
    pub(super) fn new(code: &'static str, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            message: message.into(),
            span,
            hints: Vec::new(),
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Finding {
        let hint = hint.into();
        if !hint.is_empty() {
            self.hints.push(hint);
        }
        self
    }

    /// Returns the finding as an error in `source`, whose byte `offset` is the start of the text read.
    pub fn to_diagnostic(&self, source: &Arc<Source>, offset: usize) -> Diagnostic {
        let hints = self.hints.iter();
        hints.fold(
            Diagnostic::error(self.code, &self.message).at(source, self.span.shifted(offset)),
            |diagnostic, hint| diagnostic.hint(hint),
        )
    }
}
