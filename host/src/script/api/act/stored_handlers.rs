//! Reads the handlers of rows that are definitions themselves, if an event is emitted and the handlers were not read
//! yet.

use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::{Lua, Value as LuaValue};

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::script::border::stack_value::This;
use crate::script::border::value_conversion::to_lua;
use crate::script::host::Host;
use crate::script::host::error_findings::diagnose;
use crate::script::host::read_only_tables::seal_deeply;
use crate::script::run::handler_interpreter::Interpreter;
use crate::script::run::listeners::{Listeners, Stored};
use crate::script::run::read_handler::{MOST, ReadHandler, Wrong, read_handler};
use crate::value::{Name, Text, Value};

/// Reads the handlers of rows that are definitions and were not read yet. Each has the fuel of a callback. The command
/// pays nothing for the reading, because another machine may know the handlers.
pub(super) fn read_stored_handlers(lua: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let unread: Vec<(Name, usize, Value)> = {
        let run = host.ruling(act)?;
        if !run.state.has_unread_definitions() {
            return Ok(());
        }
        let unread = run.state.unread_definitions().into_iter();
        unread
            .map(|(row, entry, said)| (row, entry, said.clone()))
            .collect()
    };
    let rules = Rc::clone(&host.rules.borrow());
    let (mut known, mut told) = (Vec::new(), Vec::new());
    for (row, entry, said) in unread {
        let listeners = rules.listeners();
        let Some(collection) = listeners.collection_of_entry(entry).cloned() else {
            continue;
        };
        let read = match listeners.handlers_of_stored_row(row, entry, &said) {
            Some(read) => read,
            None => {
                let interpreter = &rules.interpreters[&collection];
                let id = host.names.text(row);
                let aside = host.meter.begin_uncharged_work();
                let (read, wrong) =
                    read_handlers_of_row(lua, host, (interpreter, &listeners), (&id, &said))?;
                drop((aside, listeners));
                let stored = Stored {
                    schema: &rules.schemas[&collection],
                    interpreter,
                    row,
                    entry,
                    said,
                };
                // No other code holds them now: they are not copied.
                let mut listeners = rules.listeners.borrow_mut();
                Rc::make_mut(&mut listeners).add_stored_definition(
                    stored,
                    (&read, wrong),
                    &host.names,
                )
            }
        };
        let name = &rules.schemas[&collection].name;
        told.extend(read.wrong.iter().map(|wrong| {
            let row = host.names.text(row);
            (row.clone(), format!("the {name} {row} {wrong}"))
        }));
        known.push((row, entry, read.handled));
    }
    let mut run = host.ruling(act)?;
    run.state.add_row_definitions(known);
    // The report goes to the run that wrote the row. A machine that reads the row later reports nothing.
    let written = run.state.cells_since(run.state.mark_before_all());
    let written: BTreeSet<Text> = written.map(|(_, (row, _))| host.names.text(row)).collect();
    for (row, said) in told {
        let document = Document::new([paragraph(said)]).limit_to_audience(Audience::Gm);
        if written.contains(&row) && !run.documents.contains(&document) {
            run.documents.push(document);
        }
    }
    Ok(())
}

/// Reads the handlers of a row that is a definition, and reports problems. A value that is not a handler is left out
/// and reported. If the handlers cannot be read, the row has none. Errors: reading passes a limit; then nothing is
/// known of the row.
fn read_handlers_of_row(
    lua: &Lua,
    host: &Host,
    (interpreter, events): (&Interpreter, &Listeners),
    (id, said): (&str, &Value),
) -> mlua::Result<(Vec<ReadHandler>, Vec<String>)> {
    let nothing = |why: String| Ok((Vec::new(), vec![format!("handles no events: {why}")]));
    let LuaValue::Table(definition) = to_lua(said, lua)? else {
        return nothing(format!("it is {said} instead of a map"));
    };
    definition.raw_set("id", id)?;
    seal_deeply(&definition)?;
    let list = match interpreter.handlers.call::<LuaValue>(definition) {
        Ok(LuaValue::Table(list)) => list,
        Ok(_) => return nothing("`handlers` does not return a list".to_owned()),
        Err(error) if host.is_stopped() => return Err(error),
        Err(error) => {
            let finding = diagnose(&error, None, &host.rules.borrow().sources);
            let place = finding.place.map(|place| format!(", at {place}"));
            let place = place.unwrap_or_default();
            return nothing(format!("{}{place}", finding.message));
        }
    };
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    let said = list.sequence_values::<LuaValue>().flatten().take(MOST);
    for (number, said) in said.enumerate() {
        match read_handler(said, events) {
            Ok(handler) => {
                seal_deeply(&handler.table)?;
                read.push(handler);
            }
            Err(Wrong(what, _)) => wrong.push(format!("has a handler {} that {what}", number + 1)),
        }
    }
    Ok((read, wrong))
}
