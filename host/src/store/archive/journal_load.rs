//! Reads all operations of a journal, as far as it is sound, and makes their resulting state.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader};
use std::path::Path;
use std::rc::Rc;

use super::first_line::NOTE_VERSION;
use super::hashed_files::Stash;
use super::journal_scanner::{Scan, Scanner, Tail};
use super::open_game::{BLOBS, JOURNAL};
use super::operation_line::{self, Entry, Line};
use super::{ArchiveError, First, VERSION, disk};
use crate::store::{History, State};
use crate::value::{Names, Text};

/// Content of a journal.
pub(super) struct Loaded {
    pub(super) first: First,
    pub(super) entries: Vec<Entry>,
    /// End position of each line, beginning with the first line.
    pub(super) ends: Vec<u64>,
    pub(super) scan: Scan,
    /// The reason why reading stopped before the end.
    pub(super) failure: Option<ArchiveError>,
}

/// Opens the journal of a game for reading. Errors: `NoGame`, `Link`, `WrongKind`, `Unreadable`.
pub(super) fn open_journal(folder: &Path) -> Result<Scanner<BufReader<File>>, ArchiveError> {
    if !disk::file_exists(folder, JOURNAL)? {
        return Err(ArchiveError::NoGame(disk::shown_path(folder)));
    }
    let file = disk::open_file(folder, JOURNAL, OpenOptions::new().read(true))?;
    Ok(Scanner::new(BufReader::with_capacity(1 << 16, file)))
}

/// Reads the journal of a game. Errors: the errors of [`open_journal`], `Foreign`, `Older`, `Broken` in the first line.
pub(super) fn load_journal(folder: &Path, names: &Names) -> Result<Loaded, ArchiveError> {
    let mut scanner = open_journal(folder)?;
    let first = scan_first_line(&mut scanner, folder)?;
    let mut loaded = Loaded {
        ends: vec![scanner.scan_so_far().length],
        scan: scanner.scan_so_far().clone(),
        first,
        entries: Vec::new(),
        failure: None,
    };
    let blobs = Stash::new(folder, BLOBS);
    // The end of the last complete command.
    let mut settled = (loaded.scan.clone(), 0);
    while let Some(json) = scanner.next_line().map_err(unreadable_journal_error)? {
        let seq = loaded.ends.len() as u64;
        match entry_of_line(names, &blobs, (loaded.first.v, seq), json) {
            Ok(entry) => loaded.entries.push(entry),
            Err(reason) => {
                let newer = version_of_line(json).filter(|v| *v > NOTE_VERSION);
                loaded.failure = Some(loaded.next_line_error(reason, newer));
                return Ok(loaded.without_incomplete_command(settled));
            }
        }
        loaded.scan = scanner.scan_so_far().clone();
        loaded.ends.push(loaded.scan.length);
        if loaded.entries.last().is_some_and(|last| !last.more) {
            settled = (loaded.scan.clone(), loaded.entries.len());
        }
    }
    loaded.scan = scanner.scan_so_far().clone();
    if let Tail::Broken(reason) = &loaded.scan.tail {
        loaded.failure = Some(broken_line_error(loaded.scan.lines + 1, *reason));
    }
    Ok(loaded.without_incomplete_command(settled))
}

impl Loaded {
    /// Drops the beginning of a command with missing operations: it is a part of the torn tail.
    fn without_incomplete_command(mut self, (scan, entries): (Scan, usize)) -> Loaded {
        if entries < self.entries.len() {
            let tail = match self.scan.tail {
                Tail::None => Tail::Torn,
                other => other,
            };
            self.entries.truncate(entries);
            self.ends.truncate(entries + 1);
            self.scan = Scan { tail, ..scan };
        }
        self
    }

    /// Returns the error for the line after the lines that were read; `newer` is the line's version if a later host
    /// wrote it.
    fn next_line_error(&self, reason: String, newer: Option<u32>) -> ArchiveError {
        let line = self.ends.len() as u64 + 1;
        let of_game = self.first.is_from_newer_host().then_some(self.first.v);
        match of_game.or(newer) {
            Some(version) => ArchiveError::Newer(version, line),
            None => broken_line_error(line, reason),
        }
    }
}

/// Returns the first line of the journal of a game. Errors: the errors of `open_journal`, `Foreign`, `Older`, `Broken`.
pub fn read_first_line(folder: &Path) -> Result<First, ArchiveError> {
    scan_first_line(&mut open_journal(folder)?, folder)
}

fn scan_first_line(
    scanner: &mut Scanner<BufReader<File>>,
    folder: &Path,
) -> Result<First, ArchiveError> {
    let json = scanner
        .next_line()
        .map_err(unreadable_journal_error)?
        .map(<[u8]>::to_vec);
    let Some(json) = json else {
        return Err(if looks_like_journal(folder)? {
            broken_line_error(1, "it is not what was written")
        } else {
            ArchiveError::Foreign(JOURNAL.to_owned())
        });
    };
    if let Some(older) = version_of_line(&json).filter(|v| *v < VERSION) {
        return Err(ArchiveError::Older(older));
    }
    First::parse(&json).ok_or_else(|| ArchiveError::Foreign(JOURNAL.to_owned()))
}

/// Returns the version in a first line, regardless of its other content.
pub(super) fn version_of_line(json: &[u8]) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Version {
        v: u32,
    }
    serde_json::from_slice(json)
        .ok()
        .map(|found: Version| found.v)
}

/// Returns whether a journal with an unsound first line still begins like an Arbiter journal.
fn looks_like_journal(folder: &Path) -> Result<bool, ArchiveError> {
    use std::io::Read;
    let file = disk::open_file(folder, JOURNAL, OpenOptions::new().read(true))?;
    let mut head = Vec::new();
    file.take(200)
        .read_to_end(&mut head)
        .map_err(unreadable_journal_error)?;
    let head = String::from_utf8_lossy(&head);
    Ok(head.starts_with("{\"v\":") || head.contains("arbiter journal"))
}

fn entry_of_line(
    names: &Names,
    blobs: &Stash,
    (version, seq): (u32, u64),
    json: &[u8],
) -> Result<Entry, String> {
    let entry = match operation_line::read_line(names, json, version)? {
        Line::Entry(entry) => *entry,
        Line::Blob(blob) if blob.seq == seq => {
            let json = blobs
                .read_checked(&blob.blob)
                .map_err(|error| error.to_string())?;
            operation_line::read_entry(names, &json, version)?
        }
        Line::Blob(_) => return Err("it is not in its place".to_owned()),
    };
    if entry.operation.seq == seq {
        Ok(entry)
    } else {
        Err("it is not in its place".to_owned())
    }
}

pub(super) fn broken_line_error(line: u64, reason: impl Into<String>) -> ArchiveError {
    ArchiveError::Broken {
        line,
        reason: reason.into(),
    }
}

pub(super) fn unreadable_journal_error(error: io::Error) -> ArchiveError {
    disk::unreadable_file_error(JOURNAL, &error)
}

/// Result of applying operations.
pub(super) struct Played {
    pub(super) state: State,
    pub(super) history: History,
    /// The real time at each operation.
    pub(super) at: Vec<Text>,
}

/// Applies all entries, or only the entries after the saved state of operation `from`.
///
/// Errors: `Unfit`; the result of the entries before the error is returned too.
pub(super) fn apply_entries(
    names: &Rc<Names>,
    entries: Vec<Entry>,
    kept: Option<(u64, State)>,
) -> Result<Played, Box<(Played, ArchiveError)>> {
    let first = State::new(Rc::clone(names));
    let at = entries.iter().map(|entry| Text::clone(&entry.at)).collect();
    let mut operations = entries.into_iter().map(|entry| entry.operation);
    let (mut state, mut history) = match kept {
        None => (first.fork(), History::new(&first)),
        Some((seq, state)) => {
            let count = usize::try_from(seq).unwrap_or(usize::MAX);
            let earlier = operations.by_ref().take(count).collect();
            match History::from_applied(&first, earlier, &state) {
                Ok(history) => (state, history),
                Err(error) => {
                    let played = Played {
                        history: History::new(&first),
                        state: first,
                        at,
                    };
                    return Err(Box::new((played, ArchiveError::Unfit(seq + 1, error))));
                }
            }
        }
    };
    let mut failure = None;
    for operation in operations {
        let line = operation.seq + 1;
        if let Err(error) = history.append_recorded_operation(&mut state, operation) {
            failure = Some(ArchiveError::Unfit(line, error));
            break;
        }
    }
    let played = Played { state, history, at };
    match failure {
        None => Ok(played),
        Some(error) => Err(Box::new((played, error))),
    }
}
