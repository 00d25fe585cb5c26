//! Completion for a person who types: expected next words, and help for a word.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, did_you_mean_hint, near_hint};
use crate::dice::Notation;
use crate::doc::build::{fields, heading, list, paragraph};
use crate::doc::{Block, Document};
use crate::game::attempt::line_parser::line_in_present_words;
use crate::game::completion::command_list::{
    command_family_help, command_names_and_beginnings, command_topics,
};
use crate::game::completion::diagnostic_entries::{
    Scope, codes, codes_without_area, entries_of_code,
};
use crate::game::completion::glossary::{
    calls_of_term, is_same_words, term_of_words, term_page, terms,
};
use crate::game::completion::help_pages::{
    collection_below_page, collection_help, collection_topics, collection_words, definition_words,
    help_pages, kind_help,
};
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::question::permission::may_give_line;
use crate::game::question::possible_answers::{name_of_entity, names_for_slot_type};
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::{Reply, audience_of_giver};
use crate::script::{
    COMMAND, DICE, FIELD, Function, Group, NameType, Rules, Section, Sight, declarations,
    game_slot_types, owner_of_template, present_names, with_names,
};
use crate::text::{Class, Context, Expected, ExpectedKind};

/// Maximum number of entities with a field in the help for that field.
const HAVE_IT: usize = 12;

/// Returns the words that may come next after the text before the cursor, for the user who types it.
pub fn expected_next_words(timeline: &Timeline, by: &str, before: &str) -> Vec<Expected> {
    let rules = timeline.rules();
    let is_left_out = |template: &str| is_forbidden_template(timeline, &rules, by, template);
    with_names(
        &timeline.generation().machine(),
        &timeline.state,
        by,
        |names| {
            let mut context = Context::new("command")
                .with_names(names)
                .without_offers_of(&is_left_out);
            let mut expected = rules.grammar.expected_after(COMMAND, before, &mut context);
            let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
            let items = type_of_open_items(&rules, before, &mut context);
            if items == Some(DICE) {
                expected.push(Expected {
                    start,
                    kind: ExpectedKind::Type,
                    text: "dice".to_owned(),
                    type_name: Some(DICE.to_owned()),
                    slot: None,
                    id: None,
                });
            } else if let Some(items) = items {
                let within = rules
                    .grammar
                    .expected_after(items, &before[start..], &mut context);
                expected.extend(within.into_iter().map(|one| Expected {
                    start: one.start + start,
                    ..one
                }));
            }
            without_redundant_ids(timeline, before, expected)
        },
    )
    .0
}

/// Removes ids of things that can also be named by their names. Ids of attributes are also left out until the user
/// begins to type one, unless the slot takes only attributes.
fn without_redundant_ids(
    timeline: &Timeline,
    before: &str,
    expected: Vec<Expected>,
) -> Vec<Expected> {
    let state = &timeline.state;
    let types = &timeline.rules().name_types;
    let is_record = |one: &Expected| {
        let row = one.id.as_ref().and_then(|id| state.names().find(id));
        let of_type = one.type_name.as_ref().and_then(|name| types.get(name));
        row.is_some_and(|row| state.owner(row).is_some())
            && of_type.is_some_and(|of| *of != NameType::Records)
    };
    let is_begun = |one: &Expected| {
        let start = before.floor_char_boundary(one.start.min(before.len()));
        !before[start..].trim().is_empty()
    };
    let called = |one: &Expected| Some((one.start, one.type_name.clone()?, one.id.clone()?));
    let is_id = |one: &Expected| one.id.as_ref() == Some(&one.text);
    let others = expected.iter().filter(|one| !is_id(one));
    let named: BTreeSet<_> = others.filter_map(called).collect();
    let is_wanted =
        |one: &Expected| !is_id(one) || !called(one).is_some_and(|id| named.contains(&id));
    let expected = expected.into_iter().filter(is_wanted);
    let is_open = |one: &Expected| !is_id(one) || is_begun(one) || !is_record(one);
    expected.filter(is_open).collect()
}

/// Returns whether a template belongs to a command that a user may not give.
fn is_forbidden_template(timeline: &Timeline, rules: &Rules, by: &str, template: &str) -> bool {
    let owner = owner_of_template(template);
    let line = owner
        .as_ref()
        .and_then(|owner| rules.definition_and_line_number(owner));
    line.is_some_and(|(command, line)| !may_give_line(timeline, by, command, line))
}

/// Returns the lines of a command's syntax by its first word, for hints.
pub fn syntax_lines_of_command(timeline: &Timeline, word: &str) -> Vec<String> {
    let rules = timeline.rules();
    let forms = rules
        .grammar
        .forms(COMMAND)
        .into_iter()
        .map(|form| form.syntax.to_owned());
    let begins = |line: &String| {
        line.split([' ', '[', '{'])
            .next()
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    };
    forms.filter(begins).collect()
}

/// Returns help for words, for a user. If several things have these words, all of them are explained. The words name a command, the beginning of commands, a definition, a collection,
/// a stat, an API function or dice. They may also name a field that the user may see, or the kind of a collection's
/// definitions.
pub fn help_for_words(timeline: &Timeline, by: &str, word: &str) -> Reply {
    let page = help_pages(timeline, by, word).or_else(|| command_family_help(timeline, by, word));
    let page = page.map(|mut blocks| {
        blocks.extend(collection_below_page(timeline, by, word));
        blocks.extend(other_section_hint(timeline, by, word));
        blocks
    });
    let with_meaning = |mut blocks: Vec<Block>| {
        blocks.extend(meaning_of_term(word));
        blocks
    };
    let found = page
        .or_else(|| collection_help(timeline, by, word))
        .map(|mut blocks| {
            blocks.extend(stat_help(timeline, word).unwrap_or_default());
            blocks
        })
        .or_else(|| stat_help(timeline, word))
        .map(|mut blocks| {
            blocks.extend(api_table_hint(word));
            blocks
        })
        .or_else(|| api_help(word))
        .or_else(|| api_section_help(word))
        .map(|mut blocks| {
            blocks.extend(slot_type_help(word).unwrap_or_default());
            with_meaning(blocks)
        })
        .or_else(|| dice_help(word))
        .or_else(|| entries_of_code(Scope::Ruleset(&timeline.rules().ruleset_id), word));
    let own = || {
        let blocks = field_help(timeline, by, word)?;
        Some(Document::new(blocks).limit_to_audience(audience_of_giver(by)))
    };
    let kind = || kind_help(timeline, by, word).map(with_meaning);
    let term = || term_of_words(word).map(term_page);
    let other = || {
        kind()
            .or_else(term)
            .or_else(|| slot_type_help(word))
            .map(Document::new)
    };
    let found = found.map(Document::new).or_else(own).or_else(other);
    match found {
        Some(mut document) => {
            let is_one_word = !word.contains(char::is_whitespace);
            let renamed = line_in_present_words(timeline, word).filter(|_| is_one_word);
            document.blocks.extend(renamed.map(|(_, (old, now))| {
                paragraph(format!("The command `{old}` is called `{now}` now."))
            }));
            Reply::document(document)
        }
        None if word.contains('/') => {
            let rules = timeline.rules();
            Reply::refused(unknown_code_refusal(
                Scope::Ruleset(&rules.ruleset_id),
                word,
            ))
        }
        None => Reply::refused(unknown_word_refusal(timeline, by, word)),
    }
}

pub(super) fn unknown_code_refusal(scope: Scope<'_>, word: &str) -> Diagnostic {
    let message = format!("no diagnostic has the code {word:?}");
    Diagnostic::error("help/unknown-code", message).hint(near_hint(word, codes(scope)))
}

/// Returns the meaning of a word in the glossary, for a page about something else: a command, a collection, a section, or
/// a definition of that name.
pub(super) fn meaning_of_term(word: &str) -> Option<Block> {
    let term = term_of_words(word)?;
    Some(paragraph(format!("Glossary: {}", term.meaning)))
}

/// Returns the page of a slot type of the host, by its name as templates write it.
fn slot_type_help(word: &str) -> Option<Vec<Block>> {
    let mut types = Class::descriptions().chain(game_slot_types());
    let found = types.find(|one| one.name == word)?;
    let examples: Vec<String> = found
        .examples
        .iter()
        .map(|one| format!("`{one}`"))
        .collect();
    Some(vec![
        heading(2, found.name),
        paragraph(format!("A slot type. {}", found.reads)),
        fields([
            ("value".to_owned(), found.value.to_owned()),
            ("examples".to_owned(), examples.join(", ")),
        ]),
    ])
}

fn stat_help(timeline: &Timeline, word: &str) -> Option<Vec<Block>> {
    let rules = timeline.rules();
    let (stat, summary) = rules
        .stat_summaries
        .iter()
        .find(|(stat, _)| stat.eq_ignore_ascii_case(word))?;
    let name = timeline.state.names().find(stat)?;
    let base = rules.stats.declaration_of(name).base.to_string();
    let facts = [
        ("is a".to_owned(), "stat".to_owned()),
        ("begins at".to_owned(), base),
    ];
    Some(vec![
        heading(2, stat.clone()),
        paragraph(summary.clone()),
        fields(facts),
    ])
}

/// Returns the entities with a field that a user may see, each with its value of the field.
fn field_help(timeline: &Timeline, by: &str, word: &str) -> Option<Vec<Block>> {
    let viewer = viewer_of_seat(timeline, by);
    let sight = Sight::new(&timeline.state, &viewer);
    let names = timeline.state.names();
    let entities = timeline.state.rows().into_iter();
    let entities = entities.filter(|row| timeline.state.owner(*row).is_none());
    let mut shown = None;
    let mut facts = Vec::new();
    for row in entities {
        let fields = timeline.state.field_names_of_row(row).into_iter();
        let mut fields = fields.map(|field| (field, names.text(field)));
        let own = fields.find(|(_, name)| name.eq_ignore_ascii_case(word));
        let own =
            own.filter(|(field, name)| !name.starts_with('@') && sight.can_see_field(row, *field));
        if let Some((field, name)) = own {
            shown.get_or_insert(name);
            let called = name_of_entity(timeline, row);
            let called = called.unwrap_or_else(|| names.text(row).to_string());
            facts.push((called, timeline.state.get(row, field).to_string()));
        }
    }
    let more = facts.len().saturating_sub(HAVE_IT);
    facts.truncate(HAVE_IT);
    let more = (more > 0).then(|| paragraph(format!("and {more} more")));
    let head = [
        heading(2, shown?.to_string()),
        paragraph("a field of"),
        fields(facts),
    ];
    Some(head.into_iter().chain(more).collect())
}

/// Returns the first topics for `help`, in order, each with its description: the commands that a user may give, and the
/// collections.
pub fn help_topics(timeline: &Timeline, by: &str) -> Vec<(String, String)> {
    let mut topics = command_topics(timeline, by);
    topics.extend(collection_topics(timeline));
    topics.sort();
    topics.dedup_by(|later, earlier| later.0 == earlier.0);
    topics
}

/// Returns every word that `help` knows for a user, in order, with the fields that the user may see.
pub fn help_words_for_user(timeline: &Timeline, by: &str) -> Vec<String> {
    let mut known = help_words_of_rules(timeline);
    known.extend(names_for_slot_type(timeline, by, FIELD).unwrap_or_default());
    known.sort();
    known.dedup();
    known
}

/// Returns every word of the rules that `help` knows, in order, as people type it.
pub fn help_words_of_rules(timeline: &Timeline) -> Vec<String> {
    let rules = timeline.rules();
    let definitions = definition_words(timeline).into_iter();
    let commands = command_names_and_beginnings(timeline).into_iter();
    let stats = rules.stat_summaries.keys().cloned();
    let mut known: Vec<String> = definitions
        .chain(commands)
        .chain(collection_words(timeline))
        .chain(stats)
        .chain(help_words_of_host())
        .collect();
    known.sort();
    known.dedup();
    known
}

/// Returns the words that `help` knows in every game besides commands: tables and sections of the script API, and the
/// terms of the glossary.
pub(super) fn help_words_of_host() -> impl Iterator<Item = String> {
    let groups = declarations().into_iter().flat_map(|group| {
        let sections = group.sections.into_iter().flat_map(|one| one.words);
        std::iter::once(group.name).chain(sections)
    });
    groups.chain(terms().iter().flat_map(|term| term.names.iter().cloned()))
}

/// Returns the names that scripts write as texts, in order: ids of entities and definitions, stats.
pub fn ids_for_scripts(timeline: &Timeline) -> Vec<String> {
    let rules = timeline.rules();
    let entities = timeline.state.rows().into_iter();
    let entities = entities.filter(|row| timeline.state.owner(*row).is_none());
    let entities = entities.map(|row| timeline.state.names().text(row).to_string());
    let definitions = rules.registry.iter().map(|one| one.id.to_string());
    let stats = rules.stat_summaries.keys().cloned();
    let mut ids: Vec<String> = entities.chain(definitions).chain(stats).collect();
    ids.sort();
    ids.dedup();
    ids
}

fn unknown_word_refusal(timeline: &Timeline, by: &str, word: &str) -> Diagnostic {
    let known = help_words_for_user(timeline, by);
    let finding = Diagnostic::error("help/unknown-word", format!("unknown word \"{word}\""));
    let renamed = former_command_words(timeline, word);
    let bare = word_without_marks(word);
    let names = present_names(bare).into_iter();
    let present: Vec<&str> = renamed
        .map(|(_, now)| now)
        .into_iter()
        .chain(names)
        .collect();
    if !present.is_empty() {
        let present = present.join("` or `");
        let old = renamed.map_or(word, |(old, _)| old);
        return finding.hint(format!("`{old}` is called `{present}` now"));
    }
    let codes = codes_without_area(Scope::Ruleset(&timeline.rules().ruleset_id), word);
    if !codes.is_empty() {
        return finding.hint(did_you_mean_hint(&codes));
    }
    if word.contains([':', '.']) {
        let functions = function_topics();
        let near = near_hint(word, functions.iter().map(|(name, _)| name.as_str()));
        if !near.is_empty() {
            return finding.hint(near);
        }
    }
    finding
        .hint(near_hint(word, each_once_in_any_case(&known)))
        .hint("`help` lists the commands of this game")
}

/// Returns words without those that differ from another one only in case. `help` finds both.
fn each_once_in_any_case(words: &[String]) -> impl Iterator<Item = &str> {
    let mut seen = BTreeSet::new();
    let words = words.iter().map(String::as_str);
    words.filter(move |word| seen.insert(word.to_lowercase()))
}

/// Returns a former word of a command at the start of some words, or a former option, and its present words.
fn former_command_words(timeline: &Timeline, words: &str) -> Option<(&'static str, &'static str)> {
    let at_start = line_in_present_words(timeline, words).map(|(_, words)| words);
    at_start.or_else(|| {
        let commands = timeline.game.commands.iter();
        let mut former = commands.flat_map(|command| command.formerly.iter().copied());
        former.find(|(old, _)| old.starts_with('-') && *old == words)
    })
}

/// Returns the name in words as scripts and shells write it: `act:slot()`, `seen=`, `schema {`, `--laws`.
fn word_without_marks(word: &str) -> &str {
    let word = word.trim_start_matches('-');
    let word = word.strip_prefix("act.").unwrap_or(word);
    word.trim_end_matches(['(', ')', '{', '}', '=', ' '])
}

/// Returns the slot type of the items in the text at the end of a line, if the line ends with such a text.
fn type_of_open_items<'r>(
    rules: &'r Rules,
    before: &str,
    context: &mut Context<'_>,
) -> Option<&'r str> {
    // A text begins at its first word; a word is added if there is none yet.
    let line = if before.ends_with(char::is_whitespace) {
        format!("{before}x")
    } else {
        before.to_owned()
    };
    let phrase = rules.grammar.read(COMMAND, &line, context).ok()?;
    let slot = phrase.slots.last()?;
    rules.item_type_of_slot(&phrase.template, &slot.name)
}

/// Returns help for dice notation.
pub(super) fn dice_help(word: &str) -> Option<Vec<Block>> {
    let is_dice = word.contains(|c: char| c.is_ascii_digit()) && Notation::parse(word).is_ok();
    is_dice.then(|| {
        let text = format!("dice: `roll {word}` rolls them, `odds {word}` shows their chances");
        vec![heading(2, word.to_owned()), paragraph(text)]
    })
}

/// Returns help for a table, type or function of the script API: `act`, `act:get`, `dice.fold`.
pub(super) fn api_help(word: &str) -> Option<Vec<Block>> {
    let (table, function) = match word.split_once([':', '.']) {
        Some((table, function)) => (table, Some(function)),
        None => (word, None),
    };
    let groups = declarations();
    let group = groups
        .iter()
        .find(|group| group.name.eq_ignore_ascii_case(table))?;
    match function {
        Some(name) => {
            let function = group
                .functions
                .iter()
                .find(|one| one.name.eq_ignore_ascii_case(name))?;
            Some(api_function_help(group, function))
        }
        None => {
            let lines = group
                .functions
                .iter()
                .map(|one| format!("{}: {}", one.name, one.signature));
            Some(vec![
                heading(2, group.name.clone()),
                paragraph(group.text.clone()),
                list(lines),
            ])
        }
    }
}

/// Returns a sentence about a table or type of the script API, for a page about something else of that name.
pub(super) fn api_table_hint(word: &str) -> Option<Block> {
    let groups = declarations();
    let group = groups
        .iter()
        .find(|group| group.name.eq_ignore_ascii_case(word))?;
    let functions: Vec<String> = function_words_of_group(group)
        .map(|name| format!("`{name}`"))
        .collect();
    let what = if group.is_type { "type" } else { "table" };
    let mut text = format!("Scripts have a {what} `{}`", group.name);
    match functions.first() {
        Some(first) => {
            let help = first.trim_matches('`');
            text += &format!(
                ": {}. `help {help}` explains a function.",
                functions.join(", ")
            );
        }
        None => text += ".",
    }
    Some(paragraph(text))
}

/// Returns the functions of a table or type of the script API as `help` takes them: `act:get`. A lone function has none.
fn function_words_of_group(group: &Group) -> impl Iterator<Item = String> {
    let sign = if group.is_type { ':' } else { '.' };
    let functions = group.functions.iter();
    let functions = functions.filter(|one| one.name != group.name);
    let name = group.name.to_lowercase();
    functions.map(move |one| format!("{name}{sign}{}", one.name))
}

/// Returns the functions of the script API as `help` takes them, each with the first sentence about it.
pub(super) fn function_topics() -> Vec<(String, String)> {
    let topics = declarations().into_iter().flat_map(|group| {
        let words: Vec<String> = function_words_of_group(&group).collect();
        let texts = group
            .functions
            .into_iter()
            .filter(|one| one.name != group.name);
        words
            .into_iter()
            .zip(texts.map(|one| one.text))
            .collect::<Vec<_>>()
    });
    topics.collect()
}

/// Returns the section of the script API that has a word: its group, and its number there.
fn api_section_with_word(word: &str) -> Option<(Group, usize)> {
    declarations().into_iter().find_map(|group| {
        let has_word = |section: &Section| {
            let mut words = section.words.iter();
            words.any(|one| is_same_words(one, word))
        };
        let number = group.sections.iter().position(has_word)?;
        Some((group, number))
    })
}

/// Returns a hint to a section of the script API by another of its words, if help for one of its words shows another
/// page.
fn other_section_hint(timeline: &Timeline, by: &str, word: &str) -> Option<Block> {
    let (group, number) = api_section_with_word(word)?;
    let section = &group.sections[number];
    let mut words = section.words.iter();
    let other = words.find(|other| help_pages(timeline, by, other).is_none())?;
    let (title, functions) = (&section.title, group.functions_of(number).len());
    let calls = term_of_words(other)
        .or_else(|| term_of_words(word))
        .and_then(calls_of_term);
    let list =
        format!("`help {other}` lists all {functions} functions of the section \"{title}\".");
    let sentences: Vec<String> = calls.into_iter().chain([list]).collect();
    Some(paragraph(sentences.join(" ")))
}

/// Returns help for a section of the script API, by one of its words: the descriptions of its functions, a line each.
pub(super) fn api_section_help(word: &str) -> Option<Vec<Block>> {
    let (group, number) = api_section_with_word(word)?;
    let section = &group.sections[number];
    let functions = group.functions_of(number).iter();
    let functions = functions.map(|one| {
        let first = one.text.split_inclusive(". ").next().unwrap_or_default();
        let name = format!("{}:{}", group.name.to_lowercase(), one.name);
        (name, first.trim_end().to_owned())
    });
    Some(vec![
        heading(2, section.title.clone()),
        paragraph(section.text.clone()),
        fields(functions),
    ])
}

fn api_function_help(group: &Group, function: &Function) -> Vec<Block> {
    let sign = if group.is_type { ':' } else { '.' };
    let name = format!("{}{sign}{}", group.name.to_lowercase(), function.name);
    let head = [heading(2, name)];
    head.into_iter().chain(function.blocks()).collect()
}
