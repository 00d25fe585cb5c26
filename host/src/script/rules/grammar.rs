//! Builds the grammar of a game: the templates of all definitions, the slot types of the ruleset.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Rules;
use crate::content::{Definition, Origin, Registry};
use crate::diag::{Diagnostic, Fix, Place, Source, Span};
use crate::script::declare::name_type::NameType;
use crate::script::declare::schema::{FORMS, SYNTAX, SlotValues, syntax_texts};
use crate::script::declare::template_owner::{
    COMMAND, DICE, ENTITY, FIELD, FILE, HOST, HostPhrase, Owner, POST_TEMPLATE, POST_TEMPLATES,
    READER, RECORD, SEAT, owner_of_template,
};
use crate::script::source::source_places;
use crate::script::source::token_table;
use crate::text::{
    Class, Grammar, GrammarBuilder, NameFold, NameTable, Ratio, ValueEntry, ValueForm, ValueNames,
};
use crate::value::{Number, Text, Value};

/// The phrase of a schema with definitions that are slot types, each by its own name.
pub const OWN_NAME: &str = "*";

/// The parts of a grammar: equal vocabularies give equal grammars.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vocabulary {
    /// The slot types of names.
    names: Vec<String>,
    /// The slot types that the ruleset declares.
    types: Value,
    /// The declarations of the ruleset about its marks, quotes and brackets.
    tokens: Value,
    /// The names of slot types in messages, if a definition declares them.
    nouns: Vec<(Text, Text)>,
    /// Templates: their set, their id, their text.
    templates: Vec<(Text, String, Text)>,
    /// The slot types of values.
    values: Vec<SlotOfValues>,
}

/// A slot type of values: its name, the beginning of the ids of its templates, and what it consists of.
#[derive(Clone, Debug, PartialEq)]
struct SlotOfValues {
    set: Text,
    owner: String,
    entries: Vec<ValueEntry>,
    cutoff: Number,
    form: ValueForm,
}

/// A vocabulary without mistakes and its grammar.
pub(crate) type KnownGrammar = (Vocabulary, Arc<Grammar>);

/// Builds the grammar of the rules and reports templates and types that do not work. A vocabulary that is `known` has
/// its grammar already, and one without mistakes is known afterwards.
///
/// Host commands with words in `taken` give way to the game's own.
pub(crate) fn build_grammar(
    rules: &mut Rules,
    phrases: &[HostPhrase],
    taken: &BTreeSet<String>,
    known: &mut Option<KnownGrammar>,
    findings: &mut Vec<Diagnostic>,
) {
    rules
        .name_types
        .insert(ENTITY.to_owned(), NameType::Entities(String::new()));
    rules
        .name_types
        .insert(RECORD.to_owned(), NameType::Records);
    rules.name_types.insert(FIELD.to_owned(), NameType::Fields);
    findings.extend(seat_type_finding(rules));
    rules.name_types.insert(SEAT.to_owned(), NameType::Found);
    rules.name_types.insert(READER.to_owned(), NameType::Found);
    let templates = NameType::Definitions(POST_TEMPLATES.to_owned());
    rules.name_types.insert(POST_TEMPLATE.to_owned(), templates);
    let phrases = phrases.iter().filter(|phrase| !taken.contains(&phrase.id));
    let vocabulary = collect_vocabulary(rules, phrases);
    if let Some((known, grammar)) = known
        && *known == vocabulary
    {
        rules.grammar = Arc::clone(grammar);
        return;
    }
    let (grammar, found, twice) = grammar_of_vocabulary(&vocabulary);
    let has_twice = !twice.is_empty();
    findings.extend(
        twice
            .iter()
            .filter_map(|name| type_twice_finding(rules, name)),
    );
    rules.grammar = Arc::new(grammar);
    *known = (found.is_empty() && !has_twice).then(|| (vocabulary, Arc::clone(&rules.grammar)));
    // Types of a ruleset that could not be loaded may exist.
    let is_told = |one: &Diagnostic| !rules.is_ruleset_lost || one.code != "phrase/unknown-type";
    let found = found.into_iter().filter(is_told);
    findings.extend(found.map(|finding| move_finding_to_definition(finding, &rules.registry)));
}

/// Finds a slot type of the ruleset that would define the players a second time.
fn seat_type_finding(rules: &Rules) -> Option<Diagnostic> {
    if rules.ruleset.get("types").get(SEAT).is_nil() {
        return None;
    }
    let message =
        "the slot type Seat is built in: it has the names that `seats` of the ruleset returns";
    let finding = Diagnostic::error("schema/seat-type", message)
        .hint("move the function to `seats`: it returns a list of names, or groups by name");
    Some(match place_in_ruleset(rules, SEAT) {
        Some(place) => finding.at(&place.source, place.span),
        None => finding,
    })
}

/// Returns the finding that a slot type is declared twice. A type of the players has its own finding.
fn type_twice_finding(rules: &Rules, name: &str) -> Option<Diagnostic> {
    let is_in_ruleset = !rules.ruleset.get("types").get(name).is_nil();
    if is_in_ruleset && name == SEAT {
        return None;
    }
    let in_ruleset = is_in_ruleset
        .then(|| place_in_ruleset(rules, name))
        .flatten();
    let places: Vec<Place> = in_ruleset
        .into_iter()
        .chain(place_of_template_set(rules, name))
        .collect();
    let (other, hint) = match &places[..] {
        [_, other] => (format!("at {other}"), "rename one of them".to_owned()),
        _ => (
            "by the program".to_owned(),
            format!("rename it: {name} is built in"),
        ),
    };
    let message = format!("the slot type \"{name}\" is declared twice: here and {other}");
    let finding = Diagnostic::error("phrase/type-twice", message).hint(hint);
    Some(match places.first() {
        Some(place) => finding.at(&place.source, place.span),
        None => finding,
    })
}

/// Returns the place where `types` of the ruleset declares a slot type.
fn place_in_ruleset(rules: &Rules, name: &str) -> Option<Place> {
    let chunk = format!("{}/ruleset.luau", rules.ruleset_id);
    let source = rules.sources.get(&chunk)?;
    Some(key_or_first_line(source, &format!("types.{name}")))
}

/// Returns the place where a schema, or a definition that is a slot type itself, declares a template set.
fn place_of_template_set(rules: &Rules, name: &str) -> Option<Place> {
    let mut schemas = rules.schemas.values();
    let schema = schemas.find(|schema| schema.slot_type.as_deref() == Some(name));
    if let Some(schema) = schema {
        return Some(key_or_first_line(&schema.source, "slot_type"));
    }
    let own = rules.schemas.values();
    let own = own.filter(|schema| schema.slot_type.as_deref() == Some(OWN_NAME));
    let mut definitions = own.flat_map(|schema| rules.registry.of_collection(&schema.collection));
    let definition = definitions.find(|one| one.name() == name)?;
    Some(Place {
        source: Arc::clone(&definition.source),
        span: definition.span,
    })
}

/// Returns the place of a key of the table that a script returns, otherwise its first line.
fn key_or_first_line(source: &Arc<Source>, path: &str) -> Place {
    let places = source_places::table_places(source);
    let key = places.entries.get(path);
    Place {
        source: Arc::clone(source),
        span: key.map_or_else(|| source.line_span(1), |(key, _)| *key),
    }
}

fn collect_vocabulary<'a>(
    rules: &Rules,
    phrases: impl Iterator<Item = &'a HostPhrase>,
) -> Vocabulary {
    let command: Text = COMMAND.into();
    let (mut templates, mut nouns) = (Vec::new(), Vec::new());
    for phrase in phrases {
        for line in &phrase.syntax {
            let id = format!("{HOST}/{}", phrase.id);
            templates.push((Arc::clone(&command), id, line.as_str().into()));
        }
    }
    let mut values = Vec::new();
    let sets: BTreeMap<&str, (Text, Option<&SlotValues>)> = rules
        .schemas
        .values()
        .filter_map(|one| {
            let set = one.slot_type.as_deref()?.into();
            Some((one.collection.as_str(), (set, one.slot_values.as_ref())))
        })
        .collect();
    for definition in rules.registry.iter() {
        let Some((set, own_values)) = sets.get(&*definition.collection) else {
            continue;
        };
        let mut set = Arc::clone(set);
        if &*set == OWN_NAME {
            set = definition.name().into();
            let noun = definition.value.get("noun").as_str().unwrap_or("a text");
            nouns.push((Arc::clone(&set), noun.into()));
            let made = own_values.and_then(|keys| slot_of_values(definition, &set, keys));
            values.extend(made);
        }
        for (index, line) in syntax_texts(definition).enumerate() {
            let id = format!("{}/{}#{}", definition.collection, definition.id, index + 1);
            templates.push((Arc::clone(&set), id, Arc::clone(line)));
        }
    }
    Vocabulary {
        names: rules.name_types.keys().cloned().collect(),
        types: rules.ruleset.get("types").clone(),
        tokens: rules.ruleset.get("tokens").clone(),
        nouns,
        templates,
        values,
    }
}

/// Returns the slot type of values that a definition declares; nothing if it has no names or no cutoff.
fn slot_of_values(definition: &Definition, set: &Text, keys: &SlotValues) -> Option<SlotOfValues> {
    let value = &definition.value;
    let entries: Vec<ValueEntry> = value
        .get(&keys.names)
        .items()
        .iter()
        .map(value_entry)
        .collect();
    let cutoff = *value.get(&keys.cutoff).as_number()?;
    let form = keys.form.as_deref().and_then(|key| value.get(key).as_str());
    let form = match form {
        Some(form) if Some(form) == keys.amount.as_deref() => {
            let base = keys.base.as_deref().and_then(|key| value.get(key).as_str());
            let is_base = |entry: &ValueEntry| Some(entry.name.as_str()) == base;
            ValueForm::Amount {
                base: entries.iter().position(is_base),
            }
        }
        Some(form) if Some(form) == keys.detail.as_deref() => {
            let own = keys.detail_cutoff.as_ref().unwrap_or(&cutoff);
            ValueForm::Detail {
                cutoff: Ratio::from_number(own)?,
            }
        }
        Some(_) | None => ValueForm::Name,
    };
    Some(SlotOfValues {
        set: Arc::clone(set),
        owner: format!("{}/{}", definition.collection, definition.id),
        entries,
        cutoff,
        form,
    })
    .filter(|one| !one.entries.is_empty())
}

fn value_entry(entry: &Value) -> ValueEntry {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    ValueEntry {
        name: text(entry.get("name")).unwrap_or_default(),
        also: entry.get("also").items().iter().filter_map(text).collect(),
    }
}

/// Returns the grammar of a vocabulary, which depends on nothing else, the findings, and the types that are declared
/// twice.
fn grammar_of_vocabulary(vocabulary: &Vocabulary) -> (Grammar, Vec<Diagnostic>, BTreeSet<String>) {
    let mut builder = GrammarBuilder::new(token_table::token_table(&vocabulary.tokens));
    builder.set_noun(COMMAND, "a command");
    builder
        .declare_names(ENTITY, NameTable::new(NameFold::Words))
        .set_noun(ENTITY, "an entity")
        .declare_names(FIELD, NameTable::new(NameFold::Words))
        .set_noun(FIELD, "a field")
        .declare_class(DICE, Class::Rest)
        .set_noun(DICE, "dice")
        .declare_class(FILE, Class::Text)
        .set_noun(FILE, "a file");
    let own = [ENTITY, FIELD];
    let declared = vocabulary.names.iter();
    for name in declared.filter(|name| !own.contains(&name.as_str())) {
        builder.declare_names(name, NameTable::new(NameFold::Words));
    }
    if vocabulary.types.get(SEAT).get("words").is_nil() {
        builder.set_noun(SEAT, "a player");
    }
    builder
        .set_noun(READER, "a reader")
        .set_noun(POST_TEMPLATE, "a post");
    for (set, noun) in &vocabulary.nouns {
        builder.set_noun(set, noun);
    }
    add_closed_types(&vocabulary.types, &mut builder);
    // The lines of scripts are texts of their own.
    for (set, id, line) in &vocabulary.templates {
        let source = Source::new(id.as_str(), &**line);
        builder.add_template(set, id, &source, Span::new(0, line.len()));
    }
    for one in &vocabulary.values {
        let Some(cutoff) = Ratio::from_number(&one.cutoff) else {
            continue;
        };
        let values = ValueNames::new(one.entries.clone(), cutoff, one.form);
        builder.declare_values(&one.set, |line| format!("{}#{line}", one.owner), values);
    }
    let twice = builder.types_declared_twice().clone();
    let (grammar, findings) = builder.build();
    (grammar, findings, twice)
}

fn add_closed_types(types: &Value, builder: &mut GrammarBuilder) {
    for (name, entry) in types.as_map().into_iter().flatten() {
        let words = entry.get("words").items();
        if !words.is_empty() {
            let words = words
                .iter()
                .filter_map(Value::as_str)
                .map(|word| (word.to_owned(), Value::from(word)));
            builder.declare_choice(name, words);
        } else if !entry.get("items").is_nil() {
            builder
                .declare_class(name, Class::Rest)
                .set_noun(name, "a text");
        }
    }
}

/// Moves a finding about a template into the file that contains the template.
pub(super) fn move_finding_to_definition(finding: Diagnostic, registry: &Registry) -> Diagnostic {
    let Some(place) = &finding.place else {
        return finding;
    };
    let Some(Owner::Definition { collection, id, .. }) = owner_of_template(place.source.name())
    else {
        return finding;
    };
    let Some(definition) = registry.get(&collection, &id) else {
        return finding;
    };
    let template = place.source.text();
    let inside = place.span;
    let holds = |value: &Span| definition.source.slice(*value).contains(template);
    let text = definition.source.text();
    // A template that a script contains once in quotes needs no key.
    let mut found = text.match_indices(template).map(|(at, _)| at);
    let only = found.next().filter(|_| found.next().is_none());
    let only = only.filter(|at| text[..*at].ends_with(['"', '\'', '`']));
    let key = match definition.origin {
        Origin::Script if only.is_some() => None,
        Origin::Script => {
            let places = source_places::table_places(&definition.source)
                .entries
                .into_iter();
            let lines =
                places.filter(|(path, _)| [SYNTAX, FORMS].iter().any(|key| path.starts_with(key)));
            lines
                .map(|(_, (_, value))| value)
                .filter(holds)
                .min_by_key(|value| value.end - value.start)
        }
        Origin::Content => {
            let keys = [SYNTAX, FORMS]
                .iter()
                .filter_map(|key| definition.key_spans.get(*key));
            keys.copied().find(holds)
        }
    };
    let key = key.unwrap_or(definition.span);
    let within = definition.source.slice(key).find(template);
    let at = only.or(within.map(|at| key.start + at));
    let span = at.map_or(key, |at| inside.shifted(at));
    let fix = finding.fix.as_ref().zip(at).map(|(fix, at)| Fix {
        span: fix.span.shifted(at),
        replacement: fix.replacement.clone(),
    });
    let source = Arc::clone(&definition.source);
    let finding = finding.at(&source, span);
    match fix {
        Some(_) => finding.with_fix(fix),
        None => finding.without_fix(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Definition;
    use crate::script::declare::schema::{Schema, built_in_node};

    /// Builds the grammar of one host command in a ruleset with some slot types.
    fn built(
        known: &mut Option<KnownGrammar>,
        line: &str,
        types: &[&str],
    ) -> (Arc<Grammar>, Vec<Diagnostic>) {
        let words = Value::map([("words".to_owned(), Value::list([Value::from("softly")]))]);
        let types = types.iter().map(|name| (name.to_string(), words.clone()));
        let mut rules = Rules {
            ruleset: Value::map([("types".to_owned(), Value::map(types))]),
            ..Rules::default()
        };
        let phrase = HostPhrase {
            id: "go".to_owned(),
            syntax: vec![line.to_owned()],
        };
        let mut findings = Vec::new();
        build_grammar(
            &mut rules,
            &[phrase],
            &BTreeSet::new(),
            known,
            &mut findings,
        );
        (rules.grammar, findings)
    }

    #[test]
    fn a_grammar_is_used_again_only_if_all_that_it_is_made_of_is_the_same() {
        let mut known = None;
        let (first, findings) = built(&mut known, "go {how: Manner}", &["Manner"]);
        assert_eq!(findings, []);
        let (again, _) = built(&mut known, "go {how: Manner}", &["Manner"]);
        assert!(Arc::ptr_eq(&first, &again));
        let (other, _) = built(&mut known, "walk {how: Manner}", &["Manner"]);
        assert_eq!(other.first_words(COMMAND), ["walk"]);
        let (more, _) = built(&mut known, "walk {how: Manner}", &["Manner", "Style"]);
        assert!(more.has_type("Style") && !other.has_type("Style"));
    }

    fn bell(text: &str) -> Rules {
        let source = Source::new("bells/great.luau", text);
        let line = |text: &str| Value::map([("syntax", Value::from(text))]);
        let value = Value::map([
            (
                "syntax",
                Value::list([Value::from("ring {Word}"), Value::from("toll {Bel}")]),
            ),
            ("forms", Value::list([line("peal {Wrod}")])),
        ]);
        let span = Span::new(0, text.len());
        let mut rules = Rules::default();
        let schema = "folder: bells\nsummary: s\nslot_type: Command\nkeys: any";
        let (node, read) = built_in_node("bell", schema);
        let (schema, _) = Schema::read("bell", "toy", &node, &read);
        rules.schemas.insert("bells".to_owned(), schema.unwrap());
        let definition = Definition {
            collection: "bells".into(),
            id: "great".into(),
            mod_name: "toy".into(),
            source,
            span,
            key_spans: BTreeMap::new(),
            value,
            origin: Origin::Script,
            is_text: false,
        };
        rules.registry.insert(definition, "bell").unwrap();
        rules
    }

    #[test]
    fn lines_of_forms_count_behind_those_of_syntax_and_mistakes_in_them_are_found() {
        let text = "return bell {\n  syntax = { \"ring {Word}\", \"toll {Bel}\" },\n  forms = { { syntax = \"peal {Wrod}\" } },\n}\n";
        let mut rules = bell(text);
        let mut findings = Vec::new();
        build_grammar(&mut rules, &[], &BTreeSet::new(), &mut None, &mut findings);
        let places = findings.iter().filter_map(|one| one.place.as_ref());
        let places: Vec<&str> = places.map(|place| place.source.slice(place.span)).collect();
        assert_eq!(places, ["Bel", "Wrod"]);
        let forms = rules.grammar.forms(COMMAND);
        assert_eq!(forms[0].id, "bells/great#1");
        let templates = collect_vocabulary(&rules, [].iter()).templates.into_iter();
        let ids: Vec<String> = templates.map(|(_, id, _)| id).collect();
        assert_eq!(ids, ["bells/great#1", "bells/great#2", "bells/great#3"]);
    }

    #[test]
    fn a_slot_type_that_is_declared_twice_names_both_places() {
        let mut rules = bell("return bell { syntax = \"ring\" }\n");
        let text = "return ruleset {\n  types = { Command = { words = { \"now\" } }, Dice = { words = { \"d6\" } } },\n}\n";
        let words = Value::map([("words", Value::list([Value::from("now")]))]);
        let types = Value::map([("Command", words.clone()), ("Dice", words.clone())]);
        rules.ruleset = Value::map([("types", types)]);
        rules.ruleset_id = "toy".into();
        rules.sources.insert(
            "toy/ruleset.luau".to_owned(),
            Source::new("toy/ruleset.luau", text),
        );
        let mut findings = Vec::new();
        build_grammar(&mut rules, &[], &BTreeSet::new(), &mut None, &mut findings);
        let twice = findings.iter();
        let twice = twice.filter(|one| one.code == "phrase/type-twice");
        let shown: Vec<String> = twice
            .map(|one| {
                let place = one.place.as_ref().unwrap();
                format!("{place} {}: {}", one.message, one.hints.join(", "))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "toy/ruleset.luau:2 the slot type \"Command\" is declared twice: here and at bell:1: rename one of them",
                "toy/ruleset.luau:2 the slot type \"Dice\" is declared twice: here and by the program: rename it: Dice is built in",
            ]
        );
        let seats = Value::map([(SEAT, words)]);
        rules.ruleset = Value::map([("types", seats)]);
        findings.clear();
        build_grammar(&mut rules, &[], &BTreeSet::new(), &mut None, &mut findings);
        let codes = findings.iter().map(|one| &*one.code);
        let codes: Vec<&str> = codes
            .filter(|code| !code.contains("unknown-type"))
            .collect();
        assert_eq!(codes, ["schema/seat-type"]);
    }

    #[test]
    fn mistakes_are_found_each_time() {
        let mut known = None;
        for _ in 0..2 {
            let (_, findings) = built(&mut known, "go {how: Manner}", &[]);
            assert_eq!(findings[0].code, "phrase/unknown-type");
        }
    }
}
