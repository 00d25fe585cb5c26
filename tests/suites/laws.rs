//! This module holds the laws of every game: undo, redo, save and load, reload anywhere, everything twice.

use std::rc::Rc;

use arbiter_tests::{Game, Scratch};
use host::dice::Draw;
use host::game::{Reloaded, Stream};
use host::script::Compiled;
use host::store::{State, What};
use host::value::Names;

/// Random lines of a game of mini: most of them rule, some look, some are wrong.
struct Lines(Stream);

impl Lines {
    fn below(&mut self, many: u32) -> usize {
        self.0.draw(many).unwrap() as usize - 1
    }

    fn next(&mut self) -> String {
        let people = ["Ann", "Bo", "ann", "Nobody"];
        let person = people[self.below(4)];
        match self.below(7) {
            0 | 1 => format!(
                "charm {person} with {}",
                ["cheer", "gloom", "cheeer"][self.below(3)]
            ),
            2 => format!(
                "throw {}",
                ["3d6", "4d6kh3+2", "d20!", "2d6r1", "9d", "1d8>=5"][self.below(6)]
            ),
            3 => format!("mood {person}"),
            4 => format!(
                "= act:set('{}', 'mood', 9)",
                ["ann", "bo", "x"][self.below(3)]
            ),
            5 => "= act:roll('3d6')".to_owned(),
            _ => ["chram", "", "throw", "mood Ann Bo"][self.below(4)].to_owned(),
        }
    }
}

/// Plays a random game and now and then takes something back.
fn play(seed: u64, commands: usize) -> Game {
    let mut game = Game::mini();
    let mut lines = Lines(Stream::new(seed));
    for _ in 0..commands {
        match lines.below(12) {
            0 => drop(game.session.undo("gm")),
            1 => drop(game.session.redo("gm")),
            _ => drop(game.line(&lines.next())),
        }
    }
    game
}

#[test]
fn undo_of_everything_gives_the_first_state_and_redo_the_last() {
    for seed in 1..=4 {
        let mut game = play(seed, 300);
        let last = game.hash();
        let first = game.session.history().operations()[0].state;
        let rulings = game.session.history().live().count() - 1;
        assert!(rulings > 20, "a game of {rulings} rulings shows little");
        for _ in 0..rulings {
            game.undo();
        }
        assert_eq!(game.hash(), first);
        assert!(
            game.session.undo("gm").refusal.is_some(),
            "the set-up stays"
        );
        for _ in 0..rulings {
            game.redo();
        }
        assert_eq!(game.hash(), last);
    }
}

#[test]
fn a_command_run_twice_from_one_state_is_the_same() {
    let mut game = Game::mini();
    let mut lines = Lines(Stream::new(7));
    for _ in 0..300 {
        let line = lines.next();
        let (_, difference) = game.session.submit_twice("gm", &line);
        assert_eq!(difference, None, "{line}");
    }
}

#[test]
fn the_same_lines_give_the_same_game() {
    let (one, two) = (play(11, 200), play(11, 200));
    assert_eq!(one.hash(), two.hash());
    assert_eq!(
        one.session.history().operations(),
        two.session.history().operations()
    );
}

#[test]
fn saved_bytes_load_as_the_same_state() {
    let game = play(5, 300);
    let state = game.session.state();
    let bytes = state.to_bytes();
    let loaded = State::from_bytes(&bytes, Rc::<Names>::default()).unwrap();
    assert_eq!(loaded.hash(), state.hash());
    assert_eq!(loaded.to_bytes(), bytes);
}

#[test]
fn a_reload_between_any_two_commands_changes_nothing() {
    let home = Scratch::mini();
    let (mut plain, mut reloaded) = (Game::of(&home), Game::of(&home));
    let mut lines = Lines(Stream::new(13));
    for number in 0..60 {
        home.write(
            "scripts/mini/pipeline/note.luau",
            format!("--!strict\nreturn {{ number = {number} }}\n"),
        );
        let before = reloaded.hash();
        let news = reloaded.session.reload(Compiled::default());
        assert!(matches!(news, Reloaded::Swapped { .. }), "{news:?}");
        assert_eq!(reloaded.hash(), before);
        let line = lines.next();
        assert_eq!(
            plain.line(&line).documents,
            reloaded.line(&line).documents,
            "{line}"
        );
        assert_eq!(plain.hash(), reloaded.hash(), "{line}");
    }
}

#[test]
fn undo_gives_the_slot_back_and_the_dice_are_listed_as_seen() {
    let mut game = Game::mini();
    let first = game.text("throw 4d6");
    game.undo();
    assert!(game.session.history().seen().contains("2/throw/-/1"));
    assert_eq!(
        game.text("throw 4d6"),
        first,
        "the same slot shows the same faces"
    );
    assert!(
        game.session.history().seen().contains("2/throw/-/1"),
        "seen faces stay seen"
    );
    assert_ne!(
        game.text("throw 4d6"),
        first,
        "a further ruling has dice of its own"
    );
}

#[test]
fn a_refused_command_is_kept_with_its_code_and_without_effects() {
    let mut game = Game::mini();
    game.text("charm Ann with cheer");
    let before = game.hash();
    assert_eq!(game.refusal("throw 2d6zz").code, "dice/unknown-modifier");
    assert_eq!(game.hash(), before);
    let last = game.session.history().operations().last().unwrap();
    assert!(matches!(&last.what, What::Refused { code } if **code == *"dice/unknown-modifier"));
    assert_eq!((last.slot, last.changes.len()), (None, 0));
    let operations = game.session.history().operations().len();
    game.refusal("chram Ann");
    assert_eq!(
        game.session.history().operations().len(),
        operations,
        "what is no command is not kept"
    );
}

#[test]
fn records_and_operations_know_their_cause() {
    let mut game = Game::mini();
    game.text("charm Ann with cheer");
    let last = game.session.history().operations().last().unwrap();
    assert_eq!(
        last.causes[0].to_string(),
        "{cells: [charm#1], n: 0, parent: 0, rule: commands/charm}"
    );
    assert_eq!(
        game.text("= act:row('charm#1').cause.rule"),
        "commands/charm"
    );
}
