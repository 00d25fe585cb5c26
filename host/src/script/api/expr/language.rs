//! Languages of expressions, made once by `expr.language`, and their methods.
//!
//! At its first use a text is compiled, and its names get their meanings. Each later use costs the same fuel as the
//! first, so that scripts cannot detect a remembered text.

mod compiled;
mod evaluation;
mod key;
mod symbols;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;
use mlua::{
    AnyUserData, Function, Lua, LuaString, MetaMethod, Table, UserData, UserDataFields,
    UserDataRef, Value as LuaValue,
};

use crate::diag::{Diagnostic, Span, near_hint};
use crate::expr::{Dialect, ExprError, Item};
use crate::script::api::{Library, refusal_error};
use crate::script::border::stack_value::This;
use crate::script::fuel::STEPS;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::expression_callbacks::item_to_lua;
use crate::value::Text;
use compiled::{Functions, Ready};
use evaluation::{Asking, Stop};
use symbols::meaning_to_lua;

/// Registry key of the methods of languages.
const METHODS: &str = "arbiter.language";

/// Options of a language.
const KEYS: [&str; 8] = [
    "most_bits",
    "commas",
    "largest_denominator",
    "functions",
    "mean",
    "operators",
    "prepare",
    "value",
];

/// The value of a language in scripts.
struct Handle(Rc<Language>);

/// Functions and names of expressions, and their meanings.
struct Language {
    given: Given,
    mean: Function,
    value: Function,
    /// Returns the text to compile in place of a given text.
    prepare: Option<Function>,
    dialect: Dialect,
    functions: OnceCell<Rc<Functions>>,
    ready: RefCell<HashMap<String, Rc<Ready>, RandomState>>,
    /// Largest denominator of a fraction that is restored from a rounded number.
    recalled: Option<i128>,
}

/// Source of the functions of a language.
enum Given {
    Table(Table),
    /// The definitions of some collections, which are known when all files are read.
    Collections(Vec<String>),
}

impl UserData for Handle {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Language");
        fields.add_meta_field_with(MetaMethod::Index, language_methods);
    }
}

/// Registers the methods of languages.
pub(super) fn register_language_methods(lua: &Lua, host: &Rc<Host>) -> mlua::Result<()> {
    let methods = Library::new(lua, host, "Language")?
        .add("eval", evaluate_to_value)?
        .add("text", evaluate_to_text)?
        .add("read", describe_expression)?
        .into_table();
    methods.set_readonly(true);
    lua.set_named_registry_value(METHODS, methods)
}

/// Returns the methods of languages.
pub(in crate::script) fn language_methods(lua: &Lua) -> mlua::Result<Table> {
    lua.named_registry_value(METHODS)
}

/// Makes a language.
pub(super) fn make_language(lua: &Lua, host: &Host, options: Table) -> mlua::Result<AnyUserData> {
    host.charge(64)?;
    let mut strange = None;
    options.for_each(|key: String, _: LuaValue| {
        strange = strange.take().or((!KEYS.contains(&&*key)).then_some(key));
        Ok(())
    })?;
    if let Some(key) = strange {
        let message = format!("`expr.language` has no option \"{key}\"");
        let finding = Diagnostic::error("script/argument", message);
        return Err(HostError::error_of_finding(
            finding.hint(near_hint(&key, KEYS)),
        ));
    }
    let given = match options.raw_get::<LuaValue>("functions")? {
        LuaValue::String(name) => Given::Collections(vec![name.to_str()?.to_owned()]),
        LuaValue::Table(table) if table.raw_len() > 0 => {
            let names = table.sequence_values::<String>();
            Given::Collections(names.collect::<mlua::Result<_>>()?)
        }
        LuaValue::Table(table) => Given::Table(table),
        _ => Given::Table(lua.create_table()?),
    };
    let function = |key: &str| {
        let found: Option<Function> = options.raw_get(key)?;
        let why = || format!("`expr.language` needs the function `{key}`");
        found.ok_or_else(|| refusal_error("script/argument", why()))
    };
    let operators: Option<Vec<String>> = options.raw_get("operators")?;
    let language = Rc::new(Language {
        given,
        mean: function("mean")?,
        value: function("value")?,
        prepare: options.raw_get("prepare")?,
        dialect: Dialect {
            bits: options.raw_get("most_bits")?,
            commas_only: options.raw_get::<Option<bool>>("commas")? == Some(true),
            operators: operators.map(|words| words.into_iter().map(Text::from).collect()),
            ..Dialect::default()
        },
        functions: OnceCell::new(),
        ready: RefCell::default(),
        recalled: options
            .raw_get::<Option<u32>>("largest_denominator")?
            .map(i128::from),
    });
    let handle = lua.create_userdata(Handle(Rc::clone(&language)))?;
    Ok(handle)
}

fn evaluate_to_value(
    lua: &Lua,
    host: &Host,
    (language, act, source, context): (UserDataRef<Handle>, Table, LuaString, Table),
) -> mlua::Result<(LuaValue, Option<Table>)> {
    let source = source.to_str()?;
    match language
        .0
        .evaluate_text((lua, host), &act, &source, &context)?
    {
        Ok(item) => Ok((item_to_lua(&item, lua)?, None)),
        Err(fault) => Ok((LuaValue::Nil, Some(fault))),
    }
}

fn evaluate_to_text(
    lua: &Lua,
    host: &Host,
    (language, act, source, context): (UserDataRef<Handle>, Table, LuaString, Table),
) -> mlua::Result<(Option<String>, Option<Table>)> {
    let source = source.to_str()?;
    match language
        .0
        .evaluate_text((lua, host), &act, &source, &context)?
    {
        Ok(item) => Ok((Some(item.to_string()), None)),
        Err(fault) => Ok((None, Some(fault))),
    }
}

/// Returns the names, functions and errors of an expression before it is computed.
fn describe_expression(
    lua: &Lua,
    host: &Host,
    (language, source): (UserDataRef<Handle>, String),
) -> mlua::Result<Table> {
    let ready = language.0.compile_once(host, &source)?;
    let source = ready.compiled_text(&source);
    let told = lua.create_table()?;
    let list = |items: Vec<Table>| lua.create_sequence_from(items);
    match &ready.program {
        Err(errors) => {
            let errors = errors.iter().map(|error| error_table(lua, source, error));
            told.raw_set("errors", list(errors.collect::<mlua::Result<_>>()?)?)?;
            told.raw_set("names", list(Vec::new())?)?;
            told.raw_set("quoted", list(Vec::new())?)?;
            told.raw_set("functions", lua.create_table()?)?;
        }
        Ok(program) => {
            told.raw_set("errors", list(Vec::new())?)?;
            let names = program.variable_names().iter().enumerate();
            let names = names.map(|(at, name)| {
                let place = program.first_place_of_variable(at);
                let entry = placed_name_table(lua, source, name, place)?;
                entry.raw_set("meaning", meaning_to_lua(&ready.meanings[at], lua)?)?;
                Ok(entry)
            });
            told.raw_set("names", list(names.collect::<mlua::Result<_>>()?)?)?;
            let quoted = program.quoted_names();
            let quoted = quoted.map(|(name, place)| placed_name_table(lua, source, name, place));
            told.raw_set("quoted", list(quoted.collect::<mlua::Result<_>>()?)?)?;
            told.raw_set(
                "functions",
                lua.create_sequence_from(program.function_names())?,
            )?;
        }
    }
    Ok(told)
}

fn placed_name_table(lua: &Lua, source: &str, name: &str, place: Span) -> mlua::Result<Table> {
    let (from, to) = character_range(source, place);
    let entry = lua.create_table()?;
    entry.raw_set("name", name)?;
    entry.raw_set("from", from)?;
    entry.raw_set("to", to)?;
    Ok(entry)
}

/// Returns an error in the form for scripts.
fn error_table(lua: &Lua, source: &str, error: &ExprError) -> mlua::Result<Table> {
    let (from, to) = character_range(source, error.at);
    let table = lua.create_table()?;
    table.raw_set("code", &*error.code)?;
    table.raw_set("message", &*error.message)?;
    if !error.hint.is_empty() {
        table.raw_set("hint", &*error.hint)?;
    }
    table.raw_set("from", from)?;
    table.raw_set("to", to)?;
    Ok(table)
}

/// Returns the first and the last character of a piece, from 1.
fn character_range(source: &str, place: Span) -> (usize, usize) {
    let before = source[..place.start].chars().count();
    (
        before + 1,
        before + source[place.start..place.end].chars().count(),
    )
}

impl Language {
    /// Returns the value of a text. The inner error is an error of the expression, in the form for scripts.
    fn evaluate_text(
        &self,
        (lua, host): (&Lua, &Host),
        act: &Table,
        source: &str,
        context: &Table,
    ) -> mlua::Result<Result<Item, Table>> {
        let ready = self.compile_once(host, source)?;
        let wrong =
            |error: &ExprError| error_table(lua, ready.compiled_text(source), error).map(Err);
        let program = match &ready.program {
            Ok(program) => program,
            Err(errors) => return wrong(&errors[0]),
        };
        host.charge(program.step_count().div_ceil(STEPS) as u64)?;
        let mut asking = Asking {
            lua,
            host,
            language: self,
            ready: &ready,
            program,
            act: This(act.to_pointer() as usize),
            context,
            last: None,
        };
        match program.evaluate(&mut asking) {
            Ok(item) => Ok(Ok(item)),
            Err(Stop::Expression(error)) => wrong(&error),
            Err(Stop::Script(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::source::api_declarations::declared_function;

    #[test]
    fn the_declaration_describes_each_option() {
        let declared = declared_function("expr", "language").unwrap();
        let mut described: Vec<&str> = declared.keys.iter().map(|(key, _)| &**key).collect();
        let mut known = KEYS;
        described.sort_unstable();
        known.sort_unstable();
        assert_eq!(described, known);
    }
}
