//! Shared parts of all expressions of scripts: the fuel of a step, and the declaration of functions.

use crate::diag::{Diagnostic, near_hint};
use crate::expr::Signature;
use crate::script::api::refusal_error;
use crate::script::host::error_findings::HostError;

/// Returns the signature of a function of an expression. Errors: its number of operands is missing or too large.
pub(super) fn read_signature(
    word: &str,
    operands: Option<i64>,
    quotes: bool,
) -> mlua::Result<Signature> {
    let operands = operands.and_then(|count| u8::try_from(count).ok());
    match operands {
        Some(operands) if operands > 0 || !quotes => Ok(Signature { operands, quotes }),
        _ => Err(refusal_error(
            "script/argument",
            format!(
                "the function \"{word}\" of an expression needs its number of `operands`, 0 to 255"
            ),
        )),
    }
}

/// Checks the options of a function. Errors: an option is unknown.
pub(super) fn check_option_keys<'a>(
    mut keys: impl Iterator<Item = &'a str>,
    function: &str,
) -> mlua::Result<()> {
    let known = ["variables", "functions", "commas"];
    match keys.find(|key| !known.contains(key)) {
        None => Ok(()),
        Some(key) => {
            let message = format!("`{function}` has no option \"{key}\"");
            let finding = Diagnostic::error("script/argument", message);
            Err(HostError::error_of_finding(
                finding.hint(near_hint(key, known)),
            ))
        }
    }
}
