//! Asks `texts` of a ruleset for the forms of its texts: their structure, and their canonical form.
//!
//! In: rules that are loaded, and the content of the ruleset. Out: the results of the functions, by the paths of files
//! below their folder. Each call has the budgets of one callback.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, IntoLuaMulti, MultiValue, Table, Value as LuaValue};

use crate::content::{Definition, File};
use crate::diag::{Diagnostic, Source};
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::{from_lua, from_lua_text};
use crate::script::declare::schema::Format;
use crate::script::engine::Engine;
use crate::script::load::definition_calls::{About, Calls, Passes};
use crate::script::load::loader::no_machine_finding;
use crate::script::load::texts::{file_table, ruleset_source};
use crate::script::rules::Rules;
use crate::value::Value;

/// The results of a function of `texts` for the texts that were read.
#[derive(Clone, Debug)]
pub struct Forms<T> {
    /// The results, by the path of the file below its folder.
    pub by_path: BTreeMap<String, T>,
    /// The findings about its failures.
    pub findings: Vec<Diagnostic>,
}

/// Returns the result of `structure` of `texts` for each text that was read at least in part, even if it has errors;
/// none if the ruleset has no such function.
///
/// Errors: memory.
pub fn text_structures(
    engine: &Engine,
    content: &[File],
) -> Result<Option<Forms<Value>>, Diagnostic> {
    ask_about_texts(engine, content, "structure", |answer| {
        from_lua(answer).map_err(|why| why.to_string())
    })
}

/// Returns all data of each text that was read at least in part, by the path of its file. For a text without plain data
/// it returns the reason.
pub fn text_data(engine: &Engine, content: &[File]) -> BTreeMap<String, Result<Value, String>> {
    let rules = engine.rules();
    let known = read_texts(&rules, content).into_iter();
    let data = known.map(|(file, _, table)| {
        let data = from_lua_text(LuaValue::Table(table.clone()));
        (file.path.clone(), data.map_err(|why| why.to_string()))
    });
    data.collect()
}

/// Returns the reason why a text is not written: the first thing in it that could not be read.
pub fn first_unread_finding(engine: &Engine, source: &Source) -> Option<Diagnostic> {
    engine.rules().unread.get(source.name()).cloned()
}

/// Returns the result of `write` of `texts` for each text that was read completely, even if it has errors; none if the
/// ruleset has no such function.
///
/// Errors: memory.
pub fn canonical_texts(
    engine: &Engine,
    content: &[File],
) -> Result<Option<Forms<String>>, Diagnostic> {
    ask_about_texts(engine, content, "write", |answer| match answer {
        LuaValue::String(text) => match text.to_str() {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err("a text must be UTF-8".to_owned()),
        },
        other => Err(format!(
            "it returns {} instead of a text",
            type_in_words(other.type_name())
        )),
    })
}

/// A text that was read: its file, its definition, and the table that scripts use for it.
type Known<'a> = (&'a File, &'a Arc<Definition>, &'a Table);

/// Calls a function of `texts` for each text that was read, in order of path. Errors: memory.
fn ask_about_texts<T>(
    engine: &Engine,
    content: &[File],
    name: &'static str,
    take: impl Fn(LuaValue) -> Result<T, String>,
) -> Result<Option<Forms<T>>, Diagnostic> {
    let rules = engine.rules();
    let Some(function) = texts_function(&rules, name) else {
        return Ok(None);
    };
    let calls = Calls::new(engine, &rules.sources, &rules.ruleset_id);
    let calls = calls.map_err(|error| no_machine_finding(&error))?;
    let asking = Asking {
        rules: &rules,
        name,
        function: &function,
        script: &ruleset_source(&rules),
    };
    let mut known = read_texts(&rules, content);
    if name == "write" {
        known.retain(|one| !rules.unread.contains_key(one.0.source.name()));
    }
    let mut passes = Passes::default();
    let mut forms = Forms {
        by_path: BTreeMap::new(),
        findings: Vec::new(),
    };
    for (at, one) in known.iter().enumerate() {
        let given = asking.arguments_for(engine, one);
        let given = given.map_err(|error| no_machine_finding(&error))?;
        let (answer, _) = calls.call::<LuaValue>(&function, given);
        match answer.map(&take) {
            Ok(Ok(form)) => drop(forms.by_path.insert(one.0.path.clone(), form)),
            Ok(Err(why)) => forms
                .findings
                .push(asking.useless_result_finding(one.1, &why)),
            Err(failed) => {
                let limit = failed.limit;
                forms
                    .findings
                    .push(failed.failure_finding(&asking.failure_context(one.1)));
                let left = known.len() - at - 1;
                if left > 0 && passes.count_limit_and_should_stop(limit) {
                    forms.findings.push(asking.unasked_texts_finding(left));
                    break;
                }
            }
        }
    }
    Ok(Some(forms))
}

fn texts_function(rules: &Rules, name: &str) -> Option<Function> {
    let texts: Table = rules.ruleset_table.as_ref()?.raw_get("texts").ok()?;
    texts.raw_get(name).ok()
}

/// Returns the texts among content files that were read, in order of path, including those with errors.
fn read_texts<'a>(rules: &'a Rules, content: &'a [File]) -> Vec<Known<'a>> {
    let schemas = rules.schemas.values();
    let texts = schemas.filter(|one| one.format == Format::Text);
    let definitions = texts.flat_map(|one| rules.registry.of_collection(&one.collection));
    let sound = definitions.filter_map(|one| {
        let key = (one.collection.to_string(), one.id.to_string());
        Some((one, rules.tables.get(&key)?))
    });
    let faulty = rules.faulty.iter();
    let all = sound.chain(faulty.map(|one| (&one.definition, &one.table)));
    let by_name: BTreeMap<&str, (&Arc<Definition>, &Table)> =
        all.map(|one| (one.0.source.name(), one)).collect();
    let known = content.iter().filter_map(|file| {
        let (definition, table) = *by_name.get(file.source.name())?;
        Some((file, definition, table))
    });
    let mut known: Vec<Known<'_>> = known.collect();
    known.sort_by(|one, other| one.0.path.cmp(&other.0.path));
    known
}

/// A function of `texts` while it is called.
struct Asking<'a> {
    rules: &'a Rules,
    name: &'static str,
    function: &'a Function,
    /// The source of the function.
    script: &'a Arc<Source>,
}

impl Asking<'_> {
    /// Returns the arguments of the function: the definition, and for `write` the file. Errors: memory.
    fn arguments_for(
        &self,
        engine: &Engine,
        (file, _, table): &Known<'_>,
    ) -> mlua::Result<MultiValue> {
        if self.name == "write" {
            let file = file_table(&engine.lua, &file.path, &file.source)?;
            (*table, file).into_lua_multi(&engine.lua)
        } else {
            (*table).into_lua_multi(&engine.lua)
        }
    }

    fn failure_context<'b>(&'b self, definition: &'b Definition) -> About<'b> {
        About {
            what: format!("`{}` of {}", self.name, self.definition_label(definition)),
            function: self.function,
            holder: ("`texts` of the ruleset", self.script),
            place: (&definition.source, definition.span),
        }
    }

    /// Returns the finding that the result of the function cannot be used.
    fn useless_result_finding(&self, definition: &Definition, why: &str) -> Diagnostic {
        let (name, shown) = (self.name, self.definition_label(definition));
        let message = format!("`{name}` of `texts` cannot be used for {shown}: {why}");
        Diagnostic::error("script/result", message).at(&definition.source, definition.span)
    }

    fn unasked_texts_finding(&self, left: usize) -> Diagnostic {
        let name = self.name;
        let message =
            format!("`{name}` of `texts` exceeds its limits, so {left} more texts are left out");
        Diagnostic::error("schema/unread", message).at(self.script, self.script.line_span(1))
    }

    fn definition_label(&self, definition: &Definition) -> String {
        let schema = &self.rules.schemas[&*definition.collection];
        format!("the {} \"{}\"", schema.name, definition.id)
    }
}
