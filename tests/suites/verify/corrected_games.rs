//! Verifies games with a corrected past, and games that were forks.

use arbiter_tests::{open_read_only, random_below};
use host::game::{RulesChoice, Stream};
use host::store::{History, What};

use super::*;

/// Returns rules for every kind of history: dice, questions to one and to several, things that come
/// and go.
pub(super) fn home_with_many_rules() -> Scratch {
    let home = home_with_lasting_things();
    home.command(
        "dare",
        "local first = act:roll('1d6', 'dare') \
         if act:ask({ to = 'gm', key = 'sure', type = 'YesNo', text = 'Sure?' }) then act:set('ann', 'mood', first) end \
         return `{first} {act:roll('1d20', 'dare')}`",
    );
    home.command(
        "both",
        "local asked = {} for _, name in { 'Ann', 'Bo' } do \
         table.insert(asked, { to = name, key = 'sure', who = name, type = 'YesNo', text = 'Sure?' }) end \
         local answers = act:ask_all(asked) return `{answers[1]} {answers[2]} {act:roll('1d6', 'both')}`",
    );
    home.command(
        "lean",
        "local mood = act:get('ann', 'mood') for _ = 1, mood do act:roll('1d6', 'lean') end return tostring(mood)",
    );
    home
}

/// Returns a random line with its sender.
fn random_line(chance: &mut Stream, history: &History) -> (&'static str, String) {
    let seat = ["Ann", "Bo"][random_below(chance, 2)];
    let all: Vec<u64> = history
        .live_operations()
        .skip(1)
        .map(|one| one.seq)
        .collect();
    let of = all.get(random_below(chance, all.len().max(1))).copied();
    let (by, text) = match (random_below(chance, 20), of) {
        (0 | 1, Some(of)) => ("gm", format!("revert {of} yes")),
        (2, Some(of)) => (
            "gm",
            format!("replace {of} yes with {}", random_rule_command(chance)),
        ),
        (3, _) => ("gm", ["undo", "redo"][random_below(chance, 2)].to_owned()),
        (4..=7, _) => (seat, "answer yes".to_owned()),
        (8, _) => ("gm", "answer no".to_owned()),
        (9, _) => (seat, format!("salt grain {}", random_below(chance, 9))),
        (10, _) => ("gm", "next".to_owned()),
        (11, _) => ("gm", format!("dice next {}", 1 + random_below(chance, 6))),
        (12, _) => (
            "gm",
            ["drop", "restart"][random_below(chance, 2)].to_owned(),
        ),
        _ => ("gm", random_rule_command(chance)),
    };
    (by, text)
}

/// Returns a random command of the rules.
fn random_rule_command(chance: &mut Stream) -> String {
    let person = ["Ann", "Bo", "Cy"][random_below(chance, 3)];
    match random_below(chance, 9) {
        0 => format!("charm {person} with cheer"),
        1 => format!("set {person} mood {}", random_below(chance, 4)),
        2 => "meet Cy".to_owned(),
        3 => format!("part {person}"),
        4 | 5 => "lean".to_owned(),
        6 => "dare".to_owned(),
        7 => "both".to_owned(),
        _ => "throw 2d6".to_owned(),
    }
}

fn play_random_game(seed: u64, lines: usize) -> Game {
    let home = home_with_many_rules();
    let (mut game, mut chance) = (Game::of_program(&home, "mini"), Stream::new(seed));
    for number in 0..lines {
        if number == lines / 2 {
            let file = "scripts/mini/commands/lean.luau";
            home.edit(file, "return tostring(mood)", "return `{mood} now`");
            let reply = game.line("reload");
            assert!(reply.refusal.is_none(), "{reply:?}");
        }
        let (by, line) = random_line(&mut chance, game.solo.timeline().history());
        game.solo.submit(by, &line);
    }
    game
}

#[test]
fn games_with_a_corrected_past_do_the_same_again() {
    on_game_thread(|| {
        let (mut corrections, mut others, mut drawn) = (0, 0, 0);
        for seed in 0..8 {
            let mut game = play_random_game(seed, 90);
            let kept = SavedGame::of(&mut game.solo);
            let (report, dice) = kept.run_verifier();
            assert_eq!(
                findings_as_text(&report.findings),
                Vec::<String>::new(),
                "{seed}"
            );
            assert_eq!(
                findings_as_text(&dice.findings),
                Vec::<String>::new(),
                "{seed}"
            );
            assert_eq!(report.different, 0, "{seed}");
            let history = game.solo.timeline().history();
            for one in history.operations() {
                match &one.what {
                    What::Revert {
                        changed, refused, ..
                    }
                    | What::Replace {
                        changed, refused, ..
                    } => {
                        corrections += 1;
                        others += changed.len() + refused.len();
                        drawn += one.inputs.len();
                    }
                    What::Ruling | What::Undo { .. } => {}
                    What::Redo { .. }
                    | What::Refused { .. }
                    | What::Posted { .. }
                    | What::Withdrawn { .. } => {}
                }
            }
            // Dice of an invalid ruling were seen; typed dice were known to their sender.
            let seen = history.seen_dice_addresses();
            let listed = dice.seen.iter().map(|one| one.die.address.as_str());
            assert!(listed.into_iter().all(|one| seen.contains(one)), "{seed}");
        }
        assert!(
            corrections > 30 && others > 15 && drawn > 15,
            "{corrections} corrections of {others} rulings with {drawn} dice show little"
        );
    });
}

/// Returns a game in which a correction makes a ruling draw new dice.
fn game_with_redrawn_dice() -> Game {
    let mut game = Game::of_program(&home_with_many_rules(), "mini");
    for line in [
        "set Ann mood 1",
        "lean",
        "replace 2 yes with set Ann mood 3",
    ] {
        game.text(line);
    }
    game
}

#[test]
fn a_correction_draws_again_what_it_drew_also_where_the_seed_is_not_known() {
    let mut game = game_with_redrawn_dice();
    assert_eq!(
        game.solo
            .timeline()
            .history()
            .operation(4)
            .unwrap()
            .inputs
            .len(),
        2
    );
    let kept = SavedGame::of(&mut game.solo);
    assert_eq!(kept.assert_sound(), 4);
    fs::remove_file(kept.folder.join(SECRET)).unwrap();
    let (report, dice) = kept.run_verifier();
    assert_eq!(findings_as_text(&report.findings), Vec::<String>::new());
    assert_eq!((report.same, dice.right), (4, 0));
}

#[test]
fn a_die_that_a_correction_drew_keeps_its_salts() {
    let mut game = game_with_redrawn_dice();
    let drawn = game
        .solo
        .timeline()
        .history()
        .operation(4)
        .unwrap()
        .inputs
        .clone();
    let reply = game.solo.submit("Ann", "salt one");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    game.text("next");
    // A later correction runs everything again, and a still later one draws with the salt.
    game.text("replace 2 yes with set Ann mood 4");
    let last = game.last_operation();
    assert_eq!(last.inputs.len(), 1, "what was drawn before is not new");
    let address = last.inputs[0].get("address").as_str().unwrap();
    assert!(
        drawn
            .iter()
            .all(|one| one.get("address").as_str() != Some(address)),
        "{address}"
    );
    let salted = sha256_hex(&format!("{} one", sha256_hex("the host's own tests")));
    let expected = expected_face(&salted, address, 6).into();
    assert_eq!(last.inputs[0].get("face").as_i64(), Some(expected));
    SavedGame::of(&mut game.solo).assert_sound();
}

#[test]
fn what_is_altered_in_a_correction_is_named() {
    let kept = SavedGame::of(&mut game_with_redrawn_dice().solo);
    let whole = kept.journal_lines();
    for (from, to, expected) in [
        ("\"of\":2", "\"of\":3", "differs: "),
        (
            "\"changed\":[3]",
            "\"changed\":[]",
            "the record says that it replaces 2 with `set Ann mood 3`, changed then: none",
        ),
        (
            "\"with\":\"set Ann mood 3\"",
            "\"with\":\"set Ann mood 2\"",
            "differs: ",
        ),
        ("3/lean/-/2", "3/lean/-/9", "input 1 is recorded as"),
        ("\"mood\",1,3]", "\"mood\",1,4]", "the field mood of ann"),
    ] {
        kept.write_chained_lines(&whole);
        kept.alter_operation(4, from, to);
        let told = findings_as_text(&kept.run_verifier().0.findings);
        assert!(
            told[0].contains("log line 4 `replace 2 yes") && told[0].contains(expected),
            "{from}: {told:#?}"
        );
    }
    // A face that a correction drew does not change.
    kept.write_chained_lines(&whole);
    let face = &whole[4][whole[4].find("\"face\":").unwrap()..][..8];
    let other = if face.ends_with('1') { 2 } else { 1 };
    kept.alter_operation(4, face, &format!("\"face\":{other}"));
    let told = findings_as_text(&kept.run_verifier().1.findings);
    assert!(
        told[0].starts_with("verify/die: log line 4 `replace 2 yes"),
        "{told:#?}"
    );
}

#[test]
fn a_fork_that_became_a_game_is_verified_and_its_dice_are_told() {
    let mut game = Game::of_program(&home_with_many_rules(), "mini");
    for line in ["throw 2d6", "fork trial", "throw 1d6", "dare", "both"] {
        game.text(line);
    }
    for by in ["Ann", "Bo"] {
        game.solo.submit(by, "answer yes");
    }
    game.text("answer yes");
    game.text("lean");
    game.text("replace 3 yes with throw 2d6");
    let kept = SavedGame::of(&mut game.solo);
    let (report, dice) = kept.run_verifier();
    assert_eq!(findings_as_text(&report.findings), Vec::<String>::new());
    assert_eq!(findings_as_text(&dice.findings), Vec::<String>::new());
    assert_eq!(report.different, 0);
    let of_trial = |address: &str| address.starts_with("trial:");
    assert!(dice.forked.len() > 4, "{:?}", dice.forked);
    assert!(dice.forked.iter().all(|one| of_trial(&one.die.address)));
}

#[test]
fn what_takes_the_place_of_an_answer_is_an_answer_and_does_the_same_again() {
    let mut game = Game::of_program(&home_with_many_rules(), "mini");
    for line in [
        "both",
        "set Ann mood 2",
        "replace 3 yes with drop",
        "replace 4 yes with set Ann mood 3",
        "for Ann: answer yes",
    ] {
        game.text(line);
    }
    for (line, code) in [
        ("replace 5 yes with answer yes", "revert/no-ruling"),
        ("replace 6 yes with answer nonsense", "answer/wrong-type"),
        ("replace 6 yes with drop", "revert/no-answer"),
        ("replace 6 yes with set Ann mood 4", "revert/no-answer"),
    ] {
        assert_eq!(game.refusal(line).code, code, "{line}");
    }
    for line in [
        "replace 6 yes with answer no",
        "for Bo: answer yes",
        "replace 8 yes with answer no",
        "replace 9 yes with answer yes",
        "revert 10 yes",
        "revert 9 yes",
    ] {
        game.text(line);
    }
    assert_eq!(SavedGame::of(&mut game.solo).assert_sound(), 12);
}

/// Returns a game in which a correction makes a ruling ask two people who were not asked before.
fn game_with_late_questions() -> (Scratch, Game) {
    let home = home_with_many_rules();
    home.command(
        "weigh",
        "if act:get('ann', 'mood') == 3 then return act:done('light') end \
         local asked = {} for _, name in { 'Ann', 'Bo' } do \
         table.insert(asked, { to = name, key = 'sure', who = name, type = 'YesNo', text = 'Sure?' }) end \
         local answers = act:ask_all(asked) act:set('bo', 'mood', if answers[1] then 1 else 2) \
         return `{answers[1]} {answers[2]} {act:roll('1d6', 'weigh')}`",
    );
    let mut game = Game::of_program(&home, "mini");
    for line in ["meet Cy", "set Ann mood 3", "weigh", "throw 2d6"] {
        game.text(line);
    }
    (home, game)
}

#[test]
fn answers_that_come_with_a_correction_are_kept_with_it() {
    let (home, mut game) = game_with_late_questions();
    let before = (
        game.hash(),
        game.solo.timeline().history().operations().len(),
    );
    for (line, code, hint) in [
        (
            "revert 3 answer no, answer perhaps",
            "answer/wrong-type",
            "nothing was changed",
        ),
        (
            "revert 3 answer no, answer no, answer no",
            "revert/no-question",
            "nothing was changed",
        ),
    ] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, code, "{line}: {refusal:?}");
        let hints = refusal.hints.join("; ");
        assert!(hints.contains(hint), "{line}: {hints}");
        assert_eq!(
            before,
            (
                game.hash(),
                game.solo.timeline().history().operations().len()
            )
        );
    }
    for (line, answered) in [
        ("revert 3", "`revert 3 yes answer TEXT, answer TEXT`"),
        (
            "revert 3 answer no",
            "`revert 3 yes answer no, answer TEXT`",
        ),
        (
            "replace 3 with set Ann mood 2",
            "`replace 3 yes answer TEXT, answer TEXT with set Ann mood 2`",
        ),
    ] {
        let preview = game.text(line).replace('\n', " ");
        assert!(preview.contains(answered), "{preview}");
    }
    let preview = game.text("revert 3 answer no, answer yes");
    assert!(
        preview.contains("To do it, type `revert 3 yes answer no, answer yes`"),
        "{preview}"
    );
    assert_eq!(
        before,
        (
            game.hash(),
            game.solo.timeline().history().operations().len()
        )
    );
    game.text("revert 3 yes answer no, answer yes");
    let answers = |game: &Game, seq: u64| -> Vec<Option<bool>> {
        let operation = game.solo.timeline().history().operation(seq).unwrap();
        let given = operation
            .inputs
            .iter()
            .filter(|one| one.get("by").as_str() == Some("gm"));
        given.map(|one| one.get("answer").as_bool()).collect()
    };
    assert_eq!(answers(&game, 6), [Some(false), Some(true)]);
    let corrected = game.hash();
    // Another correction runs it again without a question.
    game.text("revert 2 yes");
    assert_eq!(answers(&game, 7), []);
    let last = game.hash();
    game.text("undo");
    assert_eq!(game.hash(), corrected);
    game.text("redo");
    assert_eq!(game.hash(), last);
    let kept = SavedGame::of(&mut game.solo);
    kept.assert_sound();
    assert_eq!(
        open_read_only(&kept.folder, &home, RulesChoice::Recorded)
            .timeline()
            .state()
            .hash(),
        last
    );
    // An undone line gives no answers.
    game.text("undo");
    game.text("undo");
    assert_eq!(game.hash(), before.0);
    assert_eq!(game.line("revert 3 yes").waits, Some(6));
    game.text("undo");
    game.text("revert 3 yes answer yes, answer yes");
    game.text("revert 2 yes");
    SavedGame::of(&mut game.solo).assert_sound();
}
