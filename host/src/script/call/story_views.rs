//! Asks the ruleset how a story shows the game: its cast and its board, for one reader.

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::border::value_conversion::document_from_lua;
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::store::State;
use crate::value::Value;

/// The key of the functions in the ruleset.
const STORY: &str = "story";

/// The answers of the ruleset as plain values; nothing where it has no such function.
#[derive(Debug, Default)]
pub struct StoryViews {
    /// A line for each person.
    pub cast: Value,
    /// A document, such as a map.
    pub board: Value,
}

/// Returns the cast and the board in a state for a reader: `public`, `gm`, or the name of a seat.
///
/// Errors: a function fails, or returns no data.
pub fn story_views(engine: &Engine, state: &State, by: &str) -> Result<StoryViews, Diagnostic> {
    Ok(StoryViews {
        cast: story_view(engine, state, by, "cast")?,
        board: story_board(engine, state, by)?,
    })
}

/// Returns the board in a state for a reader; nothing if the ruleset has none. Errors: as [`story_views`].
pub fn story_board(engine: &Engine, state: &State, by: &str) -> Result<Value, Diagnostic> {
    story_view(engine, state, by, "board")
}

fn story_view(engine: &Engine, state: &State, by: &str, key: &str) -> Result<Value, Diagnostic> {
    let Some(function) = story_function(engine, key) else {
        return Ok(Value::Nil);
    };
    let mut run = Run::read_only(state.fork(), &engine.rules().ruleset_id);
    run.by = by.to_owned();
    let (_, made) = engine.with_act(run, |act| {
        let made: LuaValue = engine.call_script_function(&function, act)?;
        let (made, work) = document_from_lua(made);
        engine.host.charge(work)?;
        made.map_err(|why| not_data_error(key, &why.to_string()))
    });
    made.map_err(|finding| finding.hint(format!("this is about `{STORY}.{key}` of the ruleset")))
}

fn story_function(engine: &Engine, key: &str) -> Option<Function> {
    let rules = engine.rules();
    let declared: Table = rules.ruleset_table.as_ref()?.raw_get(STORY).ok()?;
    declared.raw_get(key).ok()
}

fn not_data_error(key: &str, why: &str) -> mlua::Error {
    let message = format!("`{key}` of the ruleset does not return data: {why}");
    HostError::error_of_finding(Diagnostic::error("script/story", message))
}
