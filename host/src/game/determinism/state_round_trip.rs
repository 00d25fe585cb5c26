//! The law that the canonical bytes of a state read back as that state, also with an empty table of names.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::store::State;
use crate::value::Names;

/// Reads the bytes of a state: it must have the same hash, and the same bytes.
pub fn check_state_round_trip(state: &State, bytes: &[u8]) -> Option<Diagnostic> {
    let broken = |message: &str| Some(Diagnostic::error("law/bytes", message));
    match State::from_bytes(bytes, Rc::<Names>::default()) {
        Err(error) => {
            broken("the saved state cannot be read").map(|finding| finding.hint(error.to_string()))
        }
        Ok(loaded) if loaded.hash() != state.hash() => {
            broken("the saved state gives a different state when it is loaded")
        }
        Ok(loaded) if loaded.to_bytes() != bytes => {
            broken("the loaded state is saved with other bytes than before")
        }
        Ok(_) => None,
    }
}
