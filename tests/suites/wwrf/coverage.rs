//! Tests that the shipped book uses the whole language, because authors learn the language from it.

use std::collections::{BTreeMap, BTreeSet};

use arbiter_tests::{Game, Scratch};
use host::value::to_json;
use serde_json::Value as Json;

use super::{definitions_by_path, files_by_path, home_with_whole_structure, shipped_book};

/// Parts of the language that the book does not use, and the reason.
const UNUSED_BY_BOOK: [(&str, &str); 12] = [
    ("flags repeating", "it is obsolete"),
    ("triggers on_banished", "the guide says not to use it"),
    ("triggers on_player_banished", "nor this"),
    (
        "value_types ability_category",
        "filters of abilities name it, no operand",
    ),
    ("value_types actor", "its values are of narrower types"),
    ("value_types attribute_name", "its values are attributes"),
    ("value_types any", "its values are of narrower types"),
    (
        "value_types display_value",
        "its values are of narrower types",
    ),
    (
        "value_types full_category",
        "players answer with it, no operand is one",
    ),
    (
        "value_types named_attribute",
        "its values are active attributes",
    ),
    ("value_types null", "nobody writes what was never set"),
    ("value_types prompt_key", "keys of texts are no operands"),
];

/// The least number of texts in the book, by kind.
const MINIMUM_COUNTS: [(&str, usize); 8] = [
    ("ability_sets", 3),
    ("attributes", 15),
    ("displays", 3),
    ("groups", 8),
    ("locations", 3),
    ("polls", 6),
    ("roles", 40),
    ("teams", 6),
];

/// The definitions used in the book, as `collection id`.
type UsedDefinitions = BTreeSet<String>;

/// The keys of read texts that name a definition, and its collection.
const NAMING_KEYS: [(&str, &str); 15] = [
    ("annotation", "value_types"),
    ("condition", "conditions"),
    ("duration", "durations"),
    ("filter", "filters"),
    ("flag", "flags"),
    ("host_info", "host_infos"),
    ("property", "properties"),
    ("query", "queries"),
    ("read_as", "value_types"),
    ("restriction", "restrictions"),
    ("scaling", "scalings"),
    ("selector", "selectors"),
    ("trigger", "triggers"),
    ("type", "value_types"),
    ("variable", "variables"),
];

/// Adds the definitions that a piece of a text uses.
fn note_definitions_used(said: &Json, used: &mut UsedDefinitions) {
    if let Some(map) = said.as_object() {
        for (key, collection) in NAMING_KEYS {
            if let Some(id) = map.get(key).and_then(Json::as_str) {
                used.insert(format!("{collection} {id}"));
            }
        }
        if let (Some(ability), Some(form)) = (map.get("ability"), map.get("form")) {
            let ability = ability.as_str().unwrap();
            used.insert(format!("abilities {ability}"));
            used.insert(format!("abilities {ability} {form}"));
            if let Some(subtype) = map.get("subtype").and_then(Json::as_str) {
                used.insert(format!("abilities {ability} {subtype}"));
            }
        }
    }
    let inner: Vec<&Json> = match said {
        Json::Object(map) => map.values().collect(),
        Json::Array(list) => list.iter().collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Vec::new(),
    };
    for one in inner {
        note_definitions_used(one, used);
    }
}

/// Adds the directives of a definition.
fn note_directives_used(said: &Json, directives: &[(String, Json)], used: &mut UsedDefinitions) {
    let collection = said["collection"].as_str().unwrap();
    for (id, directive) in directives {
        let kinds = directive["kinds"].as_array().unwrap();
        let is_for = kinds
            .iter()
            .any(|kind| format!("{}s", kind.as_str().unwrap()) == collection);
        let found = &said[directive["key"].as_str().unwrap()];
        let value = &directive["value"];
        if is_for && !found.is_null() && (value.is_null() || value == found) {
            used.insert(format!("directives {id}"));
        }
    }
}

/// Returns the subtypes of a form of an ability: a single one, or those of the words of a slot.
fn subtypes_of_form(form: &Json) -> Vec<String> {
    let subtype = &form["subtype"];
    if let Some(subtype) = subtype.as_str() {
        return vec![subtype.to_owned()];
    }
    let Some(slot) = subtype["slot"].as_str() else {
        return Vec::new();
    };
    let syntax = form["syntax"].as_str();
    let syntax = syntax.or(form["syntax"][0].as_str()).unwrap();
    let behind = syntax.split_once(&format!("{{{slot}: "));
    let words = behind.and_then(|(_, rest)| Some(rest.split_once('}')?.0));
    let words = words.unwrap_or_default().split('|');
    let named = |word: &str| match subtype["words"][word].as_str() {
        Some(named) => named.to_owned(),
        None => word.to_lowercase(),
    };
    words.map(named).collect()
}

/// The collections of definitions that form the language.
const LANGUAGE_COLLECTIONS: [&str; 13] = [
    "abilities",
    "conditions",
    "directives",
    "durations",
    "filters",
    "flags",
    "host_infos",
    "properties",
    "restrictions",
    "scalings",
    "selectors",
    "triggers",
    "value_types",
];

/// Returns the definitions of a collection of the ruleset.
fn definitions_of_collection(game: &Game, collection: &str) -> Vec<(String, Json)> {
    let rules = game.solo.timeline().rules();
    let all = rules.registry.of_collection(collection);
    all.map(|one| (one.id.to_string(), to_json(&one.value)))
        .collect()
}

/// Returns the whole language, as `collection id`, with each subtype and form of abilities.
fn all_language_definitions(game: &Game) -> BTreeSet<String> {
    let mut has = BTreeSet::new();
    for collection in LANGUAGE_COLLECTIONS.iter().chain(&["variables"]) {
        for (id, said) in definitions_of_collection(game, collection) {
            has.insert(format!("{collection} {id}"));
            let forms = said["forms"].as_array().into_iter().flatten();
            for (at, form) in forms.enumerate() {
                has.insert(format!("{collection} {id} {}", at + 1));
                for subtype in subtypes_of_form(form) {
                    has.insert(format!("{collection} {id} {subtype}"));
                }
            }
        }
    }
    has
}

#[test]
fn the_shipped_book_uses_the_whole_language() {
    let game = Game::of_program(&Scratch::shipped("wwrf"), "wwrf");
    let directives = definitions_of_collection(&game, "directives");
    let mut used = UsedDefinitions::new();
    for said in definitions_by_path(&home_with_whole_structure(), &shipped_book()).values() {
        note_definitions_used(said, &mut used);
        note_directives_used(said, &directives, &mut used);
    }
    let has = all_language_definitions(&game);
    let without = UNUSED_BY_BOOK.iter().map(|(what, _)| (*what).to_owned());
    let without: BTreeSet<String> = without.collect();
    let missing: BTreeSet<String> = has.difference(&used).cloned().collect();
    assert_eq!(missing, without, "not in the book, and expected not to be");
}

#[test]
fn the_shipped_book_is_large_enough_to_play_with() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in files_by_path(&shipped_book()).keys() {
        let folder = path.split('/').next().unwrap();
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    for (folder, least) in MINIMUM_COUNTS {
        let count = counts.get(folder).copied().unwrap_or_default();
        assert!(count >= least, "{count} {folder}");
    }
}
