//! This module is postfix expressions for scripts: `expr.eval`, `expr.text`, `expr.check`.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::super::error::HostError;
use super::super::host::Host;
use super::super::outside::{item_from_lua, item_to_lua};
use super::super::raw::{Argument, Returned};
use super::{Library, refused};
use crate::diag::{Diagnostic, near_hint};
use crate::expr::{Dialect, ExprError, Item, Program, Scope, Signature, compile};
use crate::value::{Text, Value};

/// Steps of an expression for one unit of fuel.
const STEPS: usize = 4;

/// Bytes of an expression that are read for one unit of fuel.
const BYTES: usize = 16;

/// Characters of an expression in a message.
const SHOWN: usize = 200;

/// Returns the table `expr`.
pub(super) fn table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let library = Library::new(lua, host, "expr")?
        .add("eval", eval)?
        .add("text", text)?
        .add("check", check)?;
    Ok(library.done())
}

fn eval(
    lua: &Lua,
    host: &Host,
    (source, scope): (String, Option<Table>),
) -> mlua::Result<LuaValue> {
    item_to_lua(&value_of(lua, host, &source, scope)?, lua)
}

fn text(lua: &Lua, host: &Host, (source, scope): (String, Option<Table>)) -> mlua::Result<String> {
    value_of(lua, host, &source, scope).map(|item| item.to_string())
}

fn check(
    _: &Lua,
    host: &Host,
    (source, names): (String, Option<Argument>),
) -> mlua::Result<Returned> {
    host.charge(1 + (source.len() / BYTES) as u64)?;
    let dialect = names.map_or_else(|| Ok(Dialect::default()), |names| dialect_of(&names.0))?;
    let errors = compile(&source, &dialect).err().unwrap_or_default();
    Ok(Returned(Value::list(errors.iter().map(|error| {
        let from = source[..error.at.start].chars().count();
        let length = source[error.at.start..error.at.end].chars().count();
        let hint = Some(Value::from(&*error.hint)).filter(|_| !error.hint.is_empty());
        Value::map([
            ("code", Value::from(error.code)),
            ("message", Value::from(&*error.message)),
            ("hint", hint.unwrap_or_default()),
            ("from", Value::from(from as i64 + 1)),
            ("to", Value::from((from + length) as i64)),
        ])
    }))))
}

/// Reads what names and functions a text is checked with.
fn dialect_of(names: &Value) -> mlua::Result<Dialect> {
    let keys = names.as_map().into_iter().flat_map(|map| map.keys());
    known_keys(keys.map(|key| &**key), "expr.check")?;
    let variables = names.get("variables").items().iter();
    let variables = variables.filter_map(|name| name.as_str().map(Text::from));
    let functions = names.get("functions").as_map().into_iter().flatten();
    let functions = functions.map(|(word, operands)| {
        let quotes = operands.get("quotes").as_bool() == Some(true);
        let operands = operands
            .as_i64()
            .or_else(|| operands.get("operands").as_i64());
        Ok((Text::clone(word), signature(word, operands, quotes)?))
    });
    Ok(Dialect {
        variables: (!names.get("variables").is_nil()).then(|| variables.collect()),
        functions: functions.collect::<mlua::Result<_>>()?,
        commas_only: names.get("commas").as_bool() == Some(true),
    })
}

fn signature(word: &str, operands: Option<i64>, quotes: bool) -> mlua::Result<Signature> {
    let operands = operands.and_then(|count| u8::try_from(count).ok());
    match operands {
        Some(operands) if operands > 0 || !quotes => Ok(Signature { operands, quotes }),
        _ => Err(refused(
            "script/argument",
            format!(
                "the function \"{word}\" of an expression needs its number of `operands`, 0 to 255"
            ),
        )),
    }
}

fn known_keys<'a>(mut keys: impl Iterator<Item = &'a str>, function: &str) -> mlua::Result<()> {
    let known = ["variables", "functions", "commas"];
    match keys.find(|key| !known.contains(key)) {
        None => Ok(()),
        Some(key) => {
            let message = format!("`{function}` has no option \"{key}\"");
            let finding = Diagnostic::error("script/argument", message);
            Err(HostError::raise(finding.hint(near_hint(key, known))))
        }
    }
}

fn value_of(lua: &Lua, host: &Host, source: &str, scope: Option<Table>) -> mlua::Result<Item> {
    let mut given = Given::read(lua, host, scope)?;
    let program = host.expression(source, &given.dialect)?;
    host.charge(program.steps().div_ceil(STEPS) as u64)?;
    program.evaluate(&mut given).map_err(|stop| match stop {
        Stop::Script(error) => error,
        Stop::Expression(error) => in_expression(source, &error),
    })
}

/// Returns the refusal of an expression, which names its text and the place in it.
pub(crate) fn in_expression(source: &str, error: &ExprError) -> mlua::Error {
    let start = source[..error.at.start].chars().count() + 1;
    let mut shown: String = source.chars().take(SHOWN).collect();
    if shown.len() < source.len() {
        shown.push('…');
    }
    let message = format!("{error}, at character {start} of the expression \"{shown}\"");
    HostError::raise(Diagnostic::error(error.code, message).hint(&*error.hint))
}

/// What a script says names and functions mean.
struct Given<'a> {
    lua: &'a Lua,
    host: &'a Host,
    dialect: Dialect,
    variables: LuaValue,
    functions: BTreeMap<Text, Function>,
}

/// What stops an expression of a script.
enum Stop {
    Script(mlua::Error),
    Expression(ExprError),
}

impl From<ExprError> for Stop {
    fn from(error: ExprError) -> Stop {
        Stop::Expression(error)
    }
}

impl<'a> Given<'a> {
    fn read(lua: &'a Lua, host: &'a Host, scope: Option<Table>) -> mlua::Result<Given<'a>> {
        let mut given = Given {
            lua,
            host,
            dialect: Dialect::default(),
            variables: LuaValue::Nil,
            functions: BTreeMap::new(),
        };
        let Some(scope) = scope else {
            return Ok(given);
        };
        let mut keys = Vec::new();
        scope.for_each(|key: LuaValue, _: LuaValue| {
            keys.push(
                key.as_string()
                    .map_or_else(String::new, |key| key.to_string_lossy()),
            );
            if keys.len() > 8 {
                Err(refused("script/argument", "a scope has three options"))
            } else {
                Ok(())
            }
        })?;
        known_keys(keys.iter().map(String::as_str), "expr.eval")?;
        given.variables = scope.raw_get("variables")?;
        given.dialect.commas_only = scope.raw_get::<Option<bool>>("commas")? == Some(true);
        if let Some(functions) = scope.raw_get::<Option<Table>>("functions")? {
            given.functions(&functions)?;
        }
        Ok(given)
    }

    fn functions(&mut self, functions: &Table) -> mlua::Result<()> {
        functions.for_each(|word: String, table: Table| {
            self.host.charge(1)?;
            let quotes = table.raw_get::<Option<bool>>("quotes")? == Some(true);
            let signature = signature(&word, table.raw_get("operands")?, quotes)?;
            let word: Text = word.into();
            self.functions
                .insert(Text::clone(&word), table.raw_get("run")?);
            self.dialect.functions.insert(word, signature);
            Ok(())
        })
    }

    /// Returns what a name means: itself, or what stands before its first dot.
    fn meaning(&self, name: &str) -> mlua::Result<LuaValue> {
        let table = match &self.variables {
            LuaValue::Table(table) => table,
            LuaValue::Function(function) => return self.asked(function, name),
            _ => return Ok(LuaValue::Nil),
        };
        let whole: LuaValue = table.raw_get(name)?;
        match (whole, name.split_once('.')) {
            (LuaValue::Function(function), _) => self.asked(&function, name),
            (LuaValue::Nil, Some((head, rest))) => match table.raw_get(head)? {
                LuaValue::Function(function) => self.asked(&function, name),
                LuaValue::Table(fields) => fields.raw_get(rest),
                _ => Ok(LuaValue::Nil),
            },
            (whole, _) => Ok(whole),
        }
    }

    fn asked(&self, function: &Function, name: &str) -> mlua::Result<LuaValue> {
        let _scope = self.host.meter.enter().map_err(HostError::limit)?;
        function.call(name)
    }

    fn item(name: &str, value: LuaValue) -> mlua::Result<Item> {
        item_from_lua(value).map_err(|found| {
            let message = format!("\"{name}\" gives an expression {found}");
            let finding = Diagnostic::error("script/argument", message);
            HostError::raise(
                finding.hint("give a number, a decimal, true, false, a text or nothing"),
            )
        })
    }

    fn unknown(&self, name: &str) -> mlua::Error {
        let mut known: Vec<String> = Vec::new();
        if let LuaValue::Table(table) = &self.variables {
            let _ = table.for_each(|key: String, _: LuaValue| {
                known.push(key);
                Ok(())
            });
        }
        known.sort();
        let functions = self.functions.keys().map(|word| &**word);
        let hint = near_hint(name, known.iter().map(String::as_str).chain(functions));
        let message = format!("an expression asks for \"{name}\", which the scope does not have");
        HostError::raise(Diagnostic::error("expr/unknown", message).hint(hint))
    }
}

impl Scope for Given<'_> {
    type Error = Stop;

    fn variable(&mut self, _: usize, name: &str) -> Result<Item, Stop> {
        match self.meaning(name).map_err(Stop::Script)? {
            LuaValue::Nil => Err(Stop::Script(self.unknown(name))),
            value => Given::item(name, value).map_err(Stop::Script),
        }
    }

    fn call(&mut self, function: &str, operands: &[Item]) -> Result<Item, Stop> {
        let run = || {
            let _scope = self.host.meter.enter().map_err(HostError::limit)?;
            let operands = operands
                .iter()
                .map(|operand| item_to_lua(operand, self.lua));
            let operands: mlua::MultiValue = operands.collect::<mlua::Result<_>>()?;
            Given::item(function, self.functions[function].call(operands)?)
        };
        run().map_err(Stop::Script)
    }
}

/// Programs that are kept in their compiled form.
const PROGRAMS: usize = 1_000;

/// The compiled expressions of scripts by text and dialect.
#[derive(Default)]
pub(crate) struct Programs(BTreeMap<(String, String), Rc<Program>>);

impl Programs {
    /// Returns the program of a text if it was compiled before.
    pub(crate) fn find(&self, key: &(String, String)) -> Option<Rc<Program>> {
        self.0.get(key).cloned()
    }

    /// Keeps a program.
    pub(crate) fn keep(&mut self, key: (String, String), program: &Rc<Program>) {
        if self.0.len() >= PROGRAMS {
            self.0.clear();
        }
        self.0.insert(key, Rc::clone(program));
    }

    /// Returns what a program is kept by.
    pub(crate) fn key(source: &str, dialect: &Dialect) -> (String, String) {
        let mut shape = String::new();
        for (word, Signature { operands, quotes }) in &dialect.functions {
            shape.push_str(&format!("{word}\n{operands}{quotes}\n"));
        }
        shape.push_str(if dialect.commas_only { "," } else { "" });
        (source.to_owned(), shape)
    }

    /// Returns the fuel of compiling a text.
    pub(crate) fn work(source: &str) -> u64 {
        1 + (source.len() / BYTES) as u64
    }
}
