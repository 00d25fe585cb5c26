//! Tests the claims of the README.

use sha2::{Digest, Sha256};

use super::program::{arbiter_in_project, arbiter_running_lines, project, run_lines};

fn readme_text() -> String {
    std::fs::read_to_string(project().join("README.md")).unwrap()
}

fn sha256_hex(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn a_stranger_computes_the_die_of_the_readme_with_sha256() {
    let seed = sha256_hex("example");
    let words = sha256_hex(&format!("{seed} 2/roll/gm/1"));
    let word = u32::from_str_radix(&words[..8], 16).unwrap();
    let face = word % 20 + 1;
    let text = readme_text();
    for part in [
        &seed,
        &words,
        &format!("0x{}", &words[..8]),
        &format!("`roll 1d20` gives {face}"),
    ] {
        assert!(text.contains(part.as_str()), "the README lacks {part}");
    }
    let (_, objects, _) = run_lines(
        &mut arbiter_running_lines("fortune", "example"),
        "roll 1d20\n",
    );
    assert_eq!(objects[0]["data"]["total"], face);
}

#[test]
fn the_commands_of_the_readme_are_those_of_the_project() {
    let text = readme_text();
    let setup: Vec<&str> = text.split("```").nth(1).unwrap().trim().lines().collect();
    assert_eq!(
        setup,
        [
            "cargo run --release -- demo",
            "cargo run --release",
            "cargo test --profile ci"
        ]
    );
    let check = std::fs::read_to_string(project().join(".ci/run")).unwrap();
    assert!(
        check.lines().any(|line| line == setup[2]),
        ".ci/run calls {}",
        setup[2]
    );
    let shown = text.split("```").nth(3).unwrap();
    let lines: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("fortune> "))
        .collect();
    assert!(lines.len() >= 5);
    let (exit, objects, talk) = run_lines(
        &mut arbiter_running_lines("fortune", "example"),
        lines.join("\n"),
    );
    assert_eq!(exit, 0, "{objects:?} {talk}");
}

#[test]
fn every_verb_of_the_program_is_in_the_readme() {
    let help = arbiter_in_project().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let verbs = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands"))
        .skip(1);
    let text = readme_text();
    for verb in verbs
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
    {
        assert!(
            verb == "help" || text.contains(&format!("arbiter {verb}")),
            "{verb}"
        );
    }
}

/// Returns the README's code blocks in a language: the file in the first line, and the lines below
/// it.
fn code_blocks_with_file<'a>(text: &'a str, language: &str, mark: &str) -> Vec<(&'a str, &'a str)> {
    let blocks = text.split("\n```").skip(1).step_by(2);
    let own = blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    own.filter_map(|block| block.strip_prefix(mark)?.split_once('\n'))
        .collect()
}

/// Returns the lines of a block that are missing in its file; `...` replaces omitted lines.
fn lines_not_in_file<'a>(file: &str, piece: &'a str) -> Vec<&'a str> {
    let is_cut = |line: &&str| line.trim() == "...";
    let lines: Vec<&str> = piece.lines().collect();
    let parts = lines.split(is_cut as fn(&&str) -> bool);
    let wanted = parts.filter(|part| !part.is_empty());
    let mut rest = file;
    let mut strange = Vec::new();
    for part in wanted {
        match rest.find(&part.join("\n")) {
            Some(at) => rest = &rest[at..],
            None => strange.extend(part),
        }
    }
    strange
}

#[test]
fn the_pieces_of_the_readme_are_cut_from_files_that_are_tested() {
    let text = readme_text();
    let (rules, cases) = (
        code_blocks_with_file(&text, "lua", "-- "),
        code_blocks_with_file(&text, "", "# "),
    );
    assert!(rules.len() >= 12, "{}", rules.len());
    assert!(!cases.is_empty());
    for (path, piece) in rules.into_iter().chain(cases) {
        let file = std::fs::read_to_string(project().join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(
            lines_not_in_file(&file, piece),
            Vec::<&str>::new(),
            "{path}"
        );
    }
    assert_eq!(
        lines_not_in_file("a\nb\nc", "a\n...\nc"),
        Vec::<&str>::new()
    );
    assert_eq!(
        lines_not_in_file("a\nb\nc", "c\n...\na"),
        ["a"],
        "the order counts"
    );
    assert_eq!(lines_not_in_file("a\nb\nc", "a\nc"), ["a", "c"]);
}
