//! Cuts and alters the files of a game and opens it: it is right, repaired, or reports the damage.

use std::fs;
use std::path::{Path, PathBuf};

use host::game::Seed;
use host::store::StateHash;
use host::store::archive::{ArchiveError, JOURNAL, Opened, RuleFile};

use super::game_on_disk::{self, Folder};
use super::memory_game::MemoryGame;
use super::power_loss::reopen_game;
use super::random_lines::Lines;
use crate::{Scratch, save_options};

/// Outcomes of damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Number of damaged places.
    pub tried: usize,
    /// Number of games that were refused with the place named.
    pub named: usize,
    /// Number of games that opened, reported the damage, and were right.
    pub mended: usize,
    /// Number of games that opened without a report and were right.
    pub harmless: usize,
}

/// A game on disk that may be damaged.
pub struct Whole {
    _home: Scratch,
    folder: Folder,
    /// Number, command and state of each operation.
    operations: Vec<(u64, String, StateHash)>,
    /// The canonical bytes of the last state.
    state: Vec<u8>,
    /// The rules of the last operation and their name.
    rules: (String, Vec<RuleFile>),
}

/// One of each kind of operation.
const LINES: [&str; 37] = [
    "charm Ann with cheer",
    "throw 4d6kh3+2",
    "undo",
    "redo",
    "dare Bo",
    "answer yes",
    "duel",
    "answer no",
    "answer yes",
    "raise Ann to 1",
    "charm Ann with gloom",
    "dice next 3 4",
    "throw 2d6",
    "undo",
    "throw 1d6",
    "duel",
    "drop",
    "duel",
    "restart",
    "drop",
    "undo",
    "next",
    "charm Bo with gloom",
    "throw 3d6",
    "for Ann: salt a grain of sand",
    "for Ann: dispute 1 the die fell off the table",
    "dispute 3 it was said otherwise",
    "settle 3 it stays",
    "set Ann mood 2 because she slept",
    "revert 3 yes",
    "replace 2 yes with charm Bo with gloom",
    "undo",
    "redo",
    "for Bo: throw 1d6",
    "reveal",
    "reveal and roll on",
    "throw 1d20",
];

impl Whole {
    /// Plays a game with snapshots; `much` is the number of operations that are too large for the journal.
    pub fn play_game(much: usize) -> Result<Whole, String> {
        let home = Scratch::with_lasting_commands();
        let place = home.path().join("game");
        let mut told = MemoryGame::start_game(home.home(), "mini", Seed::from_text("damage"))?;
        told.solo
            .save_in_folder(&place, save_options())
            .map_err(|finding| finding.message)?;
        let mut solo = told.solo;
        for (number, line) in LINES.iter().enumerate() {
            solo.submit("gm", line);
            if number < much {
                solo.submit("gm", &format!("hoard {number}"));
            }
            if matches!(number, 11 | 36) {
                drop(solo);
                write_snapshot(&place)?;
                solo = reopen_game(&home, &place)?;
            }
        }
        drop(solo);
        let opened = game_on_disk::open_and_recount(&place)?;
        let last = opened
            .history
            .operations()
            .last()
            .ok_or("a game")?
            .rules
            .to_string();
        let rules = opened
            .game
            .saved_rules(&last)
            .map_err(|error| error.to_string())?;
        Ok(Whole {
            operations: operation_list(&opened),
            state: opened.state.to_bytes(),
            rules: (last, rules),
            folder: Folder::read(&place),
            _home: home,
        })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Cuts the journal at each `every`-th byte, and around the ends of all lines.
    ///
    /// Errors: the fault and its byte.
    pub fn cut_journal_everywhere(&self, every: usize) -> Result<Damage, String> {
        let journal = self.folder.bytes(JOURNAL).to_vec();
        let ends = line_ends(&journal);
        let mut found = Damage::default();
        for length in 0..journal.len() {
            let is_near = ends.iter().any(|end| end.abs_diff(length) < 3);
            if length % every != 0 && !is_near {
                continue;
            }
            fs::write(self.folder.place().join(JOURNAL), &journal[..length])
                .map_err(|error| error.to_string())?;
            let judged = self.outcome_of_cut(length, &ends);
            self.folder.restore_files();
            count_outcome(
                &mut found,
                judged.map_err(|why| format!("cut at {length}: {why}"))?,
            );
        }
        Ok(found)
    }

    fn outcome_of_cut(&self, length: usize, ends: &[usize]) -> Result<Outcome, String> {
        let lines = ends.iter().filter(|end| **end <= length).count();
        match game_on_disk::open_when_unlocked(self.folder.place()) {
            Err(ArchiveError::Broken { line: 1, .. } | ArchiveError::Foreign(_)) if lines == 0 => {
                Ok(Outcome::Named)
            }
            Err(error) => Err(format!("it does not open: {error}")),
            Ok(_) if lines == 0 => Err("it opens without a first line".to_owned()),
            Ok(opened) => {
                self.compare_with_original(&opened, lines - 1)?;
                let is_torn = opened
                    .notes
                    .iter()
                    .any(|note| note.code == "save/torn-tail");
                match (is_torn, ends.contains(&length)) {
                    (true, false) => Ok(Outcome::Mended),
                    (false, true) => Ok(Outcome::Harmless),
                    (said, _) => Err(format!("that the tail is torn is said: {said}")),
                }
            }
        }
    }

    /// Changes one bit of some file in each try. Errors: the fault and its bit.
    pub fn flip_random_bits(&self, seed: u64, tries: usize) -> Result<Damage, String> {
        let mut chance = Lines::new(seed);
        let mut found = Damage::default();
        for _ in 0..tries {
            let (file, at) = self.random_byte_place(&mut chance);
            let bit = chance.random_below(8);
            let mut bytes = self.folder.files()[&file].clone();
            bytes[at] ^= 1 << bit;
            fs::write(&file, &bytes).map_err(|error| error.to_string())?;
            let judged = self.outcome_of_flip(&file, at);
            self.folder.restore_files();
            let name = file
                .strip_prefix(self.folder.place())
                .unwrap_or(&file)
                .display();
            let told = |why| format!("seed {seed}, bit {bit} of byte {at} of {name}: {why}");
            count_outcome(&mut found, judged.map_err(told)?);
        }
        Ok(found)
    }

    /// Returns a file and a byte: mostly of the journal, often of its last line.
    fn random_byte_place(&self, chance: &mut Lines) -> (PathBuf, usize) {
        let journal = self.folder.place().join(JOURNAL);
        let kind = chance.random_below(8);
        // Rules are many files: half of the tries outside the journal leave them out.
        let rules = self.folder.place().join("rules");
        let files = self.folder.files().keys();
        let files = files.filter(|file| kind > 6 || !file.starts_with(&rules));
        let files: Vec<&PathBuf> = files.collect();
        let many = u32::try_from(files.len()).expect("a few files");
        let file = match kind {
            0..=4 => &journal,
            _ => files[chance.random_below(many) as usize],
        };
        let bytes = &self.folder.files()[file];
        let from = match (kind, line_ends(bytes).iter().rev().nth(1)) {
            (4, Some(from)) => *from,
            _ => 0,
        };
        let span = u32::try_from(bytes.len() - from).expect("a small file");
        (file.clone(), from + chance.random_below(span) as usize)
    }

    fn outcome_of_flip(&self, file: &Path, at: usize) -> Result<Outcome, String> {
        let name = file.strip_prefix(self.folder.place()).unwrap_or(file);
        let kind = name
            .iter()
            .next()
            .and_then(|part| part.to_str())
            .unwrap_or_default();
        let opened = match game_on_disk::open_when_unlocked(self.folder.place()) {
            Ok(opened) => opened,
            Err(error) => return self.check_error_names_place(kind, name, at, &error),
        };
        self.compare_with_original(&opened, self.operations.len())?;
        let is_noted = |code: &str| opened.notes.iter().any(|note| note.code == code);
        let rules = opened.game.saved_rules(&self.rules.0);
        match kind {
            "lock" => Ok(Outcome::Harmless),
            "snapshots" if is_noted("save/snapshot") => Ok(Outcome::Mended),
            "snapshots" => Ok(Outcome::Harmless),
            "secret" if is_noted("save/secret") && opened.game.secret().is_err() => {
                Ok(Outcome::Mended)
            }
            "rules" => match rules {
                Ok(rules) if rules == self.rules.1 => Ok(Outcome::Harmless),
                Ok(_) => Err("the rules are others".to_owned()),
                Err(_) => Ok(Outcome::Mended),
            },
            _ => Err("nobody notices".to_owned()),
        }
    }

    fn check_error_names_place(
        &self,
        kind: &str,
        name: &Path,
        at: usize,
        error: &ArchiveError,
    ) -> Result<Outcome, String> {
        let ends = line_ends(self.folder.bytes(JOURNAL));
        let own = ends.iter().filter(|end| **end <= at).count() as u64 + 1;
        match (kind, error) {
            (JOURNAL, ArchiveError::Broken { line, .. }) if *line == own => Ok(Outcome::Named),
            (JOURNAL, ArchiveError::Foreign(_)) if own == 1 => Ok(Outcome::Named),
            ("blobs", ArchiveError::Broken { reason, .. })
                if reason.contains(&*name.to_string_lossy()) =>
            {
                Ok(Outcome::Named)
            }
            _ => Err(format!("it does not open: {error}")),
        }
    }

    /// Compares a game that opened with the first operations of this one. Errors: the difference.
    fn compare_with_original(&self, opened: &Opened, count: usize) -> Result<(), String> {
        let found = operation_list(opened);
        if found != self.operations[..count] {
            return Err(format!(
                "{} operations instead of {count}, or others",
                found.len()
            ));
        }
        let expected = match count.checked_sub(1) {
            Some(last) => self.operations[last].2,
            None => StateHash::default(),
        };
        if opened.state.recomputed_hash() != expected {
            return Err("the state is another".to_owned());
        }
        let is_all = count == self.operations.len();
        if is_all && opened.state.to_bytes() != self.state {
            return Err("the cells are others".to_owned());
        }
        Ok(())
    }
}

enum Outcome {
    Named,
    Mended,
    Harmless,
}

fn count_outcome(found: &mut Damage, outcome: Outcome) {
    found.tried += 1;
    match outcome {
        Outcome::Named => found.named += 1,
        Outcome::Mended => found.mended += 1,
        Outcome::Harmless => found.harmless += 1,
    }
}

fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(at, _)| at + 1).collect()
}

fn operation_list(opened: &Opened) -> Vec<(u64, String, StateHash)> {
    let operations = opened.history.operations().iter();
    operations
        .map(|one| (one.seq, one.command.to_string(), one.state))
        .collect()
}

fn write_snapshot(place: &Path) -> Result<(), String> {
    let mut opened = game_on_disk::open_and_recount(place)?;
    let kept = opened.game.save_snapshot(&opened.state);
    kept.map_err(|error| error.to_string())
}
