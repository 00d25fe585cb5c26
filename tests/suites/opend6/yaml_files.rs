//! Writes every spell as a YAML file, loads it in another game, and compares the spells.

use std::fs;

use arbiter_tests::files_below;
use serde_json::Value as Json;

use super::{books, play_new_game, project, refusal_message};

/// A spell: its name in a line, and its full name.
struct NamedSpell {
    by: String,
    name: String,
}

/// Returns queries of a spell: as its YAML file, as a call, and as numbers.
fn query_lines_of_spell(by: &str) -> String {
    format!("spell yaml {by}\nspell source {by}\nspell show {by}\n")
}

/// Plays lines, and returns the data text of each answer, or else its text for people.
fn answers_to_lines(lines: &str) -> Vec<String> {
    let answers = play_new_game(lines);
    let refused: Vec<String> = answers.iter().filter_map(refusal_message).collect();
    assert_eq!(refused, Vec::<String>::new());
    let said = |one: &Json| {
        let told = one["data"]["text"].as_str().or(one["text"].as_str());
        told.unwrap_or_default().to_owned()
    };
    answers.iter().map(said).collect()
}

/// Returns a file without its source line, which the spell in a game does not contain.
fn without_source_line(file: &str) -> String {
    let lines = file.lines().filter(|line| !line.starts_with("source: "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes the spells of some lines as files, and compares each loaded file with its spell.
fn assert_files_round_trip(lines: &str, spells: &[NamedSpell]) {
    let all: String = spells
        .iter()
        .map(|one| query_lines_of_spell(&one.by))
        .collect();
    let before = answers_to_lines(&format!("{lines}{all}"));
    let before: Vec<&[String]> = before[lines.lines().count()..].chunks(3).collect();
    assert_eq!(before.len(), spells.len());
    let place = tempfile::tempdir().unwrap();
    let file = |at: usize| place.path().join(format!("{at}.yaml"));
    for (at, looked) in before.iter().enumerate() {
        fs::write(file(at), &looked[0]).unwrap();
    }
    let again = spells.iter().enumerate();
    let again = again.map(|(at, one)| {
        let load = format!("load {}\n", file(at).display());
        format!("{load}{}", query_lines_of_spell(&one.name))
    });
    let again = answers_to_lines(&again.collect::<String>());
    for ((spell, before), again) in spells.iter().zip(before).zip(again.chunks(4)) {
        let yaml = without_source_line(&before[0]);
        assert_eq!(without_source_line(&again[1]), yaml, "{}", spell.by);
        assert_eq!(again[2..], before[1..], "{}: {yaml}", spell.by);
    }
}

#[test]
fn every_shipped_spell_is_the_same_behind_its_file() {
    let files = files_below(&project().join("content/opend6/spells"));
    let spells = files.iter().map(|file| {
        let text = fs::read_to_string(file).unwrap();
        let name = text.lines().find_map(|line| line.strip_prefix("name: "));
        let name = name.unwrap().trim_matches('"').to_owned();
        let by = name.clone();
        NamedSpell { by, name }
    });
    let spells: Vec<NamedSpell> = spells.collect();
    assert!(spells.len() > 50, "only {}", spells.len());
    assert_files_round_trip("", &spells);
}

#[test]
fn every_spell_of_a_book_is_the_same_behind_its_file() {
    for book in books() {
        let spells = book.spells().into_iter().map(|spell| {
            let text = |key: &str| spell[key].as_str().unwrap().to_owned();
            NamedSpell {
                by: text("id"),
                name: text("name"),
            }
        });
        let spells: Vec<NamedSpell> = spells.collect();
        assert_files_round_trip(&format!("load {}\n", book.spells_file().display()), &spells);
    }
}

/// Returns the spells of `tests/opend6/files/designed.txt`: one with texts that YAML would misread,
/// one with an example of each aspect class, and one of each effect class.
fn designed_spells() -> Vec<NamedSpell> {
    let named = [
        "Gull Call",
        "No",
        "12",
        "Tide [high], {or low}",
        "Whole Rack",
    ]
    .map(str::to_owned);
    let made = (1..=15).map(|number| format!("Made {number}"));
    let names = named.into_iter().chain(made);
    names
        .map(|name| NamedSpell {
            by: name.clone(),
            name,
        })
        .collect()
}

#[test]
fn every_designed_spell_is_the_same_behind_its_file() {
    let file = project().join("tests/opend6/files/designed.txt");
    let lines = fs::read_to_string(file).unwrap();
    assert_files_round_trip(&lines, &designed_spells());
}
