//! This module says in a few words what something is that may come next.

use crate::game::completion::command_list::Told;
use crate::game::timeline::Timeline;
use crate::script::{NameType, Rules};
use crate::text::{Expected, ExpectedKind};

/// Returns what each of those is that may come next behind the text before the cursor, for somebody who types it; empty
/// where nothing says it.
pub fn about(timeline: &Timeline, by: &str, before: &str, expected: &[Expected]) -> Vec<String> {
    let rules = timeline.rules();
    let told = Told::new(timeline, by);
    let about = |one: &Expected| match one.kind {
        ExpectedKind::Word => {
            let words = before[..one.start.min(before.len())].split_whitespace();
            let words: Vec<String> = words
                .chain([one.text.as_str()])
                .map(str::to_owned)
                .collect();
            told.about(&words)
        }
        ExpectedKind::Name | ExpectedKind::Type => about_name(timeline, &rules, one),
    };
    let about = expected.iter().map(about);
    about.map(Option::unwrap_or_default).collect()
}

/// Returns what a name stands for: what its definition, its stat or its slot type is said to be, or what kind of thing.
fn about_name(timeline: &Timeline, rules: &Rules, one: &Expected) -> Option<String> {
    let slot_type = one.type_name.as_deref()?;
    let id = one.id.as_deref().unwrap_or_default();
    let own = match rules.name_types.get(slot_type)? {
        NameType::Definitions(collection) => {
            let definition = rules.registry.get(collection, id);
            let summary = definition.and_then(|one| one.value.get("summary").as_str());
            let of_kind = rules.contracts.get(collection);
            summary.or_else(|| of_kind.map(|one| one.name.as_str()))
        }
        NameType::Fields => rules.stat_summaries.get(id).map(String::as_str),
        NameType::Entities(_) | NameType::Records | NameType::Found => None,
    };
    let of_type = rules.ruleset.get("types").get(slot_type).get("summary");
    let told = own.or_else(|| of_type.as_str()).map(str::to_owned);
    told.or_else(|| kind(timeline, id))
}

/// Returns what kind of row an id is.
fn kind(timeline: &Timeline, id: &str) -> Option<String> {
    let names = timeline.state.names();
    let kind = timeline.state.kind(names.find(id)?)?;
    Some(names.text(kind).to_string())
}
