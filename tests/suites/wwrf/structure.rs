//! This module compares what the texts of books are made of with what is known of it.

use std::collections::BTreeMap;
use std::fs;

use host::value::to_json;
use serde_json::Value as Json;

use super::super::program::{arbiter, project};
use super::{checked, corpus, shipped};

/// How many texts the corpus has.
const TEXTS: usize = 168;

#[test]
fn each_text_of_the_corpus_has_the_structure_that_is_known_of_it() {
    let Some(corpus) = corpus() else { return };
    let expected = fs::read_to_string(corpus.join("wwrf-expected.json")).unwrap();
    let mut expected: BTreeMap<String, Json> = serde_json::from_str(&expected).unwrap();
    // What the file is about.
    expected.remove("_");
    assert_eq!(expected.len(), TEXTS);
    let mut command = arbiter();
    command.args(["check", "--ruleset", "wwrf", "--structure"]);
    command.args(["--format", "json"]).arg(corpus.join("wwrf"));
    let told = command.output().unwrap();
    let mut found: BTreeMap<String, Json> = serde_json::from_slice(&told.stdout).unwrap();
    for (path, expected) in expected {
        assert_eq!(found.remove(&path), Some(expected), "{path}");
    }
    assert_eq!(found, BTreeMap::new());
}

#[test]
fn the_shipped_texts_are_made_of_what_they_were() {
    let texts = checked(&shipped()).texts.unwrap();
    let found: BTreeMap<String, Json> = texts
        .iter()
        .map(|(path, structure)| (path.clone(), to_json(structure)))
        .collect();
    let golden = project().join("tests/wwrf/structure.json");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(golden, lines(&found)).unwrap();
    }
    let expected = fs::read_to_string(golden).unwrap();
    let mut expected: BTreeMap<String, Json> = serde_json::from_str(&expected).unwrap();
    for (path, found) in found {
        let expected = expected.remove(&path);
        assert_eq!(Some(found), expected, "{path}: look at it, then BLESS=1");
    }
    assert_eq!(expected, BTreeMap::new(), "look at it, then BLESS=1");
}

/// Returns an object with a line for each key.
fn lines(object: &BTreeMap<String, Json>) -> String {
    let lines: Vec<String> = object
        .iter()
        .map(|(path, structure)| format!("{}: {structure}", Json::from(path.as_str())))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
