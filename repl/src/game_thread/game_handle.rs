//! The handle for requests to a game, usable from any thread.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host::game::Reply;
use host::script::Compiled;

use crate::completion::Suggestions;
use crate::editor::Assist;

/// Maximum time that a person who types waits for a hint.
const HINT_WAIT: Duration = Duration::from_millis(100);
/// Maximum time that a person who pressed Tab waits.
const TAB_WAIT: Duration = Duration::from_secs(2);

/// Requests to a game.
pub(super) enum Request {
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

/// Handle for requests, also for requests to the next game.
#[derive(Clone, Default)]
pub(crate) struct GameHandle(Arc<Mutex<Option<Sender<Request>>>>);

impl GameHandle {
    /// Requests a reload with files that were compiled ahead; its outcome is news.
    pub(crate) fn reload_compiled(&self, compiled: Compiled) {
        // A game that has ended needs no new rules.
        let _ = self.send_request(Request::Swap(Box::new(compiled)));
    }

    /// Sends requests to another game from now on, or to none.
    pub(super) fn set_request_sender(&self, requests: Option<Sender<Request>>) {
        if let Ok(mut desk) = self.0.lock() {
            *desk = requests;
        }
    }

    /// Sends a request; returns `None` if no game takes it.
    pub(super) fn send_request(&self, request: Request) -> Option<()> {
        let requests = self.0.lock().ok()?.clone()?;
        requests.send(request).ok()
    }

    fn ask_game_with_timeout<T>(
        &self,
        wait: Duration,
        request: impl FnOnce(Sender<T>) -> Request,
    ) -> Option<T> {
        let (to, answer) = channel();
        self.send_request(request(to))?;
        answer.recv_timeout(wait).ok()
    }
}

impl Assist for GameHandle {
    fn complete(&self, line: &str, cursor: usize) -> Suggestions {
        let request = |to| Request::Complete {
            line: line.to_owned(),
            cursor,
            to,
        };
        self.ask_game_with_timeout(TAB_WAIT, request)
            .unwrap_or_default()
    }

    fn hint(&self, line: &str) -> Option<String> {
        let request = |to| Request::Hint {
            line: line.to_owned(),
            to,
        };
        self.ask_game_with_timeout(HINT_WAIT, request).flatten()
    }
}
