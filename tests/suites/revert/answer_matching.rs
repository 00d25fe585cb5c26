//! Tests which question a later answer belongs to when the past changes. The seat, the rule, the
//! key and the ruling must match, but not the row.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::plain;
use host::game;
use host::game::Reply;
use host::store::What;

use crate::questions::home_with_toll_prompt;

/// Returns rules in which a ruling creates different rows unless Ann's mood is 7; then it asks Bo
/// twice and Ann once.
fn home_asking_by_mood() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "tolls",
        "local is_dear = act:get('ann', 'mood') ~= 7
         if is_dear then for count = 1, 3 do act:attach('ann', 'coin', { worth = count }) end end
         local options = if act:get('ann', 'guard') == 1 then { 'refuse' } else { 'pay', 'refuse' }
         local ask = function(to, key, price, from)
           act:prompt({ to = to, key = key, options = from or options, text = `{key} {price}?`, run = 'commands/paid',
             values = { who = to, price = price } })
         end
         if act:get('ann', 'guard') ~= 3 then ask('bo', 'toll', 4) ask('bo', 'toll', 5) end
         ask('ann', 'toll', 6)
         return if is_dear then 'Tolls are dear.' else 'Tolls are cheap.'",
    );
    home.write(
        "scripts/mini/commands/paid.luau",
        "return command { source = \"tests\", summary = \"goes on with a toll\", syntax = \"paid\",
           run = function(act, values, answer)
             act:set(values.who, 'note', `{act:get(values.who, 'note') or ''}{answer} {values.price};`)
             return act:done(answer, nil, act:get(values.who, 'name'))
           end }",
    );
    home
}

/// Returns a game with Ann's mood set in line 2 and the questions about tolls in line 3.
fn game_with_open_tolls() -> Game {
    let mut game = Game::of_program(&home_asking_by_mood(), "mini");
    game.text("set Ann mood 7");
    game.text("tolls");
    game
}

fn submit_as(game: &mut Game, by: &str, line: &str) -> Reply {
    let reply = game.solo.submit(by, line);
    assert!(reply.refusal.is_none(), "{by}: {line}: {:?}", reply.refusal);
    reply
}

/// Returns the rulings that the last correction changed, and those that it refused.
fn changed_and_refused_rulings(game: &Game) -> (Vec<u64>, Vec<u64>) {
    let last = game.last_operation();
    match &last.what {
        What::Revert {
            changed, refused, ..
        }
        | What::Replace {
            changed, refused, ..
        } => (changed.clone(), refused.clone()),
        other => panic!("{other:?}"),
    }
}

fn note_of(game: &mut Game, who: &str) -> String {
    game.text(&format!("= act:get('{who}', 'note')"))
}

fn open_questions_as_text(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| format!("{} {}", one.question.to, one.question.text))
        .collect()
}

#[test]
fn an_answer_is_of_who_was_asked_for_what_whatever_row_asks() {
    on_game_thread(|| {
        for line in ["revert 2 yes", "replace 2 yes with set Ann mood 5"] {
            let mut game = game_with_open_tolls();
            submit_as(&mut game, "bo", "answer 1 pay");
            submit_as(&mut game, "ann", "answer refuse");
            submit_as(&mut game, "bo", "answer 2 refuse");
            let (told, hash) = (note_of(&mut game, "bo"), game.hash());
            assert_eq!(told, "pay 4;refuse 5;");
            game.text(line);
            assert_eq!(
                changed_and_refused_rulings(&game),
                (vec![3], vec![]),
                "{line}"
            );
            assert_eq!(note_of(&mut game, "bo"), told, "{line}");
            assert_eq!(note_of(&mut game, "ann"), "refuse 6;", "{line}");
            assert_eq!(open_questions_as_text(&game), [""; 0], "{line}");
            game.text("undo");
            assert_eq!(game.hash(), hash);
        }
    });
}

#[test]
fn of_two_that_are_alike_the_order_tells_which() {
    on_game_thread(|| {
        let mut game = game_with_open_tolls();
        submit_as(&mut game, "bo", "answer 2 refuse");
        submit_as(&mut game, "bo", "answer 1 pay");
        game.text("revert 2 yes");
        assert_eq!(note_of(&mut game, "bo"), "refuse 5;pay 4;");
        assert_eq!(open_questions_as_text(&game), ["Ann toll 6?"]);
    });
}

/// The sender of a line replaces it; an answer is replaced by another answer.
#[test]
fn a_replacement_of_another_kind_is_told_what_to_write() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_toll_prompt(), "mini");
        for line in ["toll", "for Bo: answer refuse", "for Bo: mood ann"] {
            game.text(line);
        }
        let refusal = game.refusal("replace 3 with for Bo: answer pay");
        assert_eq!(refusal.code, "revert/no-ruling");
        let hint =
            "the new command is given by bo too, like log line 3: type `replace 3 with answer pay`";
        assert_eq!(refusal.hints, [hint]);
        let refusal = game.refusal("replace 3 with vote Ann");
        let hint = "log line 3 is an answer: `replace 3 with answer …` gives another one";
        assert!(refusal.hints.contains(&hint.to_owned()), "{refusal:?}");
    });
}

#[test]
fn a_question_that_was_given_up_stays_so() {
    on_game_thread(|| {
        let mut game = game_with_open_tolls();
        game.text("drop 3.1");
        submit_as(&mut game, "ann", "answer pay");
        game.text("revert 2 yes");
        assert_eq!(changed_and_refused_rulings(&game).1, [0; 0]);
        assert_eq!(open_questions_as_text(&game), ["Bo toll 5?"]);
    });
}

#[test]
fn an_answer_that_may_still_be_given_holds_where_others_may_not() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_asking_by_mood(), "mini");
        for line in ["set Ann mood 7", "set Ann guard 0", "tolls"] {
            game.text(line);
        }
        submit_as(&mut game, "bo", "answer 1 refuse");
        submit_as(&mut game, "ann", "answer pay");
        let preview = game.text("replace 3 with set Ann guard 1");
        assert!(preview.contains("Ann is asked again: toll 6?"), "{preview}");
        game.text("replace 3 yes with set Ann guard 1");
        assert_eq!(changed_and_refused_rulings(&game), (vec![4], vec![6]));
        assert_eq!(note_of(&mut game, "bo"), "refuse 4;");
        assert_eq!(open_questions_as_text(&game), ["Bo toll 5?", "Ann toll 6?"]);
    });
}

#[test]
fn whose_answer_falls_away_is_told_and_nobody_else() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_asking_by_mood(), "mini");
        for line in ["set Ann mood 7", "set Ann guard 0", "tolls"] {
            game.text(line);
        }
        submit_as(&mut game, "bo", "answer 1 pay");
        submit_as(&mut game, "ann", "answer refuse");
        // The question of line 4 to Bo no longer exists.
        let reply = game.line("replace 3 yes with set Ann guard 3");
        let said = |reply: Reply, who: &str| {
            let documents = reply.visible_to_giver(who).documents;
            documents.iter().map(plain).collect::<Vec<_>>().join("\n")
        };
        let told = said(reply.clone(), "gm");
        assert!(told.contains("Bo is not asked any more: toll 4?"), "{told}");
        let wanted = "Your answer \"pay\" to \"toll 4?\" does not count any more";
        let told = game.last_operation();
        let told = told.documents.iter().map(ToString::to_string);
        let told: Vec<String> = told.filter(|one| one.contains(wanted)).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        let seen = |who: &str| {
            let viewer = game::viewer_of_seat(game.solo.timeline(), who);
            let told = game::chronicle_for_viewer(
                game.solo.timeline(),
                &viewer,
                game::Corrections::LeftOut,
            )
            .unwrap()
            .document();
            plain(&told)
        };
        assert!(seen("bo").contains(wanted), "{}", seen("bo"));
        assert!(!seen("ann").contains("pay"), "{}", seen("ann"));
        let log = submit_as(&mut game, "bo", "log");
        let log: String = log.documents.iter().map(plain).collect();
        assert!(log.contains(wanted), "{log}");
        let post = submit_as(&mut game, "bo", "post for bo");
        let post: String = post.documents.iter().map(plain).collect();
        assert!(post.contains("\"toll 4?\" does not count any"), "{post}");
    });
}

#[test]
fn a_preview_speaks_as_the_game_does_and_shows_cells_only_where_they_are_asked_for() {
    on_game_thread(|| {
        let mut game = game_with_open_tolls();
        submit_as(&mut game, "bo", "answer 1 pay");
        let preview = game.text("revert 2");
        for wanted in ["Tolls are cheap.", "Tolls are dear.", "3 "] {
            assert!(preview.contains(wanted), "{wanted}: {preview}");
        }
        assert!(!preview.contains("attached to"), "{preview}");
        assert!(preview.contains("revert 2 details"), "{preview}");
        let details = game.text("revert 2 details");
        assert!(details.contains("attached to ann"), "{details}");
        let details = game.text("replace 2 details with set Ann mood 3");
        assert!(details.contains("mood: 7 -> 3"), "{details}");
    });
}

fn as_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the export of the whole game for one reader.
fn export_for(game: &Game, who: &str) -> String {
    let viewer = game::viewer_of_seat(game.solo.timeline(), who);
    let told =
        game::chronicle_for_viewer(game.solo.timeline(), &viewer, game::Corrections::LeftOut);
    as_one_line(&plain(&told.unwrap().document()))
}

/// The shipped village: if an answer loses its question, its sender alone reads this, in the game
/// and in the export.
#[test]
fn an_answer_that_falls_away_in_a_village_is_in_the_export_and_the_post_of_whoever_gave_it() {
    on_game_thread(|| {
        let home = Scratch::shipped("wwrf");
        let mut game = Game::of_program(&home, "wwrf");
        game.text("new game of Wolf, Seer, Villager with Ann, Bo, Cy anyway");
        let night = game.last_operation().seq + 1;
        game.text("next");
        let asked = game::open_questions(game.solo.timeline());
        let seer = asked[0].question.to.clone();
        assert_eq!(asked[0].question.text, "Whom do you look at tonight?");
        assert!(submit_as(&mut game, &seer, "answer Cy").refusal.is_none());
        game.text(&format!("revert {night} yes"));
        let wanted =
            "Your answer \"Cy\" to \"Whom do you look at tonight?\" does not count any more";
        let line = format!("post for {seer}");
        let post = game.text(&line);
        for of_seer in [export_for(&game, &seer), as_one_line(&post)] {
            assert!(of_seer.contains(wanted), "{of_seer}");
        }
        let others = ["Ann", "Bo", "Cy"].into_iter().filter(|one| *one != seer);
        for other in others.chain(["public"]) {
            let viewer = match other {
                "public" => host::doc::Viewer::Public,
                name => game::viewer_of_seat(game.solo.timeline(), name),
            };
            let told =
                game::chronicle_for_viewer(game.solo.timeline(), &viewer, game::Corrections::Told);
            let told = plain(&told.unwrap().document());
            assert!(!told.contains("does not count any more"), "{other}: {told}");
            assert!(!told.contains("Whom do you look at"), "{other}: {told}");
        }
        let post = game.text("post for public");
        assert!(!post.contains("Whom do you look at"), "{post}");
    });
}

/// The shipped village: if a poll was not open after a correction, the sender of the vote gets a
/// message.
#[test]
fn a_vote_that_falls_away_in_a_village_is_told_to_whoever_gave_it() {
    on_game_thread(|| {
        let home = Scratch::shipped("wwrf");
        let mut game = Game::of_program(&home, "wwrf");
        game.text("new game of Wolf, Seer, Villager with Ann, Bo, Cy anyway");
        let night = game.last_operation().seq + 1;
        game.text("next");
        game.text("next anyway");
        submit_as(&mut game, "Bo", "vote Cy in Lynch");
        let vote = game.last_operation().seq;
        game.text(&format!("revert {night} yes"));
        let (_, refused) = changed_and_refused_rulings(&game);
        assert!(refused.contains(&vote), "{refused:?}");
        let wanted = "Your line \"vote Cy in Lynch\" does not count any more.";
        assert!(
            export_for(&game, "Bo").contains(wanted),
            "{}",
            export_for(&game, "Bo")
        );
        for other in ["Ann", "Cy"] {
            assert!(
                !export_for(&game, other).contains("does not count"),
                "{other}"
            );
        }
        let post = game.text("post for Bo");
        assert!(
            post.replace('\n', " ").contains("does not count any more"),
            "{post}"
        );
        let last = game.last_operation().seq;
        assert_eq!(
            game.solo.verify_operation(last),
            game::ReplayComparison::NotRun
        );
    });
}
