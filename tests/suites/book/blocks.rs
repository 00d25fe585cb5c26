//! Each code block of the book is of a kind that is tested, and true.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use arbiter_tests::{Scratch, project};
use repl::markdown_page::{Block, Page};
use tempfile::TempDir;

use super::written_pages;
use crate::program::arbiter_in_project;

/// Languages of blocks that are pieces of files.
const LANGUAGES: [&str; 4] = ["luau", "yaml", "text", "toml"];

/// What a block is, and what it needs to be tested.
pub(super) enum Kind<'a> {
    /// Cases of a transcript of a ruleset; `arbiter test docs` plays them.
    Transcript,
    /// Commands of the program with their output.
    Console,
    /// Commands of a shell that are not tested.
    Shell,
    /// A grammar, a formula or the shape of a line: `text notation`. It is not tested.
    Notation,
    /// A piece of the file that its first line names.
    Piece(&'a str),
    /// A whole file of a small home: `luau ruleset NAME PATH`.
    Whole(&'a str),
    /// A faulty file that the check reports: `luau check RULESET PATH`.
    Faulty(&'a str),
}

/// A block that has a kind.
pub(super) trait KindOfBlock {
    /// Returns the kind of the block; nothing if it has none.
    fn kind(&self) -> Option<Kind<'_>>;
}

impl KindOfBlock for Block {
    fn kind(&self) -> Option<Kind<'_>> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        match words[..] {
            ["transcript", _] => Some(Kind::Transcript),
            ["console"] => Some(Kind::Console),
            // Output of a command is that of a console.
            ["sh"] if !self.text.lines().any(|line| line.starts_with("$ ")) => Some(Kind::Shell),
            ["text", "notation"] => Some(Kind::Notation),
            [language, "ruleset", _, path] if LANGUAGES.contains(&language) => {
                Some(Kind::Whole(path))
            }
            [language, "check", _, path] if LANGUAGES.contains(&language) => {
                Some(Kind::Faulty(path))
            }
            [language] if LANGUAGES.contains(&language) => {
                let first = self.text.lines().next().unwrap_or_default();
                let named = first.strip_prefix("-- ").or(first.strip_prefix("# "));
                named.filter(|path| path.contains('/')).map(Kind::Piece)
            }
            _ => None,
        }
    }
}

/// Returns the blocks of all written pages for which a function returns something.
fn blocks_of_kind<T>(pick: impl Fn(&Block) -> Option<T>) -> Vec<(String, T)> {
    let pages = written_pages();
    let of_page = |page: &Page| -> Vec<(String, T)> {
        let found = page.blocks.iter().filter_map(|block| {
            let place = format!("{}:{}", page.path, block.line);
            Some((place, pick(block)?))
        });
        found.collect()
    };
    pages.iter().flat_map(of_page).collect()
}

#[test]
fn a_transcript_that_no_longer_runs_is_found_with_its_page_and_line() {
    let home = Scratch::shipped("fortune");
    let page = "# A\n\n*How-to.* You roll.\n\n```transcript fortune\n--- example\n> roll 1d20\n| 1d20: [7] = 7\n```\n";
    home.write("docs/src/a.md", page);
    let mut command = arbiter_in_project();
    command.current_dir(home.path()).args(["test", "docs"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("docs/src/a.md:7: example"), "{said}");
    assert!(said.contains("- 1d20: [7] = 7"), "{said}");
    assert!(said.contains("+ 1d20: [6] = 6"), "{said}");
}

#[test]
fn a_console_is_compared_in_order() {
    assert!(has_parts_in_order("a\nb\nc\n", "a\n...\nc"));
    assert!(!has_parts_in_order("a\nb\nc\n", "c\n...\na"));
    assert!(
        !has_parts_in_order("a\nb\n", "..."),
        "a console shows something"
    );
    let commands = commands_of_console("$ one\na\nb\n$ two\n");
    let expected = [("one", "a\nb\n"), ("two", "")];
    assert_eq!(
        commands,
        expected.map(|(one, two)| (one.to_owned(), two.to_owned()))
    );
}

#[test]
fn each_block_is_of_a_kind_that_is_tested() {
    let strange = blocks_of_kind(|block| block.kind().is_none().then(|| block.words.join(" ")));
    assert_eq!(strange, []);
}

#[test]
fn pieces_of_files_occur_in_them() {
    let pieces = blocks_of_kind(|block| match block.kind() {
        Some(Kind::Piece(path)) => {
            let text = block.text.split_once('\n').unwrap_or_default().1;
            Some((path.to_owned(), text.to_owned()))
        }
        _ => None,
    });
    assert!(pieces.len() >= 12, "{}", pieces.len());
    for (place, (path, piece)) in pieces {
        let file = std::fs::read_to_string(project().join(&path));
        let file = file.unwrap_or_else(|error| panic!("{place}: {path}: {error}"));
        let strange = lines_not_in_text(&file.replace("\r\n", "\n"), &piece);
        assert_eq!(strange, Vec::<&str>::new(), "{place}: {path}");
    }
}

/// Returns the lines of a piece that are missing in a text; `...` replaces omitted lines. A piece without any line is
/// missing itself.
fn lines_not_in_text<'a>(text: &str, piece: &'a str) -> Vec<&'a str> {
    let lines: Vec<&str> = piece.lines().collect();
    let wanted = lines
        .split(|line| line.trim() == "...")
        .filter(|part| !part.is_empty());
    let text: Vec<&str> = text.lines().collect();
    let (mut from, mut strange, mut found) = (0, Vec::new(), false);
    for part in wanted {
        let at = (from..text.len()).find(|at| text[*at..].starts_with(part));
        match at {
            Some(at) => {
                from = at + part.len();
                found = true;
            }
            None => strange.extend(part),
        }
    }
    if !found && strange.is_empty() {
        strange.push("the piece has no line");
    }
    strange
}

#[test]
fn omitted_lines_are_found_in_their_order() {
    let none = Vec::<&str>::new();
    assert_eq!(lines_not_in_text("a\nb\nc", "a\n...\nc"), none);
    assert_eq!(lines_not_in_text("a\nb\nc", "c\n...\na"), ["a"]);
    assert_eq!(lines_not_in_text("a\nb\nc", "a\nc"), ["a", "c"]);
    assert_eq!(lines_not_in_text("a\nb", "a\n...\na"), ["a"], "once");
    assert_eq!(lines_not_in_text("ab", "a"), ["a"], "whole lines");
    assert_eq!(lines_not_in_text("a", "...").len(), 1);
}

#[test]
fn transcripts_of_the_book_are_played() {
    let mut command = arbiter_in_project();
    command.args(["test", "docs", "README.md", "--mods", "tests/mini"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let count =
        blocks_of_kind(|block| matches!(block.kind(), Some(Kind::Transcript)).then_some(()));
    assert!(count.len() >= 50, "{}", count.len());
}

/// Returns a folder with the program under the name that people type.
fn folder_with_program() -> TempDir {
    let folder = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_arbiter-under-test");
    symlink(program, folder.path().join("arbiter")).unwrap();
    folder
}

/// Returns what a command of a block prints.
fn printed_by_command(command: &str, programs: &Path, folder: &Path) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("ARBITER_HOME", project())
        .env("XDG_CACHE_HOME", programs.join("cache"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns a command line of the program with its expected output, for each line with `$` before it.
fn commands_of_console(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, expected))) => {
                expected.push_str(line);
                expected.push('\n');
            }
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    commands
}

/// Returns whether an output has the parts between lines of `...`, in their order, and at least one.
fn has_parts_in_order(printed: &str, expected: &str) -> bool {
    let lines: Vec<&str> = expected.lines().collect();
    let parts = lines.split(|line| line.trim() == "...");
    let mut wanted = parts.filter(|part| !part.is_empty()).peekable();
    let has_part = wanted.peek().is_some();
    let mut rest = printed;
    let all = wanted.all(|part| {
        let part = part.join("\n");
        let found = rest.split_once(part.as_str());
        rest = found.map_or(rest, |(_, after)| after);
        found.is_some()
    });
    has_part && all
}

#[test]
fn consoles_print_what_they_show() {
    let programs = folder_with_program();
    let consoles = blocks_of_kind(|block| {
        matches!(block.kind(), Some(Kind::Console)).then(|| block.text.clone())
    });
    assert!(!consoles.is_empty());
    let mut wrong = Vec::new();
    for (place, text) in consoles {
        let folder = TempDir::new().unwrap();
        for (command, expected) in commands_of_console(&text) {
            let printed = printed_by_command(&command, programs.path(), folder.path());
            let is_cut = expected.lines().any(|line| line.trim() == "...");
            let is_same = match is_cut {
                true => has_parts_in_order(&printed, &expected),
                false => printed.trim_end() == expected.trim_end(),
            };
            if !is_same {
                wrong.push(format!("{place}: $ {command}\n{printed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rulesets_of_tutorials_load_and_pass_their_tests() {
    let mut homes: BTreeMap<String, Vec<WholeFile>> = BTreeMap::new();
    let files = blocks_of_kind(|block| match block.kind() {
        Some(Kind::Whole(path)) => Some((path.to_owned(), block.text.clone(), block.line)),
        _ => None,
    });
    for (place, (path, text, line)) in files {
        let page = place.split(':').next().unwrap_or_default().to_owned();
        let file = WholeFile { path, text, line };
        homes.entry(page).or_default().push(file);
    }
    assert!(!homes.is_empty());
    for (page, files) in homes {
        let faults = faults_of_files(&page, &files);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

/// A whole file of a tutorial.
struct WholeFile {
    /// Its path in the home of the tutorial.
    path: String,
    text: String,
    /// The line of its block in the page.
    line: usize,
}

/// Checks and tests the files of a page in a home of their own. Returns what is wrong, with places in the page.
fn faults_of_files(page: &str, files: &[WholeFile]) -> Vec<String> {
    let home = home_of_files(files);
    let paths = files.iter().map(|file| file.path.as_str());
    let tests: Vec<&str> = paths.filter(|path| path.contains(".test.")).collect();
    if tests.is_empty() {
        return vec![format!("{page}:1: its files have no test")];
    }
    let mut faults = Vec::new();
    for verb in ["check", "test"] {
        let mut command = arbiter_in_project();
        command.current_dir(home.path()).arg(verb);
        if verb == "test" {
            command.args(&tests);
        }
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let said = said.join("");
        let is_silent = verb != "check" || said.contains("0 errors, 0 warnings");
        if !output.status.success() || !is_silent {
            let said = with_places_in_page(&said, page, files);
            faults.push(format!("{page}: {verb}: {said}"));
        }
    }
    faults
}

/// Returns a text in which lines of the files are lines of the page.
fn with_places_in_page(said: &str, page: &str, files: &[WholeFile]) -> String {
    let mut text = String::new();
    for line in said.lines() {
        let found = files.iter().find_map(|file| {
            let (before, rest) = line.split_once(&format!("{}:", file.path))?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let number: usize = digits.parse().ok()?;
            let rest = &rest[digits.len()..];
            Some(format!("{before}{page}:{}{rest}", file.line + number))
        });
        text.push_str(found.as_deref().unwrap_or(line));
        text.push('\n');
    }
    text
}

#[test]
fn a_fault_in_a_tutorial_is_found_with_its_page_and_line() {
    let page = "docs/src/write-rules/first-ruleset.md";
    let text = std::fs::read_to_string(project().join(page)).unwrap();
    let planted = |old: &str, new: &str| {
        let changed = text.replacen(old, new, 1);
        assert_ne!(changed, text, "{old}");
        let line = text.split(old).next().unwrap_or_default().lines().count();
        let read = Page::read(page, &changed);
        let files = read.blocks.iter().filter_map(|block| match block.kind() {
            Some(Kind::Whole(path)) => Some(WholeFile {
                path: path.to_owned(),
                text: block.text.clone(),
                line: block.line,
            }),
            _ => None,
        });
        let faults = faults_of_files(page, &files.collect::<Vec<_>>()).concat();
        (line, faults)
    };
    let (line, faults) = planted("act:attach(args", "act:atach(args");
    assert!(
        faults.contains(&format!("{page}:{line}:")),
        "{line}: {faults}"
    );
    let (line, faults) = planted("| Ann eats. Cheer: 5.", "| Ann eats. Cheer: 6.");
    // A transcript is named by the line of its case.
    let begins = (1..=line).rev();
    let begins = begins.take(4).map(|line| format!("{page}:{line}"));
    assert!(
        begins.into_iter().any(|one| faults.contains(&one)),
        "{line}: {faults}"
    );
}

/// Returns a home with some files. The shipped rulesets are there if a file belongs to one of them.
fn home_of_files(files: &[WholeFile]) -> Scratch {
    let home = Scratch::empty();
    home.copy(&project().join("scripts/library"), "scripts/library");
    for WholeFile { path, text, .. } in files {
        let ruleset = path.split('/').nth(1).unwrap_or_default();
        for folder in ["scripts", "content"] {
            let shipped = project().join(folder).join(ruleset);
            let own = format!("{folder}/{ruleset}");
            if shipped.is_dir() && !home.path().join(&own).exists() {
                home.copy(&shipped, &own);
            }
        }
        home.write(path, text);
    }
    home
}
