//! The paths of shipped games: a village, an encounter, a day of a forum, books, a pool of dice.

use arbiter_tests::{Game, Scratch, project};
use host::game::{Home, SimulationSetup, Simulator};
use serde_json::json;

use crate::measured_path::Path;

/// A command that computes the shipped spells.
const SPELLS: &str = include_str!("../../../counts/spells.luau");
/// A command that reads texts of roles.
const TEXTS: &str = include_str!("../../../counts/texts.luau");

/// Returns the paths.
pub(crate) fn shipped_paths() -> Vec<Path> {
    vec![
        // The repetitions are enough for several rounds of the collector. Its share of a single game, day or book
        // would vary with everything loaded.
        Path::new("a game of a village", 6, prepare_village),
        Path::new("a day of a forum", 8, prepare_forum_day),
        Path::new("a turn of an encounter", 2, prepare_encounter_turn),
        Path::new("the shipped spells computed", 1, prepare_spells),
        Path::new("roles of a faction read", 6, prepare_role_texts),
        Path::new("a pool of dice", 4, prepare_dice_pool),
    ]
}

/// Returns a game of a ruleset after these lines.
fn game_after_lines(
    home: &Scratch,
    ruleset: &str,
    lines: impl IntoIterator<Item = String>,
) -> Game {
    let mut game = Game::untimed(home, ruleset);
    for line in lines {
        game.text(&line);
    }
    game
}

fn prepare_village() -> Box<dyn FnMut()> {
    let simulated = SimulationSetup {
        home: Home {
            folder: project(),
            mods: Vec::new(),
            content: None,
        },
        ruleset: "wwrf".to_owned(),
        setup: "random 5".to_owned(),
        seed: "counts".to_owned(),
        profiler: None,
    };
    let files = simulated
        .home
        .read_ruleset("wwrf")
        .expect("the ruleset is there");
    let simulator = Simulator::open(&simulated, files, &repl::COMMANDS);
    let mut simulator = simulator.unwrap_or_else(|findings| panic!("{findings:?}"));
    Box::new(move || {
        simulator.play(1).ended.expect("the game ends");
    })
}

/// Prepares turns of two creatures with features that handle turns, hits, damage and saves. One of them attacks.
fn prepare_encounter_turn() -> Box<dyn FnMut()> {
    let features = "feature heated body (1, 4); feature brute; feature stench (10, 5); feature magic resistance";
    let add = |number: usize| {
        format!(
            "add Creature{number} at 0,{} on {}: HP 100000; AC 12; PROF 2; STR 3; CON 1; claws +5 1d6+3 slashing; {features}",
            number * 5,
            ["A", "B"][number]
        )
    };
    let home = Scratch::shipped("features");
    let mut game = game_after_lines(&home, "features", [add(0), add(1)]);
    let mut round = 0;
    Box::new(move || {
        round += 1;
        // The other creature is left out of each round.
        game.text(&format!("turn Creature0 of round {round}"));
        game.text("attack Creature1");
    })
}

/// Prepares a day on which four players attack one of six orcs. The shared table is shown, and all attacks are undone.
fn prepare_forum_day() -> Box<dyn FnMut()> {
    let player = |number: usize| format!("Player {number}");
    let begin = [
        "at 2010-07-05 10:00".to_owned(),
        "new encounter \"Fight\" on level 1: 6 hill orc HP 9000 damage 1d8 AC 1".to_owned(),
    ];
    let news = (0..4).flat_map(|number| {
        [
            format!("new player {}", player(number)),
            format!("gndt {} HP 9000 because so", player(number)),
            format!(
                "gndt {} Inventory + longsword wielded because so",
                player(number)
            ),
        ]
    });
    let home = Scratch::shipped("dungeon");
    let lines = begin.into_iter().chain(news).chain(["wait 1d".to_owned()]);
    let mut game = game_after_lines(&home, "dungeon", lines);
    let attacks = (0..4).map(|number| format!("attack {} -> hill orc #1", player(number)));
    let attacks: Vec<String> = attacks.collect();
    Box::new(move || {
        for line in &attacks {
            game.text(line);
        }
        game.text("gndt");
        for _ in &attacks {
            game.text("undo");
        }
    })
}

fn prepare_spells() -> Box<dyn FnMut()> {
    let home = Scratch::shipped("opend6");
    home.write("scripts/opend6/commands/measured.luau", SPELLS);
    let mut game = Game::untimed(&home, "opend6");
    Box::new(move || {
        game.text("measured told 1");
    })
}

/// Prepares a function that reads the shipped roles of a faction.
fn prepare_role_texts() -> Box<dyn FnMut()> {
    let home = Scratch::shipped("wwrf");
    home.write("scripts/wwrf/commands/measured.luau", TEXTS);
    let folder = project().join("content/wwrf");
    let files = arbiter_tests::files_below(&folder.join("roles/coven")).into_iter();
    let list = files.map(|file| {
        let text = std::fs::read_to_string(&file).expect("roles are texts");
        let path = file.strip_prefix(&folder).expect("found below");
        json!({ "path": path.to_string_lossy(), "text": text })
    });
    let list: Vec<_> = list.collect();
    home.write("book.json", json!(list).to_string());
    let line = format!("measured 1 of {}", home.path().join("book.json").display());
    let mut game = Game::untimed(&home, "wwrf");
    Box::new(move || {
        let _kept = &home;
        game.text(&line);
    })
}

fn prepare_dice_pool() -> Box<dyn FnMut()> {
    let home = Scratch::shipped("fortune");
    let mut game = game_after_lines(&home, "fortune", ["set mara player Ann".to_owned()]);
    Box::new(move || {
        for line in ["pool Mara Drive Style vs 17 # over the gap", "undo"] {
            game.text(line);
        }
    })
}
