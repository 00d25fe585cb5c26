//! Plays the worked examples of fortune-die pools through the program, and checks exact odds.
//!
//! The project's examples and distributions are in `tests/fortune`; those in the folder of
//! `ARBITER_CORPUS` are played too.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::program::{arbiter_running_lines, project, run_lines};

/// Returns the entries of a key in the project's file, followed by those of the corpus file if it
/// exists.
fn own_and_corpus_data(file: &str, key: &str) -> Vec<Json> {
    let own = project().join("tests/fortune");
    let corpus =
        std::env::var_os("ARBITER_CORPUS").map(|folder| PathBuf::from(folder).join("fortune"));
    let folders = [Some(own), corpus].into_iter().flatten();
    folders
        .flat_map(|folder| {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            let all: Json = serde_json::from_str(&text).unwrap();
            all[key].as_array().unwrap().clone()
        })
        .collect()
}

fn has_corpus() -> bool {
    std::env::var_os("ARBITER_CORPUS").is_some()
}

fn play_lines(lines: &str) -> Vec<Json> {
    run_lines(
        arbiter_running_lines("fortune", "x").arg("--keep-going"),
        lines,
    )
    .1
}

/// Returns the commands of one example: options, dice, pool, and the choices after it.
fn commands_of_example(example: &Json) -> String {
    let mut lines = String::new();
    for (name, value) in example["options"].as_object().into_iter().flatten() {
        lines += &format!("option {name} {}\n", value.to_string().trim_matches('"'));
    }
    let faces = example["rolls"]
        .as_array()
        .unwrap()
        .iter()
        .chain(example.get("reroll"));
    let faces: Vec<String> = faces.map(Json::to_string).collect();
    lines += &format!(
        "dice next {}\npool {}\n",
        faces.join(" "),
        example["request"].as_str().unwrap()
    );
    for (choice, value) in example["choose"].as_object().into_iter().flatten() {
        let words = match value {
            Json::Array(items) => items
                .iter()
                .map(|item| item.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(","),
            other => other.as_str().unwrap().to_owned(),
        };
        lines += &format!("choose {choice} {words}\n");
    }
    lines
}

#[test]
fn all_worked_examples_give_their_numbers() {
    let examples = own_and_corpus_data("examples.json", "examples");
    let least = if has_corpus() { 19 + 62 } else { 19 };
    assert!(examples.len() >= least);
    let mut wrong = Vec::new();
    for example in &examples {
        let answers = play_lines(&commands_of_example(example));
        let data = answers.last().map_or(&Json::Null, |answer| &answer["data"]);
        for (field, expected) in example["expect"].as_object().unwrap() {
            if data.get(field) != Some(expected) {
                wrong.push(format!(
                    "{} {field}: expected {expected}, got {:?}",
                    example["id"],
                    data.get(field)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn refused_requests_roll_nothing() {
    let many = vec!["d6"; 101].join(" ");
    let long = "d6 ".repeat(140);
    let cases = [
        ("d20 d7", "E_BAD_SIZE"),
        ("d100", "E_BAD_SIZE"),
        ("101d6", "E_TOO_MANY_DICE"),
        (&many, "E_TOO_MANY_DICE"),
        ("d8 vs 12 counter 14", "E_TWO_COUNTERS"),
        ("d10 d8 use d20,d20", "E_CHOICE"),
        ("d8 use d8,d8", "E_CHOICE"),
        (&long, "E_TOO_LONG"),
        ("d8 +1234567", "E_NUMBER"),
    ];
    for (request, code) in cases {
        let answers = play_lines(&format!("dice next 5 5\npool {request}\ndice\n"));
        assert_eq!(answers[1]["error"]["code"], code, "{request}: {answers:?}");
        let waiting = answers[2]["text"].as_str().unwrap();
        assert!(
            waiting.contains("5 5") || waiting.contains("5, 5"),
            "{request} used typed dice: {waiting}"
        );
    }
}

#[test]
fn exact_odds_equal_the_full_enumeration() {
    let pools = own_and_corpus_data("distributions.json", "pools");
    assert!(pools.len() >= if has_corpus() { 10 } else { 5 });
    let fields = [
        "outcomes",
        "total",
        "impact",
        "total_at_least",
        "joint",
        "fumble",
        "fortune_20",
        "fortune_2_or_3",
        "fortune_4_plus",
    ];
    for pool in &pools {
        let request = pool["request"].as_str().unwrap();
        let answers = play_lines(&format!("odds {request}\n"));
        for field in fields {
            assert_eq!(answers[0]["data"][field], pool[field], "{request}: {field}");
        }
    }
}

/// Means of the rules as exact fractions: numerator, denominator.
#[test]
fn means_are_those_of_the_rules() {
    let facts = [
        ("d20", (21, 2), (17, 20)),
        ("d8 d6", (5049, 320), (1873, 960)),
        ("advantage d10 d8", (130_699, 6400), (2401, 1000)),
    ];
    for (request, total, impact) in facts {
        let answers = play_lines(&format!("odds {request}\n"));
        let data = &answers[0]["data"];
        let outcomes = data["outcomes"].as_i64().unwrap();
        for (field, (numerator, denominator)) in [("total", total), ("impact", impact)] {
            let rows = data[field].as_object().unwrap();
            let sum: i64 = rows
                .iter()
                .map(|(value, count)| value.parse::<i64>().unwrap() * count.as_i64().unwrap())
                .sum();
            assert_eq!(
                sum * denominator,
                numerator * outcomes,
                "{request}: {field}"
            );
        }
    }
}
