//! Makes tables that scripts return read-only, with every table inside them.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table};

use super::Host;
use super::sandbox::constant_globals;
use crate::script::border::stack_value::This;
use crate::script::border::value_conversion::Inner;

const SEAL: &str = include_str!("definition_seal.luau");

/// The globals of the machine that `definition_seal.luau` uses.
const CONSTANT: [&str; 5] = ["getmetatable", "next", "rawset", "table", "type"];

/// Makes a table and every table inside it read-only, at any depth.
pub(crate) fn seal_deeply(table: &Table) -> mlua::Result<()> {
    let mut open = vec![table.clone()];
    while let Some(table) = open.pop() {
        if table.is_readonly() {
            continue;
        }
        table.set_readonly(true);
        table.for_each(|_: This, Inner(inner): Inner| {
            open.extend(inner);
            Ok(())
        })?;
    }
    Ok(())
}

/// Makes the many definitions of one generation read-only, at the cost of one call each.
pub(crate) struct Sealing {
    seal: Function,
    host: Rc<Host>,
}

impl Sealing {
    /// Errors: memory.
    pub(crate) fn new(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Sealing> {
        host.meter.begin_command();
        let freeze_any = lua.create_function(|_, table: Table| {
            table.set_readonly(true);
            Ok(())
        })?;
        let seal = lua
            .load(&host.compiled_bytecode(SEAL)?[..])
            .set_mode(ChunkMode::Binary)
            .set_name("=host/definition_seal.luau")
            .set_environment(constant_globals(lua, &CONSTANT)?)
            .call(freeze_any)?;
        let host = Rc::clone(host);
        Ok(Sealing { seal, host })
    }

    /// Gives a definition its id and makes it read-only. No clock stops this work of the host.
    ///
    /// Errors: memory, or the fuel of a command, which no definition of the allowed size needs.
    pub(crate) fn seal_definition(&self, table: &Table, id: &str) -> mlua::Result<()> {
        self.host.meter.begin_command();
        self.host.meter.stop_clock();
        self.seal.call((table, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Compiled, Engine, EngineOptions, load_rules};

    fn engine() -> Engine {
        let options = EngineOptions::default();
        let (engine, _) = load_rules(&[], &[], &options, Compiled::default()).unwrap();
        engine
    }

    /// Returns whether no table below one can be written to.
    fn is_sealed(table: &Table) -> bool {
        let mut inner = true;
        let walk = table.for_each(|_: mlua::Value, value: mlua::Value| {
            inner &= value.as_table().is_none_or(is_sealed);
            Ok(())
        });
        walk.is_ok() && inner && table.is_readonly()
    }

    #[test]
    fn a_definition_knows_its_id_and_nothing_in_it_can_be_written_to() {
        let engine = engine();
        let sealing = Sealing::new(&engine.lua, &engine.host).unwrap();
        for text in [
            "{}",
            "{ a = { b = { 1 } }, c = { 1, { 2 } }, d = print }",
            "{ a = { 1, b = {} }, e = table.freeze({ {}, b = {} }) }",
            "setmetatable({ a = { {} } }, { __metatable = 'mine', __index = function() return 1 end })",
        ] {
            let table: Table = engine.lua.load(text).eval().unwrap();
            sealing.seal_definition(&table, "walking").unwrap();
            assert!(is_sealed(&table), "{text}");
            assert_eq!(table.raw_get::<String>("id").unwrap(), "walking");
        }
    }

    #[test]
    fn tables_that_lie_deep_or_hold_themselves_are_sealed_too() {
        let engine = engine();
        let sealing = Sealing::new(&engine.lua, &engine.host).unwrap();
        let text = "local deep = {} local top = { deep, itself = deep } deep.top = top
          for _ = 1, 100000 do local more = {} deep.more = more deep = more end
          return top, deep";
        let (top, deepest): (Table, Table) = engine.lua.load(text).eval().unwrap();
        sealing.seal_definition(&top, "deep").unwrap();
        assert!(top.is_readonly() && deepest.is_readonly());
    }

    #[test]
    fn what_is_inside_a_definition_that_comes_read_only_is_sealed_and_it_gets_no_id() {
        let engine = engine();
        let sealing = Sealing::new(&engine.lua, &engine.host).unwrap();
        let text = "table.freeze({ { 1 } })";
        let table: Table = engine.lua.load(text).eval().unwrap();
        sealing.seal_definition(&table, "late").unwrap();
        assert!(is_sealed(&table));
        assert!(!table.contains_key("id").unwrap());
    }
}
