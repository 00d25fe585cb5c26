//! Methods of `act` that attach attributes.

use mlua::Lua;

use super::clock_steps::{error_of_finding, phases_of_ruleset};
use super::row_arguments::{existing_row, read_new_row_fields, store_refusal};
use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, NameArgument, This};
use crate::script::former_names;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::audiences::read_existing_audience;
use crate::script::run::Run;
use crate::script::run::checks_in_force::Checks;
use crate::store::Write;
use crate::store::end_conditions::{Setting, resolve_duration};
use crate::value::{Name, Value};

pub(super) fn attach_record(
    _: &Lua,
    host: &Host,
    (act, owner, kind, values, options): (
        This,
        NameArgument,
        NameArgument,
        Option<Argument>,
        Option<Argument>,
    ),
) -> mlua::Result<String> {
    let options = options.map_or(Value::Nil, |options| with_present_option_names(options.0));
    check_visible_to(host, options.get("visible_to"))?;
    let mut run = host.ruling_to_change(act)?;
    let owner = existing_row(host, &run, &owner)?;
    let kind = host.new_name(&kind)?;
    let mut fields = read_new_row_fields(host, &run, values)?;
    check_no_stored_fields(host, &run, &fields)?;
    let ends = add_attach_options(&run, &options, &mut fields)?;
    if let Some(cause) = run.cause_for_record(&host.names) {
        fields.push((run.state.reserved().cause, cause));
    }
    let row = run.state.take_record_id(kind).map_err(store_refusal)?;
    if !ends.is_nil() {
        let ends = resolve_record_ends(host, &run, (row, owner), &ends)?;
        fields.push((run.state.reserved().ends, ends));
    }
    run.state
        .apply(Write::Put {
            row,
            kind,
            owner: Some(owner),
            fields,
        })
        .map_err(store_refusal)?;
    Ok(host.names.text(row).to_string())
}

/// Checks that values are not fields of the store, which the options set. Recorded lines may have set some.
fn check_no_stored_fields(host: &Host, run: &Run, fields: &[(Name, Value)]) -> mlua::Result<()> {
    let mut names = fields.iter().map(|(field, _)| host.names.text(*field));
    let stored = names.find(|name| name.starts_with('@'));
    let Some(name) = stored.filter(|_| run.checks == Checks::Now) else {
        return Ok(());
    };
    let message = format!("the values of `act:attach` cannot set `{name}`, a field of the store");
    let finding = Diagnostic::error("script/argument", message);
    let hint = "set it with an option: source, as, modifiers, only_if, duration or visible_to";
    Err(HostError::error_of_finding(finding.hint(hint)))
}

/// Returns options under their present names. A former name beside the present one, or beside another former one, stays
/// and is refused.
pub(super) fn with_present_option_names(options: Value) -> Value {
    let Some(entries) = options.as_map() else {
        return options;
    };
    if entries
        .keys()
        .all(|key| former_names::present_option(key) == &**key)
    {
        return options;
    }
    let mut present = entries.clone();
    for (key, value) in entries {
        let now = former_names::present_option(key);
        if !present.contains_key(now) {
            present.remove(key);
            present.insert(now.into(), value.clone());
        }
    }
    Value::map(present)
}

/// Adds the options of `act:attach` to the fields of a record. Returns the duration in the form in which it was given.
///
/// Errors: an unknown option.
fn add_attach_options(
    run: &Run,
    options: &Value,
    fields: &mut Vec<(Name, Value)>,
) -> mlua::Result<Value> {
    let reserved = run.state.reserved();
    let mut ends = Value::Nil;
    for (key, value) in options.as_map().into_iter().flatten() {
        let field = match key.as_ref() {
            "source" => reserved.source,
            "as" => reserved.acting,
            "modifiers" => reserved.modifiers,
            "only_if" => reserved.guard,
            "visible_to" => reserved.seen,
            "duration" => {
                ends = value.clone();
                continue;
            }
            other => {
                let message = format!("`act:attach` has no option \"{other}\"");
                let known = [
                    "source",
                    "as",
                    "modifiers",
                    "only_if",
                    "duration",
                    "visible_to",
                ];
                let finding = Diagnostic::error("script/argument", message);
                let hint = match former_names::present_option(other) {
                    now if now != other => format!("`{now}` is the same, and it is there too"),
                    _ => near_hint(other, known),
                };
                return Err(HostError::error_of_finding(finding.hint(hint)));
            }
        };
        fields.push((field, value.clone()));
    }
    Ok(ends)
}

/// Checks the audience of a record or a row, which may be nil. Errors: the value does not name an audience.
///
/// The check asks the ruleset for the seats, so the caller must not hold the ruling.
pub(in crate::script::api) fn check_visible_to(host: &Host, value: &Value) -> mlua::Result<()> {
    if value.is_nil() {
        return Ok(());
    }
    let Some(text) = value.as_str() else {
        let message = format!(
            "`visible_to` is a text that names an audience, found a {}",
            value.kind()
        );
        return Err(refusal_error("script/argument", message));
    };
    read_existing_audience(host, text).map(drop)
}

/// Returns end conditions in the form that a record keeps.
fn resolve_record_ends(
    host: &Host,
    run: &Run,
    (record, owner): (Name, Name),
    ends: &Value,
) -> mlua::Result<Value> {
    host.charge(4 * ends.items().len() as u64)?;
    let setting = Setting {
        state: &run.state,
        phases: &phases_of_ruleset(host),
        record,
        owner,
        check_event: &|name, paths| match run.checks {
            Checks::Now => host.check_event_and_fields(name, paths),
            Checks::Then => host.check_event_and_fields(name, &[]),
        },
        unreadable: &|text| host.parsed_condition(&text.into()).error().cloned(),
        is_answered: &|| host.rules.borrow().record_end_test_function().is_some(),
    };
    resolve_duration(ends, &setting).map_err(error_of_finding)
}
