//! Lets a game go on while the disk makes earlier commands safe: one thread runs commands and hands over the writes,
//! another thread saves them and returns the answers.
//!
//! Everything is done in the order of handing over. An answer is returned after all writes before it are saved. The
//! writes after it wait until the next answer is asked for. So at most one command is saved without a shown answer. A
//! disk that fails ends writing: this answer and each later one is returned with the failure.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, io, mem};

use super::journal::{Sink, write_all};
use super::{ArchiveError, disk};

/// Number of commands that may run ahead of the command that is being saved.
const COMMANDS: usize = 2;

/// Returns both ends: one for the thread that runs commands, one for the thread that saves them.
pub fn write_behind_channel<T: Send + 'static>() -> (Ahead<T>, Behind<T>) {
    let (to, from) = sync_channel(COMMANDS);
    let has_failed = Arc::new(AtomicBool::new(false));
    let ahead = Ahead {
        to,
        errands: Arc::default(),
        has_failed: Arc::clone(&has_failed),
    };
    let behind = Behind {
        from,
        sink: None,
        length: (0, 0),
        failed: None,
        has_failed,
    };
    (ahead, behind)
}

/// The end for the thread that runs commands.
pub struct Ahead<T> {
    to: SyncSender<Message<T>>,
    errands: Errands,
    has_failed: Arc<AtomicBool>,
}

/// The end for the thread that saves.
pub struct Behind<T> {
    from: Receiver<Message<T>>,
    sink: Option<Box<dyn Sink>>,
    /// Length up to the last answer, and total length, in bytes.
    length: (u64, u64),
    failed: Option<ArchiveError>,
    has_failed: Arc<AtomicBool>,
}

/// Tasks to do first, and the answer to return afterwards. Waking a thread is slow, so both are sent together.
type Message<T> = (Vec<Errand>, Option<T>);

/// Tasks that are not handed over yet.
type Errands = Arc<Mutex<Vec<Errand>>>;

enum Errand {
    /// Writes bytes to this sink from now on, after a length.
    Through(Box<dyn Sink>, u64),
    Write(Vec<u8>),
    Sync,
    /// The sender gets a message after all earlier tasks are done.
    Settle(Sender<()>),
}

impl<T: Send + 'static> Ahead<T> {
    /// Hands over an answer that is shown after all earlier writes are saved; false if the other end is gone.
    pub fn answer(&self, answer: T) -> bool {
        self.to
            .send((take_errands(&self.errands), Some(answer)))
            .is_ok()
    }

    /// Waits until all earlier tasks are done and all answers are taken, that is, until the next answer is asked for.
    /// False if the other end is gone.
    pub fn settle(&self) -> bool {
        wait_until_settled(&self.to, &self.errands)
    }

    /// Hands over the sink of a journal of some length, and gives the journal a sink that hands over its bytes.
    pub(super) fn redirect_to_thread(&self, journal: &mut Box<dyn Sink>, length: u64) {
        let handed: Box<dyn Sink> = Box::new(Handed {
            to: self.to.clone(),
            errands: Arc::clone(&self.errands),
            has_failed: Arc::clone(&self.has_failed),
        });
        let sink = mem::replace(journal, handed);
        add_errand(&self.errands, Errand::Through(sink, length));
    }
}

impl<T> Behind<T> {
    /// Returns the next answer, and whether all writes before it were saved; none when the other end is done.
    ///
    /// Errors: `Full`, `NotWritten`, `NotSynced` with the answer of the writes that were not saved, and with each
    /// later answer.
    pub fn next_answer(&mut self) -> Option<(T, Result<(), ArchiveError>)> {
        loop {
            let (errands, answer) = self.from.recv().ok()?;
            for errand in errands {
                self.run_errand(errand);
            }
            if let Some(answer) = answer {
                self.length.0 = self.length.1;
                let kept = self.failed.clone().map_or(Ok(()), Err);
                return Some((answer, kept));
            }
        }
    }

    fn run_errand(&mut self, errand: Errand) {
        let done = match errand {
            Errand::Through(sink, length) => {
                (self.sink, self.length) = (Some(sink), (length, length));
                return;
            }
            Errand::Settle(asks) => {
                // The sender of the request may be gone.
                let _ = asks.send(());
                return;
            }
            _ if self.failed.is_some() => return,
            Errand::Write(bytes) => self.write(&bytes),
            Errand::Sync => self.sync(),
        };
        if let Err(error) = done {
            self.stop_writing(error);
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        if let Some(sink) = &mut self.sink {
            write_all(sink, bytes).map_err(|error| disk::not_written_error(&error))?;
            self.length.1 += bytes.len() as u64;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), ArchiveError> {
        let synced = self.sink.as_mut().map_or(Ok(()), Sink::sync);
        synced.map_err(|error| ArchiveError::NotSynced(error.kind()))
    }

    /// Ends writing, and cuts off the bytes without a shown answer.
    fn stop_writing(&mut self, error: ArchiveError) {
        if let Some(sink) = &mut self.sink {
            // If they cannot be cut off, the game opens with them.
            let _ = sink.cut(self.length.0);
        }
        self.failed = Some(error);
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// Sink of a journal that hands its bytes over.
struct Handed<T> {
    to: SyncSender<Message<T>>,
    errands: Errands,
    has_failed: Arc<AtomicBool>,
}

impl<T> Handed<T> {
    /// Errors: earlier handed-over data was not saved.
    fn hand_over(&self, errand: Errand) -> io::Result<()> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        add_errand(&self.errands, errand);
        Ok(())
    }
}

impl<T: Send> Sink for Handed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hand_over(Errand::Write(bytes.to_vec()))?;
        Ok(bytes.len())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.hand_over(Errand::Sync)
    }

    fn cut(&mut self, _: u64) -> io::Result<()> {
        // Nothing is written in part: the saving thread cuts off failed writes.
        Ok(())
    }

    fn settle(&mut self) -> io::Result<()> {
        let is_settled = wait_until_settled(&self.to, &self.errands);
        match is_settled && !self.has_failed.load(Ordering::Relaxed) {
            true => Ok(()),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl<T> fmt::Debug for Handed<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Handed")
    }
}

/// Waits for the other end; false if it is gone.
fn wait_until_settled<T>(to: &SyncSender<Message<T>>, errands: &Errands) -> bool {
    let (told, done) = channel();
    add_errand(errands, Errand::Settle(told));
    to.send((take_errands(errands), None)).is_ok() && done.recv().is_ok()
}

fn add_errand(errands: &Errands, errand: Errand) {
    let mut errands = errands.lock().unwrap_or_else(PoisonError::into_inner);
    errands.push(errand);
}

fn take_errands(errands: &Errands) -> Vec<Errand> {
    let mut errands = errands.lock().unwrap_or_else(PoisonError::into_inner);
    mem::take(&mut errands)
}
