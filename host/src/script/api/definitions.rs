//! Definitions of the ruleset for scripts, read-only.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table};

use super::Library;
use super::path_arguments::{charged_keys, read_path_argument};
use crate::diag::{Diagnostic, near_hint};
use crate::script::border::key_path::keys_at_path_in_tree;
use crate::script::border::stack_value::{Argument, Returned};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::host::sandbox::constant_globals;
use crate::script::rules::Rules;
use crate::script::rules::faulty_text::FaultyText;

/// The function that finds definitions without the host, if they are known.
const FRAME: &str = include_str!("definitions.luau");

/// Returns the table `definitions`.
pub(super) fn definitions_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let table = Library::new(lua, host, "definitions")?
        .add("list", definition_ids)?
        .add("all", all_definitions)?
        .add("keys", definition_keys)?
        .add("faulty", faulty_texts)?
        .add("stats", stat_names)?
        .into_table();
    // The calls of the host have the name of the function, because messages about arguments show that name.
    let asked = Library::new(lua, host, "definitions")?
        .add("get", get_definition)?
        .into_table();
    let (given, known) = (lua.create_table()?, lua.create_table()?);
    given.raw_set("find", asked.raw_get::<Function>("get")?)?;
    given.raw_set("known", &known)?;
    host.set_known_definitions(known);
    let frame: Table = lua
        .load(&host.compiled_bytecode(FRAME)?[..])
        .set_mode(ChunkMode::Binary)
        .set_name("=host/definitions.luau")
        .set_environment(constant_globals(lua, &[])?)
        .call(given)?;
    table.raw_set("get", frame.raw_get::<Function>("get")?)?;
    Ok(table)
}

/// Returns the names of the declared stats, in order.
fn stat_names(_: &Lua, host: &Host, (): ()) -> mlua::Result<Vec<String>> {
    let rules = Rc::clone(&host.rules.borrow());
    let names: Vec<String> = rules.stat_summaries.keys().cloned().collect();
    host.charge(12 * names.len() as u64)?;
    Ok(names)
}

fn get_definition(
    _: &Lua,
    host: &Host,
    (collection, id): (String, String),
) -> mlua::Result<Option<Table>> {
    let rules = rules_with_collection(host, &collection)?;
    Ok(rules.tables.get(&(collection, id)).cloned())
}

fn definition_ids(_: &Lua, host: &Host, collection: String) -> mlua::Result<Vec<String>> {
    let rules = rules_with_collection(host, &collection)?;
    let ids: Vec<String> = rules
        .registry
        .of_collection(&collection)
        .map(|one| one.id.to_string())
        .collect();
    host.charge(12 * ids.len() as u64)?;
    Ok(ids)
}

fn all_definitions(lua: &Lua, host: &Host, collection: String) -> mlua::Result<Table> {
    let rules = rules_with_collection(host, &collection)?;
    if let Some(list) = rules.lists.borrow().get(&collection) {
        host.charge(list.raw_len() as u64 / 16)?;
        return Ok(list.clone());
    }
    host.charge(rules.registry.of_collection(&collection).count() as u64 / 16)?;
    let tables = rules
        .registry
        .of_collection(&collection)
        .filter_map(|one| rules.tables.get(&(collection.clone(), one.id.to_string())));
    let list = lua.create_sequence_from(tables)?;
    list.set_readonly(true);
    rules.lists.borrow_mut().insert(collection, list.clone());
    Ok(list)
}

fn definition_keys(
    _: &Lua,
    host: &Host,
    (collection, id, path): (String, String, Option<Argument>),
) -> mlua::Result<Option<Returned>> {
    let rules = rules_with_collection(host, &collection)?;
    let path = read_path_argument("definitions.keys", path)?;
    let Some(tree) = rules.trees.get(&(collection, id)) else {
        return Ok(None);
    };
    charged_keys(host, keys_at_path_in_tree(tree, &path))
}

fn faulty_texts(lua: &Lua, host: &Host, collection: String) -> mlua::Result<Vec<Table>> {
    let rules = rules_with_collection(host, &collection)?;
    let mut own: Vec<&FaultyText> = rules
        .faulty
        .iter()
        .filter(|one| *one.definition.collection == *collection)
        .collect();
    own.sort_by(|one, other| one.definition.id.cmp(&other.definition.id));
    let findings: usize = own.iter().map(|one| one.findings.len()).sum();
    host.charge(12 * (own.len() + findings) as u64)?;
    own.into_iter().map(|one| faulty_table(lua, one)).collect()
}

/// Returns a text with errors in the form for scripts.
fn faulty_table(lua: &Lua, text: &FaultyText) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("id", &*text.definition.id)?;
    table.raw_set("definition", &text.table)?;
    let findings = text.findings.iter().map(|one| finding_table(lua, one));
    let findings: Vec<Table> = findings.collect::<mlua::Result<_>>()?;
    table.raw_set("findings", findings)?;
    Ok(table)
}

fn finding_table(lua: &Lua, finding: &Diagnostic) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("code", &*finding.code)?;
    table.raw_set("severity", finding.severity.as_str())?;
    table.raw_set("message", finding.message.as_str())?;
    table.raw_set("hints", finding.hints.as_slice())?;
    if let Some(place) = &finding.place {
        let at = place.source.position(place.span.start);
        table.raw_set("line", at.line)?;
        table.raw_set("column", at.column)?;
    }
    Ok(table)
}

/// Returns the rules if a schema names the collection.
fn rules_with_collection(host: &Host, collection: &str) -> mlua::Result<Rc<Rules>> {
    let rules = Rc::clone(&host.rules.borrow());
    if rules.schemas.contains_key(collection) {
        return Ok(rules);
    }
    let finding = Diagnostic::error(
        "script/argument",
        format!("unknown collection \"{collection}\": no schema declares it"),
    )
    .hint(near_hint(
        collection,
        rules.schemas.keys().map(String::as_str),
    ))
    .hint("definitions cannot be read while files load: read them in functions that run later");
    Err(HostError::error_of_finding(finding))
}

/// Returns the definitions of a collection with their ids. Errors: no schema names it.
pub(super) fn definitions_of_collection(
    host: &Host,
    collection: &str,
) -> mlua::Result<Vec<(String, Table)>> {
    let rules = rules_with_collection(host, collection)?;
    let ids = rules
        .registry
        .of_collection(collection)
        .map(|one| one.id.to_string());
    let table = |id: String| {
        let table = rules.tables.get(&(collection.to_owned(), id.clone()))?;
        Some((id, table.clone()))
    };
    Ok(ids.filter_map(table).collect())
}
