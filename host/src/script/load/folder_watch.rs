//! Watches the folders of rules and content and compiles changed scripts, on its own thread.
//!
//! Folders are watched, not files: a watch on a file is dead after the first atomic save. A change settles before it is
//! reported, so that an editor that writes in several steps causes one reload.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use crate::diag::Diagnostic;
use crate::script::rules::compile_cache::Compiled;

/// A change is reported when nothing more happened for this long.
pub(crate) const SETTLE: Duration = Duration::from_millis(20);
/// A change is reported this long after its first event at the latest, even if events go on.
pub(crate) const LONGEST: Duration = Duration::from_millis(300);
/// Bytes of a script. Larger files are refused when they are loaded.
const LARGEST: u64 = 256 << 10;
/// How often folders are looked at when they cannot be watched.
pub(crate) const POLL: Duration = Duration::from_secs(2);

/// A watch that is alive.
pub struct Watch {
    _watcher: Box<dyn Watcher + Send>,
}

impl Watch {
    /// Watches those folders that are there and calls `changed` with the bytecode of the scripts that changed.
    ///
    /// Returns the watch, and a warning when the folders are polled because they cannot be watched.
    /// Errors: they cannot even be polled.
    pub fn start(
        folders: &[PathBuf],
        changed: impl Fn(Compiled) + Send + 'static,
    ) -> Result<(Watch, Option<Diagnostic>), Diagnostic> {
        let (sender, receiver) = channel();
        let events = {
            let sender = sender.clone();
            move |event| drop(sender.send(event))
        };
        let watched = RecommendedWatcher::new(events, Config::default())
            .and_then(|watcher| watch_folders(watcher, folders));
        let (watcher, warning) = match watched {
            Ok(watcher) => (watcher, None),
            Err(reason) => (
                poll_folders(folders, sender)?,
                Some(polling_warning(&reason)),
            ),
        };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || report_changes(&receiver, &changed))
            .map_err(|reason| {
                Diagnostic::error(
                    "host/watch",
                    format!("no thread can watch the rules: {reason}"),
                )
                .hint("type reload to load changes")
            })?;
        Ok((Watch { _watcher: watcher }, warning))
    }
}

fn watch_folders<W: Watcher + Send + 'static>(
    mut watcher: W,
    folders: &[PathBuf],
) -> notify::Result<Box<dyn Watcher + Send>> {
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        watcher.watch(folder, RecursiveMode::Recursive)?;
    }
    Ok(Box::new(watcher))
}

fn poll_folders(
    folders: &[PathBuf],
    sender: std::sync::mpsc::Sender<notify::Result<Event>>,
) -> Result<Box<dyn Watcher + Send>, Diagnostic> {
    let config = Config::default()
        .with_poll_interval(POLL)
        .with_compare_contents(true);
    PollWatcher::new(move |event| drop(sender.send(event)), config)
        .and_then(|watcher| watch_folders(watcher, folders))
        .map_err(|reason| {
            Diagnostic::error(
                "host/watch",
                format!("the rules cannot be watched: {reason}"),
            )
            .hint("type reload to load changes")
        })
}

fn polling_warning(reason: &notify::Error) -> Diagnostic {
    Diagnostic::warning(
        "host/watch",
        format!("folders cannot be watched ({reason}), so they are checked every 2 s"),
    )
    .hint("type reload to load changes at once")
}

/// Waits for changes until the watcher is gone.
fn report_changes(events: &Receiver<notify::Result<Event>>, changed: &dyn Fn(Compiled)) {
    while let Ok(event) = events.recv() {
        let mut paths = match classify_event(event) {
            What::Change(paths) => paths,
            What::Step | What::Look => continue,
        };
        if collect_until_quiet(events, &mut paths).is_err() {
            return;
        }
        changed(compile_changed_files(paths));
    }
}

/// Adds further changes until it is quiet, or until it has gone on for too long. Errors: the watcher is gone.
fn collect_until_quiet(
    events: &Receiver<notify::Result<Event>>,
    paths: &mut Vec<PathBuf>,
) -> Result<(), RecvTimeoutError> {
    let latest = now() + LONGEST;
    let mut quiet = now() + SETTLE;
    loop {
        let left = quiet.min(latest).saturating_duration_since(now());
        if left.is_zero() {
            // Waiting events already belong to the same burst: a busy machine only read them late.
            for event in events.try_iter() {
                if let What::Change(more) = classify_event(event) {
                    paths.extend(more);
                }
            }
            return Ok(());
        }
        match events.recv_timeout(left).map(classify_event) {
            Ok(What::Change(more)) => {
                paths.extend(more);
                quiet = now() + SETTLE;
            }
            Ok(What::Step) => quiet = now() + SETTLE,
            Ok(What::Look) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(gone @ RecvTimeoutError::Disconnected) => return Err(gone),
        }
    }
}

#[expect(
    clippy::disallowed_types,
    reason = "how long a change settles; no rule sees it"
)]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// The meaning of an event.
enum What {
    /// These files changed. If the list is empty, the watcher cannot name the changed files.
    Change(Vec<PathBuf>),
    /// A file is being written.
    Step,
    /// A file was only read.
    Look,
}

/// Returns the meaning of an event. A change is complete when a file is closed after writing, renamed, created or
/// removed.
fn classify_event(event: notify::Result<Event>) -> What {
    // The queue of the machine ran over, or a folder could not be looked at: anything may have changed.
    let Ok(event) = event else {
        return What::Change(Vec::new());
    };
    if event.need_rescan() {
        return What::Change(Vec::new());
    }
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Remove(_) => {
            What::Change(event.paths)
        }
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) => What::Change(event.paths),
        EventKind::Modify(_) if cfg!(target_os = "linux") => What::Step,
        EventKind::Modify(_) | EventKind::Any | EventKind::Other => What::Change(event.paths),
        EventKind::Access(_) => What::Look,
    }
}

fn compile_changed_files(mut paths: Vec<PathBuf>) -> Compiled {
    paths.sort();
    paths.dedup();
    let mut compiled = Compiled::default();
    for path in paths.iter().filter(|path| is_luau(path)) {
        // Reading a pipe or a device, or a link to one, would never end.
        let is_small_file =
            fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        if is_small_file && let Ok(text) = fs::read_to_string(path) {
            compiled.compile_early(&text.replace("\r\n", "\n"));
        }
    }
    compiled
}

fn is_luau(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "luau")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_without_a_path_and_an_error_are_changes() {
        let rescan = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
        for event in [
            Ok(rescan),
            Err(notify::Error::generic("the queue ran over")),
        ] {
            let (sender, events) = channel();
            let (reports, reported) = channel();
            let thread = thread::spawn(move || {
                report_changes(&events, &|compiled| drop(reports.send(compiled)));
            });
            sender.send(event).unwrap();
            assert!(reported.recv_timeout(Duration::from_secs(5)).is_ok());
            drop(sender);
            thread.join().unwrap();
        }
    }

    #[test]
    fn what_waits_already_is_one_report() {
        let (sender, events) = channel();
        for number in 0..60 {
            let event = Event::new(EventKind::Other).add_path(format!("{number}.luau").into());
            sender.send(Ok(event)).unwrap();
        }
        let (reports, reported) = channel();
        let thread = thread::spawn(move || {
            report_changes(&events, &|compiled| drop(reports.send(compiled)));
        });
        assert!(reported.recv_timeout(Duration::from_secs(5)).is_ok());
        drop(sender);
        thread.join().unwrap();
        assert!(reported.try_recv().is_err());
    }

    #[test]
    fn looking_at_a_file_is_no_change() {
        let looked = Event::new(EventKind::Access(AccessKind::Open(AccessMode::Any)));
        assert!(matches!(classify_event(Ok(looked)), What::Look));
    }
}
