//! This module is the thread that owns a game: state, rules and machine live there, and only plain data leaves it.
//!
//! In: lines, questions about what is being typed, bytecode of changed files. Out: replies, suggestions, and news
//! about reloads that nobody asked for. A request is answered before the next one is looked at, so rules are only
//! swapped between two commands.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use host::diag::Diagnostic;
use host::game::{Home, Place, Reloaded, Reply, Seed, Session, SessionOptions, Wish};
use host::script::{Compiled, EngineOptions};

use crate::arguments::{RulesOf, Sync};
use crate::bug::Reports;
use crate::commands::COMMANDS;
use crate::completion::{self, Suggestions};
use crate::editor::Assist;
use crate::folder;
use crate::hint;

/// Bytes of the stack that a game runs on.
pub(crate) const STACK: usize = 16 << 20;

/// How long somebody who types waits for a hint.
const HINT_WAIT: Duration = Duration::from_millis(100);
/// How long somebody who pressed Tab waits.
const TAB_WAIT: Duration = Duration::from_secs(2);

/// What a game begins with; plain data.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) home: Home,
    pub(crate) game: Wanted,
    pub(crate) sync: Sync,
}

/// Which game is wanted.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// A new one, kept in a folder if there is one.
    New {
        ruleset: String,
        seed: Seed,
        folder: Option<PathBuf>,
    },
    /// One that was kept.
    Kept {
        folder: PathBuf,
        rules: RulesOf,
        read_only: bool,
    },
}

/// What a game says when it has begun.
#[derive(Debug)]
pub(crate) struct Opening {
    /// Its name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) summary: String,
    /// The id of its ruleset.
    pub(crate) ruleset: String,
    /// Where its dice come from.
    pub(crate) seed: Seed,
    /// The folder that it is kept in.
    pub(crate) folder: Option<PathBuf>,
    /// What its set-up said.
    pub(crate) reply: Reply,
    /// Warnings about its rules.
    pub(crate) findings: Vec<Diagnostic>,
}

enum Request {
    Submit {
        by: String,
        line: String,
        to: Sender<Reply>,
    },
    Complete {
        line: String,
        cursor: usize,
        to: Sender<Suggestions>,
    },
    Hint {
        line: String,
        to: Sender<Option<String>>,
    },
    Swap(Box<Compiled>),
}

/// A game on its thread.
pub(crate) struct Game {
    desk: Desk,
    /// Set to end the running script.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Whether newer rules were not taken over.
    pub(crate) stale: Arc<AtomicBool>,
    /// How many questions wait for whoever acts.
    pub(crate) open: Arc<AtomicUsize>,
    /// The phase, such as `night 2`; empty in a game without phases.
    pub(crate) phase: Arc<Mutex<String>>,
    thread: JoinHandle<()>,
}

/// Where requests are handed in.
#[derive(Clone)]
pub(crate) struct Desk(Sender<Request>);

/// Why no game began: its rules do not load, or no thread could be made.
pub(crate) type NotStarted = Vec<Diagnostic>;

impl Game {
    /// Starts a game on a thread of its own; `news` gets what became of reloads that [`Desk::swap`] asked for.
    ///
    /// Errors: the findings that keep it from starting.
    pub(crate) fn start(
        start: Start,
        news: Sender<Reloaded>,
    ) -> Result<(Game, Opening), NotStarted> {
        let (requests, received) = channel();
        let (opened, opening) = channel();
        let interrupt = Arc::new(AtomicBool::new(false));
        let stale = Arc::new(AtomicBool::new(false));
        let open_count = Arc::new(AtomicUsize::new(0));
        let (inner_interrupt, inner_stale) = (Arc::clone(&interrupt), Arc::clone(&stale));
        let inner_open = Arc::clone(&open_count);
        let phase = Arc::new(Mutex::new(String::new()));
        let inner_phase = Arc::clone(&phase);
        let thread = Builder::new()
            .name("game".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let (session, answer) = open(start, inner_interrupt);
                if let Some(session) = &session {
                    note_phase(session, &inner_phase);
                }
                let _ = opened.send(answer);
                if let Some(session) = session {
                    let flags = (&*inner_stale, &*inner_open, &*inner_phase);
                    serve(session, &received, &news, flags, &Reports::of_user());
                }
            });
        let thread = thread.map_err(|error| vec![no_thread(&error.to_string())])?;
        match opening.recv() {
            Ok(Ok(opening)) => Ok((
                Game {
                    desk: Desk(requests),
                    interrupt,
                    stale,
                    open: open_count,
                    phase,
                    thread,
                },
                opening,
            )),
            Ok(Err(findings)) => Err(findings),
            Err(_) => Err(vec![dead()]),
        }
    }

    /// Gives a line and waits for its answer.
    pub(crate) fn submit(&self, by: &str, line: &str) -> Reply {
        let (to, answer) = channel();
        let request = Request::Submit {
            by: by.to_owned(),
            line: line.to_owned(),
            to,
        };
        let sent = self.desk.0.send(request);
        let reply = sent.ok().and_then(|()| answer.recv().ok());
        reply.unwrap_or_else(|| Reply::refused(dead()))
    }

    /// Returns where requests are handed in, for other threads.
    pub(crate) fn desk(&self) -> Desk {
        self.desk.clone()
    }

    /// Returns whether the thread has ended, which it only does when the host is broken.
    pub(crate) fn is_dead(&self) -> bool {
        self.thread.is_finished()
    }
}

impl Desk {
    /// Asks for a reload with what was compiled ahead; its outcome is news.
    pub(crate) fn swap(&self, compiled: Compiled) {
        // A game that has ended needs no new rules.
        let _ = self.0.send(Request::Swap(Box::new(compiled)));
    }

    fn ask<T>(&self, wait: Duration, request: impl FnOnce(Sender<T>) -> Request) -> Option<T> {
        let (to, answer) = channel();
        self.0.send(request(to)).ok()?;
        answer.recv_timeout(wait).ok()
    }
}

impl Assist for Desk {
    fn complete(&self, line: &str, cursor: usize) -> Suggestions {
        let request = |to| Request::Complete {
            line: line.to_owned(),
            cursor,
            to,
        };
        self.ask(TAB_WAIT, request).unwrap_or_default()
    }

    fn hint(&self, line: &str) -> Option<String> {
        let request = |to| Request::Hint {
            line: line.to_owned(),
            to,
        };
        self.ask(HINT_WAIT, request).flatten()
    }
}

/// Opens a session for a game. Errors: what keeps it from starting.
pub(crate) fn open_session(
    start: Start,
    interrupt: Arc<AtomicBool>,
) -> Result<(Session, Reply), Vec<Diagnostic>> {
    let engine = EngineOptions {
        interrupt,
        ..EngineOptions::default()
    };
    match start.game {
        Wanted::New {
            ruleset,
            seed,
            folder,
        } => {
            let options = SessionOptions {
                home: start.home,
                ruleset,
                seed,
                engine,
            };
            let (mut session, reply) = Session::start(options, &COMMANDS)?;
            if let Some(place) = folder {
                let made = folder::make_parent(&place)
                    .and_then(|()| session.keep_in(&place, folder::keeping(start.sync)));
                made.map_err(|finding| vec![*finding])?;
            }
            Ok((session, reply))
        }
        Wanted::Kept {
            folder,
            rules,
            read_only,
        } => {
            let place = Place {
                folder: &folder,
                home: start.home,
                engine,
                under: folder::under(rules),
                read_only,
            };
            let keeping = folder::keeping(start.sync);
            let (session, notes) = Session::reopen(place, keeping, &COMMANDS)?;
            let reply = Reply {
                findings: notes,
                ..session.welcome()
            };
            Ok((session, reply))
        }
    }
}

fn open(
    start: Start,
    interrupt: Arc<AtomicBool>,
) -> (Option<Session>, Result<Opening, NotStarted>) {
    match open_session(start, interrupt) {
        Ok((session, reply)) => {
            let rules = session.rules();
            let text = |key: &str| rules.ruleset.get(key).to_string();
            let findings = session.findings().to_vec();
            let opening = Opening {
                name: text("name"),
                summary: text("summary"),
                ruleset: session.options().ruleset.clone(),
                seed: session.options().seed.clone(),
                folder: session.folder().map(Path::to_owned),
                reply,
                findings,
            };
            (Some(session), Ok(opening))
        }
        Err(findings) => (None, Err(findings)),
    }
}

/// Answers requests until nobody can ask any more; returns the game as it is then.
fn serve(
    mut session: Session,
    requests: &Receiver<Request>,
    news: &Sender<Reloaded>,
    (stale, open, phase): (&AtomicBool, &AtomicUsize, &Mutex<String>),
    reports: &Reports,
) -> Session {
    let mut acting = "gm".to_owned();
    while let Ok(request) = requests.recv() {
        // Whoever asked may have given up waiting: an answer that nobody takes is dropped.
        match request {
            Request::Submit { by, line, to } => {
                let reply = reports.submit(&mut session, &by, &line);
                let by = match &reply.wish {
                    Some(Wish::As(name)) => name,
                    Some(Wish::Quit | Wish::Format(_)) | None => &by,
                };
                open.store(session.questions_for(by).len(), Ordering::Relaxed);
                by.clone_into(&mut acting);
                note_phase(&session, phase);
                stale.store(!session.stale().is_empty(), Ordering::Relaxed);
                let _ = to.send(reply);
            }
            Request::Complete { line, cursor, to } => {
                let found = reports.guarded(&mut session, &line, |session| {
                    completion::complete(session, &acting, &line, cursor)
                });
                let _ = to.send(found.unwrap_or_default());
            }
            Request::Hint { line, to } => {
                let found = reports.guarded(&mut session, &line, |session| {
                    hint::hint(session, &acting, &line)
                });
                let _ = to.send(found.unwrap_or_default());
            }
            Request::Swap(compiled) => {
                let reloaded = reports
                    .guarded(&mut session, "reload", |session| session.reload(*compiled))
                    .unwrap_or_else(|bug| Reloaded::Kept {
                        findings: vec![bug],
                    });
                stale.store(!session.stale().is_empty(), Ordering::Relaxed);
                note_phase(&session, phase);
                let _ = news.send(reloaded);
            }
        }
    }
    session
}

/// Keeps the phase of the game for the prompt, and which earlier game or fork is looked at or played.
fn note_phase(session: &Session, phase: &Mutex<String>) {
    if let Ok(mut phase) = phase.lock() {
        *phase = session.whereabouts();
    }
}

fn dead() -> Diagnostic {
    Diagnostic::error("host/bug", "this is a bug in the host: the game has ended")
        .hint("please report it with the command")
}

fn no_thread(why: &str) -> Diagnostic {
    Diagnostic::error(
        "host/no-thread",
        format!("no thread can be made for the game: {why}"),
    )
}

#[cfg(test)]
mod tests;
