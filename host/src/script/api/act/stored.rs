//! This module reads the handlers of rows that are definitions themselves, when an event is told and nobody read them yet.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use crate::script::border::convert::to_lua;
use crate::script::border::stack_value::This;
use crate::script::host::Host;
use crate::script::host::read_only::seal;
use crate::script::run::interpreter::Interpreter;
use crate::script::run::listeners::{Listeners, Stored};
use crate::script::run::read_handler::{MOST, ReadHandler, handler};
use crate::value::{Name, Value};

/// Reads the handlers of rows that are definitions, where nobody did yet. It costs no fuel: another machine may know them.
pub(super) fn read_stored(lua: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let unread: Vec<(Name, usize, Value)> = {
        let run = host.ruling(act)?;
        if !run.state.has_unread() {
            return Ok(());
        }
        let unread = run.state.unread_definitions().into_iter();
        unread
            .map(|(row, entry, said)| (row, entry, said.clone()))
            .collect()
    };
    let used = host.meter.used();
    let rules = Rc::clone(&host.rules.borrow());
    let mut listeners = (*rules.listeners()).clone();
    let mut known = Vec::new();
    for (row, entry, said) in unread {
        let Some(collection) = listeners.collection_of(entry).cloned() else {
            continue;
        };
        let handled = match listeners.stored(row, entry, &said) {
            Some(handled) => handled,
            None => {
                let interpreter = &rules.interpreters[&collection];
                let id = host.names.text(row);
                host.meter.begin_callback();
                let read = handlers_of(lua, host, (interpreter, &listeners), (&id, &said))?;
                let stored = Stored {
                    contract: &rules.contracts[&collection],
                    interpreter,
                    row,
                    entry,
                    said,
                };
                listeners.add_stored(stored, &read, &host.names)
            }
        };
        known.push((row, entry, handled));
    }
    *rules.listeners.borrow_mut() = Rc::new(listeners);
    host.meter.reset(used);
    host.ruling(act)?.state.learn(known);
    Ok(())
}

/// Reads the handlers of a definition that is a row and says this; what is no handler is left out, and where that cannot be read
/// it has none: whatever made the row is to be checked before. Errors: a limit that reading passes; then nothing is known of it.
fn handlers_of(
    lua: &Lua,
    host: &Host,
    (interpreter, events): (&Interpreter, &Listeners),
    (id, said): (&str, &Value),
) -> mlua::Result<Vec<ReadHandler>> {
    let LuaValue::Table(definition) = to_lua(said, lua)? else {
        return Ok(Vec::new());
    };
    definition.raw_set("id", id)?;
    seal(&definition)?;
    let list = match interpreter.handlers.call::<Table>(definition) {
        Ok(list) => list,
        Err(error) if host.is_stopped() => return Err(error),
        Err(_) => return Ok(Vec::new()),
    };
    let said = list.sequence_values::<LuaValue>().flatten().take(MOST);
    let read: Vec<ReadHandler> = said.flat_map(|said| handler(said, events)).collect();
    for one in &read {
        seal(&one.table)?;
    }
    Ok(read)
}
