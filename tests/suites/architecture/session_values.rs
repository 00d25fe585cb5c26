//! Tests that rulings get their inputs as parameters, not through fields of a session that are
//! replaced for a while. Panics are caught only in listed places.

use std::collections::BTreeSet;

use super::source_files::{File, rust_files};

/// Places that catch panics: around the Luau machine, around a line, in callbacks that C++ frames
/// call, and around the line editor, which counts rows in 16 bits.
const PANIC_CATCHERS: [&str; 4] = [
    "host/src/game/rules/generation.rs",
    "host/src/game/session/panic.rs",
    "host/src/script/raw/callback_panics.rs",
    "repl/src/bug_report.rs",
];

/// The file that moves the state of a line into the run that changes it.
const STATE_MOVERS: [&str; 1] = ["host/src/game/attempt/ruling_run.rs"];

/// The values that rulings run on.
const RULING_VALUES: [&str; 2] = ["Session", "Timeline"];

/// The largest number of fields of a session; all of its clients share them.
const MAX_SESSION_FIELDS: usize = 6;

/// The largest number of public methods of a session.
const MAX_SESSION_METHODS: usize = 25;

#[test]
fn panics_are_caught_in_these_places_alone() {
    let files = ["host/src", "repl/src"].into_iter().flat_map(rust_files);
    let found: BTreeSet<String> = files
        .filter(|file| file.code_without_tests().contains("catch_unwind(") && !is_test_file(file))
        .map(|file| file.path)
        .collect();
    assert_eq!(found, PANIC_CATCHERS.map(str::to_owned).into());
}

#[test]
fn no_put_back() {
    let files = rust_files("host/src/game");
    let found: BTreeSet<&str> = files
        .iter()
        .filter(|file| !is_test_file(file) && replaces_field_for_a_while(file))
        .map(|file| &*file.path)
        .collect();
    assert_eq!(found, STATE_MOVERS.into());
}

#[test]
fn a_session_holds_what_its_clients_share_and_no_more() {
    let files = rust_files("host/src/game/session/mod.rs");
    let code = files[0].code_without_tests();
    let (_, fields) = code
        .split_once("pub struct Session {")
        .expect("it is there");
    let (fields, _) = fields.split_once("\n}").expect("it ends");
    let fields = fields.lines().filter(|line| line.contains(": "));
    assert!(fields.count() <= MAX_SESSION_FIELDS);
    let files = rust_files("host/src/game");
    let methods: usize = files.iter().map(count_public_session_methods).sum();
    assert!((1..=MAX_SESSION_METHODS).contains(&methods), "{methods}");
}

/// Counts the public methods of sessions in a file.
fn count_public_session_methods(file: &File) -> usize {
    let code = file.code_without_tests();
    let bodies = code.split("impl Session {\n").skip(1);
    let bodies = bodies.map(|body| body.split("\n}").next().unwrap_or_default());
    let mut lines = bodies.flat_map(str::lines);
    let is_public = |line: &&str| line.starts_with("    pub fn ");
    lines.by_ref().filter(is_public).count()
}

/// Returns whether a file contains tests or shows the result of a fast path.
fn is_test_file(file: &File) -> bool {
    file.path.contains("/tests/")
        || file.path.ends_with("/tests.rs")
        || file.path.ends_with("/fast_method_trial.rs")
}

/// Returns whether code replaces a field of a value for a while, in a method or a function over it.
fn replaces_field_for_a_while(file: &File) -> bool {
    let ways = ["replace", "swap", "take"];
    let values = ["self", "session", "timeline"];
    let mut held = values
        .iter()
        .flat_map(|value| ways.map(|way| format!("mem::{way}(&mut {value}.")));
    let is_of_value = RULING_VALUES
        .iter()
        .any(|value| file.code.contains(&format!("impl {value} {{\n")));
    held.any(|way| {
        file.code_without_tests().contains(&way) && (is_of_value || !way.contains("self."))
    })
}

#[test]
fn a_field_that_is_put_back_is_found() {
    let file = |code: &str| File {
        path: "host/src/game/toy.rs".to_owned(),
        text: code.to_owned(),
        code: code.to_owned(),
    };
    let toy = "impl Timeline {\n    fn f(&mut self) {\n        let was = std::mem::replace(&mut self.state, other);\n    }\n}\n";
    assert!(replaces_field_for_a_while(&file(toy)));
    assert!(!replaces_field_for_a_while(&file(
        &toy.replace("impl Timeline", "impl Reply")
    )));
    assert!(!replaces_field_for_a_while(&file(
        &toy.replace("self.state", "local")
    )));
    let function = "fn f(timeline: &mut Timeline) {\n    std::mem::swap(&mut timeline.state, &mut other);\n}\n";
    assert!(replaces_field_for_a_while(&file(function)));
}
