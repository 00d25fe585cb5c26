//! Tests `why`: situations with expected answers in `why.txt`. A seat gets nothing from which it
//! could learn a secret.

use host::game;
use std::fs;

use arbiter_tests::{Game, Scratch, explain_why, explain_why_not, files_below, project};
use host::doc::{Viewer, for_viewer, json, plain};
use host::game::{CommandEffect, HostCommand, PlanExtent, ReplayComparison, Reply};
use host::script::Compiled;
use proptest::prelude::*;

mod earlier_rules;

/// The situations and expected answers: `> ` is a line, `! ` changes the rules, all other lines are
/// answers.
pub(crate) const SITUATIONS: &str = include_str!("why.txt");

/// A home with the toy ruleset of these tests.
pub(crate) fn home_with_why_rules() -> Scratch {
    let home = Scratch::mini();
    for part in ["scripts/mini", "content/mini"] {
        fs::remove_dir_all(home.path().join(part)).unwrap();
        let ours = project().join("tests/why");
        for file in files_below(&ours.join(part)) {
            let path = file
                .strip_prefix(&ours)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            home.write(&path, fs::read(&file).unwrap());
        }
    }
    home
}

/// Returns the commands of the program without those that clash with words of this ruleset.
fn commands_without_clashes() -> &'static [HostCommand] {
    let moves = repl::COMMANDS
        .into_iter()
        .filter(|command| matches!(command.kind.effect(), CommandEffect::Moves(_)));
    Vec::leak(moves.collect())
}

fn answer_to_line(game: &mut Game, line: &str) -> String {
    let asked = line.strip_prefix("why not ").map(|rest| (true, rest));
    let asked = asked.or_else(|| line.strip_prefix("why ").map(|rest| (false, rest)));
    let answer = match asked {
        Some((true, rest)) => explain_why_not(&mut game.solo, "gm", rest),
        Some((false, rest)) => explain_why(&mut game.solo, "gm", rest),
        None => {
            let _ = match line {
                "undo" => game::undo_last_ruling(game.solo.timeline_mut(), "gm"),
                "step" => game.solo.run_as_line(("gm", line), |timeline, ruling| {
                    game::move_game_on(timeline, PlanExtent::Step, ruling)
                }),
                "next" => game.solo.run_as_line(("gm", line), |timeline, ruling| {
                    game::move_game_on(timeline, PlanExtent::Rest, ruling)
                }),
                line if line.starts_with("answer ") => {
                    game.solo.run_as_line(("gm", line), |timeline, ruling| {
                        game::take_typed_answer(timeline, ruling, &line["answer ".len()..])
                    })
                }
                line => game.line(line),
            };
            return String::new();
        }
    };
    match answer {
        Ok(document) => plain(&document).trim_end().to_owned() + "\n",
        Err(refusal) => format!(
            "{}: {}\n{}\n",
            refusal.code,
            refusal.message,
            refusal.hints.join("\n")
        ),
    }
}

#[test]
fn every_situation_names_the_rule_the_file_and_the_line() {
    let home = home_with_why_rules();
    let mut game = Game::with_commands(&home, "mini", commands_without_clashes());
    let mut actual = String::new();
    for line in SITUATIONS.lines() {
        if let Some(line) = line.strip_prefix("> ") {
            actual.push_str(&format!("> {line}\n{}", answer_to_line(&mut game, line)));
        } else if let Some((file, change)) = line
            .strip_prefix("! ")
            .and_then(|rest| rest.split_once(": "))
        {
            let (old, new) = change.split_once(" => ").unwrap();
            home.edit(file, old, new);
            game.solo.session.reload(Compiled::default());
            actual.push_str(&format!("{line}\n"));
        } else if line.starts_with('#')
            || line.is_empty() && actual.ends_with('\n') && !actual.is_empty()
        {
            actual.push_str(&format!("{line}\n"));
        }
    }
    let expected: Vec<&str> = SITUATIONS.lines().filter(|line| !line.is_empty()).collect();
    let actual: Vec<&str> = actual.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        expected == actual,
        "the answers are:\n{}",
        actual.join("\n")
    );
    let asked = expected
        .iter()
        .filter(|line| line.starts_with("> why"))
        .count();
    assert!(asked >= 20, "{asked} situations");
}

#[test]
fn what_a_handler_makes_of_an_event_stands_below_it() {
    let home = home_with_why_rules();
    let file = "scripts/mini/commands/kind.luau";
    home.edit(file, "tone = \"kind\"", "tone = \"kind\", force = 4");
    home.edit(
        "scripts/mini/whims/watchful.luau",
        "act:test(",
        "event.force -= 1\n      event.seen = bearer\n      act:test(",
    );
    let mut game = Game::of(&home);
    for line in ["whim bo watchful", "whim bo watchful", "kind"] {
        game.text(line);
    }
    let at = "at mini/whims/watchful.luau:6";
    let told = answer_to_line(&mut game, "why 4");
    let told: Vec<&str> = told.lines().map(str::trim).collect();
    let first = told
        .iter()
        .position(|line| line.contains("whim#1 handles greet"));
    let below = &told[first.unwrap()..];
    let below: Vec<&&str> = below
        .iter()
        .filter(|line| !line.contains("fails:"))
        .collect();
    let expected = [
        "- whims/watchful of whim#1 handles greet".to_owned(),
        format!("- event.force: 4 -> 3 {at}"),
        format!("- event.seen: nothing -> bo {at}"),
        "- whims/watchful of whim#2 handles greet".to_owned(),
        format!("- event.force: 3 -> 2 {at}"),
    ];
    assert!(
        below.iter().zip(&expected).all(|(line, one)| **line == one),
        "{below:#?}"
    );
    assert_eq!(game.solo.verify_operation(4), ReplayComparison::Same);
    let for_bo = plain(&explain_why(&mut game.solo, "bo", "bo.rung").unwrap());
    assert!(!for_bo.contains("event."), "{for_bo}");
}

#[test]
fn what_became_of_a_ruling_that_waited_is_said_of_it() {
    let mut game = Game::of_program(&home_with_why_rules(), "mini");
    let slot = |game: &mut Game| game.line("offer").waits.unwrap();
    let second = |game: &mut Game, number: usize| {
        let answer = answer_to_line(game, &format!("why {number}"));
        answer.lines().nth(1).unwrap_or_default().to_owned()
    };
    let one = slot(&mut game);
    let first = game.solo.timeline().history().operations().len();
    assert_eq!(second(&mut game, first), "It is waiting for an answer.");
    let anew = game
        .solo
        .run_as_line(("gm", "restart"), |timeline, ruling| {
            game::restart_ruling(timeline, one, ruling)
        });
    assert_eq!(anew.refusal, None);
    let began = format!(
        "It waited; log line {} `restart` by gm ran it again from its start.",
        first + 1
    );
    assert_eq!(second(&mut game, first), began);
    let dropped = game.solo.run_as_line(("gm", "drop"), |timeline, ruling| {
        game::drop_waiting_ruling(timeline, one, ruling)
    });
    assert_eq!(dropped.refusal, None);
    assert_eq!(second(&mut game, first), began);
    let gone = format!(
        "It waited; log line {} `drop` by gm cancelled it.",
        first + 2
    );
    assert_eq!(second(&mut game, first + 1), gone);
    game.undo();
    assert_eq!(second(&mut game, first + 1), "It is waiting for an answer.");
    game.undo();
    game.undo();
    assert_eq!(second(&mut game, first), "It waited for an answer.");
}

#[test]
fn what_the_host_wrote_is_no_deed_of_whoever_is_asked_next() {
    let home = home_with_why_rules();
    home.edit(
        "scripts/mini/ruleset.luau",
        "  clock = {",
        "  seats = function(act)\n    local seats = {}\n    for _, person in act:rows({ kind = \"person\" }, { \"name\" }) do\n      \
         seats[person.name] = {}\n    end\n    return seats\n  end,\n  clock = {",
    );
    home.edit("scripts/mini/plans/dawn.luau", "to = \"gm\"", "to = \"Bo\"");
    let mut game = Game::with_commands(&home, "mini", commands_without_clashes());
    for line in ["step", "next", "answer owe"] {
        answer_to_line(&mut game, line);
    }
    let length = game.solo.timeline().history().operations().len();
    let told = answer_to_line(&mut game, &format!("why {length}"));
    assert!(told.contains("- prompt#2 removed\n"), "{told}");
}

#[test]
fn looking_leaves_no_trace_and_dice_are_those_of_then() {
    let mut game = Game::of(&home_with_why_rules());
    game.text("lot");
    let (hash, length) = (
        game.hash(),
        game.solo.timeline().history().operations().len(),
    );
    for line in [
        "why 2",
        "why ann",
        "why ann.won",
        "why not lot",
        "why not crash",
        "why not kind",
    ] {
        let first = answer_to_line(&mut game, line);
        assert_eq!(first, answer_to_line(&mut game, line), "{line}");
    }
    assert_eq!(
        (
            game.hash(),
            game.solo.timeline().history().operations().len()
        ),
        (hash, length)
    );
    let input = game.solo.timeline().history().operation(2).unwrap().inputs[0].clone();
    let address = input.get("address").to_string();
    assert!(answer_to_line(&mut game, "why 2").contains(&address));
    assert!(!answer_to_line(&mut game, "why not lot").contains(&format!("({address} ")));
}

#[test]
fn typed_dice_are_the_same_when_an_operation_is_explained() {
    let mut game = Game::of(&home_with_why_rules());
    let dice = [
        game::HandDie {
            face: 2,
            sides: None,
        },
        game::HandDie {
            face: 1,
            sides: None,
        },
    ];
    game.solo
        .run_as_line(("gm", "dice next 2 1"), |timeline, ruling| {
            game::make_host_ruling(timeline, ruling, |state| {
                game::keep_hand_dice(state, &dice).map_err(|error| error.to_diagnostic())?;
                Ok(Vec::new())
            })
        });
    game.text("charm ann with gloom");
    let said = answer_to_line(&mut game, "why 3");
    assert!(
        said.contains("rolled 1d4: 2") && !said.contains("something else"),
        "{said}"
    );
}

/// The lines of Ann in a game.
const LINES_OF_ANN: [&str; 5] = [
    "charm ann with gloom",
    "peek",
    "charm bo with cheer",
    "trial",
    "charm nobody with cheer",
];

/// The queries of Ann.
const QUERIES_OF_ANN: [&str; 9] = [
    "show",
    "show ann",
    "show bo",
    "mood bo",
    "show shade#3",
    "dice",
    "undo",
    "= act:get('bo', 'fate')",
    "log",
];

/// Returns all text of a game that Ann can get, with the answers to these lines.
fn everything_ann_sees(game: &mut Game, lines: &[&str]) -> String {
    let viewer = Viewer::seat("Ann", []);
    let mut seen = String::new();
    let mut add = |reply: &Reply| {
        for document in reply
            .documents
            .iter()
            .filter_map(|one| for_viewer(one, &viewer))
        {
            seen.push_str(&format!("{}{}", plain(&document), json(&document, None)));
        }
        seen.push_str(
            &reply
                .refusal
                .as_ref()
                .map_or_else(String::new, |one| format!("{one:?}")),
        );
    };
    for line in lines {
        add(&game.solo.submit("Ann", line));
    }
    for text in [
        "ann", "bo", "ann.mood", "bo.mood", "bo.luck", "ann.luck", "ann.fate", "shade#2",
        "shade#4", "charm#1", "charm#3", "charm#4", "nobody", "1", "2", "3", "4", "99",
    ] {
        add(&match explain_why(&mut game.solo, "Ann", text) {
            Ok(document) => Reply::document(document),
            Err(refusal) => Reply::refused(*refusal),
        });
    }
    for text in ["trial", "peek", "bo.fate", "ann.mood", "veil 3"] {
        add(&match explain_why_not(&mut game.solo, "Ann", text) {
            Ok(document) => Reply::document(document),
            Err(refusal) => Reply::refused(*refusal),
        });
    }
    for entry in game::log_entries(game.solo.timeline(), &viewer) {
        let command = if entry.is_own {
            &*entry.operation.command
        } else {
            ""
        };
        seen.push_str(&format!(
            "{} {command} {:?}\n",
            entry.number, entry.documents
        ));
    }
    seen
}

#[test]
fn a_seat_learns_what_it_may_and_no_more() {
    let mut game = Game::of(&home_with_why_rules());
    game.line("veil 7");
    let seen = everything_ann_sees(&mut game, &LINES_OF_ANN)
        + &everything_ann_sees(&mut game, &QUERIES_OF_ANN);
    for known in [
        "You see nothing.",
        "The wind turns.",
        "mini/closed",
        "Ann.luck shows 0",
        "you are not allowed to see Bo.luck",
    ] {
        assert!(seen.contains(known), "{known} is missing in:\n{seen}");
    }
    for secret in [
        "fate 7",
        "depth",
        "luck 7",
        "ann peeks",
        "1d20",
        "Ann.fate shows",
    ] {
        assert!(!seen.contains(secret), "{secret} is in:\n{seen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(
        one in 0_u32..100,
        other in 0_u32..100,
        later in 0_usize..3,
    ) {
        let home = home_with_why_rules();
        let play = |number: u32, times: usize| {
            let mut game = Game::of_program(&home, "mini");
            game.line(&format!("veil {number}"));
            game.line(&format!("set bo fate {number}"));
            game.line("set bo fate + 2");
            game.line("show bo");
            game.line(&format!("dice next {}", number + 1));
            game.line("dice clear");
            let mut seen = everything_ann_sees(&mut game, &LINES_OF_ANN);
            for _ in 0..times {
                game.line("hum");
            }
            seen.push_str(&everything_ann_sees(&mut game, &QUERIES_OF_ANN));
            seen
        };
        prop_assert_eq!(play(one, 0), play(other, later));
    }
}
