//! Callbacks from expressions of the store to the rules: names and functions of `ruleset.luau`.
//!
//! No code holds the ruling while a script runs: expressions are evaluated on a view of its state. The callbacks may
//! look at the game and change nothing.

use std::cell::{RefCell, RefMut};
use std::sync::Arc;

use mlua::{Function, IntoLua, Lua, MultiValue, Table};

use crate::diag::Diagnostic;
use crate::expr::{Item, Several};
use crate::script::border::value_conversion;
use crate::script::fuel::STEPS;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::store::{Frame, Look, Outside, State, StoreError};
use crate::value::Name;

/// Looks at the state of a ruling together with its rules, and returns the result.
///
/// Errors: an error of the look as a refusal, an error of a script unchanged.
pub(crate) fn look_with_rules<R>(
    lua: &Lua,
    host: &Host,
    run: RefMut<'_, Run>,
    body: impl FnOnce(Look<'_>) -> Result<R, StoreError>,
) -> mlua::Result<R> {
    let rules = Rules {
        lua,
        host,
        stopped: RefCell::default(),
    };
    let seen = if run.state.stats().vocabulary().is_empty() {
        body(Look::new(&run.state, &rules))
    } else {
        let view = run.state.view();
        drop(run);
        body(Look::new(&view, &rules))
    };
    seen.map_err(|error| {
        let stopped = rules.stopped.take();
        stopped.unwrap_or_else(|| HostError::error_of_finding(error.to_diagnostic()))
    })
}

/// The rules of a machine in the form for the store.
struct Rules<'a> {
    lua: &'a Lua,
    host: &'a Host,
    /// The error that ended a callback. The store only gets the information that there was no answer.
    stopped: RefCell<Option<mlua::Error>>,
}

impl Outside for Rules<'_> {
    fn variable(&self, state: &State, name: &str, frame: Frame) -> Result<Item, StoreError> {
        let function = self.expression_function("variables", |table| table.raw_get(name).ok());
        self.call_expression_function(state, name, function, &[], frame)
    }

    fn call(
        &self,
        state: &State,
        name: &str,
        operands: &[Item],
        frame: Frame,
    ) -> Result<Item, StoreError> {
        let function = self.expression_function("functions", |table| {
            table.raw_get::<Table>(name).ok()?.raw_get("run").ok()
        });
        self.call_expression_function(state, name, function, operands, frame)
    }

    fn spend(&self, steps: usize) -> Result<(), StoreError> {
        let charged = self.host.charge(steps.div_ceil(STEPS) as u64);
        charged.map_err(|limit| self.stop_with_error("limit", limit))
    }
}

impl Rules<'_> {
    fn expression_function(
        &self,
        part: &str,
        find: impl FnOnce(Table) -> Option<Function>,
    ) -> Option<Function> {
        let rules = self.host.rules.borrow();
        let expressions: Table = rules.ruleset_table.as_ref()?.raw_get("expressions").ok()?;
        find(expressions.raw_get(part).ok()?)
    }

    fn call_expression_function(
        &self,
        state: &State,
        name: &str,
        function: Option<Function>,
        operands: &[Item],
        frame: Frame,
    ) -> Result<Item, StoreError> {
        let (Some(function), Some(act)) = (function, self.host.live_act()) else {
            return Err(StoreError::NoAnswer(name.into()));
        };
        let ask = || {
            let _looking = self.host.allow_looking_only();
            let mut arguments = vec![
                mlua::Value::Table(act),
                mlua::Value::Table(self.row_ids_table(state, frame)?),
            ];
            for operand in operands {
                arguments.push(item_to_lua(operand, self.lua)?);
            }
            let arguments = MultiValue::from_vec(arguments);
            let given: mlua::Value = self.host.call_from_host_function(&function, arguments)?;
            item_from_lua(given).map_err(|reason| {
                let message = format!("\"{name}\" returned {reason} to an expression");
                let finding = Diagnostic::error("script/expression", message);
                HostError::error_of_finding(
                    finding.hint("return a number, true, false, a text or nothing"),
                )
            })
        };
        ask().map_err(|error| self.stop_with_error(name, error))
    }

    /// Returns the ids of the rows that an expression can name.
    fn row_ids_table(&self, state: &State, frame: Frame) -> mlua::Result<Table> {
        let scope = self.lua.create_table()?;
        let rows: [(&str, Option<Name>); 4] = [
            ("self", frame.itself),
            ("owner", frame.owner(state)),
            ("source", frame.source(state)),
            ("record", frame.record),
        ];
        for (word, row) in rows {
            if let Some(row) = row {
                scope.raw_set(word, &*state.names().text(row))?;
            }
        }
        Ok(scope)
    }

    fn stop_with_error(&self, name: &str, error: mlua::Error) -> StoreError {
        self.stopped.replace(Some(error));
        StoreError::NoAnswer(name.into())
    }
}

/// Returns an item in the form for scripts. Errors: a number of more than 28 digits.
pub(crate) fn item_to_lua(item: &Item, lua: &Lua) -> mlua::Result<mlua::Value> {
    match item {
        Item::Nil => Ok(mlua::Value::Nil),
        Item::Bool(value) => Ok(mlua::Value::Boolean(*value)),
        Item::Text(text) => (&**text).into_lua(lua),
        Item::Several(several) => item_to_lua(&several.shown, lua),
        Item::Number(number) => match number.to_number() {
            Some(number) => Ok(mlua::Value::Number(number.to_f64())),
            None => Err(HostError::error_of_finding(Diagnostic::error(
                "script/number",
                "a number may have at most 28 digits",
            ))),
        },
    }
}

/// Returns the item for a value from a script. Errors: the kind of an invalid value, in words.
pub(crate) fn item_from_lua(value: mlua::Value) -> Result<Item, String> {
    if let mlua::Value::Table(table) = &value {
        return item_from_table(table);
    }
    let value = value_conversion::from_lua(value)
        .map_err(|reason| format!("a value that cannot be used ({reason})"))?;
    Item::from_value(&value).map_err(|kind| format!("a {kind}"))
}

/// Reads a value that also equals others: `{ shown, also }`. Errors: the word for any other table.
fn item_from_table(table: &Table) -> Result<Item, String> {
    let read = || -> mlua::Result<Option<(mlua::Value, Table)>> {
        let shown: mlua::Value = table.raw_get("shown")?;
        let also: Option<Table> = table.raw_get("also")?;
        Ok(also.map(|also| (shown, also)))
    };
    let Ok(Some((shown, also))) = read() else {
        let value = value_conversion::from_lua(mlua::Value::Table(table.clone()));
        let value = value.map_err(|reason| format!("a value that cannot be used ({reason})"))?;
        return Item::from_value(&value).map_err(|kind| format!("a {kind}"));
    };
    let also = also.sequence_values::<mlua::Value>();
    let also = also.map(|one| item_from_lua(one.map_err(|_| "a broken list".to_owned())?));
    Ok(Item::Several(Arc::new(Several {
        shown: item_from_lua(shown)?,
        also: also.collect::<Result<_, _>>()?,
    })))
}
