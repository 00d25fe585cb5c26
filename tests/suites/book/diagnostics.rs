//! Each code of a diagnostic has an entry in the book, and its example raises it.

use std::collections::{BTreeMap, BTreeSet};

use arbiter_tests::{Scratch, project};
use host::game;
use repl::markdown_page::{Block, Page};

use super::blocks::{Kind, KindOfBlock};
use super::chapters;
use crate::architecture::source_files::{File, files_with_endings, rust_files};
use crate::program::arbiter_in_project;

/// The beginning of the line that names the test of a code without a block.
const SHOWN_BY: &str = "Shown by the test `";

/// The beginning of the line that gives the reason why neither a block nor a test can raise a code.
const NOT_SHOWN: &str = "Not shown: ";

/// The most entries without a block or a test. They need a machine that fails, or a fault in the program.
const MOST_NOT_SHOWN: usize = 8;

/// An entry about a code.
struct Entry {
    place: String,
    blocks: Vec<Block>,
    /// Its text without the blocks.
    text: String,
}

/// The ruleset of an entry, empty for the host, and its code.
type Key = (String, String);

/// Returns the entries. The code is the heading.
fn entries() -> BTreeMap<Key, Entry> {
    let mut found = BTreeMap::new();
    for page in chapters() {
        let parts: Vec<&str> = page.path.split('/').collect();
        let ruleset = match parts[..] {
            ["docs", "src", "reference", "diagnostics", _] => "",
            ["docs", "src", "rulesets", ruleset, "diagnostics.md"] => ruleset,
            _ => continue,
        };
        for (code, entry) in entries_of_page(&page) {
            let place = entry.place.clone();
            let twice = found.insert((ruleset.to_owned(), code), entry);
            assert!(twice.is_none(), "{place}: the code has two entries");
        }
    }
    found
}

/// Returns the codes that have an entry, of the host and of all rulesets.
pub(super) fn codes_with_entries() -> BTreeSet<String> {
    entries().into_keys().map(|(_, code)| code).collect()
}

fn entries_of_page(page: &Page) -> Vec<(String, Entry)> {
    let headings = page.headings.iter().skip(1);
    let starts: Vec<(usize, &String)> = headings.map(|(line, title)| (*line, title)).collect();
    let ends = starts
        .iter()
        .skip(1)
        .map(|(line, _)| *line)
        .chain([usize::MAX]);
    let prose = page.prose_lines();
    let entry = |((start, code), end): ((usize, &String), usize)| {
        let is_inside = |line: usize| (start..end).contains(&line);
        let lines = prose.iter().filter(|(line, _)| is_inside(*line));
        let text: Vec<&str> = lines.map(|(_, line)| *line).collect();
        let blocks = page.blocks.iter().filter(|block| is_inside(block.line));
        let entry = Entry {
            place: format!("{}:{start}", page.path),
            blocks: blocks.cloned().collect(),
            text: text.join("\n"),
        };
        (code.clone(), entry)
    };
    starts.clone().into_iter().zip(ends).map(entry).collect()
}

/// Returns whether a literal of the source is a code: an area that has a page, a stroke, and a word.
fn is_code(literal: &str, areas: &BTreeSet<String>) -> bool {
    let is_word = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_'))
    };
    let parts = literal.split_once('/');
    parts.is_some_and(|(area, word)| areas.contains(area) && is_word(word))
}

/// Returns the codes that the source makes diagnostics with, and all others that are literals of it.
fn codes_in_source(areas: &BTreeSet<String>) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for file in rust_files("host/src").iter().chain(&rust_files("repl/src")) {
        let code = file.code_without_tests();
        for making in ["Diagnostic::error(", "Diagnostic::warning("] {
            for rest in code.split(making).skip(1) {
                let literal = rest.trim_start().strip_prefix('"');
                let code = literal.and_then(|rest| rest.split('"').next());
                codes.extend(code.map(str::to_owned));
            }
        }
        let literals = code.split('"').filter(|literal| is_code(literal, areas));
        codes.extend(literals.map(str::to_owned));
    }
    codes
}

#[test]
fn each_code_has_an_entry() {
    let entries = entries();
    let of_host = entries.keys().filter(|(ruleset, _)| ruleset.is_empty());
    let areas = of_host.filter_map(|(_, code)| Some(code.split_once('/')?.0.to_owned()));
    let codes = codes_in_source(&areas.collect());
    assert!(codes.len() > 350, "{}", codes.len());
    let missing: Vec<&String> = codes
        .iter()
        .filter(|code| !entries.contains_key(&(String::new(), (*code).clone())))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// The words before the code of a finding in a transcript.
const FINDINGS: [&str; 4] = ["refused[", "error[", "warning[", "note["];

/// Returns the codes that a transcript shows, each with its line.
fn codes_in_transcript(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate();
    let codes = lines.flat_map(|(at, line)| {
        let printed = line.strip_prefix('|').unwrap_or_default();
        let found = FINDINGS
            .iter()
            .find_map(|word| printed.split_once(word)?.1.split(']').next());
        found.map(|code| (at + 1, code))
    });
    codes.collect()
}

#[test]
fn each_code_in_the_tests_of_a_ruleset_has_an_entry() {
    let entries = entries();
    let (mut missing, mut count) = (Vec::new(), 0);
    for ruleset in ["fortune", "dungeon", "opend6", "wwrf", "features"] {
        let has_entry = |code: &str| {
            let own = format!("{ruleset}/{code}");
            [(ruleset, code), (ruleset, &*own), ("", code)]
                .into_iter()
                .any(|(of, code)| entries.contains_key(&(of.to_owned(), code.to_owned())))
        };
        let folder = format!("scripts/{ruleset}");
        let files = files_with_endings(&folder, &["txt"]).into_iter();
        for file in files.filter(|file| file.path.ends_with(".test.txt")) {
            for (line, code) in codes_in_transcript(&file.text) {
                count += 1;
                if !has_entry(code) {
                    missing.push(format!("{}:{line}: {code}", file.path));
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert!(count > 1000, "{count}");
    let planted = codes_in_transcript("> go\n| Ann: refused[wwrf/no]: no\n| done\n");
    assert_eq!(planted, [(2, "wwrf/no")]);
}

#[test]
fn each_entry_has_an_example_and_a_fix() {
    let tests: Vec<File> = ["tests/suites", "repl/src", "host/src"]
        .into_iter()
        .flat_map(|folder| files_with_endings(folder, &["rs", "txt"]))
        .collect();
    let (mut wrong, mut not_shown) = (Vec::new(), 0);
    for ((_, code), entry) in entries() {
        if !entry.text.contains("**Fix:**") {
            wrong.push(format!("{}: no fix", entry.place));
        }
        if entry.text.contains(NOT_SHOWN) {
            not_shown += 1;
            continue;
        }
        let named = entry.text.split_once(SHOWN_BY).map(|(_, rest)| rest);
        let test = named.and_then(|rest| rest.split('`').next());
        let is_shown = match test {
            Some(test) => {
                let name = format!("fn {}(", test.rsplit("::").next().unwrap_or_default());
                tests
                    .iter()
                    .any(|file| file.text.contains(&name) && file.text.contains(&code))
            }
            None => !entry.blocks.is_empty(),
        };
        if !is_shown {
            wrong.push(format!("{}: no example", entry.place));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(not_shown <= MOST_NOT_SHOWN, "{not_shown}");
}

#[test]
fn help_names_the_page_and_the_anchor_of_each_entry() {
    let mut wrong = Vec::new();
    for page in chapters() {
        let parts: Vec<&str> = page.path.split('/').collect();
        let ruleset = match parts[..] {
            ["docs", "src", "reference", "diagnostics", _] => "",
            ["docs", "src", "rulesets", ruleset, "diagnostics.md"] => ruleset,
            _ => continue,
        };
        for (code, _) in entries_of_page(&page) {
            let help = game::explain_code(Some(ruleset), &code);
            let text = format!("{:?}", help.expect(&code));
            let named = text.split_once(&format!("{}#", page.path));
            let anchor = named.and_then(|(_, rest)| rest.split('"').next());
            if !anchor.is_some_and(|anchor| page.anchors.contains(anchor)) {
                wrong.push(format!("{}: {code}: {anchor:?}", page.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn each_example_names_its_code() {
    let mut wrong = Vec::new();
    for ((_, code), entry) in entries() {
        let said = entry
            .blocks
            .iter()
            .filter(|block| matches!(block.kind(), Some(Kind::Transcript | Kind::Console)));
        let mut said = said.peekable();
        if said.peek().is_some() && !said.any(|block| block.text.contains(&code)) {
            wrong.push(entry.place);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The faulty files of an entry.
struct FaultyFiles {
    place: String,
    code: String,
    /// The path and the text of each file.
    files: Vec<(String, String)>,
}

impl FaultyFiles {
    /// Whether a check found the code at one of the files.
    fn is_told(&self, findings: &[String]) -> bool {
        let code = format!("[{}]", self.code);
        findings.iter().any(|finding| {
            finding.contains(&code) && self.files.iter().any(|(path, _)| finding.contains(path))
        })
    }

    fn shares_file_with(&self, others: &[FaultyFiles]) -> bool {
        let has_file = |path| {
            others
                .iter()
                .flat_map(|one| &one.files)
                .any(|(one, _)| one == path)
        };
        self.files.iter().any(|(path, _)| has_file(path))
    }
}

/// Returns the faulty files of all entries by ruleset, in groups in which each file has one text.
fn groups_of_faulty_files() -> Vec<(String, Vec<FaultyFiles>)> {
    let mut groups: Vec<(String, Vec<FaultyFiles>)> = Vec::new();
    for ((_, code), entry) in entries() {
        let mut ruleset = None;
        let mut files = Vec::new();
        for block in &entry.blocks {
            if let Some(Kind::Faulty(path)) = block.kind() {
                ruleset = ruleset.or(Some(block.words[2].clone()));
                files.push((path.to_owned(), block.text.clone()));
            }
        }
        let Some(ruleset) = ruleset else { continue };
        let faulty = FaultyFiles {
            place: entry.place,
            code,
            files,
        };
        let group = groups.iter_mut().find(|(of, group)| {
            *of == ruleset && group.len() < MOST_IN_ONE_CHECK && !faulty.shares_file_with(group)
        });
        match group {
            Some((_, group)) => group.push(faulty),
            None => groups.push((ruleset, vec![faulty])),
        }
    }
    groups
}

/// The most entries whose files are checked together.
const MOST_IN_ONE_CHECK: usize = 24;

#[test]
fn each_faulty_file_raises_its_code() {
    let mut wrong = Vec::new();
    for (ruleset, group) in groups_of_faulty_files() {
        check_together(&ruleset, group, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks the files of several entries in one home. One fault may hide another, so those that are not told are checked
/// again in halves, and at last alone, where the code may also stand at another file.
fn check_together(ruleset: &str, mut group: Vec<FaultyFiles>, wrong: &mut Vec<String>) {
    let home = home_with_ruleset(ruleset);
    for (path, text) in group.iter().flat_map(|one| &one.files) {
        home.write(path, text);
    }
    let output = arbiter_in_project()
        .current_dir(home.path())
        .args(["check"])
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let said = said.concat();
    if let [only] = &group[..] {
        if !said.contains(&format!("[{}]", only.code)) {
            wrong.push(format!("{}: {said}", only.place));
        }
        return;
    }
    let findings = findings_of_check(&said);
    group.retain(|one| !one.is_told(&findings));
    let second = group.split_off(group.len().div_ceil(2));
    for half in [group, second] {
        if !half.is_empty() {
            check_together(ruleset, half, wrong);
        }
    }
}

/// Splits what a check printed into its findings.
fn findings_of_check(said: &str) -> Vec<String> {
    let mut findings = vec![String::new()];
    for line in said.lines() {
        if line.starts_with("error[") || line.starts_with("warning[") {
            findings.push(String::new());
        }
        if let Some(finding) = findings.last_mut() {
            finding.push_str(line);
            finding.push('\n');
        }
    }
    findings
}

/// Returns a home with all toy rulesets, or with a shipped one.
fn home_with_ruleset(ruleset: &str) -> Scratch {
    if project().join("scripts").join(ruleset).is_dir() {
        return Scratch::shipped(ruleset);
    }
    let home = Scratch::empty();
    for folder in ["scripts", "content"] {
        home.copy(&project().join("tests/mini").join(folder), folder);
    }
    home.copy(&project().join("scripts/library"), "scripts/library");
    home
}
