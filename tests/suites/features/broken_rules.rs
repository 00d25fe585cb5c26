//! This module breaks rules of shipped encounters: an effect, what a condition of a feature asks for, a duration, a condition
//! of a creature. The attack goes on without it, if the game master says so.

use arbiter_tests::{Game, Scratch};
use host::doc::plain;
use host::game;
use host::game::Reply;

/// What is broken and how, what leads to it, and what of the rule is named.
struct Planted {
    file: &'static str,
    before: &'static str,
    lines: &'static [&'static str],
    rule: &'static str,
    /// What is said although the rule broke.
    goes_on: &'static str,
}

const ALL: [Planted; 4] = [
    Planted {
        file: "scripts/features/effects/weapon_dice.luau",
        before: "    local attack = event and event.attack",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning; feature brute",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "turn Ann",
            "dice next d20:15 d4:2 d4:3",
            "attack Bo",
        ],
        rule: "the rule features/brute:1 (brute of Ann, subfeature 1)",
        goes_on: "Bo takes",
    },
    Planted {
        file: "scripts/features/functions/distance.luau",
        before: "    if first == POINT then",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning",
            "add Ember at 5,0 on B: HP 60; AC 5; feature heated body (1, 10)",
            "turn Ann",
            "dice next d20:15 d4:2",
            "attack Ember",
        ],
        rule: "the rule features/heated_body:2 (heated body of Ember, subfeature 2)",
        goes_on: "Ember takes",
    },
    Planted {
        file: "scripts/features/durations/start_of_next_turn.luau",
        before: "    return { ends = { { turn = \"start\"",
        lines: &[
            "add Reeker at 5,0 on B: HP 36; AC 13; feature stench (30, 5)",
            "add Ann at 0,0 on A: HP 30; AC 12",
            "turn Ann",
        ],
        rule: "the rule features/stench:1 (stench of Reeker, subfeature 1)",
        goes_on: "Ann's turn.",
    },
    Planted {
        file: "scripts/features/conditions/prone.luau",
        before: "    if not list.has(roll.classes, \"attack\") then",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "condition Bo prone",
            "turn Ann",
            "dice next d20:15 d4:2",
            "attack Bo",
        ],
        rule: "the rule conditions/prone (PRONE of Bo)",
        goes_on: "Bo takes",
    },
];

/// Returns a game before its last line, in which a rule breaks then.
fn planted(one: &Planted) -> (Scratch, Game, &'static str) {
    let home = Scratch::shipped("features");
    home.edit(
        one.file,
        one.before,
        &format!("    error(\"boom\")\n{}", one.before),
    );
    let mut game = Game::of_program(&home, "features");
    let (last, lines) = one.lines.split_last().unwrap();
    for line in lines {
        let reply = game.line(line);
        assert_eq!(reply.refusal, None, "{line}");
    }
    (home, game, last)
}

fn asked(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| one.question.text.replace('\n', " "))
        .collect()
}

fn said(reply: &Reply) -> String {
    assert_eq!(reply.refusal, None);
    reply.documents.iter().map(plain).collect()
}

#[test]
fn an_encounter_goes_on_without_a_rule_that_breaks() {
    for one in &ALL {
        let (_home, mut game, last) = planted(one);
        let before = game.hash();
        game.line(last);
        let mut answers = 0;
        let mut told = String::new();
        while let Some(text) = asked(&game).first().cloned() {
            assert!(text.starts_with(one.rule), "{text}");
            assert!(
                text.contains(&format!(" breaks at {}:", one.file)),
                "{text}"
            );
            assert!(text.contains(": boom."), "{text}");
            told = said(&game.line("answer skip"));
            answers += 1;
            assert!(answers < 5, "{}", one.rule);
        }
        assert!(answers > 0, "{} does not break", one.rule);
        assert!(told.contains(one.goes_on), "{}: {told}", one.rule);
        game.holds();
        for _ in 0..=answers {
            game.undo();
        }
        assert_eq!(game.hash(), before, "{}", one.rule);
    }
}

#[test]
fn the_whole_attack_is_taken_back_if_the_game_master_says_so() {
    for one in &ALL {
        let (_home, mut game, last) = planted(one);
        let before = game.hash();
        game.line(last);
        let refusal = game.line("answer stop").refusal.unwrap();
        assert_eq!(refusal.message, "boom", "{}", one.rule);
        assert_eq!(game.hash(), before, "{}", one.rule);
        game.holds();
    }
}

#[test]
fn where_nobody_is_there_the_attack_is_refused_with_its_place() {
    for one in &ALL {
        let (_home, mut game, last) = planted(one);
        game.solo.session.responders_mut().attended = false;
        let before = game.hash();
        let refusal = game.refusal(last);
        assert_eq!(refusal.place.unwrap().source.name(), one.file);
        assert_eq!(game.hash(), before, "{}", one.rule);
    }
}
