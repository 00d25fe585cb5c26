//! Compares the findings in books with their known errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use host::diag::Diagnostic;

use super::{check_book, copy_folder, corpus_book, finding_as_text, shipped_book};

/// Errors in the texts of the corpus.
const CORPUS_ERRORS: [(&str, &str); 2] = [
    // On Lynch has no voters; only triggers of polls have them.
    (
        "haunting/roles/hexed wolf",
        "haunting/roles/hexed wolf: 18:28 trigger-context",
    ),
    // Parameters follow the second of two lines below a trigger, and would seem to belong only to
    // that line.
    (
        "other/white wolves/white werewolf",
        "other/white wolves/white werewolf: 24:39 params-misplaced",
    ),
];

/// Names that the corpus uses without a definition: wwrf rules 18.1, and one mistyped name.
const CORPUS_UNKNOWN_NAMES: [(&str, &[&str]); 9] = [
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
            "Huntsman",
            "Plague Carrier",
            "Plague Doctor",
            "Prophet",
            "Pyromancer",
            "Reporter",
            "Test Subject",
            "Undead",
            "Warlock",
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

/// The other findings in the corpus, by severity and code.
const OTHER_CORPUS_FINDINGS: [(&str, usize); 6] = [
    // One text has the types of names inside their backticks.
    ("warning wwrf/annotation-inside", 22),
    // Attributes of missing parts of the book, and of players.
    ("note wwrf/attribute-unused", 7),
    // The choice is made by a missing role.
    ("warning wwrf/choice-unpaired", 1),
    // `@SecondarySelection:` is reported with its name.
    ("warning wwrf/info-glued", 4),
    ("warning wwrf/params-order", 2),
    ("note wwrf/visit-noise", 10),
];

const NAME_UNKNOWN: &str = "wwrf/name-unknown";

/// Files that are removed from the shipped book, so that names become unknown.
const FILES_TAKEN_OUT: [&str; 8] = [
    "ability_sets/pack",
    "attributes/knot",
    "displays/oil",
    "groups/smugglers",
    "locations/tavern",
    "polls/lynch",
    "roles/townsfolk/villager",
    "teams/coven",
];

/// The names that are unknown after the removal.
const NAMES_THEN_UNKNOWN: [(&str, &[&str]); 8] = [
    ("ability set", &["Pack"]),
    ("attribute", &["Knot"]),
    ("display", &["Oil"]),
    ("group or location", &["Smugglers", "Tavern"]),
    ("poll", &["Lynch"]),
    ("role", &["Villager"]),
    (
        "role, group, location, attribute, poll or team",
        &["Smugglers"],
    ),
    ("team", &["Coven"]),
];

/// A book and its known errors.
struct KnownBook {
    book: PathBuf,
    errors: Vec<&'static str>,
    /// Unknown names by their kind.
    unknown: NamesByKind<'static>,
    /// All other findings, by severity and code.
    others: BTreeMap<String, usize>,
}

type NamesByKind<'n> = BTreeMap<&'n str, BTreeSet<&'n str>>;

fn names_by_kind(known: &[(&'static str, &'static [&'static str])]) -> NamesByKind<'static> {
    let sets = known.iter();
    sets.map(|(kind, names)| (*kind, names.iter().copied().collect()))
        .collect()
}

/// Returns the shipped book, without errors, and the corpus if it exists.
fn known_books() -> Vec<KnownBook> {
    let shipped = KnownBook {
        book: shipped_book(),
        errors: Vec::new(),
        unknown: NamesByKind::new(),
        others: BTreeMap::new(),
    };
    let corpus = corpus_book().map(|corpus| KnownBook {
        book: corpus.join("wwrf"),
        errors: CORPUS_ERRORS.iter().map(|(_, told)| *told).collect(),
        unknown: names_by_kind(&CORPUS_UNKNOWN_NAMES),
        others: OTHER_CORPUS_FINDINGS
            .map(|(what, count)| (what.to_owned(), count))
            .into(),
    });
    [Some(shipped), corpus].into_iter().flatten().collect()
}

/// Returns the unknown names among findings, by their kind.
fn unknown_names_found(found: &[Diagnostic]) -> NamesByKind<'_> {
    let mut names = NamesByKind::new();
    for one in found.iter().filter(|one| one.code == NAME_UNKNOWN) {
        let message = one.message.strip_prefix("no ");
        let said = message.and_then(|message| message.split_once(" is named "));
        let (kind, name) = said.unwrap_or_else(|| panic!("{one:?}"));
        names
            .entry(kind)
            .or_default()
            .insert(name.trim_matches('"'));
    }
    names
}

/// Returns the count of findings by severity and code, without errors and unknown names.
fn count_other_findings(found: &[Diagnostic]) -> BTreeMap<String, usize> {
    let others = found.iter();
    let others = others.filter(|one| !one.is_error() && one.code != NAME_UNKNOWN);
    let mut counts = BTreeMap::new();
    for one in others {
        let what = format!("{} {}", one.severity.as_str(), one.code);
        *counts.entry(what).or_default() += 1;
    }
    counts
}

#[test]
fn what_is_found_in_a_book_is_what_is_wrong_with_it() {
    for known in known_books() {
        let book = &known.book;
        let found = check_book(book).findings;
        let errors = found.iter().filter(|one| one.is_error());
        let errors: Vec<String> = errors.map(|one| finding_as_text(one, book)).collect();
        assert_eq!(errors, known.errors, "{}", book.display());
        assert_eq!(
            unknown_names_found(&found),
            known.unknown,
            "{}",
            book.display()
        );
        assert_eq!(
            count_other_findings(&found),
            known.others,
            "{}",
            book.display()
        );
    }
}

#[test]
fn names_that_a_book_lacks_are_told_with_their_kind() {
    let book = copy_folder(&shipped_book());
    for path in FILES_TAKEN_OUT {
        fs::remove_file(book.path().join(path)).unwrap();
    }
    let found = check_book(book.path()).findings;
    assert_eq!(
        unknown_names_found(&found),
        names_by_kind(&NAMES_THEN_UNKNOWN)
    );
    let errors = found.iter().filter(|one| one.is_error());
    let errors: Vec<String> = errors
        .map(|one| finding_as_text(one, book.path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}
