//! This module plays scenarios: every die is fixed, and what must hold after every step is known.

use std::path::PathBuf;

use crate::program::{arbiter, project};

/// Returns our own file of scenarios, and behind it that of the corpus, if there is one; each with how many it has.
fn files() -> Vec<(PathBuf, usize)> {
    let own = (project().join("tests/features/files/scenarios.md"), 3);
    let corpus = std::env::var_os("ARBITER_CORPUS")
        .map(|folder| (PathBuf::from(folder).join("features/scenarios.md"), 7));
    [Some(own), corpus].into_iter().flatten().collect()
}

#[test]
fn every_step_holds_and_every_die_is_used() {
    for (file, count) in files() {
        let mut test = arbiter();
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

/// A scenario whose expectation or die is another one fails, with the command and what it says.
#[test]
fn what_does_not_hold_is_told() {
    let text = std::fs::read_to_string(&files()[0].0).unwrap();
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
            "nothing rolls these typed dice: d8:1",
        ),
        (
            "[[\"d20\", 14], [\"d8\", 4]]",
            "[[\"d20\", 14]]",
            "no typed die is left for it",
        ),
        (
            "\"do\": \"touch\"",
            "\"do\": \"tuch\"",
            "there is no step \"tuch\"",
        ),
        (
            "\"expect\": {\"Ghast.HP\"",
            "\"expects\": {\"Ghast.HP\"",
            "A, step 2: there is no key \"expects\" (did you mean expect?)",
        ),
        (
            "\"id\": \"A\",",
            "\"id\": \"A\", \"weather\": \"fog\",",
            "A, weather: there is no key \"weather\"",
        ),
        (
            "{\"do\": \"end\", \"who\": \"Guard\"}",
            "{\"do\": \"end\", \"who\": \"Gard\"}",
            "\"Gard\" ends a turn that is Guard's",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        std::fs::write(&file, text.replacen(old, new, 1)).unwrap();
        let output = arbiter()
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
