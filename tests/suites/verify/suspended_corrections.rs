//! Verifies games in which corrections wait for answers, are dropped, restarted and undone.

use arbiter_tests::{open_read_only, random_below};
use host::game;
use host::game::{RulesChoice, Stream, redo_all, undo_all, waiting_rulings};

use super::*;

/// Returns rules that ask a question only if Ann's mood is low, between two dice.
fn home_asking_by_mood() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "heed",
        "if act:get('ann', 'mood') > 4 then return act:done('calm') end \
         local first = act:roll('1d1000', 'heed') \
         local yes = act:ask({ to = 'bo', key = 'sure', type = 'YesNo', text = 'Sure?' }) \
         if act:get('ann', 'mood') < 2 then act:ask({ to = 'ann', key = 'more', type = 'YesNo', text = 'More?' }) end \
         act:set('bo', 'mood', if yes then first else 1) return `{act:roll('1d1000', 'behind')}`",
    );
    home
}

/// Returns a random line with its sender: mostly corrections, and answers to their questions.
fn random_correction_line(game: &mut Game, chance: &mut Stream) -> (&'static str, String) {
    let mood = [1, 3, 3, 3, 7][random_below(chance, 5)];
    let all = game.live_ruling_numbers();
    let of = all
        .get(random_below(chance, all.len().max(1)))
        .copied()
        .unwrap_or(1);
    let is_calm = game.text("= act:get('ann', 'mood')") == "7";
    let corrections = waiting_rulings(game.solo.timeline().state()).into_iter();
    let mut asked = corrections.filter(|one| one.rule.starts_with("correction#"));
    let asks = asked.next_back().map(|one| one.ruling_number);
    let text = match random_below(chance, 20) {
        // A waiting correction is answered soon, so that some continue.
        14.. => {
            let open = game::open_questions(game.solo.timeline()).into_iter();
            let mut open = open.filter(|one| asks.is_none_or(|slot| one.is_of_ruling(slot)));
            let Some(one) = open.next_back() else {
                return ("gm", "throw 2d6".to_owned());
            };
            let text = ["yes", "no", "yes", "perhaps"][random_below(chance, 4)];
            format!("answer {} {text}", one.number)
        }
        // Few questions are asked in play, so that corrections ask them.
        0..=3 if is_calm => "heed".to_owned(),
        0..=3 => "set Ann mood 7".to_owned(),
        4 => format!("set Ann mood {mood}"),
        5 => "throw 1d6".to_owned(),
        6..=8 => format!("revert {of} yes"),
        9 | 10 => format!("replace {of} yes with set Ann mood {mood}"),
        11 => ["undo", "redo"][random_below(chance, 2)].to_owned(),
        12 => {
            let open = game::open_questions(game.solo.timeline()).into_iter();
            let mut open = open.filter(|one| asks.is_some_and(|slot| one.is_of_ruling(slot)));
            match open.next() {
                Some(one) => format!(
                    "{} {}",
                    ["drop", "restart"][random_below(chance, 2)],
                    one.number
                ),
                None => "drop".to_owned(),
            }
        }
        _ => {
            return [("Bo", "salt grain".to_owned()), ("gm", "next".to_owned())]
                [random_below(chance, 2)]
            .clone();
        }
    };
    ("gm", text)
}

/// Returns whether an operation made a correction wait, or kept one waiting.
fn is_suspended_correction(line: &str) -> bool {
    line.contains("\"rule\":\"correction#")
}

#[test]
fn games_whose_corrections_wait_do_the_same_again() {
    on_game_thread(|| {
        let (mut waited, mut answered, mut refused) = (0, 0, 0);
        for seed in 0..10 {
            let home = home_asking_by_mood();
            let (mut game, mut chance) = (Game::of_program(&home, "mini"), Stream::new(seed));
            for _ in 0..90 {
                let (by, line) = random_correction_line(&mut game, &mut chance);
                game.solo.submit(by, &line);
                game.hash();
            }
            let kept = SavedGame::of(&mut game.solo);
            kept.assert_sound();
            let opened = open_read_only(&kept.folder, &home, RulesChoice::Recorded);
            let (one, other) = (game.solo.timeline().history(), opened.timeline().history());
            assert_eq!(one.valid_ruling_seqs(), other.valid_ruling_seqs(), "{seed}");
            assert_eq!(
                one.ineffective_rulings(),
                other.ineffective_rulings(),
                "{seed}"
            );
            assert_eq!(opened.timeline().state().hash(), game.hash(), "{seed}");
            let lines = kept
                .journal_lines()
                .into_iter()
                .filter(|line| is_suspended_correction(line));
            let (kept_waiting, not): (Vec<_>, Vec<_>) =
                lines.partition(|line| line.contains("\"kind\":\"ruling\""));
            (waited, refused) = (waited + kept_waiting.len(), refused + not.len());
            let corrections = one
                .operations()
                .iter()
                .filter(|one| one.what.corrected_number().is_some());
            answered += corrections.filter(|one| one.slot.is_some()).count();
            let (first, last) = (one.operations()[0].state, game.hash());
            let undone = undo_all(&mut game.solo, first).unwrap();
            assert!(redo_all(&mut game.solo, undone, last).is_none(), "{seed}");
        }
        assert!(
            waited > 30 && answered > 6 && refused > 6,
            "{waited} that waited, {answered} that went on and {refused} that did not show little"
        );
    });
}

/// Saves a game with a suspended correction: line 5 asks, line 6 is not an answer, line 7 is one.
fn game_with_answered_correction() -> SavedGame {
    SavedGame::save_played_game(
        &home_asking_by_mood(),
        &[
            "set Ann mood 7",
            "heed",
            "throw 2d6",
            "revert 2 yes",
            "Bo: answer perhaps",
            "Bo: answer yes",
        ],
    )
}

#[test]
fn what_is_altered_in_a_correction_that_waited_is_named() {
    let kept = game_with_answered_correction();
    assert_eq!(kept.assert_sound(), 6);
    let whole = kept.journal_lines();
    for (at, from, to, expected) in [
        (5, "3/heed/-/1", "3/heed/-/2", "input 1 is recorded as"),
        (
            5,
            "\"command\":\"revert 2 yes\"",
            "\"command\":\"revert 3 yes\"",
            "differs: ",
        ),
        (5, "correction#5", "correction#6", "differs: "),
        (7, "\"slot\":5,", "", "differs: "),
        (7, "\"of\":2", "\"of\":3", "differs: "),
        (
            7,
            "\"by\":\"Bo\",\"sides",
            "\"by\":\"Ann\",\"sides",
            "differs: ",
        ),
        (7, "\"changed\":[3]", "\"changed\":[]", "differs: "),
    ] {
        kept.write_chained_lines(&whole);
        if !whole[at].contains(from) {
            continue;
        }
        kept.alter_operation(at, from, to);
        let told = findings_as_text(&kept.run_verifier().0.findings);
        let name = format!("log line {at} `");
        assert!(
            told.iter()
                .any(|one| one.contains(&name) && one.contains(expected)),
            "{from}: {told:#?}"
        );
    }
    // Only the line shows the sender of the answer.
    kept.write_chained_lines(&whole);
    let answer = whole[7].rfind("\"by\":\"Bo\"").unwrap();
    let mut lines = whole.clone();
    lines[7].replace_range(answer..answer + 9, "\"by\":\"Ann\"");
    kept.write_chained_lines(&lines);
    let found = findings_as_text(&kept.run_verifier().0.findings);
    assert!(
        found[0].contains("log line 7 `answer yes` differs: "),
        "{found:#?}"
    );
    // A face drawn before the question does not change.
    kept.write_chained_lines(&whole);
    let face = &whole[5][whole[5].find("\"face\":").unwrap()..][..8];
    let other = if face.ends_with('1') { 2 } else { 1 };
    kept.alter_operation(5, face, &format!("\"face\":{other}"));
    let found = findings_as_text(&kept.run_verifier().1.findings);
    assert!(
        found[0].starts_with("verify/die: log line 5 `revert 2 yes"),
        "{found:#?}"
    );
}

/// A correction repeats the question of an earlier one and gets another answer: the last answer is
/// stored with it.
#[test]
fn another_answer_to_what_was_asked_before_is_kept() {
    on_game_thread(|| {
        let lines = "throw 2d6\n\
             revert 2 yes\n\
             set Ann mood 7\n\
             throw 2d6\n\
             throw 2d6\n\
             throw 2d6\n\
             heed\n\
             throw 1d6\n\
             throw 2d6\n\
             heed\n\
             heed\n\
             throw 2d6\n\
             heed\n\
             throw 2d6\n\
             heed\n\
             heed\n\
             heed\n\
             revert 6 yes\n\
             throw 2d6\n\
             replace 9 yes with set Ann mood 1\n\
             replace 14 yes with set Ann mood 3\n\
             set Ann mood 3\n\
             revert 17 yes\n\
             throw 1d6\n\
             set Ann mood 7\n\
             set Ann mood 1\n\
             throw 1d6\n\
             set Ann mood 7\n\
             replace 17 yes with set Ann mood 3\n\
             heed\n\
             heed\n\
             heed\n\
             answer 30.1 yes\n\
             undo\n\
             revert 11 yes\n\
             answer 30.1 yes\n\
             heed\n\
             replace 9 yes with set Ann mood 3\n\
             revert 14 yes\n\
             answer 39.1 yes\n\
             answer 39.2 yes\n\
             answer 22.1 yes\n\
             heed\n\
             answer 21.1 yes\n\
             replace 8 yes with set Ann mood 3\n\
             answer 21.1 no\n\
             answer 21.1 no\n\
             replace 37 yes with set Ann mood 3\n\
             heed\n\
             revert 14 yes\n\
             revert 41 yes\n\
             heed\n\
             answer 52.1 no\n\
             set Ann mood 1\n\
             answer 52.2 yes\n\
             answer 39.1 yes";
        let mut game = Game::of_program(&home_asking_by_mood(), "mini");
        for line in lines.lines() {
            game.solo.submit("gm", line.trim());
        }
        let last = game.last_operation();
        assert_eq!(&*last.command, "answer 39.1 yes");
        let kept = last
            .inputs
            .iter()
            .find(|one| one.get("address").as_str() == Some("11/sure/-/1"));
        assert_eq!(
            kept.map(|one| one.get("answer")),
            Some(&host::value::Value::Bool(true))
        );
        SavedGame::of(&mut game.solo).assert_sound();
    });
}
