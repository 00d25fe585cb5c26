//! Tests that each trait of the SRD is a shipped feature with a played test.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use crate::program::project;

/// Traits that are only text for people.
const TEXT_ONLY_TRAITS: [&str; 2] = ["night hag items", "wakeful"];

/// Returns the shipped features by name, each with its id and its number of subfeatures.
fn shipped_features_by_name() -> BTreeMap<String, (String, usize)> {
    let mut found = BTreeMap::new();
    for file in arbiter_tests::files_below(&project().join("content/features/features")) {
        let text = fs::read_to_string(&file).unwrap();
        let feature = text.lines().find_map(|line| line.strip_prefix("name: "));
        let name = feature.unwrap().trim_matches('"').to_lowercase();
        let id = file.file_stem().unwrap().to_string_lossy().into_owned();
        let subfeatures = text.matches("\n  - trigger:").count();
        found.insert(name, (id, subfeatures));
    }
    found
}

fn has_played_test(id: &str) -> bool {
    let test = format!("scripts/features/traits/{id}.test.txt");
    let text = fs::read_to_string(project().join(test)).unwrap_or_default();
    text.contains("\n> ") && text.contains("\n| ")
}

#[test]
fn every_shipped_feature_is_shown_in_play() {
    let features = shipped_features_by_name();
    assert!(features.len() >= 91, "{}", features.len());
    for (name, (id, subfeatures)) in &features {
        assert!(has_played_test(id), "{name} has no test");
        let is_text = TEXT_ONLY_TRAITS.contains(&name.as_str());
        assert_eq!(*subfeatures == 0, is_text, "{name}: {subfeatures}");
    }
}

#[test]
fn every_trait_of_the_corpus_is_a_feature() {
    let Some(folder) = std::env::var_os("ARBITER_CORPUS") else {
        return;
    };
    let file = std::path::Path::new(&folder).join("features/srd-traits-visible.json");
    let data: Json = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let traits = data["traits"].as_array().unwrap();
    let features = shipped_features_by_name();
    assert!(traits.len() >= 91);
    for one in traits {
        let name = one["name"].as_str().unwrap().to_lowercase();
        assert!(features.contains_key(&name), "{name} is no feature");
    }
}

/// Every trigger, effect and duration is used by a shipped feature.
#[test]
fn every_trigger_effect_and_duration_is_used() {
    let folder = project().join("content/features/features");
    let all: String = arbiter_tests::files_below(&folder)
        .iter()
        .map(|file| fs::read_to_string(file).unwrap().to_lowercase())
        .collect();
    for collection in ["triggers", "effects", "durations"] {
        for file in arbiter_tests::files_below(&project().join("scripts/features").join(collection))
        {
            if file.extension().is_none_or(|kind| kind != "luau")
                || file.to_string_lossy().contains(".test.")
            {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            let name = text.lines().find_map(|line| {
                let named = line.strip_prefix("  name = \"");
                named.or(line.strip_prefix("local NAME = \""))
            });
            let name = name.unwrap_or_else(|| panic!("{} has no name", file.display()));
            let name = name.split('"').next().unwrap().to_lowercase();
            let word = match name.as_str() {
                "x sec, min, hr, day, month, year" => " min",
                name => name,
            };
            assert!(all.contains(word), "{collection}: nothing uses {name}");
        }
    }
}
