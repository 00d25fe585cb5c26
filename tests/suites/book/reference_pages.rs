//! The hand-written pages of the reference name all that the program has: types, operators, ends and limits.

use super::pages;
use crate::architecture::source_files::rust_files;

/// Returns the text of a page of the reference.
fn reference_page(name: &str) -> String {
    let path = format!("docs/src/reference/{name}.md");
    let page = pages().into_iter().find(|page| page.path == path);
    page.unwrap_or_else(|| panic!("{path} is there")).text
}

/// Returns the code of a source file of the host.
fn host_source(path: &str) -> String {
    let path = format!("host/src/{path}");
    let file = rust_files("host/src")
        .into_iter()
        .find(|file| file.path == path);
    file.unwrap_or_else(|| panic!("{path} is there")).text
}

/// Returns the first text in quotes of each line that contains a mark.
fn quoted_in_lines(source: &str, mark: &str) -> Vec<String> {
    let lines = source.lines().filter(|line| line.contains(mark));
    let quoted = lines.filter_map(|line| line.split('"').nth(1));
    quoted.map(str::to_owned).collect()
}

fn assert_page_has_code(page: &str, names: &[String], least: usize) {
    assert!(names.len() >= least, "{page}: {names:?}");
    let text = reference_page(page);
    let missing: Vec<&String> = names
        .iter()
        .filter(|name| {
            // A bar in a table is escaped, and a key stands before its value.
            let shown = [
                format!("`{name}`"),
                format!("`{}`", name.replace('|', "\\|")),
                format!("{name} = "),
            ];
            !shown.iter().any(|one| text.contains(one))
        })
        .collect();
    assert_eq!(missing, Vec::<&String>::new(), "{page}");
}

#[test]
fn every_slot_type_of_the_host_is_described() {
    let classes = quoted_in_lines(&host_source("text/token_class.rs"), "(Class::");
    let others = quoted_in_lines(
        &host_source("script/declare/template_owner.rs"),
        "pub const ",
    );
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    let names: Vec<String> = classes.into_iter().chain(others).filter(is_type).collect();
    assert_page_has_code("slot-types", &names, 14);
}

#[test]
fn every_operator_is_described() {
    let names = quoted_in_lines(&host_source("expr/operator.rs"), ", Operator::");
    assert_page_has_code("expressions", &names, 30);
}

#[test]
fn every_end_condition_is_described() {
    let names = quoted_in_lines(&host_source("store/end_conditions.rs"), ", Sample::");
    assert_page_has_code("durations", &names, 8);
}

#[test]
fn every_limit_of_the_store_is_given() {
    let page = reference_page("limits");
    let source = host_source("store/limits.rs");
    let constants = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const "));
    let numbers: Vec<String> = constants
        .filter_map(|line| line.split(": usize = ").nth(1)?.strip_suffix(';'))
        .map(limit_in_words)
        .collect();
    assert!(numbers.len() >= 10, "{numbers:?}");
    let missing: Vec<&String> = numbers.iter().filter(|one| !page.contains(*one)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// Returns a limit as pages write it: `10,000`, `4 KiB`.
fn limit_in_words(code: &str) -> String {
    match code.strip_suffix(" * 1024") {
        Some(kilobytes) => format!("{kilobytes} KiB"),
        None => code.replace('_', ","),
    }
}
