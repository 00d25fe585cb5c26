//! Tests several clients of one session: each has its own fork and its own view.

use std::collections::BTreeSet;

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::plain;
use host::game::{Client, ClientPosition, Session, Stream};

/// Returns a home in which Ann, Bo and Cem vote on tea, and anybody may query the votes.
fn home_with_tea_vote() -> Scratch {
    let home = Scratch::with_listener_collections();
    home.write(
        "content/mini/people/cem.yaml",
        "source: the host's own tests\nname: Cem\nmood: 3\n",
    );
    home.command(
        "brew",
        "return poll.open(act, { key = 'tea', options = { 'green', 'black' }, voters = { 'ann', 'bo', 'cem' } })",
    );
    home.write(
        "scripts/mini/commands/prefer.luau",
        "return command { source = \"the host's own tests\", summary = \"votes\", syntax = \"prefer {option: Word}\",
           run = function(act, args)
             local ok, why = poll.vote(act, poll.list(act)[1], string.lower(act:by()), args.option)
             if not ok then return act:fail(why.code, why.message, why.hint) end
             return act:done(`noted`)
           end }",
    );
    home.write(
        "scripts/mini/commands/tally.luau",
        "return command { source = \"the host's own tests\", summary = \"counts\", syntax = \"tally\", query = \"tally\",
           run = function(act)
             local open = poll.list(act)
             if #open == 0 then return act:done(\"no poll\") end
             local tally = poll.count(act, open[1]).tally
             return act:done(`green {tally.green or 0}, black {tally.black or 0}`)
           end }",
    );
    home
}

/// Submits a line of a client, which must be answered, and returns the text that the client reads.
fn text_for_client(session: &mut Session, client: &mut Client, line: &str) -> String {
    let reply = session.submit(client, line);
    assert_eq!(reply.refusal, None, "{line}");
    let texts: Vec<String> = reply.documents.iter().map(plain).collect();
    texts.join(" ").trim().to_owned()
}

#[test]
fn a_look_at_the_past_a_fork_and_a_live_vote_do_not_disturb_each_other() {
    on_game_thread(|| {
        let game = Game::of_program(&home_with_tea_vote(), "mini");
        assert_eq!(game.findings(), "");
        let mut session = game.solo.session;
        let [mut looker, mut forker] = [Client::new("gm"), Client::new("gm")];
        let mut voters = ["ann", "bo", "cem"].map(Client::new);
        text_for_client(&mut session, &mut looker, "brew");
        let begun = session
            .timeline_at(&ClientPosition::Main)
            .history()
            .operations()
            .len();
        text_for_client(&mut session, &mut voters[0], "prefer green");

        text_for_client(&mut session, &mut looker, &format!("view {begun}"));
        text_for_client(&mut session, &mut forker, "fork try");
        text_for_client(&mut session, &mut voters[1], "prefer black");
        assert_eq!(
            text_for_client(&mut session, &mut looker, "tally"),
            "green 0, black 0"
        );
        assert_eq!(
            text_for_client(&mut session, &mut forker, "tally"),
            "green 1, black 0"
        );
        text_for_client(&mut session, &mut forker, "for cem: prefer green");
        text_for_client(&mut session, &mut forker, "for bo: prefer green");
        text_for_client(&mut session, &mut voters[2], "prefer black");

        assert_eq!(
            text_for_client(&mut session, &mut looker, "tally"),
            "green 0, black 0"
        );
        assert_eq!(
            text_for_client(&mut session, &mut forker, "tally"),
            "green 3, black 0"
        );
        for voter in &mut voters {
            assert_eq!(
                text_for_client(&mut session, voter, "tally"),
                "green 1, black 2"
            );
        }
        let refused = session.submit(&mut looker, "brew").refusal;
        assert_eq!(refused.expect("nothing is changed there").code, "look/past");

        assert_eq!(looker.at().past(), u64::try_from(begun).ok());
        assert_eq!(forker.at(), &ClientPosition::Fork("try".to_owned()));
        assert!(
            voters
                .iter()
                .all(|voter| *voter.at() == ClientPosition::Main)
        );
        text_for_client(&mut session, &mut looker, "view now");
        assert_eq!(
            text_for_client(&mut session, &mut looker, "tally"),
            "green 1, black 2"
        );
        let asked = session
            .timeline_at(&ClientPosition::Main)
            .history()
            .operations();
        assert_eq!(asked.len(), begun + 3, "only votes reach the game");
    });
}

#[test]
fn the_last_value_and_the_last_query_are_a_clients_own() {
    on_game_thread(|| {
        let game = Game::of_program(&home_with_tea_vote(), "mini");
        assert_eq!(game.findings(), "");
        let mut session = game.solo.session;
        let [mut one, mut other] = [Client::new("gm"), Client::new("gm")];
        text_for_client(&mut session, &mut one, "= 6 * 7");
        assert_eq!(text_for_client(&mut session, &mut other, "= _"), "nil");
        assert_eq!(text_for_client(&mut session, &mut one, "= _ + 1"), "43");
        text_for_client(&mut session, &mut one, "tally");
        text_for_client(&mut session, &mut other, "brew");
        assert_eq!(text_for_client(&mut session, &mut one, "post"), "no poll");
    });
}

#[test]
fn whoever_stands_at_a_fork_that_another_gives_up_is_told_before_anything_is_done() {
    on_game_thread(|| {
        let game = Game::of_program(&home_with_tea_vote(), "mini");
        let mut session = game.solo.session;
        let [mut one, mut other] = [Client::new("gm"), Client::new("gm")];
        text_for_client(&mut session, &mut one, "fork try");
        text_for_client(&mut session, &mut other, "fork drop try");
        let before = session
            .timeline_at(&ClientPosition::Main)
            .history()
            .operations()
            .len();
        let seen = session.lookahead(&one, Stream::new(1), "brew", |_, _| ());
        assert_eq!(seen.expect_err("it is gone").code, "fork/gone");
        let refused = session.submit(&mut one, "brew").refusal;
        assert_eq!(refused.expect("it is gone").code, "fork/gone");
        assert_eq!(one.at(), &ClientPosition::Main);
        let after = session
            .timeline_at(&ClientPosition::Main)
            .history()
            .operations()
            .len();
        assert_eq!(after, before);
        text_for_client(&mut session, &mut one, "brew");
    });
}

#[test]
fn whoever_looks_at_a_past_that_is_gone_neither_forks_nor_looks_ahead_from_the_present() {
    on_game_thread(|| {
        let game = Game::of_program(&home_with_tea_vote(), "mini");
        let mut session = game.solo.session;
        let [mut one, mut other] = [Client::new("gm"), Client::new("gm")];
        text_for_client(&mut session, &mut one, "fork try");
        text_for_client(&mut session, &mut one, "charm Ann with cheer");
        text_for_client(&mut session, &mut one, "charm Bo with cheer");
        text_for_client(&mut session, &mut one, "view 2");
        text_for_client(&mut session, &mut other, "fork drop try");
        text_for_client(&mut session, &mut other, "fork try");
        let seen = session.lookahead(&one, Stream::new(1), "throw 1d6", |_, _| ());
        assert_eq!(
            seen.expect_err("it is gone").code,
            "store/unknown-operation"
        );
        let refused = session.submit(&mut one, "fork there").refusal;
        assert_eq!(refused.expect("it is gone").code, "store/unknown-operation");
        let forks = text_for_client(&mut session, &mut other, "fork");
        assert!(!forks.contains("there"), "{forks}");
    });
}

#[test]
fn a_look_ahead_changes_nothing_and_says_nothing_of_the_faces_to_come() {
    on_game_thread(|| {
        let play = |looks: u64| {
            let mut game = Game::of_program(&home_with_tea_vote(), "mini");
            game.text("charm Ann with cheer");
            let (client, hash) = (game.solo.client.clone(), game.hash());
            let told = |dice| {
                let session = &mut game.solo.session;
                let said = session.lookahead(&client, dice, "throw 5d20", |there, reply| {
                    assert_ne!(there.history().operations().len(), 0);
                    reply.documents.iter().map(plain).collect::<String>()
                });
                said.expect("the host has no bug")
            };
            let seen: Vec<String> = (0..looks).map(Stream::new).map(told).collect();
            assert_eq!(game.hash(), hash);
            assert_eq!(game.live_ruling_numbers().len(), 1);
            (seen, game.text("throw 5d20"))
        };
        let (seen, thrown) = play(20);
        assert_eq!(thrown, play(0).1);
        assert!(
            !seen.contains(&thrown),
            "its dice are of the stream: {seen:?}"
        );
        let other: BTreeSet<&String> = seen.iter().collect();
        assert!(
            other.len() > 15,
            "each stream has faces of its own: {seen:?}"
        );
    });
}

#[test]
fn whoever_looks_at_the_past_looks_ahead_from_there() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_tea_vote(), "mini");
        game.text("charm Ann with cheer");
        game.text("view 1");
        let client = game.solo.client.clone();
        let session = &mut game.solo.session;
        let count = session.lookahead(&client, Stream::new(1), "throw 1d6", |there, reply| {
            assert_eq!(reply.refusal, None);
            there.history().operations().len()
        });
        assert_eq!(count, Ok(2));
        assert_eq!(game.live_ruling_numbers().len(), 1);
    });
}

#[test]
fn several_play_a_village_at_once() {
    on_game_thread(|| {
        let home = Scratch::shipped("wwrf");
        home.write(
            "content/wwrf/setups/pier.yaml",
            "source: the host's own tests\nname: Pier\nsummary: A wolf among villagers.\nplayers: { Ann: Wolf, Bo: Villager, Cy: Seer, Dee: Villager }\n",
        );
        let mut game = Game::of_program(&home, "wwrf");
        for line in ["new game Pier", "next", "next"] {
            game.text(line);
        }
        let mut session = game.solo.session;
        let [mut master, mut looker, mut forker] = [(); 3].map(|()| Client::new("gm"));
        let [mut bo, mut cy, mut dee] = ["Bo", "Cy", "Dee"].map(Client::new);
        text_for_client(&mut session, &mut bo, "vote Ann in Lynch");

        let now = session
            .timeline_at(&ClientPosition::Main)
            .history()
            .operations()
            .len();
        text_for_client(&mut session, &mut looker, &format!("view {now}"));
        text_for_client(&mut session, &mut forker, "fork try");
        text_for_client(&mut session, &mut cy, "vote Dee in Lynch");
        text_for_client(&mut session, &mut forker, "for Cy: vote Ann in Lynch");
        let told = text_for_client(&mut session, &mut forker, "next");
        assert!(told.contains("Ann was lynched"), "{told}");
        text_for_client(&mut session, &mut dee, "vote Bo in Lynch");
        text_for_client(&mut session, &mut bo, "vote Dee in Lynch");
        let told = text_for_client(&mut session, &mut master, "next");
        assert!(told.contains("Dee was lynched"), "{told}");

        let dead = |session: &mut Session, client: &mut Client| {
            let told = text_for_client(session, client, "players");
            let lines = told.lines().filter(|line| line.contains("dead"));
            let names = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
            names.collect::<Vec<_>>()
        };
        assert!(dead(&mut session, &mut looker).is_empty());
        assert_eq!(dead(&mut session, &mut forker), ["Ann"]);
        assert_eq!(dead(&mut session, &mut master), ["Dee"]);
    });
}
