//! Plays the games of a simulation on several threads, each with a state and a machine of its own.
//!
//! Only plain data crosses between threads: files, numbers of games, counts. The distribution of games to threads
//! changes nothing.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, ScopedJoinHandle, scope};

use host::diag::Diagnostic;
use host::game::{Files, Shard, SimulationSetup, Simulator, Tally};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Stopped;
use crate::commands::COMMANDS;
use crate::exit_code::Exit;
use crate::game_thread::STACK;

/// Progress bar for a person who watches.
const BAR: &str = "{wide_bar} {pos} of {len} games, {per_sec}, {eta} left";

/// Games to play.
pub(super) struct Jobs<'a> {
    pub(super) simulated: &'a SimulationSetup,
    pub(super) files: &'a Files,
    pub(super) shard: Shard,
    /// Number of games of all shares.
    pub(super) games: u64,
    /// Whether each game is replayed.
    pub(super) verify: bool,
    /// Whether a person watches.
    pub(super) shows: bool,
}

/// The numbers of games that no thread plays yet.
type Left<'a> = Mutex<Box<dyn Iterator<Item = u64> + Send + 'a>>;

impl Jobs<'_> {
    /// Plays all games of the share on a number of threads; `own` is the simulator of this thread.
    ///
    /// Errors: a thread cannot be started, or cannot load the rules.
    pub(super) fn play_games(
        &self,
        mut own: Simulator,
        jobs: NonZeroUsize,
    ) -> Result<Tally, Stopped> {
        let bar = self.progress_bar();
        let games = self.shard.games(self.games);
        let left: Left<'_> = Mutex::new(Box::new(games));
        let tally = scope(|scope| {
            let started = (1..jobs.get()).map(|_| {
                let thread = Builder::new().name("simulation".to_owned());
                let rules = || self.open_and_play_games(&left, &bar);
                thread.stack_size(STACK).spawn_scoped(scope, rules)
            });
            let started: Result<Vec<_>, _> = started.collect();
            let mut tally = self.play_left_games(&mut own, &left, &bar);
            for thread in started.map_err(|error| no_thread_error(&error.to_string()))? {
                tally.merge(join_thread(thread)?);
            }
            Ok(tally)
        });
        bar.finish_and_clear();
        tally
    }

    fn open_and_play_games(&self, left: &Left<'_>, bar: &ProgressBar) -> Result<Tally, Stopped> {
        let own = Simulator::open(self.simulated, self.files.clone(), &COMMANDS);
        let mut own = own.map_err(Stopped::simulator_refusal)?;
        Ok(self.play_left_games(&mut own, left, bar))
    }

    fn play_left_games(&self, own: &mut Simulator, left: &Left<'_>, bar: &ProgressBar) -> Tally {
        let mut tally = Tally::default();
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(number) = next() {
            let played = own.play(number);
            if self.verify
                && let Some(what) = own.replay_difference(number, &played)
            {
                tally.note_difference(number, what);
            }
            tally.count_game(number, &played);
            bar.inc(1);
        }
        tally
    }

    fn progress_bar(&self) -> ProgressBar {
        if !self.shows {
            return ProgressBar::hidden();
        }
        let games = self.shard.games(self.games).count() as u64;
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(BAR);
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

fn join_thread(thread: ScopedJoinHandle<'_, Result<Tally, Stopped>>) -> Result<Tally, Stopped> {
    match thread.join() {
        Ok(ended) => ended,
        Err(_) => Err(no_thread_error(
            "a thread ended before its games were finished",
        )),
    }
}

fn no_thread_error(why: &str) -> Stopped {
    let message = format!("the games cannot be played at the same time: {why}");
    let finding = Diagnostic::error("host/no-thread", message);
    Stopped {
        findings: vec![finding.hint("--jobs 1 plays one game after the other")],
        exit: Exit::Bug,
    }
}
