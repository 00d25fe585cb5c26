//! Polls: the table `poll`. Its Luau code works on records that the host keeps.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLuaMulti, Lua, Table};

use super::Library;
use super::act::{
    HOOKS, add_host_record, check_visible_to, clock_of_run, host_records_of_kind,
    row_arguments::{read_charged_fields, store_refusal},
};
use super::library::argument_check_function;
use crate::diag::Diagnostic;
use crate::doc::{Audience, may_see};
use crate::script::border::stack_value::{Argument, NameArgument, This};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::audiences::read_existing_audience;
use crate::script::inquiry::viewers::viewer_of_audience;
use crate::script::run::deadline;
use crate::store::Write;
use crate::value::Value;

/// The row that owns every poll, and its kind.
const POLLS: &str = "@polls";
/// The kind of the records.
const POLL: &str = "poll";

const OPEN: &str = include_str!("poll_fields.luau");
const COUNT: &str = include_str!("poll_count.luau");
const SHOW: &str = include_str!("poll_blocks.luau");
const TERMS: &str = include_str!("poll.luau");

/// Returns the table `poll`.
pub(super) fn poll_table(lua: &Lua, host: &Rc<Host>, globals: &Table) -> mlua::Result<Table> {
    let given = Library::new(lua, host, "polls")?
        .add("keep", store_new_poll)?
        .add("rows", poll_ids)?
        .add("refuse", raise_refusal)?
        .add("undated", remove_deadline)?
        .add("sees", is_poll_visible)?
        .add("due", check_deadline)?
        .add("stats", declared_stats)?
        .into_table();
    given.raw_set("hooks", lua.named_registry_value::<Table>(HOOKS)?)?;
    given.raw_set("check", argument_check_function(lua, host, "poll")?)?;
    let refuse: Function = given.raw_get("refuse")?;
    let chunks = Chunks { lua, host, globals };
    let count: Table = chunks.run_chunk("poll_count", COUNT, &refuse)?;
    let due: Function = given.raw_get("due")?;
    let stats: Function = given.raw_get("stats")?;
    let read: Function = chunks.run_chunk("poll_fields", OPEN, (&refuse, due, stats, &count))?;
    let show: Function = chunks.run_chunk("poll_blocks", SHOW, &count)?;
    chunks.run_chunk("poll", TERMS, (given, count, read, show))
}

/// Runs the parts of the API that are written in Luau, with access to the globals of scripts.
pub(super) struct Chunks<'a> {
    pub(super) lua: &'a Lua,
    pub(super) host: &'a Host,
    pub(super) globals: &'a Table,
}

impl Chunks<'_> {
    pub(super) fn run_chunk<R: mlua::FromLuaMulti>(
        &self,
        name: &str,
        text: &str,
        given: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        self.lua
            .load(&self.host.compiled_bytecode(text)?[..])
            .set_mode(ChunkMode::Binary)
            .set_name(format!("=host/{name}.luau"))
            .set_environment(self.globals.clone())
            .call(given)
    }
}

/// Keeps a new poll and returns its id.
fn store_new_poll(
    _: &Lua,
    host: &Host,
    (act, fields, deadline, seen): (This, Argument, Option<Argument>, Option<Argument>),
) -> mlua::Result<String> {
    let seen = seen.map_or(Value::Nil, |seen| seen.0);
    check_visible_to(host, &seen)?;
    let mut run = host.ruling_to_change(act)?;
    let mut fields = read_charged_fields(host, Some(fields))?;
    let deadline = deadline.map_or(Value::Nil, |deadline| deadline.0);
    if !deadline.is_nil() {
        fields.push((run.state.reserved().deadline, deadline));
    }
    if !seen.is_nil() {
        fields.push((run.state.reserved().seen, seen));
    }
    let kind = host.names.intern(POLL);
    let row = add_host_record(host, &mut run, (POLLS, kind), fields)?;
    Ok(host.names.text(row).to_string())
}

/// Returns the ids of all polls, in the order in which they were opened.
fn poll_ids(_: &Lua, host: &Host, act: This) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    let kind = host.names.intern(POLL);
    let rows = host_records_of_kind(&run, POLLS, kind);
    Ok(rows
        .into_iter()
        .map(|row| host.names.text(row).to_string())
        .collect())
}

/// Returns whether an audience may see a poll. The row that owns polls belongs to the host, so no row answers this.
fn is_poll_visible(
    _: &Lua,
    host: &Host,
    (act, row, who): (This, NameArgument, String),
) -> mlua::Result<bool> {
    let viewer = viewer_of_audience(host, read_existing_audience(host, &who)?)?;
    let run = host.ruling(act)?;
    let Ok(row) = host.existing_name(&row) else {
        return Ok(false);
    };
    let seen = run.state.get(row, run.state.reserved().seen).as_str();
    let audience = seen.map_or(Ok(Audience::Public), Audience::parse);
    Ok(may_see(
        &viewer,
        &audience.map_err(HostError::error_of_finding)?,
    ))
}

/// Removes the deadline of a poll.
fn remove_deadline(_: &Lua, host: &Host, (act, row): (This, NameArgument)) -> mlua::Result<()> {
    let mut run = host.ruling_to_change(act)?;
    let row = host.new_name(&row)?;
    let field = run.state.reserved().deadline;
    if run.state.get(row, field).is_nil() {
        return Ok(());
    }
    let value = Value::Nil;
    let write = Write::Set { row, field, value };
    run.state.apply(write).map_err(store_refusal)
}

/// Checks the deadline of a poll that opens. Errors: it is not a future second.
fn check_deadline(
    _: &Lua,
    host: &Host,
    (act, key, second): (This, String, Option<Argument>),
) -> mlua::Result<()> {
    let now = clock_of_run(host, &*host.ruling(act)?).time;
    let second = second.map_or(Value::Nil, |second| second.0);
    let checked = deadline::check_deadline(&format!("the poll \"{key}\""), &second, now);
    checked.map_err(HostError::error_of_finding)
}

/// Returns the stats that the ruleset declares, in order.
fn declared_stats(_: &Lua, host: &Host, act: This) -> mlua::Result<Vec<String>> {
    let _ = host.ruling(act)?;
    let rules = Rc::clone(&host.rules.borrow());
    Ok(rules.stat_summaries.keys().cloned().collect())
}

fn raise_refusal(
    _: &Lua,
    _: &Host,
    (code, message, hint): (String, String, Option<String>),
) -> mlua::Result<()> {
    let finding = Diagnostic::error(code, message).hint(hint.unwrap_or_default());
    Err(HostError::error_of_finding(finding))
}
