//! This module keeps a game going after a bug in the host: a panic is a finding, and the state is that of the history.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::host_bug;
use crate::game::session::Session;

impl Session {
    /// Does something with the game; a panic of the host is a finding, and the game goes on as its history says.
    ///
    /// Errors: `host/bug`.
    pub fn guarded<T>(&mut self, body: impl FnOnce(&mut Session) -> T) -> Result<T, Diagnostic> {
        let before = self.operations();
        match catch_unwind(AssertUnwindSafe(|| body(self))) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.mend();
                let bug = host_bug(&*panic);
                let kept = self.operations() > before;
                Err(if kept {
                    bug.hint("what the log lists was kept")
                } else {
                    bug.hint("nothing of the command was kept")
                })
            }
        }
    }

    /// Counts the operations of all lines.
    fn operations(&self) -> usize {
        let forks = self.forks.values().map(|fork| &fork.timeline);
        let lines = std::iter::once(&self.main).chain(forks);
        lines.map(|line| line.history.operations().len()).sum()
    }

    /// Sets the lines of the game to their histories, whatever became of them; no ruling runs any more.
    fn mend(&mut self) {
        let live = Rc::clone(self.generations.live());
        live.machine().drop_run();
        let forks = self.forks.values_mut().map(|fork| &mut fork.timeline);
        for timeline in std::iter::once(&mut self.main).chain(forks) {
            timeline.play_under(&live);
            timeline.recover();
        }
    }
}
