//! Rules that scripts read and run themselves, such as the lines of a text. Each runs above a savepoint. If a rule
//! breaks, the game master decides whether the command goes on without it.

use mlua::{Lua, Value as LuaValue};

use super::handler_error::{Broken, decide_about_broken_rule};
use super::named_work;
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{NameArgument, This};
use crate::script::border::type_in_words;
use crate::script::host::Host;
use crate::script::run::Guard;
use crate::script::run::cause::Cause;

/// Begins a rule and makes it the cause at work. If the rule breaks, the state is rolled back to here.
///
/// Errors: as `act:with_cause`, or the rule has no name.
pub(super) fn begin_rule(
    lua: &Lua,
    host: &Host,
    (act, rule, row, what, work): (This, LuaValue, Option<NameArgument>, LuaValue, String),
) -> mlua::Result<()> {
    let LuaValue::String(rule) = &rule else {
        let message = format!(
            "`act:run_rule` expects a text as its first argument that names the rule, found {}",
            type_in_words(rule.type_name())
        );
        return Err(refusal_error("script/argument", message));
    };
    let rule = rule.to_str()?.to_owned();
    let above = named_work::begin_named_cause(lua, host, (act, row, what, work))?;
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    let savepoint = run.make_savepoint(run.motion.causes.cause_at_work());
    run.motion.guards.push(Guard {
        rule: rule.into(),
        savepoint,
        above,
        events: run.motion.frames.len(),
    });
    Ok(())
}

/// Ends a rule that ran to its end.
pub(super) fn end_rule(_: &Lua, host: &Host, act: This) -> mlua::Result<()> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    if let Some(guard) = run.motion.guards.pop() {
        run.motion.causes.resume_cause(guard.above, &run.state);
    }
    Ok(())
}

/// Decides about a rule that broke: rolls back to its savepoint and asks the game master.
///
/// Errors: the command stops: a limit, a waiting ruling, a refusal, or the game does not go on without the rule.
pub(super) fn handle_broken_rule(
    lua: &Lua,
    host: &Host,
    (act, problem): (This, LuaValue),
) -> mlua::Result<()> {
    decide_about_broken_rule(lua, host, (act, problem), |run| {
        let guard = run.motion.guards.pop()?;
        let (what, row) = match run.motion.causes.cause_by_number(guard.savepoint.cause) {
            Cause::Work { what, row } => (what.clone(), *row),
            _ => return None,
        };
        run.motion.frames.truncate(guard.events);
        run.roll_back_to_savepoint(&guard.savepoint, guard.above);
        let row = row.map(|row| run.state.names().text(row));
        Some(Broken {
            rule: guard.rule,
            what: Some(what),
            element: row,
        })
    })
}
