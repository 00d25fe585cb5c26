//! What the pages name is there: verbs, paths, tests, and the numbers that anybody can compute.

use std::collections::BTreeMap;

use arbiter_tests::project;
use repl::markdown_page::Page;
use sha2::{Digest, Sha256};

use super::diagnostics::codes_with_entries;
use super::pages;
use crate::architecture::source_files::rust_files;
use crate::program::{arbiter_in_project, arbiter_running_lines, run_lines};

/// Folders of the project. A code span that begins with one of them is a path.
const FOLDERS: [&str; 7] = [
    "host/", "repl/", "scripts/", "content/", "tests/", "docs/", ".ci/",
];

/// Marks of a path that stands for others.
const PLACEHOLDERS: [&str; 8] = ["NAME", "FOLDER", "RULESET", "GROUP", "*", "…", "PAGE", "{"];

/// Folders of the pages that tell how to add files: their paths may not exist yet.
const ABOUT_NEW_FILES: [&str; 3] = [
    "docs/src/write-rules/",
    "docs/src/contribute/adding.md",
    "docs/src/reference/diagnostics/",
];

fn page_text(path: &str) -> String {
    std::fs::read_to_string(project().join(path)).unwrap()
}

/// Returns the code spans of the prose of a page, each with its place.
fn code_spans(page: &Page) -> Vec<(String, String)> {
    let prose = page.prose_lines().into_iter();
    let spans = prose.flat_map(|(number, line)| {
        let spans = line.split('`').skip(1).step_by(2);
        spans.map(move |span| (format!("{}:{number}", page.path), span.to_owned()))
    });
    spans.collect()
}

#[test]
fn verbs_that_pages_name_are_verbs() {
    let help = arbiter_in_project().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands"))
        .skip(1);
    let verbs: Vec<&str> = listed
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut named = Vec::new();
    for page in pages() {
        for (place, span) in code_spans(&page) {
            let Some(verb) = span
                .strip_prefix("arbiter ")
                .and_then(|rest| rest.split(' ').next())
            else {
                continue;
            };
            let is_word = verb.chars().all(|c| c.is_ascii_lowercase());
            assert!(!is_word || verbs.contains(&verb), "{place}: {span}");
            named.push(verb.to_owned());
        }
    }
    for verb in verbs {
        assert!(named.iter().any(|one| one == verb), "no page names {verb}");
    }
}

/// What stands before the verb in a line of a shell.
const PROGRAMS: [&str; 4] = [
    "arbiter ",
    "./arbiter ",
    "target/release/arbiter ",
    "cargo run --release -- ",
];

/// Returns the verb and the long options of a line of a shell, if it runs the program.
fn verb_and_options(line: &str) -> Option<(&str, Vec<&str>)> {
    let arguments = PROGRAMS
        .iter()
        .find_map(|program| line.strip_prefix(program))?;
    // What is quoted is no option.
    let unquoted = arguments.split('"').step_by(2);
    let mut words = unquoted.flat_map(str::split_whitespace);
    let verb = words.next()?;
    let options = words.filter(|word| word.starts_with("--"));
    let names = options.map(|option| option.split('=').next().unwrap_or(option));
    Some((verb, names.collect()))
}

/// Returns the lines of shells on a page with a verb or an option that the program does not have.
fn unknown_shell_lines(page: &Page, helps: &mut BTreeMap<String, String>) -> (Vec<String>, usize) {
    let (mut unknown, mut count) = (Vec::new(), 0);
    for block in page.blocks.iter().filter(|block| block.words == ["sh"]) {
        for (number, line) in (block.line + 1..).zip(block.text.lines()) {
            let Some((verb, options)) = verb_and_options(line.trim()) else {
                continue;
            };
            count += 1;
            let help = helps.entry(verb.to_owned()).or_insert_with(|| {
                let output = arbiter_in_project().args([verb, "--help"]).output();
                let output = output.unwrap();
                match output.status.success() {
                    true => String::from_utf8(output.stdout).unwrap(),
                    false => String::new(),
                }
            });
            let is_known = |option: &&str| {
                help.split(|c: char| !c.is_alphanumeric() && c != '-')
                    .any(|word| word == *option)
            };
            if help.is_empty() || !options.iter().all(is_known) {
                unknown.push(format!("{}:{number}: {line}", page.path));
            }
        }
    }
    (unknown, count)
}

#[test]
fn lines_of_shells_have_verbs_and_options_of_the_program() {
    let (mut unknown, mut count) = (Vec::new(), 0);
    let mut helps = BTreeMap::new();
    for page in pages() {
        let (found, lines) = unknown_shell_lines(&page, &mut helps);
        unknown.extend(found);
        count += lines;
    }
    assert_eq!(unknown, Vec::<String>::new());
    assert!(count > 30, "{count}");
    let text = "```sh\narbiter check --deny-warnings\narbiter chek\narbiter test --blest\n```\n";
    let planted = Page::read("docs/src/a.md", text);
    assert_eq!(
        unknown_shell_lines(&planted, &mut helps).0,
        [
            "docs/src/a.md:3: arbiter chek",
            "docs/src/a.md:4: arbiter test --blest"
        ]
    );
}

#[test]
fn paths_that_pages_name_exist() {
    // A code such as `content/alias` looks like a path.
    let codes = codes_with_entries();
    let mut lost = Vec::new();
    for page in pages() {
        if ABOUT_NEW_FILES
            .iter()
            .any(|folder| page.path.starts_with(folder))
        {
            continue;
        }
        for (place, span) in code_spans(&page) {
            let is_path =
                FOLDERS.iter().any(|folder| span.starts_with(folder)) && !codes.contains(&span);
            let is_one = !PLACEHOLDERS.iter().any(|mark| span.contains(mark));
            let path = span.split([' ', ':']).next().unwrap_or_default();
            if is_path && is_one && !project().join(path).exists() {
                lost.push(format!("{place}: {span}"));
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
}

#[test]
fn the_invariants_are_held_by_tests() {
    let text = page_text("docs/src/contribute/architecture.md");
    let held = text
        .split("## The invariants")
        .nth(1)
        .expect("the chapter is there");
    let held = held.split("\n## ").next().unwrap_or_default();
    let is_test = |span: &&str| span.contains('_') && !span.contains('/');
    let named: Vec<&str> = held.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 10, "{named:?}");
    let suites = rust_files("tests/suites");
    for name in named {
        let head = format!("fn {name}(");
        let is_there = suites.iter().any(|file| file.text.contains(&head));
        assert!(is_there, "{name} is named and no test");
    }
}

fn sha256_hex(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_stranger_computes_the_die_of_the_book_with_sha256() {
    let seed = sha256_hex("example");
    let words = sha256_hex(&format!("{seed} 2/roll/gm/1"));
    let word = u32::from_str_radix(&words[..8], 16).unwrap();
    let face = word % 20 + 1;
    let text = page_text("docs/src/concepts/dice-proofs.md");
    for part in [&seed, &words, &format!("0x{}", &words[..8])] {
        assert!(text.contains(part.as_str()), "the page lacks {part}");
    }
    let (_, objects, _) = run_lines(
        &mut arbiter_running_lines("fortune", "example"),
        "roll 1d20\n",
    );
    assert_eq!(objects[0]["data"]["total"], face);
}

#[test]
fn the_readme_sets_the_project_up_as_its_check_does() {
    let text = page_text("README.md");
    let page = Page::read("README.md", &text);
    let shell = page
        .blocks
        .iter()
        .find(|block| block.words == ["sh"])
        .unwrap();
    let lines: Vec<&str> = shell.text.lines().collect();
    let commands = [
        "cargo run --release -- demo",
        "cargo run --release -- test",
        "cargo run --release",
    ];
    assert_eq!(lines, commands);
    let all_tests = "cargo test --profile ci";
    assert!(text.contains(&format!("`{all_tests}` runs all tests")));
    let check = page_text(".ci/run");
    let calls = check.lines().any(|line| line == all_tests);
    assert!(calls, ".ci/run calls {all_tests}");
}
