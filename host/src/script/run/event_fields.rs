//! Notes the changes that handlers make to the fields of an event, in a traced run.
//!
//! A script changes a field without a call of the host, so the fields are compared before and after each handler.

use std::collections::BTreeMap;

use mlua::Table;

use super::trace::Step;
use crate::script::border::value_conversion;
use crate::value::Value;

/// An event that is being emitted.
#[derive(Clone, Debug)]
pub(crate) struct TracedEmission {
    /// Its line.
    pub(crate) line: usize,
    /// The number of events that are being emitted around it.
    pub(crate) depth: usize,
    /// The line of the last handler that handled it.
    pub(crate) handler: Option<usize>,
    event: Table,
    /// Its fields as they were when they were last compared.
    fields: BTreeMap<String, Value>,
}

impl TracedEmission {
    /// Returns an event that no handler has handled yet.
    pub(crate) fn new((line, depth): (usize, usize), event: Table) -> TracedEmission {
        TracedEmission {
            line,
            depth,
            handler: None,
            fields: fields_of(&event),
            event,
        }
    }

    /// Returns the changes of its fields since they were last compared.
    pub(crate) fn take_changed_fields(&mut self) -> Vec<Step> {
        let now = fields_of(&self.event);
        let before = std::mem::replace(&mut self.fields, now);
        changed_field_steps(&before, &self.fields)
    }
}

/// Returns the fields that differ, by name.
fn changed_field_steps(
    before: &BTreeMap<String, Value>,
    now: &BTreeMap<String, Value>,
) -> Vec<Step> {
    let value = |of: &BTreeMap<String, Value>, field: &str| of.get(field).cloned();
    let all: BTreeMap<&String, &Value> = before.iter().chain(now).collect();
    let steps = all.into_keys().filter_map(|field| {
        let old = value(before, field).unwrap_or_default();
        let new = value(now, field).unwrap_or_default();
        let field = field.clone();
        (old != new).then_some(Step::Turned { field, old, new })
    });
    steps.collect()
}

/// Returns the fields with a name that hold plain data. The others are not shown to people.
fn fields_of(event: &Table) -> BTreeMap<String, Value> {
    let mut fields = BTreeMap::new();
    // Nothing is charged: tracing does not change the limits of a run. The walk itself never ends early.
    let _ = event.for_each(|key: mlua::Value, value: mlua::Value| {
        let name = key
            .as_string()
            .and_then(|key| Some(key.to_str().ok()?.to_owned()));
        if let (Some(name), (Ok(value), _)) = (name, value_conversion::from_lua_with_fuel(value)) {
            fields.insert(name, value);
        }
        Ok(())
    });
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(lua: &mlua::Lua, text: &str) -> Table {
        lua.load(text).eval().unwrap()
    }

    #[test]
    fn fields_that_come_go_and_change_are_steps_by_name_and_only_once() {
        let lua = mlua::Lua::new();
        let table = event(
            &lua,
            "{ force = 4, by = 'x', gone = true, own = print, [1] = 2 }",
        );
        let mut telling = TracedEmission::new((0, 0), table.clone());
        assert_eq!(telling.take_changed_fields(), []);
        let change = "local e = ... e.force -= 1 e.gone = nil e.to = { 'a' } e.own = nil e[1] = 3";
        lua.load(change).call::<()>(table).unwrap();
        let step = |field: &str, old: Value, new: Value| Step::Turned {
            field: field.to_owned(),
            old,
            new,
        };
        let list = Value::list([Value::from("a")]);
        let expected = [
            step("force", 4.into(), 3.into()),
            step("gone", true.into(), Value::Nil),
            step("to", Value::Nil, list),
        ];
        assert_eq!(telling.take_changed_fields(), expected);
        assert_eq!(telling.take_changed_fields(), []);
    }
}
