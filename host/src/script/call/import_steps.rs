//! Asks the ruleset's `import` for the steps of a file, in order, each with the line that rules on it.
//!
//! In: a file that a person named. Out: steps, and the judgement of each step after its ruling. Both functions may only
//! look. Their results contain data of a stranger, and are read as such.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::api::diagnostic_of_refusal;
use crate::script::border::named_file::NamedFile;
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::{from_lua_with_fuel, to_lua};
use crate::script::engine::Engine;
use crate::script::host::error_findings::{HostError, shorten_error_text};
use crate::script::run::Run;
use crate::store::State;
use crate::value::{Text, Value};

/// The key of `ruleset.luau`.
const IMPORT: &str = "import";
/// Most steps of a file.
pub(crate) const STEPS: usize = 10_000;
/// Most lines, and most findings, of one step.
pub(crate) const OF_STEP: usize = 100;
/// The area of codes without an area.
const AREA: &str = "import";

/// One step of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportStep {
    /// The number of its comment, if it is one of several.
    pub n: Option<i64>,
    /// The seat that wrote the step; nothing for the game master.
    pub by: Option<String>,
    /// The time of the step; unit: seconds of game time.
    pub at: Option<u64>,
    /// The faces of dice, in the form for `dice next`.
    pub dice: Vec<String>,
    /// The line that rules on it.
    pub line: Option<String>,
    /// A short description of the step.
    pub note: String,
    /// Inconsistencies that are found before any ruling.
    pub findings: Vec<ImportFinding>,
    /// The whole step as the ruleset returned it.
    value: Value,
}

/// An inconsistency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFinding {
    /// Its code, `area/name` or `E_…`.
    pub code: String,
    /// Its description.
    pub message: String,
}

/// The judgement of a step after its ruling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportJudged {
    /// Inconsistencies.
    pub findings: Vec<ImportFinding>,
    /// Lines of the game master that correct the outcome of the ruling.
    pub lines: Vec<String>,
}

/// Returns whether the ruleset can import files.
pub fn has_import(engine: &Engine) -> bool {
    import_function(engine, "read").is_some()
}

/// Asks the ruleset for the steps of files: `read(act, file, files)`, with the first file and all of them.
///
/// Errors: it refuses the file, fails, or returns another value; `limit/import` for too many steps.
pub fn import_steps(
    engine: &Engine,
    state: &State,
    files: Vec<Rc<NamedFile>>,
) -> Result<Vec<ImportStep>, Diagnostic> {
    let Some(read) = import_function(engine, "read") else {
        return Ok(Vec::new());
    };
    let given = files.iter().map(|file| file.value_for_scripts().clone());
    let given: Vec<Value> = given.collect();
    let run = Run {
        files,
        ..read_only_run(engine, state)
    };
    let (_, steps) = engine.with_act(run, |act| {
        let list = engine.lua.create_table()?;
        for file in &given {
            list.raw_push(to_lua(file, &engine.lua)?)?;
        }
        let first: LuaValue = list.raw_get(1)?;
        read_steps(
            engine,
            engine.call_script_function(&read, (act, first, list))?,
        )
    });
    steps
}

/// Asks the ruleset for its judgement of a step after its ruling: `judge(act, step, said)`.
///
/// Errors: it fails, or returns another value.
pub fn judge_import_step(
    engine: &Engine,
    state: &State,
    step: &ImportStep,
    said: &Value,
) -> Result<ImportJudged, Diagnostic> {
    let Some(judge) = import_function(engine, "judge") else {
        return Ok(ImportJudged::default());
    };
    let (_, judged) = engine.with_act(read_only_run(engine, state), |act| {
        let (step, said) = (
            to_lua(&step.value, &engine.lua)?,
            to_lua(said, &engine.lua)?,
        );
        let made: LuaValue = engine.call_script_function(&judge, (act, step, said))?;
        read_judgement(&plain_import_value(engine, made)?)
            .map_err(|why| unexpected_value_error("import.judge", &why))
    });
    judged
}

fn read_only_run(engine: &Engine, state: &State) -> Run {
    Run::read_only(state.fork(), &engine.rules().ruleset_id)
}

fn import_function(engine: &Engine, key: &str) -> Option<Function> {
    let rules = engine.rules();
    let table: Table = rules.ruleset_table.as_ref()?.raw_get(IMPORT).ok()?;
    table.raw_get(key).ok()
}

fn plain_import_value(engine: &Engine, value: LuaValue) -> mlua::Result<Value> {
    let (made, work) = from_lua_with_fuel(value);
    engine.host.charge(work)?;
    made.map_err(|why| unexpected_value_error(IMPORT, &why.to_string()))
}

/// Reads steps one by one. Each step may be as large as any value. All steps together may be larger.
fn read_steps(engine: &Engine, made: LuaValue) -> mlua::Result<Vec<ImportStep>> {
    let LuaValue::Table(made) = made else {
        return Err(unexpected_value_error(
            READ,
            &type_in_words(made.type_name()),
        ));
    };
    if let Ok(LuaValue::Boolean(false)) = made.raw_get("ok") {
        return Err(HostError::error_of_finding(diagnostic_of_refusal(&made)));
    }
    let mut steps = Vec::new();
    for number in 1.. {
        let one: LuaValue = made.raw_get(number)?;
        if one.is_nil() {
            break;
        }
        if steps.len() == STEPS {
            let message = format!("the file has more than {STEPS} steps");
            return Err(HostError::error_of_finding(Diagnostic::error(
                "limit/import",
                message,
            )));
        }
        let value = plain_import_value(engine, one)?;
        let of = |why: String| unexpected_value_error(READ, &format!("step {number} {why}"));
        steps.push(read_step(value).map_err(of)?);
    }
    match steps.is_empty() && !made.is_empty() {
        true => Err(unexpected_value_error(READ, "a table that is not a list")),
        false => Ok(steps),
    }
}

/// The function that returns steps.
const READ: &str = "import.read";

fn unexpected_value_error(what: &str, found: &str) -> mlua::Error {
    let message = format!("`{what}` of the ruleset returned an unexpected value: {found}");
    let finding = Diagnostic::error("script/import", message);
    HostError::error_of_finding(finding.hint(
        "read(act, file, files) returns a list of steps { n, by, at, dice, line, note, findings } or act:fail(…), \
         judge(act, step, said) returns { findings = { { code, message } }, lines = { LINE } } or nothing",
    ))
}

/// Reads a step. Errors: the invalid part, in words.
fn read_step(value: Value) -> Result<ImportStep, String> {
    let Some(fields) = value.as_map() else {
        return Err(format!("is a {}", value.kind()));
    };
    let of = Fields(fields);
    let step = ImportStep {
        n: of.whole_number_field("n")?,
        by: of.text_field("by")?,
        at: of
            .whole_number_field("at")?
            .map(|at| u64::try_from(at).unwrap_or(0)),
        dice: of.text_list_field("dice")?,
        line: of.text_field("line")?,
        note: of
            .text_field("note")?
            .map_or_else(String::new, |note| shorten_error_text(&note)),
        findings: of.findings_field()?,
        value: Value::Nil,
    };
    Ok(ImportStep { value, ..step })
}

fn read_judgement(value: &Value) -> Result<ImportJudged, String> {
    let none = BTreeMap::new();
    let fields = match value {
        Value::Nil => &none,
        Value::List(items) if items.is_empty() => &none,
        Value::Map(fields) => fields,
        other => return Err(format!("a {}", other.kind())),
    };
    let of = Fields(fields);
    Ok(ImportJudged {
        findings: of.findings_field()?,
        lines: of.text_list_field("lines")?,
    })
}

/// Fields of a table with data of a stranger.
struct Fields<'a>(&'a BTreeMap<Text, Value>);

impl Fields<'_> {
    fn get(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Nil)
    }

    fn text_field(&self, key: &str) -> Result<Option<String>, String> {
        match self.get(key) {
            Value::Nil => Ok(None),
            Value::Text(text) => Ok(Some(text.to_string())),
            other => Err(format!("has `{key}`, a {} instead of a text", other.kind())),
        }
    }

    fn whole_number_field(&self, key: &str) -> Result<Option<i64>, String> {
        let value = self.get(key);
        match (value.is_nil(), value.as_i64()) {
            (true, _) => Ok(None),
            (false, Some(number)) => Ok(Some(number)),
            (false, None) => Err(format!("has `{key}`, which is not a whole number")),
        }
    }

    /// Returns the items of a list.
    fn list_field(&self, key: &str) -> Result<&[Value], String> {
        match self.get(key) {
            Value::Nil => Ok(&[]),
            Value::List(items) if items.len() <= OF_STEP => Ok(items),
            Value::List(_) => Err(format!("has more than {OF_STEP} `{key}`")),
            other => Err(format!("has `{key}`, a {} instead of a list", other.kind())),
        }
    }

    fn text_list_field(&self, key: &str) -> Result<Vec<String>, String> {
        let texts = self.list_field(key)?.iter();
        let texts = texts.map(|item| item.as_str().map(str::to_owned));
        let texts: Option<Vec<String>> = texts.collect();
        texts.ok_or_else(|| format!("has `{key}` that are not texts"))
    }

    fn findings_field(&self) -> Result<Vec<ImportFinding>, String> {
        let found = self.list_field("findings")?.iter().map(read_finding);
        let found: Option<Vec<ImportFinding>> = found.collect();
        found.ok_or_else(|| "has `findings` that are not { code, message }".to_owned())
    }
}

fn read_finding(value: &Value) -> Option<ImportFinding> {
    let (code, message) = (value.get("code").as_str()?, value.get("message").as_str()?);
    let code = shorten_error_text(code);
    let is_whole = code.contains('/') || code.starts_with("E_");
    Some(ImportFinding {
        code: if is_whole {
            code
        } else {
            format!("{AREA}/{code}")
        },
        message: shorten_error_text(message),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
        Value::map(fields)
    }

    #[test]
    fn a_step_is_what_the_ruleset_wrote() {
        let finding = map([("code", "sum".into()), ("message", "no".into())]);
        let value = map([
            ("n", Value::from(3)),
            ("by", "Ann".into()),
            ("dice", Value::list(["d6:4".into()])),
            ("line", "go".into()),
            ("findings", Value::list([finding])),
            ("claim", Value::from(7)),
        ]);
        let read = read_step(value.clone()).unwrap();
        assert_eq!((read.n, read.by.as_deref()), (Some(3), Some("Ann")));
        assert_eq!(
            (read.dice, read.line.as_deref()),
            (vec!["d6:4".to_owned()], Some("go"))
        );
        assert_eq!(read.findings[0].code, "import/sum");
        assert_eq!(read.value, value);
        assert_eq!((read.at, read.note.as_str()), (None, ""));
    }

    #[test]
    fn what_is_no_step_says_why() {
        let cases = [
            (Value::from(3), "is a number"),
            (
                map([("by", Value::from(1))]),
                "has `by`, a number instead of a text",
            ),
            (
                map([("n", Value::from("x"))]),
                "has `n`, which is not a whole number",
            ),
            (
                map([("dice", "d6:1".into())]),
                "has `dice`, a text instead of a list",
            ),
            (
                map([("dice", Value::list([Value::from(1)]))]),
                "has `dice` that are not texts",
            ),
            (
                map([("findings", Value::list([Value::from("x")]))]),
                "has `findings` that are not { code, message }",
            ),
            (
                map([("dice", Value::list((0..101).map(|_| Value::from("d6:1"))))]),
                "has more than 100 `dice`",
            ),
        ];
        for (value, why) in cases {
            assert_eq!(read_step(value).unwrap_err(), why);
        }
    }

    #[test]
    fn judging_may_say_nothing() {
        assert_eq!(read_judgement(&Value::Nil), Ok(ImportJudged::default()));
        assert_eq!(
            read_judgement(&Value::list([])),
            Ok(ImportJudged::default())
        );
        let lines = map([("lines", Value::list(["a".into(), "b".into()]))]);
        assert_eq!(read_judgement(&lines).unwrap().lines, ["a", "b"]);
        assert_eq!(read_judgement(&Value::from(true)).unwrap_err(), "a bool");
    }
}
