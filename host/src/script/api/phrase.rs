//! Reads phrases for scripts, with the grammar of the ruleset and the present names.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table};

use super::library::{argument_check_function, argument_refusal_function};
use super::polls::Chunks;
use super::{Library, slot_values};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::doc::Viewer;
use crate::script::border::GM;
use crate::script::border::stack_value::Returned;
use crate::script::border::value_conversion::{to_lua, without_memory_limit};
use crate::script::declare::phrase_value::parse_value;
use crate::script::declare::template_owner::definition_and_line_of_template;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::game_names::{GameNames, ask_ruleset_names};
use crate::script::inquiry::viewers::viewer_of_person;
use crate::script::rules::Rules;
use crate::store::State;
use crate::text::{
    Came, Context, ExpectedKind, Fields, Grammar, Miss, NameTable, Parse, SlotType, Want,
};
use crate::value::{Names, Value};

/// Fuel for a byte of a text that is read as one phrase.
const READ: u64 = 8;

/// Fuel for a byte of a text that is searched for phrases.
const SCANNED: u64 = 24;

/// Luau source for languages of lines, over the functions of this table.
const LANGUAGE: &str = include_str!("line_language.luau");

/// Returns the table `phrase`.
pub(super) fn phrase_table(lua: &Lua, host: &Rc<Host>, globals: &Table) -> mlua::Result<Table> {
    let table = Library::new(lua, host, "phrase")?
        .add("read", read_phrase)?
        .add("scan", scan_text)?
        .add("fields", read_phrase_fields)?
        .add("places", slot_places)?
        .add("fits", is_phrase)?
        .add("expected", possible_continuations)?
        .add("write", canonical_text)?
        .add("values", slot_values::read_values)?
        .into_table();
    let chunks = Chunks { lua, host, globals };
    let allowed = argument_check_function(lua, host, "phrase")?;
    let lines = Library::new(lua, host, "lines")?
        .add("read", read_line_with_canonical_text)?
        .into_table();
    let given = (
        argument_refusal_function(lua)?,
        allowed,
        lines.raw_get::<Function>("read")?,
    );
    let language: Function = chunks.run_chunk("line_language", LANGUAGE, given)?;
    table.raw_set("language", language)?;
    Ok(table)
}

fn read_phrase(
    lua: &Lua,
    host: &Host,
    (kind, subject, prefixes): (String, String, Option<bool>),
) -> mlua::Result<(Returned, Returned)> {
    host.charge(READ * subject.len() as u64)?;
    let rules = rules_declaring(host, &kind)?;
    with_names(lua, host, &rules, |names| {
        let mut context = name_context(names, prefixes);
        match rules.grammar.read(&kind, &subject, &mut context) {
            Ok(parse) => Ok((Returned(parse_value(&parse)), Returned(Value::Nil))),
            Err(miss) => Ok((Returned(Value::Nil), Returned(miss_value(&miss, &subject)))),
        }
    })
}

fn scan_text(
    lua: &Lua,
    host: &Host,
    (kind, subject, prefixes): (String, String, Option<bool>),
) -> mlua::Result<Returned> {
    host.charge(SCANNED * subject.len() as u64)?;
    let rules = rules_declaring(host, &kind)?;
    with_names(lua, host, &rules, |names| {
        let mut context = name_context(names, prefixes);
        match rules.grammar.scan(&kind, &subject, &mut context) {
            Ok(scan) => {
                let items = Value::list(scan.items.iter().map(parse_value));
                let missed = scan.misses.iter().map(|miss| miss_value(miss, &subject));
                let leftovers = scan
                    .leftovers
                    .iter()
                    .map(|left| Value::from(left.text.as_str()));
                Ok(Returned(Value::map([
                    ("items", items),
                    ("leftovers", Value::list(leftovers)),
                    ("misses", Value::list(missed)),
                ])))
            }
            Err(miss) => Err(HostError::error_of_finding(miss_finding(&miss, &subject))),
        }
    })
}

/// Values that `phrase.fields` returns: id, line, slots, reason.
type Lean = (Option<LuaString>, Option<usize>, Option<Table>, mlua::Value);

fn read_phrase_fields(
    lua: &Lua,
    host: &Host,
    (kind, subject): (String, String),
) -> mlua::Result<Lean> {
    let (rules, read) = read_slots_of_text(lua, host, (&kind, &subject))?;
    let found = match read {
        Ok(found) => found,
        Err(miss) => {
            return Ok((
                None,
                None,
                None,
                to_lua(&miss_fields(&miss, &subject), lua)?,
            ));
        }
    };
    let grammar = &rules.grammar;
    let template = grammar
        .template_id(&found)
        .and_then(definition_and_line_of_template);
    without_memory_limit(lua, || {
        let id = template.map(|(id, _)| lua.create_string(id)).transpose()?;
        let slots = grammar.filled_slots(&found);
        let table = lua.create_table_with_capacity(0, slots.len())?;
        for (name, span) in slots {
            table.raw_set(name, &subject[span.start..span.end])?;
        }
        Ok((
            id,
            template.map(|(_, line)| line),
            Some(table),
            mlua::Value::Nil,
        ))
    })
}

/// Reads a line as `read_phrase` does, and puts its canonical form into the result.
fn read_line_with_canonical_text(
    lua: &Lua,
    host: &Host,
    (kind, subject): (String, String),
) -> mlua::Result<Option<Returned>> {
    host.charge(READ * subject.len() as u64)?;
    let rules = rules_declaring(host, &kind)?;
    with_names(lua, host, &rules, |names| {
        let read = rules
            .grammar
            .read(&kind, &subject, &mut name_context(names, None));
        let made = read.ok().map(|parse| {
            let written = Parse {
                text: rules.grammar.canonical_text(&parse),
                ..parse
            };
            Returned(parse_value(&written))
        });
        Ok(made)
    })
}

/// Writes a text again in its canonical form. Returns nothing if the text cannot be read.
fn canonical_text(
    lua: &Lua,
    host: &Host,
    (kind, subject): (String, String),
) -> mlua::Result<Option<String>> {
    host.charge(2 * READ * subject.len() as u64)?;
    let rules = rules_declaring(host, &kind)?;
    with_names(lua, host, &rules, |names| {
        let read = rules
            .grammar
            .read(&kind, &subject, &mut name_context(names, None));
        Ok(read.ok().map(|parse| rules.grammar.canonical_text(&parse)))
    })
}

/// Returns the reason why a text is not a phrase. The place is counted in bytes, as in scripts.
fn miss_fields(miss: &Miss, subject: &str) -> Value {
    let finding = &miss.finding;
    let hint = finding
        .hints
        .first()
        .map(|hint| ("hint", Value::from(hint.as_str())));
    let found = subject.get(finding.span.start..finding.span.end);
    let found = found.filter(|found| !found.is_empty());
    let fields = [
        ("code", Value::from(finding.code)),
        ("message", Value::from(finding.message.as_str())),
        ("from", Value::from(finding.span.start as i64 + 1)),
        ("to", Value::from(finding.span.end as i64)),
        (
            "expected",
            Value::list(miss.expected.iter().map(expected_word_value)),
        ),
        ("near", texts_value(&miss.near)),
        (
            "came",
            Value::list(miss.came.iter().take(CAME).map(found_word_value)),
        ),
    ];
    let found = found.map(|found| ("found", Value::from(found)));
    Value::map(fields.into_iter().chain(hint).chain(found))
}

/// Most templates in a report to a script, each with the length that it matched.
const CAME: usize = 8;

fn texts_value(texts: &[String]) -> Value {
    Value::list(texts.iter().map(|text| text.as_str().into()))
}

fn expected_word_value(want: &Want) -> Value {
    let (kind, more) = match want {
        Want::Word(word) => ("word", vec![("text", word)]),
        Want::Type { name, noun } => ("type", vec![("type", name), ("text", noun)]),
        Want::End => ("end", Vec::new()),
    };
    let more = more
        .into_iter()
        .map(|(key, text)| (key, text.as_str().into()));
    Value::map([("kind", kind.into())].into_iter().chain(more))
}

fn found_word_value(one: &Came) -> Value {
    let id = definition_and_line_of_template(&one.form.id).map_or(&*one.form.id, |(id, _)| id);
    Value::map([
        ("definition", Value::from(id)),
        ("template", Value::from(one.form.syntax.as_str())),
        ("to", Value::from(one.to as i64)),
        ("words", Value::from(one.words as i64)),
    ])
}

fn slot_places(
    lua: &Lua,
    host: &Host,
    (kind, subject): (String, String),
) -> mlua::Result<Option<Table>> {
    let (rules, read) = read_slots_of_text(lua, host, (&kind, &subject))?;
    let Ok(fields) = read else { return Ok(None) };
    let slots = rules.grammar.filled_slots(&fields);
    let slots = slots.map(|(name, span)| (name, span.start + 1));
    Ok(Some(lua.create_table_from(slots)?))
}

/// Returns the possible continuations after a text. Places are counted in bytes, as in scripts.
fn possible_continuations(
    lua: &Lua,
    host: &Host,
    (kind, subject): (String, String),
) -> mlua::Result<Returned> {
    host.charge(SCANNED * subject.len() as u64)?;
    let rules = rules_declaring(host, &kind)?;
    with_names(lua, host, &rules, |names| {
        let mut context = Context::new("phrase").with_names(names);
        let expected = rules.grammar.expected_after(&kind, &subject, &mut context);
        let expected = expected.into_iter().map(|one| {
            let kind = match one.kind {
                ExpectedKind::Word => "word",
                ExpectedKind::Name => "name",
                ExpectedKind::Type => "type",
            };
            let fields = [
                ("kind", Value::from(kind)),
                ("text", Value::from(one.text.as_str())),
                ("from", Value::from(one.start as i64 + 1)),
            ];
            let more = [("type", one.type_name), ("slot", one.slot)];
            let more = more.into_iter().filter_map(|(key, text)| {
                let text = text?;
                Some((key, Value::from(text.as_str())))
            });
            Value::map(fields.into_iter().chain(more))
        });
        Ok(Returned(Value::list(expected)))
    })
}

/// The fields that were read, and the rules with the grammar of their slots.
type WithRules = (Rc<Rules>, Result<Fields, Box<Miss>>);

/// Reads the slots of a text.
fn read_slots_of_text(
    lua: &Lua,
    host: &Host,
    (kind, subject): (&str, &str),
) -> mlua::Result<WithRules> {
    with_type(lua, host, (kind, subject), |grammar, ty, context| {
        grammar.read_slot_spans(ty, subject, context)
    })
}

/// Returns whether a whole text is a phrase of a type.
fn is_phrase(lua: &Lua, host: &Host, (kind, subject): (String, String)) -> mlua::Result<bool> {
    let read = with_type(lua, host, (&kind, &subject), |grammar, ty, context| {
        grammar.is_readable(ty, &subject, context)
    });
    read.map(|(_, is_phrase)| is_phrase)
}

/// Calls `read` with the type of a text. Names are looked up only for a slot type with names, and only whole names count.
fn with_type<R>(
    lua: &Lua,
    host: &Host,
    (kind, subject): (&str, &str),
    read: impl FnOnce(&Grammar, SlotType, &mut Context<'_>) -> R,
) -> mlua::Result<(Rc<Rules>, R)> {
    host.charge(READ * subject.len() as u64)?;
    let rules = Rc::clone(&host.rules.borrow());
    let Some(ty) = rules.grammar.slot_type(kind) else {
        return Err(undeclared_type_error(&rules.grammar, kind));
    };
    let read = |context: Context<'_>| read(&rules.grammar, ty, &mut context.whole_names_only());
    let read = if rules.grammar.has_names(ty) {
        with_names(lua, host, &rules, |names| {
            Ok(read(Context::new("phrase").with_names(names)))
        })?
    } else {
        read(Context::new("phrase"))
    };
    Ok((rules, read))
}

/// Returns the context of names: only whole names count, unless the script also allows their beginnings.
fn name_context<'a>(names: &'a GameNames<'a>, prefixes: Option<bool>) -> Context<'a> {
    let context = Context::new("phrase").with_names(names);
    if prefixes == Some(true) {
        context
    } else {
        context.whole_names_only()
    }
}

fn rules_declaring(host: &Host, kind: &str) -> mlua::Result<Rc<Rules>> {
    let rules = Rc::clone(&host.rules.borrow());
    if rules.grammar.has_type(kind) {
        return Ok(rules);
    }
    Err(undeclared_type_error(&rules.grammar, kind))
}

pub(super) fn undeclared_type_error(grammar: &Grammar, kind: &str) -> mlua::Error {
    let message = format!("unknown slot type \"{kind}\"");
    let near = near_hint(kind, grammar.type_names());
    HostError::error_of_finding(Diagnostic::error("script/argument", message).hint(near))
}

/// Calls `body` with the names of the running ruling. Outside of a ruling, only the names of definitions exist.
///
/// Errors: a function of the ruleset that returns names failed.
fn with_names<R>(
    lua: &Lua,
    host: &Host,
    rules: &Rc<Rules>,
    body: impl FnOnce(&GameNames<'_>) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let (state, by) = match &*host.running_ruling() {
        Some(run) => (run.state.fork(), run.by.clone()),
        None => (State::new(Rc::<Names>::clone(&host.names)), GM.to_owned()),
    };
    let failed: RefCell<Option<mlua::Error>> = RefCell::default();
    let found = |name: &str| {
        ask_ruleset_names(lua, host, rules, name).unwrap_or_else(|error| {
            failed.borrow_mut().get_or_insert(error);
            NameTable::default()
        })
    };
    let reader = || {
        viewer_of_person(host, &by).unwrap_or_else(|error| {
            failed.borrow_mut().get_or_insert(error);
            Viewer::Public
        })
    };
    // A limit that is passed here ends the script at its next safe point.
    let charge = |fuel: u64| {
        let _ = host.meter.charge(fuel);
    };
    let result = body(&GameNames::new(rules, &state, reader, found, charge));
    failed.into_inner().map_or(result, Err)
}

fn miss_finding(miss: &Miss, subject: &str) -> Diagnostic {
    miss.to_diagnostic(&Source::new("phrase", subject), 0)
}

fn miss_value(miss: &Miss, subject: &str) -> Value {
    let finding = miss_finding(miss, subject);
    let hint = finding
        .hints
        .first()
        .map_or(Value::Nil, |hint| Value::from(hint.as_str()));
    Value::map([
        ("code", Value::from(&*finding.code)),
        ("message", finding.message.into()),
        ("hint", hint),
    ])
}
