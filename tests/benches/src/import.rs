//! Measures the import of a long thread into the dungeon: each comment read, ruled on and compared.

use host::game;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use host::game::{Home, Importing, Seed, SessionOptions, Solo};
use host::script::EngineOptions;
use repl::COMMANDS;

use crate::lane_race::{elapsed_time, median_nanoseconds};
use crate::results_table::{Row, Section};

const ROUNDS: u32 = 3;
/// Comments of the thread.
const LONG: usize = 1_000;
/// Number of their authors.
const PEOPLE: usize = 10;
/// Maximum nanoseconds of the import.
const MOST: f64 = 3e9;

/// Measures the import.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let folder = tempfile::tempdir().expect("there is room for a thread");
    let file = folder.path().join("thread.txt");
    std::fs::write(&file, forum_thread_text()).expect("the thread is written");
    let file = file.display().to_string();
    let row = |name: &str, how: Importing| {
        let times = (0..rounds.unwrap_or(ROUNDS)).map(|_| import_time(&file, how));
        Row::time_at_most(
            name,
            median_nanoseconds(times.collect::<Vec<Duration>>()),
            MOST,
        )
    };
    Section {
        title: "Import of a thread of 1000 comments, 600 of them Attacks",
        rows: vec![
            row("the preview", Importing::Previewed),
            row("applied to the game", Importing::Applied),
        ],
    }
}

/// Returns the time of an import into a new game.
fn import_time(file: &str, how: Importing) -> Duration {
    let mut solo = new_dungeon_game();
    let mut refusal = None;
    let took = elapsed_time(|| {
        refusal = solo.run_as_line(("gm", "import"), |timeline, ruling| {
            game::import_file(timeline, ruling, file, how).refusal
        });
    });
    assert!(refusal.is_none(), "{refusal:?}");
    took
}

/// Returns a thread in which each author attacks once a day, and most authors write another comment.
fn forum_thread_text() -> String {
    let (mut text, mut count) = (String::new(), 0);
    for day in 0.. {
        for who in 0..PEOPLE {
            let (month, date, minute) = (1 + day / 28, 1 + day % 28, who * 2);
            let mut add = |said: &str, later: usize| {
                let time = format!("2010-{month:02}-{date:02} 10:{:02}", minute + later);
                writeln!(text, "Player{who}, {time}:\n{said}\n").expect("a text grows");
            };
            let target = who + 1;
            add(
                &format!(
                    "[Attack] attacks cellar imp #{target} with bare hands. damage DICE2: 1; net 1.\n\
                     [Answer] DICE2: 1."
                ),
                0,
            );
            count += 1;
            if who % 3 < 2 {
                add("well played, everybody; who is next?", 1);
                count += 1;
            }
            if count >= LONG {
                return text;
            }
        }
    }
    text
}

fn new_dungeon_game() -> Solo {
    let options = SessionOptions {
        home: Home {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
            mods: Vec::new(),
            content: None,
        },
        ruleset: "dungeon".to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let (mut solo, _) = Solo::start(options, &COMMANDS).expect("the dungeon loads");
    let mut give = |line: &str| {
        let reply = solo.submit("gm", line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    };
    give("at 2009-12-31 00:00");
    give("new encounter \"Crowd\" on level 1: 10 cellar imp HP 500 damage 1d2");
    for who in 0..PEOPLE {
        give(&format!("new player Player{who}"));
        give(&format!("gndt Player{who} HP 900 (900) because it is long"));
    }
    solo
}
