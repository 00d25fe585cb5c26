//! Plays a game on a failing disk: full, short, not syncing, gone between write and sync. Then power is lost.
//!
//! The session writes through a simulated disk to a real file. A loss of power cuts the bytes after the last sync at a
//! random byte, or leaves zeros there. Then the game is opened and compared with one in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use host::game::{GameLocation, RulesChoice, Seed, Solo};
use host::script::EngineOptions;
use host::store::archive::{FileSink, JOURNAL, Sink};

use super::game_on_disk;
use super::memory_game::MemoryGame;
use super::random_lines::Lines;
use crate::{Scratch, save_options};

/// Number of power losses of one game.
const LOSSES: usize = 4;

/// Outcomes of the failures of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Power {
    /// Number of power losses.
    pub losses: usize,
    /// Commands that the disk refused.
    pub refused: usize,
    /// Commands that were answered after a refused one, in the same session.
    pub went_on: usize,
    /// Number of operations that were saved and not answered.
    pub unanswered: usize,
    /// Number of torn journal ends.
    pub torn: usize,
}

/// A file on a failing disk.
#[derive(Debug)]
struct Failing {
    file: FileSink,
    fate: Arc<Mutex<Fate>>,
}

/// State and next failure of such a disk.
struct Fate {
    chance: Lines,
    /// Bytes that survive the loss of power.
    safe: u64,
    /// Bytes of the file.
    length: u64,
    /// Whether the process is gone: nothing has any effect.
    is_dead: bool,
}

impl std::fmt::Debug for Fate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} of {}", self.safe, self.length)
    }
}

impl Fate {
    fn end_process(&mut self) -> io::Error {
        self.is_dead = true;
        ErrorKind::Other.into()
    }
}

impl Sink for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut fate = self.fate.lock().expect("nobody panics");
        if fate.is_dead {
            return Err(ErrorKind::Other.into());
        }
        let much = u32::try_from(bytes.len()).expect("a line is short");
        let part = fate.chance.random_below(much + 1) as usize;
        let (count, failure) = match fate.chance.random_below(24) {
            0 | 1 => return Err(ErrorKind::StorageFull.into()),
            2 => return Err(ErrorKind::Interrupted.into()),
            3 => return Err(ErrorKind::Other.into()),
            4 | 5 => (part, None),
            6 => (part, Some(fate.end_process())),
            _ => (bytes.len(), None),
        };
        self.file.0.write_all(&bytes[..count])?;
        fate.length += count as u64;
        failure.map_or(Ok(count), Err)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut fate = self.fate.lock().expect("nobody panics");
        if fate.is_dead {
            return Err(ErrorKind::Other.into());
        }
        match fate.chance.random_below(16) {
            0 => Err(ErrorKind::Other.into()),
            1 => Err(fate.end_process()),
            _ => {
                fate.safe = fate.length;
                Ok(())
            }
        }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut fate = self.fate.lock().expect("nobody panics");
        if fate.is_dead || fate.chance.random_below(4) == 0 {
            return Err(ErrorKind::Other.into());
        }
        fate.length = length;
        self.file.cut(length)
    }
}

struct Game {
    home: Scratch,
    place: PathBuf,
    chance: Lines,
    told: Option<MemoryGame>,
    found: Power,
}

/// Plays the game of a number on a failing disk. Errors: the loss; the folder is kept.
pub fn lose_power_repeatedly(seed: u64) -> Result<Power, String> {
    let home = Scratch::with_lasting_commands();
    let mut game = Game {
        place: home.path().join("game"),
        home,
        chance: Lines::new(seed ^ 0x50_6f77),
        told: None,
        found: Power::default(),
    };
    let seed_of = || Seed::from_text(&format!("power {seed}"));
    let mut played = MemoryGame::start_game(game.home.home(), "mini", seed_of()).map(|mut told| {
        let kept = told.solo.save_in_folder(&game.place, save_options());
        kept.expect("a game can be made");
    });
    if played.is_ok() {
        played = MemoryGame::start_game(game.home.home(), "mini", seed_of())
            .map(|told| game.told = Some(told));
    }
    for _ in 0..LOSSES {
        played = played.and_then(|()| game.play_and_lose_power());
    }
    match played {
        Ok(()) => Ok(game.found),
        Err(why) => {
            let folder = game.home.keep_folder();
            Err(format!("seed {seed}: {why}; see {}", folder.display()))
        }
    }
}

/// Opens a game that this process saved. Errors: the reason why it does not open, in words.
pub(crate) fn reopen_game(home: &Scratch, folder: &Path) -> Result<Solo, String> {
    let open = || {
        let place = GameLocation {
            folder,
            home: home.home(),
            engine: EngineOptions::default(),
            under: RulesChoice::Now,
            read_only: false,
        };
        Solo::reopen(place, save_options(), &repl::COMMANDS)
    };
    let opened = game_on_disk::retry_while_locked(open, |opened| {
        opened
            .as_ref()
            .is_ok_and(|(solo, _)| solo.read_only().is_some())
    });
    opened
        .map(|(solo, _)| solo)
        .map_err(|found| format!("it does not open: {found:?}"))
}

impl Game {
    /// Opens the game, plays until writing ends, loses power, and checks the disk.
    fn play_and_lose_power(&mut self) -> Result<(), String> {
        let mut solo = reopen_game(&self.home, &self.place)?;
        solo.session.responders_mut().attended = false;
        let journal = self.place.join(JOURNAL);
        let fate = self.use_failing_disk(&mut solo, &journal)?;
        let (answered, last) = self.play_until_writing_ends(&mut solo, &fate)?;
        drop(solo);
        self.cut_or_zero_unsafe_bytes(&journal, &fate.lock().expect("nobody panics"))
            .map_err(|error| error.to_string())?;
        self.found.losses += 1;
        let opened = game_on_disk::open_and_recount(&self.place)?;
        self.found.torn += opened.notes.len();
        let told = self.told.as_mut().ok_or("a game in memory")?;
        told.reload_as_new_process();
        let kept = (opened.history.operations(), opened.state.names());
        let last: Vec<String> = last.into_iter().collect();
        self.found.unanswered += told.compare_with_disk((&answered, &last), kept.0, kept.1)?;
        Ok(())
    }

    fn use_failing_disk(
        &mut self,
        solo: &mut Solo,
        journal: &Path,
    ) -> Result<Arc<Mutex<Fate>>, String> {
        let file = OpenOptions::new().append(true).open(journal);
        let file = file.map_err(|error| error.to_string())?;
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        let fate = Arc::new(Mutex::new(Fate {
            chance: Lines::new(u64::from(self.chance.random_below(u32::MAX))),
            safe: length,
            length,
            is_dead: false,
        }));
        let failing = Failing {
            file: FileSink(file),
            fate: Arc::clone(&fate),
        };
        let kept = solo.game_on_disk().map_err(|finding| finding.message)?;
        let through = kept.set_sink(Box::new(failing));
        through.map_err(|finding| finding.message)?;
        Ok(fate)
    }

    /// Plays until writing ends; returns the answered lines and the last, unanswered one.
    fn play_until_writing_ends(
        &mut self,
        solo: &mut Solo,
        fate: &Arc<Mutex<Fate>>,
    ) -> Result<(Vec<String>, Option<String>), String> {
        let (mut answered, mut was_refused) = (Vec::new(), false);
        for _ in 0..40 {
            let line = self.chance.line_of_lasting_commands();
            if line.starts_with("as ") {
                continue;
            }
            let (before, count) = (
                solo.timeline().state().recomputed_hash(),
                solo.timeline().history().operations().len(),
            );
            let reply = solo.submit("gm", &line);
            let refusal = reply
                .refusal
                .filter(|refusal| refusal.code.starts_with("save/"));
            let Some(refusal) = refusal else {
                self.found.went_on += usize::from(was_refused);
                was_refused = false;
                answered.push(line);
                continue;
            };
            self.found.refused += 1;
            was_refused = true;
            if (
                solo.timeline().state().recomputed_hash(),
                solo.timeline().history().operations().len(),
            ) != (before, count)
            {
                return Err(format!(
                    "\"{line}\" was refused with {} and left something",
                    refusal.code
                ));
            }
            let is_over = matches!(&*refusal.code, "save/not-synced" | "save/ended");
            if is_over || fate.lock().expect("nobody panics").is_dead {
                return Ok((answered, Some(line)));
            }
        }
        Ok((answered, None))
    }

    /// Changes the bytes after the last sync as a disk does: a part is left, or zeros.
    fn cut_or_zero_unsafe_bytes(&mut self, journal: &Path, fate: &Fate) -> io::Result<()> {
        let mut file: File = OpenOptions::new().write(true).open(journal)?;
        let length = file.metadata()?.len();
        let loose = u32::try_from(length - fate.safe.min(length)).expect("a line is short");
        let left = u64::from(self.chance.random_below(loose + 1));
        match self.chance.random_below(3) {
            0 => Ok(()),
            1 => file.set_len(fate.safe + left),
            _ => {
                // The length is on the disk, but the bytes are not.
                file.seek(SeekFrom::Start(fate.safe + left))?;
                file.write_all(&vec![
                    0;
                    loose as usize - usize::try_from(left).expect("short")
                ])
            }
        }
    }
}
