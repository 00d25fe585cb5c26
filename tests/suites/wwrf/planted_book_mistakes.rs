//! Plants mistakes in the shipped book: each is found at its place, without further findings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;

use super::super::program::project;
use super::{check_book, copy_folder, path_of_finding, shipped_book, write_file};

/// The file with the expected findings; repeated findings are repeated lines.
const EXPECTED_FILE: &str = "expected.txt";

/// Files that change the findings of other files; they are planted one at a time.
const FILES_PLANTED_ALONE: [&str; 3] = [
    // Their names contain the letters of other names.
    "attributes/knot_2",
    "roles/bell_ringer_too",
    "roles/wolf_two",
];

fn planted_folder() -> PathBuf {
    project().join("tests/wwrf/planted")
}

/// Returns the expected findings, as `path: line:from-to severity code: message`.
fn expected_findings() -> Vec<String> {
    let lines = fs::read_to_string(planted_folder().join(EXPECTED_FILE)).unwrap();
    let lines = lines.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn path_of_line(line: &str) -> &str {
    line.split_once(": ").unwrap().0
}

/// Returns the paths of the planted files.
fn planted_paths() -> BTreeSet<String> {
    let files = super::files_by_path(&planted_folder()).into_keys();
    files.filter(|path| path != EXPECTED_FILE).collect()
}

/// Returns a finding as a line: place with both ends, severity, code and message.
fn finding_as_line(found: &Diagnostic, book: &Path) -> String {
    let path = path_of_finding(found, book);
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

/// Returns the findings of the shipped book with these files, with repetitions.
fn findings_with_files<'a>(planted: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let book = copy_folder(&shipped_book());
    for path in planted {
        let text = fs::read(planted_folder().join(path)).unwrap();
        write_file(book.path(), path, text);
    }
    let book: &Path = book.path();
    let found = check_book(book).findings;
    found.iter().map(|one| finding_as_line(one, book)).collect()
}

/// Returns the findings of all planted files, by path and place.
fn findings_of_all_planted() -> Vec<String> {
    let all = planted_paths();
    let is_alone = |path: &&String| FILES_PLANTED_ALONE.contains(&path.as_str());
    let (alone, together): (Vec<&String>, Vec<&String>) = all.iter().partition(is_alone);
    let mut found = findings_with_files(together);
    for path in alone {
        found.extend(findings_with_files([path]));
    }
    // Sorted by path; findings of one path keep their order.
    found.sort_by(|one, other| path_of_line(one).cmp(path_of_line(other)));
    found
}

/// Returns the lines that are more frequent in one list than in another.
fn lines_more_often<'a>(one: &'a [String], other: &[String]) -> Vec<&'a String> {
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
    let found = findings_of_all_planted();
    if std::env::var_os("BLESS").is_some() {
        let lines = found.join("\n") + "\n";
        return fs::write(planted_folder().join(EXPECTED_FILE), lines).unwrap();
    }
    let expected = expected_findings();
    let (missing, strange) = (
        lines_more_often(&expected, &found),
        lines_more_often(&found, &expected),
    );
    assert!(
        missing.is_empty() && strange.is_empty(),
        "not found: {missing:#?}\nfound instead: {strange:#?}\nlook at it, then BLESS=1"
    );
}

#[test]
fn each_planted_file_is_expected_to_be_wrong() {
    let expected = expected_findings();
    let paths: BTreeSet<&str> = expected.iter().map(|line| path_of_line(line)).collect();
    let planted = planted_paths();
    let planted: BTreeSet<&str> = planted.iter().map(String::as_str).collect();
    assert!(planted.len() >= 90, "only {} are planted", planted.len());
    assert_eq!(paths, planted);
}
