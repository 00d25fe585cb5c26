//! Keeps a game running after a bug in the host: a panic becomes a finding, and the game is as before.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::{Generation, host_bug_finding};
use crate::game::session::Session;
use crate::game::timeline::Timeline;
use crate::game::timeline::game_on_disk::GameOnDisk;

/// The number of operations of the game itself, and of each fork.
type Operations = (u64, BTreeMap<String, u64>);

impl Session {
    /// Runs a function on the game. A panic of the host becomes a finding, and the game is as before, except for
    /// operations that are on disk already.
    ///
    /// Errors: `host/bug`.
    pub fn catch_panic<T>(
        &mut self,
        body: impl FnOnce(&mut Session) -> T,
    ) -> Result<T, Diagnostic> {
        let before = self.count_operations();
        match catch_unwind(AssertUnwindSafe(|| body(self))) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.restore_all_timelines(&before);
                let bug = host_bug_finding(&*panic);
                Err(match self.count_operations() == before {
                    false => bug.hint("everything that the log lists was saved"),
                    true => bug.hint("nothing of the command was kept"),
                })
            }
        }
    }

    /// Counts the operations of each line: of the game itself, then of the forks by name.
    fn count_operations(&self) -> Operations {
        let forks = self.forks.iter();
        let forks = forks.map(|(name, fork)| (name.clone(), fork.timeline.operation_count()));
        (self.main.operation_count(), forks.collect())
    }

    /// Sets each line of the game to the state of its history, after any damage to the state; no ruling is running any
    /// more.
    fn restore_all_timelines(&mut self, (main, forks): &Operations) {
        let live = Rc::clone(self.generations.live());
        live.machine().drop_run_after_panic();
        restore_timeline(&mut self.main, &live, self.disk.as_ref(), *main);
        for (name, fork) in &mut self.forks {
            let before = forks.get(name).copied().unwrap_or_default();
            restore_timeline(&mut fork.timeline, &live, fork.kept.as_ref(), before);
        }
    }
}

/// Sets a line to its history, without operations that were added since and are not on disk.
fn restore_timeline(
    timeline: &mut Timeline,
    live: &Rc<Generation>,
    disk: Option<&GameOnDisk>,
    before: u64,
) {
    timeline.play_under_rules(live);
    timeline.restore_state_from_history();
    let kept = before.max(disk.map_or(0, |kept| kept.game.last_seq()));
    while timeline.operation_count() > kept
        && timeline
            .history
            .remove_last_operation(&mut timeline.state)
            .is_ok()
    {}
}
