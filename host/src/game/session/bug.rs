//! This module keeps a game going after a bug in the host: a panic is a finding, and the state is that of the history.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Session;
use crate::diag::Diagnostic;
use crate::script::{Engine, Run};

impl Session {
    /// Does something with the game; a panic of the host is a finding, and the game goes on as its history says.
    ///
    /// Errors: `host/bug`.
    pub fn guarded<T>(&mut self, body: impl FnOnce(&mut Session) -> T) -> Result<T, Diagnostic> {
        let before = self.history.operations().len();
        match catch_unwind(AssertUnwindSafe(|| body(self))) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.mend();
                let bug = host_bug(&*panic);
                let kept = self.history.operations().len() > before;
                Err(if kept {
                    bug.hint("what the log lists was kept")
                } else {
                    bug.hint("nothing of the command was kept")
                })
            }
        }
    }

    /// Sets the state to that of the history, whatever became of it; no ruling runs any more.
    fn mend(&mut self) {
        self.engine.drop_run();
        self.resume = None;
        self.through = None;
        self.given.clear();
        if let Some(live) = self.set_aside.take() {
            self.swap_rules(live);
        }
        let now = self.history.operations().len() as u64 + 1;
        if let Ok(mut state) = self.history.state_before(now) {
            self.engine.rules().equip(&mut state);
            self.state = state;
        }
    }

    /// Runs scripts; a panic of the host is a finding, and the run comes back as it is then.
    pub(in crate::game) fn caught<T>(
        &self,
        body: impl FnOnce(&Engine) -> (Run, Result<T, Diagnostic>),
    ) -> (Run, Result<T, Diagnostic>) {
        match catch_unwind(AssertUnwindSafe(|| body(&self.engine))) {
            Ok(ended) => ended,
            Err(panic) => {
                let bug = host_bug(&*panic).hint("nothing of the command was kept");
                (self.engine.recover(), Err(bug))
            }
        }
    }
}

fn host_bug(panic: &(dyn Any + Send)) -> Diagnostic {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Diagnostic::error("host/bug", format!("this is a bug in the host: {text}"))
}
