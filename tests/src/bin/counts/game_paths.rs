//! The paths of a game of the toy ruleset: rulings, questions about them, and their past.

use arbiter_tests::{Game, Scratch};
use host::game;
use host::game::Verifier;

use crate::measured_path::Path;

/// Returns the paths.
pub(crate) fn game_paths() -> Vec<Path> {
    vec![
        Path::new("a ruling and its undo", 20, || {
            prepare_lines(&["charm Ann with cheer", "undo"])
        }),
        Path::new("a ruling with dice and its undo", 20, || {
            prepare_lines(&["throw 10d20", "undo"])
        }),
        Path::new("a query", 20, || prepare_lines(&["mood ann"])),
        Path::new("a line that no command takes", 10, prepare_unknown_command),
        Path::new("why", 4, || prepare_lines(&["why ann.mood"])),
        Path::new("the log", 4, || prepare_lines(&["log"])),
        Path::new("a fork with a ruling in it", 4, prepare_fork_and_drop),
        Path::new("the preview of a revert", 1, || {
            prepare_lines(&["revert 3"])
        }),
        Path::new("what may be typed next", 4, prepare_expected_words),
        Path::new("a game verified", 1, prepare_verification),
    ]
}

/// Returns a game with some past.
fn game_with_past() -> Game {
    let mut game = Game::untimed(&Scratch::mini(), "mini");
    play_thirty_operations(&mut game);
    game
}

/// Plays thirty operations.
fn play_thirty_operations(game: &mut Game) {
    for number in 0..10 {
        for line in ["charm Ann with cheer", "throw 2d6"] {
            game.text(line);
        }
        game.text(&format!("set Bo mood {}", number % 7));
    }
}

/// Prepares a function that submits lines in a game with some past.
fn prepare_lines(lines: &'static [&'static str]) -> Box<dyn FnMut()> {
    let mut game = game_with_past();
    Box::new(move || {
        for line in lines {
            game.text(line);
        }
    })
}

fn prepare_unknown_command() -> Box<dyn FnMut()> {
    let mut game = game_with_past();
    Box::new(move || {
        game.refusal("charn Ann with cheer");
    })
}

fn prepare_fork_and_drop() -> Box<dyn FnMut()> {
    let mut game = game_with_past();
    Box::new(move || {
        for line in ["fork trial", "throw 2d6", "fork main", "fork drop trial"] {
            game.text(line);
        }
    })
}

fn prepare_expected_words() -> Box<dyn FnMut()> {
    let game = game_with_past();
    Box::new(move || {
        let expected = game::expected_next_words(game.solo.timeline(), "gm", "charm Ann with ");
        assert!(!expected.is_empty(), "charms may be typed");
    })
}

/// Prepares a function that reads a game from a folder and verifies it.
fn prepare_verification() -> Box<dyn FnMut()> {
    let folder = tempfile::tempdir().expect("there is room for a game");
    let place = folder.path().join("game");
    let home = Scratch::mini();
    let mut game = Game::untimed(&home, "mini");
    let kept = game
        .solo
        .save_in_folder(&place, arbiter_tests::save_options());
    kept.expect("there is room for a game");
    play_thirty_operations(&mut game);
    drop(game);
    Box::new(move || {
        let _kept = (&home, &folder);
        let report = Verifier::open(&place, &repl::COMMANDS);
        let report = report.expect("the game is there").finish();
        assert!(report.findings.is_empty() && report.same > 30);
    })
}
