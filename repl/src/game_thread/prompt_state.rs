//! State that the terminal may read while a game runs on its thread.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use host::diag::Diagnostic;
use host::game::{GameOnDisk, Solo};

/// State of a game that the prompt shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The phase, such as `night 2`; empty in a game without phases.
    pub(crate) phase: String,
    /// The folder in which it is saved.
    pub(crate) folder: Option<PathBuf>,
    /// Whether it is read-only.
    pub(crate) read_only: bool,
}

impl Shown {
    /// Returns the present state of a game for the prompt.
    pub(super) fn of_game(solo: &Solo) -> Shown {
        let kept = solo.session.disk_at(solo.client.at());
        Shown {
            phase: solo.session.phase_and_place(solo.client.at()),
            folder: kept.map(|kept| kept.folder().to_owned()),
            read_only: kept.and_then(GameOnDisk::read_only).is_some(),
        }
    }
}

/// State that the terminal may read while a game runs.
#[derive(Default)]
pub(super) struct Flags {
    /// Set to end the running command.
    pub(super) interrupt: Arc<AtomicBool>,
    /// Whether newer rules were not loaded.
    pub(super) stale: Arc<AtomicBool>,
    /// Number of questions that wait for the acting person.
    pub(super) open: Arc<AtomicUsize>,
    /// State that the prompt shows.
    pub(super) shown: Arc<Mutex<Shown>>,
}

impl Flags {
    /// Stores the state of a game for the prompt.
    pub(super) fn store_prompt_state(&self, solo: &Solo) {
        if let Ok(mut kept) = self.shown.lock() {
            *kept = Shown::of_game(solo);
        }
        let rules = solo.session.generations();
        let mut live = rules.live().findings().iter();
        let is_stale = !rules.rejected_findings().is_empty() || live.any(Diagnostic::is_error);
        self.stale.store(is_stale, Ordering::Relaxed);
    }
}
