//! The finding: one thing that an author, player or script did, with advice for it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, json};

use super::fix::Fix;
use super::source::{Source, Span};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The thing cannot be used.
    Error,
    /// The item can be used, but probably does not do what its author intended.
    Warning,
    /// Worth knowing, but not a mistake.
    Note,
}

impl Severity {
    /// Returns the word on screen and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// The place of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text it points into.
    pub source: Arc<Source>,
    /// The range of bytes in that text.
    pub span: Span,
}

impl Place {
    /// Returns the line that it begins in.
    pub fn start_line(&self) -> usize {
        self.source.position(self.span.start).line
    }
}

/// The file and the line: `commands/go.luau:12`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.source.name(), self.start_line())
    }
}

/// A finding: the place, the text found, the text expected and the replacement.
///
/// Shape: `code` is `area/name`; `message` is one sentence in the present tense without a full stop; `hints` are
/// advice, one sentence each; `trace` runs from the innermost frame outwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of this kind of finding, `area/name`.
    pub code: Cow<'static, str>,
    /// Its severity.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// Advice.
    pub hints: Vec<String>,
    /// The place, if there is one.
    pub place: Option<Place>,
    /// Frames of the script that led here.
    pub trace: Vec<String>,
    /// The replacement in the text of the place, if only one is possible.
    pub fix: Option<Fix>,
    /// The replacement if other meanings are possible too: the hint in a form for editors. It is never applied without
    /// being requested.
    pub advice: Option<Box<Fix>>,
    /// The record of the game that caused it, if one did.
    pub record: Option<String>,
}

/// The code of a word that has another name now.
pub const RENAMED: &str = "script/renamed";
/// The end of a hint that offers the fix.
const FIX_OFFER: &str = ", or let `arbiter check --fix` write it";

impl Diagnostic {
    /// Returns an error without place and hints.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code: code.into(),
            severity: Severity::Error,
            message: message.into(),
            hints: Vec::new(),
            place: None,
            trace: Vec::new(),
            fix: None,
            advice: None,
            record: None,
        }
    }

    /// Returns the warning that a written word has another name now, with the fix that writes it.
    pub fn renamed_word_warning(
        source: &Arc<Source>,
        span: Span,
        old: &str,
        now: &str,
    ) -> Diagnostic {
        Diagnostic::warning(RENAMED, format!("`{old}` is called `{now}` now"))
            .with_word_replacement(source, span, old, now)
    }

    /// Returns the finding at a written word, with the hint and the fix that write another word there.
    #[must_use]
    pub fn with_word_replacement(
        self,
        source: &Arc<Source>,
        span: Span,
        word: &str,
        instead: &str,
    ) -> Diagnostic {
        let fix = Fix::word_replacement(source, span, word, instead);
        let offer = fix.as_ref().map_or("", |_| FIX_OFFER);
        let hint = format!("write {instead}{offer}");
        self.hint(hint).with_fix(fix).at(source, span)
    }

    /// Sets the fix. If there is no hint, one offers the fix.
    #[must_use]
    pub fn with_offered_fix(self, fix: Option<Fix>) -> Diagnostic {
        let text = fix.as_ref().map_or("", |fix| fix.replacement.as_str());
        let needs_hint = self.hints.is_empty() && !text.is_empty() && !text.contains('\n');
        let hint = match needs_hint {
            true => format!("write {text}{FIX_OFFER}"),
            false => String::new(),
        };
        self.hint(hint).with_fix(fix)
    }

    /// Removes the fix, and the offer of it from the hints.
    #[must_use]
    pub fn without_fix(mut self) -> Diagnostic {
        self.fix = None;
        for hint in &mut self.hints {
            if let Some(without) = hint.strip_suffix(FIX_OFFER) {
                *hint = without.to_owned();
            }
        }
        self
    }

    /// Returns a warning without place and hints.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, message)
        }
    }

    /// Adds a hint; an empty one is left out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        let hint = hint.into();
        if !hint.is_empty() {
            self.hints.push(hint);
        }
        self
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Span) -> Diagnostic {
        self.place = Some(Place {
            source: Arc::clone(source),
            span,
        });
        self
    }

    /// Sets the fix; nothing if it is not certain.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<Fix>) -> Diagnostic {
        self.fix = fix;
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn with_advice(mut self, advice: Option<Fix>) -> Diagnostic {
        self.advice = advice.map(Box::new);
        self
    }

    /// Returns the fix, or else the advice.
    pub fn fix_or_advice(&self) -> Option<&Fix> {
        self.fix.as_ref().or(self.advice.as_deref())
    }

    /// Returns whether this finding is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns whether this finding is not an error.
    pub fn is_note(&self) -> bool {
        self.severity == Severity::Note
    }

    /// Returns whether the finding is reported only to those who request notes: it is a note at a place. A note without
    /// a place is about a whole book, for example that files of it are not read.
    pub fn is_optional_note(&self) -> bool {
        self.is_note() && self.place.is_some()
    }

    /// Returns the finding in the shape of a refused command:
    /// `{"code", "message", "hints", "path"?, "line"?, "column"?, "trace"?}`.
    pub fn to_error_json(&self) -> serde_json::Value {
        let mut out = Map::new();
        out.insert("code".into(), json!(self.code));
        out.insert("message".into(), json!(self.message));
        out.insert("hints".into(), json!(self.hints));
        if let Some(place) = &self.place {
            let start = place.source.position(place.span.start);
            out.insert("path".into(), json!(place.source.name()));
            out.insert("line".into(), json!(start.line));
            out.insert("column".into(), json!(start.column));
        }
        if !self.trace.is_empty() {
            out.insert("trace".into(), json!(self.trace));
        }
        out.into()
    }

    /// Returns the finding in the shape of `check`: `{"path", "line", "column", "end_line",
    /// "end_column", "severity", "code", "message", "hints", "instead"?}`; without a place the path is empty and
    /// the numbers are 1. `instead` is the fix, `{"line", "column", "end_line", "end_column", "text", "certain"}`.
    pub fn to_check_json(&self) -> serde_json::Value {
        let (path, start, end) = match &self.place {
            Some(Place { source, span }) => (
                source.name(),
                source.position(span.start),
                source.position(span.end),
            ),
            None => (
                "",
                super::Position { line: 1, column: 1 },
                super::Position { line: 1, column: 1 },
            ),
        };
        let mut out = json!({
            "path": path, "line": start.line, "column": start.column,
            "end_line": end.line, "end_column": end.column,
            "severity": self.severity.as_str(), "code": self.code,
            "message": self.message, "hints": self.hints,
        });
        if let (Some(place), Some(instead)) = (&self.place, self.fix_or_advice()) {
            let (start, end) = (
                place.source.position(instead.span.start),
                place.source.position(instead.span.end),
            );
            out["instead"] = json!({
                "line": start.line, "column": start.column,
                "end_line": end.line, "end_column": end.column,
                "text": instead.replacement, "certain": self.fix.is_some(),
            });
        }
        out
    }

    /// Returns the area of its code: `limit` of `limit/fuel`.
    pub fn code_area(&self) -> &str {
        self.code.split('/').next().unwrap_or_default()
    }

    /// Returns a key that puts findings in reading order: path, place, severity, code.
    pub fn sort_key(&self) -> (String, usize, Severity, String) {
        let (path, start) = match &self.place {
            Some(place) => (place.source.name().to_owned(), place.span.start),
            None => (String::new(), 0),
        };
        (path, start, self.severity, self.code.to_string())
    }
}
