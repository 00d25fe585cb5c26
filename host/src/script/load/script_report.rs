//! The function `report`, which the check of a schema calls for an error in a definition.
//!
//! `report { at?, key?, text?, from?, to?, code, message, hint?, severity?, still_loads? }`: `at` is a path of keys and
//! indexes from 1. The finding is placed at the node of that path, or at the nearest node above it. Without `at`, it is
//! placed at the whole definition. With `key = true` the finding is placed at the key of that node. In a text, `from`
//! and `to` may point at a piece. They count characters from 1, both are included, and without `to` the piece ends with
//! the text. Instead, `text` may contain words that occur once. If the piece cannot be located exactly, the finding is
//! placed at the whole text. `hint` is a text or a list of them. `severity` is `error`, `warning` or `note`. A code
//! without `/` gets the name of the ruleset in front. `still_loads = true` means that the definition is used despite
//! the error, as far as its ruleset can.
//!
//! A definition that is a text in a language of the ruleset has no tree. There `from` and `to` are bytes of the file
//! from 1, both included, without `to` up to the end of the line. `fix` is a text that may replace these bytes without
//! asking a user. `instead` is a text that may be meant, for editors to offer, or `{ text, from, to }` if it has
//! another place. `instead` is a list if several may be meant. `typo = true` means that a typo may be the only mistake.
//! `typo = { expected = { WORD } }` means the same if one of these words is missing there. An edit that makes the text
//! right is then looked for, see [`super::texts::edit_search`]. Without `from` and `to` the finding is placed at the
//! first line. `fully_read = true` means that all of the text was read despite the error, so that the text can be
//! written out.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use mlua::Value as LuaValue;

use crate::content::{Node, Step};
use crate::diag::{Diagnostic, Fix, Severity, Source, Span, near_hint};
use crate::script::api::code_with_area;
use crate::script::border::key_path::read_path;
use crate::script::border::value_conversion::from_lua;
use crate::script::former_names;
use crate::script::host::error_findings::{HostError, shorten_error_text};
use crate::value::{Text, Value};

/// The keys of `report`.
const KEYS: [&str; 14] = [
    "at",
    "code",
    "fix",
    "from",
    "fully_read",
    "hint",
    "instead",
    "key",
    "message",
    "severity",
    "still_loads",
    "text",
    "to",
    "typo",
];

/// Hints of one finding that are kept.
const HINTS: usize = 10;

/// A finding at a longer piece of a text does not show where the error is.
/// unit: bytes
const WIDE: usize = 24;

/// A finding of a check before it has its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    at: Vec<Step>,
    is_key: bool,
    piece: Option<Piece>,
    /// The text that may replace the piece of a text.
    fix: Option<String>,
    /// Suggested texts in place of it.
    instead: Vec<(String, Option<Piece>)>,
    /// Words: one of them may be missing, in a text that one edit may put right.
    slip: Option<Vec<String>>,
    is_whole: bool,
    is_kept: bool,
    finding: Diagnostic,
}

/// The data about hidden findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HiddenFindings {
    pub(crate) count: usize,
    worst: Severity,
    /// Whether a part could not be read.
    is_loss: bool,
    /// Whether one of them takes its definition out of the rules.
    breaks: bool,
}

impl Default for HiddenFindings {
    fn default() -> HiddenFindings {
        HiddenFindings {
            count: 0,
            worst: Severity::Note,
            is_loss: false,
            breaks: false,
        }
    }
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Characters from 0, or bytes in a file.
    Range(Range<usize>),
    Words(Text),
}

impl Report {
    /// Reads a report of a script. `area` is the area of codes without an area. Errors: the report is invalid.
    pub(crate) fn read(said: LuaValue, area: &str) -> mlua::Result<Report> {
        let said = from_lua(said).map_err(|why| invalid_report_error(&why.to_string()))?;
        let Some(fields) = said.as_map() else {
            return Err(invalid_report_error(&format!("found a {}", said.kind())));
        };
        let present = fields.iter();
        let present = present
            .map(|(key, value)| (former_names::present_report_key(key).into(), value.clone()));
        let fields: BTreeMap<Text, Value> = present.collect();
        if let Some(strange) = fields.keys().find(|key| !KEYS.contains(&&***key)) {
            return Err(unknown_key_error(strange));
        }
        Report::from_fields(&fields, area).map_err(|why| invalid_report_error(&why))
    }

    fn from_fields(fields: &BTreeMap<Text, Value>, area: &str) -> Result<Report, String> {
        let get = |key: &str| fields.get(key).unwrap_or(&Value::Nil);
        let needed = |key: &str| get(key).as_str().ok_or(format!("`{key}` is not a text"));
        let code = needed("code")?;
        let code = code_with_area(code, area).ok_or(format!("{code:?} is not a code"))?;
        let mut finding = Diagnostic::error(code, shorten_error_text(needed("message")?));
        finding.severity = read_severity(get("severity"))?;
        for hint in read_hints(get("hint"))?.into_iter().take(HINTS) {
            finding = finding.hint(shorten_error_text(&hint));
        }
        Ok(Report {
            at: read_path(get("at")).map_err(|why| format!("`at` {why}"))?,
            is_key: read_flag("key", get("key"))?,
            piece: read_piece(get("text"), get("from"), get("to"))?,
            fix: read_text("fix", get("fix"))?,
            instead: read_replacements(get("instead"))?,
            slip: read_typo_key(get("typo"))?,
            is_whole: read_flag("fully_read", get("fully_read"))?,
            is_kept: read_flag("still_loads", get("still_loads"))?,
            finding,
        })
    }

    /// Returns a report with the number of hidden findings of a definition. Its severity is the highest of them.
    pub(crate) fn hidden_findings_summary(untold: HiddenFindings, told: usize) -> Report {
        let count = untold.count;
        let findings = match count {
            1 => "finding here is",
            _ => "findings here are",
        };
        let message = match told {
            0 => format!("{count} {findings} not shown, after so many in other files"),
            told => format!("{count} more {findings} not shown, only the first {told}"),
        };
        let mut finding = Diagnostic::error("limit/findings", message)
            .hint("fix those that are shown, then check again");
        finding.severity = untold.worst;
        Report {
            at: Vec::new(),
            is_key: false,
            piece: None,
            fix: None,
            instead: Vec::new(),
            slip: None,
            is_whole: !untold.is_loss,
            is_kept: !untold.breaks,
            finding,
        }
    }

    /// Counts it among the hidden findings.
    pub(crate) fn count_as_hidden(&self, untold: &mut HiddenFindings) {
        untold.count += 1;
        // The worst comes first.
        untold.worst = untold.worst.min(self.finding.severity);
        untold.is_loss |= self.is_unread_part();
        untold.breaks |= self.breaks_definition();
    }

    /// Returns whether it is an error.
    pub(crate) fn is_error(&self) -> bool {
        self.finding.is_error()
    }

    /// Returns whether it takes the definition out of the rules.
    pub(crate) fn breaks_definition(&self) -> bool {
        self.is_error() && !self.is_kept
    }

    /// Returns whether a part of a text could not be read.
    pub(crate) fn is_unread_part(&self) -> bool {
        self.is_error() && !self.is_whole
    }

    /// Returns the finding at its place in the tree of a definition.
    pub(crate) fn finding_in_tree(self, node: &Node, source: &Arc<Source>) -> Diagnostic {
        let reached = node.follow_path(&self.at);
        let exact = self.piece.filter(|_| reached.is_end && !self.is_key);
        let exact = exact.and_then(|piece| match piece {
            Piece::Range(wanted) => reached.node.span_of_characters(source, wanted),
            Piece::Words(wanted) => reached.node.span_of_words(source, &wanted),
        });
        let key = reached.key.filter(|_| self.is_key);
        let whole = || reached.node.first_line_span(source);
        let span: Span = exact.or(key).unwrap_or_else(whole);
        self.finding.at(source, span)
    }

    /// Returns the finding at its place in a file that is one definition, as a text.
    pub(crate) fn finding_in_text(self, source: &Arc<Source>) -> Diagnostic {
        let exact = self.exact_span(source);
        let mut meant = self.suggested_edits(source);
        // Only a person can choose one of several suggestions.
        let advice = meant.pop().filter(|_| meant.is_empty());
        let fix = self.certain_fix(source);
        let span = exact.unwrap_or_else(|| source.line_span(1));
        self.finding
            .at(source, span)
            .with_offered_fix(fix)
            .with_advice(advice)
    }

    /// Returns the place in a text that it points at.
    fn exact_span(&self, source: &Source) -> Option<Span> {
        match self.piece.as_ref()? {
            Piece::Range(wanted) => Some(clamped_span(source.text(), wanted.clone())),
            Piece::Words(wanted) => unique_occurrence(source.text(), wanted),
        }
    }

    /// Returns the place of the finding in a text.
    pub(crate) fn span_in_text(&self, source: &Source) -> Span {
        self.exact_span(source)
            .unwrap_or_else(|| source.line_span(1))
    }

    /// Returns the suggested texts, in the order of the report.
    pub(crate) fn suggested_edits(&self, source: &Source) -> Vec<Fix> {
        let placed = self.instead.iter().filter_map(|(text, place)| {
            let span = match place {
                Some(Piece::Range(wanted)) => Some(clamped_span(source.text(), wanted.clone())),
                Some(Piece::Words(_)) | None => self.exact_span(source),
            };
            span.map(|span| Fix::new(span, text.as_str()))
        });
        placed.collect()
    }

    /// Returns the fix that needs no answer of a user.
    pub(crate) fn certain_fix(&self, source: &Source) -> Option<Fix> {
        let certain = self.exact_span(source).zip(self.fix.as_deref());
        certain.map(|(span, text)| Fix::new(span, text))
    }

    /// Returns the words if one of them may be missing, and one edit may put the text right.
    pub(crate) fn missing_words_of_typo(&self) -> Option<&[String]> {
        self.slip.as_deref()
    }

    /// Returns whether it is a remark and not an error.
    pub(crate) fn is_note(&self) -> bool {
        self.finding.is_note()
    }

    /// Returns code and message.
    pub(crate) fn code_and_message(&self) -> (String, String) {
        let Diagnostic { code, message, .. } = &self.finding;
        (code.to_string(), message.clone())
    }

    /// Removes the suggested texts and the certain fix: they do not put the text right.
    pub(crate) fn withdraw_edits(&mut self) {
        self.instead = Vec::new();
        self.fix = None;
    }

    /// Replaces the hints.
    pub(crate) fn replace_hints(&mut self, hint: String) {
        self.finding.hints = vec![hint];
    }

    /// Suggests an edit, and adds the hint if there is one. If the finding is not placed at the edit, or at a long
    /// piece, it moves to the edit.
    pub(crate) fn suggest_edit(&mut self, source: &Source, edit: Fix, hint: Option<String>) {
        let (own, Span { start, end }) = (self.span_in_text(source), edit.span);
        let text = source.text();
        let touches = own.start <= end && start <= own.end;
        let is_wide = own.end - own.start > WIDE;
        // A bullet belongs to the line that begins with it.
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let is_bullet = end < own.start
            && text[line..start].trim().is_empty()
            && text[end..own.start].trim().is_empty();
        if !is_bullet && (is_wide || !touches) {
            // A missing piece has no letters of its own: the finding is placed at its neighbour.
            let next = text[end..].chars().next().filter(|c| *c != '\n');
            let before = text[..start].chars().next_back().map_or(0, char::len_utf8);
            let place = match (start == end, next) {
                (false, _) => start..end,
                (true, Some(next)) => start..end + next.len_utf8(),
                (true, None) => start - before..end,
            };
            self.piece = Some(Piece::Range(place));
        }
        if let Some(hint) = hint {
            // The suggested text does not help. Other advice may.
            if !self.instead.is_empty() || self.fix.is_some() {
                self.finding.hints.clear();
            }
            self.finding.hints.insert(0, hint);
        }
        let Span { start, end } = edit.span;
        self.instead = vec![(edit.replacement, Some(Piece::Range(start..end)))];
        self.fix = None;
    }
}

/// Returns the part of a range of bytes that is in a text, widened to whole characters. A range without an end reaches
/// to the end of the line.
fn clamped_span(text: &str, wanted: Range<usize>) -> Span {
    let start = text.floor_char_boundary(wanted.start.min(text.len()));
    let line_end = || {
        text[start..]
            .find('\n')
            .map_or(text.len(), |length| start + length)
    };
    let end = match wanted.end {
        usize::MAX => line_end(),
        end => text.ceil_char_boundary(end.min(text.len())),
    };
    Span::new(start, end.max(start))
}

/// Returns the place of words that occur once.
fn unique_occurrence(text: &str, words: &str) -> Option<Span> {
    let mut found = text.match_indices(words).filter(|_| !words.is_empty());
    let (at, _) = found.next()?;
    let span = Span::new(at, at + words.len());
    found.next().is_none().then_some(span)
}

fn read_severity(said: &Value) -> Result<Severity, String> {
    match (said, said.as_str()) {
        (Value::Nil, _) | (_, Some("error")) => Ok(Severity::Error),
        (_, Some("warning")) => Ok(Severity::Warning),
        (_, Some("note")) => Ok(Severity::Note),
        _ => Err("`severity` is not one of \"error\", \"warning\" and \"note\"".to_owned()),
    }
}

fn read_flag(key: &str, said: &Value) -> Result<bool, String> {
    match said {
        Value::Nil => Ok(false),
        Value::Bool(said) => Ok(*said),
        _ => Err(format!("`{key}` is neither true nor false")),
    }
}

/// Reads the suggested texts, one or a list.
fn read_replacements(said: &Value) -> Result<Vec<(String, Option<Piece>)>, String> {
    let list = match said {
        Value::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let read: Result<Vec<_>, String> = list.iter().map(read_replacement).collect();
    Ok(read?.into_iter().flatten().collect())
}

/// Reads whether one edit may put the text right: true, or `{ expected = { WORD } }`.
fn read_typo_key(said: &Value) -> Result<Option<Vec<String>>, String> {
    match said {
        Value::Nil | Value::Bool(false) => Ok(None),
        Value::Bool(true) => Ok(Some(Vec::new())),
        said => {
            let words = said.get("expected").items().iter();
            let words: Option<Vec<String>> =
                words.map(|one| one.as_str().map(str::to_owned)).collect();
            words
                .map(Some)
                .ok_or_else(|| "`typo.expected` is not a list of words".to_owned())
        }
    }
}

/// Reads a suggested text: a text in the place of the finding, or `{ text, from, to }` in another place.
fn read_replacement(said: &Value) -> Result<Option<(String, Option<Piece>)>, String> {
    match said {
        Value::Map(_) => {
            let written = read_text("instead.text", said.get("text"))?;
            let place = read_piece(&Value::Nil, said.get("from"), said.get("to"))?;
            Ok(written.map(|written| (written, place)))
        }
        said => Ok(read_text("instead", said)?.map(|written| (written, None))),
    }
}

fn read_text(key: &str, said: &Value) -> Result<Option<String>, String> {
    match said {
        Value::Nil => Ok(None),
        said => Ok(Some(
            said.as_str()
                .ok_or_else(|| format!("`{key}` is not a text"))?
                .to_owned(),
        )),
    }
}

fn read_hints(said: &Value) -> Result<Vec<String>, String> {
    let list = match said {
        Value::Nil => &[],
        Value::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts = list.iter().map(|one| one.as_str().map(str::to_owned));
    let texts: Option<Vec<String>> = texts.collect();
    texts.ok_or_else(|| "`hint` is neither a text nor a list of texts".to_owned())
}

fn read_piece(text: &Value, from: &Value, to: &Value) -> Result<Option<Piece>, String> {
    let place = |said: &Value, key: &str, otherwise: usize| match said {
        Value::Nil => Ok(otherwise),
        said => {
            let number = said
                .as_i64()
                .and_then(|number| usize::try_from(number).ok());
            number.ok_or(format!("`{key}` is not a number of characters or bytes"))
        }
    };
    match text {
        Value::Text(words) => Ok(Some(Piece::Words(Arc::clone(words)))),
        Value::Nil if from.is_nil() && to.is_nil() => Ok(None),
        Value::Nil => {
            let (from, to) = (place(from, "from", 1)?, place(to, "to", usize::MAX)?);
            Ok(Some(Piece::Range(from.saturating_sub(1)..to)))
        }
        _ => Err("`text` is not a text".to_owned()),
    }
}

fn unknown_key_error(key: &str) -> mlua::Error {
    let finding = Diagnostic::error("script/argument", format!("`report` has no key `{key}`"));
    let finding = finding.hint(near_hint(key, KEYS));
    HostError::error_of_finding(finding.hint(format!("it takes {}", KEYS.join(", "))))
}

fn invalid_report_error(why: &str) -> mlua::Error {
    let message = format!("`report` expects a table with code and message: {why}");
    let finding = Diagnostic::error("script/argument", message);
    HostError::error_of_finding(finding.hint(
        "write report { at = { \"key\", 2 }, code = \"unknown-thing\", message = \"…\", hint = \"…\" }",
    ))
}
