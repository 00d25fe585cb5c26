//! Finds kinds, queues and stats that a script names once and that are nearly like a known name. A name that needs no
//! declaration is not an error, but a typo is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::script::rules::Rules;
use crate::script::source::record_literals::{Role, Script};

/// The kinds of the host's own records that rules may look for.
const HOST_KINDS: [&str; 3] = ["ballot", "poll", "prompt"];

/// All names that scripts write as literals, and those that the rules declare.
#[derive(Default)]
pub(super) struct Uses {
    kinds: BTreeSet<String>,
    stats: BTreeSet<String>,
    named: Vec<(Role, String, Arc<Source>, Span)>,
}

impl Uses {
    /// Returns the names that the rules declare.
    pub(super) fn of(rules: &Rules) -> Uses {
        let types = rules.ruleset.get("types").as_map().into_iter().flatten();
        let types = types.filter_map(|(_, one)| one.get("kind").as_str());
        let elements = rules.schemas.values();
        let elements = elements.flat_map(|schema| schema.listener_rows.entries());
        let elements = elements.filter_map(|entry| entry.kind.as_deref());
        let kinds = types.chain(elements).chain(HOST_KINDS);
        Uses {
            kinds: kinds.map(str::to_owned).collect(),
            stats: rules.stat_summaries.keys().cloned().collect(),
            named: Vec::new(),
        }
    }

    pub(super) fn add_script(&mut self, script: Script) {
        self.named.extend(script.names);
    }

    /// Returns a warning for each name that occurs nowhere else and is near to a known one.
    pub(super) fn typo_findings(&self, sources: &[Arc<Source>]) -> Vec<Diagnostic> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let checked = self.named.iter().filter_map(|(role, name, source, span)| {
            let (what, known) = self.known_names(*role);
            if known.contains(&**name) {
                return None;
            }
            let near = near_hint(name, known.iter().copied());
            let count = counts
                .entry(name)
                .or_insert_with(|| count_occurrences(name, sources));
            let is_slip = !near.is_empty() && *count == 1;
            is_slip.then(|| {
                let message = format!("no other place uses the {what} \"{name}\"");
                let finding = Diagnostic::warning("script/unknown-name", message);
                finding.hint(near).at(source, *span)
            })
        });
        checked.collect()
    }

    /// Returns the meaning of the names of a use, and the known names.
    fn known_names(&self, role: Role) -> (&'static str, BTreeSet<&str>) {
        let used = |wanted: Role| {
            let used = self.named.iter().filter(move |(role, ..)| *role == wanted);
            used.map(|(_, name, ..)| &**name)
        };
        let kinds = self.kinds.iter().map(String::as_str);
        match role {
            Role::Made => ("kind", kinds.chain(used(Role::Sought)).collect()),
            Role::Sought => ("kind", kinds.chain(used(Role::Made)).collect()),
            Role::Filled => ("queue", used(Role::Drained).collect()),
            Role::Drained => ("queue", used(Role::Filled).collect()),
            Role::Stat => ("stat", self.stats.iter().map(String::as_str).collect()),
        }
    }
}

/// Returns how often a name occurs as a word in the texts of scripts.
fn count_occurrences(name: &str, sources: &[Arc<Source>]) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let in_one = |text: &str| {
        let found = text.match_indices(name);
        let whole = found.filter(|(at, _)| {
            !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        });
        whole.count()
    };
    sources.iter().map(|source| in_one(source.text())).sum()
}
