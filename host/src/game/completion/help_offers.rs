//! Words for `help` that are offered only after a part of them: codes of diagnostics, and functions of the script API.

use std::collections::BTreeMap;

use crate::game::completion::completer::function_topics;
use crate::game::completion::diagnostic_entries::{Scope, diagnostic_entries};
use crate::game::timeline::Timeline;

/// Returns the words that may continue a typed word, each with its description: codes, and functions. Before its stroke, a
/// code is offered as its area, such as `expr/`. Functions are offered after the name of their table.
pub fn help_words_after(timeline: &Timeline, typed: &str) -> Vec<(String, String)> {
    let rules = timeline.rules();
    let mut offered = codes_after(Scope::Ruleset(&rules.ruleset_id), typed);
    if typed.contains([':', '.']) {
        offered.extend(function_topics());
    }
    offered
}

/// Returns the codes of a scope and their meanings; without a stroke in the typed word, the areas in place of their codes.
fn codes_after(scope: Scope<'_>, typed: &str) -> Vec<(String, String)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut codes: BTreeMap<String, String> = BTreeMap::new();
    for entry in diagnostic_entries() {
        let is_meant = entry.ruleset.is_empty() || scope == Scope::Ruleset(entry.ruleset);
        match entry.code.split_once('/') {
            _ if !is_meant => {}
            Some((area, _)) if !typed.contains('/') => {
                *counts.entry(format!("{area}/")).or_default() += 1;
            }
            Some(_) | None => {
                codes.entry(entry.code.to_owned()).or_insert(entry.meaning);
            }
        }
    }
    let areas = counts.into_iter();
    let areas = areas.map(|(area, count)| (area, format!("{count} codes of diagnostics")));
    areas.chain(codes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(scope: Scope<'_>, typed: &str) -> Vec<String> {
        let all = codes_after(scope, typed).into_iter();
        all.map(|(code, about)| {
            assert!(!about.is_empty(), "{code}");
            code
        })
        .collect()
    }

    #[test]
    fn areas_come_before_their_codes() {
        let nobody = Scope::Ruleset("");
        let areas = offered(nobody, "ex");
        assert!(areas.contains(&"expr/".to_owned()), "{areas:?}");
        assert!(!areas.contains(&"expr/unknown".to_owned()), "{areas:?}");
        let codes = offered(nobody, "expr/");
        assert!(codes.contains(&"expr/unknown".to_owned()), "{codes:?}");
    }

    #[test]
    fn codes_of_other_rulesets_are_not_offered() {
        let own = diagnostic_entries().into_iter().find(|entry| {
            let others = diagnostic_entries().into_iter();
            !entry.ruleset.is_empty() && others.filter(|one| one.code == entry.code).count() == 1
        });
        let own = own.expect("a ruleset has a code of its own");
        let code = own.code.to_owned();
        assert!(offered(Scope::Ruleset(own.ruleset), &code).contains(&code));
        assert!(!offered(Scope::Ruleset(""), &code).contains(&code));
    }
}
