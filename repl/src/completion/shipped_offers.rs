//! Writes down the suggestions of Tab in the shipped games.

use std::fmt::Write as _;
use std::sync::Arc;

use arbiter_tests::{Scratch, assert_golden_file, project};
use host::game::{Seed, Solo};

use super::suggestions_at_cursor;
use crate::arguments::Sync;
use crate::game_thread::{Start, Wanted, open_session};
use crate::save_pack_open::Disk;

/// Maximum number of suggestions written down for a line.
const MOST: usize = 8;

/// The games, each with its commands and its lines. A user presses Tab at the end of each line.
const LINES: &str = include_str!("shipped_offers/lines.txt");

fn open_shipped_game(ruleset: &str, home: &Scratch) -> Solo {
    let start = Start {
        home: home.home(),
        game: Wanted::New {
            ruleset: ruleset.to_owned(),
            seed: Seed::from_text("tab"),
            folder: None,
        },
        disk: Disk {
            games: home.path().join("games"),
            sync: Sync::Each,
        },
        profiler: None,
        cache: None,
    };
    open_session(start, Arc::default())
        .expect("it is shipped")
        .0
}

#[test]
fn tab_in_the_shipped_games() {
    let mut home;
    let mut solo = None;
    let mut found = String::new();
    for line in LINES.lines() {
        writeln!(found, "{line}").unwrap();
        if let Some(ruleset) = line.strip_prefix("# ") {
            home = Scratch::shipped(ruleset);
            solo = Some(open_shipped_game(ruleset, &home));
            continue;
        }
        let Some(solo) = &mut solo else { continue };
        if let Some(given) = line.strip_prefix("> ") {
            let reply = solo.submit("gm", given);
            assert!(
                reply.refusal.is_none(),
                "{line}: {:?}",
                reply.refusal.map(|one| one.message)
            );
        } else if let Some((by, typed)) = line
            .strip_suffix('|')
            .and_then(|line| line.split_once(": "))
        {
            let offers = suggestions_at_cursor(solo.timeline(), by, typed, typed.len()).list;
            for one in offers.iter().take(MOST) {
                let about = if one.about.is_empty() {
                    String::new()
                } else {
                    format!(" -- {}", one.about)
                };
                writeln!(found, "    {}{about}", one.shown).unwrap();
            }
            if offers.len() > MOST {
                writeln!(found, "    and {} more", offers.len() - MOST).unwrap();
            }
        }
    }
    assert_golden_file(
        &project().join("repl/src/completion/shipped_offers/offers.txt"),
        &found,
    );
}
