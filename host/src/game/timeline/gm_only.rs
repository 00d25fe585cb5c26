//! Refuses actions that only the game master may do.

use crate::diag::Diagnostic;
use crate::script::GM;

/// The code of what only the game master does.
pub(in crate::game) const GM_ONLY: &str = "host/gm-only";

/// Refuses what only the game master does: what it is, behind "only the game master".
pub fn gm_only_refusal(by: &str, does: &str) -> Option<Diagnostic> {
    let refusal = || {
        let message = format!("only the game master {does}");
        Diagnostic::error(GM_ONLY, message).hint("`as gm` returns to the game master")
    };
    (by != GM).then(refusal)
}
