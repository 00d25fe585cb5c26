//! The clock of the budgets: processor time of the thread that runs the game, never wall time.
//!
//! In: the time limits of a command and of a callback. Out: whether one of them took longer. A thread never uses more
//! processor time than wall time passes. So wall time only decides when the processor time is read. On a target without
//! a clock for threads there is no time limit: fuel and the interrupt remain.

use std::cell::Cell;
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "says when to read the processor time; no limit and no rule sees it"
)]
use std::time::Instant;

/// How long a reading of the processor time is used; unit: wall time. Reading it is a system call, as expensive as a
/// small command. The time that may have been used since is added. So a deadline comes too late by at most this time,
/// and never too early.
const SERVES: Duration = Duration::from_millis(1);

/// The end of a processor time limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    /// The deadline cannot have come before this moment.
    look_at: Moment,
    /// The processor time of the thread at the deadline.
    used: Duration,
}

/// The two clocks, read at once.
#[derive(Clone, Copy, Debug)]
struct Reading {
    wall: Moment,
    used: Duration,
}

#[expect(
    clippy::disallowed_types,
    reason = "says when to read the processor time; no limit and no rule sees it"
)]
type Moment = Instant;

/// The deadlines of the command that runs and of its callback.
#[derive(Debug, Default)]
pub(super) struct Clock {
    command: Cell<Option<Deadline>>,
    callback: Cell<Option<Deadline>>,
    is_stopped: Cell<bool>,
    last: Cell<Option<Reading>>,
}

impl Clock {
    /// Starts again: sets the time limit of a command, and no callback runs.
    pub(super) fn begin_command(&self, limit: Option<Duration>) {
        self.is_stopped.set(false);
        self.command.set(self.deadline_after(limit));
        self.callback.set(None);
    }

    /// Sets the time limit of a callback, unless the clock is stopped.
    pub(super) fn begin_callback(&self, limit: Option<Duration>) {
        if !self.is_stopped.get() {
            self.callback.set(self.deadline_after(limit));
        }
    }

    /// Returns the deadline of the callback that runs.
    pub(super) fn callback_deadline(&self) -> Option<Deadline> {
        self.callback.get()
    }

    /// Goes back to the deadline of a callback around the callback that ended.
    pub(super) fn restore_callback_deadline(&self, around: Option<Deadline>) {
        self.callback.set(around);
    }

    /// Takes the deadlines off this command.
    pub(super) fn remove_deadlines(&self) {
        self.is_stopped.set(true);
        self.command.set(None);
        self.callback.set(None);
    }

    /// Returns whether a deadline has come.
    pub(super) fn is_deadline_past(&self) -> bool {
        let ends = [&self.command, &self.callback];
        let looks = ends.iter().filter_map(|end| end.get());
        let Some(look_at) = looks.map(|deadline| deadline.look_at).min() else {
            return false;
        };
        let wall = Moment::now();
        wall >= look_at && self.check_processor_time(wall, ends)
    }

    /// Reads the processor time, and notes for how long a deadline cannot come yet.
    #[cold]
    fn check_processor_time(&self, wall: Moment, ends: [&Cell<Option<Deadline>>; 2]) -> bool {
        let Some(used) = processor_time() else {
            return false;
        };
        self.last.set(Some(Reading { wall, used }));
        let left = |deadline: Deadline| deadline.used.saturating_sub(used);
        for end in ends {
            end.set(end.get().map(|deadline| Deadline {
                look_at: wall + left(deadline),
                ..deadline
            }));
        }
        let mut deadlines = ends.into_iter().filter_map(Cell::get);
        deadlines.any(|deadline| left(deadline).is_zero())
    }

    fn deadline_after(&self, limit: Option<Duration>) -> Option<Deadline> {
        let limit = limit?;
        let now = self.read_both_clocks()?;
        Some(Deadline {
            look_at: now.wall.checked_add(limit)?,
            used: now.used.checked_add(limit)?,
        })
    }

    /// Returns both clocks. The processor time is exact, or too large by at most [`SERVES`].
    fn read_both_clocks(&self) -> Option<Reading> {
        let wall = Moment::now();
        let since = |last: Reading| wall.saturating_duration_since(last.wall);
        if let Some(last) = self.last.get().filter(|last| since(*last) < SERVES) {
            let used = last.used + since(last);
            return Some(Reading { wall, used });
        }
        let used = processor_time()?;
        self.last.set(Some(Reading { wall, used }));
        self.last.get()
    }
}

/// Returns the processor time that this thread has used.
#[cfg(any(
    target_os = "android",
    target_os = "freebsd",
    target_os = "ios",
    target_os = "linux",
    target_os = "macos",
    target_os = "openbsd"
))]
pub(crate) fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).ok()
}

#[cfg(not(any(
    target_os = "android",
    target_os = "freebsd",
    target_os = "ios",
    target_os = "linux",
    target_os = "macos",
    target_os = "openbsd"
)))]
pub(crate) fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(20);

    /// Lets wall time pass that the thread does not use.
    fn wait(time: Duration) {
        let (_kept, never) = mpsc::channel::<()>();
        assert!(never.recv_timeout(time).is_err());
    }

    #[test]
    fn time_that_is_waited_counts_as_none() {
        let clock = Clock::default();
        clock.begin_command(Some(LIMIT));
        clock.begin_callback(Some(LIMIT));
        wait(LIMIT * 3);
        assert!(!clock.is_deadline_past());
    }

    #[test]
    fn time_that_is_used_ends_at_its_limit() {
        let clock = Clock::default();
        let began = processor_time().expect("the tests run where threads have clocks");
        clock.begin_command(Some(LIMIT));
        while !clock.is_deadline_past() {
            std::hint::spin_loop();
        }
        let used = processor_time().unwrap() - began;
        assert!(
            used >= LIMIT && used < LIMIT + Duration::from_millis(50),
            "{used:?}"
        );
        assert!(clock.is_deadline_past(), "and stays past");
    }

    #[test]
    fn a_callback_has_a_deadline_of_its_own_and_gives_the_one_around_it_back() {
        let clock = Clock::default();
        clock.begin_command(Some(LIMIT * 1_000));
        let around = clock.callback_deadline();
        clock.begin_callback(Some(Duration::ZERO));
        // A reading is used for a while, so the deadline comes later by that time.
        wait(SERVES);
        assert!((0..1_000_000).any(|_| clock.is_deadline_past()));
        clock.restore_callback_deadline(around);
        assert!(!clock.is_deadline_past());
    }

    #[test]
    fn a_stopped_clock_gives_no_deadline_until_the_next_command() {
        let clock = Clock::default();
        clock.begin_command(Some(Duration::ZERO));
        clock.remove_deadlines();
        clock.begin_callback(Some(Duration::ZERO));
        assert!(clock.callback_deadline().is_none() && !clock.is_deadline_past());
        clock.begin_command(None);
        clock.begin_callback(Some(Duration::ZERO));
        assert!(clock.callback_deadline().is_some());
    }
}
