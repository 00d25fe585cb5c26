//! Tests that handlers and checks that follow from the same files are not found out again.

use crate::content::{Cache, File};
use crate::diag::Source;
use crate::script::load::{Compiled, EngineOptions, ModFiles, load_rules};

const RULESET: &str = r#"return ruleset { source = "s", name = "Toy", summary = "s",
  events = { rang = { summary = "a bell rang" } } }"#;

const HABIT: &str = r#"return schema {
  source = "s", summary = "s", folder = "habits", format = "yaml", listeners = "game", keys = { on = "string" },
  check = function(habit, report)
    print("check " .. habit.id)
    if habit.on == "loop" then while true do end end
    if habit.on == "warn" then report { code = "odd", severity = "warning", message = "it is odd" } end
  end,
  handlers = function(habit)
    print("ask " .. habit.id)
    return { { on = if habit.on == "warn" or habit.on == "loop" then "rang" else habit.on, key = habit.id, data = { of = habit, said = { "x" } } } }
  end,
  fire = function() end, label = function() return "x" end,
}"#;

fn files(habits: &[(&str, &str)]) -> ModFiles {
    let file = |path: &str, text: &str| File::new(path, Source::new(format!("toy/{path}"), text));
    let habit =
        |(name, on): &(&str, &str)| file(&format!("habits/{name}.yaml"), &format!("on: {on}\n"));
    ModFiles {
        name: "toy".to_owned(),
        scripts: vec![
            file("ruleset.luau", RULESET),
            file("schemas/habit.luau", HABIT),
        ],
        content: habits.iter().map(habit).collect(),
    }
}

/// Returns the output of a start with a cache folder, and the codes of its findings.
fn started(cache: &Cache, habits: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let options = EngineOptions {
        cache: Some(cache.clone()),
        ..EngineOptions::default()
    };
    let (engine, found) = load_rules(&[files(habits)], &[], &options, Compiled::default()).unwrap();
    let codes = found.iter().map(|one| one.code.to_string()).collect();
    (engine.host.take_printed().lines, codes)
}

#[test]
fn handlers_and_checks_of_the_same_files_are_known_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let both = [("a", "rang"), ("b", "rang")];
    let all = ["check a", "check b", "ask a", "ask b"].map(str::to_owned);
    assert_eq!(started(&cache, &both), (all.to_vec(), Vec::new()));
    assert_eq!(started(&cache, &both), (Vec::new(), Vec::new()));
    // A check may look at any definition.
    let (said, _) = started(&cache, &[("a", "rang"), ("b", "rang "), ("c", "rang")]);
    assert_eq!(said.len(), 6);
}

#[test]
fn what_is_wrong_is_told_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let habits = [("a", "warn"), ("b", "sang")];
    let (said, first) = started(&cache, &habits);
    assert_eq!((said.len(), first.len()), (4, 2), "{first:?}");
    let (said, second) = started(&cache, &habits);
    assert_eq!(
        (said.len(), &second),
        (2, &first),
        "the checks are run again"
    );
}

#[test]
fn where_a_limit_cut_a_check_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let habits = [("a", "rang"), ("b", "loop")];
    let (first, _) = started(&cache, &habits);
    let (second, codes) = started(&cache, &habits);
    assert_eq!(first, second, "all of it is asked again");
    assert_eq!(codes, ["limit/fuel"]);
}

#[test]
fn what_is_wrong_with_a_script_is_told_at_each_start_and_after_a_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let options = EngineOptions {
        cache: Some(cache),
        ..EngineOptions::default()
    };
    let schema = r#"return schema { source = "s", summary = "s", folder = "deeds", format = "luau", keys = { source = "string" } }"#;
    let started = |deed: &str| {
        let mut files = files(&[("a", "rang")]);
        let file =
            |path: &str, text: &str| File::new(path, Source::new(format!("toy/{path}"), text));
        files.scripts.push(file("schemas/deed.luau", schema));
        files.scripts.push(file("deeds/one.luau", deed));
        let loaded = load_rules(&[files], &[], &options, Compiled::default());
        let found = loaded.unwrap().1;
        found
            .iter()
            .map(|one| one.code.to_string())
            .collect::<Vec<_>>()
    };
    let (right, wrong) = (
        "return deed { source = \"s\" }",
        "return deed { sauce = \"s\" }",
    );
    assert_eq!(started(right), [""; 0]);
    assert_eq!(started(right), [""; 0]);
    let first = started(wrong);
    assert!(!first.is_empty());
    assert_eq!(started(wrong), first);
    assert_eq!(started(right), [""; 0]);
}
