//! Tests suspended corrections: a later ruling asks a question without an answer, and the addressee
//! answers later.

use arbiter_tests::{Game, Scratch, on_game_thread, save_options};
use host::game;
use host::game::{Defaults, GameLocation, Reply, RulesChoice, SharedPolicy, Solo};
use host::script::{Compiled, EngineOptions};
use host::store::{Operation, What};

/// Returns rules that ask Bo only if Ann's mood has changed, with one die before and one after the
/// question.
fn home_asking_by_mood() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "heed",
        "if act:get('ann', 'mood') == 7 then return act:done('calm') end \
         local first = act:roll('1d1000', 'heed') \
         local yes = act:ask({ to = 'bo', key = 'sure', type = 'YesNo', default = false, text = 'Sure?' }) \
         act:set('bo', 'heeds', first) act:set('bo', 'sure', if yes then 1 else 2) \
         return `{yes} {act:roll('1d1000', 'behind')}`",
    );
    home.command(
        "both",
        "if act:get('ann', 'mood') == 7 then return act:done('calm') end \
         local asked = {} for _, name in { 'ann', 'bo' } do \
         table.insert(asked, { to = name, key = 'sure', who = name, type = 'YesNo', text = 'Sure?' }) end \
         local answers = act:ask_all(asked) act:set('bo', 'both', if answers[1] == answers[2] then 1 else 2) \
         return act:done('both')",
    );
    home
}

/// Returns a game in which `revert 2` makes `heed` ask: 1 new game, 2 the mood, 3 heed, 4 a throw.
fn game_before_suspended_correction() -> Game {
    play_three_lines(&home_asking_by_mood())
}

fn play_three_lines(home: &Scratch) -> Game {
    let mut game = Game::of_program(home, "mini");
    for line in ["set Ann mood 7", "heed", "throw 2d6"] {
        game.text(line);
    }
    game
}

fn submit_as(game: &mut Game, by: &str, line: &str) -> Reply {
    game.solo.submit(by, line)
}

fn open_question_numbers(game: &Game) -> Vec<(String, String)> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| (one.number, one.question.to)).collect()
}

/// Returns the faces that an operation used.
fn faces_of_operation(operation: &Operation) -> Vec<(String, i64)> {
    let inputs = operation.inputs.iter();
    let face = |input: &host::value::Value| {
        let address = input.get("address").as_str()?.to_owned();
        Some((address, input.get("face").as_i64()?))
    };
    inputs.filter_map(face).collect()
}

fn assert_bo_is_asked(game: &Game) {
    assert_eq!(
        open_question_numbers(game),
        [("5.1".to_owned(), "Bo".to_owned())]
    );
}

#[test]
fn a_correction_waits_in_a_slot_of_its_own_and_keeps_what_it_drew() {
    let mut game = game_before_suspended_correction();
    let before = game.hash();
    let reply = game.line("revert 2 yes");
    assert_eq!((reply.op, reply.waits), (Some(5), Some(5)));
    assert_bo_is_asked(&game);
    let asked = game.last_operation().clone();
    assert_eq!((&asked.what, asked.slot), (&What::Ruling, Some(5)));
    let [(address, face)] = &faces_of_operation(&asked)[..] else {
        panic!("{asked:?}")
    };
    assert_eq!(address, "3/heed/-/1");
    assert_eq!(
        game.text("= act:get('ann', 'mood')"),
        "7",
        "nothing is done yet"
    );
    game.text("throw 1d6");
    assert_eq!(game.last_operation().slot, Some(6), "the slot is given out");
    game.text("undo");
    game.text("drop 5");
    assert_eq!(open_question_numbers(&game), []);
    // After giving up, a new attempt gets the same die.
    game.line("revert 2 yes");
    assert_eq!(
        faces_of_operation(game.last_operation()),
        [],
        "it is recorded, and not drawn again"
    );
    game.text("answer no");
    assert_eq!(game.text("= act:get('bo', 'heeds')"), face.to_string());
    for _ in 0..4 {
        game.text("undo");
    }
    assert_eq!(game.hash(), before);
}

/// Plays one game to its end with later answers, and one whose answers come with the command.
#[test]
fn an_answer_later_comes_to_the_same_as_one_with_the_command() {
    on_game_thread(|| {
        for lines in [
            &[("bo", "answer no")][..],
            &[("Bo", "answer 1 no")],
            &[("gm", "answer 5.1 no")],
            &[("gm", "for Bo: answer no")],
            &[("bo", "always sure no")],
            &[
                ("bo", "answer perhaps"),
                ("ann", "answer no"),
                ("bo", "answer sure no"),
            ],
        ] {
            let (mut at_once, mut later) = (
                game_before_suspended_correction(),
                game_before_suspended_correction(),
            );
            at_once.text("revert 2 yes answer no");
            let reply = later.line("revert 2 yes");
            assert_eq!(reply.waits, Some(5), "{lines:?}");
            for (seat, line) in lines {
                submit_as(&mut later, seat, line);
            }
            assert_eq!(open_question_numbers(&later), [], "{lines:?}");
            let (one, other) = (at_once.last_operation(), later.last_operation());
            assert_eq!(other.slot, Some(5));
            assert_eq!(one.what, other.what, "{lines:?}");
            let mut used = faces_of_operation(one);
            used.sort();
            let mut also = faces_of_operation(other);
            also.sort();
            assert_eq!(used, also, "{lines:?}");
            assert_eq!(
                at_once.solo.timeline().history().valid_ruling_seqs().len(),
                3
            );
            if !lines.iter().any(|(_, line)| line.starts_with("always")) {
                assert_eq!(one.documents, other.documents, "{lines:?}");
                assert_eq!(at_once.hash(), later.hash(), "{lines:?}");
                assert_eq!(
                    at_once.solo.timeline().history().valid_ruling_seqs(),
                    later.solo.timeline().history().valid_ruling_seqs(),
                    "{lines:?}"
                );
            }
        }
    });
}

#[test]
fn what_answers_at_once_lets_nothing_wait() {
    let mut game = game_before_suspended_correction();
    submit_as(&mut game, "bo", "always sure yes");
    assert_eq!(game.line("revert 2 yes").waits, None);
    assert_eq!(game.text("= act:get('bo', 'sure')"), "1");
    let mut game = game_before_suspended_correction();
    game.solo
        .session
        .responders_mut()
        .answer_with_policy(Some(SharedPolicy::new(Defaults)));
    assert_eq!(game.line("revert 2 yes").waits, None);
    let answer = game
        .last_operation()
        .inputs
        .iter()
        .find(|one| one.get("face").is_nil());
    assert_eq!(answer.unwrap().get("by").as_str(), Some("policy"));
    assert_eq!(game.text("= act:get('bo', 'sure')"), "2");
}

#[test]
fn what_is_no_answer_is_refused_and_loses_nothing() {
    let mut game = game_before_suspended_correction();
    game.line("revert 2 yes");
    let (hash, drawn) = (game.hash(), faces_of_operation(game.last_operation()));
    for (seat, line, code) in [
        ("bo", "answer perhaps", "answer/wrong-type"),
        ("gm", "for Bo: answer perhaps", "answer/wrong-type"),
        ("ann", "answer no", "answer/no-question"),
        ("ann", "answer 5.1 no", "answer/no-question"),
        ("gm", "answer 5.2 no", "answer/no-question"),
        ("bo", "drop 5", "ask/not-yours"),
        ("gm", "finish 5", "ask/same-rules"),
        ("gm", "replace 5 yes with throw 1d6", "revert/no-ruling"),
    ] {
        let refusal = submit_as(&mut game, seat, line).refusal.unwrap();
        assert_eq!(refusal.code, code, "{seat}: {line}: {refusal:?}");
        assert_eq!(game.hash(), hash, "{line}");
        assert_bo_is_asked(&game);
    }
    let refused = game.solo.timeline().history().operation(6).unwrap();
    assert_eq!(&*refused.command, "answer perhaps");
    assert_eq!(
        faces_of_operation(refused),
        drawn,
        "what was drawn is recorded with the refusal"
    );
    assert!(submit_as(&mut game, "bo", "answer no").refusal.is_none());
}

/// The reply to an answer contains nothing about the rulings of others.
#[test]
fn a_seat_is_told_of_its_answer_alone() {
    let home = home_asking_by_mood();
    home.command(
        "lean",
        "if act:get('bo', 'sure') == 2 then error('a leg is missing') end return act:done('leans')",
    );
    let mut game = play_three_lines(&home);
    game.text("lean");
    game.line("revert 2 yes");
    let reply = submit_as(&mut game, "bo", "answer no").visible_to_giver("bo");
    let refusal = reply.refusal.unwrap();
    assert_eq!(refusal.code, "ask/stale");
    assert!(!refusal.message.contains("lean"), "{refusal:?}");
    let refusal = game.refusal("answer 6.1 no");
    assert!(refusal.code.starts_with("script/"), "{refusal:?}");
    assert!(
        refusal
            .message
            .starts_with("log line 5 `lean` cannot be run again: ")
    );
    assert_eq!(
        open_question_numbers(&game).len(),
        1,
        "the question stays open"
    );
    let reply = submit_as(&mut game, "bo", "answer yes");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
}

#[test]
fn several_are_asked_at_once_and_one_behind_the_other() {
    let home = home_asking_by_mood();
    let mut game = play_three_lines(&home);
    game.text("both");
    let preview = game.text("revert 2");
    assert!(
        preview.contains("asks Bo: Sure? (yes or no, else no)"),
        "{preview}"
    );
    assert!(preview.contains("of 2 later rulings"), "{preview}");
    // The first answer comes with the command; two questions are left.
    game.text("revert 2 yes answer no");
    let asked = [
        ("6.2".to_owned(), "Ann".to_owned()),
        ("6.3".to_owned(), "Bo".to_owned()),
    ];
    assert_eq!(open_question_numbers(&game), asked);
    let reply = submit_as(&mut game, "bo", "answer yes");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    assert_eq!(open_question_numbers(&game), asked[..1]);
    let noted = game.last_operation();
    assert_eq!((&noted.what, noted.slot), (&What::Ruling, Some(6)));
    game.text("undo");
    assert_eq!(open_question_numbers(&game), asked);
    game.text("redo");
    submit_as(&mut game, "ann", "answer yes");
    assert_eq!(open_question_numbers(&game), []);
    assert!(matches!(
        game.last_operation().what,
        What::Revert { of: 2, .. }
    ));
    assert_eq!(game.text("= act:get('bo', 'both')"), "1");
    assert_eq!(game.text("= act:get('bo', 'sure')"), "2");
}

/// A ruling that waited in the past asks another question after its answer; the new question has
/// the same slot.
#[test]
fn a_further_question_behind_an_answer_of_then_waits_too() {
    let home = home_asking_by_mood();
    home.command(
        "twice",
        "local ask = function(key) return act:ask({ to = 'bo', key = key, type = 'YesNo', text = key }) end \
         local first = ask('first') if act:get('ann', 'mood') ~= 7 and not ask('second') then first = false end \
         act:set('bo', 'twice', if first then 1 else 2) return act:done('twice')",
    );
    let mut game = Game::of_program(&home, "mini");
    for line in ["set Ann mood 7", "twice", "for Bo: answer yes", "throw 1d6"] {
        game.line(line);
    }
    assert_eq!(game.text("= act:get('bo', 'twice')"), "1");
    assert_eq!(game.line("revert 2 yes").waits, Some(5));
    assert_eq!(
        open_question_numbers(&game),
        [("6.1".to_owned(), "Bo".to_owned())]
    );
    let reply = submit_as(&mut game, "bo", "answer no");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    assert!(matches!(&game.last_operation().what, What::Revert { changed, .. } if *changed == [4]));
    assert_eq!(game.text("= act:get('bo', 'twice')"), "2");
}

#[test]
fn an_answer_is_taken_back_alone_and_the_correction_with_its_answers() {
    let mut game = game_before_suspended_correction();
    let before = game.hash();
    game.line("revert 2 yes");
    let asked = game.hash();
    submit_as(&mut game, "bo", "answer no");
    let done = game.hash();
    for (line, hash) in [
        ("undo", asked),
        ("undo", before),
        ("redo", asked),
        ("redo", done),
    ] {
        game.text(line);
        assert_eq!(game.hash(), hash, "{line}");
    }
    // Line 6 is the answer: without it the correction waits again and accepts another answer.
    game.text("revert 6 yes");
    assert_eq!(game.hash(), asked);
    assert_bo_is_asked(&game);
    let reply = submit_as(&mut game, "bo", "answer yes");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    assert_eq!(game.text("= act:get('bo', 'sure')"), "1");
    // Line 5 began the correction: without it there is none.
    let told = game.text("revert 5 yes");
    assert!(
        told.starts_with("Left out: 5 `revert 2 yes` by gm."),
        "{told}"
    );
    assert!(
        told.contains("3  gm   heed     changed"),
        "what it changed is back: {told}"
    );
    assert_eq!(game.text("= act:get('ann', 'mood')"), "7");
    assert_eq!(open_question_numbers(&game), []);
    let back = game.solo.timeline().history().operations().len();
    game.text(&format!("revert {back} yes"));
    assert_eq!(game.text("= act:get('bo', 'sure')"), "1");
    assert_eq!(open_question_numbers(&game), []);
}

#[test]
fn while_a_correction_waits_the_past_may_change() {
    on_game_thread(|| {
        // Another ruling follows, and runs again too.
        let mut game = game_before_suspended_correction();
        game.line("revert 2 yes");
        game.text("throw 3d6");
        game.text("set Bo guard 5");
        submit_as(&mut game, "bo", "answer no");
        assert_eq!(game.text("= act:get('bo', 'guard')"), "5");
        assert_eq!(game.text("= act:get('bo', 'sure')"), "2");

        // The asking ruling is omitted, so nothing needs the answer.
        let mut game = game_before_suspended_correction();
        game.line("revert 2 yes");
        game.text("revert 3 yes");
        assert_bo_is_asked(&game);
        let refusal = game.refusal("answer 5.1 no");
        assert_eq!(refusal.code, "ask/stale");
        assert!(
            refusal.message.contains("it asked Bo `sure`")
                && refusal.message.ends_with("asks nothing"),
            "{refusal:?}"
        );
        assert!(
            refusal.hints[0].starts_with("`restart 5` runs it again from its start"),
            "{refusal:?}"
        );
        let stale = game::stale_rulings(game.solo.timeline());
        assert_eq!((stale[0].ruling_number, stale[0].op), (5, 7));
        game.text("restart 5");
        assert_eq!(open_question_numbers(&game), []);
        assert!(matches!(
            game.last_operation().what,
            What::Revert { of: 2, .. }
        ));

        // Another correction omits the same line.
        let mut game = game_before_suspended_correction();
        game.line("revert 2 yes");
        game.text("revert 2 yes answer yes");
        assert_bo_is_asked(&game);
        let refusal = game.refusal("answer 5.1 no");
        assert_eq!(refusal.code, "ask/stale");
        assert!(
            refusal.hints[0].ends_with("log line 2 was already reverted, by log line 6"),
            "{refusal:?}"
        );
        game.text("drop 5");
        assert_eq!(game.text("= act:get('bo', 'sure')"), "1");

        // A replacement in between changes the die but not the question.
        let mut game = game_before_suspended_correction();
        game.line("revert 2 yes");
        game.text("replace 2 yes with set Ann mood 7");
        submit_as(&mut game, "bo", "answer yes");
        assert_eq!(game.text("= act:get('bo', 'sure')"), "1");
    });
}

#[test]
fn two_corrections_wait_and_end_in_any_order() {
    on_game_thread(|| {
        for order in [["7.1", "8.1"], ["8.1", "7.1"]] {
            let home = home_asking_by_mood();
            home.command(
                "mind",
                "if act:get('bo', 'mood') == 7 then return act:done('calm') end \
                 act:set('bo', 'minds', if act:ask({ to = 'ann', key = 'mind', type = 'YesNo', text = 'Mind?' }) then 1 else 2) \
                 return act:done('minds')",
            );
            let mut game = Game::of_program(&home, "mini");
            for line in [
                "set Ann mood 7",
                "set Bo mood 7",
                "heed",
                "mind",
                "throw 2d6",
            ] {
                game.text(line);
            }
            game.line("revert 2 yes");
            game.line("revert 3 yes");
            let asked = [
                ("7.1".to_owned(), "Bo".to_owned()),
                ("8.1".to_owned(), "Ann".to_owned()),
            ];
            assert_eq!(open_question_numbers(&game), asked);
            for number in order {
                game.text(&format!("answer {number} yes"));
            }
            assert_eq!(open_question_numbers(&game), []);
            assert_eq!(game.text("= act:get('bo', 'minds')"), "1");
            assert_eq!(game.text("= act:get('bo', 'sure')"), "1");
            // The first ruling, the two asking rulings, and the throw.
            assert_eq!(
                game.solo.timeline().history().valid_ruling_seqs(),
                [1, 4, 5, 6]
            );
        }
    });
}

#[test]
fn a_replacement_waits_as_well() {
    let mut game = game_before_suspended_correction();
    let told = game.line("replace 2 yes with set Ann mood 5");
    assert_eq!(told.waits, Some(5));
    assert_eq!(game.text("= act:get('ann', 'mood')"), "7");
    let reply = submit_as(&mut game, "bo", "answer yes");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    assert_eq!(game.text("= act:get('ann', 'mood')"), "5");
    assert!(matches!(
        &game.last_operation().what,
        What::Replace { of: 2, .. }
    ));
    game.line("replace 6 yes with set Ann mood 7");
    assert_eq!(game.text("= act:get('ann', 'mood')"), "7");
    assert_eq!(open_question_numbers(&game), []);
}

#[test]
fn a_correction_continues_under_its_own_rules_or_the_present_ones() {
    on_game_thread(|| {
        for (line, note) in [("answer 5.1 no", "2"), ("finish 5", "1")] {
            let home = home_asking_by_mood();
            home.command("mark", "act:set('bo', 'mark', 1) return act:done('marked')");
            let mut game = play_three_lines(&home);
            game.line("replace 2 yes with mark");
            home.command("mark", "act:set('bo', 'mark', 2) return act:done('marked')");
            let reloaded = game.solo.session.reload(Compiled::default());
            assert!(
                matches!(reloaded, game::ReloadResult::Swapped { .. }),
                "{reloaded:?}"
            );
            let now = game.solo.timeline().rules();
            game.text(line);
            if line == "finish 5" {
                assert_bo_is_asked(&game);
                game.text("answer 5.1 no");
            }
            assert_eq!(open_question_numbers(&game), []);
            assert_eq!(game.text("= act:get('bo', 'mark')"), note, "{line}");
            assert!(
                std::rc::Rc::ptr_eq(&now, &game.solo.timeline().rules()),
                "{line}: the live rules stay"
            );
        }
    });
}

/// A die drawn before the question does not change when a salt is added later.
#[test]
fn dice_of_a_correction_that_waits_keep_the_salts_that_it_began_with() {
    let mut with_salt = game_before_suspended_correction();
    let mut without = game_before_suspended_correction();
    with_salt.line("revert 2 yes");
    without.line("revert 2 yes");
    submit_as(&mut with_salt, "ann", "salt one");
    with_salt.text("next");
    for game in [&mut with_salt, &mut without] {
        submit_as(game, "bo", "answer no");
    }
    assert_eq!(
        faces_of_operation(with_salt.last_operation()),
        faces_of_operation(without.last_operation())
    );
    assert_eq!(faces_of_operation(without.last_operation()).len(), 2);
}

#[test]
fn a_game_is_opened_again_while_a_correction_waits() {
    on_game_thread(|| {
        let home = home_asking_by_mood();
        let folder = home.path().join("game");
        let mut game = play_three_lines(&home);
        game.solo.save_in_folder(&folder, save_options()).unwrap();
        game.line("revert 2 yes");
        let asked = game.hash();
        drop(game);
        let reopened = || {
            let place = GameLocation {
                folder: &folder,
                home: home.home(),
                engine: EngineOptions::default(),
                under: RulesChoice::Recorded,
                read_only: false,
            };
            let (solo, _) = Solo::reopen(place, save_options(), &repl::COMMANDS).unwrap();
            Game { solo }
        };
        let mut game = reopened();
        assert_eq!(game.hash(), asked);
        assert_bo_is_asked(&game);
        let reply = submit_as(&mut game, "bo", "answer no");
        assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        let (done, told) = (game.hash(), game.text("why 6"));
        assert_eq!(
            told.replace('\n', " ").split(" - ").next(),
            Some(
                "Log line 6 is `answer no` by Bo: with it, log line 5 `revert 2 yes` by gm left out log line 2 `set \
                 Ann mood 7`. Changed since: 3."
            )
        );
        drop(game);
        let mut game = reopened();
        assert_eq!(game.hash(), done);
        let mut other = game_before_suspended_correction();
        other.text("revert 2 yes answer no");
        assert_eq!(other.hash(), done);
        game.text("undo");
        assert_eq!(game.hash(), asked);
    });
}
