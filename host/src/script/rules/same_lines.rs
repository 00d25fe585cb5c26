//! Finds lines of different definitions that read the same text equally well. For such a text the host always uses one
//! of the definitions, and the other never runs.

use std::collections::{BTreeMap, BTreeSet};

use super::Rules;
use super::grammar::move_finding_to_definition;
use crate::content::Definition;
use crate::diag::{Diagnostic, Source, Span};
use crate::script::declare::name_type::NameType;
use crate::script::declare::template_owner::{COMMAND, Owner, owner_of_template};
use crate::text::{FormRef, NameFold, NameTable, Overlap};

/// Possible names of a person or a thing. Each type of names gets different ones.
const NAMES: [&str; 8] = ["Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"];

/// Returns a warning for each pair of such lines if at least one belongs to a definition that is `asked` for.
pub(crate) fn same_line_findings(
    rules: &Rules,
    asked: impl Fn(&Definition) -> bool,
) -> Vec<Diagnostic> {
    let names = possible_names(rules);
    let is_asked = |template: &str| definition_of_template(rules, template).is_some_and(&asked);
    let phrases = rules
        .schemas
        .values()
        .filter_map(|one| one.slot_type.as_deref());
    let sets: BTreeSet<&str> = phrases.chain([COMMAND]).collect();
    let overlaps = sets.iter().flat_map(|set| {
        let apart = |first: &str, second: &str| {
            owner_part_of_template(first) != owner_part_of_template(second)
        };
        rules
            .grammar
            .overlapping_templates(set, &names, is_asked, apart)
    });
    overlaps.map(|one| overlap_finding(rules, &one)).collect()
}

/// Returns the owner of a template, without its line.
fn owner_part_of_template(template: &str) -> &str {
    template
        .rsplit_once('#')
        .map_or(template, |(owner, _)| owner)
}

fn definition_of_template<'r>(rules: &'r Rules, template: &str) -> Option<&'r Definition> {
    match owner_of_template(template)? {
        Owner::Host(_) => None,
        Owner::Definition { collection, id, .. } => {
            rules.registry.get(&collection, &id).map(AsRef::as_ref)
        }
    }
}

/// Returns names that may exist in some game. Two types of names share a name only if all names of one type are names
/// of the other.
fn possible_names(rules: &Rules) -> BTreeMap<String, NameTable> {
    let mut tables: BTreeMap<String, NameTable> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, String> = BTreeMap::new();
    let mut free = (0..).map(|at: usize| match NAMES.get(at) {
        Some(name) => (*name).to_owned(),
        None => format!("Person-{at}"),
    });
    let mut next = || free.next().unwrap_or_default();
    for from in rules.name_types.values() {
        if let NameType::Entities(kind) = from {
            kinds.entry(kind).or_insert_with(&mut next);
        }
    }
    for (name, from) in &rules.name_types {
        let table = tables
            .entry(name.clone())
            .or_insert_with(|| NameTable::new(NameFold::Words));
        let mut add = |name: &str| table.insert(name, name);
        match from {
            NameType::Entities(kind) if kind.is_empty() => kinds.values().for_each(|one| add(one)),
            NameType::Entities(kind) => add(&kinds[kind.as_str()]),
            NameType::Definitions(collection) => {
                let first = rules.registry.of_collection(collection).next();
                first.into_iter().for_each(|one| add(one.name()));
            }
            NameType::Records | NameType::Fields | NameType::Found => add(&next()),
        }
    }
    tables
}

fn overlap_finding(rules: &Rules, overlap: &Overlap) -> Diagnostic {
    let Overlap {
        first,
        second,
        line,
    } = overlap;
    // The place is in the file of the rules: the host's own lines have no place.
    let message = format!(
        "\"{line}\" fits this line and also {}, which is used",
        form_label(first, rules)
    );
    let source = Source::new(second.id.as_str(), second.syntax.as_str());
    let span = Span::new(0, second.syntax.len());
    let finding = Diagnostic::warning("phrase/same-line", message)
        .at(&source, span)
        .hint("begin one of them with another word, or write a word where both have a slot: if two lines fit, the one with more fixed words is used");
    move_finding_to_definition(finding, &rules.registry)
}

/// Returns the label of a template in messages: its owner, and the line.
fn form_label(form: &FormRef, rules: &Rules) -> String {
    let line = &form.syntax;
    match owner_of_template(&form.id) {
        Some(Owner::Definition { collection, id, .. }) => {
            let kind = rules
                .schemas
                .get(&collection)
                .map_or("definition", |one| &*one.name);
            format!("\"{line}\" of the {kind} \"{id}\"")
        }
        Some(Owner::Host(_)) | None => format!("\"{line}\", a built-in command"),
    }
}
