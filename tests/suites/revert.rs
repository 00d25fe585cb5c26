//! Tests corrections of random games and of single cases: only the valid rulings decide the state.

use arbiter_tests::{Game, Scratch, on_game_thread, random_below};
use host::game::{ReplayComparison, Stream, redo_all, undo_all};
use host::store::{History, What};

use crate::determinism::home_with_lasting_things;

mod answer_matching;
mod correction_messages;
mod suspended_corrections;

/// Returns a game of the toy ruleset with commands that create, remove and change things.
fn game_with_changing_things() -> Game {
    let home = home_with_lasting_things();
    home.write(
        "scripts/mini/commands/label.luau",
        "return command { source = \"the host's own tests\", summary = \"a test\",
           syntax = \"label {person: Person} {key: Word} {value: Integer}\",
           run = function(act, args) act:set(args.person, args.key, args.value) return act:done(\"labelled\") end }",
    );
    Game::of_program(&home, "mini")
}

/// Returns a line that depends on no other line: each changes its own thing.
fn independent_line(chance: &mut Stream, number: usize) -> String {
    let dice = ["3d6", "4d6kh3+2", "d20!", "2d6r1"];
    let person = ["Ann", "Bo"][number % 2];
    match random_below(chance, 5) {
        0 => format!("throw {}", dice[random_below(chance, dice.len())]),
        1 => format!("meet P{number}"),
        _ => format!("label {person} mark{number} {}", random_below(chance, 9)),
    }
}

/// Returns a line that may depend on earlier lines.
fn dependent_line(chance: &mut Stream) -> String {
    let person = ["Ann", "Bo", "Cy", "Di"][random_below(chance, 4)];
    match random_below(chance, 9) {
        0 | 1 => format!(
            "charm {person} with {}",
            ["cheer", "gloom"][random_below(chance, 2)]
        ),
        2 => format!("set {person} mood + {}", random_below(chance, 3)),
        3 => format!("set {person} guard {}", random_below(chance, 2)),
        4 => format!("meet {}", ["Cy", "Di"][random_below(chance, 2)]),
        5 => format!("part {person}"),
        6 => format!("calm {person}"),
        7 => format!("dice next {}", 1 + random_below(chance, 4)),
        _ => "throw 2d6".to_owned(),
    }
}

/// Returns the numbers of the valid rulings, without the first one.
fn standing_ruling_numbers(game: &Game) -> Vec<u64> {
    game.solo
        .timeline()
        .history()
        .valid_ruling_seqs()
        .split_off(1)
}

/// Returns the cells of a game as texts, without those that store the ids given out by the host.
fn cells_without_host_rows(game: &Game) -> Vec<(String, String, String)> {
    let state = game.solo.timeline().state();
    let names = state.names();
    let rows = state.rows().into_iter();
    let cells = rows.flat_map(|row| {
        let fields = state.field_names_of_row(row).into_iter();
        fields.map(move |field| {
            let texts = [row, field].map(|name| names.text(name).to_string());
            let [row_text, field_text] = texts;
            (row_text, field_text, state.get(row, field).to_string())
        })
    });
    cells.collect()
}

/// A text may end with a word that could also come before `with`; a line without `with` gets both
/// readings.
#[test]
fn a_word_behind_the_command_of_replace_is_never_taken_unseen() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::mini(), "mini");
        game.text("note Ann: likes tea");
        let before = game.hash();
        for word in ["yes", "details", "Yes"] {
            let line = format!("replace 2 with note Ann: likes coffee {word}");
            let refusal = game.refusal(&line);
            let word = word.to_lowercase();
            assert_eq!(refusal.code, "revert/word", "{line}");
            let first = format!(
                "`{word}` must be before `with`; type `replace 2 {word} with note Ann: likes coffee`"
            );
            assert_eq!(refusal.hints[0], first);
            assert_eq!(game.hash(), before);
        }
        let refusal = game.refusal("replace 2 with set Ann mood 3 yes");
        let hint = "`yes` must be before `with`; type `replace 2 yes with set Ann mood 3`";
        assert!(refusal.hints.contains(&hint.to_owned()), "{refusal:?}");
        let shown = game.text("replace 2 details with note Ann: likes coffee yes");
        assert!(shown.contains("likes coffee yes"), "{shown}");
        game.text("replace 2 yes with note Ann: likes coffee yes");
        assert_eq!(game.text("note Ann"), "Ann: likes coffee yes");
    });
}

#[test]
fn what_nothing_depends_on_is_left_out_alone() {
    on_game_thread(|| {
        for seed in 0..6 {
            let mut chance = Stream::new(seed);
            let lines: Vec<String> = (0..25)
                .map(|number| independent_line(&mut chance, number))
                .collect();
            let mut whole = game_with_changing_things();
            for line in &lines {
                whole.line(line);
            }
            let before = cells_without_host_rows(&whole);
            let all = standing_ruling_numbers(&whole);
            let of = all[random_below(&mut chance, all.len())];
            let own: Vec<String> = {
                let operation = whole.solo.timeline().history().operation(of).unwrap();
                let names = whole.solo.timeline().state().names();
                let changes = operation.changes.iter();
                changes
                    .map(|one| {
                        one.row_and_field_texts(names).0.to_string()
                            + "."
                            + &one.row_and_field_texts(names).1
                    })
                    .collect()
            };
            whole.text(&format!("revert {of} yes"));
            let last = whole.last_operation();
            let What::Revert {
                changed, refused, ..
            } = &last.what
            else {
                panic!("{:?}", last.what)
            };
            assert_eq!(
                (changed.len(), refused.len()),
                (0, 0),
                "{seed}: {of} in {lines:?}"
            );
            let is_other =
                |cell: &&(String, String, String)| !own.contains(&format!("{}.{}", cell.0, cell.1));
            let rest = |cells: &[(String, String, String)]| -> Vec<_> {
                cells.iter().filter(is_other).cloned().collect()
            };
            assert_eq!(
                rest(&before),
                rest(&cells_without_host_rows(&whole)),
                "{seed}: {of} in {lines:?}"
            );
        }
    });
}

/// Plays lines that may depend on each other, and sometimes corrects the past.
fn play_and_correct(seed: u64, lines: usize) -> (Game, usize) {
    let (mut game, mut chance) = (game_with_changing_things(), Stream::new(seed));
    let mut corrections = 0;
    for _ in 0..lines {
        let all = game.live_ruling_numbers();
        let line = match random_below(&mut chance, 8) {
            0 | 1 if !all.is_empty() => {
                let of = all[random_below(&mut chance, all.len())];
                match random_below(&mut chance, 3) {
                    0 => format!("replace {of} yes with {}", dependent_line(&mut chance)),
                    _ => format!("revert {of} yes"),
                }
            }
            2 => ["undo", "redo"][random_below(&mut chance, 2)].to_owned(),
            _ => dependent_line(&mut chance),
        };
        let reply = game.line(&line);
        corrections += usize::from(reply.op.is_some() && line.contains("yes"));
        game.hash();
    }
    (game, corrections)
}

#[test]
fn what_is_reverted_twice_is_as_it_was() {
    on_game_thread(|| {
        for seed in 0..5 {
            let (mut game, _) = play_and_correct(seed, 40);
            let before = game.hash();
            for of in standing_ruling_numbers(&game) {
                game.text(&format!("revert {of} yes"));
                let last = game.solo.timeline().history().operations().len();
                game.text(&format!("revert {last} yes"));
                assert_eq!(game.hash(), before, "{seed}: {of}");
            }
        }
    });
}

#[test]
fn corrections_are_undone_and_done_again_like_rulings() {
    on_game_thread(|| {
        for seed in 10..14 {
            let (mut game, corrections) = play_and_correct(seed, 60);
            assert!(corrections > 3, "{corrections} corrections show little");
            let (first, last) = (
                game.solo.timeline().history().operations()[0].state,
                game.hash(),
            );
            let undone = undo_all(&mut game.solo, first).unwrap();
            assert!(redo_all(&mut game.solo, undone, last).is_none(), "{seed}");
        }
    });
}

/// Only valid rulings decide the state: a game without the omitted lines is the same.
#[test]
fn who_never_gave_what_is_left_out_has_the_same_game() {
    on_game_thread(|| {
        for seed in 20..24 {
            let mut chance = Stream::new(seed);
            let lines: Vec<String> = (0..12).map(|_| dependent_line(&mut chance)).collect();
            let mut game = game_with_changing_things();
            for line in &lines {
                game.line(line);
            }
            let last = standing_ruling_numbers(&game).last().copied();
            let Some(last) = last else { continue };
            let mut other = game_with_changing_things();
            let operations = game.solo.timeline().history().operations().to_vec();
            for operation in operations.iter().skip(1).filter(|one| one.seq != last) {
                other.line(&operation.command);
            }
            game.text(&format!("revert {last} yes"));
            assert_eq!(
                cells_without_host_rows(&game),
                cells_without_host_rows(&other),
                "{seed}: {lines:?}"
            );
        }
    });
}

#[test]
fn a_preview_changes_nothing() {
    let (mut game, _) = play_and_correct(31, 30);
    let (hash, operations) = (
        game.hash(),
        game.solo.timeline().history().operations().len(),
    );
    for of in standing_ruling_numbers(&game) {
        game.line(&format!("revert {of}"));
        game.line(&format!("replace {of} with set Ann mood 5"));
        assert_eq!(
            (
                game.hash(),
                game.solo.timeline().history().operations().len()
            ),
            (hash, operations)
        );
    }
}

#[test]
fn dice_keep_their_faces_and_slots_are_not_given_back() {
    let mut game = game_with_changing_things();
    game.text("label Ann mark 1");
    let second = game.text("throw 4d6");
    let slot = game.solo.timeline().history().next_ruling_number();
    game.text("revert 2 yes");
    let told = game.text("log");
    assert!(told.contains("reverted by 4"), "{told}");
    assert_eq!(game.solo.timeline().history().next_ruling_number(), slot);
    game.text("replace 3 yes with throw 4d6kh3");
    let inputs = |seq: u64| {
        game.solo
            .timeline()
            .history()
            .operation(seq)
            .unwrap()
            .inputs
            .clone()
    };
    assert_eq!(
        inputs(5),
        inputs(3),
        "the same purpose meets the same faces"
    );
    game.text("revert 5 yes");
    assert_eq!(game.solo.verify_operation(3), ReplayComparison::Same);
    assert!(!second.is_empty());
}

#[test]
fn a_script_that_breaks_half_way_ends_the_correction() {
    let home = Scratch::mini();
    home.command(
        "lean",
        "if act:get('ann', 'mood') == 4 then error('a leg is missing') end act:set('bo', 'mood', 1) return act:done('leans')",
    );
    home.command("spin", "if act:get('ann', 'mood') == 4 then while true do end end act:set('bo', 'spun', 1) return act:done('spins')");
    for (line, code, text) in [
        ("lean", "script/", "log line 3 `lean` cannot be run again: "),
        ("spin", "limit/", "log line 3 `spin` cannot be run again: "),
    ] {
        let mut game = Game::of_program(&home, "mini");
        game.solo.session.responders_mut().attended = false;
        let mood = game.text("= act:get('ann', 'mood')");
        assert_eq!(mood, "4", "the lines of this test begin there");
        game.text("set Ann mood 7");
        game.text(line);
        let (before, count) = (
            game.hash(),
            game.solo.timeline().history().operations().len(),
        );
        for sure in ["", " yes"] {
            let refusal = game.refusal(&format!("revert 2{sure}"));
            assert!(refusal.code.starts_with(code), "{refusal:?}");
            assert!(refusal.message.starts_with(text), "{}", refusal.message);
            assert_eq!(refusal.hints.last().unwrap(), "nothing was changed");
            assert_eq!(
                (
                    game.hash(),
                    game.solo.timeline().history().operations().len()
                ),
                (before, count)
            );
        }
        game.text("= 1");
        game.undo();
    }
}

#[test]
fn rulings_run_under_the_rules_that_they_ran_under() {
    let home = Scratch::mini();
    home.command("mark", "act:set('bo', 'mark', 1) return act:done('marked')");
    let mut game = Game::of_program(&home, "mini");
    game.text("set Ann mood 5");
    game.text("mark");
    home.command(
        "mark",
        "act:set('bo', 'mark', 2) return act:done('marked twice')",
    );
    let reloaded = game.solo.session.reload(host::script::Compiled::default());
    assert!(
        matches!(reloaded, host::game::ReloadResult::Swapped { .. }),
        "{reloaded:?}"
    );
    game.text("mark");
    game.text("set Bo mood 5");
    let told = game.text("revert 2");
    assert_eq!(told.matches("same").count(), 3, "{told}");
    game.text("revert 4 yes");
    assert_eq!(game.text("= act:get('bo', 'mark')"), "1");
}

/// A game that is opened from its journal has the same state, and its corrections give the same
/// results.
#[test]
fn a_game_from_its_operations_has_the_same_past() {
    on_game_thread(|| {
        let (game, corrections) = play_and_correct(40, 60);
        assert!(corrections > 3, "{corrections} corrections show little");
        let history = game.solo.timeline().history();
        let first = history.state_before(1).unwrap();
        let operations = history.operations().iter();
        let operations: Vec<_> = operations.map(|one| (**one).clone()).collect();
        let mut state = first.fork();
        let mut appended = History::new(&state);
        for operation in &operations {
            appended
                .append_recorded_operation(&mut state, operation.clone())
                .unwrap();
        }
        let restored =
            History::from_applied(&first, operations, game.solo.timeline().state()).unwrap();
        for other in [&appended, &restored] {
            assert_eq!(other.valid_ruling_seqs(), history.valid_ruling_seqs());
            assert_eq!(other.ineffective_rulings(), history.ineffective_rulings());
            assert_eq!(other.next_ruling_number(), history.next_ruling_number());
            assert_eq!(other.seen_dice_addresses(), history.seen_dice_addresses());
        }
        assert_eq!(state.hash(), game.hash());
    });
}

#[test]
fn an_earlier_game_is_looked_at_and_not_changed() {
    let mut game = game_with_changing_things();
    game.text("label Ann mark 1");
    game.text("label Ann mark 2");
    let before = game.hash();
    assert_eq!(
        game.text("view 2"),
        "after log line 2 `label Ann mark 1`; `view` returns to the present"
    );
    assert_eq!(game.phase_and_place(), "night 1 @2");
    assert_eq!(game.text("= act:get('ann', 'mark')"), "1");
    assert!(game.text("log").contains("label Ann mark 1"));
    assert!(!game.text("log").contains("label Ann mark 2"));
    assert!(game.text("why ann.mark").contains("label"));
    for line in [
        "label Ann mark 3",
        "undo",
        "dice next 3",
        "revert 2 yes",
        "plan mode ask",
    ] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "look/past", "{line}");
        assert_eq!(
            refusal.hints[0],
            "`view` returns to the present; `fork NAME` plays on from here in a copy"
        );
        assert_eq!(game.text("= act:get('ann', 'mark')"), "1", "{line}");
    }
    assert_eq!(game.hash(), before);
    assert_eq!(game.refusal("view 9").code, "store/unknown-operation");
    assert_eq!(game.refusal("view there").code, "phrase/no-match");
    game.text("view");
    assert_eq!(game.text("= act:get('ann', 'mark')"), "2");
    assert_eq!(game.phase_and_place(), "night 1");
    let reply = game.solo.submit("Ann", "view 2");
    assert_eq!(reply.refusal.unwrap().code, "host/gm-only");
}

#[test]
fn a_fork_is_played_on_and_left_and_has_dice_of_its_own() {
    let mut game = game_with_changing_things();
    game.text("label Ann mark 1");
    let before = game.hash();
    game.text("fork try");
    let there = game.text("throw 6d6");
    game.text("label Ann mark 5");
    let inputs = &game.solo.timeline().history().operation(3).unwrap().inputs;
    assert_eq!(inputs[0].get("address").as_str(), Some("try:3/throw/-/1"));
    assert_eq!(game.solo.verify_operation(3), ReplayComparison::Same);
    game.text("revert 2 yes");
    assert_eq!(game.phase_and_place(), "night 1 fork try");
    game.text("fork main");
    assert_eq!(game.hash(), before);
    assert_ne!(game.text("throw 6d6"), there);
    game.undo();
    assert_eq!(
        game.text("fork"),
        "- main: 4 log lines, here\n- try: 5 log lines"
    );
    game.text("fork try");
    assert_eq!(game.text("= act:get('ann', 'mark')"), "5");
    game.text("fork deeper");
    game.text("throw 6d6");
    let last = game.last_operation();
    assert_eq!(
        last.inputs[0].get("address").as_str(),
        Some("deeper:5/throw/-/1")
    );
    assert_eq!(
        game.solo.verify_operation(3),
        ReplayComparison::Same,
        "what the first fork ruled keeps its name"
    );
    assert_eq!(game.refusal("fork drop deeper").code, "fork/in-use");
    game.text("fork drop try");
    assert_eq!(game.refusal("fork drop try").code, "fork/unknown");
    assert_eq!(game.refusal("fork now").code, "fork/name");
    game.text("fork main");
    game.text("view 1");
    game.text("fork early");
    assert_eq!(game.solo.timeline().history().operations().len(), 1);
}

#[test]
fn a_preview_shows_other_dice_than_those_that_will_count() {
    let mut game = Game::of_program(&Scratch::mini(), "mini");
    game.text("set bo mood 4");
    game.text("throw 1d1000000");
    let recorded = faces_of_operation(&game, 3);
    let (hash, count) = (
        game.hash(),
        game.solo.timeline().history().operations().len(),
    );
    let preview = game.text("replace 2 with throw 1d1000000");
    assert!(
        preview.contains("With `yes`, other dice are rolled"),
        "{preview}"
    );
    assert_eq!(game.text("replace 2 with throw 1d1000000"), preview);
    let kept = game.text("replace 3 with throw 1d1000000");
    assert!(kept.contains(&recorded[0].to_string()), "{kept}");
    assert!(!kept.contains("other dice are rolled"), "{kept}");
    assert!(!game.text("revert 2").contains("other dice are rolled"));
    assert_eq!(
        (
            game.hash(),
            game.solo.timeline().history().operations().len()
        ),
        (hash, count)
    );
    let done = game.text("replace 2 yes with throw 1d1000000");
    assert!(!done.contains("other dice are rolled"), "{done}");
    let [new] = faces_of_operation(&game, 4)[..] else {
        panic!("one die was thrown: {done}");
    };
    assert!(done.contains(&new.to_string()), "{done}");
    assert!(!preview.contains(&new.to_string()), "{preview}");
    // The dice of the correction are fixed now: another preview shows them.
    let again = game.text("replace 4 with throw 1d1000000");
    assert!(again.contains(&new.to_string()), "{again}");
}

/// Returns the faces that an operation used.
fn faces_of_operation(game: &Game, seq: u64) -> Vec<i64> {
    let operation = game.solo.timeline().history().operation(seq).unwrap();
    let inputs = operation.inputs.iter();
    inputs
        .filter_map(|input| input.get("face").as_i64())
        .collect()
}
