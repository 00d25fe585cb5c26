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
use host::script::{Compiled, EngineOptions, GM};

use crate::arguments::RulesOf;
use crate::bug::Reports;
use crate::commands::COMMANDS;
use crate::completion::{self, Suggestions};
use crate::editor::Assist;
use crate::folder;
use crate::hand_over::{self, Disk};
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
    pub(crate) disk: Disk,
}

impl Start {
    /// Returns whether the game is kept in a folder and written to.
    pub(crate) fn is_kept(&self) -> bool {
        match &self.game {
            Wanted::New { folder, .. } => folder.is_some(),
            Wanted::Kept { read_only, .. } => !read_only,
        }
    }
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

impl Wanted {
    /// Returns the same game, once it has a folder.
    fn again(self, folder: Option<PathBuf>) -> Wanted {
        match (self, folder) {
            (Wanted::New { .. }, Some(folder)) => Wanted::Kept {
                folder,
                rules: RulesOf::Now,
                read_only: false,
            },
            (wanted, _) => wanted,
        }
    }
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
    /// What the prompt says of it.
    pub(crate) shown: Shown,
    /// How many questions wait for the game master.
    pub(crate) open: usize,
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
    /// What the prompt says of the game.
    pub(crate) shown: Arc<Mutex<Shown>>,
    news: Sender<Reloaded>,
    /// What it began with.
    start: Start,
    thread: Option<JoinHandle<()>>,
}

/// What the prompt says of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The phase, such as `night 2`; empty in a game without phases.
    pub(crate) phase: String,
    /// The folder that it is kept in.
    pub(crate) folder: Option<PathBuf>,
    /// Whether it is only looked at.
    pub(crate) read_only: bool,
}

/// Where requests are handed in, also those of the next game.
#[derive(Clone)]
pub(crate) struct Desk(Arc<Mutex<Option<Sender<Request>>>>);

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
        let mut game = Game {
            desk: Desk(Arc::default()),
            interrupt: Arc::default(),
            stale: Arc::default(),
            open: Arc::default(),
            shown: Arc::default(),
            news,
            start: start.clone(),
            thread: None,
        };
        let opening = game.begin(start)?;
        Ok((game, opening))
    }

    /// Leaves the game and goes on with another, or with the same one under other rules.
    ///
    /// Errors: the findings that keep the other one from starting; then this one goes on.
    pub(crate) fn replace(&mut self, start: Start) -> Result<Opening, NotStarted> {
        let own = self.shown().folder;
        let is_same = match (&start.game, &own) {
            (Wanted::Kept { folder, .. }, Some(own)) => hand_over::is_same(folder, own),
            _ => false,
        };
        if !is_same {
            return self.begin(start);
        }
        // A game is held by one session: this one lets go of it first.
        self.end();
        let former = self.start.clone();
        self.begin(start).map_err(|mut findings| {
            let back = Start {
                game: former.game.again(own),
                ..former
            };
            findings.extend(self.begin(back).err().unwrap_or_default());
            findings
        })
    }

    /// Begins a game; the one before ends when this one has begun.
    fn begin(&mut self, start: Start) -> Result<Opening, NotStarted> {
        let (requests, received) = channel();
        let (opened, opening) = channel();
        let kept = start.clone();
        let (interrupt, news) = (Arc::clone(&self.interrupt), self.news.clone());
        let flags = Flags {
            stale: Arc::clone(&self.stale),
            open: Arc::clone(&self.open),
            shown: Arc::clone(&self.shown),
        };
        let thread = Builder::new()
            .name("game".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let disk = start.disk.clone();
                let (session, answer) = open(start, interrupt);
                // Nobody notes anything of this game before the one before it has ended.
                let (go, may_go) = channel();
                let _ = opened.send((answer, go));
                if let (Some(session), Ok(())) = (session, may_go.recv()) {
                    serve(
                        session,
                        &received,
                        &news,
                        (&flags, &disk),
                        &Reports::of_user(),
                    );
                }
            });
        let thread = thread.map_err(|error| vec![no_thread(&error.to_string())])?;
        let (answer, go) = opening.recv().map_err(|_| vec![dead()])?;
        let opening = answer?;
        self.end();
        if let Ok(mut shown) = self.shown.lock() {
            *shown = opening.shown.clone();
        }
        self.open.store(opening.open, Ordering::Relaxed);
        let is_broken = opening.findings.iter().any(Diagnostic::is_error);
        self.stale.store(is_broken, Ordering::Relaxed);
        let _ = go.send(());
        self.desk.set(Some(requests));
        (self.start, self.thread) = (kept, Some(thread));
        Ok(opening)
    }

    /// Ends the game; its folder is free then.
    pub(crate) fn end(&mut self) {
        self.desk.set(None);
        if let Some(thread) = self.thread.take() {
            // A game that broke has ended already.
            let _ = thread.join();
        }
    }

    /// Returns what the prompt says of the game.
    pub(crate) fn shown(&self) -> Shown {
        let shown = self.shown.lock();
        shown.map(|shown| shown.clone()).unwrap_or_default()
    }

    /// Gives a line and waits for its answer.
    pub(crate) fn submit(&self, by: &str, line: &str) -> Reply {
        let (to, answer) = channel();
        let request = Request::Submit {
            by: by.to_owned(),
            line: line.to_owned(),
            to,
        };
        let sent = self.desk.send(request);
        let reply = sent.and_then(|()| answer.recv().ok());
        reply.unwrap_or_else(|| Reply::refused(dead()))
    }

    /// Returns where requests are handed in, for other threads.
    pub(crate) fn desk(&self) -> Desk {
        self.desk.clone()
    }

    /// Returns whether the thread has ended, which it only does when the host is broken.
    pub(crate) fn is_dead(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Desk {
    /// Asks for a reload with what was compiled ahead; its outcome is news.
    pub(crate) fn swap(&self, compiled: Compiled) {
        // A game that has ended needs no new rules.
        let _ = self.send(Request::Swap(Box::new(compiled)));
    }

    fn set(&self, requests: Option<Sender<Request>>) {
        if let Ok(mut desk) = self.0.lock() {
            *desk = requests;
        }
    }

    fn send(&self, request: Request) -> Option<()> {
        let requests = self.0.lock().ok()?.clone()?;
        requests.send(request).ok()
    }

    fn ask<T>(&self, wait: Duration, request: impl FnOnce(Sender<T>) -> Request) -> Option<T> {
        let (to, answer) = channel();
        self.send(request(to))?;
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
                    .and_then(|()| session.keep_in(&place, folder::keeping(start.disk.sync)));
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
            let keeping = folder::keeping(start.disk.sync);
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
                shown: shown(&session),
                open: session.questions_for(GM).len(),
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
    (flags, disk): (&Flags, &Disk),
    reports: &Reports,
) -> Session {
    let mut acting = "gm".to_owned();
    while let Ok(request) = requests.recv() {
        // Whoever asked may have given up waiting: an answer that nobody takes is dropped.
        match request {
            Request::Submit { by, line, to } => {
                let reply = reports.submit(&mut session, &by, &line);
                let reply = disk.granted(&mut session, reply);
                let by = match &reply.wish {
                    Some(Wish::As(name)) => name,
                    Some(_) | None => &by,
                };
                let open = session.questions_for(by).len();
                flags.open.store(open, Ordering::Relaxed);
                by.clone_into(&mut acting);
                flags.note(&session);
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
                flags.note(&session);
                let _ = news.send(reloaded);
            }
        }
    }
    session
}

/// What the terminal may look at while a game runs.
#[derive(Default)]
struct Flags {
    stale: Arc<AtomicBool>,
    open: Arc<AtomicUsize>,
    shown: Arc<Mutex<Shown>>,
}

impl Flags {
    /// Keeps what the prompt says of a game.
    fn note(&self, session: &Session) {
        if let Ok(mut kept) = self.shown.lock() {
            *kept = shown(session);
        }
        let mut live = session.findings().iter();
        let is_stale = !session.stale().is_empty() || live.any(Diagnostic::is_error);
        self.stale.store(is_stale, Ordering::Relaxed);
    }
}

fn shown(session: &Session) -> Shown {
    Shown {
        phase: session.whereabouts(),
        folder: session.folder().map(Path::to_owned),
        read_only: session.read_only().is_some(),
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
