//! Records the manner of a correction with it, so that a re-run uses the same manner.

use crate::game::ruling::ruling_context::Manner;
use crate::store::Operation;
use crate::value::Value;

/// Key of the note and its texts.
const KEY: &str = "answers";
const ASKED: &str = "by who is asked";
const LINES: &str = "by who is asked, and lines are told";
const STANDING: &str = "by who is asked, beside what stood";
const PLAIN: &str = "by who is asked, in plain words";
const LOG_LINES: &str = "by who is asked, in plain words with log lines";

/// Returns the note of a manner, for the data of the report. The first manner has no note.
pub(super) fn note_of_manner(manner: Manner) -> Option<(&'static str, Value)> {
    match manner {
        Manner::Rows => None,
        Manner::Asked => Some((KEY, ASKED.into())),
        Manner::Lines => Some((KEY, LINES.into())),
        Manner::Standing => Some((KEY, STANDING.into())),
        Manner::Plain => Some((KEY, PLAIN.into())),
        Manner::LogLines => Some((KEY, LOG_LINES.into())),
    }
}

/// Returns the causes of a correction that is not announced, with the note of its manner.
pub(super) fn add_manner_note(mut causes: Vec<Value>, manner: Manner) -> Vec<Value> {
    if let (Some(first), Some((key, note))) = (causes.first_mut(), note_of_manner(manner)) {
        let mut parts = first.as_map().cloned().unwrap_or_default();
        parts.insert(key.into(), note);
        *first = Value::map(parts);
    }
    causes
}

/// Returns the manner of an operation that corrected the past, let the correction wait, or was refused.
pub(super) fn manner_of_correction(operation: &Operation) -> Manner {
    let told = operation.documents.first().map(|told| told.get("data"));
    let note = |value: &Value| value.get(KEY).as_str().map(str::to_owned);
    let noted = told.and_then(note);
    match noted
        .or_else(|| operation.causes.first().and_then(note))
        .as_deref()
    {
        Some(ASKED) => Manner::Asked,
        Some(LINES) => Manner::Lines,
        Some(STANDING) => Manner::Standing,
        Some(PLAIN) => Manner::Plain,
        Some(LOG_LINES) => Manner::LogLines,
        Some(_) | None => Manner::Rows,
    }
}
