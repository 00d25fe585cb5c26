//! What the terminal may look at while a game runs on its thread.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use host::diag::Diagnostic;
use host::game::{GameOnDisk, Solo};

/// What the prompt says of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The phase, such as `night 2`; empty in a game without phases.
    pub(crate) phase: String,
    /// The folder that it is kept in.
    pub(crate) folder: Option<PathBuf>,
    /// Whether it is only looked at.
    pub(crate) read_only: bool,
}

impl Shown {
    /// Returns what the prompt says of a game as it is.
    pub(super) fn of(solo: &Solo) -> Shown {
        let kept = solo.session.disk(solo.client.at());
        Shown {
            phase: solo.session.phase_and_place(solo.client.at()),
            folder: kept.map(|kept| kept.folder().to_owned()),
            read_only: kept.and_then(GameOnDisk::read_only).is_some(),
        }
    }
}

/// What the terminal may look at while a game runs.
#[derive(Default)]
pub(super) struct Flags {
    /// Set to end what runs.
    pub(super) interrupt: Arc<AtomicBool>,
    /// Whether newer rules were not taken over.
    pub(super) stale: Arc<AtomicBool>,
    /// How many questions wait for the acting person.
    pub(super) open: Arc<AtomicUsize>,
    /// What the prompt says.
    pub(super) shown: Arc<Mutex<Shown>>,
}

impl Flags {
    /// Keeps what the prompt says of a game.
    pub(super) fn store_prompt_state(&self, solo: &Solo) {
        if let Ok(mut kept) = self.shown.lock() {
            *kept = Shown::of(solo);
        }
        let rules = solo.session.generations();
        let mut live = rules.live().findings().iter();
        let is_stale = !rules.rejected_findings().is_empty() || live.any(Diagnostic::is_error);
        self.stale.store(is_stale, Ordering::Relaxed);
    }
}
