//! Tests questions: rulings that wait, continue or become stale, and prompts that let the game
//! continue.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::{Diagnostic, render};
use host::doc::{Audience, plain};
use host::game;
use host::game::{
    AnyChoice, Defaults, ReloadResult, ReplayComparison, Reply, Ruling, Seed, SessionOptions,
    SharedPolicy, Solo, Timeline,
};
use host::script::{Compiled, EngineOptions};
use host::store::Operation;
use host::value::Value;

const RULESET_FILE: &str = "scripts/mini/ruleset.luau";

/// Returns a home with three seats, and a command that asks twice between dice.
pub(super) fn home_with_duel() -> Scratch {
    let home = Scratch::mini();
    let seats = "seats = function(act) return { ann = { \"red\" }, bo = { \"red\", \"blue\" }, cy = {} } end,";
    home.edit(
        RULESET_FILE,
        "setup = function",
        &format!("{seats}\n  setup = function"),
    );
    home.command("duel", DUEL_BODY);
    home
}

const DUEL_BODY: &str = r#"
  act:add("ann", "mood", 1)
  act:say("public", "the duel begins")
  local first = act:roll("1d20", "hit", "ann")
  local shield = act:ask({ to = "bo", key = "shield", who = "bo", type = "YesNo", default = false, text = "Raise it?" })
  if shield then act:attach("bo", "shielded") end
  local how = act:ask({ to = "ann", key = "how", options = { "fast", "strong", "step aside" }, text = "How?" })
  return `{first} {shield} {how} {act:roll("1d20", "hit", "ann")} by {act:by()}`"#;

/// Returns a question with only a key and an addressee.
pub(super) fn yes_no_question(to: &str, key: &str) -> String {
    format!("{{ to = \"{to}\", key = \"{key}\", type = \"YesNo\", text = \"{key}?\" }}")
}

pub(super) fn reply_text(reply: &Reply) -> String {
    if let Some(refusal) = &reply.refusal {
        panic!("refused: {}", render(refusal, false));
    }
    let texts: Vec<String> = reply.documents.iter().map(plain).collect();
    texts.join("\n").trim_end().to_owned()
}

fn submit_answer(solo: &mut Solo, by: &str, answer: &str) -> Reply {
    let line = format!("answer {answer}");
    solo.run_as_line((by, &line), |timeline, ruling| {
        game::take_typed_answer(timeline, ruling, answer)
    })
}

pub(super) fn answer_text(game: &mut Game, by: &str, answer: &str) -> String {
    reply_text(&submit_answer(&mut game.solo, by, answer))
}

/// Gives an answer that must be refused without any change.
pub(super) fn refuse_answer(game: &mut Game, by: &str, text: &str) -> Diagnostic {
    let before = (game.hash(), game::open_questions(game.solo.timeline()));
    let refusal = submit_answer(&mut game.solo, by, text).refusal;
    let refusal = refusal.unwrap_or_else(|| panic!("{by}: {text} was taken"));
    let after = (game.hash(), game::open_questions(game.solo.timeline()));
    assert_eq!(after, before, "nothing changes");
    refusal
}

pub(super) fn open_question_numbers(game: &Game, by: &str) -> Vec<String> {
    let open = game::open_questions_for(game.solo.timeline(), by).into_iter();
    open.map(|one| one.number).collect()
}

#[test]
fn a_ruling_waits_and_the_answers_run_it_again() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_duel());
        let (before, mood) = (game.hash(), game.text("mood ann"));
        let reply = game.line("duel");
        assert_eq!(
            reply_text(&reply),
            "question 1 [gm: 2.1]: Raise it? (yes or no, else no)"
        );
        assert_eq!(plain(&reply.provisional[0]), "the duel begins");
        assert_eq!(
            (
                game.last_operation().slot,
                game.last_operation().documents.len()
            ),
            (Some(2), 0)
        );
        assert_eq!(game.text("mood ann"), mood, "nothing of it is kept");
        let asked = answer_text(&mut game, "bo", "yes");
        assert_eq!(
            asked,
            "question 1 [gm: 2.2]: How? (fast or strong or step aside)"
        );
        let said = answer_text(&mut game, "ann", "step");
        assert!(
            said.contains("true step aside") && said.ends_with("by gm"),
            "{said}"
        );
        assert_eq!(
            (
                game.last_operation().slot,
                game.last_operation().inputs.len()
            ),
            (Some(2), 4)
        );
        assert_eq!(
            (&*game.last_operation().by, &*game.last_operation().command),
            ("ann", "answer step")
        );
        assert_eq!(game::open_questions(game.solo.timeline()), []);
        assert_eq!(game.solo.timeline().history().next_ruling_number(), 3);
        let end = game.hash();
        for (open, slot) in [("2.2", 3), ("2.1", 3)] {
            game.undo();
            assert_eq!(open_question_numbers(&game, "gm"), [open], "it waits again");
            assert_eq!(game.solo.timeline().history().next_ruling_number(), slot);
        }
        game.undo();
        assert_eq!(game.hash(), before, "it never began");
        assert_eq!(game.solo.timeline().history().next_ruling_number(), 2);
        for _ in 0..3 {
            game.redo();
        }
        assert_eq!(game.hash(), end);
    });
}

/// Opens a new session at each question and plays the game to its end.
#[test]
fn a_fresh_session_goes_on_as_the_old_one_would() {
    on_game_thread(|| {
        let home = home_with_duel();
        let mut game = Game::of(&home);
        game.line("duel");
        for (by, given) in [("bo", "yes"), ("gm", "strong")] {
            let state = game.solo.timeline().state();
            let bytes = state.to_bytes();
            let next = game.solo.timeline().history().next_numbers();
            let options = SessionOptions {
                home: home.home(),
                ruleset: "mini".to_owned(),
                seed: Seed::from_text("the host's own tests"),
                engine: EngineOptions::default(),
            };
            let mut fresh =
                Solo::from(game::Session::from_state_bytes(options, &[], (&bytes, next)).unwrap());
            assert_eq!(fresh.timeline().state().to_bytes(), bytes);
            submit_answer(&mut fresh, by, given);
            answer_text(&mut game, by, given);
            let (one, other) = (
                game.last_operation(),
                fresh.timeline().history().operations().last().unwrap(),
            );
            assert_eq!(
                operation_without_numbers(&game.solo, one),
                operation_without_numbers(&fresh, other)
            );
        }
    });
}

/// Returns the content of an operation, without the numbers of interned names.
fn operation_without_numbers(solo: &Solo, one: &Operation) -> String {
    let names = solo.timeline().state().names();
    let changes = one.changes.iter();
    let changes = changes.map(|change| {
        (
            change.row_and_field_texts(names),
            change.old.clone(),
            change.new.clone(),
        )
    });
    let changes: Vec<_> = changes.collect();
    format!(
        "{:?}",
        (
            one.slot,
            &one.by,
            &one.inputs,
            &one.documents,
            one.state,
            changes
        )
    )
}

#[test]
fn the_same_answers_give_the_same_whether_it_waited_or_not() {
    on_game_thread(|| {
        let home = home_with_duel();
        let mut waited = Game::of(&home);
        waited.line("duel");
        answer_text(&mut waited, "bo", "no");
        answer_text(&mut waited, "ann", "fast");
        let mut at_once = Game::of(&home);
        at_once
            .solo
            .session
            .responders_mut()
            .answer_with_policy(Some(SharedPolicy::new(Defaults)));
        at_once.line("duel");
        assert_eq!(waited.hash(), at_once.hash());
        assert_eq!(
            waited.last_operation().documents,
            at_once.last_operation().documents
        );
        let addresses = |game: &Game| -> Vec<Value> {
            let inputs = game.last_operation().inputs.iter();
            inputs.map(|input| input.get("address").clone()).collect()
        };
        assert_eq!(addresses(&waited), addresses(&at_once));
        assert_eq!(
            at_once.last_operation().inputs[1].get("by").as_str(),
            Some("policy")
        );
    });
}

#[test]
fn no_script_catches_the_waiting() {
    on_game_thread(|| {
        let home = home_with_duel();
        let question = yes_no_question("ann", "sure");
        home.command("caught", &format!(r#"
  local function inner() return act:ask({question}) end
  local fine, value = pcall(function() return xpcall(inner, function() act:set("ann", "mood", 77) return "handled" end) end)
  act:set("ann", "mood", 88)
  table.sort({{ 2, 1 }}, function(a, b) act:ask({question}) return a < b end)
  return `{{fine}} {{value}}`"#));
        for raw in [true, false] {
            let options = EngineOptions {
                raw,
                ..EngineOptions::default()
            };
            let mut game = Game::mini_with_engine(&home, options);
            let before = game.text("mood ann");
            let reply = game.line("caught");
            assert_eq!(
                reply_text(&reply),
                "question 1 [gm: 2.1]: sure? (yes or no)"
            );
            assert_eq!(game.text("mood ann"), before);
            assert!(answer_text(&mut game, "ann", "yes").starts_with("question 2 [gm: 2.2]"));
            let mut said = String::new();
            while said.is_empty() || said.starts_with("question") {
                said = answer_text(&mut game, "ann", "yes");
            }
            assert_eq!(said, "true true");
            assert_eq!(game.text("mood ann"), "Ann feels 88.");
        }
    });
}

#[test]
fn a_ruling_may_ask_a_hundred_questions() {
    on_game_thread(|| {
        let home = home_with_duel();
        for (name, many) in [("hundred", 100), ("more", 101)] {
            let question = yes_no_question("gm", "go");
            home.command(name, &format!(
                "local yes = 0\nfor _ = 1, {many} do if act:ask({question}) then yes += 1 end end\nreturn `{{yes}}`"
            ));
            home.command(&format!("{name}-at-once"), &format!(
                "local all = {{}}\nfor _ = 1, {many} do table.insert(all, {question}) end\nreturn `{{#act:ask_all(all)}}`"
            ));
        }
        let mut game = Game::of(&home);
        game.line("hundred");
        for _ in 0..99 {
            assert!(answer_text(&mut game, "gm", "yes").starts_with("question 2."));
        }
        assert_eq!(answer_text(&mut game, "gm", "yes"), "100");
        game.solo
            .session
            .responders_mut()
            .answer_with_policy(Some(SharedPolicy::new(AnyChoice::new(1))));
        assert_eq!(game.text("hundred at once"), "100");
        for line in ["more", "more at once"] {
            assert_eq!(game.refusal(line).code, "limit/questions");
        }
        game.solo.session.responders_mut().answer_with_policy(None);
        assert!(game.text("hundred at once").starts_with("question"));
        assert_eq!(game::open_questions(game.solo.timeline()).len(), 100);
    });
}

#[test]
fn several_are_asked_at_once_and_answer_in_any_order() {
    on_game_thread(|| {
        let home = home_with_duel();
        let all = ["ann", "bo", "group:blue"]
            .map(|to| yes_no_question(to, &format!("ready-{}", &to[..2])));
        home.command("ready", &format!(
            "act:roll('1d6')\nlocal all = act:ask_all({{ {} }})\nact:set('ann', 'note', {{ all[1], all[2], all[3] }})\nreturn `{{act:roll('1d6')}}`",
            all.join(", ")
        ));
        let orders = [
            [("ann", "y"), ("bo", "1 n"), ("bo", "2 y")],
            [("bo", "2 y"), ("ann", "y"), ("bo", "n")],
            [("gm", "2.2 n"), ("bo", "y"), ("ann", "y")],
        ];
        let mut ends = Vec::new();
        for order in orders {
            let mut game = Game::of(&home);
            let asked = reply_text(&game.line("ready"));
            assert_eq!(asked.lines().count(), 3, "{asked}");
            assert_eq!(open_question_numbers(&game, "bo"), ["1", "2"]);
            assert_eq!(open_question_numbers(&game, "gm"), ["2.1", "2.2", "2.3"]);
            assert_eq!(open_question_numbers(&game, "cy"), Vec::<String>::new());
            assert_eq!(refuse_answer(&mut game, "gm", "y").code, "answer/which");
            let said: Vec<String> = order
                .iter()
                .map(|(by, given)| answer_text(&mut game, by, given))
                .collect();
            let noted = ["noted; 2 answers are missing", "noted; 1 answer is missing"];
            let noted = match order.map(|(by, _)| by) {
                ["gm", ..] => [noted[0], "noted"],
                ["ann", ..] => ["noted", noted[1]],
                _ => [noted[1], "noted"],
            };
            assert_eq!(said[..2], noted, "a seat is told how many of its own");
            let changes = operation_without_numbers(&game.solo, game.last_operation());
            for one in 2..=game.last_operation().seq {
                let again = game.solo.verify_operation(one);
                assert_eq!(again, ReplayComparison::Same, "operation {one}");
            }
            ends.push((
                game.hash(),
                said[2].clone(),
                game.last_operation().inputs.len(),
                changes.len(),
            ));
        }
        assert_eq!((&ends[0].0, &ends[0].1), (&ends[1].0, &ends[1].1));
        assert_eq!((&ends[0].0, &ends[0].1), (&ends[2].0, &ends[2].1));
    });
}

#[test]
fn hostile_answers_are_refused_and_change_nothing() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_duel());
        assert_eq!(
            refuse_answer(&mut game, "ann", "yes").code,
            "answer/no-question"
        );
        game.line("duel");
        let long = "x".repeat(7_000);
        for (by, given, code, message) in [
            (
                "ann",
                "yes",
                "answer/no-question",
                "ann has no open question",
            ),
            (
                "ann",
                "1 yes",
                "answer/no-question",
                "ann has no open question 1",
            ),
            (
                "zork",
                "2.1 yes",
                "answer/no-question",
                "zork has no open question 2.1",
            ),
            (
                "bo",
                "9 yes",
                "answer/no-question",
                "bo has no open question 9",
            ),
            (
                "bo",
                "2.1 yes",
                "answer/no-question",
                "bo has no open question 2.1",
            ),
            (
                "bo",
                "2. yes",
                "answer/no-question",
                "bo has no open question 2.",
            ),
            (
                "bo",
                "perhaps",
                "answer/wrong-type",
                "\"perhaps\" is not an answer: expected yes or no",
            ),
            (
                "bo",
                "",
                "answer/wrong-type",
                "\"\" is not an answer: expected yes or no",
            ),
            (
                "bo",
                "shield",
                "answer/wrong-type",
                "\"shield\" is not an answer: expected yes or no",
            ),
            (
                "bo",
                "shield 2",
                "answer/wrong-type",
                "\"2\" is not an answer: expected yes or no",
            ),
            ("gm", long.as_str(), "answer/wrong-type", "is not an answer"),
        ] {
            let refusal = refuse_answer(&mut game, by, given);
            assert_eq!(refusal.code, code, "{by}: {given}");
            assert!(refusal.message.contains(message), "{}", refusal.message);
        }
        answer_text(&mut game, "Bo", "shield yes");
        let twice = refuse_answer(&mut game, "bo", "1 no");
        assert_eq!(twice.message, "bo has no open question 1");
        answer_text(&mut game, "ann", "fast");
        assert_eq!(
            refuse_answer(&mut game, "ann", "fast").code,
            "answer/no-question"
        );
    });
}

#[test]
fn questions_that_cannot_be_asked_are_refused_with_near_names() {
    on_game_thread(|| {
        let home = home_with_duel();
        let cases = [
            (
                "{ to = 'anm', key = 'k', type = 'YesNo', text = 't' }",
                "ask/unknown-seat",
                "ann",
            ),
            (
                "{ to = 'group:rad', key = 'k', type = 'YesNo', text = 't' }",
                "ask/unknown-group",
                "red",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'Persom', text = 't' }",
                "script/argument",
                "Person",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'YesNo', txt = 't' }",
                "script/argument",
                "text",
            ),
            (
                "{ to = 'ann', key = 'k', options = { 'a', 'bb' }, default = 'b', text = 't' }",
                "script/argument",
                "bb",
            ),
            (
                "{ to = 'ann', key = 'two words', type = 'YesNo', text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = '7', type = 'YesNo', text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', options = {}, text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', options = { 'a', 3 }, text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'YesNo', options = { 'a' }, text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'YesNo', default = 'yes', text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'YesNo', deadline = 'soon', text = 't' }",
                "script/argument",
                "",
            ),
            (
                "{ to = 'ann', key = 'k', type = 'YesNo', text = ('t'):rep(4000) }",
                "limit/size",
                "",
            ),
            ("{ 1, 2 }", "script/argument", ""),
        ];
        for (index, (question, _, _)) in cases.iter().enumerate() {
            home.command(
                &format!("try-{}", letter_of_index(index)),
                &format!("act:ask({question})"),
            );
        }
        home.write("scripts/mini/commands/look.luau", "--!strict\nreturn command {\n  source = \"tests\", summary = \"looks\", syntax = \"look\", query = true,\n  run = function(act) act:ask({ to = \"ann\", key = \"k\", type = \"YesNo\", text = \"t\" }) end,\n}\n");
        let mut game = Game::of(&home);
        for (index, (question, code, near)) in cases.iter().enumerate() {
            let refusal = game.refusal(&format!("try {}", letter_of_index(index)));
            assert_eq!(refusal.code, *code, "{question}: {}", refusal.message);
            let said = refusal.hints.join("\n") + &refusal.message;
            assert!(said.contains(near), "{question}: {said}");
        }
        assert_eq!(game.refusal("look").code, "script/read-only");
        assert_eq!(game::open_questions(game.solo.timeline()), []);
    });
}

fn letter_of_index(index: usize) -> char {
    char::from(b'a' + u8::try_from(index).unwrap())
}

#[test]
fn answers_are_read_as_slot_types_at_the_moment_of_the_question() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command("hire", "act:create('person', { name = 'Dora Finch' }, 'dora')\nlocal whom = act:ask({ to = 'ann', key = 'whom', type = 'Person', text = 'Whom?' })\nlocal much = act:ask({ to = 'ann', key = 'much', type = 'Integer', text = 'How much?' })\nreturn `{whom} {much + 1}`");
        let mut game = Game::of(&home);
        game.line("hire");
        assert_eq!(
            refuse_answer(&mut game, "ann", "nobody").code,
            "phrase/no-match"
        );
        assert_eq!(
            answer_text(&mut game, "ann", "dora f"),
            "question 2 [gm: 2.2]: How much? (a whole number)"
        );
        assert_eq!(
            refuse_answer(&mut game, "ann", "many").code,
            "phrase/no-match"
        );
        assert_eq!(answer_text(&mut game, "ann", "41"), "dora 42");
    });
}

#[test]
fn several_rulings_wait_while_others_pass_and_slots_stay() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_duel());
        game.line("duel");
        assert!(game.text("duel").starts_with("question 2 [gm: 3.1]"));
        game.text("throw 3d6");
        assert_eq!(game.last_operation().slot, Some(4));
        assert_eq!(refuse_answer(&mut game, "bo", "yes").code, "answer/which");
        answer_text(&mut game, "bo", "2 no");
        answer_text(&mut game, "ann", "1 fast");
        assert_eq!(game.last_operation().slot, Some(3));
        game.text("throw 3d6");
        assert_eq!(game.last_operation().slot, Some(5));
        answer_text(&mut game, "bo", "yes");
        answer_text(&mut game, "ann", "strong");
        assert_eq!(
            (
                game.last_operation().slot,
                game.solo.timeline().history().next_ruling_number()
            ),
            (Some(2), 6)
        );
        let faces: Vec<&str> = game
            .last_operation()
            .inputs
            .iter()
            .filter_map(|one| one.get("address").as_str())
            .collect();
        assert_eq!(
            faces,
            ["2/hit/ann/1", "2/shield/bo/1", "2/how/-/1", "2/hit/ann/2"]
        );
    });
}

/// Reloads after an edit of the duel, which must be accepted.
fn reload_edited_duel(home: &Scratch, game: &mut Game, old: &str, new: &str) {
    home.edit("scripts/mini/commands/duel.luau", old, new);
    let reloaded = game.solo.session.reload(Compiled::default());
    assert!(
        matches!(reloaded, ReloadResult::Swapped { .. }),
        "{reloaded:?}"
    );
}

#[test]
fn new_rules_that_ask_for_the_same_go_on() {
    on_game_thread(|| {
        let home = home_with_duel();
        let mut game = Game::of(&home);
        game.line("duel");
        reload_edited_duel(&home, &mut game, "by {act:by()}", "for {act:by()}");
        answer_text(&mut game, "bo", "yes");
        assert!(answer_text(&mut game, "ann", "fast").ends_with("for gm"));
    });
}

#[test]
fn a_stale_ruling_says_what_differs_and_can_be_restarted_finished_or_dropped() {
    on_game_thread(|| {
        for (old, new, differs) in [
            (
                "1d20\", \"hit\", \"ann\")\n  local shield",
                "1d12\", \"hit\", \"ann\")\n  local shield",
                "now it rolls a d12 for `hit` of ann",
            ),
            (
                "default = false",
                "default = true",
                "now it asks bo `shield` for a YesNo, else yes",
            ),
            (
                "to = \"bo\", key",
                "to = \"cy\", key",
                "now it asks cy `shield`",
            ),
            (
                "local shield = act:ask",
                "act:roll('1d4')\n  local shield = act:ask",
                "now it waits for another answer first",
            ),
            (
                "local first = act:roll",
                "if true then return act:fail('no', 'not now') end\n  local first = act:roll",
                "now it rolls nothing",
            ),
        ] {
            let home = home_with_duel();
            let mut game = Game::of(&home);
            game.line("duel");
            reload_edited_duel(&home, &mut game, old, new);
            if differs.ends_with("first") {
                // A new die between the replayed part and the question is not a difference: it is
                // drawn now.
                assert!(answer_text(&mut game, "bo", "yes").starts_with("question 1 [gm: 2.2]"));
                continue;
            }
            let refusal = refuse_answer(&mut game, "bo", "yes");
            assert_eq!(refusal.code, "ask/stale");
            assert!(refusal.message.contains(differs), "{}", refusal.message);
            assert!(
                refusal.hints.last().unwrap().contains("restart 2"),
                "{:?}",
                refusal.hints
            );
            let waits = game.hash();
            assert_eq!(
                game.solo
                    .run_as_line(("ann", "finish"), |timeline, ruling| {
                        game::finish_under_original_rules(timeline, 2, ruling)
                    })
                    .refusal
                    .unwrap()
                    .code,
                "ask/not-yours"
            );
            let finished = game
                .solo
                .run_as_line(("gm", "finish 2"), |timeline, ruling| {
                    game::finish_under_original_rules(timeline, 2, ruling)
                });
            assert!(finished.refusal.is_none(), "{finished:?}");
            answer_text(&mut game, "bo", "yes");
            let said = answer_text(&mut game, "ann", "fast");
            assert!(
                said.contains("true fast") && said.ends_with("by gm"),
                "{said}"
            );
            let rules = game
                .solo
                .timeline()
                .history()
                .operations()
                .iter()
                .map(|one| &one.rules);
            let rules: Vec<_> = rules.collect();
            assert_eq!(
                rules[1],
                *rules.last().unwrap(),
                "it ran under its old rules"
            );
            for _ in 0..3 {
                game.undo();
            }
            assert_eq!(game.hash(), waits);
            let dropped = game.solo.run_as_line(("gm", "drop 2"), |timeline, ruling| {
                game::drop_waiting_ruling(timeline, 2, ruling)
            });
            assert_eq!(reply_text(&dropped), "dropped: 2 duel");
            assert_eq!(game::open_questions(game.solo.timeline()), []);
            game.undo();
            let anew = game
                .solo
                .run_as_line(("gm", "restart 2"), |timeline, ruling| {
                    game::restart_ruling(timeline, 2, ruling)
                });
            assert_eq!(
                game.last_operation().slot,
                if anew.refusal.is_some() {
                    None
                } else {
                    Some(2)
                }
            );
        }
    });
}

#[test]
fn what_the_rules_do_not_do_any_more_is_stale_and_old_rules_may_be_gone() {
    on_game_thread(|| {
        let home = home_with_duel();
        let mut game = Game::of(&home);
        game.line("duel");
        home.remove("scripts/mini/commands/duel.luau");
        game.solo.session.reload(Compiled::default());
        let refusal = refuse_answer(&mut game, "bo", "yes");
        assert_eq!(
            (&*refusal.code, refusal.message.as_str()),
            ("ask/stale", "\"duel\" no longer runs a rule")
        );
        let timeline = game.solo.timeline();
        let (bytes, next) = (
            timeline.state().to_bytes(),
            timeline.history().next_numbers(),
        );
        let options = game.solo.session.options().clone();
        let mut fresh =
            Solo::from(game::Session::from_state_bytes(options, &[], (&bytes, next)).unwrap());
        let refusal = fresh
            .run_as_line(("gm", "finish 2"), |timeline, ruling| {
                game::finish_under_original_rules(timeline, 2, ruling)
            })
            .refusal
            .unwrap();
        assert_eq!(refusal.code, "ask/old-rules");
        assert!(
            fresh
                .run_as_line(("gm", "drop 2"), |solo, ruling| game::drop_waiting_ruling(
                    solo, 2, ruling
                ))
                .refusal
                .is_none()
        );
        assert_eq!(
            fresh
                .run_as_line(("gm", "drop 2"), |solo, ruling| game::drop_waiting_ruling(
                    solo, 2, ruling
                ))
                .refusal
                .unwrap()
                .code,
            "ask/not-waiting"
        );
    });
}

#[test]
fn typed_dice_that_were_used_stay_with_the_ruling_that_waits() {
    on_game_thread(|| {
        let type_dice = |game: &mut Game, faces: &[u32]| {
            let dice: Vec<_> = faces
                .iter()
                .map(|face| game::HandDie {
                    face: *face,
                    sides: None,
                })
                .collect();
            let reply = game
                .solo
                .run_as_line(("gm", "dice next"), |timeline, ruling| {
                    game::make_host_ruling(timeline, ruling, |state| {
                        game::keep_hand_dice(state, &dice)
                            .map_err(|error| error.to_diagnostic())?;
                        Ok(Vec::new())
                    })
                });
            assert!(reply.refusal.is_none());
        };
        let mut game = Game::of(&home_with_duel());
        type_dice(&mut game, &[19, 7]);
        game.line("duel");
        answer_text(&mut game, "bo", "no");
        let said = answer_text(&mut game, "ann", "fast");
        assert!(said.contains("19 false fast 7 by gm"), "{said}");
        let mut game = Game::of(&home_with_duel());
        type_dice(&mut game, &[19]);
        game.line("duel");
        answer_text(&mut game, "bo", "no");
        assert_eq!(refuse_answer(&mut game, "ann", "fast").code, "dice/too-few");
        type_dice(&mut game, &[3]);
        assert!(answer_text(&mut game, "ann", "fast").contains("19 false fast 3 by gm"));
        for _ in 0..2 {
            game.undo();
        }
        game.solo.run_as_line(("gm", "drop 3"), |timeline, ruling| {
            game::drop_waiting_ruling(timeline, 3, ruling)
        });
        let left = game::waiting_hand_dice(game.solo.timeline().state());
        assert_eq!(
            left.iter().map(|die| die.face).collect::<Vec<_>>(),
            [19],
            "given back"
        );
    });
}

#[test]
fn one_at_a_time_lets_only_answers_queries_and_corrections_pass() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.edit(RULESET_FILE, "seats =", "one_at_a_time = true,\n  seats =");
        let mut game = Game::of(&home);
        game.line("duel");
        assert_eq!(game.refusal("throw 3d6").code, "ask/one-at-a-time");
        game.text("mood ann");
        assert!(
            game.line("set ann mood 9")
                .refusal
                .is_none_or(|refusal| refusal.code != "ask/one-at-a-time")
        );
        answer_text(&mut game, "bo", "no");
        answer_text(&mut game, "ann", "fast");
        game.text("throw 3d6");
    });
}

#[test]
fn standing_answers_answer_at_once_if_they_fit() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_duel());
        let order = |game: &mut Game, by: &str, key: &str, text: &str| {
            let line = format!("always {key} {text}");
            game.solo.run_as_line((by, &line), |timeline, ruling| {
                game::set_standing_answer(timeline, ruling, key, text)
            })
        };
        assert!(order(&mut game, "Bo", "shield", "yes").refusal.is_none());
        assert!(order(&mut game, "cy", "how", "fast").refusal.is_none());
        assert!(
            game.text("duel").starts_with("question 1 [gm: 4.2]: How?"),
            "the order answered the first"
        );
        answer_text(&mut game, "ann", "fast");
        let input = &game.last_operation().inputs[1];
        assert_eq!(
            (input.get("by").as_str(), input.get("answer").as_bool()),
            (Some("order"), Some(true))
        );
        order(&mut game, "ann", "how", "quickly");
        assert!(
            game.text("duel").contains("How?"),
            "an order that is no answer is none"
        );
        assert_eq!(
            order(&mut game, "bo", "shild", "off")
                .refusal
                .unwrap()
                .hints,
            ["did you mean \"shield\"?"]
        );
        assert!(order(&mut game, "bo", "shield", "off").refusal.is_none());
        assert!(game.text("duel").contains("Raise it?"));
    });
}

/// Moves the clock to a time, as the host does.
fn advance_clock(game: &mut Game, time: i64) -> Reply {
    use host::store::Write;
    game.solo.run_as_line(("gm", "time"), |timeline, ruling| {
        game::make_host_ruling(timeline, ruling, |state| {
            let names = state.names().clone();
            let (row, field) = (names.intern("@clock"), names.intern("time"));
            if !state.exists(row) {
                let put = Write::Put {
                    row,
                    kind: row,
                    owner: None,
                    fields: Vec::new(),
                };
                state.apply(put).map_err(|error| error.to_diagnostic())?;
            }
            let set = Write::Set {
                row,
                field,
                value: Value::from(time),
            };
            state.apply(set).map_err(|error| error.to_diagnostic())?;
            Ok(Vec::new())
        })
    });
    let overdue = |timeline: &mut Timeline, ruling: &Ruling<'_>| {
        game::answer_overdue_questions(timeline, ruling.caller)
    };
    game.solo.run_as_line(("gm", "time"), overdue)
}

/// Returns a home with a prompt about a toll, whose answers are noted.
pub(super) fn home_with_toll_prompt() -> Scratch {
    let home = home_with_duel();
    home.command("toll", "local id = act:prompt({ to = 'bo', key = 'toll', options = { 'pay', 'refuse' }, default = 'refuse', deadline = 30, text = 'Pay?', run = 'commands/paid', values = { price = 4 } })\nreturn id");
    home.write("scripts/mini/commands/paid.luau", PAID_COMMAND);
    home
}

const PAID_COMMAND: &str = r#"--!strict
return command {
  source = "tests", summary = "goes on with a toll", syntax = "paid",
  run = function(act, values, answer)
    act:set("bo", "note", `{answer} {values.price}`)
    if answer == "pay" then
      local coin = act:roll("1d6", "coin")
      local how = act:ask({ to = "bo", key = "coin", type = "YesNo", default = true, deadline = 40, text = "Gold?" })
      return act:done(`{answer} {coin} {how}`)
    end
    return act:done(answer)
  end,
}
"#;

#[test]
fn a_prompt_lets_the_world_go_on_and_its_answer_is_a_ruling() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_toll_prompt());
        assert_eq!(game.text("toll"), "prompt#1");
        game.text("throw 3d6");
        assert_eq!(open_question_numbers(&game, "bo"), ["1"]);
        assert_eq!(
            refuse_answer(&mut game, "ann", "1 pay").code,
            "answer/no-question"
        );
        assert_eq!(
            refuse_answer(&mut game, "bo", "1 pray").hints,
            ["did you mean \"pay\"?"]
        );
        assert_eq!(
            answer_text(&mut game, "bo", "toll p"),
            "question 2 [gm: 4.2]: Gold? (yes or no, else yes, until 40s)"
        );
        assert_eq!(
            open_question_numbers(&game, "gm"),
            ["5.2"],
            "the prompt is answered"
        );
        assert!(answer_text(&mut game, "bo", "2 no").ends_with("false"));
        assert_eq!(open_question_numbers(&game, "gm"), Vec::<String>::new());
        assert_eq!(
            game.last_operation().inputs[0].get("answer").as_str(),
            Some("pay")
        );
        assert_eq!(
            refuse_answer(&mut game, "bo", "1 pay").code,
            "answer/no-question"
        );
        for _ in 0..2 {
            game.undo();
        }
        assert_eq!(open_question_numbers(&game, "gm"), ["2.1"]);
    });
}

#[test]
fn answers_that_are_noted_while_others_are_missing_are_inputs_of_what_was_done() {
    let home = home_with_duel();
    home.command("ready", READY_COMMAND);
    let mut game = Game::of_program(&home, "mini");
    game.solo.submit("Bo", "always ready no");
    assert!(game.text("ready").starts_with("question 1 [gm: 3.1]"));
    game.solo.submit("Bo", "always ready off");
    let (asked, noted) = (game.last_operation().seq - 1, &game.last_operation().inputs);
    assert_eq!(noted.len(), 0, "an order taken back");
    let inputs = &game
        .solo
        .timeline()
        .history()
        .operation(asked)
        .unwrap()
        .inputs;
    assert_eq!(inputs[0].get("by").as_str(), Some("order"));
    assert_eq!(game.solo.verify_operation(asked), ReplayComparison::Same);
    game.solo.submit("ann", "answer yes");
    assert_eq!(
        game.solo.verify_operation(game.last_operation().seq),
        ReplayComparison::Same
    );
    assert_eq!(game.last_operation().documents.len(), 1);
}

#[test]
fn standing_answers_answer_prompts_as_rulings_of_their_own() {
    let mut game = Game::of(&home_with_toll_prompt());
    let order = |game: &mut Game, by: &str, text: &str| {
        let line = format!("always toll {text}");
        let reply = game.solo.run_as_line((by, &line), |timeline, ruling| {
            game::set_standing_answer(timeline, ruling, "toll", text)
        });
        assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    };
    order(&mut game, "ann", "pay");
    game.text("toll");
    assert_eq!(
        open_question_numbers(&game, "gm"),
        ["3.1"],
        "an order of somebody else is none"
    );
    answer_text(&mut game, "bo", "1 refuse");
    order(&mut game, "bo", "dance");
    game.text("toll");
    assert_eq!(
        open_question_numbers(&game, "gm"),
        ["6.2"],
        "what is no answer is none"
    );
    game.text("toll");
    order(&mut game, "bo", "refuse");
    let before = game.solo.timeline().history().operations().len();
    game.text("toll");
    assert_eq!(
        open_question_numbers(&game, "gm"),
        ["6.2", "7.3"],
        "the third is answered"
    );
    let made = &game.solo.timeline().history().operations()[before..];
    assert_eq!(made.len(), 2, "the prompt and its answer");
    assert_eq!(
        (&*made[1].by, &*made[1].command),
        ("order", "answer toll of bo by order")
    );
    assert_eq!(made[1].inputs[0].get("by").as_str(), Some("order"));
    assert_eq!(
        game.solo.verify_operation(before as u64 + 2),
        ReplayComparison::Same
    );
    game.undo();
    assert_eq!(
        open_question_numbers(&game, "gm"),
        ["6.2", "7.3", "9.4"],
        "an answer is taken back alone"
    );
    game.text("mood ann");
    assert_eq!(
        open_question_numbers(&game, "gm").len(),
        3,
        "and not given again"
    );
}

/// A standing answer that no longer fits is refused if its giver is present; otherwise its giver
/// gets a message.
#[test]
fn an_order_that_is_no_answer_is_told_to_whoever_gave_it() {
    let home = home_with_toll_prompt();
    home.command("ready", READY_COMMAND);
    let mut game = Game::of_program(&home, "mini");
    let told = |reply: Reply, who: &str| -> Vec<String> {
        let audience = Audience::parse(who).unwrap();
        let aside = reply.aside.iter();
        let to_them = aside.filter(|one| one.audience == audience).map(plain);
        to_them.filter(|text| text.contains("standing")).collect()
    };
    game.solo.submit("Bo", "always toll dance");
    game.solo.submit("Ann", "always ready perhaps");
    let reply = game.line("toll");
    let of_toll =
        "the standing answer toll dance does not answer question 1; the question stays open";
    assert_eq!(told(reply.clone(), "ann"), [""; 0]);
    assert_eq!(told(reply, "bo"), [of_toll]);
    let reply = game.line("ready");
    let of_ready =
        "the standing answer ready perhaps does not answer question 1; the question stays open";
    assert_eq!(told(reply, "ann"), [of_ready]);
    let prompts = game.solo.submit("Bo", "questions");
    let listed = plain(&prompts.documents[0]);
    let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        listed.contains("the standing answer dance does not answer it"),
        "{listed}"
    );
    let refusal = game.solo.submit("Bo", "always toll sing").refusal;
    assert_eq!(refusal.expect("it is refused").code, "answer/wrong-type");
    let before = game.hash();
    assert!(game.solo.submit("Bo", "always toll pay").refusal.is_none());
    assert_ne!(game.hash(), before);
}

#[test]
fn an_order_given_later_answers_what_waits_and_a_policy_what_is_new() {
    let home = home_with_toll_prompt();
    let mut game = Game::of_program(&home, "mini");
    game.text("toll");
    game.text("toll");
    game.solo.submit("Bo", "always toll refuse");
    assert_eq!(open_question_numbers(&game, "gm"), Vec::<String>::new());
    game.solo.submit("Bo", "always toll off");
    game.solo
        .session
        .responders_mut()
        .answer_with_policy(Some(SharedPolicy::new(Defaults)));
    let reply = game.line("toll");
    assert_eq!(open_question_numbers(&game, "gm"), Vec::<String>::new());
    assert_eq!(&*game.last_operation().by, "policy");
    let said: Vec<String> = reply.documents.iter().map(plain).collect();
    assert!(said.iter().any(|text| text.contains("refuse")), "{said:?}");
    game.solo.submit("Bo", "always toll pay");
    game.solo.session.responders_mut().answer_with_policy(None);
    game.text("toll");
    assert_eq!(
        open_question_numbers(&game, "gm").len(),
        1,
        "the answer asks for a coin, and waits"
    );
    game.text("answer yes");
    assert_eq!(open_question_numbers(&game, "gm"), Vec::<String>::new());
}

#[test]
fn an_order_given_later_answers_the_questions_of_rulings_that_wait() {
    let home = home_with_duel();
    home.command("ready", READY_COMMAND);
    let mut game = Game::of_program(&home, "mini");
    game.text("ready");
    let before = game.solo.timeline().history().operations().len();
    let said = game.solo.submit("Ann", "always ready perhaps");
    let refusal = said.refusal.expect("it is no answer to what waits");
    assert_eq!(refusal.code, "answer/wrong-type");
    let made = game.solo.timeline().history().operations().len() - before;
    assert_eq!(made, 0, "and nothing is kept of it");
    assert_eq!(
        game::open_questions_for(game.solo.timeline(), "ann").len(),
        1
    );
    game.solo.submit("Ann", "always ready yes");
    assert!(game::open_questions_for(game.solo.timeline(), "ann").is_empty());
    assert_eq!(&*game.last_operation().by, "order");
    assert_eq!(
        game.last_operation().inputs[0].get("by").as_str(),
        Some("order")
    );
    assert_eq!(
        game.solo.verify_operation(game.last_operation().seq),
        ReplayComparison::Same
    );
    game.solo.submit("Bo", "always ready no");
    assert_eq!(open_question_numbers(&game, "gm"), Vec::<String>::new());
    assert_eq!(
        game.solo.verify_operation(game.last_operation().seq),
        ReplayComparison::Same
    );
    let inputs = game.last_operation().inputs.iter();
    let given: Vec<_> = inputs
        .map(|one| (one.get("answer").as_bool(), one.get("by").to_string()))
        .collect();
    let by_order = |answer| (Some(answer), "order".to_owned());
    assert_eq!(given, [by_order(true), by_order(false)]);
}

#[test]
fn a_deadline_asks_standing_answers_before_the_default() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command("ready", READY_COMMAND);
        let mut game = Game::of_program(&home, "mini");
        game.text("ready");
        game.solo.submit("Ann", "always ready yes");
        game.undo();
        assert_eq!(
            open_question_numbers(&game, "gm").len(),
            2,
            "the answer is taken back"
        );
        let said = reply_text(&advance_clock(&mut game, 30));
        assert_eq!(said, "true false");
        let by: Vec<String> = game
            .last_operation()
            .inputs
            .iter()
            .map(|one| one.get("by").to_string())
            .collect();
        assert_eq!(by, ["order", "deadline"]);
        assert_eq!(
            game.solo.verify_operation(game.last_operation().seq),
            ReplayComparison::Same
        );
    });
}

#[test]
fn a_prompt_that_makes_itself_anew_does_not_go_on_for_ever() {
    let home = home_with_toll_prompt();
    home.edit(
        "scripts/mini/commands/paid.luau",
        "if answer == \"pay\" then",
        "if answer == \"pay\" then
      act:prompt({ to = 'bo', key = 'toll', options = { 'pay' }, text = 'Again?', run = 'commands/paid', values = { price = 1 } })
      return act:done()
    elseif answer == \"owe\" then",
    );
    let mut game = Game::of_program(&home, "mini");
    game.solo.submit("Bo", "always toll pay");
    game.text("toll");
    assert_eq!(
        open_question_numbers(&game, "gm").len(),
        1,
        "one is left open"
    );
    let all = game.solo.timeline().history().operations().len();
    assert!((1_000..=1_010).contains(&all), "{all}");
}

#[test]
fn deadlines_answer_with_the_default_in_the_order_in_which_they_were_due() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_toll_prompt());
        game.text("toll");
        game.text("duel");
        advance_clock(&mut game, 29);
        assert_eq!(open_question_numbers(&game, "gm"), ["3.1", "2.1"]);
        answer_text(&mut game, "bo", "1 pay");
        let slot = game.last_operation().slot.unwrap();
        let reply = advance_clock(&mut game, 45);
        assert!(reply.findings.is_empty(), "{:?}", reply.findings);
        assert_eq!(
            (&*game.last_operation().by, game.last_operation().slot),
            ("deadline", Some(slot))
        );
        assert_eq!(
            game.last_operation()
                .inputs
                .last()
                .unwrap()
                .get("by")
                .as_str(),
            Some("deadline")
        );
        assert_eq!(
            open_question_numbers(&game, "gm"),
            ["3.1"],
            "a question without a deadline waits on"
        );
        game.undo();
        assert_eq!(
            open_question_numbers(&game, "gm"),
            ["3.1", "5.2"],
            "an undo stays"
        );
    });
}

/// A command that asks ann and bo, with a deadline in half a minute.
const READY_COMMAND: &str = "
  local asked = {}
  for _, to in { 'ann', 'bo' } do
    table.insert(asked, { to = to, key = 'ready', who = to, type = 'YesNo', default = false,
      deadline = act:clock().time + 30, text = 'Ready?' })
  end
  local all = act:ask_all(asked)
  return `{all[1]} {all[2]}`";

#[test]
fn a_question_keeps_the_deadline_that_it_was_asked_with() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command("ready", READY_COMMAND);
        let due = |game: &Game| -> Vec<Option<Value>> {
            let open = game::open_questions(game.solo.timeline()).into_iter();
            open.map(|one| one.question.deadline).collect()
        };
        let mut game = Game::of(&home);
        game.line("ready");
        advance_clock(&mut game, 20);
        assert_eq!(answer_text(&mut game, "ann", "yes"), "noted");
        assert_eq!(
            due(&game),
            [Some(Value::from(30))],
            "an answer gives nobody time"
        );
        let said = reply_text(&advance_clock(&mut game, 30));
        assert_eq!((said.as_str(), due(&game)), ("true false", vec![]));
        game.undo();
        game.undo();
        game.undo();
        let reply = game
            .solo
            .run_as_line(("gm", "restart 2"), |timeline, ruling| {
                game::restart_ruling(timeline, 2, ruling)
            });
        let until = "Ready? (yes or no, else no, until 50s)";
        let said = reply_text(&reply);
        assert!(
            said.starts_with("question ") && said.contains(until),
            "{said}"
        );
        assert_eq!(due(&game), [Some(Value::from(50)), Some(Value::from(50))]);
        let said = reply_text(&advance_clock(&mut game, 50));
        assert_eq!(said, "false false", "nobody is told of what is missing");
    });
}

#[test]
fn what_an_answer_that_nobody_gives_leads_to_is_said_to_whoever_was_asked() {
    let home = home_with_toll_prompt();
    home.edit(
        "scripts/mini/commands/paid.luau",
        "return act:done(answer)",
        "return act:done(`{act:by()}: {answer}`)",
    );
    let told = |reply: &Reply| -> Vec<String> {
        let last = reply.documents.last().unwrap();
        vec![last.audience.to_string(), plain(last)]
    };
    let expected = ["bo", "bo: refuse"];
    let mut game = Game::of_program(&home, "mini");
    game.text("toll");
    assert_eq!(told(&advance_clock(&mut game, 30)), expected);
    assert_eq!(&*game.last_operation().by, "deadline");
    let seq = game.last_operation().seq;
    assert_eq!(game.solo.verify_operation(seq), ReplayComparison::Same);
    let mut game = Game::of_program(&home, "mini");
    game.solo.submit("Bo", "always toll refuse");
    assert_eq!(told(&game.line("toll")), expected);
    let mut game = Game::of_program(&home, "mini");
    game.solo
        .session
        .responders_mut()
        .answer_with_policy(Some(SharedPolicy::new(Defaults)));
    assert_eq!(told(&game.line("toll")), expected);
}

#[test]
fn what_follows_by_itself_and_what_is_held_back_are_no_difference_between_two_runs() {
    let home = home_with_toll_prompt();
    home.edit(RULESET_FILE, "seats =", "one_at_a_time = true,\n  seats =");
    let mut game = Game::of_program(&home, "mini");
    game.solo.submit("Bo", "always toll refuse");
    for line in ["toll", "duel", "throw 3d6", "wait 30s"] {
        let (reply, difference) = game::submit_twice(&mut game.solo, "gm", line);
        assert_eq!(difference, None, "{line}: {reply:?}");
    }
    assert_eq!(game.refusal("throw 3d6").code, "ask/one-at-a-time");
}

#[test]
fn what_is_due_already_is_asked_of_nobody() {
    let home = home_with_toll_prompt();
    let all = "to = 'bo', key = 'k', type = 'YesNo', default = true, text = 't'";
    home.command(
        "now",
        &format!("act:ask({{ {all}, deadline = act:clock().time }})"),
    );
    home.command(
        "half",
        &format!("act:ask_all({{ {{ {all}, deadline = 60.5 }} }})"),
    );
    home.command(
        "note",
        &format!("act:prompt({{ {all}, deadline = 3, run = 'commands/paid' }})"),
    );
    home.command(
        "vote-in",
        "poll.open(act, { key = 'k', options = { 'x' }, voters = { 'ann' }, deadline = 5 })",
    );
    let mut game = Game::of_program(&home, "mini");
    // A standing answer would answer at once; a question that cannot wait is refused nevertheless.
    game.solo.submit("Bo", "always k yes");
    game.line("wait 60s");
    for (line, what, found) in [
        ("now", "question", "60"),
        ("half", "question", "60.5"),
        ("note", "question", "3"),
        ("vote in", "poll", "5"),
    ] {
        let refusal = game.refusal(line);
        let message = format!(
            "the deadline of the {what} \"k\" must be a whole second later than now (60), found {found}"
        );
        assert_eq!(
            (&*refusal.code, refusal.message),
            ("script/argument", message),
            "{line}"
        );
        assert_eq!(
            refusal.hints,
            ["`act:clock().time + 60` is a minute from now, 120"]
        );
        assert!(refusal.place.is_some(), "{line}");
    }
}

/// A rule with a deadline in absolute time asks again with the same deadline after each answer.
#[test]
fn what_was_asked_in_time_is_not_too_late_when_its_ruling_goes_on() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command(
            "both",
            "local all = act:ask_all({
            { to = 'ann', key = 'a', type = 'YesNo', deadline = 10, text = 'A?' },
            { to = 'bo', key = 'b', type = 'YesNo', deadline = 10, text = 'B?' } })
          return `{all[1]} {all[2]}`",
        );
        let mut game = Game::of(&home);
        game.line("both");
        advance_clock(&mut game, 20);
        assert_eq!(
            answer_text(&mut game, "gm", "a yes"),
            "noted; 1 answer is missing"
        );
        let seq = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(seq), ReplayComparison::Same);
        assert_eq!(answer_text(&mut game, "gm", "b no"), "true false");
        let seq = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(seq), ReplayComparison::Same);
    });
}

#[test]
fn an_answer_that_comes_too_late_is_refused() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command("late", "return `{act:ask({ to = 'ann', key = 'k', type = 'YesNo', deadline = 10, text = 't' })}`");
        let mut game = Game::of(&home);
        game.line("late");
        advance_clock(&mut game, 10);
        let refusal = refuse_answer(&mut game, "ann", "yes");
        assert_eq!(
            refusal.message,
            "the deadline has passed: it was 10s, and it is now 10s"
        );
        assert_eq!(answer_text(&mut game, "gm", "yes"), "true");
    });
}

#[test]
fn a_definition_without_the_function_run_has_no_near_name() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command(
            "toll",
            "act:prompt({ to = 'gm', key = 'toll', type = 'YesNo', text = 'Pay?', run = 'charms/cheer' })",
        );
        let refusal = Game::of(&home).refusal("toll");
        assert_eq!(
            refusal.message,
            "the definition \"charms/cheer\" has no function `run`"
        );
        assert_eq!(refusal.hints, Vec::<String>::new());
    });
}

#[test]
fn a_prompt_sleeps_without_its_definition_and_tells_of_a_changed_one() {
    on_game_thread(|| {
        let home = home_with_toll_prompt();
        let mut game = Game::of(&home);
        game.text("toll");
        home.remove("scripts/mini/commands/paid.luau");
        assert!(matches!(
            game.solo.session.reload(Compiled::default()),
            ReloadResult::Swapped { .. }
        ));
        let refusal = refuse_answer(&mut game, "bo", "pay");
        assert_eq!(
            (&*refusal.code, refusal.message.as_str()),
            (
                "ask/no-continuation",
                "there is no definition \"commands/paid\""
            )
        );
        home.write(
            "scripts/mini/commands/paid.luau",
            PAID_COMMAND.replace("{answer} {values.price}", "changed"),
        );
        game.solo.session.reload(Compiled::default());
        let reply = submit_answer(&mut game.solo, "bo", "refuse");
        assert_eq!(reply_text(&reply), "refuse");
        assert_eq!(reply.findings[0].code, "ask/changed");
        game.text("toll");
        game.text("toll");
        assert_eq!(
            reply_text(
                &game.solo.run_as_line(("gm", "drop 2"), |timeline, ruling| {
                    game::drop_ruling_or_prompt(timeline, Some("2"), ruling)
                })
            ),
            "dropped: prompt#2"
        );
        assert_eq!(open_question_numbers(&game, "gm"), ["5.3"]);
        assert_eq!(
            open_question_numbers(&game, "bo"),
            ["3"],
            "no number is given twice"
        );
    });
}

#[test]
fn rows_of_the_host_are_out_of_reach_of_scripts() {
    on_game_thread(|| {
        let home = home_with_duel();
        home.command("reach", r#"
  local seen = { act:exists("@ruling-2"), act:row("@ruling-2") == nil, #act:find({ kind = "@ruling" }), list.has(act:kinds(), "@ruling") }
  for _, try in {
    function() act:set("@ruling-2", "slot", 9) end, function() act:get("@ruling-2", "slot") end,
    function() act:remove("@ruling-2") end, function() act:attach("@ruling-2", "mark") end,
    function() act:create("@thing") end, function() act:create("thing", {}, "@thing") end,
    function() act:attach("ann", "@mark") end,
  } do
    if pcall(try) then return "reached" end
  end
  return `{seen[1]} {seen[2]} {seen[3]} {seen[4]}`"#);
        for raw in [true, false] {
            let options = EngineOptions {
                raw,
                ..EngineOptions::default()
            };
            let mut game = Game::mini_with_engine(&home, options);
            game.line("duel");
            assert_eq!(game.text("reach"), "false true 0 false");
            assert!(
                !game::ids_for_scripts(game.solo.timeline())
                    .iter()
                    .any(|id| id.starts_with('@'))
            );
        }
    });
}

#[test]
fn whoever_types_an_answer_as_a_command_reads_the_line_to_type() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_duel());
        let mut hints = |by: &str, line: &str| {
            let refusal = game.solo.submit(by, line).refusal;
            let refusal = refusal.unwrap_or_else(|| panic!("{by}: {line} was taken"));
            refusal.hints.join(" | ")
        };
        let help = "`help` lists the commands of this game";
        assert_eq!(hints("gm", "yes"), help, "nothing is asked yet");
        assert!(hints("gm", "duell").contains("duel"));
        game.text("duel");
        let mut hints = |by: &str, line: &str| {
            let refusal = game.solo.submit(by, line).refusal.unwrap();
            refusal.hints.join(" | ")
        };
        let yes = "this looks like an answer; type `answer yes`";
        assert_eq!(hints("bo", "yes"), yes);
        assert_eq!(hints("gm", "Yes"), yes.replace("yes", "Yes"));
        assert_eq!(hints("ann", "yes"), help, "she is not asked");
        assert_eq!(hints("bo", "perhaps"), help);
        answer_text(&mut game, "bo", "yes");
        game.text("duel");
        let refusal = game.solo.submit("gm", "step aside").refusal.unwrap();
        assert_eq!(
            refusal.hints.last().unwrap(),
            "this looks like an answer; type `answer 2.2 step aside`"
        );
    });
}

#[test]
fn an_answer_of_any_text_may_have_lines_and_the_prompt_stays_open_until_it_fits() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::harbour(), "harbour");
        game.text("let Ann ask Bo for a song");
        let before = game.hash();
        let refused = submit_answer(&mut game.solo, "Bo", "song la\nla\nla").refusal;
        assert_eq!(refused.unwrap().code, "harbour/song");
        assert_eq!(game.hash(), before);
        let sung = submit_answer(&mut game.solo, "Bo", "song The \"moon\" [is\n1d6 up");
        assert_eq!(sung.refusal, None);
        let said: Vec<String> = sung.documents.iter().map(plain).collect();
        assert_eq!(said.concat().trim(), "Bo sings: The \"moon\" [is / 1d6 up");
        assert!(game::open_questions_for(game.solo.timeline(), "Bo").is_empty());
    });
}
