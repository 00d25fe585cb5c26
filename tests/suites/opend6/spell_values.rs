//! Compares each spell of a book with all of its expected values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::{Book, books, play_new_game, refusal_message};

/// Keys that a spell reports beside the expected ones.
const KEYS_BESIDE_EXPECTED: [&str; 4] = ["id", "name", "kind", "book"];

/// Returns the report of `spells` about a loaded book, in its order.
fn reported_spells(book: &Book) -> Vec<Json> {
    let answers = play_new_game(&format!("load {}\nspells\n", book.spells_file().display()));
    let refused: Vec<String> = answers.iter().filter_map(refusal_message).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let pages = answers
        .iter()
        .filter_map(|answer| answer["data"]["spells"].as_array());
    pages.flatten().cloned().collect()
}

/// Adds the differences from the expected value to `wrong`: numbers by value, all else exactly. A
/// missing key is null.
fn add_differences(path: &str, expected: &Json, found: &Json, wrong: &mut Vec<String>) {
    let mut differ = || wrong.push(format!("{path}: expected {expected}, found {found}"));
    match (expected, found) {
        (Json::Number(one), Json::Number(other)) if one.as_f64() == other.as_f64() => {}
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                let name = one["name"].as_str().map(str::to_owned);
                let name = name.unwrap_or_else(|| at.to_string());
                add_differences(&format!("{path}.{name}"), one, other, wrong);
            }
        }
        (Json::Object(one), Json::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                add_differences(&format!("{path}.{key}"), &expected[key], &found[key], wrong);
            }
        }
        _ if expected == found => {}
        _ => differ(),
    }
}

/// Returns the expected report of a spell: with its names, and with its skill if the spell has one.
fn expected_report(spell: &Json) -> Json {
    let mut whole = spell["expected"].clone();
    for key in KEYS_BESIDE_EXPECTED.into_iter().chain(["skill"]) {
        if spell.get(key).is_some() {
            whole[key] = spell[key].clone();
        }
    }
    whole
}

fn spell_differences(spells: &[Json], told: &[Json]) -> Vec<String> {
    let by_id: BTreeMap<&str, &Json> = told
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one))
        .collect();
    let mut wrong = Vec::new();
    for spell in spells {
        let id = spell["id"].as_str().unwrap();
        match by_id.get(id) {
            Some(found) => add_differences(id, &expected_report(spell), found, &mut wrong),
            None => wrong.push(format!("{id}: is not told of")),
        }
    }
    wrong
}

#[test]
fn all_spells_of_a_book_are_as_expected_in_every_part() {
    for book in books() {
        let (spells, told) = (book.spells(), reported_spells(&book));
        let wrong = spell_differences(&spells, &told);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let order = |all: &[Json]| all.iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
        assert_eq!(order(&told), order(&spells), "each once, in their order");
    }
}

/// The comparison covers every number: a changed number is reported with its part.
#[test]
fn a_part_that_differs_is_named() {
    let own = &books()[0];
    let (spells, told) = (own.spells(), reported_spells(own));
    let pointers = [
        "/difficulty",
        "/spell_total",
        "/effect/description",
        "/aspects/1/difficulty",
        "/aspects/0/sign",
        "/other_aspects/0/difficulty_text",
        "/other_conditions/0/description",
        "/skill",
        "/kind",
    ];
    for pointer in pointers {
        let mut changed = told.clone();
        *changed[0].pointer_mut(pointer).unwrap() = Json::from("another");
        let wrong = spell_differences(&spells, &changed);
        assert_eq!(wrong.len(), 1, "{pointer}: {wrong:?}");
        let said = wrong[0].starts_with("tide/Kindle the Beacon.");
        assert!(said && wrong[0].contains("another"), "{wrong:?}");
    }
    let mut more = told.clone();
    more[0]["aspects"][0]["finalized"] = Json::from(false);
    assert_eq!(spell_differences(&spells, &more).len(), 1);
    assert_eq!(spell_differences(&spells, &told[1..]).len(), 1);
}
