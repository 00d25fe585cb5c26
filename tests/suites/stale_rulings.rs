//! Tests the messages about rulings that cannot continue, which name the person to act, and the
//! refusals of wrong log numbers.

use arbiter_tests::{Game, Scratch};
use host::doc::plain;
use host::game::Reply;

/// Returns a home that asks Ann and Bo at once, or only Bo once Ann is in a bad mood.
fn home_asking_ann_and_bo() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "both",
        "local names = if act:get('ann', 'mood') == 1 then { 'Bo' } else { 'Ann', 'Bo' } \
         local asked = {} for _, name in names do \
         table.insert(asked, { to = name, key = 'sure', who = name, type = 'YesNo', text = 'Sure?' }) end \
         act:ask_all(asked) return 'done'",
    );
    home
}

/// Returns a game in which Bo's answer came too late; its ruling has slot 3.
fn game_with_stale_ruling(home: &Scratch) -> Game {
    let mut game = Game::of_program(home, "mini");
    game.text("set Ann mood 3");
    assert_eq!(game.line("both").waits, Some(3));
    text_in_one_line(&mut game, "Ann", "answer yes");
    game.text("set Ann mood 1");
    let refused = game.solo.submit("Bo", "answer yes").refusal;
    assert_eq!(refused.unwrap().code, "ask/stale");
    game
}

/// Returns the text for a reader, with single spaces.
fn text_in_one_line(game: &mut Game, by: &str, line: &str) -> String {
    let Reply {
        refusal, documents, ..
    } = game.solo.submit(by, line);
    assert_eq!(refusal, None, "{by}: {line}");
    let texts: Vec<String> = documents.iter().map(plain).collect();
    texts
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the text for the game master, with each table cell joined: a cell continues in the next
/// line, beside another cell.
fn text_with_joined_cells(game: &mut Game, line: &str) -> String {
    let documents = game.solo.submit("gm", line).documents;
    format!("{documents:?}")
}

const GM_DECIDES_NOTICE: &str =
    "your answer no longer fits the changed game; the game master must decide how to continue";

#[test]
fn a_ruling_that_could_not_go_on_waits_for_the_game_master() {
    let mut game = game_with_stale_ruling(&home_asking_ann_and_bo());
    // A cell continues in the next line, beside another cell.
    let ways = "`restart 3` runs it again from its start, `drop 3` cancels it";
    let answer = "ruling 3 `both` could not continue with `answer yes` of Bo (6)";
    let status = text_with_joined_cells(&mut game, "status");
    for part in [answer, ways] {
        assert!(status.contains(part), "{part}: {status}");
    }
    let status = text_in_one_line(&mut game, "gm", "status");
    assert!(!status.contains("Bo Sure?"), "{status}");
    let prompts = text_with_joined_cells(&mut game, "questions");
    let all = format!("ruling 3 could not continue: {ways}");
    assert!(prompts.contains(&all), "{prompts}");
    for line in ["status", "questions"] {
        let told = text_in_one_line(&mut game, "Bo", line);
        assert!(told.contains(GM_DECIDES_NOTICE), "{told}");
        assert!(
            !told.contains("both") && !told.contains("restart"),
            "{told}"
        );
        let told = text_in_one_line(&mut game, "Ann", line);
        assert!(!told.contains("game master"), "{told}");
    }
}

#[test]
fn what_was_put_right_waits_for_answers_again() {
    for mend in ["undo", "set Ann mood 3", "restart 3", "drop 3"] {
        let mut game = game_with_stale_ruling(&home_asking_ann_and_bo());
        game.text(mend);
        for (by, line) in [
            ("gm", "status"),
            ("gm", "questions"),
            ("Bo", "status"),
            ("Bo", "questions"),
        ] {
            let told = text_in_one_line(&mut game, by, line);
            assert!(!told.contains("could not continue"), "{mend}: {told}");
            assert_eq!(told.contains("Sure?"), mend != "drop 3", "{mend}: {told}");
        }
        if mend != "drop 3" {
            text_in_one_line(&mut game, "Bo", "answer yes");
        }
    }
}

#[test]
fn under_other_rules_it_may_be_finished_too() {
    let home = home_asking_ann_and_bo();
    let mut game = game_with_stale_ruling(&home);
    home.edit(
        "scripts/mini/commands/throw.luau",
        "rolls dice for a person",
        "rolls dice",
    );
    game.text("reload");
    let status = text_with_joined_cells(&mut game, "status");
    let ways = "`restart 3` runs it again from its start, `finish 3` continues under the rules that it started with, `drop 3` cancels it";
    assert!(status.contains(ways), "{status}");
}

#[test]
fn numbers_that_no_line_can_have_are_refused_as_they_were_typed() {
    let mut game = Game::of_program(&Scratch::mini(), "mini");
    for word in ["settle", "rule", "dispute"] {
        for number in ["18446744073709551616", "999999999999999999999"] {
            let refusal = game.refusal(&format!("{word} {number} it counts"));
            assert_eq!(refusal.code, "dispute/no-line");
            assert_eq!(refusal.message, format!("the log has no line {number}"));
        }
    }
}
