//! Named causes: work of a rule under a text as its name, for example a line of content.

use mlua::{Lua, Value as LuaValue};

use super::endless_rules::stop_endless_rules;
use super::event_emission::count_handler_runs;
use crate::diag::Diagnostic;
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{NameArgument, This};
use crate::script::border::type_in_words;
use crate::script::host::Host;
use crate::script::run::Run;
use crate::script::run::cause::Cause;
use crate::value::Text;

/// Characters of a text that are kept. A longer text is cut at this length.
pub(crate) const MOST: usize = 200;

/// Makes a named cause the cause at work, and returns the earlier cause at work.
///
/// Errors: the name is not a text, `work` is not the type of a function, or there are too many or too deeply nested
/// causes.
pub(super) fn begin_named_cause(
    lua: &Lua,
    host: &Host,
    (act, row, what, work): (This, Option<NameArgument>, LuaValue, String),
) -> mlua::Result<u32> {
    let mut guard = host.ruling_outside_expressions(act, "cannot call `act:with_cause`")?;
    let run = &mut *guard;
    if work != "function" {
        let message =
            format!("`act:with_cause` expects a function as its third argument, found {work}");
        return Err(refusal_error("script/argument", message));
    }
    let what = read_cause_name(&what)?;
    // The row may be gone by now.
    let row = row.map(|row| host.new_name(&row)).transpose()?;
    check_cause_depth(lua, host, run)?;
    count_handler_runs(lua, host, run, 1)?;
    let causes = &mut run.motion.causes;
    let above = causes.cause_at_work();
    causes.begin_cause(above, Cause::Work { what, row }, &run.state);
    Ok(above)
}

/// Returns the name of a cause. Errors: the name is not a text, or it is empty.
fn read_cause_name(what: &LuaValue) -> mlua::Result<Text> {
    let text = match what {
        LuaValue::String(text) => Some(text.to_str()?),
        _ => None,
    };
    match text.as_deref() {
        Some(text) if !text.is_empty() => Ok(cut_cause_name(text)),
        _ => {
            let found = if text.is_some() {
                "an empty one".to_owned()
            } else {
                type_in_words(what.type_name())
            };
            let message = format!(
                "`act:with_cause` expects a text as its second argument that names the cause, found {found}"
            );
            Err(refusal_error("script/argument", message))
        }
    }
}

/// Returns a name, cut if it is too long.
pub(super) fn cut_cause_name(text: &str) -> Text {
    match text.char_indices().nth(MOST) {
        None => text.into(),
        Some((at, _)) => format!("{}…", &text[..at]).into(),
    }
}

/// Checks the depth of causes. Errors: `limit/depth`, with the chain of causes.
fn check_cause_depth(lua: &Lua, host: &Host, run: &Run) -> mlua::Result<()> {
    let most = host.meter.limits().event_depth;
    if run.motion.causes.work_depth() < most {
        return Ok(());
    }
    let message = format!("`act:with_cause` blocks are nested more than {most} levels deep");
    let finding = Diagnostic::error("limit/depth", message);
    Err(stop_endless_rules(lua, host, run, finding))
}

/// Makes the earlier cause the cause at work again.
pub(super) fn resume_cause(_: &Lua, host: &Host, (act, above): (This, u32)) -> mlua::Result<()> {
    let mut guard = host.ruling(act)?;
    let run = &mut *guard;
    run.motion.causes.resume_cause(above, &run.state);
    Ok(())
}
