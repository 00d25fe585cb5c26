//! Plays days with texts that the shipped book lacks: `tests/wwrf/days/NAME/book` is copied over
//! the book, and `day.txt` beside it is a transcript.

use std::fs;

use arbiter_tests::Scratch;

use super::super::program::{arbiter_in_project, project};
use super::files_by_path;

/// Returns a home with the shipped book and the texts of a day; its only test is that day.
fn home_of_day(day: &str) -> Scratch {
    let home = Scratch::shipped("wwrf");
    for path in files_by_path(&home.path().join("scripts/wwrf")).into_keys() {
        if path.contains(".test.") {
            fs::remove_file(home.path().join("scripts/wwrf").join(path)).unwrap();
        }
    }
    let told = project().join("tests/wwrf/days").join(day);
    for (path, text) in files_by_path(&told.join("book")) {
        home.write(&format!("content/wwrf/{path}"), text);
    }
    let transcript = fs::read(told.join("day.txt")).unwrap();
    home.write("scripts/wwrf/days/day.test.txt", transcript);
    home
}

#[test]
fn days_of_other_texts_go_as_they_are_told() {
    let days = fs::read_dir(project().join("tests/wwrf/days")).unwrap();
    let mut names: Vec<String> = days
        .map(|day| day.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for day in names {
        let home = home_of_day(&day);
        let output = arbiter_in_project()
            .args(["test", "--ruleset", "wwrf", "scripts/wwrf/days", "--home"])
            .arg(home.path())
            .current_dir(home.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{day}: {told}{talk}");
        assert!(talk.contains(" 0 failed"), "{day}: {talk}");
    }
}
