//! Each `source` of a definition leads to an anchor of the rule pages.

use std::collections::BTreeSet;

use arbiter_tests::{on_game_thread, project};
use host::game::{Home, Seed, Session, SessionOptions, Solo, rules_cited_by_source};
use host::script::EngineOptions;

#[test]
fn each_source_leads_to_an_anchor() {
    let lost = on_game_thread(|| {
        let (mut lost, mut count) = (BTreeSet::new(), 0);
        let home = Home {
            folder: project(),
            mods: Vec::new(),
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
            for definition in rules.registry.iter() {
                let source = definition.value.get("source");
                for rule in rules_cited_by_source(source.as_str().unwrap_or_default()) {
                    count += 1;
                    if rule.page().is_none() {
                        lost.insert(format!("{}: {rule:?}", definition.source.name()));
                    }
                }
            }
        }
        assert!(count > 1000, "{count}");
        lost
    });
    assert_eq!(lost, BTreeSet::new());
}
