//! Plays the worked examples of the forum dungeon through the program.
//!
//! The project's examples are in `tests/dungeon`; those in the folder of `ARBITER_CORPUS` are
//! played too.

mod attacks_after_refusal;
mod bad_happenings;
mod import_numbers;
mod potion_looks;
mod refusals;
mod transcript;

use std::path::PathBuf;

use serde_json::Value as Json;

use super::program::{arbiter_running_lines, project, run_lines};
use arbiter_tests::assert_golden_file;

/// Returns the entries of a key in the project's file, followed by those of the corpus file if it
/// exists.
fn own_and_corpus_examples(key: &str, (own, corpus): (usize, usize)) -> Vec<Json> {
    let folders = [Some(project().join("tests/dungeon")), corpus_folder()];
    let read = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("examples.json")).unwrap();
        let all: Json = serde_json::from_str(&text).unwrap();
        all[key].as_array().unwrap().clone()
    };
    let all: Vec<Json> = folders.into_iter().flatten().flat_map(read).collect();
    let least = own + if corpus_folder().is_some() { corpus } else { 0 };
    assert_eq!(all.len(), least, "{key}");
    all
}

fn corpus_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("ARBITER_CORPUS")?;
    Some(PathBuf::from(folder).join("dungeon"))
}

/// Plays lines in a new game beside the file `example.json`.
fn play_with_example_file(example: Option<&Json>, lines: &str) -> Vec<Json> {
    let place = tempfile::tempdir().unwrap();
    if let Some(example) = example {
        std::fs::write(place.path().join("example.json"), example.to_string()).unwrap();
    }
    let home = project();
    let mut command = arbiter_running_lines("dungeon", "x");
    command.current_dir(place.path());
    command.arg("--keep-going").arg("--home").arg(home);
    run_lines(&mut command, lines).1
}

/// Returns the differences between the expected and the found objects, by name.
fn differing_objects(expected: &Json, found: &Json) -> Vec<String> {
    let expected = expected.as_object().unwrap();
    let wrong = expected
        .iter()
        .filter(|(key, value)| found.get(key) != Some(value));
    wrong
        .map(|(key, value)| format!("{key}: expected {value}, found {:?}", found.get(key)))
        .collect()
}

/// Keys of an answer that are not keys of a result.
const KEYS_BESIDE_RESULT: [&str; 5] = ["after", "deaths", "levels", "encounter", "ruling"];

fn attack_differences(example: &Json) -> Vec<String> {
    let names: Vec<&String> = example["before"].as_object().unwrap().keys().collect();
    let faces: Vec<String> = example["rolls_in"]
        .as_array()
        .unwrap()
        .iter()
        .map(Json::to_string)
        .collect();
    let typed = match faces.as_slice() {
        [] => String::new(),
        faces => format!("dice next {}\n", faces.join(" ")),
    };
    let lines = format!(
        "load example.json\n{typed}attack {} -> {}\ndice\n",
        names[0], names[1]
    );
    let answers = play_with_example_file(Some(example), &lines);
    let attack = &answers[answers.len() - 2];
    let result = &example["result"];
    if let Some(code) = result.get("refused") {
        let found = &attack["error"]["code"];
        return match found == code {
            true => Vec::new(),
            false => vec![format!("expected {code}, found {attack}")],
        };
    }
    let data = &attack["data"];
    let mut wrong = differing_objects(result, data);
    wrong.extend(differing_objects(
        &serde_json::json!({ "after": example["after"] }),
        data,
    ));
    for key in data.as_object().into_iter().flatten().map(|(key, _)| key) {
        if result.get(key).is_none() && !KEYS_BESIDE_RESULT.contains(&&**key) {
            wrong.push(format!("{key} is not expected: {}", data[key]));
        }
    }
    let dies = result.get("dead").is_some() || result.get("attacker_dies").is_some();
    let deaths = data["deaths"].as_array().map_or(0, Vec::len);
    if dies != (deaths > 0) {
        wrong.push(format!("deaths: {}", data["deaths"]));
    }
    let waiting = answers.last().unwrap()["text"].as_str().unwrap_or_default();
    if !waiting.contains("no ") {
        wrong.push(format!("typed dice are left: {waiting}"));
    }
    if wrong.is_empty() {
        wrong
    } else {
        [wrong, vec![attack.to_string()]].concat()
    }
}

/// Runs a check on each example and reports all failures.
fn assert_examples(examples: &[Json], check: impl Fn(&Json) -> Vec<String>) {
    let mut wrong = Vec::new();
    for example in examples {
        let name = example.get("id").or_else(|| example.get("note"));
        let name = name.map(Json::to_string).unwrap_or_default();
        wrong.extend(check(example).iter().map(|one| format!("{name} {one}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn attacks_give_their_numbers_and_use_the_dice_in_their_order() {
    assert_examples(
        &own_and_corpus_examples("attacks", (25, 43)),
        attack_differences,
    );
}

#[test]
fn monsters_are_worth_their_experience() {
    let all = own_and_corpus_examples("xp", (8, 12));
    let line = |one: &Json| format!("xp {} {}\n", one[0], one[1].as_str().unwrap());
    let answers = play_with_example_file(None, &all.iter().map(line).collect::<String>());
    let found: Vec<&Json> = answers.iter().map(|one| &one["data"]["xp"]).collect();
    let expected: Vec<&Json> = all.iter().map(|one| &one[2]).collect();
    assert_eq!(found, expected);
}

#[test]
fn formulas_that_are_none_are_refused() {
    let lines = [
        "1d8+2",
        "9999999d9999999",
        "d8",
        "0d0d0",
        "-3",
        "1d",
        "101d4",
        "1d101",
    ];
    let text: String = lines.iter().map(|one| format!("xp 8 {one}\n")).collect();
    let answers = play_with_example_file(None, &text);
    let codes: Vec<&Json> = answers.iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(codes, vec!["E_DAMAGE"; lines.len()], "{answers:?}");
}

#[test]
fn encounters_turn_to_melee_and_back_at_their_minute() {
    assert_examples(
        &own_and_corpus_examples("encounter_range", (4, 9)),
        |example| {
            let asked = example["asked"].as_str().unwrap();
            let lines = format!("load example.json\nat {asked}\nencounter\n");
            let answers = play_with_example_file(Some(example), &lines);
            let data = &answers.last().unwrap()["data"];
            let expected =
                serde_json::json!({"state": example["state"], "changes": example["changes"]});
            differing_objects(&expected, data)
        },
    );
}

#[test]
fn attack_posts_end_when_all_who_fought_there_have_gone() {
    assert_examples(&own_and_corpus_examples("attack_post", (3, 6)), |example| {
        let asked = example["asked"].as_str().unwrap();
        let lines = format!("load example.json\nat {asked}\nattack post\n");
        let answers = play_with_example_file(Some(example), &lines);
        let data = &answers.last().unwrap()["data"];
        differing_objects(&serde_json::json!({ "active": example["active"] }), data)
    });
}

/// Queries for everything about a player and an encounter that a refusal could have changed.
const QUERY_LINES: &str = "gndt\nencounter\nattack post\nlog rolls\ndice\n";

#[test]
fn a_refused_attack_changes_nothing_and_uses_neither_the_day_nor_a_die() {
    let all = own_and_corpus_examples("attacks", (25, 43));
    let refused = all
        .iter()
        .filter(|one| one["result"].get("refused").is_some());
    let refused: Vec<Json> = refused.cloned().collect();
    assert!(refused.len() >= 6);
    assert_examples(&refused, |example| {
        let names: Vec<&String> = example["before"].as_object().unwrap().keys().collect();
        let attack = format!("attack {} -> {}\n", names[0], names[1]);
        let lines =
            format!("load example.json\ndice next 3 3 3\n{QUERY_LINES}{attack}{QUERY_LINES}");
        let answers = play_with_example_file(Some(example), &lines);
        let looks = QUERY_LINES.lines().count();
        let (before, after) = answers[answers.len() - 2 * looks - 1..].split_at(looks);
        let texts =
            |all: &[Json]| -> Vec<Json> { all.iter().map(|one| one["text"].clone()).collect() };
        match texts(before) == texts(&after[1..]) {
            true => Vec::new(),
            false => vec![format!("{before:?}\n{after:?}")],
        }
    });
}

/// The day on level 1 from the reference, with a post of each ruling, and the tracker at the end.
const DAY_LINES: &str = "\
at 2010-07-05 10:00
load start.json
dice next 4 5
for A: attack hill orc #1
post as FORMAT
dice next 2 41
for B: attack hill orc #1
post as FORMAT
for A: attack hill orc #2
for C: attack hill orc #2
gndt
post as FORMAT
at 2010-07-06 10:00
dice next 6 50 3
for A: attack hill orc #2
post as FORMAT
gndt
post as FORMAT
";

#[test]
fn the_posts_of_a_whole_day_in_the_words_of_each_forum() {
    let folder = project().join("tests/dungeon/whole_day");
    for (format, ending) in [("bbcode", "bbcode"), ("markdown", "md"), ("html", "html")] {
        let mut command = arbiter_running_lines("dungeon", "x");
        command.current_dir(&folder).arg("--keep-going");
        command.arg("--home").arg(project());
        let (_, answers, talk) = run_lines(&mut command, DAY_LINES.replace("FORMAT", format));
        let refused: Vec<&Json> = answers.iter().filter_map(|one| one.get("error")).collect();
        let codes: Vec<&Json> = refused.iter().map(|one| &one["code"]).collect();
        assert_eq!(codes, ["E_ACTION_USED", "E_RANGE_MELEE"], "{talk}");
        let posts = answers.iter().filter(|one| one["data"]["format"] == format);
        let posts: Vec<&str> = posts.filter_map(|one| one["text"].as_str()).collect();
        assert_eq!(posts.len(), 5, "{answers:?}");
        let found = posts.join("\n----\n");
        assert_golden_file(&folder.join(format!("posts.{ending}")), &found);
    }
}

/// Returns the finding codes of an import with the number of their comment, such as `1
/// import/no-die`; findings without a comment have no number.
fn finding_codes_by_comment(report: &Json) -> Vec<String> {
    let findings = report["data"]["findings"].as_array().unwrap().iter();
    let code = |one: &Json| one["code"].as_str().unwrap().replace("import/", "");
    findings
        .map(|one| format!("{} {}", one["n"], code(one)))
        .collect()
}

/// Imports a file into a new game with `apply`; returns the report and the answers to the next
/// lines.
fn import_and_continue(file: &str, lines: &str) -> (Json, Vec<Json>) {
    let home = project();
    let mut command = arbiter_running_lines("dungeon", "x");
    command.current_dir(&home).arg("--keep-going");
    let lines = format!("import {file} apply\n{lines}");
    let (_, mut answers, talk) = run_lines(&mut command, lines);
    assert!(!answers.is_empty(), "{talk}");
    (answers.remove(0), answers)
}

#[test]
fn a_real_log_is_imported_with_its_oddities_as_findings_and_fiats() {
    let Some(folder) = corpus_folder() else {
        return;
    };
    let file = folder.join("log-hill-orcs.json");
    let (report, answers) =
        import_and_continue(&file.display().to_string(), "gndt\nencounter\nlog\n");
    let expected = [
        "null unread",
        "1 enchantment",
        "1 no-drop-die",
        "1 no-author",
        "2 no-die",
        "2 no-answer",
        "2 no-author",
        "4 not-dying",
        "4 no-die",
        "6 ruling",
        "7 never-attacked",
        "8 no-die",
        "8 no-answer",
        "8 no-author",
        "9 no-die",
        "9 no-drop-die",
        "9 no-author",
        "10 count",
        "11 no-die",
        "11 no-answer",
        "11 no-author",
        "11 count",
    ];
    assert_eq!(finding_codes_by_comment(&report), expected, "{report:#}");
    assert_eq!(report["data"]["refused"], 0);
    let text = |at: usize| answers[at]["text"].as_str().unwrap();
    assert!(text(0).contains("Darknight  9 (10)"), "{}", text(0));
    for left in [
        "13 monsters left",
        "#3 (DK): 5 HP",
        "#6 (Lurtz): 1 HP",
        "#4: 6 HP",
    ] {
        assert!(text(1).contains(left), "{left} in {}", text(1));
    }
    assert!(
        !text(1).contains("#1:") && !text(1).contains("#5 "),
        "{}",
        text(1)
    );
    for fiat in [1, 2, 4, 7, 8, 9, 11] {
        let reason = format!("fiat: comment {fiat} says so");
        assert!(text(2).contains(&reason), "{reason} in {}", text(2));
    }
}

#[test]
fn a_log_of_our_own_is_imported_likewise() {
    let (report, answers) = import_and_continue("tests/dungeon/files/band.json", "encounter\n");
    assert!(finding_codes_by_comment(&report).contains(&"1 enchantment".to_owned()));
    assert_eq!(
        (
            &report["data"]["refused"],
            finding_codes_by_comment(&report).len()
        ),
        (&Json::from(0), 11)
    );
    let text = answers[0]["text"].as_str().unwrap();
    assert!(text.contains("3 monsters left"), "{text}");
}
