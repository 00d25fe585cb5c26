//! This module holds what is found in books to what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use super::{checked, corpus, shipped, told};

/// What is wrong in the texts of the corpus themselves.
const ERRORS: [(&str, &str); 2] = [
    // On Lynch tells of no voters: only the triggers of polls do.
    (
        "haunting/roles/hexed wolf",
        "haunting/roles/hexed wolf: 18:28 trigger-context",
    ),
    // Parameters stand behind the second of two lines below a trigger, and would look as if they belonged to it alone.
    (
        "other/white wolves/white werewolf",
        "other/white wolves/white werewolf: 24:39 params-misplaced",
    ),
];

/// The names that the corpus uses and lacks: wwrf reference 18.1, and one slip.
const UNKNOWN: [(&str, &[&str]); 9] = [
    (
        "role",
        &[
            "Bartender",
            "Bloody Butcher",
            "Cult Leader",
            "Farmer",
            "Farming Wolf",
            "Gravekeeper",
            "Guardian",
            "Plague Carrier",
            "Plague Doctor",
            "Prophet",
            "Pyromancer",
            "Reporter",
            "Test Subject",
            "Undead",
        ],
    ),
    (
        "attribute",
        &[
            "Bugged",
            "CoyoteTrigger",
            "CursebearerMarker",
            "Doomed",
            "Exorcised",
            "GraveRobberOption",
            "Hexed",
            "Powdered",
            "Soulless",
        ],
    ),
    ("group", &["Cult"]),
    (
        "group or location",
        &["Bakers", "Cult", "Enchanted", "voting_booth"],
    ),
    ("poll", &["Wolfpack"]),
    ("team", &["Plague", "Pyro", "Townsfolk"]),
    ("ability set", &["Cupid", "Pack"]),
    ("display", &["Knives", "Potions", "Souls"]),
    ("category", &["Kiling"]),
];

/// All else that is found in the corpus, by severity and code.
const OTHERS: [(&str, usize); 6] = [
    // One text has the types of its names inside their backticks.
    ("warning wwrf/annotation-inside", 22),
    // Attributes of the parts of the book that are not there, and of people who play.
    ("note wwrf/attribute-unused", 7),
    // The choice is made by a role that is not there.
    ("warning wwrf/choice-unpaired", 1),
    // `@SecondarySelection:` is told with its name.
    ("warning wwrf/info-glued", 4),
    ("warning wwrf/params-order", 2),
    ("note wwrf/visit-noise", 10),
];

const NAME_UNKNOWN: &str = "wwrf/name-unknown";

#[test]
fn errors_are_found_only_where_a_text_of_the_corpus_is_wrong() {
    let Some(corpus) = corpus() else { return };
    let book = corpus.join("wwrf");
    let found = checked(&book).findings;
    let errors: Vec<String> = found
        .iter()
        .filter(|one| one.is_error())
        .map(|one| told(one, &book))
        .collect();
    let expected: Vec<&str> = ERRORS.iter().map(|(_, told)| *told).collect();
    assert_eq!(errors, expected);
}

#[test]
fn names_that_the_corpus_lacks_are_told_with_their_kind() {
    let Some(corpus) = corpus() else { return };
    let found = checked(&corpus.join("wwrf")).findings;
    let unknown = found.iter().filter(|one| one.code == NAME_UNKNOWN);
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in unknown {
        let message = one.message.strip_prefix("no ");
        let said = message.and_then(|message| message.split_once(" is called "));
        let (kind, name) = said.unwrap_or_else(|| panic!("{one:?}"));
        names
            .entry(kind)
            .or_default()
            .insert(name.trim_matches('"'));
    }
    let expected = UNKNOWN.map(|(kind, names)| (kind, names.iter().copied().collect()));
    assert_eq!(names, BTreeMap::from(expected));
}

#[test]
fn all_else_that_is_found_in_the_corpus_is_counted() {
    let Some(corpus) = corpus() else { return };
    let found = checked(&corpus.join("wwrf")).findings;
    let others = found
        .iter()
        .filter(|one| !one.is_error() && one.code != NAME_UNKNOWN);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in others {
        let what = format!("{} {}", one.severity.as_str(), one.code);
        *counts.entry(what).or_default() += 1;
    }
    let expected = OTHERS.map(|(what, count)| (what.to_owned(), count));
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn nothing_is_found_in_the_shipped_book() {
    let book = shipped();
    let found = checked(&book).findings;
    let found: Vec<String> = found.iter().map(|one| told(one, &book)).collect();
    assert_eq!(found, Vec::<String>::new());
}
