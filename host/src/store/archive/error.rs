//! Reasons why a game on disk cannot be made, opened or written to.

use std::fmt;
use std::io;
use std::path::Path;

use super::lock::ReadOnly;
use crate::diag::{Diagnostic, shell_word};
use crate::store::HistoryError;

/// Reason why an operation on a saved game is refused; no command that was answered is lost by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// There is no game in the folder.
    NoGame(String),
    /// The journal in the folder is not an Arbiter journal.
    Foreign(String),
    /// A new game needs an empty folder or one that does not exist yet.
    FolderUsed(String),
    /// A copy of a game cannot be inside the game.
    Within(String),
    /// A folder of a game cannot have this name.
    BadName(String),
    /// The ruleset of a new game cannot have this name.
    BadRuleset(String),
    /// Something in the folder is a link.
    Link(String),
    /// Something in the folder is not of the expected kind, file or folder; the second text says what it is.
    WrongKind(String, &'static str),
    /// Something in the folder cannot be read.
    Unreadable(String, io::ErrorKind),
    /// A file in the folder is longer than the limit for such files.
    TooLong(String),
    /// A line in the middle of the journal differs from the written line.
    Broken {
        /// Number of the line, from 1.
        line: u64,
        /// The fault of the line.
        reason: String,
    },
    /// A line of the journal is as it was written, but cannot be applied.
    Unfit(u64, HistoryError),
    /// An earlier host wrote the journal.
    Older(u32),
    /// A later host wrote the journal, and this host does not know the content of this line.
    Newer(u32, u64),
    /// The game is open for reading only.
    ReadOnly(ReadOnly),
    /// The disk is full; no part of the line was saved.
    Full,
    /// The line could not be written; no part of it was saved.
    NotWritten(io::ErrorKind),
    /// The folder of a new game cannot be made.
    NotMade(String, io::ErrorKind),
    /// Written data could not be made safe; nothing more is written in this session.
    NotSynced(io::ErrorKind),
    /// Writing ended earlier in this session.
    Ended,
    /// The operation is not the next one of the journal.
    NotNext(u64),
    /// The rules of the operation were not pinned.
    NotPinned(String),
    /// The operation is larger than the limit for saving.
    TooLarge(usize),
    /// A value of the operation nests too deeply to be read again.
    TooDeep,
    /// The content of a file does not match its name, which is a hash.
    Altered(String),
    /// A file does not have the only possible size.
    WrongSize {
        /// The name of the file.
        name: String,
        /// Its size in bytes.
        found: u64,
        /// The possible size in bytes.
        expected: u64,
    },
    /// A new file cannot be written because a file with its name exists.
    FileUsed(String),
    /// A file is not a packed game; the second text is the reason.
    NoPack(String, String),
    /// A game is not packed; the second text is the reason.
    NotPacked(String, String),
    /// An entry of a packed game is refused; the second text is the reason.
    BadEntry(String, &'static str),
    /// Two files of one generation of rules have the same path, or a path is not valid.
    BadPath(String),
}

impl ArchiveError {
    /// Returns the stable name of this error, `area/name`.
    pub fn code(&self) -> &'static str {
        match self {
            ArchiveError::NoGame(_) => "save/no-game",
            ArchiveError::Foreign(_) => "save/foreign",
            ArchiveError::FolderUsed(_) => "save/folder-used",
            ArchiveError::Within(_) => "save/within",
            ArchiveError::BadName(_) | ArchiveError::BadRuleset(_) => "save/bad-name",
            ArchiveError::Link(_) => "save/link",
            ArchiveError::WrongKind(..) => "save/wrong-kind",
            ArchiveError::Unreadable(..) => "save/unreadable",
            ArchiveError::TooLong(_) | ArchiveError::TooLarge(_) | ArchiveError::NotPacked(..) => {
                "limit/size"
            }
            ArchiveError::Broken { .. } => "save/broken",
            ArchiveError::Unfit(_, error) => error.code(),
            ArchiveError::Older(_) => "save/older-version",
            ArchiveError::Newer(..) => "save/newer-version",
            ArchiveError::ReadOnly(_) => "save/read-only",
            ArchiveError::Full => "save/disk-full",
            ArchiveError::NotWritten(_) => "save/not-written",
            ArchiveError::NotMade(..) => "save/not-made",
            ArchiveError::NotSynced(_) => "save/not-synced",
            ArchiveError::Ended => "save/ended",
            ArchiveError::NotNext(_) => "save/out-of-order",
            ArchiveError::NotPinned(_) => "save/not-pinned",
            ArchiveError::TooDeep => "limit/depth",
            ArchiveError::Altered(_) | ArchiveError::WrongSize { .. } => "save/altered",
            ArchiveError::FileUsed(_) => "save/file-used",
            ArchiveError::NoPack(..) | ArchiveError::BadEntry(..) => "save/bad-pack",
            ArchiveError::BadPath(_) => "save/bad-path",
        }
    }

    /// Returns the error as a diagnostic, with a hint if one helps.
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.code(), self.to_string()).hint(self.hint())
    }

    /// Returns the error as a diagnostic about the game in a folder: its hint can be typed as it stands.
    pub fn to_diagnostic_of_game(&self, folder: &Path) -> Diagnostic {
        let is_damage = matches!(self, ArchiveError::Broken { .. } | ArchiveError::Unfit(..));
        if !is_damage {
            return self.to_diagnostic();
        }
        let folder = shell_word(&folder.display().to_string());
        let hint = format!("`arbiter recover {folder} COPY` saves everything before it in a copy");
        Diagnostic::error(self.code(), self.to_string()).hint(hint)
    }

    fn hint(&self) -> &'static str {
        match self {
            ArchiveError::NoGame(_) => "a game is a folder with a file \"journal.jsonl\"",
            ArchiveError::FolderUsed(_) => "name a folder that does not exist yet",
            ArchiveError::Within(_) => "name a place outside the folder of the game",
            ArchiveError::Link(_) => "put the file or folder itself there",
            ArchiveError::Unreadable(..) => "check its permissions",
            ArchiveError::Broken { .. } | ArchiveError::Unfit(..) => {
                "arbiter recover FOLDER COPY saves everything before it in a copy"
            }
            ArchiveError::Older(_) => {
                "it is converted into a new folder; the old one stays unchanged"
            }
            ArchiveError::Newer(..) => "open it with the newer program",
            ArchiveError::Full => "free space on the disk and try again",
            ArchiveError::NotSynced(_) | ArchiveError::Ended => {
                "check the disk and open the game again: all commands that were answered before are saved"
            }
            ArchiveError::FileUsed(_) => "name a file that does not exist yet",
            ArchiveError::NoPack(..) | ArchiveError::BadEntry(..) => {
                "nothing was unpacked; a game is packed with pack FILE.tar"
            }
            ArchiveError::NotPacked(..) => "save FOLDER makes a copy of any size",
            ArchiveError::Altered(_) | ArchiveError::WrongSize { .. } => {
                "take the file from another copy of the game"
            }
            ArchiveError::Foreign(_)
            | ArchiveError::BadName(_)
            | ArchiveError::BadRuleset(_)
            | ArchiveError::WrongKind(..)
            | ArchiveError::TooLong(_)
            | ArchiveError::ReadOnly(_)
            | ArchiveError::NotWritten(_)
            | ArchiveError::NotMade(..)
            | ArchiveError::NotNext(_)
            | ArchiveError::NotPinned(_)
            | ArchiveError::TooLarge(_)
            | ArchiveError::TooDeep
            | ArchiveError::BadPath(_) => "",
        }
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::NoGame(path) => write!(out, "there is no game in \"{path}\""),
            ArchiveError::Foreign(path) => {
                write!(out, "the file \"{path}\" is not the journal of a game")
            }
            ArchiveError::Within(path) => {
                write!(out, "\"{path}\" is inside the game that is copied")
            }
            ArchiveError::FolderUsed(path) => {
                write!(
                    out,
                    "a new game needs an empty place, but \"{path}\" is in use"
                )
            }
            ArchiveError::BadName(path) => write!(
                out,
                "\"{path}\" is not a name for a game: 1 to 64 characters, no control characters"
            ),
            ArchiveError::BadRuleset(name) => {
                write!(
                    out,
                    "\"{name}\" is not the name of a ruleset: a-z, 0-9, _ and -"
                )
            }
            ArchiveError::Link(name) => {
                write!(
                    out,
                    "\"{name}\" is a link, and links in a game are not followed"
                )
            }
            ArchiveError::WrongKind(name, what) => write!(out, "\"{name}\" {what}"),
            ArchiveError::Unreadable(name, io::ErrorKind::NotFound) => {
                write!(out, "the file \"{name}\" is missing")
            }
            ArchiveError::Unreadable(name, kind) => {
                write!(out, "\"{name}\" cannot be read: {kind}")
            }
            ArchiveError::TooLong(name) => write!(out, "\"{name}\" is larger than allowed"),
            ArchiveError::Broken { line, reason } => {
                write!(out, "line {line} of the journal is broken: {reason}")
            }
            ArchiveError::Unfit(line, error) => {
                write!(out, "line {line} of the journal does not fit: {error}")
            }
            ArchiveError::Older(v) => {
                write!(
                    out,
                    "the game has the older format {v}, and this program writes a newer one"
                )
            }
            ArchiveError::Newer(v, line) => write!(
                out,
                "the game has the newer format {v}, and this program cannot read line {line}"
            ),
            ArchiveError::ReadOnly(reason) => {
                write!(out, "the game is read-only: {reason}")
            }
            ArchiveError::Full => out.write_str("the disk is full, nothing was saved"),
            ArchiveError::NotWritten(kind) => {
                let why = write_fault_words(*kind);
                write!(out, "writing failed, nothing was saved: {why}")
            }
            ArchiveError::NotMade(path, kind) => {
                let why = write_fault_words(*kind);
                write!(out, "the folder \"{path}\" cannot be created: {why}")
            }
            ArchiveError::NotSynced(kind) => write!(
                out,
                "the disk did not confirm what was written, so no more is saved: {kind}"
            ),
            ArchiveError::Ended => {
                out.write_str("nothing more is saved, because the disk failed earlier")
            }
            ArchiveError::NotNext(seq) => {
                write!(out, "log line {seq} is not the next one of the journal")
            }
            ArchiveError::NotPinned(hash) => {
                write!(
                    out,
                    "the rules \"{hash}\" were not saved before a command used them"
                )
            }
            ArchiveError::TooLarge(bytes) => write!(
                out,
                "the command produces {} MiB, and a game saves at most 256 MiB of one command",
                bytes >> 20
            ),
            ArchiveError::TooDeep => out.write_str(
                "the command produces lists and maps that are nested more than 64 levels deep",
            ),
            ArchiveError::Altered(name) => {
                write!(
                    out,
                    "the content of the file \"{name}\" does not match its name"
                )
            }
            ArchiveError::WrongSize {
                name,
                found,
                expected,
            } => write!(
                out,
                "the file \"{name}\" has {found} bytes, expected {expected}"
            ),
            ArchiveError::FileUsed(path) => write!(out, "the file \"{path}\" already exists"),
            ArchiveError::NoPack(path, why) => {
                write!(out, "\"{path}\" is not a packed game: {why}")
            }
            ArchiveError::NotPacked(path, why) => {
                write!(out, "the game \"{path}\" is too large to be packed: {why}")
            }
            ArchiveError::BadEntry(name, why) => {
                write!(out, "the entry \"{name}\" of the packed game {why}")
            }
            ArchiveError::BadPath(path) => {
                write!(
                    out,
                    "\"{path}\" is not the path of a file of rules, or occurs twice"
                )
            }
        }
    }
}

impl std::error::Error for ArchiveError {}

/// Returns the reason why something could not be written.
fn write_fault_words(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::NotFound => "the folder above it does not exist".to_owned(),
        kind => kind.to_string(),
    }
}
