//! A schema that reads the handlers of its definitions and runs them itself.

use mlua::{Function, Lua, Table};

/// The functions of such a schema, and their table for the frame of events.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    /// Returns the handlers of a definition.
    pub(crate) handlers: Function,
    /// Runs a handler.
    pub(crate) fire: Function,
    /// `applies` and `label`, where the schema has them.
    pub(crate) frame: Table,
}

impl Interpreter {
    /// Reads the functions of a schema; none without `handlers` and `fire`. Errors: memory.
    pub(crate) fn read(lua: &Lua, schema: &Table) -> mlua::Result<Option<Interpreter>> {
        let function = |key: &str| schema.raw_get::<Option<Function>>(key).ok().flatten();
        let (Some(handlers), Some(fire)) = (function("handlers"), function("fire")) else {
            return Ok(None);
        };
        let frame = lua.create_table()?;
        frame.raw_set("applies", function("applies"))?;
        frame.raw_set("label", function("label"))?;
        frame.set_readonly(true);
        Ok(Some(Interpreter {
            handlers,
            fire,
            frame,
        }))
    }
}
