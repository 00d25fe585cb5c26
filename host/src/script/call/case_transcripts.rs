//! Asks the ruleset's `cases` for the transcript of the cases in a file of another form.

use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::api::diagnostic_of_refusal;
use crate::script::border::named_file::NamedFile;
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::to_lua;
use crate::script::engine::Engine;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::store::State;

/// The key of `ruleset.luau`.
const CASES: &str = "cases";

/// Asks the ruleset for the transcript of a file: `cases(act, file)`.
///
/// Errors: it refuses the file, fails, or returns a value other than a text.
pub fn transcript_of_case_file(
    engine: &Engine,
    state: &State,
    file: Rc<NamedFile>,
) -> Result<String, Diagnostic> {
    let Some(cases) = cases_function(engine) else {
        let finding = Diagnostic::error("test/no-cases", "this ruleset has no function `cases`");
        let hint = "write in ruleset.luau: cases = function(act, file) … end";
        return Err(finding.hint(hint));
    };
    let given = file.value_for_scripts().clone();
    let run = Run {
        files: vec![file],
        ..Run::read_only(state.fork(), &engine.rules().ruleset_id)
    };
    let (_, transcript) = engine.with_act(run, |act| {
        let file = to_lua(&given, &engine.lua)?;
        match engine.call_script_function(&cases, (act, file))? {
            LuaValue::String(text) => Ok(text.to_string_lossy()),
            LuaValue::Table(made) if made.raw_get::<Option<bool>>("ok")? == Some(false) => {
                Err(HostError::error_of_finding(diagnostic_of_refusal(&made)))
            }
            other => Err(unexpected_cases_error(&type_in_words(other.type_name()))),
        }
    });
    transcript
}

fn cases_function(engine: &Engine) -> Option<Function> {
    let rules = engine.rules();
    let table: &Table = rules.ruleset_table.as_ref()?;
    table.raw_get(CASES).ok()
}

fn unexpected_cases_error(found: &str) -> mlua::Error {
    let message = format!("`cases` of the ruleset returns {found}");
    let finding = Diagnostic::error("script/cases", message);
    HostError::error_of_finding(finding.hint("return the text of a transcript, or act:fail(…)"))
}
