//! Checks the lists of `act:memo` in shipped scripts: a value that depends on what its list lacks
//! would stay as it was after a write.
//!
//! A copy of the scripts computes each value with an act that notes what is read, and stops where
//! the list lacks a name.

use arbiter_tests::{Game, Scratch, files_below};
use host::game;

const AUDIT: &str = include_str!("memo_lists/memo_audit.luau");

/// An encounter that brings a feature.
const ENCOUNTER: &str = r#"name: A Thorny Path
source: "the host's own tests"
summary: A brute meets a bush with a feature of this encounter.
map: ["....", "...."]
legend: {".": floor}
lighting: bright light
sides: {A: heroes, B: monsters}
features:
  thorny:
    name: thorny
    source: "the host's own tests"
    text: The {NAME} pricks whoever hits it.
    subfeatures:
      - trigger: [hits, creature, self]
        effects:
          - {target: creature, effect: ["Inflict XdX TYPE damage", 1, 1, piercing]}
creatures:
  - {name: Ann, at: [0, 0], side: A, AC: 12, HP: 30, features: [[brute]]}
  - {name: Bush, at: [5, 0], side: B, AC: 5, HP: 60, features: [[thorny]]}
"#;

/// Rulesets with lines that compute each value, and the number of their lists.
const PLAYS: [(&str, &[&str], usize); 2] = [
    (
        "features",
        &[
            "encounter new A Thorny Path",
            "turn Ann",
            "damage Bush 3 fire",
            "read Bush.HP",
        ],
        3,
    ),
    (
        "wwrf",
        &[
            "new game Quay with Ann, Bo, Cy, Dee, Eve, Fay",
            "next anyway",
            "next anyway",
        ],
        4,
    ),
];

/// A list that a file passes to `act:memo`: the line that declares it.
struct MemoList {
    file: String,
    line: String,
}

impl MemoList {
    /// Returns its names, in quotes.
    fn quoted_names(&self) -> Vec<String> {
        let inside = self.line.split(['{', '}']).nth(1).unwrap();
        inside
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect()
    }

    /// Returns its line without a name.
    fn line_without(&self, name: &str) -> String {
        let left: Vec<String> = self.quoted_names();
        let left = left.iter().filter(|one| *one != name).map(String::as_str);
        let head = self.line.split('{').next().unwrap();
        format!("{head}{{ {} }}", left.collect::<Vec<_>>().join(", "))
    }
}

/// Returns a copy of a ruleset in which the audit stands in for `act:memo`, and the lists.
fn audited_home(ruleset: &str) -> (Scratch, Vec<MemoList>) {
    let home = Scratch::shipped(ruleset);
    let mut lists: Vec<MemoList> = Vec::new();
    for path in files_below(&home.path().join("scripts").join(ruleset)) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if !text.contains(":memo(") {
            continue;
        }
        let file = path.strip_prefix(home.path()).unwrap().to_str().unwrap();
        lists.extend(lists_of_memos(file, &text));
        home.write(file, with_audit(&text));
    }
    home.write(
        &format!("scripts/{ruleset}/pipeline/memo_audit.luau"),
        AUDIT,
    );
    if ruleset == "features" {
        home.write("content/features/encounters/a_thorny_path.yaml", ENCOUNTER);
    }
    (home, lists)
}

/// Returns the lists that a file passes to `act:memo`, each once.
fn lists_of_memos(file: &str, text: &str) -> Vec<MemoList> {
    let mut names: Vec<&str> = Vec::new();
    for call in text.split(":memo(").skip(1) {
        let given = call.split('\n').next().unwrap();
        let is_upper = |one: &&str| {
            !one.is_empty() && one.chars().all(|it| it.is_ascii_uppercase() || it == '_')
        };
        let words = given.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        names.extend(words.filter(is_upper).take(1));
    }
    names.sort_unstable();
    names.dedup();
    let declared = |name: &str| {
        let begin = format!("local {name} = {{");
        let line = text.lines().find(|line| line.starts_with(&begin));
        let line = line.unwrap_or_else(|| panic!("{file} declares no {name} in one line"));
        MemoList {
            file: file.to_owned(),
            line: line.to_owned(),
        }
    };
    names.into_iter().map(declared).collect()
}

/// Returns a script that calls the audit in place of `act:memo`.
fn with_audit(text: &str) -> String {
    let mut parts = text.split(":memo(");
    let mut made = parts.next().unwrap().to_owned();
    for part in parts {
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.';
        let at = made.rfind(|it| !is_word(it)).map_or(0, |at| at + 1);
        let act = made.split_off(at);
        made = format!("{made}memo_audit({act}, {part}");
    }
    let require = "--!strict\nlocal memo_audit = require(\"pipeline/memo_audit\")\n";
    made.replacen("--!strict\n", require, 1)
}

/// Plays lines, and returns the texts of refusals and of questions about rules that break.
fn play_and_collect_errors(home: &Scratch, ruleset: &str, lines: &[&str]) -> String {
    let mut game = Game::untimed(home, ruleset);
    let mut found = String::new();
    for line in lines {
        if let Some(refusal) = game.line(line).refusal {
            found += &format!("{}\n", refusal.message);
        }
        for one in game::open_questions(game.solo.timeline()) {
            if one.question.text.contains("Go on without it") {
                found += &format!("{}\n", one.question.text.replace('\n', " "));
            }
        }
    }
    found
}

#[test]
fn each_list_contains_what_its_value_is_computed_from_and_no_name_more() {
    for (ruleset, lines, count) in PLAYS {
        let (home, lists) = audited_home(ruleset);
        assert_eq!(lists.len(), count, "{ruleset}");
        assert_eq!(play_and_collect_errors(&home, ruleset, lines), "");
        for list in lists {
            for name in list.quoted_names() {
                home.edit(&list.file, &list.line, &list.line_without(&name));
                let found = play_and_collect_errors(&home, ruleset, lines);
                let said = format!("reads {name}, which is not in its list");
                assert!(found.contains(&said), "{}: {name}: {found}", list.file);
                home.edit(&list.file, &list.line_without(&name), &list.line);
            }
        }
    }
}
