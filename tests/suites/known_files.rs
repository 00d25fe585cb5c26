//! This module plays the shipped rulesets with what an earlier start found out about their files: a game goes as without it, to
//! the last byte of its state and the last unit of its fuel.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::content::Cache;
use host::script::EngineOptions;
use repl::COMMANDS;

/// Plays the lines that a ruleset begins with, and some more; returns what was said and used, and the state.
fn played(ruleset: &str, lines: &[&str], cache: Option<&Cache>) -> String {
    let engine = EngineOptions {
        cache: cache.cloned(),
        ..EngineOptions::default()
    };
    let home = Scratch::shipped(ruleset);
    let mut game = Game::of_machine(&home, ruleset, &COMMANDS, engine);
    let mut said = String::new();
    for line in lines {
        let reply = game.line(line);
        let fuel = game.solo.session.generations().live().machine().fuel_used();
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        said += &format!("> {line}\n{reply:?}\nfuel {fuel}\n");
    }
    said + &format!("{:?}", game.hash())
}

/// Plays a ruleset without a cache, with an empty one, and with one that an earlier start filled.
fn holds(ruleset: &'static str, lines: &'static [&'static str]) {
    on_game_thread(move || {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let without = played(ruleset, lines, None);
        assert_eq!(played(ruleset, lines, Some(&cache)), without);
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_some());
        assert_eq!(played(ruleset, lines, Some(&cache)), without);
    });
}

#[test]
fn a_village_goes_as_without_it() {
    holds(
        "wwrf",
        &[
            "new game Quay with Ann, Bo, Cy, Dee, Eve, Fay",
            "next",
            "next",
            "status",
            "next",
            "next",
            "status",
        ],
    );
}

#[test]
fn an_encounter_goes_as_without_it() {
    holds(
        "features",
        &[
            "encounter new The Frozen Ford",
            "turn Ilsabet",
            "attack Third Raider",
            "status",
        ],
    );
}

#[test]
fn spells_a_dungeon_and_a_toll_go_as_without_it() {
    holds(
        "opend6",
        &[
            "spell display Cold Lamp",
            "mage Mara: alteration 5D",
            "cast Cold Lamp by Mara",
        ],
    );
    holds(
        "dungeon",
        &[
            "new dungeon The Orc Gate",
            "for Pim: attack hill orc #1",
            "wait 1d",
        ],
    );
    holds(
        "fortune",
        &["play Toll Night", "pool d10 d8", "odds d10 d8 vs 12"],
    );
}
