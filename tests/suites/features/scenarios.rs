//! Plays scenarios with fixed dice and compares the expected result of every step.

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::program::{arbiter_in_project, project};

/// Returns the project's scenario file, followed by that of the corpus if it exists, each with its
/// number of scenarios.
fn own_and_corpus_scenario_files() -> Vec<(PathBuf, usize)> {
    let own = (project().join("tests/features/files/scenarios.md"), 3);
    let corpus = std::env::var_os("ARBITER_CORPUS")
        .map(|folder| (PathBuf::from(folder).join("features/scenarios.md"), 7));
    [Some(own), corpus].into_iter().flatten().collect()
}

#[test]
fn every_step_holds_and_every_die_is_used() {
    for (file, count) in own_and_corpus_scenario_files() {
        let mut test = arbiter_in_project();
        let test = test.args(["test", "--ruleset", "features"]).arg(&file);
        let output = test.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}{told}", file.display());
        let passed = format!("{count} passed, 0 failed");
        assert!(
            said.contains(&passed) || told.contains(&passed),
            "{said}{told}"
        );
    }
}

/// A scenario with a changed expectation or die fails, and the message shows the command and its
/// text.
#[test]
fn what_does_not_hold_is_told() {
    let text = std::fs::read_to_string(&own_and_corpus_scenario_files()[0].0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("changed.md");
    for (old, new, told) in [
        ("\"Ghast.HP\": 29", "\"Ghast.HP\": 30", "Ghast.HP"),
        (
            "[[\"d20\", 14], [\"d8\", 4]]",
            "[[\"d20\", 14], [\"d6\", 4]]",
            "d6:4",
        ),
        (
            "[[\"d20\", 14], [\"d8\", 4]]",
            "[[\"d20\", 14], [\"d8\", 4], [\"d8\", 1]]",
            "the command did not roll these typed dice: d8:1",
        ),
        (
            "[[\"d20\", 14], [\"d8\", 4]]",
            "[[\"d20\", 14]]",
            "all typed dice are used",
        ),
        (
            "\"do\": \"touch\"",
            "\"do\": \"tuch\"",
            "unknown step \"tuch\"",
        ),
        (
            "\"expect\": {\"Ghast.HP\"",
            "\"expects\": {\"Ghast.HP\"",
            "A, step 2: unknown key \"expects\" (did you mean expect?)",
        ),
        (
            "\"id\": \"A\",",
            "\"id\": \"A\", \"weather\": \"fog\",",
            "A, weather: unknown key \"weather\"",
        ),
        (
            "{\"do\": \"end\", \"who\": \"Guard\"}",
            "{\"do\": \"end\", \"who\": \"Gard\"}",
            "\"Gard\" cannot end the turn: it is Guard's turn",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        std::fs::write(&file, text.replacen(old, new, 1)).unwrap();
        let output = arbiter_in_project()
            .args(["test", "--ruleset", "features"])
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = said + &String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains(told),
            "{told}: {said}"
        );
    }
}

/// Returns the scenarios of a file.
fn read_scenarios(text: &str) -> Vec<Json> {
    text.split("```json scenario\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .map(|block| serde_json::from_str(block).unwrap())
        .collect()
}

/// Adds the JSON pointers of all objects in a value.
fn add_object_pointers(value: &Json, at: &str, found: &mut Vec<String>) {
    if let Some(map) = value.as_object() {
        found.push(at.to_owned());
        for (key, inner) in map {
            let key = key.replace('~', "~0").replace('/', "~1");
            add_object_pointers(inner, &format!("{at}/{key}"), found);
        }
    }
    for (place, inner) in value.as_array().into_iter().flatten().enumerate() {
        add_object_pointers(inner, &format!("{at}/{place}"), found);
    }
}

/// Returns one copy of a scenario for each of its objects, with an unknown key in that object.
fn scenarios_with_unknown_key(scenario: &Json) -> Vec<Json> {
    let mut found = Vec::new();
    add_object_pointers(scenario, "", &mut found);
    found
        .iter()
        .map(|at| {
            let mut changed = scenario.clone();
            let object = changed.pointer_mut(at).and_then(Json::as_object_mut);
            object.unwrap().insert("planted".to_owned(), Json::from(1));
            changed
        })
        .collect()
}

/// An unknown key is found in every object: in the scenario, its features, its creatures, and its
/// steps.
#[test]
fn an_unknown_key_is_found_wherever_it_stands() {
    for (file, _) in own_and_corpus_scenario_files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut changed = Vec::new();
        for scenario in read_scenarios(&text)
            .iter()
            .flat_map(scenarios_with_unknown_key)
        {
            let path = folder.path().join(format!("{}.md", changed.len()));
            std::fs::write(&path, format!("```json scenario\n{scenario}\n```\n")).unwrap();
            changed.push(path);
        }
        let mut test = arbiter_in_project();
        let test = test.args(["test", "--ruleset", "features"]).args(&changed);
        let output = test.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = said + &String::from_utf8_lossy(&output.stderr);
        let all_fail = format!("0 passed, {} failed", changed.len());
        assert!(changed.len() > 50, "{}", file.display());
        assert!(said.contains(&all_fail), "{}: {said}", file.display());
    }
}
