//! Opens a game: takes the lock, reads the journal, moves a torn tail into another file, continues from a snapshot.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use super::journal::{FileSink, Journal, SyncMode};
use super::journal_load::{self, Loaded, Played};
use super::journal_scanner::{Scan, Tail};
use super::lock::{self, Lock, ReadOnly};
use super::open_game::{BLOBS, Game, JOURNAL, RULES, SECRET, Writer};
use super::snapshot::{self, SNAPSHOTS, Since};
use super::{ArchiveError, disk};
use crate::diag::{Diagnostic, shell_word};
use crate::store::{History, State};
use crate::value::{Names, Text};

/// Options for opening a game.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// Whether the game is opened only for reading; then the lock is not taken.
    pub read_only: bool,
    /// Text about the writing program, shown to other programs.
    pub holder: &'a str,
    /// The times at which lines are made safe on disk.
    pub sync: SyncMode,
}

/// An opened game.
#[derive(Debug)]
pub struct Opened {
    /// The game on disk.
    pub game: Game,
    /// The state after the last operation; no stat is declared in this state.
    pub state: State,
    /// All operations.
    pub history: History,
    /// The real time at each operation, for people.
    pub at: Vec<Text>,
    /// Findings that did not prevent opening the game.
    pub notes: Vec<Diagnostic>,
}

impl Game {
    /// Opens a game; runs no script and needs no rules.
    ///
    /// Shape: a game that cannot be written to is opened for reading only, and [`Game::read_only_reason`] returns the
    /// reason.
    /// Errors: `NoGame`, `Foreign`, `Older`, `Newer`, `Broken`, `Unfit`, `Link`, `WrongKind`, `Unreadable`.
    pub fn open(
        place: &Path,
        opening: &Opening<'_>,
        names: Rc<Names>,
    ) -> Result<Opened, ArchiveError> {
        // A folder that is not a game gets no lock file.
        journal_load::open_journal(place)?;
        let lock = if opening.read_only {
            Err(ReadOnly::Asked)
        } else {
            lock::take_lock(place, opening.holder)?
        };
        let mut loaded = journal_load::load_journal(place, &names)?;
        if let Some(failure) = loaded.failure.take() {
            return Err(failure);
        }
        let lock = match loaded.first.is_from_newer_host() {
            true => Err(ReadOnly::Newer(loaded.first.v)),
            false => lock,
        };
        let (first, ends, scan) = (
            loaded.first.clone(),
            loaded.ends.clone(),
            loaded.scan.clone(),
        );
        let mut notes = Vec::new();
        let (played, kept) = apply_journal(place, &names, loaded, lock.is_ok(), &mut notes)?;
        let writer = match lock {
            Err(why) => Err(why),
            Ok(lock) => make_writer(
                place,
                (lock, opening.sync),
                (&scan, &ends, kept),
                &mut notes,
            )?,
        };
        if let Err(why) = &writer {
            notes.push(Diagnostic::warning(
                "save/read-only",
                format!("the game is read-only: {why}"),
            ));
        }
        let mut game = Game::new(
            place,
            first,
            played.history.operations().len() as u64,
            writer,
        );
        notes.extend(secret_findings(&game));
        notes.extend(check_and_note_rules(&mut game, &played.history));
        let Played { state, history, at } = played;
        Ok(Opened {
            game,
            state,
            history,
            at,
            notes,
        })
    }
}

/// Applies the journal from the newest snapshot that matches it; also returns this snapshot's number and size.
fn apply_journal(
    place: &Path,
    names: &Rc<Names>,
    loaded: Loaded,
    may_write: bool,
    notes: &mut Vec<Diagnostic>,
) -> Result<(Played, Option<(u64, u64)>), ArchiveError> {
    let mut kept = None;
    for seq in snapshot::snapshot_seqs(place)?.into_iter().rev() {
        let at = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
        let operation = at.and_then(|at| loaded.entries.get(at));
        let found = snapshot::read_snapshot(place, seq, Rc::clone(names));
        let fits = |(state, _): &(State, u64)| {
            operation.is_some_and(|entry| entry.operation.state == state.hash())
        };
        if let Some((state, bytes)) = found.filter(fits) {
            kept = Some((seq, state, bytes));
            break;
        }
        notes.push(Diagnostic::warning(
            "save/snapshot",
            format!("the snapshot of log line {seq} does not match the journal and is ignored"),
        ));
        if may_write {
            snapshot::remove_snapshot(place, seq);
        }
    }
    let size = kept.as_ref().map(|(seq, _, bytes)| (*seq, *bytes));
    let kept = kept.map(|(seq, state, _)| (seq, state));
    match journal_load::apply_entries(names, loaded.entries, kept) {
        Ok(played) => Ok((played, size)),
        Err(failed) => Err(failed.1),
    }
}

/// Prepares writing: moves the torn tail into another file and removes unfinished files.
fn make_writer(
    place: &Path,
    (lock, sync): (Lock, SyncMode),
    (scan, ends, kept): (&Scan, &[u64], Option<(u64, u64)>),
    notes: &mut Vec<Diagnostic>,
) -> Result<Result<Writer, ReadOnly>, ArchiveError> {
    for folder in [SNAPSHOTS, RULES, BLOBS] {
        remove_unfinished_files(place, folder)?;
    }
    let file = match disk::open_file(place, JOURNAL, OpenOptions::new().read(true).append(true)) {
        Ok(file) => file,
        Err(ArchiveError::Unreadable(..)) => return Ok(Err(ReadOnly::Place)),
        Err(error) => return Err(error),
    };
    if scan.tail == Tail::Torn {
        let aside = move_torn_tail_aside(place, &file, scan)?;
        let message =
            format!("the last line of the journal is incomplete and was moved to \"{aside}\"");
        let hint =
            "every command that was answered is saved; at most the last one has to be typed again";
        notes.push(Diagnostic::warning("save/torn-tail", message).hint(hint));
    }
    let (seq, snapshot) = kept.unwrap_or_default();
    let from = usize::try_from(seq).ok().and_then(|at| ends.get(at));
    let since = Since {
        lines: scan.lines - 1 - seq,
        bytes: scan.length - from.copied().unwrap_or_default(),
        snapshot,
    };
    Ok(Ok(Writer {
        journal: Journal::new(Box::new(FileSink(file)), (scan.length, scan.chain), sync),
        since,
        is_behind: false,
        _lock: lock,
    }))
}

/// Removes unfinished files.
fn remove_unfinished_files(place: &Path, folder: &str) -> Result<(), ArchiveError> {
    for name in disk::file_names(place, folder)? {
        if name.starts_with(".new-") {
            let _ = fs::remove_file(place.join(folder).join(name));
        }
    }
    Ok(())
}

/// Moves the bytes after the sound lines into another file and returns its name.
fn move_torn_tail_aside(
    place: &Path,
    journal: &fs::File,
    scan: &Scan,
) -> Result<String, ArchiveError> {
    let mut torn = Vec::new();
    let mut from = journal;
    from.seek(SeekFrom::Start(scan.length))
        .and_then(|_| from.read_to_end(&mut torn))
        .map_err(journal_load::unreadable_journal_error)?;
    let line = scan.lines + 1;
    let free = |name: &String| fs::symlink_metadata(place.join(name)).is_err();
    let name = (1..)
        .map(|count| format!("journal.torn-{line}-{count}"))
        .find(free)
        .expect("invariant: numbers do not end");
    disk::write_file(place, &name, &torn)?;
    disk::sync_folder(place)?;
    let cut = journal
        .set_len(scan.length)
        .and_then(|()| journal.sync_all());
    cut.map_err(|error| disk::not_written_error(&error))?;
    Ok(name)
}

fn secret_findings(game: &Game) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    if let Err(error) = game.secret() {
        let message = format!("no dice can be rolled: {error}");
        let hint =
            "copy the whole folder of a game to have its secret; earlier rolls are in the journal";
        notes.push(Diagnostic::warning("save/secret", message).hint(hint));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let there = fs::symlink_metadata(game.folder().join(SECRET));
        if there.is_ok_and(|there| there.is_file() && there.permissions().mode() & 0o077 != 0) {
            let message = "other users of this machine can read the file \"secret\" and so know all future dice";
            let secret = game.folder().join(SECRET).display().to_string();
            let hint = format!("chmod 600 {}", shell_word(&secret));
            notes.push(Diagnostic::warning("save/permissions", message).hint(hint));
        }
    }
    notes
}

fn check_and_note_rules(game: &mut Game, history: &History) -> Vec<Diagnostic> {
    let operations = history.operations().iter();
    let named: BTreeSet<&str> = operations.map(|operation| &*operation.rules).collect();
    let mut notes = Vec::new();
    for name in named.into_iter().filter(|name| !name.is_empty()) {
        if game.has_whole_list(name) {
            game.note_rules_saved(name);
            continue;
        }
        let first = history.operations().iter().find(|one| &*one.rules == name);
        let seq = first.map_or(0, |operation| operation.seq);
        let message = format!("the rules of log line {seq} were not saved");
        let hint = "the game continues; only this log line cannot be run again";
        notes.push(Diagnostic::warning("save/rules-missing", message).hint(hint));
    }
    notes
}
