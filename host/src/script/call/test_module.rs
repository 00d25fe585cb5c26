//! Runs the tests of modules: files `name.test.luau` that return a table of functions keyed by a sentence.

use std::sync::Arc;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::{Diagnostic, Source};
use crate::script::border::type_in_words;
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;

/// Runs a test file of a mod and returns its sentences in order. `path` is its place in the mod.
///
/// Errors: the file cannot run, or it returns another value.
pub fn test_sentences(
    engine: &Engine,
    run: Run,
    (mod_name, path): (&str, &str),
    source: &Arc<Source>,
) -> (Run, Result<Vec<String>, Diagnostic>) {
    let (run, result) = engine.with_act(run, |_| {
        let mut sentences = Vec::new();
        let table = fresh_test_table(engine, mod_name, path, source)?;
        table.for_each(|key: String, value: LuaValue| match value {
            LuaValue::Function(_) => {
                sentences.push(key);
                Ok(())
            }
            other => Err(no_test_function_error(
                &key,
                &type_in_words(other.type_name()),
            )),
        })?;
        sentences.sort();
        Ok(sentences)
    });
    (
        run,
        result.map_err(|finding| place_in_test_file(finding, source)),
    )
}

/// Runs one test of a file: `f(act)`. A test that fails is an error.
pub fn run_test(
    engine: &Engine,
    run: Run,
    (mod_name, path): (&str, &str),
    source: &Arc<Source>,
    sentence: &str,
) -> (Run, Result<(), Diagnostic>) {
    let (run, result) = engine.with_act(run, |act| {
        // A test may take as long as a command, because it may read whole books.
        engine.host.meter.add_command_fuel(1);
        let table = fresh_test_table(engine, mod_name, path, source)?;
        let test: Function = table.raw_get(sentence)?;
        engine.call_script_function::<()>(&test, act)
    });
    (
        run,
        result.map_err(|finding| place_in_test_file(finding, source)),
    )
}

/// Runs the file again, so that no test sees the changes of another one.
fn fresh_test_table(
    engine: &Engine,
    mod_name: &str,
    path: &str,
    source: &Arc<Source>,
) -> mlua::Result<Table> {
    let modules = engine.modules.borrow().clone();
    let modules = modules.expect("invariant: a machine keeps the modules that it loaded");
    let chunk = format!("{mod_name}/{path}");
    match modules.run_source(&engine.lua, &chunk, source) {
        Ok(LuaValue::Table(table)) => Ok(table),
        Ok(other) => Err(no_test_table_error(&type_in_words(other.type_name()))),
        Err(finding) => Err(HostError::error_of_finding(finding)),
    }
}

fn no_test_table_error(found: &str) -> mlua::Error {
    let message = format!("the file returns {found} instead of its tests");
    let hint = "end it with: return { [\"what holds\"] = function(act) … end }";
    HostError::error_of_finding(Diagnostic::error("script/no-tests", message).hint(hint))
}

fn no_test_function_error(sentence: &str, found: &str) -> mlua::Error {
    let message = format!("the test \"{sentence}\" is {found}");
    let hint = "write a function that raises an error if the test fails: assert(…)";
    HostError::error_of_finding(Diagnostic::error("script/no-tests", message).hint(hint))
}

/// Points a finding without a place to the line of the test file in its trace, otherwise to the first line.
fn place_in_test_file(finding: Diagnostic, source: &Arc<Source>) -> Diagnostic {
    if finding.place.is_some() {
        return finding;
    }
    let line = finding.trace.iter().find_map(|frame| {
        let (chunk, rest) = frame.split_once(".test.luau:")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        source
            .name()
            .ends_with(&format!("{chunk}.test.luau"))
            .then(|| digits.parse().ok())?
    });
    let span = source.line_span(line.unwrap_or(1));
    finding.at(source, span)
}
