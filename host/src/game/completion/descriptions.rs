//! Short descriptions of the words that may come next.

use crate::game::completion::command_list::CommandDescriptions;
use crate::game::question::possible_answers::name_of_entity;
use crate::game::timeline::Timeline;
use crate::script::{NameType, Rules, with_names};
use crate::text::{Expected, ExpectedKind, NameSource, NameTable};
use crate::value::Value;

/// Returns a description of each expected word after the text before the cursor, for the user who types it; empty if
/// there is no description.
pub fn describe_expected_words(
    timeline: &Timeline,
    by: &str,
    before: &str,
    expected: &[Expected],
) -> Vec<String> {
    let rules = timeline.rules();
    let told = CommandDescriptions::new(timeline, by);
    let about = |one: &Expected| match one.kind {
        ExpectedKind::Word => {
            let words = before[..one.start.min(before.len())].split_whitespace();
            let words: Vec<String> = words
                .chain([one.text.as_str()])
                .map(str::to_owned)
                .collect();
            told.describe_words(&words)
        }
        ExpectedKind::Name | ExpectedKind::Type => name_description(
            timeline,
            &rules,
            (one.type_name.as_deref()?, one.id.as_deref()),
        ),
    };
    let mut found: Vec<String> = expected
        .iter()
        .map(|one| about(one).unwrap_or_default())
        .collect();
    let is_left = |(one, found): (&Expected, &String)| {
        found.is_empty() && matches!(one.kind, ExpectedKind::Name)
    };
    if expected.iter().zip(&found).any(is_left) {
        let names: Vec<&str> = expected.iter().map(|one| one.text.as_str()).collect();
        let others = describe_names(timeline, by, &names);
        for ((one, found), other) in expected.iter().zip(&mut found).zip(others) {
            if is_left((one, found)) {
                *found = other;
            }
        }
    }
    found
}

/// Returns a description of each text that is a name for a slot of the rules, for the user who types it. Other texts
/// get an empty description.
pub fn describe_names(timeline: &Timeline, by: &str, texts: &[&str]) -> Vec<String> {
    let rules = timeline.rules();
    let mut types: Vec<(&String, &NameType)> = rules.name_types.iter().collect();
    types.sort_by_key(|(name, of)| (name_type_breadth(of), *name));
    let found = |names: &dyn NameSource| {
        let mut found = vec![String::new(); texts.len()];
        for (name, _) in types {
            let is_open = |(text, found): (&&str, &String)| found.is_empty() && !text.is_empty();
            if !texts.iter().zip(&found).any(is_open) {
                break;
            }
            let table = names.names(name);
            let entries = || table.into_iter().flat_map(NameTable::entries);
            for (text, found) in texts.iter().zip(&mut found) {
                let Some(entry) = entries().find(|one| one.name.eq_ignore_ascii_case(text)) else {
                    continue;
                };
                if found.is_empty() {
                    let about = name_description(timeline, &rules, (name, entry.value.as_str()));
                    *found = about.unwrap_or_default();
                }
            }
        }
        found
    };
    with_names(&timeline.generation().machine(), &timeline.state, by, found).0
}

/// Returns the breadth of a type; the type that describes a name best comes first.
fn name_type_breadth(of: &NameType) -> usize {
    match of {
        NameType::Definitions(_) => 0,
        NameType::Entities(kind) if !kind.is_empty() => 1,
        NameType::Found => 2,
        NameType::Entities(_) => 3,
        NameType::Fields => 4,
        NameType::Records => 5,
    }
}

/// Returns the description of a name: the one of its definition, its stat or its slot type, else the kind of its row.
fn name_description(
    timeline: &Timeline,
    rules: &Rules,
    (slot_type, id): (&str, Option<&str>),
) -> Option<String> {
    let id = id.unwrap_or_default();
    let own = match rules.name_types.get(slot_type)? {
        NameType::Definitions(collection) => {
            let definition = rules.registry.get(collection, id);
            let summary = definition.and_then(|one| one.value.get("summary").as_str());
            let of_kind = rules.schemas.get(collection);
            summary.or_else(|| of_kind.map(|one| one.name.as_str()))
        }
        NameType::Fields => {
            let summary = rules.stat_summaries.get(id).map(String::as_str);
            summary.or(Some("a field"))
        }
        NameType::Found => kind_in_only_collection(rules, id),
        NameType::Entities(_) | NameType::Records => None,
    };
    let of_type = rules.ruleset.get("types").get(slot_type).get("summary");
    let told = own.or_else(|| of_type.as_str()).map(str::to_owned);
    told.or_else(|| row_kind_in_words(timeline, id))
}

/// Returns the kind of the definition with an id, if only one collection has a definition with this id.
fn kind_in_only_collection<'r>(rules: &'r Rules, id: &str) -> Option<&'r str> {
    let all = rules.schemas.iter();
    let mut having = all.filter(|(collection, _)| rules.registry.get(collection, id).is_some());
    let (_, schema) = having.next()?;
    having.next().is_none().then_some(schema.name.as_str())
}

/// Returns the kind of row of an id; for an attribute also its owner.
fn row_kind_in_words(timeline: &Timeline, id: &str) -> Option<String> {
    let state = &timeline.state;
    let row = state.names().find(id)?;
    let kind = state.names().text(state.kind(row)?);
    // The name of an attribute is stored in the field with the name of its kind, such as the field `feature` of a
    // feature.
    let field = state.names().find(&kind);
    let called = field.map_or(&Value::Nil, |field| state.get(row, field));
    let called = called
        .as_str()
        .map_or_else(String::new, |text| format!(" {text}"));
    Some(match state.owner(row) {
        Some(owner) => {
            let owner = name_of_entity(timeline, owner)
                .unwrap_or_else(|| state.names().text(owner).to_string());
            format!("{kind}{called} of {owner}")
        }
        None => kind.to_string(),
    })
}
