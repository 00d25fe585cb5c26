//! The thread that owns a game: state, rules and machine are used there, and only plain data leaves it.
//!
//! In: lines, questions about the line being typed, bytecode of changed files. Out: replies, suggestions, and news
//! about automatic reloads. Requests are answered one after the other, so rules are only replaced between two commands.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

use host::diag::Diagnostic;
use host::game::{ReloadResult, Reply};

use crate::bug_report::Reports;
use crate::save_pack_open;

mod game_handle;
mod prompt_state;
mod request_loop;
mod session_start;

pub(crate) use game_handle::GameHandle;
pub(crate) use prompt_state::Shown;
pub(crate) use session_start::{NotStarted, Opening, Start, Wanted, open_session};

use game_handle::Request;
use prompt_state::Flags;
use request_loop::answer_requests;
use session_start::open_session_and_report;

/// Size in bytes of the stack of a game thread.
pub(crate) const STACK: usize = 16 << 20;

/// A game on its thread.
pub(crate) struct Game {
    desk: GameHandle,
    /// Set to end the running script.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Whether newer rules were not loaded.
    pub(crate) stale: Arc<AtomicBool>,
    /// Number of questions that wait for the acting person.
    pub(crate) open: Arc<AtomicUsize>,
    /// State of the game that the prompt shows.
    pub(crate) shown: Arc<Mutex<Shown>>,
    news: Sender<ReloadResult>,
    /// The start of the game.
    start: Start,
    thread: Option<JoinHandle<()>>,
}

impl Game {
    /// Starts a game on a thread of its own; `news` gets the outcomes of reloads that [`GameHandle::reload_compiled`]
    /// requested.
    ///
    /// Errors: the findings that keep it from starting.
    pub(crate) fn start(
        start: Start,
        news: Sender<ReloadResult>,
    ) -> Result<(Game, Opening), NotStarted> {
        let mut game = Game {
            desk: GameHandle::default(),
            interrupt: Arc::default(),
            stale: Arc::default(),
            open: Arc::default(),
            shown: Arc::default(),
            news,
            start: start.clone(),
            thread: None,
        };
        let opening = game.begin_game_on_thread(start)?;
        Ok((game, opening))
    }

    /// Leaves the game and continues with another one, or with the same one under other rules.
    ///
    /// Errors: the findings that keep the other game from starting; then this one continues.
    pub(crate) fn replace_game(&mut self, start: Start) -> Result<Opening, NotStarted> {
        let own = self.prompt_state().folder;
        let is_same = match (&start.game, &own) {
            (Wanted::Kept { folder, .. }, Some(own)) => save_pack_open::is_same_folder(folder, own),
            _ => false,
        };
        if !is_same {
            return self.begin_game_on_thread(start);
        }
        // A game is held by one session, so this session releases it first.
        self.end_game();
        let former = self.start.clone();
        self.begin_game_on_thread(start).map_err(|mut findings| {
            let back = Start {
                game: former.game.after_saved_to(own),
                ..former
            };
            findings.extend(self.begin_game_on_thread(back).err().unwrap_or_default());
            findings
        })
    }

    /// Begins a game; the previous game ends when the new one has begun.
    fn begin_game_on_thread(&mut self, start: Start) -> Result<Opening, NotStarted> {
        let (requests, received) = channel();
        let (opened, opening) = channel();
        let kept = start.clone();
        let (interrupt, news) = (Arc::clone(&self.interrupt), self.news.clone());
        let flags = Flags {
            interrupt: Arc::clone(&self.interrupt),
            stale: Arc::clone(&self.stale),
            open: Arc::clone(&self.open),
            shown: Arc::clone(&self.shown),
        };
        let thread = Builder::new()
            .name("game".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let disk = start.disk.clone();
                let (solo, answer) = open_session_and_report(start, Arc::clone(&interrupt));
                // Nothing of this game is noted before the previous game has ended.
                let (go, may_go) = channel();
                let _ = opened.send((answer, go));
                if let (Some(solo), Ok(())) = (solo, may_go.recv()) {
                    answer_requests(
                        solo,
                        &received,
                        &news,
                        (&flags, &disk),
                        &Reports::in_user_folder(),
                    );
                }
            });
        let thread = thread.map_err(|error| vec![no_thread_finding(&error.to_string())])?;
        let (answer, go) = opening.recv().map_err(|_| vec![dead_thread_finding()])?;
        let opening = answer?;
        self.end_game();
        if let Ok(mut shown) = self.shown.lock() {
            *shown = opening.shown.clone();
        }
        self.open.store(opening.open, Ordering::Relaxed);
        let is_broken = opening.findings.iter().any(Diagnostic::is_error);
        self.stale.store(is_broken, Ordering::Relaxed);
        let _ = go.send(());
        self.desk.set_request_sender(Some(requests));
        (self.start, self.thread) = (kept, Some(thread));
        Ok(opening)
    }

    /// Ends the game; its folder is free after that.
    pub(crate) fn end_game(&mut self) {
        self.desk.set_request_sender(None);
        if let Some(thread) = self.thread.take() {
            // The thread of a broken game has already ended.
            let _ = thread.join();
        }
    }

    /// Returns the state of the game that the prompt shows.
    pub(crate) fn prompt_state(&self) -> Shown {
        let shown = self.shown.lock();
        shown.map(|shown| shown.clone()).unwrap_or_default()
    }

    /// Submits a line and waits for its answer.
    pub(crate) fn submit(&self, by: &str, line: &str) -> Reply {
        let (to, answer) = channel();
        let request = Request::Submit {
            by: by.to_owned(),
            line: line.to_owned(),
            to,
        };
        let sent = self.desk.send_request(request);
        let reply = sent.and_then(|()| answer.recv().ok());
        reply.unwrap_or_else(|| Reply::refused(dead_thread_finding()))
    }

    /// Returns the handle for requests, for other threads.
    pub(crate) fn game_handle(&self) -> GameHandle {
        self.desk.clone()
    }

    /// Returns whether the thread has ended; it only ends early if the host is broken.
    pub(crate) fn has_thread_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

fn dead_thread_finding() -> Diagnostic {
    Diagnostic::error("host/bug", "this is a bug in the host: the game has ended")
        .hint("please report it with the command")
}

pub(crate) fn no_thread_finding(why: &str) -> Diagnostic {
    Diagnostic::error(
        "host/no-thread",
        format!("no thread could be created for the game: {why}"),
    )
}

#[cfg(test)]
mod tests;
