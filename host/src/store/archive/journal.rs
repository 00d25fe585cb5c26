//! Appends lines to a journal; lines are safe on the disk before their command is answered.
//!
//! Lines that belong together are one write and one sync. If the disk is full, the lines are refused and the file is
//! cut back to its previous length. If a sync fails, writing ends: the content of the disk is unknown then, and a
//! second sync would only seem to succeed.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};

use super::chain::Chain;
use super::{ArchiveError, disk};

/// Number of lines that are synced together with [`SyncMode::Group`].
pub(crate) const GROUP_LINES: usize = 512;

/// Number of bytes after which a group is synced earlier.
pub(crate) const GROUP_BYTES: usize = 4 << 20;

/// The times at which lines are made safe on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// Each line, before the answer.
    #[default]
    Each,
    /// Many lines together, and at the end: for scripted runs. Loss of power loses the last group.
    Group,
}

/// Target of written lines: a file, or in tests a sink that fails like a file.
pub trait Sink: fmt::Debug + Send {
    /// Writes at the end, possibly only a part; returns the number of written bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Makes all written bytes safe against loss of power.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts off all bytes after a length.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Waits for all work that was handed over so far.
    fn settle(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file opened for appending.
#[derive(Debug)]
pub struct FileSink(pub File);

impl Sink for FileSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }
}

impl Sink for Box<dyn Sink> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_mut().write(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.as_mut().sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.as_mut().cut(length)
    }

    fn settle(&mut self) -> io::Result<()> {
        self.as_mut().settle()
    }
}

/// A journal that is written to.
#[derive(Debug)]
pub struct Journal<S: Sink> {
    sink: S,
    sync: SyncMode,
    /// Length of all whole lines, in bytes.
    length: u64,
    chain: Chain,
    /// Lines and bytes that are not synced yet.
    loose: (usize, usize),
    has_ended: bool,
}

impl<S: Sink> Journal<S> {
    /// Continues after `length` bytes of whole lines; `chain` is the CHAIN of the last line.
    pub fn new(sink: S, (length, chain): (u64, Chain), sync: SyncMode) -> Journal<S> {
        Journal {
            sink,
            sync,
            length,
            chain,
            loose: (0, 0),
            has_ended: false,
        }
    }

    /// Returns the sink of the lines. The caller may replace it by a sink that continues at the journal's end.
    pub(super) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Adds lines, all or none. When this returns the lines are safe; with [`SyncMode::Group`] they are safe after
    /// the next sync.
    ///
    /// Errors: `Full`, `NotWritten` (the journal is unchanged), `NotSynced`, `Ended` (nothing more is written).
    pub fn append_lines(&mut self, lines: &[impl AsRef<[u8]>]) -> Result<(), ArchiveError> {
        if self.has_ended {
            return Err(ArchiveError::Ended);
        }
        let (mut bytes, mut chain) = (Vec::new(), self.chain);
        for json in lines.iter().map(AsRef::as_ref) {
            debug_assert!(!json.contains(&b'\n'), "invariant: a line is one line");
            chain = chain.write_line(json, &mut bytes);
        }
        if let Err(error) = write_all(&mut self.sink, &bytes) {
            // A torn line that cannot be cut off would damage the next line.
            self.has_ended = self.sink.cut(self.length).is_err();
            return Err(disk::not_written_error(&error));
        }
        let loose = (self.loose.0 + lines.len(), self.loose.1 + bytes.len());
        let is_due = match self.sync {
            SyncMode::Each => true,
            SyncMode::Group => loose.0 >= GROUP_LINES || loose.1 >= GROUP_BYTES,
        };
        if is_due {
            self.sync_or_end().inspect_err(|_| {
                // No answer was given yet, so the lines are cut off if possible. Otherwise the game opens with them.
                let _ = self.sink.cut(self.length);
            })?;
        }
        self.loose = if is_due { (0, 0) } else { loose };
        self.length += bytes.len() as u64;
        self.chain = chain;
        Ok(())
    }

    /// Makes all lines safe. Errors: `NotSynced`, `Ended`.
    pub fn flush(&mut self) -> Result<(), ArchiveError> {
        if self.has_ended {
            return Err(ArchiveError::Ended);
        }
        if self.loose.0 > 0 {
            self.sync_or_end()?;
            self.loose = (0, 0);
        }
        self.settle()
    }

    /// Waits until all handed-over lines are written. Errors: `NotSynced`, `Ended`.
    pub(super) fn settle(&mut self) -> Result<(), ArchiveError> {
        if self.has_ended {
            return Err(ArchiveError::Ended);
        }
        self.sink.settle().map_err(|error| {
            self.has_ended = true;
            ArchiveError::NotSynced(error.kind())
        })
    }

    /// Changes when lines are made safe; earlier lines are made safe now. Errors: the errors of [`Journal::flush`].
    pub fn set_sync(&mut self, sync: SyncMode) -> Result<(), ArchiveError> {
        self.flush()?;
        self.sync = sync;
        Ok(())
    }

    /// Returns the length of all whole lines in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the CHAIN of the last line.
    pub fn last_chain(&self) -> Chain {
        self.chain
    }

    /// Returns whether writing has ended in this session.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns the number of lines that are not synced yet.
    pub fn unsynced_line_count(&self) -> usize {
        self.loose.0
    }

    fn sync_or_end(&mut self) -> Result<(), ArchiveError> {
        self.sink.sync().map_err(|error| {
            self.has_ended = true;
            ArchiveError::NotSynced(error.kind())
        })
    }
}

/// Writes all bytes, even if a sink takes only some at once.
pub(super) fn write_all(sink: &mut impl Sink, mut rest: &[u8]) -> io::Result<()> {
    while !rest.is_empty() {
        match sink.write(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count.min(rest.len())..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl<S: Sink> Drop for Journal<S> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
