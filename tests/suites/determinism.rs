//! Tests the determinism checks of every game: undo, redo, save and load, reload anywhere, and
//! running everything twice.

use host::game;
use std::collections::BTreeSet;
use std::rc::Rc;

use arbiter_tests::{Game, Scratch, durability, project};
use host::game::{ReloadResult, ReplayComparison};
use host::script::Compiled;
use host::store::{State, What};
use host::value::Names;

/// Random lines of a game: most make rulings, some are queries, some are wrong.
pub(super) struct RandomLines {
    chance: durability::Lines,
    of: fn(&mut durability::Lines) -> String,
}

impl RandomLines {
    pub(super) fn of_mini(seed: u64) -> RandomLines {
        RandomLines {
            chance: durability::Lines::new(seed),
            of: mini_line,
        }
    }

    pub(super) fn of_fortune(seed: u64) -> RandomLines {
        RandomLines {
            chance: durability::Lines::new(seed),
            of: durability::Lines::fortune_line,
        }
    }

    fn next_line(&mut self) -> String {
        (self.of)(&mut self.chance)
    }
}

fn mini_line(chance: &mut durability::Lines) -> String {
    let person = chance.pick_one(&["Ann", "Bo", "ann", "Nobody"]);
    match chance.random_below(11) {
        0 | 1 => format!(
            "charm {person} with {}",
            chance.pick_one(&["cheer", "gloom", "cheeer"])
        ),
        2 => format!(
            "throw {}",
            chance.pick_one(&["3d6", "4d6kh3+2", "d20!", "2d6r1", "9d", "1d8>=5"])
        ),
        3 => format!("mood {person}"),
        4 => format!(
            "= act:set('{}', 'mood', 9)",
            chance.pick_one(&["ann", "bo", "x"])
        ),
        5 => "= act:roll('3d6')".to_owned(),
        6 => format!("set {person} {}", chance.pick_one(SETTINGS)),
        7 => format!(
            "dice {}",
            chance.pick_one(&["next 3 d4:2 5", "next 999", "next d6:7", "clear"])
        ),
        8 => format!("meet {}", chance.pick_one(&["Cy", "Di", "Ed"])),
        9 => format!("{} {person}", chance.pick_one(&["part", "calm"])),
        _ => chance
            .pick_one(&["chram", "", "throw", "mood Ann Bo", "show", "log 3"])
            .to_owned(),
    }
}

const SETTINGS: &[&str] = &[
    "mood 7",
    "mood + 2",
    "mood - 9",
    "guard 1",
    "guard 0",
    "note tired",
    "mood high",
    "kind 3",
];

/// Returns a home of mini with people who come and go, and charms that end.
pub(crate) fn home_with_lasting_things() -> Scratch {
    let home = Scratch::mini();
    for (name, syntax, run) in [
        (
            "meet",
            "meet {name: Word}",
            "return act:done(act:create(\"person\", { name = args.name }))",
        ),
        (
            "part",
            "part {person: Person}",
            "act:remove(args.person) return act:done(\"gone\")",
        ),
        (
            "calm",
            "calm {person: Person}",
            "for _, id in act:find({ kind = \"charm\", owner = args.person }) do act:detach(id) end return act:done(\"calm\")",
        ),
    ] {
        home.write(
            &format!("scripts/mini/commands/{name}.luau"),
            format!(
                "--!strict\nreturn command {{ source = \"the host's own tests\", summary = \"a test\", \
                 syntax = \"{syntax}\", run = function(act, args) {run} end }}\n"
            ),
        );
    }
    home
}

/// Returns a game of that home with all commands of the program.
pub(super) fn game_with_lasting_things() -> Game {
    Game::of_program(&home_with_lasting_things(), "mini")
}

pub(super) fn fortune_game() -> Game {
    let home = Scratch::mini();
    for folder in ["scripts/fortune", "content/fortune"] {
        home.copy(&project().join(folder), folder);
    }
    Game::of_program(&home, "fortune")
}

/// Plays a random game that contains some undo commands.
fn play_random_mini_game(seed: u64, commands: usize) -> Game {
    play_random_lines(
        game_with_lasting_things(),
        RandomLines::of_mini(seed),
        commands,
    )
}

pub(super) fn play_random_lines(mut game: Game, mut lines: RandomLines, commands: usize) -> Game {
    for _ in 0..commands {
        match lines.chance.random_below(12) {
            0 => drop(game::undo_last_ruling(game.solo.timeline_mut(), "gm")),
            1 => drop(game::redo_last_ruling(game.solo.timeline_mut(), "gm")),
            _ => drop(game.line(&lines.next_line())),
        }
    }
    game
}

#[test]
fn undo_of_everything_gives_the_first_state_and_redo_the_last() {
    let of_mini = (1..=4).map(|seed| play_random_mini_game(seed, 300));
    let of_fortune =
        (1..=2).map(|seed| play_random_lines(fortune_game(), RandomLines::of_fortune(seed), 300));
    for mut game in of_mini.chain(of_fortune) {
        let last = game.hash();
        let first = game.solo.timeline().history().operations()[0].state;
        let rulings = game.solo.timeline().history().live_operations().count() - 1;
        assert!(rulings > 20, "a game of {rulings} rulings shows little");
        for _ in 0..rulings {
            game.undo();
        }
        assert_eq!(game.hash(), first);
        assert!(
            game::undo_last_ruling(game.solo.timeline_mut(), "gm")
                .refusal
                .is_some(),
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
    let games = [
        (game_with_lasting_things(), RandomLines::of_mini(7)),
        (fortune_game(), RandomLines::of_fortune(7)),
    ];
    for (mut game, mut lines) in games {
        for _ in 0..300 {
            let line = lines.next_line();
            let (_, difference) = game::submit_twice(&mut game.solo, "gm", &line);
            assert_eq!(difference, None, "{line}");
        }
    }
}

/// A random game proves nothing about a command that it never uses.
#[test]
fn random_games_meet_every_kind_of_command() {
    let ruled = |game: &Game| -> BTreeSet<String> {
        let live = game.solo.timeline().history().live_operations();
        live.map(|operation| operation.command.split(' ').next().unwrap().to_owned())
            .collect()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let expected: BTreeSet<String> =
        words(&["calm", "charm", "dice", "meet", "part", "set", "throw"]);
    let found = ruled(&play_random_mini_game(3, 400));
    assert!(found.is_superset(&expected), "{found:?}");
    let expected: BTreeSet<String> =
        words(&["choose", "dice", "edit", "option", "play", "pool", "set"]);
    let found = ruled(&play_random_lines(
        fortune_game(),
        RandomLines::of_fortune(3),
        400,
    ));
    assert!(found.is_superset(&expected), "{found:?}");
}

#[test]
fn what_was_recorded_of_an_operation_is_all_that_it_needs_to_be_the_same_again() {
    let games = [
        play_random_lines(game_with_lasting_things(), RandomLines::of_mini(9), 300),
        play_random_lines(fortune_game(), RandomLines::of_fortune(9), 300),
    ];
    for mut game in games {
        let operations = game.solo.timeline().history().operations().to_vec();
        let mut ran = 0;
        for one in &operations {
            let verified = game.solo.verify_operation(one.seq);
            let told = (one.seq, &one.command);
            assert!(
                !matches!(verified, ReplayComparison::Differs(_)),
                "{told:?}: {verified:?}"
            );
            ran += usize::from(verified == ReplayComparison::Same);
        }
        assert!(ran > 50, "{ran} of {}", operations.len());
    }
}

#[test]
fn an_operation_that_does_something_else_is_found() {
    let home = home_with_lasting_things();
    let above = "local count = 0";
    home.impure_command("count", above, "count += 1 act:set('ann', 'mood', count)");
    home.impure_command(
        "refuse",
        above,
        "count += 1 return act:fail(`no_{count}`, 'no')",
    );
    home.impure_command(
        "reword",
        above,
        "count += 1 return act:fail('no', `no {count}`)",
    );
    let mut game = Game::of_program(&home, "mini");
    game.text("count");
    game.refusal("refuse");
    let changed = ReplayComparison::Differs("the state and the changes".to_owned());
    assert_eq!(game.solo.verify_operation(2), changed);
    let refused = ReplayComparison::Differs("how it ends".to_owned());
    assert_eq!(
        game.solo.verify_operation(3),
        refused,
        "it is refused by another code"
    );
    game.refusal("reword");
    assert_eq!(
        game.solo.verify_operation(4),
        ReplayComparison::Same,
        "each program says a refusal in words of its own"
    );
    game.undo();
    assert_eq!(game.solo.verify_operation(5), ReplayComparison::NotRun);
}

#[test]
fn the_same_lines_give_the_same_game() {
    let (one, two) = (
        play_random_mini_game(11, 200),
        play_random_mini_game(11, 200),
    );
    assert_eq!(one.hash(), two.hash());
    assert_eq!(
        one.solo.timeline().history().operations(),
        two.solo.timeline().history().operations()
    );
}

#[test]
fn saved_bytes_load_as_the_same_state() {
    let game = play_random_mini_game(5, 300);
    let state = game.solo.timeline().state();
    let bytes = state.to_bytes();
    let loaded = State::from_bytes(&bytes, Rc::<Names>::default()).unwrap();
    assert_eq!(loaded.hash(), state.hash());
    assert_eq!(loaded.to_bytes(), bytes);
}

#[test]
fn a_reload_between_any_two_commands_changes_nothing() {
    let home = Scratch::mini();
    let (mut plain, mut reloaded) = (Game::of(&home), Game::of(&home));
    let mut lines = RandomLines::of_mini(13);
    for number in 0..60 {
        home.write(
            "scripts/mini/pipeline/note.luau",
            format!("--!strict\nreturn {{ number = {number} }}\n"),
        );
        let before = reloaded.hash();
        let news = reloaded.solo.session.reload(Compiled::default());
        assert!(matches!(news, ReloadResult::Swapped { .. }), "{news:?}");
        assert_eq!(reloaded.hash(), before);
        let line = lines.next_line();
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
    assert!(
        game.solo
            .timeline()
            .history()
            .seen_dice_addresses()
            .contains("2/throw/-/1")
    );
    assert_eq!(
        game.text("throw 4d6"),
        first,
        "the same slot shows the same faces"
    );
    assert!(
        game.solo
            .timeline()
            .history()
            .seen_dice_addresses()
            .contains("2/throw/-/1"),
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
    let last = game.last_operation();
    assert!(matches!(&last.what, What::Refused { code, .. } if **code == *"dice/unknown-modifier"));
    assert_eq!((last.slot, last.changes.len()), (None, 0));
    let operations = game.solo.timeline().history().operations().len();
    game.refusal("chram Ann");
    assert_eq!(
        game.solo.timeline().history().operations().len(),
        operations,
        "what is no command is not kept"
    );
}

#[test]
fn records_and_operations_know_their_cause() {
    let mut game = Game::mini();
    game.text("charm Ann with cheer");
    let last = game.last_operation();
    assert_eq!(
        last.causes[0].to_string(),
        "{cells: [charm#1], n: 0, parent: 0, rule: commands/charm}"
    );
    assert_eq!(
        game.text("= act:row('charm#1').cause.rule"),
        "commands/charm"
    );
}
