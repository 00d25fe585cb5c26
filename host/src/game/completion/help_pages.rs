//! Pages of help: for commands, and for everything else that the rules define.

use std::sync::Arc;

use crate::content::Definition;
use crate::diag::Diagnostic;
use crate::doc::build::{code, fields, heading, item, list, paragraph};
use crate::doc::{Block, Item};
use crate::game::attempt::line_parser::parse_command_line;
use crate::game::completion::command_list::{command_overview, related_commands};
use crate::game::completion::rule_pages::rules_cited_by_source;
use crate::game::question::permission::{may_give_command, permitted_givers_in_words};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandWords;
use crate::script::{
    COMMANDS, Rules, Schema, commands_taking_definitions, description_command_line, leading_words,
    leading_words_by_line, names_of_definition, syntax_lines,
};
use crate::value::Value;

/// Maximum number of definitions with the same name that one page explains.
const PAGES: usize = 5;

/// Maximum number of rule pages that the help for a definition names.
const CITED: usize = 3;

/// Returns help for words: a command of the host, definitions, texts with errors. Below it are the other commands that
/// begin with the words.
pub(super) fn help_pages(timeline: &Timeline, by: &str, words: &str) -> Option<Vec<Block>> {
    let rules = timeline.rules();
    let mut blocks = host_command_page(&timeline.game.commands, words).unwrap_or_default();
    for definition in definitions_named(&rules, words).into_iter().take(PAGES) {
        blocks.extend(definition_page(timeline, by, &rules, definition, &[]));
    }
    for (definition, findings) in faulty_definitions_named(&rules, words)
        .into_iter()
        .take(PAGES)
    {
        blocks.extend(definition_page(timeline, by, &rules, definition, findings));
    }
    if blocks.is_empty() {
        return None;
    }
    blocks.extend(related_commands(timeline, by, words));
    Some(blocks)
}

/// Returns help for a whole collection: the names of its definitions, with their summaries. For commands, it lists
/// those that a user may give.
pub(super) fn collection_help(timeline: &Timeline, by: &str, words: &str) -> Option<Vec<Block>> {
    let rules = timeline.rules();
    schema_of_collection(&rules, words).map(|one| collection_page(timeline, by, &rules, one))
}

/// Returns help for a collection by the word for one of its definitions.
pub(super) fn kind_help(timeline: &Timeline, by: &str, word: &str) -> Option<Vec<Block>> {
    let rules = timeline.rules();
    schema_of_kind(&rules, word).map(|one| collection_page(timeline, by, &rules, one))
}

fn collection_page(timeline: &Timeline, by: &str, rules: &Rules, schema: &Schema) -> Vec<Block> {
    if schema.collection == COMMANDS {
        return command_overview(timeline, by).blocks;
    }
    let told = |one: &Arc<Definition>| {
        let summary = one.value.get("summary").as_str().unwrap_or_default();
        (first_name_of_definition(rules, one), summary.to_owned())
    };
    let told: Vec<_> = rules
        .registry
        .of_collection(&schema.collection)
        .map(told)
        .collect();
    let names = told.iter().map(|(name, _)| name.clone());
    let texts = rules.faulty.iter().map(|one| &one.definition);
    let broken = texts.filter(|one| *one.collection == *schema.collection);
    let broken: Vec<String> = broken
        .map(|one| first_name_of_definition(rules, one))
        .collect();
    let mut blocks = vec![
        heading(2, collection_name_for_people(schema)),
        paragraph(schema.summary.clone()),
        match told.iter().all(|(_, summary)| summary.is_empty()) {
            _ if told.is_empty() => paragraph("The collection is empty."),
            true => list(names),
            false => fields(told),
        },
    ];
    let broken = (!broken.is_empty()).then(|| format!("With errors: {}.", broken.join(", ")));
    blocks.extend(broken.map(paragraph));
    blocks
}

/// Returns the part below a page whose words also name a collection. It is the collection, or, for the word for one of
/// its definitions, the `help` command that lists the collection.
pub(super) fn collection_below_page(timeline: &Timeline, by: &str, words: &str) -> Vec<Block> {
    let rules = timeline.rules();
    let all = |one: &Schema| {
        let line = format!(
            "`help {}` lists the collection.",
            collection_name_for_people(one)
        );
        vec![paragraph(line)]
    };
    let whole = collection_help(timeline, by, words);
    whole
        .or_else(|| schema_of_kind(&rules, words).map(all))
        .unwrap_or_default()
}

/// Returns whether words name a collection.
pub(in crate::game) fn is_name_of_collection(timeline: &Timeline, words: &str) -> bool {
    schema_of_collection(&timeline.rules(), words).is_some()
}

/// Returns the words for collections, in no order.
pub(super) fn collection_words(timeline: &Timeline) -> Vec<String> {
    timeline
        .rules()
        .schemas
        .values()
        .map(collection_name_for_people)
        .collect()
}

/// Returns the words for collections, each with its summary, in no order.
pub(super) fn collection_topics(timeline: &Timeline) -> Vec<(String, String)> {
    let rules = timeline.rules();
    let told = |one: &Schema| (collection_name_for_people(one), one.summary.clone());
    rules.schemas.values().map(told).collect()
}

/// Returns whether words name a definition, or a text with errors.
pub(in crate::game) fn is_name_of_definition(timeline: &Timeline, words: &str) -> bool {
    let rules = timeline.rules();
    !definitions_named(&rules, words).is_empty()
        || !faulty_definitions_named(&rules, words).is_empty()
}

/// Returns the words for all definitions except commands, and for texts with errors, in no order: their names, and ids
/// that differ from the names.
pub(super) fn definition_words(timeline: &Timeline) -> Vec<String> {
    let rules = timeline.rules();
    let mut words = Vec::new();
    let broken = rules.faulty.iter().map(|one| &one.definition);
    let all = rules.registry.iter().chain(broken);
    for one in all.filter(|one| !is_command(one)) {
        let texts = names_of_definition(&rules, one);
        if !texts
            .iter()
            .any(|text| folded_name(text).replace(' ', "_") == *one.id)
        {
            words.push(one.id.to_string());
        }
        words.extend(texts);
    }
    words
}

/// Returns the page of the host command that words name.
pub(super) fn host_command_page(commands: &[CommandWords], words: &str) -> Option<Vec<Block>> {
    let is_meant = |syntax: &str| is_same_name(&leading_words(syntax).join(" "), words);
    let command = commands
        .iter()
        .find(|one| is_same_name(one.id, words) || one.syntax.iter().any(|line| is_meant(line)))?;
    let mut blocks = vec![
        heading(2, command.id),
        paragraph(command.summary),
        code("", command.syntax.join("\n")),
    ];
    blocks.extend((!command.help.is_empty()).then(|| paragraph(command.help)));
    Some(blocks)
}

/// Returns the page of a definition; for a text with errors, with the findings in it.
fn definition_page(
    timeline: &Timeline,
    by: &str,
    rules: &Rules,
    definition: &Arc<Definition>,
    findings: &[Diagnostic],
) -> Vec<Block> {
    let text = |key: &str| definition.value.get(key).as_str().map(str::to_owned);
    let mut blocks = vec![heading(2, first_name_of_definition(rules, definition))];
    blocks.extend(text("summary").map(paragraph));
    blocks.extend(typed_lines_block(syntax_lines(definition)));
    blocks.push(fields(definition_facts(timeline, by, rules, definition)));
    let examples = definition.value.get("examples");
    let examples: Vec<&str> = examples.items().iter().filter_map(Value::as_str).collect();
    if let Some(lines) = typed_lines_block(examples) {
        blocks.extend([paragraph("for example"), lines]);
    }
    if !findings.is_empty() {
        let text =
            "Its text has errors. It is not loaded, unless a game uses the parts without errors.";
        blocks.extend([paragraph(text), list(findings.iter().map(finding_item))]);
    }
    // A hint must name a valid command line.
    let more = description_command_line(rules, definition)
        .filter(|line| parse_command_line(timeline, by, line).is_ok());
    blocks.extend(more.map(|line| paragraph(format!("for more, type `{line}`"))));
    blocks
}

/// Returns a finding with its line, and with its hints below it.
fn finding_item(finding: &Diagnostic) -> Item {
    let place = finding.place.as_ref();
    let line = place.map_or_else(String::new, |place| {
        format!("line {}: ", place.start_line())
    });
    let (severity, code) = (finding.severity.as_str(), &finding.code);
    let hints = finding.hints.iter().map(|hint| format!("hint: {hint}"));
    let below = (!finding.hints.is_empty()).then(|| list(hints));
    item(
        format!("{severity}[{code}]: {line}{}", finding.message),
        below,
    )
}

/// Returns the facts of every definition: its kind, its place, its givers, the commands that take it, and its source.
fn definition_facts(
    timeline: &Timeline,
    by: &str,
    rules: &Rules,
    definition: &Arc<Definition>,
) -> Vec<(String, String)> {
    let schema = rules.schemas.get(&*definition.collection);
    let kind = schema.map_or("definition", |one| &one.name);
    let line = definition.source.position(definition.span.start).line;
    let mut facts = vec![
        ("is a".to_owned(), kind.to_owned()),
        (
            "defined in".to_owned(),
            format!("{}:{line}", definition.source.name()),
        ),
    ];
    facts.extend(permitted_givers_in_words(definition).map(|who| ("given by".to_owned(), who)));
    let takers = commands_taking_definitions(rules, &definition.collection).into_iter();
    let takers = takers.filter(|one| may_give_command(timeline, by, one));
    let takers: Vec<String> = takers.map(first_words_of_command).collect();
    let taken = (!takers.is_empty()).then(|| ("taken by".to_owned(), takers.join(", ")));
    facts.extend(taken);
    let source = definition.value.get("source").as_str();
    facts.extend(source.map(|source| ("source".to_owned(), source.to_owned())));
    let pages = rules_cited_by_source(source.unwrap_or_default()).into_iter();
    let pages: Vec<String> = pages.filter_map(|rule| rule.page()).take(CITED).collect();
    facts.extend((!pages.is_empty()).then(|| ("page".to_owned(), pages.join(", "))));
    facts
}

/// Returns the schema of the collection that words name.
fn schema_of_collection<'r>(rules: &'r Rules, words: &str) -> Option<&'r Schema> {
    let mut schemas = rules.schemas.values();
    schemas.find(|one| is_same_name(&one.collection, words))
}

/// Returns the schema of the collection that has a word as the name for one of its definitions.
fn schema_of_kind<'r>(rules: &'r Rules, word: &str) -> Option<&'r Schema> {
    let mut schemas = rules.schemas.values();
    schemas.find(|one| is_same_name(&one.name, word))
}

/// Returns the name of a collection for people.
fn collection_name_for_people(schema: &Schema) -> String {
    schema.collection.replace('_', " ")
}

/// Returns the definitions that words name, commands first: by id, by name, by typed words. If there is none, it
/// returns those whose lines begin with the words.
fn definitions_named<'r>(rules: &'r Rules, words: &str) -> Vec<&'r Arc<Definition>> {
    let is_typed = |one: &&Arc<Definition>| {
        let mut lines = leading_words_by_line(one).into_iter();
        lines.any(|line| is_same_name(&line.join(" "), words))
    };
    let is_meant = |one: &&Arc<Definition>| {
        is_definition_named(rules, one, words) || is_command(one) && is_typed(one)
    };
    let mut found: Vec<&Arc<Definition>> = rules.registry.iter().filter(is_meant).collect();
    if found.is_empty() {
        found.extend(rules.registry.iter().filter(is_typed));
    }
    found.sort_by_key(|one| !is_command(one));
    found
}

/// Returns the texts with errors that words name, each with its findings.
fn faulty_definitions_named<'r>(
    rules: &'r Rules,
    words: &str,
) -> Vec<(&'r Arc<Definition>, &'r [Diagnostic])> {
    let all = rules.faulty.iter();
    let all = all.map(|one| (&one.definition, one.findings.as_slice()));
    all.filter(|(one, _)| is_definition_named(rules, one, words))
        .collect()
}

/// Returns whether words are the id of a definition, or one of its names.
fn is_definition_named(rules: &Rules, definition: &Definition, words: &str) -> bool {
    let is_called = || {
        let names = names_of_definition(rules, definition);
        names.iter().any(|name| is_same_name(name, words))
    };
    is_same_name(&definition.id, words) || is_called()
}

/// Returns the first name of a definition; for a command, the first words of its first line.
fn first_name_of_definition(rules: &Rules, definition: &Definition) -> String {
    match is_command(definition) {
        true => first_words_of_command(definition),
        false => names_of_definition(rules, definition).swap_remove(0),
    }
}

fn first_words_of_command(command: &Definition) -> String {
    let lines = leading_words_by_line(command);
    lines
        .first()
        .map_or_else(|| command.id.to_string(), |words| words.join(" "))
}

fn is_command(definition: &Definition) -> bool {
    *definition.collection == *COMMANDS
}

/// Returns the lines that people type; a line that is only a slot is left out, because it contains no information.
fn typed_lines_block(lines: Vec<&str>) -> Option<Block> {
    let is_slot = |line: &&str| line.starts_with('{') && line.find('}') == Some(line.len() - 1);
    let lines: Vec<&str> = lines.into_iter().filter(|line| !is_slot(line)).collect();
    (!lines.is_empty()).then(|| code("", lines.join("\n")))
}

/// Returns whether two texts name the same thing. Case, the number of spaces, `_` and `-` instead of spaces, and the
/// kind of apostrophe do not matter.
fn is_same_name(one: &str, other: &str) -> bool {
    folded_name(one) == folded_name(other)
}

fn folded_name(text: &str) -> String {
    let apart = |c: char| c.is_whitespace() || matches!(c, '_' | '-');
    let words: Vec<&str> = text.split(apart).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase().replace('’', "'")
}
