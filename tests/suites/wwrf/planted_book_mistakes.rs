//! Plants mistakes in the shipped book: each is found at its place, and nothing else is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;

use super::super::program::project;
use super::{checked, copy_folder, path_in, shipped, write_file};

/// The file that says what is found, as often as it is.
const EXPECTED: &str = "expected.txt";

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

/// Returns what is expected, as `path: line:from-to severity code: message`.
fn expected() -> Vec<String> {
    let lines = fs::read_to_string(folder().join(EXPECTED)).unwrap();
    let lines = lines.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn path_of(line: &str) -> &str {
    line.split_once(": ").unwrap().0
}

/// Returns the paths of the planted files.
fn planted() -> BTreeSet<String> {
    let files = super::files_by_path(&folder()).into_keys();
    files.filter(|path| path != EXPECTED).collect()
}

/// Returns all that is said of a finding: its place with both ends, how bad it is, its code and message.
fn said(found: &Diagnostic, book: &Path) -> String {
    let path = path_in(found, book);
    let place = found.place.as_ref().unwrap();
    let from = place.source.position(place.span.start);
    let to = place.source.position(place.span.end);
    let line = match to.line == from.line {
        true => String::new(),
        false => format!("{}:", to.line),
    };
    let (severity, code) = (found.severity.as_str(), &found.code);
    let code = code.trim_start_matches("wwrf/");
    format!(
        "{path}: {}:{}-{line}{} {severity} {code}: {}",
        from.line, from.column, to.column, found.message
    )
}

/// Returns what is found in the shipped book with these files in it, as often as it is.
fn found_with<'a>(planted: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let book = copy_folder(&shipped());
    for path in planted {
        let text = fs::read(folder().join(path)).unwrap();
        write_file(book.path(), path, text);
    }
    let book: &Path = book.path();
    let found = checked(book).findings;
    found.iter().map(|one| said(one, book)).collect()
}

/// Returns what is found of all that is planted, by path and place.
fn found() -> Vec<String> {
    let all = planted();
    let is_alone = |path: &&String| ALONE.contains(&path.as_str());
    let (alone, together): (Vec<&String>, Vec<&String>) = all.iter().partition(is_alone);
    let mut found = found_with(together);
    for path in alone {
        found.extend(found_with([path]));
    }
    // By path, and else in the order in which a reader is told.
    found.sort_by(|one, other| path_of(one).cmp(path_of(other)));
    found
}

/// Returns the lines that are more often in one list than in another.
fn more<'a>(one: &'a [String], other: &[String]) -> Vec<&'a String> {
    let mut left: Vec<&String> = other.iter().collect();
    let is_more = |line: &&String| match left.iter().position(|known| known == line) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    one.iter().filter(is_more).collect()
}

#[test]
fn planted_mistakes_are_found_at_their_places_and_nothing_else() {
    let found = found();
    if std::env::var_os("BLESS").is_some() {
        let lines = found.join("\n") + "\n";
        return fs::write(folder().join(EXPECTED), lines).unwrap();
    }
    let expected = expected();
    let (missing, strange) = (more(&expected, &found), more(&found, &expected));
    assert!(
        missing.is_empty() && strange.is_empty(),
        "not found: {missing:#?}\nfound instead: {strange:#?}\nlook at it, then BLESS=1"
    );
}

#[test]
fn each_planted_file_is_expected_to_be_wrong() {
    let expected = expected();
    let paths: BTreeSet<&str> = expected.iter().map(|line| path_of(line)).collect();
    let planted = planted();
    let planted: BTreeSet<&str> = planted.iter().map(String::as_str).collect();
    assert!(planted.len() >= 90, "only {} are planted", planted.len());
    assert_eq!(paths, planted);
}
