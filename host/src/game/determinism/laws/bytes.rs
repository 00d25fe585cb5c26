//! This module is the law that the canonical bytes of a state are that state again, also where no name is known yet.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::store::State;
use crate::value::Names;

/// Reads the bytes of a state: it must have the same hash, and the same bytes.
pub fn saved_and_loaded(state: &State, bytes: &[u8]) -> Option<Diagnostic> {
    let broken = |message: &str| Some(Diagnostic::error("law/bytes", message));
    match State::from_bytes(bytes, Rc::<Names>::default()) {
        Err(error) => broken("the bytes of the state cannot be read")
            .map(|finding| finding.hint(error.to_string())),
        Ok(loaded) if loaded.hash() != state.hash() => {
            broken("the bytes of the state are those of another one")
        }
        Ok(loaded) if loaded.to_bytes() != bytes => {
            broken("the bytes of the state are others when it is saved a second time")
        }
        Ok(_) => None,
    }
}
