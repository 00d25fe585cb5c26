//! Tests that a seat learns nothing of errors inside the rules, of the dice of others, and of
//! questions to others. The game master learns all of it.

use std::collections::BTreeSet;
use std::fs;

use arbiter_tests::{Scratch, files_below, project};
use host::diag::Diagnostic;
use host::game::Reply;
use serde_json::Value as Json;

use super::program::{arbiter_in_project, run_lines};

/// Plays lines in the harbour; returns the objects of each line, without the answers to `as`, and
/// the error output.
fn play_harbour_lines(home: &Scratch, lines: &str) -> (Vec<Json>, String) {
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "harbour", "--format", "json"]);
    command.args(["--keep-going", "--seed", "seat", "--home"]);
    let (_, objects, talk) = run_lines(command.arg(home.path()), lines);
    (objects, talk)
}

fn refusals_in_objects(objects: &[Json]) -> Vec<&Json> {
    let errors = objects.iter().map(|one| &one["error"]);
    errors.filter(|error| error.is_object()).collect()
}

/// Returns a harbour with a custom that writes a secret into all messages at each strike, and then
/// breaks.
fn home_with_faulty_custom() -> Scratch {
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
    let (objects, talk) = play_harbour_lines(
        &home_with_faulty_custom(),
        "next\nas Ann\nI strike Dot\nwhy not I strike Dot\n",
    );
    let all = format!("{objects:?} {talk}");
    for secret in ["shade is Bo", "treason", "customs", "luau", "chain"] {
        assert!(!all.contains(secret), "{secret} in {all}");
    }
    let refused = refusals_in_objects(&objects);
    assert_eq!(refused[0]["code"], "script/error", "{all}");
    assert_eq!(
        refused[0]["message"],
        "a rule of the game has an error here, so nothing was done"
    );
    let (objects, talk) =
        play_harbour_lines(&home_with_faulty_custom(), "next\nlet Ann strike Dot\n");
    let all = format!("{objects:?} {talk}");
    for part in ["the shade is Bo", "customs/treason.luau", "chain of events"] {
        assert!(all.contains(part), "{part} in {all}");
    }
}

/// A strike waits for a parry, and meanwhile the attacker is removed.
const OVERTAKEN_PARRY: &str =
    "next\nlay parry on Dot\ndice next 19\nas Ann\nI strike Dot\nas gm\nset ann state out\n";

#[test]
fn a_ruling_that_cannot_go_on_names_its_dice_to_the_game_master_alone() {
    let home = Scratch::harbour();
    let (objects, talk) = play_harbour_lines(
        &home,
        &format!("{OVERTAKEN_PARRY}as Dot\nanswer yes\nwhy not answer yes\n"),
    );
    let refused = refusals_in_objects(&objects);
    assert_eq!(refused[0]["code"], "ask/stale", "{objects:?}");
    for secret in ["to hit", "d20", "restart", "drop 5"] {
        assert!(
            !format!("{refused:?} {talk}").contains(secret),
            "{secret} in {refused:?}"
        );
    }
    let (objects, _) = play_harbour_lines(&home, &format!("{OVERTAKEN_PARRY}answer yes\n"));
    let refused = refusals_in_objects(&objects);
    let (message, hints) = (
        refused[0]["message"].to_string(),
        refused[0]["hints"].to_string(),
    );
    assert!(message.contains("a d20 for `to hit` of ann"), "{message}");
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
    let (objects, _) = play_harbour_lines(&home, lines);
    assert_eq!(
        refusals_in_objects(&objects)[0]["code"],
        "ask/stale",
        "{objects:?}"
    );
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
    let lines = format!("{OVERTAKEN_PARRY}drop\nas Eve\nlog\nas Dot\nlog\nas Ann\nlog\n");
    let (objects, _) = play_harbour_lines(&home, &lines);
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
    home.let_several_rulings_wait();
    let twice = "next\nlay parry on Dot\nlay parry on Cai\ndice next 19 19\nlet Eve go to square\nlet Cai go to square\n\
                 let Eve strike Dot\nlet Eve strike Cai\n";
    let (objects, _) = play_harbour_lines(&home, &format!("{twice}drop\n"));
    let hints = refusals_in_objects(&objects)[0]["hints"].to_string();
    assert!(hints.contains("let Eve strike Cai"), "{objects:?}");
    for line in ["drop", "restart", "finish", "drop 99"] {
        for before in ["", "next\n", twice] {
            let (objects, _) = play_harbour_lines(&home, &format!("{before}as Fin\n{line}\n"));
            let refused = refusals_in_objects(&objects);
            assert_eq!(refused[0]["code"], "ask/not-yours", "{line}: {objects:?}");
            assert_eq!(refused[0]["hints"], serde_json::json!([]), "{line}");
        }
    }
}

/// Returns a harbour in which formulas and end conditions break on secret values, and events repeat
/// without end.
fn home_with_fragile_formulas() -> Scratch {
    let home = Scratch::harbour();
    let stats = "  stats = {
    trade = { visible_to = \"owner\", summary = \"what somebody lives by\" },
    luck = { formula = \"(self.trade, 2, /, floor)\", summary = \"half a trade\" },
    one = { formula = \"(self.other, 1, +)\", summary = \"one more than the other\" },
    other = { formula = \"(self.one, 1, +)\", summary = \"one more than the one\" },
    coins = { base = 2, summary = \"what somebody has\" },
    load = { visible_to = \"gm\", summary = \"what somebody carries\" },\n";
    home.edit("scripts/harbour/ruleset.luau", "  stats = {\n", stats);
    let listens = "  events = {\n    chime = { summary = \"a bell rings\" },\n";
    home.edit("scripts/harbour/ruleset.luau", "  events = {\n", listens);
    home.write(
        "scripts/harbour/customs/chimes.luau",
        "return custom { source = 'x', summary = 'rings again',
  on = { chime = function(act) act:emit('chime', {}) end } }",
    );
    let commands = [
        ("apprentice", "act:set('bo', 'trade', 'smith of Bo')"),
        (
            "tax",
            "act:attach('ann', 'levy', {}, { visible_to = 'gm', modifiers = { { stat = 'coins', op = 'add', value = 1, only_if = '(1, self.sway, /)' } } })",
        ),
        (
            "smuggle",
            "act:create('crate', { load = 3 }, 'crate', { visible_to = 'gm' })
    act:attach('crate', 'bulk', {}, { visible_to = 'gm', duration = { when = '(self.load, 2, *, 50, >)' } })",
        ),
        ("inspect", "act:set('crate', 'load', 'gold bar')"),
        ("ring", "act:emit('chime', {})"),
        (
            "heap",
            "act:enqueue('sins')\n act:drain('sins', { again = 5 }, function() act:enqueue('sins') end)",
        ),
    ];
    for (word, body) in commands {
        home.write(
            &format!("scripts/harbour/commands/{word}.luau"),
            format!(
                "return command {{ source = 'x', summary = 'x', syntax = '{word}',
  run = function(act) {body} end }}"
            ),
        );
    }
    home
}

#[test]
fn a_seat_is_told_no_value_and_no_name_by_what_breaks_without_a_place() {
    let home = home_with_fragile_formulas();
    // An end condition whose test fails is disabled; only the game master is informed.
    let (objects, _) = play_harbour_lines(&home, "smuggle\nas Ann\ninspect\n");
    let all = format!("{objects:?}");
    assert!(refusals_in_objects(&objects).is_empty(), "{all}");
    assert!(!all.contains("gold") && !all.contains("bulk"), "{all}");
    for (setup, line, code) in [
        ("apprentice", "why bo.luck", "store/expression"),
        ("apprentice", "why not bo.luck", "store/expression"),
        ("apprentice", "why bo luck", "store/expression"),
        ("tax", "why ann.coins", "store/expression"),
        ("apprentice", "why bo.one", "store/cycle"),
        ("smuggle", "ring", "limit/depth"),
        ("smuggle", "heap", "limit/events"),
    ] {
        for seat in ["Ann", "Bo"] {
            let (objects, _) = play_harbour_lines(
                &home,
                &format!("{setup}\nas {seat}\n{line}\nwhy not {line}\n"),
            );
            let refused = refusals_in_objects(&objects);
            let about = format!("{line} by {seat}: {objects:?}");
            assert_eq!(refused[0]["code"], code, "{about}");
            assert_eq!(
                refused[0]["message"], "a rule of the game has an error here, so nothing was done",
                "{about}"
            );
            // Findings during the loading of rules are not answers.
            let all = format!("{objects:?}");
            for secret in [
                "smith", "levy", "self.", "bulk", "gold", "crate", "chim", "sins",
            ] {
                assert!(!all.contains(secret), "{secret} in {about}");
            }
        }
    }
    for (lines, part) in [
        ("apprentice\nwhy bo.luck", "smith of Bo"),
        ("smuggle\ninspect", "gold bar"),
        ("ring", "customs/chimes"),
        ("heap", "sins"),
    ] {
        let (objects, _) = play_harbour_lines(&home, &format!("{lines}\n"));
        let all = format!("{objects:?}");
        assert!(all.contains(part), "{part} in {all}");
    }
}

/// Code areas of findings about a line; their text is for the sender of the line.
const CODE_AREAS_OF_LINES: &str = "answer ask dice dispute doc export fiat fork help host import law limit look phrase picture plan post reveal \
                        revert salt save simulate verify why test";

/// Code areas of findings about rules; their text is for the game master.
const CODE_AREAS_OF_RULES: &str = "clock content language schema expr script store";

/// Codes that do not follow the rule of their area.
const CODES_UNLIKE_THEIR_AREA: [&str; 5] = [
    "limit/depth",
    "limit/events",
    "store/nothing-to-redo",
    "store/nothing-to-undo",
    "store/unknown-operation",
];

/// Returns the codes of the host's findings.
fn host_finding_codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for file in files_below(&project().join("host/src")) {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_test = file.components().any(|part| part.as_os_str() == "tests");
        let is_code = |part: &&str| {
            let halves = part.split_once('/');
            let is_word = |word: &str| {
                word.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            };
            halves.is_some_and(|(area, name)| is_word(area) && is_word(name) && !name.is_empty())
        };
        for found in text
            .split("Diagnostic::error(")
            .skip(1)
            .filter(|_| !is_test)
        {
            let literal = found.trim_start().strip_prefix('"');
            let code = literal
                .and_then(|rest| rest.split('"').next())
                .filter(is_code);
            codes.extend(code.map(str::to_owned));
        }
    }
    codes
}

#[test]
fn of_each_code_of_the_host_it_is_settled_whether_a_seat_reads_its_words() {
    let of = |areas: &str, code: &str| {
        let area = code.split('/').next().unwrap_or_default();
        areas.split_whitespace().any(|one| one == area)
    };
    let words_for = |by: &str, code: &str| {
        let refused = Reply::refused(Diagnostic::error(code.to_owned(), "words"));
        refused.visible_to_giver(by).refusal.unwrap().message
    };
    let codes = host_finding_codes();
    assert!(codes.len() > 100, "{codes:?}");
    for code in codes.iter().filter(|code| *code != "ask/stale") {
        assert!(
            of(CODE_AREAS_OF_LINES, code) != of(CODE_AREAS_OF_RULES, code),
            "{code} is of no known area"
        );
        let is_told =
            of(CODE_AREAS_OF_LINES, code) != CODES_UNLIKE_THEIR_AREA.contains(&code.as_str());
        assert_eq!(words_for("Ann", code) == "words", is_told, "{code}");
        assert_eq!(words_for("gm", code), "words");
    }
    for code in ["E_NOTHING", "harbour/shade"] {
        assert_eq!(words_for("Ann", code), "words");
    }
}
