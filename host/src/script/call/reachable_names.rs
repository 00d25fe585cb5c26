//! Lists every name that scripts can reach: for completion in the REPL, and to detect new names in a new version of the
//! machine.

use std::collections::BTreeSet;

use mlua::{Lua, Table, Value};

use crate::script::api::{language_methods, matcher_methods, new_act, reader_methods};
use crate::script::engine::Engine;
use crate::script::former_names;

/// Returns every name that scripts can reach with its type, in order: `act:get function`, `string.rep function`.
///
/// Errors: memory.
pub fn reachable_names(engine: &Engine) -> mlua::Result<Vec<String>> {
    let mut found = BTreeSet::new();
    collect_names(&engine.globals, "", &mut found)?;
    let act = new_act(&engine.lua)?;
    if let Some(methods) = methods_of_object(&act)? {
        collect_names(&methods, "act:", &mut found)?;
    }
    collect_names(&matcher_methods(&engine.lua)?, "matcher:", &mut found)?;
    collect_names(&language_methods(&engine.lua)?, "language:", &mut found)?;
    collect_names(&reader_methods(&engine.lua)?, "reader:", &mut found)?;
    for name in decimal_methods(&engine.lua, &engine.globals)? {
        found.insert(format!("decimal:{name} function"));
    }
    Ok(found.into_iter().collect())
}

/// Tables of names are few and not deeper than a library. Each table is walked under each of its names.
fn collect_names(table: &Table, path: &str, found: &mut BTreeSet<String>) -> mlua::Result<()> {
    table.for_each(|name: String, value: Value| {
        // Old names belong to functions that are listed under their new names.
        let is_old = match path {
            "" => former_names::present_global(&name).is_some(),
            "act:" => former_names::present_method(&name).is_some(),
            _ => false,
        };
        if is_old {
            return Ok(());
        }
        found.insert(format!("{path}{name} {}", value.type_name()));
        match value {
            Value::Table(inner) if path.is_empty() => {
                collect_names(&inner, &format!("{name}."), found)
            }
            _ => Ok(()),
        }
    })
}

fn methods_of_object(object: &Table) -> mlua::Result<Option<Table>> {
    let Some(metatable) = object.metatable() else {
        return Ok(None);
    };
    metatable.raw_get("__index")
}

/// Adds the methods of decimals from their declarations, because they cannot be walked.
fn decimal_methods(lua: &Lua, globals: &Table) -> mlua::Result<Vec<String>> {
    let one: Value = globals.get::<mlua::Function>("decimal")?.call(1)?;
    let index: mlua::Function = lua.load("return function(t, k) return t[k] end").eval()?;
    let declared = crate::script::source::api_declarations::declared_group("Decimal");
    let names = declared.into_iter().flat_map(|group| &group.functions);
    let mut found = Vec::new();
    for function in names {
        if matches!(
            index.call((&one, function.name.as_str())),
            Ok(Value::Function(_))
        ) {
            found.push(function.name.clone());
        }
    }
    Ok(found)
}
