//! Tests the invariants of the scripts and of the API for scripts.

use host::script;
use std::collections::BTreeSet;

use arbiter_tests::{Game, files_below, on_game_thread, project};
use host::game::{Home, Seed, SessionOptions, Solo};
use host::script::{EngineOptions, Group, declarations};

use super::source_files::{File, files_with_endings};

/// Folders of a ruleset that contain no definitions.
const MODULE_FOLDERS: [&str; 3] = ["schemas", "pipeline", "views"];

/// Names that the Luau machine provides; the host does not declare them.
const MACHINE_NAMES: [&str; 32] = [
    "assert",
    "bit32",
    "buffer",
    "error",
    "getmetatable",
    "ipairs",
    "math",
    "next",
    "null",
    "pairs",
    "pcall",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "select",
    "setmetatable",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "typeof",
    "unpack",
    "utf8",
    "vector",
    "xpcall",
    "act",
    "decimal",
    "print",
    "ordered",
    "list",
];

fn shipped_and_test_rulesets() -> Vec<String> {
    project_home().rulesets()
}

fn project_home() -> Home {
    Home {
        folder: project(),
        mods: vec![project().join("tests/mini")],
        content: None,
    }
}

#[test]
fn every_rule_tested() {
    let mut wrong = Vec::new();
    let of_the_toy = files_with_endings("tests/mini/scripts", &["luau"]);
    for file in files_with_endings("scripts", &["luau"])
        .into_iter()
        .chain(of_the_toy)
    {
        let inside = file.path.strip_prefix("tests/mini/").unwrap_or(&file.path);
        let parts: Vec<&str> = inside.split('/').collect();
        let is_test = file.path.ends_with(".test.luau");
        let [_, of, inner @ ..] = parts.as_slice() else {
            continue;
        };
        let is_definition = inner.len() > 1 && !MODULE_FOLDERS.contains(&inner[0]);
        let is_module = *of == "library" && inner.len() == 1;
        if is_definition && !is_test {
            wrong.extend(missing_test_cases(&file.path));
        }
        if is_module
            && !is_test
            && !project()
                .join(file.path.replace(".luau", ".test.luau"))
                .is_file()
        {
            wrong.push(format!("{} has no test", file.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Each command word belongs to one file, so it has one help text and one meaning. A family of
/// commands, such as `spell new` and `spell set`, has one file per command.
#[test]
fn one_word_is_one_command() {
    on_game_thread(|| {
        for ruleset in shipped_and_test_rulesets() {
            let options = SessionOptions {
                home: project_home(),
                ruleset: ruleset.clone(),
                seed: Seed::from_text("words"),
                engine: EngineOptions::default(),
            };
            let solo = host::game::Session::open(options, &repl::COMMANDS)
                .map(Solo::from)
                .unwrap_or_else(|found| panic!("{ruleset}: {found:?}"));
            let rules = solo.timeline().rules();
            let mut read: BTreeSet<(String, String)> = BTreeSet::new();
            for definition in rules.registry.of_collection("commands") {
                // A line that begins with a slot is identified by the words of that slot.
                let lines = script::syntax_lines(definition).into_iter();
                for line in lines.filter(|line| !line.starts_with('{')) {
                    read.insert((
                        words_of_command_line(&definition.id, line),
                        definition.id.to_string(),
                    ));
                }
            }
            for (words, id) in &read {
                let inside = format!("{words} ");
                let other = read.iter().find(|(other, theirs)| {
                    theirs != id && (other == words || other.starts_with(&inside))
                });
                assert_eq!(
                    other, None,
                    "{ruleset}: {words} is read by {id} and another one"
                );
            }
        }
    });
}

/// Returns the words that identify a line of a command: those of its file name, or its first word.
fn words_of_command_line(id: &str, line: &str) -> String {
    let line = line.to_lowercase();
    let family = id.replace('_', " ");
    if line == family || line.starts_with(&format!("{family} ")) {
        return family;
    }
    let first = line.split([' ', '[', '{']).next();
    first.unwrap_or_default().to_owned()
}

/// Beginnings of lines that show a failure: a refusal, an error, or an error in a list of findings.
const FAILING_LINE_STARTS: [&str; 3] = ["| error[", "| refused", "| - error["];

fn missing_test_cases(script: &str) -> Option<String> {
    let place = project().join(script.replace(".luau", ".test.txt"));
    let Ok(text) = std::fs::read_to_string(&place) else {
        return Some(format!("{script} has no cases"));
    };
    let fails = text.lines().any(|line| {
        FAILING_LINE_STARTS
            .iter()
            .any(|begin| line.starts_with(begin))
    });
    (!fails).then(|| format!("{script} has no case that fails"))
}

#[test]
fn every_rule_sourced() {
    on_game_thread(|| {
        let rulesets = shipped_and_test_rulesets();
        assert!(rulesets.contains(&"mini".to_owned()), "{rulesets:?}");
        for ruleset in rulesets {
            let options = SessionOptions {
                home: project_home(),
                ruleset: ruleset.clone(),
                seed: Seed::from_text("sources"),
                engine: EngineOptions::default(),
            };
            let solo = host::game::Session::open(options, &repl::COMMANDS)
                .map(Solo::from)
                .unwrap_or_else(|found| panic!("{ruleset}: {found:?}"));
            assert_eq!(
                solo.session.generations().live().findings(),
                [],
                "{ruleset} has no findings"
            );
            let rules = solo.timeline().rules();
            assert!(rules.registry.iter().count() > 5, "{ruleset}");
            // A text needs no `source` key.
            let others = rules.registry.iter().filter(|one| !one.is_text);
            for definition in others {
                let source = definition.value.get("source").as_str().unwrap_or_default();
                assert!(
                    !source.trim().is_empty(),
                    "{ruleset}: {}/{}",
                    definition.collection,
                    definition.id
                );
            }
            assert!(
                !rules
                    .ruleset
                    .get("source")
                    .as_str()
                    .unwrap_or_default()
                    .trim()
                    .is_empty(),
                "{ruleset}"
            );
        }
    });
}

#[test]
fn api_documented() {
    let reached = on_game_thread(|| {
        script::reachable_names(&Game::mini().solo.session.generations().live().machine())
            .expect("the names can be listed")
    });
    let functions = reached
        .iter()
        .filter_map(|name| name.strip_suffix(" function"));
    let reached: BTreeSet<&str> = functions.filter(|name| is_declared_by_host(name)).collect();
    let groups = declarations();
    let declared: BTreeSet<String> = groups.iter().flat_map(script_names_of_group).collect();
    let declared: BTreeSet<&str> = declared.iter().map(String::as_str).collect();
    let missing: Vec<_> = reached.difference(&declared).collect();
    let vanished: Vec<_> = declared.difference(&reached).collect();
    assert!(
        missing.is_empty(),
        "reachable and not declared: {missing:?}"
    );
    assert!(
        vanished.is_empty(),
        "declared and not reachable: {vanished:?}"
    );
    for group in &groups {
        assert!(!group.text.is_empty(), "{} has no text", group.name);
        for function in &group.functions {
            let name = format!("{}.{}", group.name, function.name);
            assert!(
                function.text.ends_with('.'),
                "{name}: the text is a sentence: {}",
                function.text
            );
            assert!(!function.examples.is_empty(), "{name} has no example");
            for (word, note) in &function.notes {
                assert!(!note.trim().is_empty(), "{name}: {word} says nothing");
            }
        }
    }
}

fn is_declared_by_host(name: &str) -> bool {
    let head = name.split(['.', ':']).next().unwrap_or_default();
    name.contains(':')
        || !MACHINE_NAMES.contains(&head)
        || ["decimal", "print", "ordered", "list"].contains(&head)
}

/// Returns the names of a group as scripts write them; types without functions give none.
fn script_names_of_group(group: &Group) -> Vec<String> {
    let name = |function: &str| match (group.is_type, group.name == function) {
        (true, _) => format!("{}:{function}", group.name.to_lowercase()),
        (false, true) => function.to_owned(),
        (false, false) => format!("{}.{function}", group.name),
    };
    group
        .functions
        .iter()
        .map(|function| name(&function.name))
        .collect()
}

/// Returns the single words that a line of code assigns to names: `raise = raising,` and `{ raise =
/// raising }` give `raising`.
fn values_under_names(line: &str) -> impl Iterator<Item = &str> {
    let is_comment = line.trim_start().starts_with("--");
    let parts = line.split(['{', '}', ',', ';']);
    parts.filter(move |_| !is_comment).filter_map(|part| {
        let (name, value) = part.trim().split_once(" = ")?;
        let is_word = |text: &str| {
            let mut letters = text.chars();
            letters.all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.')
        };
        (is_word(name) && is_word(value) && !value.contains('.')).then_some(value)
    })
}

/// Returns whether a file declares data to the host; its data may then be stored under a key.
fn is_data_declaration(file: &File) -> bool {
    file.path.contains("/schemas/") || file.path.ends_with("/ruleset.luau")
}

#[test]
fn the_host_alone_knows_who_hears_events() {
    let mut wrong = Vec::new();
    for file in files_with_endings("scripts", &["luau"]) {
        if file.path.ends_with(".test.luau") {
            continue;
        }
        let required = file.text.lines().filter_map(|line| {
            let (name, module) = line.strip_prefix("local ")?.split_once(" = ")?;
            module.starts_with("require(").then_some(name)
        });
        let required: BTreeSet<&str> = required.collect();
        for (number, line) in file.text.lines().enumerate() {
            let hands_around = !is_data_declaration(&file)
                && values_under_names(line).any(|value| required.contains(value));
            let listens = [
                "`hears {",
                "`heard {",
                "\"ears\"",
                "look_again(",
                "elements.changed(",
            ];
            if hands_around || listens.iter().any(|word| line.contains(word)) {
                wrong.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "no record says that it listens, nobody says that listeners changed, and modules are required where they are used"
    );
    for line in [
        "  raise = raising,",
        "of.raise = raising",
        "of.tools = { raise = raising }",
        "  local tools = { first = 1, raise = raising }",
    ] {
        assert!(
            values_under_names(line).any(|value| value == "raising"),
            "{line}"
        );
    }
    for other in [
        "local raising = require(\"x\")",
        "raise = raising.of,",
        "  raise(raising)",
        "-- shape: { raise = raising }",
    ] {
        assert!(
            values_under_names(other).all(|value| value != "raising"),
            "{other}"
        );
    }
}

/// Returns the wrong lines of files, each with its place.
fn wrong_lines(files: Vec<File>, is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if is_wrong(line) {
                wrong.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    wrong
}

/// Functions that search a text.
const TEXT_SEARCH_FUNCTIONS: [&str; 7] = [
    "string.find(",
    "string.match(",
    "string.gmatch(",
    "string.gsub(",
    "string.split(",
    "string.sub(",
    "text.split(",
];

/// Returns whether a line of a script searches the text of a message.
fn searches_message_text(line: &str) -> bool {
    let is_said = |argument: &str| {
        let words = argument.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        words.into_iter().any(|word| {
            let last = word.rsplit('.').next().unwrap_or_default();
            ["message", "hint", "why"].contains(&last)
        })
    };
    TEXT_SEARCH_FUNCTIONS.iter().any(|function| {
        let mut calls = line.split(function).skip(1);
        calls.any(|rest| is_said(rest.split([',', ')']).next().unwrap_or_default()))
    })
}

/// Messages may be reworded; scripts must use data instead.
#[test]
fn no_script_reads_messages() {
    let mut rules = files_with_endings("scripts", &["luau"]);
    rules.retain(|file| !file.path.ends_with(".test.luau"));
    assert_eq!(wrong_lines(rules, searches_message_text), [""; 0]);
    for line in [
        "local wanted = string.match(message, \"expected (.-), found\")",
        "return fault.hint ~= nil and string.find(fault.hint, \"^did you mean\") ~= nil",
        "local first = text.split(miss.message, \" \")[1]",
        "for word in string.gmatch(string.gsub(hint or \"\", \"x\", \"\"), \"%S+\") do",
    ] {
        assert!(searches_message_text(line), "{line}");
    }
    assert!(!searches_message_text(
        "string.find(said, pattern) -- the message says why"
    ));
}

#[test]
fn maps_are_walked_in_order() {
    let mut all = files_with_endings("scripts", &["luau"]);
    all.extend(files_with_endings("tests/mini/scripts", &["luau"]));
    let walks = |line: &str| {
        let walks = line.contains(" in pairs(") || line.contains(" in next,");
        walks && !line.trim_start().starts_with("--")
    };
    assert_eq!(
        wrong_lines(all, walks),
        [""; 0],
        "maps are walked with ordered.pairs"
    );
}

#[test]
fn scripts_say_what_they_are() {
    let mut wrong = Vec::new();
    for file in files_with_endings("scripts", &["luau"])
        .into_iter()
        .chain(files_with_endings("tests/mini/scripts", &["luau"]))
    {
        let mut lines = file.text.lines();
        if file.path.ends_with(".test.luau") {
            continue;
        }
        let strict = lines.next() == Some("--!strict");
        let sentence = lines
            .next()
            .is_some_and(|line| line.starts_with("-- ") && line.len() > 15);
        if !strict || !sentence {
            wrong.push(file.path);
        }
    }
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "a script begins with --!strict and a sentence"
    );
}

#[test]
fn no_file_lies_where_nothing_reads_it() {
    let mut wrong = Vec::new();
    for place in files_below(&project().join("content")) {
        let ending = place
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // A file without an extension is a text in the language of its ruleset.
        if !["", "yaml", "json", "txt", "md"].contains(&ending.as_str()) {
            wrong.push(place);
        }
    }
    assert_eq!(wrong, Vec::<std::path::PathBuf>::new());
}

/// A definition without a function names the file of its rule, for people who look for the rule.
#[test]
fn a_definition_without_a_function_names_the_file_of_its_rule() {
    let mut seen = 0;
    for file in files_with_endings("scripts", &["luau"]) {
        let parts: Vec<&str> = file.path.split('/').collect();
        let [_, ruleset, folder, _] = parts[..] else {
            continue;
        };
        let is_definition = !MODULE_FOLDERS.contains(&folder) && ruleset != "library";
        if !is_definition || file.path.ends_with(".test.luau") {
            continue;
        }
        let header = file.text.lines().take_while(|line| line.starts_with("--"));
        let place = header
            .filter_map(|line| line.split_once("Rule: "))
            .map(|(_, place)| place)
            .last();
        // A function may carry out only a part of the rule; the place of the rest is optional.
        if place.is_none() && file.code.contains("function") {
            continue;
        }
        seen += 1;
        let place = place.unwrap_or_else(|| panic!("{}: write -- Rule: PATH.", file.path));
        let path = place.split([',', ' ']).next().unwrap_or_default();
        let path = path.trim_end_matches('.');
        let rule = match path {
            "here" => file.text.clone(),
            path => {
                let of_rule = project().join(format!("scripts/{ruleset}/{path}.luau"));
                std::fs::read_to_string(of_rule)
                    .unwrap_or_else(|_| panic!("{}: there is no {path}.luau", file.path))
            }
        };
        let names = place.split('`').skip(1).step_by(2);
        for name in names.filter(|name| !name.contains(['.', '/', ' '])) {
            assert!(rule.contains(name), "{}: {path} has no {name}", file.path);
        }
    }
    assert!(seen > 200, "{seen}");
}
