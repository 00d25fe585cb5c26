//! Kills the program at random moments and checks the disk.
//!
//! In: a number. Out: the number of kills and their moments, or the loss. One game goes through several kills; a game
//! in memory with the same lines provides the expected content of the disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use host::game::Seed;
use host::store::archive::JOURNAL;

use super::game_on_disk;
use super::memory_game::MemoryGame;
use super::program_process::{Seen, Table, Talk};
use super::random_lines::Lines;
use crate::Scratch;

/// Number of kills of one game.
pub const KILLS: usize = 5;

/// Maximum time of a start, in microseconds.
const START: u32 = if cfg!(debug_assertions) {
    120_000
} else {
    25_000
};

/// Outcomes of the kills of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crash {
    /// Number of kills.
    pub kills: usize,
    /// Number of kills before any output.
    pub at_start: usize,
    /// Number of operations that were saved without a visible answer.
    pub unanswered: usize,
    /// Number of torn journal ends.
    pub torn: usize,
    /// Number of operations that were saved in the end.
    pub operations: usize,
}

struct Game<'a> {
    program: &'a Path,
    home: Scratch,
    place: PathBuf,
    seed: String,
    lines: Lines,
    told: Option<MemoryGame>,
    found: Crash,
}

/// Plays the game of a number and kills it several times. Errors: the loss; the folder is kept.
pub fn kill_game_repeatedly(program: &Path, seed: u64) -> Result<Crash, String> {
    let home = Scratch::with_lasting_commands();
    let mut game = Game {
        program,
        place: home.path().join("game"),
        home,
        seed: format!("crash {seed}"),
        lines: Lines::new(seed),
        told: None,
        found: Crash::default(),
    };
    let mut played = if seed.is_multiple_of(4) {
        game.play_until_near_snapshot()
    } else {
        Ok(())
    };
    for _ in 0..KILLS {
        played = played.and_then(|()| game.play_and_kill());
    }
    let played = played.and_then(|()| game.play_undisturbed());
    match played {
        Ok(()) => Ok(game.found),
        Err(why) => {
            let folder = game.home.keep_folder();
            Err(format!("seed {seed}: {why}; see {}", folder.display()))
        }
    }
}

impl Game<'_> {
    fn start_program(&self, lines: &[String], sync: &str) -> Talk {
        let table = Table {
            program: self.program,
            home: self.home.path(),
            game: &self.place,
            seed: &self.seed,
            sync,
        };
        Talk::start(&table, lines)
    }

    fn random_lines(&mut self, count: u32) -> Vec<String> {
        (0..count)
            .map(|_| self.lines.line_of_lasting_commands())
            .collect()
    }

    /// Plays until a snapshot is near.
    fn play_until_near_snapshot(&mut self) -> Result<(), String> {
        let count = 185 + self.lines.random_below(20);
        let lines: Vec<String> = (0..count)
            .map(|_| "charm Ann with cheer".to_owned())
            .collect();
        self.start_program(&lines, "group").wait_for_end();
        self.compare_disk_with_answers(&lines, (lines.len(), false))
            .map(drop)
    }

    fn play_and_kill(&mut self) -> Result<(), String> {
        if self.lines.random_below(4) == 0 {
            // These are other rules: the first command of the next process pins them.
            let remark = format!("-- {}\n", self.lines.random_below(1000));
            let path = self.home.path().join("scripts/mini/pipeline/remark.luau");
            std::fs::write(path, format!("{remark}return {{}}\n"))
                .map_err(|error| error.to_string())?;
        }
        let count = 1 + self.lines.random_below(16);
        let lines = self.random_lines(count);
        let (answered, moment) = match self.lines.random_below(4) {
            0 => (None, self.lines.random_below(START)),
            _ => {
                let bits = self.lines.random_below(15);
                (
                    Some(self.lines.random_below(count) as usize),
                    self.lines.random_below(1 << bits),
                )
            }
        };
        let talk = self.start_program(&lines, "each");
        let seen = talk.kill_after(answered, Duration::from_micros(moment.into()));
        self.found.kills += 1;
        self.found.at_start += usize::from(!seen.anything);
        if !self.place.join(JOURNAL).exists() {
            let is_lost = self.told.is_some() || seen.anything;
            return if is_lost {
                Err("the whole game is lost".to_owned())
            } else {
                Ok(())
            };
        }
        let more =
            self.compare_disk_with_answers(&lines, (seen.answered_lines(), !seen.anything))?;
        self.found.unanswered += more;
        Ok(())
    }

    /// Plays to an end without a kill.
    fn play_undisturbed(&mut self) -> Result<(), String> {
        let lines = self.random_lines(6);
        let (seen, status) = self.start_program(&lines, "each").wait_for_end();
        let Seen { fences, .. } = seen;
        if fences != lines.len() + 1 || status.code().is_none() {
            return Err(format!(
                "{fences} of {} fences were answered, then {status}",
                lines.len() + 1
            ));
        }
        self.compare_disk_with_answers(&lines, (lines.len(), false))?;
        Ok(())
    }

    /// Compares the disk with the answers; returns the number of further operations.
    fn compare_disk_with_answers(
        &mut self,
        lines: &[String],
        (answered, is_silent): (usize, bool),
    ) -> Result<usize, String> {
        match &mut self.told {
            Some(told) => told.reload_as_new_process(),
            None => {
                let seed = Seed::from_text(&self.seed);
                self.told = Some(MemoryGame::start_game(self.home.home(), "mini", seed)?);
            }
        }
        let journal = std::fs::read(self.place.join(JOURNAL)).map_err(|error| error.to_string())?;
        let opened = game_on_disk::open_read_only_and_recount(&self.place)?;
        if opened.history.operations().is_empty() && is_silent {
            // The folder has no set-up yet: the next process does the set-up.
            self.told = None;
            return Ok(0);
        }
        self.found.torn += usize::from(!journal.ends_with(b"\n"));
        let kept = opened.history.operations();
        self.found.operations = kept.len();
        let told = self.told.as_mut().ok_or("a game in memory")?;
        told.compare_with_disk(lines.split_at(answered), kept, opened.state.names())
    }
}
