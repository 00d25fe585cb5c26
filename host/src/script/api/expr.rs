//! Postfix expressions for scripts: `expr.eval`, `expr.text`, `expr.check`.

mod language;
mod scope;
mod signature;

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use self::scope::{Given, Stop};
use self::signature::{check_option_keys, read_signature};
use super::Library;
use crate::expr::{Dialect, Item, compile};
use crate::script::border::stack_value::{Argument, Returned};
use crate::script::fuel::STEPS;
use crate::script::host::{Host, Programs, expression_error};
use crate::script::inquiry::expression_callbacks::item_to_lua;
use crate::value::{Text, Value};

pub(in crate::script) use language::language_methods;

/// Returns the table `expr`.
pub(super) fn expr_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    language::register_language_methods(lua, host)?;
    let library = Library::new(lua, host, "expr")?
        .add("eval", evaluate_to_value)?
        .add("text", evaluate_to_text)?
        .add("check", check_expression)?
        .add("language", language::make_language)?;
    Ok(library.into_table())
}

fn evaluate_to_value(
    lua: &Lua,
    host: &Host,
    (source, scope): (String, Option<Table>),
) -> mlua::Result<LuaValue> {
    item_to_lua(&evaluate_expression(lua, host, &source, scope)?, lua)
}

fn evaluate_to_text(
    lua: &Lua,
    host: &Host,
    (source, scope): (String, Option<Table>),
) -> mlua::Result<String> {
    evaluate_expression(lua, host, &source, scope).map(|item| item.to_string())
}

fn check_expression(
    _: &Lua,
    host: &Host,
    (source, names): (String, Option<Argument>),
) -> mlua::Result<Returned> {
    host.charge(2 * Programs::compile_fuel(&source))?;
    let dialect = names.map_or_else(|| Ok(Dialect::default()), |names| read_dialect(&names.0))?;
    let errors = compile(&source, &dialect).err().unwrap_or_default();
    Ok(Returned(Value::list(errors.iter().map(|error| {
        let from = source[..error.at.start].chars().count();
        let length = source[error.at.start..error.at.end].chars().count();
        let hint = Some(Value::from(&*error.hint)).filter(|_| !error.hint.is_empty());
        Value::map([
            ("code", Value::from(&*error.code)),
            ("message", Value::from(&*error.message)),
            ("hint", hint.unwrap_or_default()),
            ("from", Value::from(from as i64 + 1)),
            ("to", Value::from((from + length) as i64)),
        ])
    }))))
}

/// Reads the names and functions with which a text is checked.
fn read_dialect(names: &Value) -> mlua::Result<Dialect> {
    let keys = names.as_map().into_iter().flat_map(|map| map.keys());
    check_option_keys(keys.map(|key| &**key), "expr.check")?;
    let variables = names.get("variables").items().iter();
    let variables = variables.filter_map(|name| name.as_str().map(Text::from));
    let functions = names.get("functions").as_map().into_iter().flatten();
    let functions = functions.map(|(word, operands)| {
        let quotes = operands.get("quotes").as_bool() == Some(true);
        let operands = operands
            .as_i64()
            .or_else(|| operands.get("operands").as_i64());
        Ok((Text::clone(word), read_signature(word, operands, quotes)?))
    });
    Ok(Dialect {
        variables: (!names.get("variables").is_nil()).then(|| variables.collect()),
        functions: functions.collect::<mlua::Result<_>>()?,
        commas_only: names.get("commas").as_bool() == Some(true),
        ..Dialect::default()
    })
}

fn evaluate_expression(
    lua: &Lua,
    host: &Host,
    source: &str,
    scope: Option<Table>,
) -> mlua::Result<Item> {
    let mut given = Given::read(lua, host, scope)?;
    let program = host.compiled_expression(source, &given.dialect)?;
    host.charge(program.step_count().div_ceil(STEPS) as u64)?;
    program.evaluate(&mut given).map_err(|stop| match stop {
        Stop::Script(error) => error,
        Stop::Expression(error) => expression_error(source, &error),
    })
}
