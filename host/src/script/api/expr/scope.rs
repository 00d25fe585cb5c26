//! Asks a script for the meanings of names and functions in its expression.

use std::collections::BTreeMap;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::signature::{check_option_keys, read_signature};
use crate::diag::{Diagnostic, near_hint};
use crate::expr::{Dialect, ExprError, Item, Scope};
use crate::script::api::refusal_error;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::expression_callbacks::{item_from_lua, item_to_lua};
use crate::value::Text;

/// Meanings of names and functions that a script gives.
pub(super) struct Given<'a> {
    lua: &'a Lua,
    host: &'a Host,
    pub(super) dialect: Dialect,
    variables: LuaValue,
    functions: BTreeMap<Text, Function>,
}

/// Errors that stop an expression of a script.
pub(super) enum Stop {
    Script(mlua::Error),
    Expression(ExprError),
}

impl From<ExprError> for Stop {
    fn from(error: ExprError) -> Stop {
        Stop::Expression(error)
    }
}

/// Returns the error of a scope with functions of another form.
fn function_shape_error() -> mlua::Error {
    refusal_error(
        "script/argument",
        "`functions` of an expression has, by name, tables { operands = COUNT, run = FUNCTION }",
    )
}

impl<'a> Given<'a> {
    pub(super) fn read(
        lua: &'a Lua,
        host: &'a Host,
        scope: Option<Table>,
    ) -> mlua::Result<Given<'a>> {
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
                Err(refusal_error(
                    "script/argument",
                    "a scope has three options",
                ))
            } else {
                Ok(())
            }
        })?;
        check_option_keys(keys.iter().map(String::as_str), "expr.eval")?;
        given.variables = scope.raw_get("variables")?;
        given.dialect.commas_only = scope.raw_get::<Option<bool>>("commas")? == Some(true);
        match scope.raw_get("functions")? {
            LuaValue::Nil => {}
            LuaValue::Table(functions) => given.add_functions(&functions)?,
            _ => return Err(function_shape_error()),
        }
        Ok(given)
    }

    fn add_functions(&mut self, functions: &Table) -> mlua::Result<()> {
        functions.for_each(|word: LuaValue, options: LuaValue| {
            self.host.charge(1)?;
            let (LuaValue::String(word), LuaValue::Table(table)) = (word, options) else {
                return Err(function_shape_error());
            };
            let LuaValue::Function(run) = table.raw_get("run")? else {
                return Err(function_shape_error());
            };
            let word = Text::from(&*word.to_str()?);
            let quotes = table.raw_get::<Option<bool>>("quotes")? == Some(true);
            let operands = table.raw_get::<Option<i64>>("operands").ok().flatten();
            let signature = read_signature(&word, operands, quotes)?;
            self.functions.insert(Text::clone(&word), run);
            self.dialect.functions.insert(word, signature);
            Ok(())
        })
    }

    /// Returns the meaning of a name: the entry of the whole name, else the entry of the part before its first dot.
    fn meaning_of_name(&self, name: &str) -> mlua::Result<LuaValue> {
        let table = match &self.variables {
            LuaValue::Table(table) => table,
            LuaValue::Function(function) => return self.ask_scope_function(function, name),
            _ => return Ok(LuaValue::Nil),
        };
        let whole: LuaValue = table.raw_get(name)?;
        match (whole, name.split_once('.')) {
            (LuaValue::Function(function), _) => self.ask_scope_function(&function, name),
            (LuaValue::Nil, Some((head, rest))) => match table.raw_get(head)? {
                LuaValue::Function(function) => self.ask_scope_function(&function, name),
                LuaValue::Table(fields) => fields.raw_get(rest),
                _ => Ok(LuaValue::Nil),
            },
            (whole, _) => Ok(whole),
        }
    }

    fn ask_scope_function(&self, function: &Function, name: &str) -> mlua::Result<LuaValue> {
        self.host.call_from_host_function(function, name)
    }

    fn item_of_value(name: &str, value: LuaValue) -> mlua::Result<Item> {
        item_from_lua(value).map_err(|found| {
            let message = format!("\"{name}\" returned {found} to an expression");
            let finding = Diagnostic::error("script/argument", message);
            HostError::error_of_finding(
                finding.hint("return a number, a decimal, true, false, a text or nothing"),
            )
        })
    }

    fn unknown_name_error(&self, name: &str) -> mlua::Error {
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
        let message =
            format!("an expression uses the name \"{name}\", which the scope does not have");
        HostError::error_of_finding(Diagnostic::error("expr/unknown", message).hint(hint))
    }
}

impl Scope for Given<'_> {
    type Error = Stop;

    fn variable(&mut self, _: usize, name: &str) -> Result<Item, Stop> {
        match self.meaning_of_name(name).map_err(Stop::Script)? {
            LuaValue::Nil => Err(Stop::Script(self.unknown_name_error(name))),
            value => Given::item_of_value(name, value).map_err(Stop::Script),
        }
    }

    fn call(&mut self, function: &str, operands: &[Item]) -> Result<Item, Stop> {
        let run = || {
            let operands = operands
                .iter()
                .map(|operand| item_to_lua(operand, self.lua));
            let operands: mlua::MultiValue = operands.collect::<mlua::Result<_>>()?;
            let called = &self.functions[function];
            Given::item_of_value(
                function,
                self.host.call_from_host_function(called, operands)?,
            )
        };
        run().map_err(Stop::Script)
    }
}
