//! Reads audiences that scripts name. A message to a name that no player or group has would be lost.
//!
//! In: a text, and the seats and groups of the game as the ruleset returns them at that moment. Out: the audience, or
//! an error with hints about valid names. If the ruleset does not list its players, any name is a seat.

use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use super::seats::known_seats;
use crate::diag::{Diagnostic, near_hint, nearest_names};
use crate::doc::{Audience, Document};
use crate::script::border::value_conversion::from_lua;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::rules::Rules;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::seats::Seats;

/// The audience of everybody.
const PUBLIC: &str = "public";
/// Fewest letters of a name that is compared with `public`.
const SLIP: usize = 5;
/// Fuel of a group that is not found: its name is compared with all existing ones.
const NOBODY: u64 = 100;
/// Forms of the name of an audience.
const FORMS: &str = "write public, gm, the name of a player, or group:NAME";

/// Reads an audience. Errors: `script/document` if the text is not an audience, `script/no-audience` if it has no
/// members.
pub(crate) fn read_existing_audience(host: &Host, text: &str) -> mlua::Result<Audience> {
    let audience = Audience::parse(text).map_err(HostError::error_of_finding)?;
    check_audience_has_member(host, &audience)?;
    Ok(audience)
}

/// Checks all audiences in a document. Errors: `script/no-audience`.
pub(crate) fn check_document_audiences(host: &Host, document: &Document) -> mlua::Result<()> {
    let mut named = BTreeSet::new();
    document.for_each_audience(&mut |audience| {
        named.insert(audience.clone());
    });
    for audience in &named {
        check_audience_has_member(host, audience)?;
    }
    Ok(())
}

/// Checks that an audience contains a person. Errors: `script/no-audience`.
pub(crate) fn check_audience_has_member(host: &Host, audience: &Audience) -> mlua::Result<()> {
    check_audience_member_exists(host, audience)?.map_err(HostError::error_of_finding)
}

/// Checks that an audience has a member. The inner error is `script/no-audience`.
/// Errors: an error of the ruleset's function.
fn check_audience_member_exists(
    host: &Host,
    audience: &Audience,
) -> mlua::Result<Result<(), Box<Diagnostic>>> {
    if matches!(audience, Audience::Public | Audience::Gm)
        || !is_live_ruling(host)
        || was_known_audience(host, audience)
    {
        return Ok(Ok(()));
    }
    let rules = Rc::clone(&host.rules.borrow());
    let seats = known_seats(host, &rules)?;
    Ok(match audience {
        Audience::Public | Audience::Gm => Ok(()),
        Audience::Seat(name) => check_known_seat(&seats, name),
        Audience::Group(name) if seats.has_group(name) => Ok(()),
        Audience::Group(name) => {
            let declared = declared_groups(host, &rules)?;
            host.charge(NOBODY)?;
            check_declared_group(&seats, &declared, name)
        }
    })
}

/// Checks that the name of a group is not another spelling of an existing one. Errors: `script/no-audience`.
///
/// A name that resembles no existing group is a group without members.
pub(crate) fn check_group(host: &Host, name: &str) -> mlua::Result<()> {
    match check_audience_member_exists(host, &Audience::Group(name.to_owned()))? {
        Err(finding) if finding.hints.len() > 1 => Err(HostError::error_of_finding(finding)),
        _ => Ok(()),
    }
}

/// Returns whether a ruling runs with a live line.
fn is_live_ruling(host: &Host) -> bool {
    let run = host.running_ruling();
    run.as_ref().is_some_and(|run| run.checks == Checks::Now)
}

/// Returns whether an audience had a member when the run last asked for the seats. Then it is not a misspelling,
/// regardless of later changes.
fn was_known_audience(host: &Host, audience: &Audience) -> bool {
    let run = host.running_ruling();
    let known = run.as_ref().and_then(|run| run.known_seats.as_ref());
    known.is_some_and(|(_, seats)| match audience {
        Audience::Public | Audience::Gm => true,
        Audience::Seat(name) => seats.names().is_some_and(|names| names.contains(&&**name)),
        Audience::Group(name) => seats.has_group(name),
    })
}

fn check_known_seat(seats: &Seats, name: &str) -> Result<(), Box<Diagnostic>> {
    let Some(known) = seats.names() else {
        return match is_slip_of_public(name) {
            false => Ok(()),
            true => Err(no_audience_finding(name, near_hint(name, [PUBLIC]))
                .hint(format!("write seat:{name} for a player of this name"))
                .into()),
        };
    };
    if known.contains(&name) {
        return Ok(());
    }
    let near = near_hint(name, known.iter().copied().chain([PUBLIC]));
    let finding = no_audience_finding(name, near).hint(seats.known_seats_in_words());
    Err(finding.hint(FORMS).into())
}

/// Returns whether a name is most likely a misspelling of `public`.
pub(crate) fn is_slip_of_public(name: &str) -> bool {
    name.chars().count() >= SLIP && !nearest_names(name, [PUBLIC], 1).is_empty()
}

fn check_declared_group(
    seats: &Seats,
    declared: &[String],
    name: &str,
) -> Result<(), Box<Diagnostic>> {
    if declared.iter().any(|one| one == name) {
        return Ok(());
    }
    let known: BTreeSet<&str> = seats
        .all_groups()
        .chain(declared.iter().map(String::as_str))
        .collect();
    let message = format!("there is no group \"{name}\"");
    let finding = Diagnostic::error("script/no-audience", message);
    let hint = "list a group that is still empty in `groups` of `seats` in ruleset.luau";
    Err(finding.hint(near_hint(name, known)).hint(hint).into())
}

fn no_audience_finding(name: &str, near: String) -> Diagnostic {
    let message = format!("unknown audience \"{name}\": nobody would see this");
    Diagnostic::error("script/no-audience", message).hint(near)
}

/// Returns `groups` of `seats` of the ruleset: a list of groups, or a function that returns one.
pub(crate) fn groups_function(rules: &Rules) -> Option<LuaValue> {
    let table = rules.ruleset_table.as_ref()?;
    let seats = table.raw_get::<Table>("seats").ok()?;
    seats.raw_get("groups").ok()
}

/// Returns the groups that exist without members. Errors: an error of the ruleset's function.
fn declared_groups(host: &Host, rules: &Rules) -> mlua::Result<Vec<String>> {
    let said = match groups_function(rules) {
        Some(LuaValue::Function(function)) => ask_groups(host, &function)?,
        Some(groups) => groups,
        None => LuaValue::Nil,
    };
    let said = from_lua(said).map_err(|reason| no_groups_error(&reason.to_string()))?;
    let names = said
        .items()
        .iter()
        .map(|one| one.as_str().map(str::to_owned));
    let names: Option<Vec<String>> = names.collect();
    names.ok_or_else(|| no_groups_error("the names of groups are texts"))
}

fn ask_groups(host: &Host, function: &Function) -> mlua::Result<LuaValue> {
    host.call_from_host_function(function, host.live_act())
}

fn no_groups_error(why: &str) -> mlua::Error {
    let message = format!("`groups` of `seats` of the ruleset does not return groups: {why}");
    HostError::error_of_finding(
        Diagnostic::error("script/seats", message).hint("return a list of names"),
    )
}
