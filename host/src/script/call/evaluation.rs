//! Evaluates Luau that people type: an expression, or a chunk of statements.

use std::sync::Arc;

use mlua::Table;

use crate::diag::{Diagnostic, Source, Span};
use crate::script::border::printed_lines::value_as_printed;
use crate::script::border::value_conversion;
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::script::source::script_compiler::script_compiler;
use crate::value::Value;

/// Most bytes of a value that the REPL shows.
pub(crate) const SHOWN: usize = 64 << 10;

/// The name of the text that [`evaluate`] runs, in the places of its findings.
pub const EVALUATED: &str = "evaluated";

/// Words that begin a statement. Other texts may be expressions.
const STATEMENTS: [&str; 8] = [
    "local", "if", "for", "while", "repeat", "do", "return", "type",
];

/// The result of an evaluated text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// All its values as the REPL shows them.
    pub shown: String,
    /// The first value, or its shown text if the value is not plain data.
    pub value: Value,
}

/// Runs an expression or a chunk of Luau with `act`, and returns the result. In the text, `_` is `last`.
///
/// The caller takes the state back afterwards. Errors: as [`run_command`](crate::script::run_command), and syntax
/// errors.
pub fn evaluate_typed_luau(
    engine: &Engine,
    run: Run,
    text: &str,
    last: &Value,
) -> (Run, Result<Option<Evaluated>, Diagnostic>) {
    let source = Source::new(EVALUATED, text);
    let mut sources = engine.rules().sources.clone();
    sources.insert(EVALUATED.to_owned(), Arc::clone(&source));
    let (run, result) = engine.with_act_and_sources(run, &sources, |act| {
        evaluate_with_act(engine, act, text, last)
    });
    // A limit that is passed in the text itself leaves no frame of a file.
    let placed = |finding: Diagnostic| match finding.place {
        Some(_) => finding,
        None => finding.at(&source, Span::new(0, text.len())),
    };
    (run, result.map_err(placed))
}

fn evaluate_with_act(
    engine: &Engine,
    act: &Table,
    text: &str,
    last: &Value,
) -> mlua::Result<Option<Evaluated>> {
    let environment = engine.lua.create_table()?;
    environment.set("act", act)?;
    environment.set("_", value_conversion::to_lua(last, &engine.lua)?)?;
    let require = engine.lua.create_function(|_, _: mlua::MultiValue| {
        Err::<(), _>(HostError::error_of_finding(Diagnostic::error(
            "script/argument",
            "`require` works only in script files",
        )))
    })?;
    environment.set("require", require)?;
    let above = engine.lua.create_table()?;
    above.set("__index", &engine.globals)?;
    environment.set_metatable(Some(above))?;
    let load = |text: &str| {
        let chunk = engine
            .lua
            .load(text.to_owned())
            .set_name(format!("={EVALUATED}"))
            .set_compiler(script_compiler().clone());
        chunk
            .set_mode(mlua::chunk::ChunkMode::Text)
            .set_environment(environment.clone())
            .into_function()
    };
    let first = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let is_statement = STATEMENTS.contains(&first);
    let chunk = match load(&format!("return {text}")) {
        Err(error) => load(text).map_err(|other| if is_statement { other } else { error })?,
        Ok(chunk) => chunk,
    };
    let values: mlua::MultiValue = engine.call_script_function(&chunk, ())?;
    if values.is_empty() {
        return Ok(None);
    }
    let mut shown = String::new();
    for value in &values {
        shown.push_str(if shown.is_empty() { "" } else { ", " });
        shown.push_str(&value_for_repl(value));
        if shown.len() > SHOWN {
            let message = format!("the value is longer than {} KiB", SHOWN >> 10);
            return Err(HostError::error_of_finding(Diagnostic::error(
                "limit/output",
                message,
            )));
        }
    }
    let first = values.into_iter().next().unwrap_or(mlua::Value::Nil);
    let value = value_conversion::from_lua(first).unwrap_or_else(|_| Value::from(shown.as_str()));
    Ok(Some(Evaluated { shown, value }))
}

/// Returns a value as the REPL shows it: plain data in full, any other value by its type.
fn value_for_repl(value: &mlua::Value) -> String {
    match value {
        mlua::Value::Table(_) => match value_conversion::from_lua(value.clone()) {
            Ok(data) => data.to_string(),
            Err(_) => "table".to_owned(),
        },
        other => value_as_printed(other),
    }
}
