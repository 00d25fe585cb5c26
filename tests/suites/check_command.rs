//! Runs `arbiter check` as a modder does: certain mistakes are fixed, and the structure is printed.

use std::fs;

use arbiter_tests::Scratch;
use serde_json::Value as Json;

use super::program::{arbiter_in_project, arbiter_running_lines, run_lines};

struct CheckResult {
    exit: i32,
    result: String,
    talk: String,
}

fn run_check(home: &Scratch, flags: &[&str]) -> CheckResult {
    let mut command = arbiter_in_project();
    let output = command
        .arg("check")
        .args(flags)
        .arg("--home")
        .arg(home.path())
        .output()
        .unwrap();
    CheckResult {
        exit: output.status.code().unwrap(),
        result: String::from_utf8(output.stdout).unwrap(),
        talk: String::from_utf8(output.stderr).unwrap(),
    }
}

fn read_file(home: &Scratch, path: &str) -> String {
    fs::read_to_string(home.path().join(path)).unwrap()
}

const PERSON_FILE: &str = "content/mini/people/cy.yaml";
const COMMAND_FILE: &str = "scripts/mini/commands/dig.luau";

/// Wrong texts, each with its fix.
const CERTAIN_FIXES: [(&str, &str, &str); 10] = [
    (
        PERSON_FILE,
        "source: x\nnmae: Cy\n",
        "source: x\nname: Cy\n",
    ),
    (
        PERSON_FILE,
        "source: x\nname: Cy\nmood: \"4\"\n",
        "source: x\nname: Cy\nmood: 4\n",
    ),
    (
        PERSON_FILE,
        "source: 12\nname: 007\n",
        "source: \"12\"\nname: \"007\"\n",
    ),
    (
        PERSON_FILE,
        "source: x  \nname: Cy\t\n",
        "source: x\nname: Cy\n",
    ),
    (
        PERSON_FILE,
        "source: x\nname: Cy\nlikes: [cher, 'glom']\n",
        "source: x\nname: Cy\nlikes: [cheer, 'gloom']\n",
    ),
    (PERSON_FILE, "source: x\nname:Cy\n", "source: x\nname: Cy\n"),
    (
        PERSON_FILE,
        "source: x\nname: Cy\nlikes:\n\t- cheer\n",
        "source: x\nname: Cy\nlikes:\n  - cheer\n",
    ),
    (
        COMMAND_FILE,
        "return command { source = \"x\", sumary = \"digs\", syntax = \"dig\", run = function() end }\n",
        "return command { source = \"x\", summary = \"digs\", syntax = \"dig\", run = function() end }\n",
    ),
    (
        COMMAND_FILE,
        "return command { source = \"x\", summary = \"digs\", syntax = \"dig {who: Persn}\", run = function() end }\n",
        "return command { source = \"x\", summary = \"digs\", syntax = \"dig {who: Person}\", run = function() end }\n",
    ),
    (
        "scripts/mini/schemas/thing.luau",
        "return schema { source = \"x\", summary = \"x\", folder = \"things\", format = \"luau\", stays = \"yes\", keys = { a = \"text\" } }\n",
        "return schema { source = \"x\", summary = \"x\", folder = \"things\", format = \"luau\", stays = true, keys = { a = \"string\" } }\n",
    ),
];

#[test]
fn what_is_certain_is_mended_in_the_file() {
    for (path, wrong, right) in CERTAIN_FIXES {
        let home = Scratch::mini();
        home.write(path, wrong);
        let found = run_check(&home, &["--deny-warnings"]);
        assert_eq!(found.exit, 1, "{wrong}");
        assert!(found.talk.contains("--fix can fix"), "{}", found.talk);
        assert_eq!(read_file(&home, path), wrong, "only --fix writes");
        let fixed = run_check(&home, &["--fix", "--deny-warnings"]);
        assert_eq!(read_file(&home, path), right);
        assert_eq!(
            (fixed.exit, fixed.result.as_str()),
            (0, ""),
            "{}",
            fixed.talk
        );
        assert!(
            fixed.talk.contains(&format!("fixed {path}:")),
            "{}",
            fixed.talk
        );
        assert!(
            fixed.talk.contains(" fixed, 0 errors, 0 warnings in "),
            "{}",
            fixed.talk
        );
        assert!(run_check(&home, &["--fix"]).talk.starts_with("0 fixed, "));
    }
}

#[test]
fn what_is_not_certain_stays_and_is_told() {
    let uncertain = [
        // No certain fix: two keys are similar, the similar key exists already, no key is similar,
        // or a word begins like one.
        "source: x\nname: Cy\nmode: 4\n",
        "source: x\nname: Cy\nnmae: Di\n",
        "source: x\nname: Cy\nwealth: 4\n",
        "source: x\nname: Cy\nlikes: [ch]\n",
        // Spaces that are part of a text.
        "source: |\n  x  \n  y\nname: Cy\nwealth: 4\n",
        // One more space makes this unreadable.
        "source: x\nname:Cy\nlikes: [\n",
    ];
    for text in uncertain {
        let home = Scratch::mini();
        home.edit(
            "scripts/mini/schemas/person.luau",
            "mood = \"integer",
            "node = \"string?\", mood = \"integer",
        );
        home.write(PERSON_FILE, text);
        let fixed = run_check(&home, &["--fix"]);
        assert_eq!(read_file(&home, PERSON_FILE), text);
        assert_eq!(fixed.exit, 1, "{text}");
        assert!(fixed.talk.contains("0 fixed, 1 error"), "{}", fixed.talk);
    }
}

#[test]
fn a_file_with_an_unknown_key_has_its_unknown_ids_reported_too() {
    let home = Scratch::mini();
    home.write(
        PERSON_FILE,
        "source: x\nname: Cy\nmoood: 4\nlikes: [cher, glom]\n",
    );
    let found = run_check(&home, &[]);
    let count = |code: &str| found.result.matches(code).count();
    assert_eq!(count("[schema/unknown-key]"), 1, "{}", found.result);
    assert_eq!(count("[content/unknown-reference]"), 2, "{}", found.result);
}

#[test]
fn what_is_wrong_with_a_shared_module_is_told_once() {
    let home = Scratch::mini();
    let module = "scripts/mini/pipeline/laying.luau";
    home.write(module, "local = 5\n");
    home.write(
        "scripts/mini/commands/dig.luau",
        "local laying = require(\"pipeline/laying\")\nreturn laying\n",
    );
    let checked = run_check(&home, &[]);
    let told = checked.result + &checked.talk;
    assert_eq!(told.matches("[script/syntax]").count(), 1, "{told}");
    assert!(told.contains("= in: mini/commands/"), "{told}");
}

#[test]
fn only_files_under_the_paths_are_mended() {
    let home = Scratch::mini();
    home.write(PERSON_FILE, "source: x\nnmae: Cy\n");
    home.write("content/mini/people/di.yaml", "source: x\nnmae: Di\n");
    let path = home.path().join(PERSON_FILE);
    let fixed = run_check(&home, &["--fix", path.to_str().unwrap()]);
    assert_eq!(fixed.exit, 0, "{}", fixed.talk);
    assert_eq!(read_file(&home, PERSON_FILE), "source: x\nname: Cy\n");
    assert!(read_file(&home, "content/mini/people/di.yaml").contains("nmae"));
}

#[test]
fn the_structure_is_one_object_and_findings_stand_beside_it() {
    let home = Scratch::mini();
    home.write(PERSON_FILE, "source: x\nnmae: Cy\n");
    let told = run_check(&home, &["--structure", "--format", "json"]);
    assert_eq!(told.exit, 1);
    assert!(told.talk.contains("schema/unknown-key"), "{}", told.talk);
    let structure: Json = serde_json::from_str(&told.result).unwrap();
    assert_eq!(told.result.lines().count(), 1);
    let mini = &structure["rulesets"][0];
    assert_eq!(
        (&mini["ruleset"], &mini["name"]),
        (&"mini".into(), &"Mini".into())
    );
    let commands = &mini["collections"]["commands"];
    assert_eq!(
        (&commands["kind"], &commands["format"]),
        (&"command".into(), &"luau".into())
    );
    let charm = commands["definitions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "charm")
        .unwrap();
    assert_eq!(charm["path"], "scripts/mini/commands/charm.luau");
    assert_eq!(charm["source"], "the host's own tests");
    assert_eq!(
        charm["syntax"][0],
        "charm {person: Person} with {charm: Charm}"
    );
    let people = &mini["collections"]["people"]["definitions"];
    let ids: Vec<&str> = people
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["ann", "bo"], "what is broken is not loaded");
    assert_eq!(
        mini["stats"]["mood"],
        "how somebody feels; charms change it"
    );
}

#[test]
fn one_ruleset_is_checked_by_name_and_an_unknown_one_is_refused() {
    let home = Scratch::mini();
    home.write("scripts/other/ruleset.luau", "return ruleset {\n");
    assert_eq!(run_check(&home, &[]).exit, 1, "both are checked");
    let mini = run_check(&home, &["--ruleset", "mini"]);
    assert_eq!((mini.exit, mini.result.as_str()), (0, ""), "{}", mini.talk);
    let other = run_check(&home, &["--ruleset", "other"]);
    assert_eq!(other.exit, 1);
    let unknown = run_check(&home, &["--ruleset", "minni"]);
    assert_eq!(unknown.exit, 2, "{}", unknown.talk);
    assert!(unknown.talk.contains("mini"), "{}", unknown.talk);
}

#[test]
fn what_was_found_is_called_by_the_words_of_script_authors() {
    for (value, found) in [
        ("5", "a number"),
        ("0.5", "a number"),
        ("'text'", "a text"),
        ("nil", "nothing"),
        ("true", "a boolean"),
    ] {
        let home = Scratch::mini();
        home.write(COMMAND_FILE, format!("--!strict\nreturn {value}\n"));
        home.write(
            "scripts/mini/commands/ask.luau",
            format!("--!strict\nreturn require({value}) :: any\n"),
        );
        let checked = run_check(&home, &[]);
        let all = checked.result + &checked.talk;
        let ends = format!("the file returns {found} instead of its definition");
        assert!(all.contains(&ends), "{value}: {all}");
        if value != "'text'" {
            let path = format!("expects the path of a module, found {found}");
            assert!(all.contains(&path), "{value}: {all}");
        }
    }
}

#[test]
fn prose_beside_the_texts_of_a_book_is_counted_in_one_line_wherever_they_are_loaded() {
    let home = Scratch::shipped("wwrf");
    for guide in ["guides/howto", "guides/manners", "readme"] {
        home.write(&format!("content/wwrf/{guide}"), "Be kind to each other.\n");
    }
    let counted = "3 files are not texts of the ruleset and are not read: in guides (2), the folder itself (1)";
    let checked = run_check(&home, &[]);
    assert_eq!(
        checked.result.matches(counted).count(),
        1,
        "{}",
        checked.result
    );
    assert!(
        checked.talk.contains("0 errors, 0 warnings"),
        "{}",
        checked.talk
    );
    assert_eq!(checked.exit, 0);
    let (exit, _, talk) = run_lines(
        arbiter_running_lines("wwrf", "x")
            .arg("--home")
            .arg(home.path()),
        "status\n",
    );
    assert_eq!(talk.matches(counted).count(), 1, "{talk}");
    assert_eq!(exit, 0);
}
