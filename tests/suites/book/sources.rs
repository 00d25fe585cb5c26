//! Each `source` of a definition has a known form, and those that cite rule pages lead to their anchors.

use std::collections::BTreeSet;

use arbiter_tests::{on_game_thread, project};
use host::game::{Home, Seed, Session, SessionOptions, Solo, rules_cited_by_source};
use host::script::EngineOptions;

/// The documents that rules come from, by the names that sources give them.
const DOCUMENTS: [&str; 7] = [
    "5e rule",
    "Combat refactoring",
    "Features Format",
    "RULES",
    "SRD 5.1 (CC-BY-4.0)",
    "WWRF guide",
    "opend6_tools.magic",
];

/// The source of what is made for this project: for its games, its tutorials and its tests.
const OWN: [&str; 3] = ["Arbiter", "the host's own tests", "the tutorial of Arbiter"];

/// The ends of a name in a source: a section, a note behind a comma, or a note in brackets may follow.
const AFTER_NAME: [&str; 3] = [" > ", ", ", " ("];

/// Returns whether a part of a source is of a known form: `NAME rules …`, the name of a document, or the project's own.
fn has_known_form(part: &str, rulesets: &[String]) -> bool {
    let ends = |rest: &str| rest.is_empty() || AFTER_NAME.iter().any(|end| rest.starts_with(end));
    let is_own = rulesets.iter().any(|ruleset| {
        let rest = part.strip_prefix(&format!("{ruleset} rules"));
        rest.is_some_and(|rest| {
            let cites = rest.starts_with(' ') && !rules_cited_by_source(part).is_empty();
            cites || ends(rest)
        })
    });
    let names = DOCUMENTS.iter().chain(&OWN);
    let mut rests = names.filter_map(|name| part.strip_prefix(name));
    is_own || rests.any(ends)
}

/// Calls a function with each ruleset of some mods, and each of its definitions: its place and its source.
fn each_source(mods: &[&str], mut visit: impl FnMut(&str, &str)) {
    let home = Home {
        folder: project(),
        mods: mods.iter().map(|path| project().join(path)).collect(),
        content: None,
    };
    for ruleset in home.rulesets() {
        let options = SessionOptions {
            home: home.clone(),
            ruleset: ruleset.clone(),
            seed: Seed::from_text("sources"),
            engine: EngineOptions::default(),
        };
        let solo = Session::open(options, &repl::COMMANDS).map(Solo::from);
        let solo = solo.unwrap_or_else(|found| panic!("{ruleset}: {found:?}"));
        let rules = solo.timeline().rules();
        let of_ruleset = rules.ruleset.get("source");
        visit(&ruleset, of_ruleset.as_str().unwrap_or_default());
        for definition in rules.registry.iter() {
            let source = definition.value.get("source");
            if let Some(source) = source.as_str() {
                visit(definition.source.name(), source);
            }
        }
    }
}

#[test]
fn each_source_leads_to_an_anchor() {
    let lost = on_game_thread(|| {
        let (mut lost, mut count) = (BTreeSet::new(), 0);
        each_source(&[], |place, source| {
            for rule in rules_cited_by_source(source) {
                count += 1;
                if rule.page().is_none() {
                    lost.insert(format!("{place}: {rule:?}"));
                }
            }
        });
        assert!(count > 1000, "{count}");
        lost
    });
    assert_eq!(lost, BTreeSet::new());
}

#[test]
fn each_source_has_a_known_form() {
    let strange = on_game_thread(|| {
        let rulesets = Home {
            folder: project(),
            mods: Vec::new(),
            content: None,
        }
        .rulesets();
        let (mut strange, mut count) = (BTreeSet::new(), 0);
        each_source(&["tests/mini"], |place, source| {
            for part in source.split(';').map(str::trim) {
                count += 1;
                if !has_known_form(part, &rulesets) {
                    strange.insert(format!("{place}: {part}"));
                }
            }
        });
        assert!(count > 1000, "{count}");
        strange
    });
    assert_eq!(strange, BTreeSet::new());
}

#[test]
fn a_source_without_a_document_is_strange() {
    let rulesets = ["fortune".to_owned()];
    let known = |part: &str| has_known_form(part, &rulesets);
    for part in [
        "fortune rules 10.6, R54",
        "fortune rules",
        "fortune rules, tables > Time",
        "RULES > Impact",
        "Arbiter (a plain item)",
        "SRD 5.1 (CC-BY-4.0), trait Brute",
    ] {
        assert!(known(part), "{part}");
    }
    for part in [
        "",
        "11, trap 2",
        "fortune rules soon",
        "RULES2",
        "decided here",
    ] {
        assert!(!known(part), "{part}");
    }
}
