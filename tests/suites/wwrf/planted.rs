//! This module plants mistakes in the shipped book: each is found at its place, and nothing else is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::program::project;
use super::{checked, copied, shipped, told, write};

/// Files that change what is said of others, and are planted one by one.
const ALONE: [&str; 3] = [
    // Their names have the letters of others.
    "attributes/knot_2",
    "roles/bell_ringer_too",
    "roles/wolf_two",
];

fn folder() -> PathBuf {
    project().join("tests/wwrf/planted")
}

/// Returns what is expected, as `path: line:column code`.
fn expected() -> Vec<String> {
    let lines = fs::read_to_string(folder().join("expected.txt")).unwrap();
    let lines = lines.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn path_of(line: &str) -> &str {
    line.split_once(": ").unwrap().0
}

/// Returns what is found in the shipped book with these files in it.
fn found<'a>(planted: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let book = copied(&shipped());
    for path in planted {
        let text = fs::read(folder().join(path)).unwrap();
        write(book.path(), path, text);
    }
    let book: &Path = book.path();
    let found = checked(book).findings;
    found.iter().map(|one| told(one, book)).collect()
}

/// Holds what is found to what is expected, and shows only what differs.
fn assert_found(expected: &[&String]) {
    let found = found(expected.iter().map(|line| path_of(line)));
    let expected: BTreeSet<String> = expected.iter().map(|line| (*line).clone()).collect();
    let missing: Vec<_> = expected.difference(&found).collect();
    let strange: Vec<_> = found.difference(&expected).collect();
    assert!(
        missing.is_empty() && strange.is_empty(),
        "not found: {missing:#?}\nfound instead: {strange:#?}"
    );
}

#[test]
fn planted_mistakes_are_found_at_their_places_and_nothing_else() {
    let expected = expected();
    let paths: BTreeSet<&str> = expected.iter().map(|line| path_of(line)).collect();
    assert!(paths.len() >= 90, "only {} are planted", paths.len());
    let (alone, together): (Vec<&String>, Vec<&String>) = expected
        .iter()
        .partition(|line| ALONE.contains(&path_of(line)));
    assert_found(&together);
    for line in alone {
        assert_found(&[line]);
    }
}

#[test]
fn each_planted_file_is_expected_to_be_wrong() {
    let expected = expected();
    let paths: BTreeSet<&str> = expected.iter().map(|line| path_of(line)).collect();
    let files = super::files(&folder());
    let files = files.keys().map(String::as_str);
    let files: BTreeSet<&str> = files.filter(|path| *path != "expected.txt").collect();
    assert_eq!(paths, files);
}
