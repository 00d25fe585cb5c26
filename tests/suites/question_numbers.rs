//! Tests the numbers of questions: each seat counts its own questions.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::{Document, Viewer, for_viewer, plain};
use host::game;
use host::game::{ReloadResult, Reply, Script, ScriptStep, Seed, Session, Solo, check_laws_fully};
use host::script::{Compiled, Question};
use host::value::Value;

use super::questions::{
    answer_text, home_with_duel, home_with_toll_prompt, open_question_numbers, refuse_answer,
    reply_text, yes_no_question,
};

mod log_lines;

const RULESET_FILE: &str = "scripts/mini/ruleset.luau";

/// Returns the texts of documents that a seat with these groups can read.
fn texts_read_by_seat(documents: &[Document], seat: &str, groups: &[&str]) -> Vec<String> {
    let viewer = Viewer::seat(seat, groups.iter().copied());
    let seen = documents.iter().filter_map(|one| for_viewer(one, &viewer));
    seen.map(|one| plain(&one)).collect()
}

/// Returns a home in which guarded people belong to the group red, and commands that ask this
/// group.
fn home_with_joining_seats() -> Scratch {
    let home = home_with_duel();
    home.edit(
        RULESET_FILE,
        "seats = function(act) return { ann = { \"red\" }, bo = { \"red\", \"blue\" }, cy = {} } end,",
        "seats = function(act) return { ann = if act:get('ann', 'guard') == 1 then { 'red' } else {}, bo = { 'red' } } end,",
    );
    let asks = |to: &str| format!("return `{{act:ask({})}}`", yes_no_question(to, "go"));
    home.command("rally", &asks("group:red"));
    home.command("call", &asks("ann"));
    home.command("rumour", "act:prompt({ to = 'group:red', key = 'tell', type = 'YesNo', text = 'Tell?', run = 'commands/call' })");
    home
}

/// Checks that every operation replays identically, and that a new session has the same numbers.
fn assert_replay_and_numbers_same(game: &mut Game, seats: &[&str]) {
    game.assert_replays_same();
    let bytes = game.solo.timeline().state().to_bytes();
    let next = game.solo.timeline().history().next_numbers();
    let options = game.solo.session.options().clone();
    let fresh = Solo::from(Session::from_state_bytes(options, &[], (&bytes, next)).unwrap());
    for seat in seats {
        assert_eq!(
            numbered_questions_of_seat(&fresh, seat),
            numbered_questions_of_seat(&game.solo, seat)
        );
    }
}

fn numbered_questions_of_seat(solo: &Solo, seat: &str) -> Vec<(String, Question)> {
    let open = game::open_questions_for(solo.timeline(), seat).into_iter();
    open.map(|one| (one.number, one.question)).collect()
}

#[test]
fn questions_and_prompts_of_a_seat_share_numbers_that_are_given_once() {
    on_game_thread(|| {
        let home = home_with_toll_prompt();
        let mut game = Game::of(&home);
        game.line("duel");
        game.text("toll");
        game.text("toll");
        assert_eq!(open_question_numbers(&game, "bo"), ["1", "2", "3"]);
        assert_eq!(open_question_numbers(&game, "gm"), ["2.1", "3.1", "4.2"]);
        assert_eq!(answer_text(&mut game, "bo", "2 refuse"), "refuse");
        assert_eq!(
            refuse_answer(&mut game, "bo", "2 pay").code,
            "answer/no-question"
        );
        assert_eq!(
            refuse_answer(&mut game, "bo", "refuse").hints,
            ["choose one by number or key: 1 shield, 3 toll"]
        );
        assert!(answer_text(&mut game, "bo", "1 no").contains("How?"));
        assert_eq!(answer_text(&mut game, "bo", "3 refuse"), "refuse");
        game.text("toll");
        assert_eq!(
            open_question_numbers(&game, "bo"),
            ["4"],
            "not one that is answered"
        );
        game.undo();
        assert_eq!(open_question_numbers(&game, "bo"), [""; 0]);
        game.text("toll");
        assert_eq!(
            open_question_numbers(&game, "bo"),
            ["4"],
            "an undo gives it back"
        );
        assert_eq!(open_question_numbers(&game, "ann"), ["1"]);
        assert_replay_and_numbers_same(&mut game, &["ann", "bo", "cy"]);
    });
}

/// The game master sees one number for a prompt, beside it, in `prompts` and in `status`; every
/// command accepts it.
#[test]
fn the_game_master_types_the_number_that_is_shown_or_one_that_can_mean_only_one_question() {
    let home = home_with_toll_prompt();
    let mut game = Game::of_program(&home, "mini");
    let read_by_gm = |reply: &Reply| -> String {
        let told = reply.documents.iter().chain(&reply.aside);
        told.map(plain).collect::<Vec<_>>().join("\n")
    };
    let asked = game.line("toll");
    let line = "question 2.1: Pay? (pay or refuse, else refuse, until 30s) Type: answer 2.1 pay";
    assert!(read_by_gm(&asked).contains(line), "{}", read_by_gm(&asked));
    game.line("duel");
    for (line, shown) in [
        ("questions", ["3.1  bo   shield", "2.1  bo   toll"]),
        ("status", ["answer 3.1 (", "answer 2.1 ("]),
    ] {
        let text = game.text(line);
        for number in shown {
            assert!(text.contains(number), "{line}: {text}");
        }
    }
    for (number, is_known) in [
        ("2.1", true),
        ("2", true),
        ("1", true),
        ("toll", true),
        ("5", false),
        ("2.2", false),
        ("1.1", false),
    ] {
        let mut game = Game::of_program(&home, "mini");
        game.line("toll");
        let reply = game.line(&format!("answer {number} pay"));
        assert_eq!(
            reply.refusal.is_none(),
            is_known,
            "{number}: {:?}",
            reply.refusal
        );
    }
    for line in ["drop 2.1", "drop 3.1"] {
        let dropped = game.text(line);
        assert!(dropped.starts_with("dropped: "), "{line}: {dropped}");
    }
    assert_eq!(game.text("questions"), "there are no open questions");
}

#[test]
fn a_number_that_several_questions_have_means_none_of_them() {
    let mut game = Game::of_program(&home_with_toll_prompt(), "mini");
    game.line("duel");
    game.text("toll");
    // The question to Bo about a shield was number 1, and the prompt is the first.
    let refusal = game.refusal("answer 1 no");
    assert_eq!(refusal.code, "answer/which");
    assert_eq!(
        refusal.hints,
        ["choose one by number or key: 2.1 shield, 3.1 toll"]
    );
    assert_eq!(
        game.text("answer 3 refuse"),
        "refuse",
        "the ruling has asked nothing else"
    );
}

#[test]
fn everybody_reads_a_question_to_a_group_with_a_number_of_their_own() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command(
            "rally",
            &format!(
                "return `{{act:ask({})}}`",
                yes_no_question("group:red", "go")
            ),
        );
        let mut game = Game::of(&home);
        game.line("duel");
        let asked = game.line("rally");
        assert_eq!(
            reply_text(&asked),
            "question [ann: 1] [bo: 2] [gm: 3.1]: go? (yes or no)"
        );
        let own = |seat: &str, number: &str| {
            let seen = texts_read_by_seat(&asked.documents, seat, &["red"]);
            assert_eq!(
                seen,
                [format!("question [{seat}: {number}]: go? (yes or no)")]
            );
            let viewer = Viewer::seat(seat, ["red"]);
            let data = for_viewer(&asked.documents[0], &viewer).unwrap().data;
            let data = data.unwrap();
            let key = format!("@{seat}");
            assert_eq!(data.get(&key).get("question"), &Value::from(number));
            let others = data.as_map().unwrap().keys();
            assert_eq!(others.filter(|one| one.starts_with('@')).count(), 1);
        };
        own("ann", "1");
        own("bo", "2");
        assert_eq!(answer_text(&mut game, "ann", "1 yes"), "true");
        assert_eq!(open_question_numbers(&game, "bo"), ["1"]);
        assert_replay_and_numbers_same(&mut game, &["ann", "bo", "cy"]);
    });
}

#[test]
fn whoever_comes_into_a_group_is_numbered_with_the_ruling_that_lets_them_in() {
    on_game_thread(|| {
        let home = home_with_joining_seats();
        let mut game = Game::of(&home);
        game.line("call");
        game.line("rally");
        game.line("rally");
        game.line("rumour");
        assert_eq!(open_question_numbers(&game, "bo"), ["1", "2", "3"]);
        assert_eq!(open_question_numbers(&game, "ann"), ["1"]);
        game.line("set ann guard 1");
        assert_eq!(open_question_numbers(&game, "ann"), ["1", "2", "3", "4"]);
        let groups = game::open_questions_for(game.solo.timeline(), "ann");
        assert_eq!(groups[3].question.key, "tell");
        assert_replay_and_numbers_same(&mut game, &["ann", "bo"]);
        assert_eq!(answer_text(&mut game, "bo", "1 yes"), "true");
        assert_eq!(
            open_question_numbers(&game, "ann"),
            ["1", "3", "4"],
            "the others stay"
        );
        assert_eq!(answer_text(&mut game, "ann", "3 yes"), "true");
        game.line("call");
        assert_eq!(open_question_numbers(&game, "ann"), ["1", "4", "5"]);
        assert_replay_and_numbers_same(&mut game, &["ann", "bo"]);
        for _ in 0..4 {
            game.undo();
        }
        assert_eq!(
            open_question_numbers(&game, "ann"),
            ["1"],
            "and undo takes them away"
        );
    });
}

#[test]
fn whoever_is_in_a_group_without_a_ruling_answers_by_key_until_there_is_one() {
    on_game_thread(|| {
        let home = home_with_joining_seats();
        let mut game = Game::of(&home);
        game.line("rally");
        game.line("rumour");
        home.edit(
            RULESET_FILE,
            "== 1 then { 'red' } else {}",
            "== 0 then { 'red' } else {}",
        );
        let reloaded = game.solo.session.reload(Compiled::default());
        assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
        assert_eq!(open_question_numbers(&game, "ann"), ["", ""]);
        assert_eq!(
            refuse_answer(&mut game, "ann", "yes").hints,
            ["choose one by number or key: go, tell"]
        );
        game.text("throw 1d6");
        assert_eq!(open_question_numbers(&game, "ann"), ["1", "2"]);
        assert_eq!(answer_text(&mut game, "ann", "go yes"), "true");
    });
}

#[test]
fn whoever_gave_a_command_is_not_told_how_often_others_are_asked() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command(
            "wonder",
            &format!(
                "for _ = 1, 3 do act:ask({}) end\nact:ask({})\nact:ask({})\nreturn 'done'",
                yes_no_question("bo", "bo"),
                yes_no_question("ann", "ann"),
                yes_no_question("bo", "again"),
            ),
        );
        let mut game = Game::of(&home);
        let told = |reply: &[Document]| texts_read_by_seat(reply, "ann", &["red"]);
        let waits = ["this is waiting for somebody else's answer"];
        assert_eq!(told(&game.solo.submit("ann", "wonder").documents), waits);
        let mut next = |by: &str| {
            told(
                &game
                    .solo
                    .run_as_line((by, "answer yes"), |timeline, ruling| {
                        game::take_typed_answer(timeline, ruling, "yes")
                    })
                    .documents,
            )
        };
        assert_eq!(next("bo"), [""; 0]);
        assert_eq!(next("bo"), [""; 0]);
        assert_eq!(next("bo"), ["question 1: ann? (yes or no)"]);
        assert_eq!(next("ann"), waits, "it waits for others again");
        assert_eq!(next("bo"), ["done"]);
    });
}

#[test]
fn a_ruling_begun_anew_says_its_questions_anew_and_what_is_still_open_keeps_its_number() {
    on_game_thread(|| {
        let home = home_with_duel();
        let both = [yes_no_question("ann", "one"), yes_no_question("bo", "two")].join(", ");
        home.command("both", &format!("return `{{#act:ask_all({{ {both} }})}}`"));
        let mut game = Game::of(&home);
        game.line("both");
        answer_text(&mut game, "ann", "yes");
        let anew = game
            .solo
            .run_as_line(("gm", "restart 2"), |timeline, ruling| {
                game::restart_ruling(timeline, 2, ruling)
            });
        let said = "question 2 [gm: 2.1]: one? (yes or no)\nquestion 1 [gm: 2.2]: two? (yes or no)";
        assert_eq!(reply_text(&anew), said);
        assert_eq!(open_question_numbers(&game, "ann"), ["2"]);
        assert_eq!(open_question_numbers(&game, "bo"), ["1"]);
        game.undo();
        assert_eq!(
            open_question_numbers(&game, "ann"),
            [""; 0],
            "answered again"
        );
    });
}

#[test]
fn every_law_holds_where_numbers_are_given() {
    on_game_thread(|| {
        let home = home_with_joining_seats();
        let both = [
            yes_no_question("group:red", "one"),
            yes_no_question("ann", "two"),
        ]
        .join(", ");
        home.command("both", &format!("return `{{#act:ask_all({{ {both} }})}}`"));
        let mut game = Game::of_program(&home, "mini");
        let said = [
            ("gm", "rally"),
            ("gm", "rumour"),
            ("gm", "both"),
            ("bo", "always go yes"),
            ("gm", "set ann guard 1"),
            ("ann", "answer 2 yes"),
            ("gm", "rally"),
            ("ann", "answer 1 yes"),
            ("bo", "answer 3 no"),
            ("gm", "call"),
            ("gm", "undo"),
            ("gm", "drop 1"),
            ("gm", "call"),
            ("ann", "answer 6 yes"),
            ("gm", "both"),
        ];
        let script = Script {
            seed: Seed::from_text("numbers"),
            settings: None,
            said: said.map(|(by, line)| ScriptStep::line(by, line)).into(),
        };
        let held = check_laws_fully(&mut game.solo, &script);
        assert!(held.broken.is_empty(), "{:?}", held.broken);
        assert!(held.resumed > 8, "{}", held.resumed);
        assert!(
            open_question_numbers(&game, "ann").len() > 1,
            "{:?}",
            open_question_numbers(&game, "ann")
        );
    });
}

#[test]
fn what_an_order_answers_is_counted_like_what_waits() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command(
            "hold",
            &format!("return `{{act:ask({})}}`", yes_no_question("bo", "hold")),
        );
        let mut waited = Game::of(&home);
        waited
            .solo
            .run_as_line(("bo", "always hold yes"), |timeline, ruling| {
                game::set_standing_answer(timeline, ruling, "hold", "yes")
            });
        let mut at_once = Game::of(&home);
        at_once
            .solo
            .run_as_line(("bo", "always hold yes"), |timeline, ruling| {
                game::set_standing_answer(timeline, ruling, "hold", "yes")
            });
        assert_eq!(at_once.text("hold"), "true");
        assert_eq!(
            at_once.last_operation().inputs[0].get("by").as_str(),
            Some("order")
        );
        waited
            .solo
            .run_as_line(("bo", "always hold off"), |timeline, ruling| {
                game::set_standing_answer(timeline, ruling, "hold", "off")
            });
        waited.line("hold");
        answer_text(&mut waited, "bo", "yes");
        for game in [&mut waited, &mut at_once] {
            game.line("duel");
            assert_eq!(open_question_numbers(game, "bo"), ["2"]);
            assert_replay_and_numbers_same(game, &["bo"]);
        }
    });
}
