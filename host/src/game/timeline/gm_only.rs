//! Refuses actions that only the game master may do.

use crate::diag::Diagnostic;
use crate::script::GM;

/// The code for actions that only the game master may do.
pub(in crate::game) const GM_ONLY: &str = "host/gm-only";

/// Refuses an action that only the game master may do; `does` is the text after "only the game master".
pub fn gm_only_refusal(by: &str, does: &str) -> Option<Diagnostic> {
    let refusal = || {
        let message = format!("only the game master {does}");
        Diagnostic::error(GM_ONLY, message).hint("`as gm` returns to the game master")
    };
    (by != GM).then(refusal)
}
