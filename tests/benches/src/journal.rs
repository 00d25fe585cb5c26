//! Measures games on disk: saved commands against a bare loop that writes the same bytes, the opening of a long game,
//! and the verification of one.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use host::game::{
    GameLocation, Home, Reply, RulesChoice, SaveOptions, Seed, SessionOptions, Solo, Verifier,
};
use host::script::EngineOptions;
use host::store::archive::{Behind, JOURNAL, SyncMode, write_behind_channel};

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 20;
/// Commands of one batch that are synced one by one, and together.
const EACH: u32 = 50;
const GROUP: u32 = 500;
/// Operations of the long game.
const LONG: usize = 100_000;
/// Maximum nanoseconds to open it.
const OPENS: f64 = 1e9;
/// Operations of the verified game.
const VERIFIED: u32 = 10_000;
/// Maximum nanoseconds to verify one of them: 5,000 per second.
const VERIFIES: f64 = 1e9 / 5_000.0;

/// Measures the games.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().expect("there is room for games");
    let (alone, each) = (folder.path().join("alone"), folder.path().join("each"));
    let together = folder.path().join("together");
    let mut typed = new_saved_game(&alone, SyncMode::Each);
    let one_by_one = RefCell::new(Script::begin_game(&each));
    let mut grouped = new_saved_game(&together, SyncMode::Group);
    let mut bare = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.path().join("bare"))
        .expect("there is room for a file");
    let written = RefCell::new(0);
    let [alone, kept, bare, grouped_time] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(EACH, || elapsed_time(|| play_commands(&mut typed, EACH))),
            Lane::of_batch(EACH, || {
                *written.borrow_mut() = journal_length(&each);
                elapsed_time(|| one_by_one.borrow_mut().play_commands(EACH))
            }),
            Lane::of_batch(EACH, || {
                let lines = journal_lines_from(&each, *written.borrow());
                elapsed_time(|| write_and_sync_lines(&mut bare, &lines))
            }),
            Lane::of_batch(GROUP, || {
                elapsed_time(|| {
                    play_commands(&mut grouped, GROUP);
                    grouped.flush().expect("the disk takes it");
                })
            }),
        ],
    );
    let mut rows = vec![
        Row::time_without_target("a command that is typed, safe before its answer", alone),
        Row::time_without_target("a command of a script, safe before its answer", kept),
        Row::time_without_target("its line, appended and synced in a bare loop", bare),
        Row::ratio_with_target(
            "commands a second, in lines of the bare loop",
            bare / kept,
            Target::AtLeast(0.8),
        ),
        Row::time_without_target("a command with --sync group", grouped_time),
        Row::ratio_with_target(
            "commands a second with --sync group, in those one by one",
            kept / grouped_time,
            Target::AtLeast(10.0),
        ),
    ];
    rows.push(Row::time_at_most(
        format!("opening a game of {LONG} operations"),
        open_time(&mut grouped, &together).as_nanos() as f64,
        OPENS,
    ));
    rows.extend(verification_rows(&folder.path().join("verified")));
    Section {
        title: "Games on disk",
        rows,
    }
}

/// A game that runs a script on its own thread, ahead of the disk, as the program does with the lines of a file.
struct Script {
    wanted: Sender<u32>,
    behind: Behind<Reply>,
}

impl Script {
    /// Starts a thread that makes a game in a folder and waits for commands.
    fn begin_game(folder: &Path) -> Script {
        let (wanted, asked) = channel();
        let (ahead, behind) = write_behind_channel();
        let folder = folder.to_owned();
        let rules = move || {
            let mut solo = new_saved_game(&folder, SyncMode::Each);
            solo.game_on_disk()
                .expect("it is kept")
                .write_behind(&ahead);
            for commands in asked {
                for number in 0..commands {
                    ahead.answer(solo.submit("gm", &command_line(number)));
                }
                solo.flush().expect("the disk takes it");
                ahead.answer(Reply::default());
            }
        };
        thread::spawn(rules);
        Script { wanted, behind }
    }

    /// Runs a number of commands until the last one is on disk.
    fn play_commands(&mut self, commands: u32) {
        self.wanted.send(commands).expect("the game goes on");
        for _ in 0..=commands {
            let (reply, kept) = self.behind.next_answer().expect("the game goes on");
            assert!(reply.refusal.is_none() && kept.is_ok(), "the game goes on");
        }
    }
}

/// Plays until the game is long, and returns the fastest of five times to open it.
fn open_time(solo: &mut Solo, folder: &Path) -> Duration {
    let missing = LONG.saturating_sub(solo.timeline().history().operations().len());
    play_commands(solo, u32::try_from(missing).unwrap_or(u32::MAX));
    solo.flush().expect("the disk takes it");
    let open = || {
        let place = GameLocation {
            folder,
            home: toy_home(),
            engine: EngineOptions::default(),
            under: RulesChoice::Now,
            read_only: true,
        };
        let (solo, _) =
            Solo::reopen(place, bench_save_options(SyncMode::Each), &[]).expect("it opens");
        assert!(solo.timeline().history().operations().len() >= LONG);
    };
    let times = (0..5).map(|_| elapsed_time(open));
    times.min().unwrap_or_default()
}

/// Returns the fastest of five times to run and compare an operation again, and to compute its dice.
fn verification_rows(folder: &Path) -> [Row; 2] {
    let mut solo = new_saved_game(folder, SyncMode::Group);
    play_commands(&mut solo, VERIFIED);
    solo.flush().expect("the disk takes it");
    drop(solo);
    let all = f64::from(VERIFIED);
    let open = || Verifier::open(folder, &[]).expect("the game is there");
    let again = || {
        let report = open().finish();
        assert!(report.findings.is_empty() && report.same > u64::from(VERIFIED));
    };
    let times = (0..5)
        .map(|_| elapsed_time(again))
        .min()
        .unwrap_or_default();
    let verifier = open();
    let dice = || assert!(verifier.check_dice().findings.is_empty());
    let dice = (0..5).map(|_| elapsed_time(dice)).min().unwrap_or_default();
    [
        Row::time_at_most(
            "an operation that verify runs again, reading included",
            times.as_nanos() as f64 / all,
            VERIFIES,
        ),
        Row::time_without_target("the same with --dice, on top", dice.as_nanos() as f64 / all),
    ]
}

fn toy_home() -> Home {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Home {
        folder: root.clone(),
        mods: vec![root.join("tests/why")],
        content: None,
    }
}

fn bench_save_options(sync: SyncMode) -> SaveOptions {
    SaveOptions {
        holder: "the measurements".to_owned(),
        sync,
        clock: Box::new(|| "2026-01-02T03:04:05Z".to_owned()),
    }
}

fn new_saved_game(folder: &Path, sync: SyncMode) -> Solo {
    let options = SessionOptions {
        home: toy_home(),
        ruleset: "mini".to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let (mut solo, _) = Solo::start(options, &[]).expect("the toy of the tests loads");
    solo.save_in_folder(folder, bench_save_options(sync))
        .expect("there is room for a game");
    solo
}

fn play_commands(solo: &mut Solo, commands: u32) {
    for number in 0..commands {
        let reply = solo.submit("gm", &command_line(number));
        assert!(reply.refusal.is_none(), "the game goes on");
    }
}

fn command_line(number: u32) -> String {
    format!("fall {}", number % 7)
}

fn journal_length(game: &Path) -> u64 {
    let found = fs::metadata(game.join(JOURNAL)).expect("the journal is there");
    found.len()
}

fn journal_lines_from(game: &Path, from: u64) -> Vec<Vec<u8>> {
    let bytes = fs::read(game.join(JOURNAL)).expect("the journal is there");
    let from = usize::try_from(from).unwrap_or_default();
    let lines = bytes[from..].split_inclusive(|byte| *byte == b'\n');
    lines.map(<[u8]>::to_vec).collect()
}

fn write_and_sync_lines(file: &mut File, lines: &[Vec<u8>]) {
    for line in lines {
        file.write_all(line).expect("the disk takes it");
        file.sync_data().expect("the disk takes it");
    }
}
