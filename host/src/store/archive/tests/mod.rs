//! The tests of games on disk.

mod damaged_journal;
mod disk_behind;
mod failing_disk;
mod folder;
mod migration;
mod operation_round_trip;
mod pack;
mod snapshots;

use std::path::Path;
use std::rc::Rc;

use super::{Game, NewGame, Opened, Opening, RuleFile, SyncMode};
use crate::store::tests::{put, set};
use crate::store::{Draft, History, Operation, State};
use crate::value::{Names, Value};

/// The real time in the tests.
const AT: &str = "2026-01-02T03:04:05Z";

fn new_game() -> NewGame<'static> {
    NewGame {
        ruleset: "mini",
        secret: [7; 32],
        is_test: true,
        at: AT,
        holder: "process 1",
        sync: SyncMode::Each,
    }
}

fn opening() -> Opening<'static> {
    Opening {
        read_only: false,
        holder: "process 2",
        sync: SyncMode::Each,
    }
}

fn open(place: &Path) -> Result<Opened, super::ArchiveError> {
    Game::open(place, &opening(), Rc::default())
}

fn rules() -> Vec<RuleFile> {
    vec![RuleFile {
        path: "scripts/mini/ruleset.luau".to_owned(),
        bytes: b"return {}".to_vec(),
    }]
}

/// A game that is played and saved at the same time.
struct Table {
    state: State,
    history: History,
    game: Game,
    rules: String,
}

impl Table {
    fn new(place: &Path) -> Table {
        let mut game = Game::create(place, &new_game()).unwrap();
        let rules = game.save_rules(&rules()).unwrap();
        let state = State::new(Rc::new(Names::default()));
        let history = History::new(&state);
        Table {
            state,
            history,
            game,
            rules,
        }
    }

    fn of(opened: Opened) -> Table {
        let rules = super::generation_name(&rules()).unwrap();
        Table {
            state: opened.state,
            history: opened.history,
            game: opened.game,
            rules,
        }
    }

    /// Runs and saves a command that changes a cell; some commands are undone, some refused.
    fn play(&mut self) {
        let done = self.run_next();
        self.keep(&[done]).unwrap();
    }

    /// Runs the command without saving it.
    fn run_next(&mut self) -> Operation {
        let seq = self.history.operations().len() as u64 + 1;
        let done = match seq % 7 {
            5 => self
                .history
                .undo_last_ruling(&mut self.state, "gm")
                .unwrap(),
            6 => self
                .history
                .redo_last_undone(&mut self.state, "gm")
                .unwrap(),
            0 => {
                let draft = self.draft("fail\t\u{1f600}\n");
                self.history
                    .record_refused_command(&self.state, draft, "mini/no", "no\u{0}")
            }
            _ => {
                let mark = self.state.mark();
                if seq == 1 {
                    put(&mut self.state, "ann", "player").unwrap();
                }
                set(&mut self.state, "ann", "hp", i64::try_from(seq).unwrap()).unwrap();
                let draft = self.draft("go");
                self.history.record_ruling(&mut self.state, mark, draft)
            }
        };
        done.clone()
    }

    fn keep(&mut self, all: &[Operation]) -> Result<(), super::ArchiveError> {
        self.game.append_operations(self.state.names(), all, AT)
    }

    fn draft(&self, command: &str) -> Draft {
        let face = Value::map([("address", Value::from("1/go/-/1")), ("face", 4.into())]);
        Draft {
            by: "gm".into(),
            command: command.into(),
            rules: self.rules.as_str().into(),
            inputs: vec![face],
            ..Draft::default()
        }
    }
}

/// Returns a game after so many operations.
fn played(place: &Path, count: usize) -> Table {
    let mut table = Table::new(place);
    (0..count).for_each(|_| table.play());
    table
}

/// Compares all data of two games that can be read.
fn assert_same(a: &Opened, b: &Table) {
    assert_eq!(a.state.to_bytes(), b.state.to_bytes());
    assert_eq!(
        a.history.next_ruling_number(),
        b.history.next_ruling_number()
    );
    let texts = |history: &History, names: &Names| -> Vec<Vec<u8>> {
        let operations = history.operations().iter();
        operations
            .map(|one| super::operation_line::operation_json(names, one, (AT, false)))
            .collect()
    };
    assert_eq!(
        texts(&a.history, a.state.names()),
        texts(&b.history, b.state.names())
    );
}
