//! This module checks that what the README promises is so.

use sha2::{Digest, Sha256};

use super::program::{arbiter, project, run};

fn readme() -> String {
    std::fs::read_to_string(project().join("README.md")).unwrap()
}

fn hex(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn a_stranger_computes_the_die_of_the_readme_with_sha256() {
    let seed = hex("example");
    let words = hex(&format!("{seed} 2/roll/gm/1"));
    let word = u32::from_str_radix(&words[..8], 16).unwrap();
    let face = word % 20 + 1;
    let text = readme();
    for part in [
        &seed,
        &words,
        &format!("0x{}", &words[..8]),
        &format!("`roll 1d20` gives {face}"),
    ] {
        assert!(text.contains(part.as_str()), "the README lacks {part}");
    }
    let mut command = arbiter();
    command.args([
        "run",
        "-",
        "--ruleset",
        "fortune",
        "--seed",
        "example",
        "--format",
        "json",
    ]);
    let (_, objects, _) = run(&mut command, "roll 1d20\n");
    assert_eq!(objects[0]["data"]["total"], face);
}

#[test]
fn the_commands_of_the_readme_are_those_of_the_project() {
    let text = readme();
    let setup: Vec<&str> = text.split("```").nth(1).unwrap().trim().lines().collect();
    assert_eq!(setup, ["cargo run --release -p arbiter", "cargo test"]);
    let check = std::fs::read_to_string(project().join(".ci/run")).unwrap();
    assert!(
        check.lines().any(|line| line == setup[1]),
        ".ci/run calls {}",
        setup[1]
    );
    let shown = text.split("```").nth(3).unwrap();
    let lines: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("fortune> "))
        .collect();
    assert!(lines.len() >= 5);
    let mut command = arbiter();
    command.args([
        "run",
        "-",
        "--ruleset",
        "fortune",
        "--seed",
        "example",
        "--format",
        "json",
    ]);
    let (exit, objects, talk) = run(&mut command, lines.join("\n"));
    assert_eq!(exit, 0, "{objects:?} {talk}");
}

#[test]
fn every_verb_of_the_program_is_in_the_readme() {
    let help = arbiter().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let verbs = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands"))
        .skip(1);
    let text = readme();
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
