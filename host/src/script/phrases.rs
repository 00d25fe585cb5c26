//! This module builds the grammar of a game: the templates of all definitions, the slot types of the ruleset.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::contract::syntax_lines;
use super::load::HostPhrase;
use super::locate;
use super::rules::{COMMAND, NameType, Rules};
use crate::content::{Definition, Origin};
use crate::diag::{Diagnostic, Fix, Source, Span};
use crate::text::{Class, GrammarBuilder, NameFold, NameTable, TokenTable};
use crate::value::Value;

/// The slot type of every entity by name or id.
pub const ENTITY: &str = "Entity";

/// The slot type of every declared stat, and every field that an entity has.
pub const FIELD: &str = "Field";

/// The slot type of every seat that somebody may sit on: a ruleset declares what its names are.
pub const SEAT: &str = "Seat";

/// The slot type of dice notation: all that is left of the line.
pub const DICE: &str = "Dice";

/// The phrase of a contract whose definitions are slot types, each by its own name.
const OWN_NAME: &str = "*";

/// Marks a template id as one of the host's own commands.
const HOST: &str = "host";

/// What a template belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A command of the host, by id.
    Host(String),
    /// A definition of a collection.
    Definition {
        /// The collection.
        collection: String,
        /// Its id.
        id: String,
        /// Which of its `syntax` lines, from 1.
        line: usize,
    },
}

/// Returns what a template id of a game's grammar belongs to.
pub fn owner_of(template: &str) -> Option<Owner> {
    let (collection, rest) = template.split_once('/')?;
    if collection == HOST {
        return Some(Owner::Host(rest.to_owned()));
    }
    let (id, line) = rest.rsplit_once('#')?;
    Some(Owner::Definition {
        collection: collection.to_owned(),
        id: id.to_owned(),
        line: line.parse().ok()?,
    })
}

/// Builds the grammar of the rules and reports templates and types that do not work.
///
/// Host commands whose words are in `taken` give way to the game's own.
pub(super) fn build(
    rules: &mut Rules,
    phrases: &[HostPhrase],
    taken: &BTreeSet<String>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.noun(COMMAND, "a command");
    builder
        .names(ENTITY, NameTable::new(NameFold::Words))
        .noun(ENTITY, "an entity")
        .names(FIELD, NameTable::new(NameFold::Words))
        .noun(FIELD, "a field")
        .class(DICE, Class::Rest)
        .noun(DICE, "dice");
    rules
        .name_types
        .insert(ENTITY.to_owned(), NameType::Entities(String::new()));
    rules.name_types.insert(FIELD.to_owned(), NameType::Fields);
    let types = rules.ruleset.get("types");
    if types.get(SEAT).get("words").is_nil() {
        let none = || NameType::Found;
        rules.name_types.entry(SEAT.to_owned()).or_insert_with(none);
        builder.noun(SEAT, "a seat");
    }
    let declared: Vec<String> = rules
        .name_types
        .keys()
        .filter(|name| *name != ENTITY && *name != FIELD)
        .cloned()
        .collect();
    for name in declared {
        builder.names(&name, NameTable::new(NameFold::Words));
    }
    closed_words(rules, &mut builder);
    for phrase in phrases.iter().filter(|phrase| !taken.contains(&phrase.id)) {
        for line in &phrase.syntax {
            let source = Source::new(format!("{HOST}/{}", phrase.id), line.as_str());
            builder.template(COMMAND, source.name(), &source, Span::new(0, line.len()));
        }
    }
    let definitions: Vec<Arc<Definition>> = rules.registry.iter().cloned().collect();
    for definition in &definitions {
        let contract = rules.contracts.get(definition.collection.as_ref());
        match contract.and_then(|one| one.phrase.as_deref()) {
            Some(OWN_NAME) => {
                let noun = definition.value.get("noun");
                builder.noun(definition.name(), noun.as_str().unwrap_or("a text"));
                templates(definition, definition.name(), &mut builder);
            }
            Some(phrase) => templates(definition, phrase, &mut builder),
            None => {}
        }
    }
    let (grammar, found) = builder.build();
    findings.extend(
        found
            .into_iter()
            .map(|finding| replace_place(finding, &definitions)),
    );
    rules.grammar = grammar;
}

/// The collection of commands: the library's contract names it.
pub const COMMANDS: &str = "commands";

fn closed_words(rules: &Rules, builder: &mut GrammarBuilder) {
    for (name, entry) in rules.ruleset.get("types").as_map().into_iter().flatten() {
        let words = entry.get("words").items();
        if !words.is_empty() {
            let words = words
                .iter()
                .filter_map(Value::as_str)
                .map(|word| (word.to_owned(), Value::from(word)));
            builder.choice(name, words);
        } else if !entry.get("items").is_nil() {
            builder.class(name, Class::Rest).noun(name, "a text");
        }
    }
}

/// Adds the `syntax` lines of one definition; of scripts they are texts of their own.
fn templates(definition: &Definition, set: &str, builder: &mut GrammarBuilder) {
    for (index, line) in syntax_lines(definition).into_iter().enumerate() {
        let id = format!("{}/{}#{}", definition.collection, definition.id, index + 1);
        let source = Source::new(id, line);
        builder.template(set, source.name(), &source, Span::new(0, line.len()));
    }
}

/// Moves a finding about a template into the file where the template stands.
fn replace_place(finding: Diagnostic, definitions: &[Arc<Definition>]) -> Diagnostic {
    let Some(place) = &finding.place else {
        return finding;
    };
    let Some(Owner::Definition { collection, id, .. }) = owner_of(place.source.name()) else {
        return finding;
    };
    let definition = definitions
        .iter()
        .find(|one| *one.collection == *collection && *one.id == *id);
    let Some(definition) = definition else {
        return finding;
    };
    let template = place.source.text();
    let inside = place.span;
    let key = match definition.origin {
        Origin::Script => locate::places(&definition.source)
            .entries
            .into_iter()
            .find_map(|(path, (_, value))| {
                let text = definition.source.slice(value);
                (path.starts_with("syntax") && text.contains(template)).then_some(value)
            }),
        Origin::Content | Origin::Play => definition.key_spans.get("syntax").copied(),
    };
    let key = key.unwrap_or(definition.span);
    let at = definition
        .source
        .slice(key)
        .find(template)
        .map(|at| key.start + at);
    let span = at.map_or(key, |at| inside.shifted(at));
    let fix = finding.fix.as_ref().zip(at).map(|(fix, at)| Fix {
        span: fix.span.shifted(at),
        replacement: fix.replacement.clone(),
    });
    let source = Arc::clone(&definition.source);
    finding.at(&source, span).fixed_by(fix)
}

/// Returns where the value of a key stands; the machine keeps no places, so a script is read once more.
pub(super) fn key_span(definition: &Definition, key: &str) -> Span {
    let span = match definition.origin {
        Origin::Script => {
            let places = locate::places(&definition.source);
            places.entries.get(key).map(|(_, value)| *value)
        }
        Origin::Content | Origin::Play => definition.key_spans.get(key).copied(),
    };
    span.unwrap_or(definition.span)
}
