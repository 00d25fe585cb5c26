//! The method of `act` for a change that a person decides and no rule produces.

use mlua::Lua;

use crate::script::api::refusal_error;
use crate::script::border::stack_value::This;
use crate::script::host::Host;

/// Most characters of a reason.
pub(crate) const LONGEST: usize = 1_000;

pub(super) fn declare_fiat(
    _: &Lua,
    host: &Host,
    (act, reason): (This, Option<String>),
) -> mlua::Result<()> {
    let mut run = host.ruling_to_change(act)?;
    let reason = reason.unwrap_or_default().trim().to_owned();
    let count = reason.chars().count();
    if count > LONGEST {
        let message = format!("the reason has {count} characters, at most {LONGEST} are allowed");
        return Err(refusal_error("limit/size", message));
    }
    run.motion.recorded.fiat = Some(Some(reason).filter(|reason| !reason.is_empty()));
    Ok(())
}
