//! Queues: rows that wait until a rule drains them, in order.

use mlua::{Lua, Value as LuaValue};

use super::row_arguments::{read_charged_fields, store_refusal};
use super::row_methods::row_value;
use super::{add_host_record, endless_rules, record_endings};
use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, NameArgument, Returned, This};
use crate::script::border::value_conversion::to_lua;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::script::run::cause::Cause;
use crate::store::end_conditions::{Due, How};
use crate::value::{Name, Value};

/// The row that owns all entries of queues, and its kind.
const QUEUES: &str = "@queues";

/// How often a queue may refill while it is drained, if the options give no number.
pub(crate) const REFILLS: u32 = 1000;

/// Puts a row into a queue and returns its id. Returns nil if the option `once` is true and an equal row waits in the
/// queue.
pub(super) fn enqueue(
    _: &Lua,
    host: &Host,
    (act, queue, values, options): (This, NameArgument, Option<Argument>, Option<Argument>),
) -> mlua::Result<Option<String>> {
    let mut run = host.ruling_to_change(act)?;
    let queue = host.new_name(&queue)?;
    let fields = read_charged_fields(host, values)?;
    if host.rules.borrow().transient.contains(&queue) {
        let fields = fields.into_iter().filter(|(_, value)| !value.is_nil());
        let fields = fields.map(|(field, value)| (host.names.text(field), value));
        let entry = Value::map(fields);
        let is_there = || run.transient.waiting_entries(queue).contains(&entry);
        if !read_once_option(options)? || !is_there() {
            run.transient.put_entry(queue, entry);
        }
        return Ok(None);
    }
    let owner = host.names.intern(QUEUES);
    if read_once_option(options)?
        && waiting_rows_of_queue(&run, owner, queue)
            .any(|row| has_exactly_fields(&run, row, &fields))
    {
        return Ok(None);
    }
    let row = add_host_record(host, &mut run, (QUEUES, queue), fields)?;
    Ok(Some(host.names.text(row).to_string()))
}

/// Reads the options of `act:enqueue`. Errors: an option other than `once`, or a value of it other than true and false.
fn read_once_option(options: Option<Argument>) -> mlua::Result<bool> {
    let wrong =
        |finding: Diagnostic| HostError::error_of_finding(finding.hint("write { once = true }"));
    let options = read_known_options("enqueue", options, &["once"]).map_err(wrong)?;
    read_boolean_option("enqueue", &options, "once").map_err(wrong)
}

/// Returns the options of a method. Errors: they are not a table with names, or have a name that is not `known`.
fn read_known_options(
    method: &str,
    options: Option<Argument>,
    known: &[&str],
) -> Result<Value, Diagnostic> {
    let options = options.map_or(Value::Nil, |options| options.0);
    let is_empty_list = matches!(&options, Value::List(items) if items.is_empty());
    if !options.is_nil() && !is_empty_list && options.as_map().is_none() {
        let kind = options.kind();
        return Err(invalid_argument_finding(format!(
            "the options of `act:{method}` are a table with named keys, found a {kind}"
        )));
    }
    let mut keys = options.as_map().into_iter().flat_map(|map| map.keys());
    match keys.find(|key| !known.contains(&&***key)) {
        Some(key) => {
            let finding =
                invalid_argument_finding(format!("`act:{method}` has no option \"{key}\""));
            Err(finding.hint(near_hint(key, known.iter().copied())))
        }
        None => Ok(options),
    }
}

/// Returns an option that is true or false. A missing option is false. Errors: the option has another value.
fn read_boolean_option(method: &str, options: &Value, name: &str) -> Result<bool, Diagnostic> {
    match options.get(name) {
        Value::Nil => Ok(false),
        Value::Bool(is_so) => Ok(*is_so),
        other => {
            let kind = other.kind();
            Err(invalid_argument_finding(format!(
                "the option `{name}` of `act:{method}` is true or false, found a {kind}"
            )))
        }
    }
}

fn invalid_argument_finding(message: String) -> Diagnostic {
    Diagnostic::error("script/argument", message)
}

fn waiting_rows_of_queue(run: &Run, owner: Name, queue: Name) -> impl Iterator<Item = Name> {
    let rows = run.state.records_of(owner);
    rows.filter(move |row| run.state.kind(*row) == Some(queue))
}

/// Returns whether a row has exactly these fields, apart from fields of the store.
fn has_exactly_fields(run: &Run, row: Name, fields: &[(Name, Value)]) -> bool {
    let state = &run.state;
    let own = state.field_names_of_row(row).into_iter();
    let own = own
        .filter(|field| !state.names().text(*field).starts_with('@'))
        .count();
    let given = fields.iter().filter(|(_, value)| !value.is_nil()).count();
    own == given
        && fields
            .iter()
            .all(|(field, value)| state.get(row, *field) == value)
}

/// Values of the options of `act:drain`. The first is whether rows come one by one. The next two are the refill limit,
/// and whether it was given. The last two are the fields in which entries are alike, and the limit of alike entries.
type Draining = (bool, u32, bool, Option<Vec<String>>, Option<u32>);

/// Returns the values of the options of `act:drain`.
///
/// Errors: an unknown option, or an invalid value of an option; `work` is the type of the last argument, which must be
/// a function.
pub(super) fn read_drain_options(
    _: &Lua,
    _: &Host,
    (_, _, options, work): (This, NameArgument, Option<Argument>, String),
) -> mlua::Result<Draining> {
    if work != "function" {
        let message = format!("`act:drain` expects a function as its last argument, found {work}");
        return Err(HostError::error_of_finding(invalid_argument_finding(
            message,
        )));
    }
    let options = read_known_options("drain", options, &["one_by_one", "again", "alike"]);
    let options = options.map_err(HostError::error_of_finding)?;
    let is_one = read_boolean_option("drain", &options, "one_by_one")
        .map_err(HostError::error_of_finding)?;
    let again = options.get("again");
    let (fields, most) = read_alike_option(options.get("alike"), is_one)?.unzip();
    Ok((
        is_one,
        read_refill_limit(again)?,
        !again.is_nil(),
        fields,
        most,
    ))
}

/// Reads the fields in which entries are alike, and how many of those entries are taken. Errors: the option has another
/// form.
fn read_alike_option(alike: &Value, is_one: bool) -> mlua::Result<Option<(Vec<String>, u32)>> {
    if alike.is_nil() {
        return Ok(None);
    }
    let fields = alike.get("fields").items().iter();
    let fields: Option<Vec<String>> = fields
        .map(|field| field.as_str().map(str::to_owned))
        .collect();
    let most = alike
        .get("most")
        .as_i64()
        .and_then(|most| u32::try_from(most).ok());
    let is_known = alike.as_map().is_some_and(|map| map.len() == 2);
    match (
        fields.filter(|fields| !fields.is_empty()),
        most.filter(|most| *most > 0),
    ) {
        (Some(fields), Some(most)) if is_known && is_one => Ok(Some((fields, most))),
        _ => {
            let finding = invalid_argument_finding("the option `alike` of `act:drain` needs the fields in which entries are equal, and how many of those are taken one by one".to_owned());
            Err(HostError::error_of_finding(finding.hint("write { one_by_one = true, alike = { fields = { \"row\", \"value\" }, most = 50 } }")))
        }
    }
}

/// Removes all entries of a queue that leads to itself. Returns the records that ended with them.
pub(super) fn drop_waiting_rows(
    lua: &Lua,
    host: &Host,
    (act, queue, parent): (This, NameArgument, u32),
) -> mlua::Result<Returned> {
    Ok(take_waiting_rows(lua, host, (act, queue, false, parent))?.1)
}

/// Reads how often a queue may refill. Errors: the value is not an integer from 1 on.
fn read_refill_limit(again: &Value) -> mlua::Result<u32> {
    if again.is_nil() {
        return Ok(REFILLS);
    }
    let number = again.as_i64().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| *number > 0).ok_or_else(|| {
        let found = match again {
            Value::Number(number) => number.to_string(),
            other => format!("a {}", other.kind()),
        };
        let message = format!(
            "the option `again` of `act:drain` is a whole number from 1 to {}, found {found}",
            u32::MAX
        );
        refusal_error("script/argument", message)
    })
}

/// Takes all rows that wait in a queue, or the first one. Returns the rows in order, and the records that ended with
/// them. Returns nil if nothing waits.
pub(super) fn take_waiting_rows(
    lua: &Lua,
    host: &Host,
    (act, queue, one, parent): (This, NameArgument, bool, u32),
) -> mlua::Result<(Option<Vec<LuaValue>>, Returned)> {
    let nothing = || Ok((None, Returned(Value::Nil)));
    let mut guard = host.ruling_to_change(act)?;
    let run = &mut *guard;
    run.motion.causes.resume_cause(parent, &run.state);
    let Ok(queue) = host.existing_name(&queue) else {
        return nothing();
    };
    if host.rules.borrow().transient.contains(&queue) {
        let taken = run
            .transient
            .take_entries(queue, if one { 1 } else { usize::MAX });
        if taken.is_empty() {
            return nothing();
        }
        let taken = taken.iter().map(|entry| to_lua(entry, lua));
        let taken = taken.collect::<mlua::Result<Vec<LuaValue>>>()?;
        host.charge(taken.len() as u64)?;
        return Ok((Some(taken), Returned(Value::Nil)));
    }
    let Some(owner) = host.names.find(QUEUES) else {
        return nothing();
    };
    let rows: Vec<Name> = waiting_rows_of_queue(run, owner, queue)
        .take(if one { 1 } else { usize::MAX })
        .collect();
    let Some(first) = rows.first().copied() else {
        return nothing();
    };
    let mut taken = Vec::with_capacity(rows.len());
    for row in &rows {
        taken.push(to_lua(&row_value(host, run, *row)?, lua)?);
    }
    let taken_out = |record| Due {
        record,
        how: How::Detached,
        reason: "taken from its queue".to_owned(),
    };
    let ended = run
        .state
        .end_rows(rows.into_iter().map(taken_out).collect());
    let ended = record_endings::ended_records_value(host, ended.map_err(store_refusal)?)?;
    run.motion
        .causes
        .begin_cause(parent, Cause::Batch { queue, first }, &run.state);
    Ok((Some(taken), ended))
}

/// Returns the ids of the rows that wait in a queue, in order. For a transient queue, returns its entries.
pub(super) fn queue_contents(
    _: &Lua,
    host: &Host,
    (act, queue): (This, NameArgument),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let Ok(queue) = host.existing_name(&queue) else {
        return Ok(Returned(Value::list([])));
    };
    if host.rules.borrow().transient.contains(&queue) {
        let entries = run.transient.waiting_entries(queue).to_vec();
        return Ok(Returned(Value::list(entries)));
    }
    let Some(owner) = host.names.find(QUEUES) else {
        return Ok(Returned(Value::list([])));
    };
    let rows =
        waiting_rows_of_queue(&run, owner, queue).map(|row| Value::Text(host.names.text(row)));
    Ok(Returned(Value::list(rows.collect::<Vec<Value>>())))
}

/// Stops the command because a queue refills without end.
pub(super) fn stop_refilling_queue(
    lua: &Lua,
    host: &Host,
    (act, queue, again): (This, String, u32),
) -> mlua::Result<()> {
    let run = host.ruling(act)?;
    let message =
        format!("the queue \"{queue}\" was emptied {again} times and fills again each time");
    let finding = Diagnostic::error("limit/events", message)
        .hint("a rule that the queue runs adds a new entry each time");
    Err(endless_rules::stop_endless_rules(lua, host, &run, finding))
}
