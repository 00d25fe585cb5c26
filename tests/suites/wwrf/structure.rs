//! Compares the structure of the texts of books with the expected structure.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use host::script::is_text;
use serde_json::Value as Json;

use super::super::program::{arbiter_in_project, project};
use super::{copy_folder, corpus_book, files_by_path, shipped_book};

/// The number of texts in the corpus.
const CORPUS_TEXT_COUNT: usize = 168;

type StructureByPath = BTreeMap<String, Json>;

/// Returns the structure that the program prints for the texts of a book, independent of its place.
fn structure_of_book(book: &Path) -> StructureByPath {
    let book = copy_folder(book);
    let mut command = arbiter_in_project();
    command.args(["check", "--ruleset", "wwrf", "--structure"]);
    command.args(["--format", "json"]).arg(book.path());
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

fn read_structure(file: &Path) -> StructureByPath {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Compares a book with the expected structure of its texts.
fn assert_structure(book: &Path, mut expected: StructureByPath, advice: &str) {
    for (path, found) in structure_of_book(book) {
        assert_eq!(Some(found), expected.remove(&path), "{path}{advice}");
    }
    assert_eq!(expected, BTreeMap::new(), "{advice}");
}

#[test]
fn each_text_has_the_structure_that_is_known_of_it() {
    let golden = project().join("tests/suites/wwrf/structure.json");
    if std::env::var_os("BLESS").is_some() {
        return fs::write(
            golden,
            structure_as_lines(&structure_of_book(&shipped_book())),
        )
        .unwrap();
    }
    let expected = read_structure(&golden);
    assert_eq!(
        expected.len(),
        files_by_path(&shipped_book())
            .into_keys()
            .filter(|path| is_text(path))
            .count()
    );
    assert_structure(&shipped_book(), expected, ": look at it, then BLESS=1");
    if let Some(corpus) = corpus_book() {
        let mut expected = read_structure(&corpus.join("wwrf-expected.json"));
        // The title of the file.
        expected.remove("_");
        assert_eq!(expected.len(), CORPUS_TEXT_COUNT);
        assert_structure(&corpus.join("wwrf"), expected, "");
    }
}

/// Returns an object as text, with a line for each key.
fn structure_as_lines(object: &StructureByPath) -> String {
    let lines: Vec<String> = object
        .iter()
        .map(|(path, structure)| format!("{}: {structure}", Json::from(path.as_str())))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
