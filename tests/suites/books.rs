//! This module plays, checks, tests and writes with content that is kept elsewhere, in folders that are no mods.

use std::fs;
use std::path::Path;

use arbiter_tests::Scratch;
use serde_json::Value as Json;

use super::handover::{MINI, arbiter, said};

/// The folder, as a person in the home names it.
const BOOK: &str = "Ann's books";

/// Returns a home with a toy ruleset that has people of its own, and another folder with others.
fn home() -> Scratch {
    let home = Scratch::mini();
    home.write(
        "Ann's books/people/cy.yaml",
        "source: x\nname: Cy\nmood: 7\n",
    )
    .write("Ann's books/people/Old Letters/di's", "not yet read\n")
    .write("Ann's books/people/.hidden.yaml", "name: [\n");
    home
}

struct Ran {
    exit: i32,
    result: String,
    talk: String,
}

fn ran(home: &Scratch, arguments: &[&str]) -> Ran {
    let output = arbiter(home, arguments).output().unwrap();
    Ran {
        exit: output.status.code().unwrap(),
        result: String::from_utf8(output.stdout).unwrap(),
        talk: String::from_utf8(output.stderr).unwrap(),
    }
}

fn read(home: &Scratch, path: &str) -> String {
    fs::read_to_string(home.path().join(path)).unwrap()
}

#[test]
fn a_game_is_played_with_content_that_lies_elsewhere() {
    let home = home();
    let with = [&MINI[..], &["--content", BOOK]].concat();
    let (exit, texts, talk) = said(&home, &with, "mood Cy\n");
    assert_eq!((exit, texts), (0, vec!["Cy feels 7.".to_owned()]), "{talk}");
    let (exit, texts, _) = said(&home, &with, "mood Ann\n");
    assert_eq!((exit, texts), (1, vec!["phrase/unknown-name".to_owned()]));
    let missing = [&MINI[..], &["--content", "Ann's boks"]].concat();
    let (exit, texts, _) = said(&home, &missing, "mood Cy\n");
    assert_eq!(
        (exit, texts),
        (2, vec!["content/missing-folder".to_owned()])
    );
}

#[test]
fn a_game_keeps_the_content_it_was_played_with() {
    let home = home();
    let with = ["--content", BOOK, "--game", "g"];
    let (exit, texts, talk) = said(&home, &[&MINI[..], &with].concat(), "charm Cy with cheer\n");
    assert_eq!(exit, 0, "{texts:?} {talk}");
    let (_, texts, talk) = said(&home, &with, "mood Cy\n");
    assert_eq!(texts.last().unwrap(), "Cy feels 9.", "{texts:?} {talk}");
    assert!(!talk.contains("other rules"), "{talk}");
    let verified = ran(&home, &["verify", "g", "--dice"]);
    assert_eq!(verified.exit, 0, "{}{}", verified.result, verified.talk);
    fs::rename(home.path().join(BOOK), home.path().join("gone")).unwrap();
    let verified = ran(&home, &["verify", "g"]);
    assert_eq!(verified.exit, 0, "{}{}", verified.result, verified.talk);
    let recorded = ["--game", "g", "--rules", "recorded"];
    let (exit, texts, talk) = said(&home, &recorded, "charm Cy with gloom\n");
    assert_eq!(exit, 0, "{texts:?} {talk}");
    let kept = fs::read_dir(home.path().join("g/rules")).unwrap();
    let lists = kept.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let lists: Vec<String> = lists
        .filter(|text| text.contains("  scripts/mini/ruleset.luau\n"))
        .collect();
    assert_eq!(lists.len(), 1);
    for kept in ["people/cy.yaml", "people/Old Letters/di's"] {
        assert!(lists[0].contains(&format!("  content/mini/{kept}\n")));
    }
    assert!(!lists[0].contains("ann.yaml") && !lists[0].contains("hidden"));
}

#[test]
fn findings_name_files_as_the_folder_was_typed() {
    let home = home();
    home.write("Ann's books/people/di.yaml", "source: x  \nnmae: Di\n")
        .write("scripts/mini/odd/a.luau", "return {}\n");
    for typed in [BOOK, "Ann's books/", "./Ann's books"] {
        let ways = [
            ["check", "--ruleset", "mini", typed, "--format", "json"],
            ["check", "--content", typed, typed, "--format", "json"],
        ];
        for way in ways {
            let found = ran(&home, &way);
            assert_eq!(found.exit, 1, "{}", found.talk);
            let findings: Vec<Json> = found
                .result
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let told: Vec<(&str, &str)> = findings
                .iter()
                .map(|one| (one["path"].as_str().unwrap(), one["code"].as_str().unwrap()))
                .collect();
            let path = format!("{}/people/di.yaml", typed.trim_end_matches('/'));
            let expected = [
                (&*path, "contract/missing-key"),
                (&*path, "content/trailing-blank"),
                (&*path, "contract/unknown-key"),
            ];
            assert_eq!(told, expected, "{way:?}");
            let last = found.talk.lines().last().unwrap();
            assert!(
                last.starts_with("2 errors, 1 warning in 3 files; --fix mends 2"),
                "{last}"
            );
        }
    }
    let all = ran(&home, &["check", "--content", BOOK]);
    assert!(
        all.result.contains("scripts/mini/odd/a.luau"),
        "{}",
        all.result
    );
    assert!(
        all.result.contains("Ann's books/people/di.yaml"),
        "{}",
        all.result
    );
    let fixed = ran(&home, &["check", "--ruleset", "mini", BOOK, "--fix"]);
    assert_eq!((fixed.exit, &*fixed.result), (0, ""), "{}", fixed.talk);
    assert!(
        fixed
            .talk
            .ends_with("2 fixed, 0 errors, 0 warnings in 3 files\n"),
        "{}",
        fixed.talk
    );
    assert_eq!(
        read(&home, "Ann's books/people/di.yaml"),
        "source: x\nname: Di\n"
    );
}

#[test]
fn of_scripts_only_errors_are_told_when_a_folder_elsewhere_is_checked() {
    let home = home();
    home.write("scripts/mini/commands/dig.luau", "return command {\n");
    let found = ran(&home, &["check", "--ruleset", "mini", BOOK]);
    assert_eq!(found.exit, 1);
    assert!(
        found.result.contains("scripts/mini/commands/dig.luau"),
        "{}",
        found.result
    );
    assert!(found.talk.ends_with("in 2 files\n"), "{}", found.talk);
}

#[test]
fn what_cannot_be_read_as_a_folder_of_content_is_refused_with_what_to_do() {
    let home = home();
    let cases: [(&[&str], &str); 4] = [
        (&[BOOK], "--ruleset NAME"),
        (
            &["--ruleset", "mini", "Ann's books/people/cy.yaml"],
            "whole folder",
        ),
        (&["--ruleset", "mini", BOOK, "scripts"], "alone"),
        (&["--ruleset", "minni", BOOK], "mini"),
    ];
    for verb in ["check", "fmt"] {
        for (arguments, said) in cases {
            let refused = ran(&home, &[&[verb], arguments].concat());
            assert_eq!((refused.exit, &*refused.result), (2, ""), "{arguments:?}");
            assert!(refused.talk.contains(said), "{}", refused.talk);
        }
    }
}

#[test]
fn tests_run_with_content_that_lies_elsewhere() {
    let home = home();
    home.write(
        "scripts/mini/commands/mood.test.txt",
        "--- Cy is in the book\n> mood Cy\n| Cy feels 7.\n",
    );
    let path = "scripts/mini/commands/mood.luau";
    assert_eq!(ran(&home, &["test", path]).exit, 1);
    let with = ran(&home, &["test", path, "--content", BOOK]);
    assert_eq!(with.exit, 0, "{}{}", with.result, with.talk);
}

#[test]
fn content_is_written_in_its_canonical_form() {
    let home = home();
    let (cy, di) = ("Ann's books/people/cy.yaml", "Ann's books/people/di.yaml");
    home.write(cy, "source: x \nname: Cy\t\n");
    let listed = ran(&home, &["fmt", "--ruleset", "mini", BOOK, "--check"]);
    assert_eq!(
        (listed.exit, &*listed.result),
        (1, "Ann's books/people/cy.yaml\n")
    );
    assert!(read(&home, cy).contains("x \n"), "--check writes nothing");
    let written = ran(&home, &["fmt", "--ruleset", "mini", BOOK]);
    assert_eq!(
        (written.exit, &*written.talk),
        (0, "1 file written, 0 as they were\n")
    );
    assert_eq!(read(&home, cy), "source: x\nname: Cy\n");
    let listed = ran(&home, &["fmt", "--ruleset", "mini", BOOK, "--check"]);
    assert_eq!(
        (listed.exit, &*listed.result, &*listed.talk),
        (0, "", "0 files to write, 1 as they are\n")
    );
    home.write(di, "source: x \nnmae: Di\n");
    let left = ran(&home, &["fmt", "--ruleset", "mini", BOOK]);
    assert_eq!(left.exit, 1);
    assert!(left.talk.contains("contract/unknown-key"), "{}", left.talk);
    assert!(
        left.talk
            .ends_with("0 files written, 1 as they were, 1 left alone for their errors\n"),
        "{}",
        left.talk
    );
    assert_eq!(read(&home, di), "source: x \nnmae: Di\n");
    let own = ran(&home, &["fmt", "content/mini/people"]);
    assert_eq!(
        (own.exit, &*own.talk),
        (0, "0 files written, 2 as they were\n")
    );
}

/// A link in such a folder is told, and not followed.
#[cfg(unix)]
#[test]
fn no_link_is_followed_in_a_folder_elsewhere() {
    let home = home();
    home.write("secret.yaml", "source: x\nname: Eve\n");
    let link = home.path().join(BOOK).join("people/eve.yaml");
    std::os::unix::fs::symlink(Path::new("../../secret.yaml"), link).unwrap();
    let found = ran(&home, &["check", "--ruleset", "mini", BOOK]);
    assert_eq!(found.exit, 1);
    assert!(found.result.contains("content/path"), "{}", found.result);
}
