//! This module watches the folders of rules and content and compiles what changed, on a thread of its own.
//!
//! Folders are watched, not files: a watch on a file is dead after the first atomic save. A change settles
//! before it is reported, so that an editor that writes in several steps causes one reload.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::compile::Compiled;
use crate::diag::Diagnostic;

/// A change is reported when nothing more happened for this long.
const SETTLE: Duration = Duration::from_millis(20);
/// However much goes on, it is reported after this many settle times.
const MOST_SETTLES: u32 = 15;
/// Bytes of a script; larger files are refused when they are loaded.
const LARGEST: u64 = 256 << 10;
/// How often folders are looked at when they cannot be watched.
const POLL: Duration = Duration::from_secs(2);

/// A watch that is alive.
pub struct Watch {
    _watcher: Box<dyn Watcher + Send>,
}

impl Watch {
    /// Watches folders and calls `changed` with the bytecode of the scripts that changed.
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
            .and_then(|watcher| watching(watcher, folders));
        let (watcher, warning) = match watched {
            Ok(watcher) => (watcher, None),
            Err(reason) => (polling(folders, sender)?, Some(polled(&reason))),
        };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || report(&receiver, &changed))
            .map_err(|reason| {
                Diagnostic::error(
                    "host/watch",
                    format!("no thread can watch the rules: {reason}"),
                )
            })?;
        Ok((Watch { _watcher: watcher }, warning))
    }
}

fn watching<W: Watcher + Send + 'static>(
    mut watcher: W,
    folders: &[PathBuf],
) -> notify::Result<Box<dyn Watcher + Send>> {
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive)?;
    }
    Ok(Box::new(watcher))
}

fn polling(
    folders: &[PathBuf],
    sender: std::sync::mpsc::Sender<notify::Result<Event>>,
) -> Result<Box<dyn Watcher + Send>, Diagnostic> {
    let config = Config::default()
        .with_poll_interval(POLL)
        .with_compare_contents(true);
    PollWatcher::new(move |event| drop(sender.send(event)), config)
        .and_then(|watcher| watching(watcher, folders))
        .map_err(|reason| {
            Diagnostic::error(
                "host/watch",
                format!("the rules cannot be watched: {reason}"),
            )
            .hint("reload takes changes over by hand")
        })
}

fn polled(reason: &notify::Error) -> Diagnostic {
    Diagnostic::warning(
        "host/watch",
        format!("folders cannot be watched ({reason}), so they are looked at every 2 s"),
    )
    .hint("reload takes changes over at once")
}

/// Waits for changes until the watcher is gone.
fn report(events: &Receiver<notify::Result<Event>>, changed: &dyn Fn(Compiled)) {
    while let Ok(event) = events.recv() {
        let mut paths = paths_of(event);
        let mut settles = 0;
        while settles < MOST_SETTLES {
            settles += 1;
            match events.recv_timeout(SETTLE) {
                Ok(event) => paths.extend(paths_of(event)),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        if !paths.is_empty() {
            changed(compiled(paths));
        }
    }
}

/// Returns the paths of an event that ends a change: closed after writing, renamed, made, removed.
fn paths_of(event: notify::Result<Event>) -> Vec<PathBuf> {
    let Ok(event) = event else { return Vec::new() };
    let counts = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Remove(_) => true,
        EventKind::Create(_) => true,
        EventKind::Modify(ModifyKind::Name(_)) => true,
        EventKind::Modify(_) => !cfg!(target_os = "linux"),
        EventKind::Access(_) => false,
        EventKind::Any | EventKind::Other => true,
    };
    if counts { event.paths } else { Vec::new() }
}

fn compiled(mut paths: Vec<PathBuf>) -> Compiled {
    paths.sort();
    paths.dedup();
    let mut compiled = Compiled::default();
    for path in paths.iter().filter(|path| is_luau(path)) {
        let is_small = fs::metadata(path).is_ok_and(|file| file.len() <= LARGEST);
        if is_small && let Ok(text) = fs::read_to_string(path) {
            compiled.prepare(&text.replace("\r\n", "\n"));
        }
    }
    compiled
}

fn is_luau(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "luau")
}
