//! This module gives lines for seats and shows that a seat is told nothing of what goes wrong inside the rules, of dice
//! that others rolled, and of what others wait for; the game master is told all of it.

use arbiter_tests::Scratch;
use serde_json::Value as Json;

use super::program::{arbiter, run};

/// Plays lines in the harbour; returns what was written for each line, the answers to `as` left out.
fn told(home: &Scratch, lines: &str) -> (Vec<Json>, String) {
    let mut command = arbiter();
    command.args(["run", "-", "--ruleset", "harbour", "--format", "json"]);
    command.args(["--keep-going", "--seed", "seat", "--home"]);
    let (_, objects, talk) = run(command.arg(home.path()), lines);
    (objects, talk)
}

fn refusals(objects: &[Json]) -> Vec<&Json> {
    let errors = objects.iter().map(|one| &one["error"]);
    errors.filter(|error| error.is_object()).collect()
}

/// A custom that tells a secret wherever it can when somebody strikes, and then breaks.
fn faulty() -> Scratch {
    let home = Scratch::harbour();
    home.write(
        "scripts/harbour/customs/treason.luau",
        "return custom {
  source = 'tests', summary = 'breaks',
  on = { striking = function(act) print('the shade is Bo') error('the shade is Bo') end },
}",
    );
    home
}

#[test]
fn a_seat_is_told_nothing_of_a_rule_that_breaks() {
    let (objects, talk) = told(
        &faulty(),
        "next\nas Ann\nI strike Dot\nwhy not I strike Dot\n",
    );
    let all = format!("{objects:?} {talk}");
    for secret in ["shade is Bo", "treason", "customs", "luau", "chain"] {
        assert!(!all.contains(secret), "{secret} in {all}");
    }
    let refused = refusals(&objects);
    assert_eq!(refused[0]["code"], "script/error", "{all}");
    assert_eq!(
        refused[0]["message"],
        "a rule of the game goes wrong here, so that nothing was done"
    );
    let (objects, talk) = told(&faulty(), "next\nlet Ann strike Dot\n");
    let all = format!("{objects:?} {talk}");
    for part in ["the shade is Bo", "customs/treason.luau", "chain of events"] {
        assert!(all.contains(part), "{part} in {all}");
    }
}

/// A blow waits for the parry of somebody, and meanwhile the one who strikes is put out.
const OVERTAKEN: &str =
    "next\nlay parry on Dot\ndice next 19\nas Ann\nI strike Dot\nas gm\nset ann state out\n";

#[test]
fn a_ruling_that_cannot_go_on_names_its_dice_to_the_game_master_alone() {
    let home = Scratch::harbour();
    let (objects, talk) = told(
        &home,
        &format!("{OVERTAKEN}as Dot\nanswer yes\nwhy not answer yes\n"),
    );
    let refused = refusals(&objects);
    assert_eq!(refused[0]["code"], "ask/stale", "{objects:?}");
    for secret in ["to%20hit", "d20", "restart", "drop 5"] {
        assert!(
            !format!("{refused:?} {talk}").contains(secret),
            "{secret} in {refused:?}"
        );
    }
    let (objects, _) = told(&home, &format!("{OVERTAKEN}answer yes\n"));
    let refused = refusals(&objects);
    let (message, hints) = (
        refused[0]["message"].to_string(),
        refused[0]["hints"].to_string(),
    );
    assert!(message.contains("to%20hit/ann/1"), "{message}");
    assert!(
        hints.contains("it would be refused now: Ann is out"),
        "{hints}"
    );
    assert!(
        hints.contains("drop 5") && !hints.contains("finish"),
        "{hints}"
    );
}

#[test]
fn a_rule_that_refuses_after_an_answer_says_why_to_others_than_who_answered() {
    let home = Scratch::harbour();
    home.write(
        "scripts/harbour/commands/bargain.luau",
        "return command {
  source = 'tests', summary = 'asks, and refuses', syntax = 'bargain',
  run = function(act)
    act:ask({ to = 'Dot', key = 'deal', type = 'YesNo', text = 'Deal?' })
    return act:fail('harbour/shade', 'Bo is the shade')
  end,
}",
    );
    let lines = "bargain\nas Dot\nanswer yes\nlog\nwhy 2\nas gm\nlog\n";
    let (objects, _) = told(&home, lines);
    assert_eq!(refusals(&objects)[0]["code"], "ask/stale", "{objects:?}");
    let (own, others) = objects.split_at(objects.len() - 1);
    assert!(!format!("{own:?}").contains("hade"), "{own:?}");
    assert!(
        format!("{others:?}").contains("harbour/shade"),
        "{others:?}"
    );
}

#[test]
fn who_drops_a_ruling_tells_whoever_gave_it_and_nobody_else() {
    let home = Scratch::harbour();
    let lines = format!("{OVERTAKEN}drop\nas Eve\nlog\nas Dot\nlog\nas Ann\nlog\n");
    let (objects, _) = told(&home, &lines);
    let texts: Vec<&str> = objects
        .iter()
        .filter_map(|one| one["text"].as_str())
        .collect();
    let [.., eve, dot, ann] = texts[..] else {
        panic!("{texts:?}");
    };
    assert!(texts.contains(&"dropped: 5 I strike Dot"), "{texts:?}");
    assert!(!eve.contains("drop") && !eve.contains("strike"), "{eve}");
    assert!(!dot.contains("drop"), "{dot}");
    assert!(
        ann.contains("your command is given up: I strike Dot"),
        "{ann}"
    );
}

#[test]
fn a_seat_cannot_find_out_what_waits_for_others() {
    let home = Scratch::harbour();
    home.several_at_a_time();
    let twice = "next\nlay parry on Dot\nlay parry on Cai\ndice next 19 19\nlet Eve go to square\nlet Cai go to square\n\
                 let Eve strike Dot\nlet Eve strike Cai\n";
    let (objects, _) = told(&home, &format!("{twice}drop\n"));
    let hints = refusals(&objects)[0]["hints"].to_string();
    assert!(hints.contains("let Eve strike Cai"), "{objects:?}");
    for line in ["drop", "restart", "finish", "drop 99"] {
        for before in ["", "next\n", twice] {
            let (objects, _) = told(&home, &format!("{before}as Fin\n{line}\n"));
            let refused = refusals(&objects);
            assert_eq!(refused[0]["code"], "ask/not-yours", "{line}: {objects:?}");
            assert_eq!(refused[0]["hints"], serde_json::json!([]), "{line}");
        }
    }
}
