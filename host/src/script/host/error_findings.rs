//! Turns an error of a script into a finding: place, message, trace of rule functions.

use std::fmt;

pub(crate) use crate::diag::shorten_error_text;
use crate::diag::{Diagnostic, Source, Span};
use crate::script::border::root_error;
use crate::script::fuel::Limit;
use crate::script::host::raised_error::Raised;
use crate::script::source::sources::Sources;

/// Frames of a trace that are kept.
const FRAMES: usize = 20;

/// A frame of a rule function: chunk, line, ` in function 'name'`.
pub(super) type Frame = (String, usize, String);

/// A finding on its way through the machine.
#[derive(Debug)]
pub(crate) struct HostError(Box<Diagnostic>);

impl fmt::Display for HostError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.message)
    }
}

impl std::error::Error for HostError {}

impl HostError {
    /// Returns the error that carries a finding.
    pub(crate) fn error_of_finding(finding: impl Into<Box<Diagnostic>>) -> mlua::Error {
        mlua::Error::external(HostError(finding.into()))
    }

    /// Returns the error for a limit that was passed.
    pub(crate) fn error_of_limit(limit: Limit) -> mlua::Error {
        HostError::error_of_finding(Diagnostic::error(limit.code(), limit.to_string()))
    }

    /// Returns the finding inside an error, if it carries one.
    pub(crate) fn finding_of_error(error: &mlua::Error) -> Option<&Diagnostic> {
        error.downcast_ref::<HostError>().map(|found| &*found.0)
    }
}

/// Returns the finding for an error that reached the host. `passed` is the limit of the meter.
pub(crate) fn diagnose(
    error: &mlua::Error,
    passed: Option<Limit>,
    sources: &Sources,
) -> Diagnostic {
    diagnose_with_raised(error, passed, sources, &Raised::default())
}

/// Does the same. `raised` is data from before the frames were unwound, and supplements the error of the machine.
pub(super) fn diagnose_with_raised(
    error: &mlua::Error,
    passed: Option<Limit>,
    sources: &Sources,
    raised: &Raised,
) -> Diagnostic {
    // An error inside of a nested call has more frames than the error that the host raised again for it.
    let seen = frames_of_error(error);
    let frames = match seen.len() > raised.frames.len() {
        true => seen,
        false => raised.frames.clone(),
    };
    let mut finding = match (passed, HostError::finding_of_error(error)) {
        (Some(limit), _) => limit_finding(limit),
        (None, Some(found)) => found.clone(),
        (None, None) => script_finding(error, sources, raised.text.as_deref()),
    };
    if finding.place.is_none()
        && let Some((chunk, line, _)) = frames.first()
        && let Some(source) = sources.get(chunk)
    {
        finding = finding.at(source, source.line_span(*line));
    }
    finding.message = shorten_error_text(&finding.message);
    finding.hints = finding
        .hints
        .iter()
        .map(|hint| shorten_error_text(hint))
        .collect();
    if finding.trace.is_empty() {
        let shown = frames.iter().take(FRAMES);
        finding.trace = shown
            .map(|(chunk, line, name)| format!("{chunk}:{line}{name}"))
            .collect();
    }
    finding
}

fn limit_finding(limit: Limit) -> Diagnostic {
    let finding = Diagnostic::error(limit.code(), limit.to_string());
    match limit {
        Limit::Fuel | Limit::Time => {
            finding.hint("look for an endless loop; the command changed nothing")
        }
        Limit::Memory => finding
            .hint("look for a table or text that grows in a loop; the command changed nothing"),
        Limit::Depth => finding.hint("look for a rule that calls itself through the host"),
        Limit::Interrupted | Limit::Waits => finding,
    }
}

fn script_finding(error: &mlua::Error, sources: &Sources, raised: Option<&str>) -> Diagnostic {
    let text = raised.map_or_else(|| root_text(error), str::to_owned);
    let first = text.split("\nstack traceback:").next().unwrap_or_default();
    let (place, message) = split_place(first);
    let code = if matches!(root_error(error), mlua::Error::SyntaxError { .. }) {
        "script/syntax"
    } else {
        "script/error"
    };
    let mut finding = Diagnostic::error(code, shorten_error_text(message));
    if let Some((chunk, line)) = place
        && let Some(source) = sources.get(chunk)
    {
        finding = finding.at(source, quoted_word_span(source, line, message));
    }
    finding
}

/// Narrows the line to the word that the machine's message quotes, such as `got 'end'`.
fn quoted_word_span(source: &Source, line: usize, message: &str) -> Span {
    find_quoted_word(source, line, message).unwrap_or_else(|| source.line_span(line))
}

/// Returns the place of the word that the machine's message quotes.
pub(crate) fn find_quoted_word(source: &Source, line: usize, message: &str) -> Option<Span> {
    let whole = source.line_span(line);
    let quoted = message
        .rsplit("got '")
        .next()
        .filter(|_| message.contains("got '"));
    let word = quoted
        .and_then(|rest| rest.split('\'').next())
        .filter(|word| !word.is_empty());
    let (at, length) =
        word.and_then(|word| source.slice(whole).rfind(word).map(|at| (at, word.len())))?;
    Some(Span::new(whole.start + at, whole.start + at + length))
}

fn root_text(error: &mlua::Error) -> String {
    match root_error(error) {
        mlua::Error::RuntimeError(text) if shows_address(text) => {
            let kind = text.split(':').next().unwrap_or_default();
            format!("a {kind} was raised as an error")
        }
        mlua::Error::RuntimeError(text) | mlua::Error::MemoryError(text) => text.clone(),
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    }
}

/// Returns whether a text begins like the machine's output for an object: `table: 0x…`.
fn shows_address(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.split_once(": 0x").is_some_and(|(kind, digits)| {
        kind.bytes().all(|byte| byte.is_ascii_alphabetic())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Splits `chunk:12: message` into its parts.
fn split_place(text: &str) -> (Option<(&str, usize)>, &str) {
    let found = text.split_once(": ").and_then(|(place, message)| {
        let (chunk, line) = place.rsplit_once(':')?;
        Some((chunk, line.parse().ok()?, message))
    });
    match found {
        Some((chunk, line, message)) => (Some((chunk, line)), message),
        None => (None, text),
    }
}

/// Returns the frames of rule functions, innermost first: chunk, line, ` in function 'name'`.
pub(super) fn frames_of_error(error: &mlua::Error) -> Vec<Frame> {
    let raised = match root_error(error) {
        mlua::Error::RuntimeError(text) => frames_in_text(text),
        _ => frames_in_text(&root_text(error)),
    };
    match error {
        mlua::Error::CallbackError { traceback, .. } if raised.is_empty() => {
            frames_in_text(traceback)
        }
        _ => raised,
    }
}

/// Returns the frames in a text of the machine.
fn frames_in_text(text: &str) -> Vec<Frame> {
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("stack traceback:"))
        .skip(1);
    lines.filter_map(|line| parse_frame(line.trim())).collect()
}

fn parse_frame(line: &str) -> Option<(String, usize, String)> {
    let (place, name) = line.split_once(": in ")?;
    let (chunk, number) = place.rsplit_once(':')?;
    if !chunk.ends_with(".luau") || chunk.starts_with("host/") {
        return None;
    }
    let name = name.trim_start_matches("function ").trim_matches('\'');
    let name = if name.contains(['<', '?']) {
        String::new()
    } else {
        format!(" in {name}")
    };
    Some((chunk.to_owned(), number.parse().ok()?, name))
}
