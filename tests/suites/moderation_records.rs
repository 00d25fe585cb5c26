//! Tests the records of moderated games: disputes, rolls, fiats and lines for others after a game
//! is opened again, and their data for programs.

use arbiter_tests::{Game, Scratch, open_read_only};
use assert_cmd::Command;
use host::doc::{Viewer, plain};
use host::game;
use host::game::{Fate, Fiat, ReplayComparison, RulesChoice, Seed, SessionOptions, Solo};
use host::script::EngineOptions;
use repl::COMMANDS;
use serde_json::Value as Json;

use super::game_transfer;
use super::program::run_lines;

const GAME_LINES: &str = "for Ann: roll 2d6 for the lock\n\
    set ann mood 5 because the die fell\n\
    for Ann: dispute 1 the die fell\n\
    for Bo: dispute 1 I was away\n\
    settle 4 it counts\n\
    charm bo with gloom\n\
    undo\n\
    status\n";

fn arbiter_on_saved_game(home: &Scratch) -> Command {
    let arguments = ["run", "-", "--format", "json", "--keep-going"];
    let of_game = ["--ruleset", "mini", "--seed", "x", "--game", "games/one"];
    game_transfer::arbiter_in_home(home, &[&arguments[..], &of_game].concat())
}

fn open_saved_game(home: &Scratch) -> Solo {
    open_read_only(&home.path().join("games/one"), home, RulesChoice::Now)
}

#[test]
fn a_game_that_is_opened_again_knows_its_records() {
    let home = Scratch::mini();
    let (_, objects, talk) = run_lines(&mut arbiter_on_saved_game(&home), GAME_LINES);
    let mut solo = open_saved_game(&home);
    let rolls = game::rolls_for_viewer(solo.timeline(), &Viewer::Gm);
    let told: Vec<_> = rolls
        .iter()
        .map(|roll| {
            (
                roll.line,
                roll.purpose.as_str(),
                roll.formula.as_str(),
                roll.fate,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some(2), "the lock", "2d6", Fate::Counts),
            (Some(7), "gloom", "1d4", Fate::Seen),
        ],
        "{talk}"
    );
    let operations = solo.timeline().history().operations();
    let through: Vec<_> = operations
        .iter()
        .map(|one| one.through.as_deref())
        .collect();
    assert_eq!(through[1..4], [Some("gm"), None, Some("gm")]);
    let reason = Fiat::of(&operations[2]).and_then(|fiat| fiat.reason);
    assert_eq!(reason.as_deref(), Some("the die fell"));
    let disputes = game::disputes_for_viewer(solo.timeline(), &Viewer::Gm);
    let told: Vec<_> = disputes
        .iter()
        .map(|one| (one.line, one.about, one.by.as_str(), one.why.as_str()))
        .collect();
    // Bo was told the value and disputes it.
    assert_eq!(
        told,
        [
            (Some(4), Some(2), "Ann", "the die fell"),
            (Some(5), Some(3), "Bo", "I was away"),
        ]
    );
    let ruled = disputes.iter().map(|one| one.ruling.as_ref()?.line);
    assert_eq!(ruled.collect::<Vec<_>>(), [Some(6), None]);
    let chronicle =
        game::chronicle_for_viewer(solo.timeline(), &Viewer::Gm, game::Corrections::Told).unwrap();
    let events = chronicle.chapters.iter().flat_map(|one| &one.events);
    let told: Vec<_> = events
        .map(|one| (one.through.as_deref(), one.fate.as_str()))
        .collect();
    assert_eq!(
        told[1..3],
        [
            (Some("gm"), "disputed in 4, settled in 6"),
            (None, "disputed in 5, fiat: the die fell")
        ]
    );
    assert!(plain(&chronicle.ledger_tables()).contains("Ann (entered by gm)"));
    for number in [2, 3] {
        assert_eq!(
            solo.verify_operation(number),
            ReplayComparison::Same,
            "operation {number}"
        );
    }
    let status = objects.last().unwrap();
    assert_eq!(status["audience"], "gm");
    assert_eq!(status["data"]["clock"], "night 1, time 0s");
    assert_eq!(status["data"]["disputes"][0]["by"], "Bo");
    assert_eq!(status["data"]["disputes"][1], serde_json::Value::Null);
    assert_eq!(status["data"]["rulings"][1]["through"], "gm");
}

#[test]
fn a_seat_has_no_more_open_disputes_than_a_moderator_can_read() {
    let home = Scratch::mini();
    let options = SessionOptions {
        home: home.home(),
        ruleset: "mini".to_owned(),
        seed: Seed::from_text("records"),
        engine: EngineOptions::default(),
    };
    let (mut solo, _) = Solo::start(options, &COMMANDS).unwrap();
    let code = |solo: &mut Solo, line: &str| {
        let reply = solo.submit("Ann", line);
        reply.refusal.map(|refusal| refusal.code.to_string())
    };
    for _ in 0..21 {
        assert_eq!(code(&mut solo, "roll d6"), None);
    }
    for line in 1..=20 {
        assert_eq!(code(&mut solo, &format!("dispute {line} no")), None);
    }
    let more = code(&mut solo, "dispute 21 no");
    assert_eq!(more.as_deref(), Some("limit/size"));
    assert_eq!(
        game::disputes_for_viewer(solo.timeline(), &Viewer::Gm).len(),
        20
    );
    assert_eq!(code(&mut solo, "settle 20 it was"), None);
    assert_eq!(code(&mut solo, "dispute 21 no"), None);
    let long = format!("dispute 20 {}", "x".repeat(1_001));
    assert_eq!(code(&mut solo, "settle 21 it was"), None);
    assert_eq!(code(&mut solo, &long).as_deref(), Some("limit/size"));
}

#[test]
fn what_is_known_of_a_game_is_for_whoever_asks_and_no_post_tells_it() {
    let home = Scratch::mini();
    run_lines(&mut arbiter_on_saved_game(&home), GAME_LINES);
    let looks = [
        "log",
        "log fiat",
        "log by nobody",
        "log rolls",
        "log rolls for nothing",
        "log disputes",
        "status",
        "questions",
        "always",
        "plan mode",
        "why ann.mood",
    ];
    for (seat, audience) in [("gm", "gm"), ("Ann", "Ann")] {
        for look in looks {
            let lines = format!("as {seat}\n{look}\npost\n");
            let (_, objects, _) = run_lines(&mut arbiter_on_saved_game(&home), lines);
            let told = objects.iter().filter(|one| one["audience"].is_string());
            // After the messages about opening the game.
            for one in told.skip(1) {
                assert_eq!(one["audience"], audience, "{look}: {one}");
            }
            // Neither the query, nor anything else in its place.
            let posts = objects.iter().filter(|one| one["data"]["post"].is_u64());
            assert_eq!(posts.count(), 0, "{look}");
            let refused = |one: &&Json| one["error"]["code"] == "post/nothing-said";
            assert_eq!(objects.iter().filter(refused).count(), 1, "{look}");
        }
    }
}

#[test]
fn a_table_that_was_said_is_a_table_in_the_log_of_whoever_was_told_it() {
    let home = Scratch::mini();
    home.command(
        "deal",
        "act:say(\"Ann\", { { heading = \"Your hand\" }, \"You hold:\",
      { columns = { \"card\", \"worth\" }, table = { { \"gull\", \"3\" }, { \"eel\", \"12\" } } } })",
    );
    let mut game = Game::of_program(&home, "mini");
    game.text("deal");
    let log = |game: &mut Game, by: &str| {
        let reply = game.solo.submit(by, "log");
        let shown = plain(&reply.documents[0]);
        shown
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        log(&mut game, "Ann"),
        [
            "no.  command  result",
            "───  ───────  ──────────────────────────────",
            "  1           Your hand: You hold: (a table)",
            "",
            "line 1",
            "card  worth",
            "────  ─────",
            "gull  3",
            "eel   12",
        ]
    );
    assert!(!log(&mut game, "gm").concat().contains("gull"));
    assert!(!log(&mut game, "Bo").concat().contains("gull"));
}
