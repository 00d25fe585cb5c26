//! Asks the rules for posts: the templates of a ruleset, and the polls of any ruleset, for one reader.

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::doc::Audience;
use crate::script::api::diagnostic_of_refusal;
use crate::script::border::GM;
use crate::script::border::value_conversion::document_from_lua;
use crate::script::declare::template_owner::POST_TEMPLATES;
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::store::State;
use crate::value::Value;

/// The function of a template.
const WRITE: &str = "write";
/// The person that the rules see for a reader who is not a seat.
const PUBLIC: &str = "public";

/// Returns whether the ruleset has a template of this id.
pub fn has_post_template(engine: &Engine, id: &str) -> bool {
    engine.rules().registry.get(POST_TEMPLATES, id).is_some()
}

/// Returns what `write(act, reader)` of a template returns for a reader: a document, nothing if there is nothing to
/// write, or the refusal of `act:fail`.
///
/// Errors: the function fails, or returns no data.
pub fn written_post(
    engine: &Engine,
    state: &State,
    id: &str,
    reader: &Audience,
) -> Result<Result<Value, Diagnostic>, Diagnostic> {
    let rules = engine.rules();
    let key = (POST_TEMPLATES.to_owned(), id.to_owned());
    let table = rules.tables.get(&key);
    let Some(write) = table.and_then(|table| table.raw_get::<Function>(WRITE).ok()) else {
        return Ok(Ok(Value::Nil));
    };
    let (_, made) = engine.with_act(run_for_reader(engine, state, reader), |act| {
        let made: LuaValue = engine.call_script_function(&write, (act, reader.to_string()))?;
        match refusal_in_result(&made)? {
            Some(refusal) => Ok(Err(refusal)),
            None => read_document(engine, made, id).map(Ok),
        }
    });
    made.map_err(|finding| finding.hint(format!("this is about the post `{id}` of the ruleset")))
}

/// Returns the open polls as a reader may see them, or the last closed one if no poll is open.
///
/// Errors: the polls cannot be read.
pub fn poll_post_documents(
    engine: &Engine,
    state: &State,
    reader: &Audience,
) -> Result<Vec<Value>, Diagnostic> {
    let who = reader.to_string();
    let (_, made) = engine.with_act(run_for_reader(engine, state, reader), |act| {
        let poll: Table = engine.globals.raw_get("poll")?;
        let list: Function = poll.raw_get("list")?;
        let show: Function = poll.raw_get("show")?;
        let polls = |open: Option<bool>| -> mlua::Result<Vec<String>> {
            let options = engine.lua.create_table()?;
            options.raw_set("open", open)?;
            options.raw_set("who", who.as_str())?;
            engine.call_script_function(&list, (act, options))
        };
        let open = polls(Some(true))?;
        let shown = match open.is_empty() {
            true => polls(None)?.pop().into_iter().collect(),
            false => open,
        };
        let documents = shown.into_iter().map(|id| {
            let options = engine.lua.create_table()?;
            options.raw_set("audience", who.as_str())?;
            let made = engine.call_script_function(&show, (act, id.as_str(), options))?;
            read_document(engine, made, &id)
        });
        documents.collect()
    });
    made
}

/// Returns the refusal that `act:fail` made, if the result is one.
fn refusal_in_result(made: &LuaValue) -> mlua::Result<Option<Diagnostic>> {
    let LuaValue::Table(table) = made else {
        return Ok(None);
    };
    let is_refusal = table.raw_get::<LuaValue>("ok")?.as_boolean() == Some(false);
    Ok(is_refusal.then(|| diagnostic_of_refusal(table)))
}

/// Returns a run in which the rules see a reader as the person who asks. Members of a group share no person: the rules
/// see somebody from the public.
fn run_for_reader(engine: &Engine, state: &State, reader: &Audience) -> Run {
    let by = match reader {
        Audience::Gm => GM,
        Audience::Seat(name) => name.as_str(),
        Audience::Public | Audience::Group(_) => PUBLIC,
    };
    Run {
        by: by.to_owned(),
        ..Run::read_only(state.fork(), &engine.rules().ruleset_id)
    }
}

fn read_document(engine: &Engine, made: LuaValue, of: &str) -> mlua::Result<Value> {
    let (made, work) = document_from_lua(made);
    engine.host.charge(work)?;
    made.map_err(|why| {
        let message = format!("the post `{of}` is not a document: {why}");
        HostError::error_of_finding(Diagnostic::error("script/post", message))
    })
}
