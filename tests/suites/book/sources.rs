//! Each `source` of a definition leads to an anchor of the rule pages.

use std::collections::{BTreeMap, BTreeSet};

use arbiter_tests::{on_game_thread, project};
use host::game::{Home, Seed, Session, SessionOptions, Solo};
use host::script::EngineOptions;

use super::chapters;
/// Returns the anchors of the rule pages by ruleset.
fn rule_anchors() -> BTreeMap<String, BTreeSet<String>> {
    let mut anchors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for page in chapters() {
        let parts: Vec<&str> = page.path.split('/').collect();
        if let ["docs", "src", "rulesets", ruleset, "rules", _] = parts[..] {
            let of_ruleset = anchors.entry(ruleset.to_owned()).or_default();
            of_ruleset.extend(page.anchors);
        }
    }
    anchors
}

/// Returns the ruleset and the anchors that a source names: `wwrf rules 10.6, R54` gives `r10-6` and `ruling-r54`.
fn cited_anchors(source: &str) -> Vec<(String, String)> {
    let mut cited = Vec::new();
    for part in source.split(';') {
        let Some((before, after)) = part.split_once(" rules ") else {
            continue;
        };
        let ruleset = before.split_whitespace().last().unwrap_or_default();
        let after = after.split('(').next().unwrap_or_default();
        let mut before = "";
        for word in after.split([',', ' ']).filter(|word| !word.is_empty()) {
            let anchor = match before {
                "scenario" | "trap" | "example" => {
                    Some(format!("{before}-{}", word.to_lowercase()))
                }
                _ => anchor_of_word(word),
            };
            cited.extend(anchor.map(|anchor| (ruleset.to_owned(), anchor)));
            before = word;
        }
    }
    cited
}

fn anchor_of_word(word: &str) -> Option<String> {
    let word = word.trim_matches(['.', ':']);
    let is_number = |text: &str| {
        let mut parts = text.split('.');
        !text.is_empty() && parts.all(|part| part.parse::<u32>().is_ok())
    };
    if is_number(word) {
        return Some(format!("r{}", word.replace('.', "-")));
    }
    let (letter, number) = word.split_at_checked(1)?;
    let is_ruling = letter.chars().all(|c| c.is_ascii_uppercase()) && number.parse::<u32>().is_ok();
    is_ruling.then(|| format!("ruling-{}", word.to_lowercase()))
}

#[test]
fn sources_name_sections_and_rulings() {
    let cited = cited_anchors("WWRF guide > Types; wwrf rules 10.6, R54 (a note)");
    let of_wwrf = |anchor: &str| ("wwrf".to_owned(), anchor.to_owned());
    assert_eq!(cited, [of_wwrf("r10-6"), of_wwrf("ruling-r54")]);
    assert_eq!(
        cited_anchors("features rules 5.2, scenario V2")[1].1,
        "scenario-v2"
    );
    assert_eq!(cited_anchors("house rule"), []);
}

#[test]
fn each_source_leads_to_an_anchor() {
    let anchors = rule_anchors();
    assert!(anchors.len() >= 5, "{:?}", anchors.keys());
    let lost = on_game_thread(move || {
        let (mut lost, mut count) = (BTreeSet::new(), 0);
        for ruleset in anchors.keys() {
            let options = SessionOptions {
                home: Home {
                    folder: project(),
                    mods: Vec::new(),
                    content: None,
                },
                ruleset: ruleset.clone(),
                seed: Seed::from_text("sources"),
                engine: EngineOptions::default(),
            };
            let solo = Session::open(options, &repl::COMMANDS).map(Solo::from);
            let solo = solo.unwrap_or_else(|found| panic!("{ruleset}: {found:?}"));
            let rules = solo.timeline().rules();
            for definition in rules.registry.iter() {
                let source = definition.value.get("source");
                for (of, anchor) in cited_anchors(source.as_str().unwrap_or_default()) {
                    count += 1;
                    if !anchors.get(&of).is_some_and(|some| some.contains(&anchor)) {
                        lost.insert(format!("{}: {of} #{anchor}", definition.source.name()));
                    }
                }
            }
        }
        assert!(count > 1000, "{count}");
        lost
    });
    assert_eq!(lost, BTreeSet::new());
}
