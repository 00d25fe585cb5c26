//! Asks a command for suggestions in a place that accepts any text.

use mlua::{FromLua, Function};

use crate::diag::Diagnostic;
use crate::script::border::argument_values::Texts;
use crate::script::border::value_conversion;
use crate::script::engine::Engine;
use crate::script::run::Run;
use crate::store::State;
use crate::value::Value;

/// The function of a definition that returns suggestions.
const OFFERS: &str = "offers";

/// Returns the result of `offers(act, args)` of a definition for a person, in its order. Returns nothing if the
/// definition has no such function. The function may only look. It returns a list of texts, or `{ behind, words }`:
/// words that each follow the same text.
///
/// Errors: the function fails, or returns another value.
pub fn offered_words(
    engine: &Engine,
    state: &State,
    by: &str,
    (collection, id): (&str, &str),
    args: &Value,
) -> Result<Vec<String>, Diagnostic> {
    let rules = engine.rules();
    let key = (collection.to_owned(), id.to_owned());
    let table = rules.tables.get(&key);
    let Some(offers) = table.and_then(|table| table.raw_get::<Function>(OFFERS).ok()) else {
        return Ok(Vec::new());
    };
    let run = Run {
        by: by.to_owned(),
        ..Run::read_only(state.fork(), &rules.ruleset_id)
    };
    let (_, offered) = engine.with_act(run, |act| {
        let args = value_conversion::to_lua(args, &engine.lua)?;
        let found: mlua::Value = engine.call_script_function(&offers, (act, args))?;
        let behind: Option<String> = match &found {
            mlua::Value::Table(table) => table.raw_get("behind")?,
            _ => None,
        };
        let Some(behind) = behind else {
            return Ok(Texts::from_lua(found, &engine.lua)?.0);
        };
        let words = found.as_table().map(|table| table.raw_get("words"));
        let words: Texts = words.unwrap_or_else(|| Ok(Texts(Vec::new())))?;
        Ok(words
            .0
            .iter()
            .map(|word| format!("{behind}{word}"))
            .collect())
    });
    offered
}
