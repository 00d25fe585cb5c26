//! Inspects a game on disk from outside: it opens the game and computes everything again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use host::store::archive::{ArchiveError, Game, Opened, Opening, ReadOnly, SyncMode};

/// All files of a folder, to restore them.
pub struct Folder {
    place: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Folder {
    /// Reads a folder.
    pub fn read(place: &Path) -> Folder {
        let files = crate::files_below(place).into_iter().map(|file| {
            let bytes = fs::read(&file).expect("a file can be read");
            (file, bytes)
        });
        Folder {
            place: place.to_owned(),
            files: files.collect(),
        }
    }

    /// Returns its path.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Returns the files with their bytes.
    pub fn files(&self) -> &BTreeMap<PathBuf, Vec<u8>> {
        &self.files
    }

    /// Returns the bytes of one of its files.
    pub fn bytes(&self, name: &str) -> &[u8] {
        &self.files[&self.place.join(name)]
    }

    /// Restores the folder, if it has changed.
    pub fn restore_files(&self) {
        for file in crate::files_below(&self.place) {
            if !self.files.contains_key(&file) {
                fs::remove_file(&file).expect("a file can be removed");
            }
        }
        for (file, bytes) in &self.files {
            if fs::read(file).ok().as_ref() != Some(bytes) {
                fs::write(file, bytes).expect("a file can be written");
            }
        }
    }
}

/// The name under which the tests hold games.
pub(crate) const HOLDER: &str = "the tests";

/// Number of operations whose states are computed from all cells.
const COUNTED: usize = 20;

/// Number of tries for a lock that this process released, a millisecond apart.
const TRIES: usize = 5000;

/// Repeats a function until it finds no lock of this process.
///
/// A thread that starts a process shares all files with it for a moment, including a released lock.
pub(crate) fn retry_while_locked<T>(mut open: impl FnMut() -> T, held: impl Fn(&T) -> bool) -> T {
    for _ in 0..TRIES {
        let opened = open();
        if !held(&opened) {
            return opened;
        }
        drop(opened);
        std::thread::park_timeout(Duration::from_millis(1));
    }
    open()
}

/// Opens a game on disk that no other process plays, after waiting for a lock of this process.
pub(crate) fn open_when_unlocked(place: &Path) -> Result<Opened, ArchiveError> {
    let own = ReadOnly::Held(HOLDER.to_owned());
    let is_held = |opened: &Result<Opened, ArchiveError>| {
        opened
            .as_ref()
            .is_ok_and(|opened| opened.game.read_only_reason() == Some(&own))
    };
    retry_while_locked(|| open_once(place, false), is_held)
}

fn open_once(place: &Path, read_only: bool) -> Result<Opened, ArchiveError> {
    let opening = Opening {
        read_only,
        holder: HOLDER,
        sync: SyncMode::Each,
    };
    Game::open(place, &opening, Rc::default())
}

/// Opens a game that must open, and computes its states again. Errors: the fault, in words.
pub(crate) fn open_and_recount(place: &Path) -> Result<Opened, String> {
    let opened = open_when_unlocked(place).map_err(|error| format!("it does not open: {error}"))?;
    if let Some(why) = opened.game.read_only_reason() {
        return Err(format!("it opens for reading only: {why}"));
    }
    recount_states(opened)
}

/// Reads a game that another process will open next, and computes its states again. Errors: the fault, in words.
pub(crate) fn open_read_only_and_recount(place: &Path) -> Result<Opened, String> {
    let mut opened =
        open_once(place, true).map_err(|error| format!("it does not open: {error}"))?;
    opened.notes.retain(|note| note.code != "save/read-only");
    recount_states(opened)
}

fn recount_states(opened: Opened) -> Result<Opened, String> {
    if let Some(note) = opened
        .notes
        .iter()
        .find(|note| note.code != "save/torn-tail")
    {
        return Err(format!("it opens with {}: {}", note.code, note.message));
    }
    let operations = opened.history.operations();
    // Opening compares the hash of each; the last ones are computed from their cells too.
    for operation in operations.iter().rev().take(COUNTED) {
        let led = opened.history.state_before(operation.seq + 1);
        let led = led.map_err(|error| format!("{error}"))?;
        if led.recomputed_hash() != operation.state {
            return Err(format!("operation {} leads elsewhere", operation.seq));
        }
    }
    let last = operations.last().map(|last| last.state);
    if last.is_some_and(|last| last != opened.state.recomputed_hash()) {
        return Err("the state is not the one of the last operation".to_owned());
    }
    Ok(opened)
}
