//! The safe and slower replacement for unsafe code where unsafe code is off.

use std::rc::Rc;

use mlua::{Function, Lua, VmState};

use crate::script::host::Host;
use crate::script::raw::{self, Look, Owner as _};

/// Makes the machine tick the meter of `host`. Without `is_raw`, mlua's closure is used, which costs about ten times as
/// much.
pub(crate) fn install_interrupt(lua: &Lua, host: &Rc<Host>, is_raw: bool) {
    if is_raw {
        return raw::install_interrupt(lua, host);
    }
    let host = Rc::clone(host);
    lua.set_interrupt(move |lua| {
        if !host.count_safe_point() {
            return Ok(VmState::Continue);
        }
        match host.check_limits(lua.used_memory()) {
            Look::Go => {}
            Look::Collect => lua.gc_collect().unwrap_or_default(),
            Look::Stop => return Err(mlua::Error::runtime("limit")),
        }
        Ok(VmState::Continue)
    });
}

/// Returns a protected call for rules, which reports the place of an error. Without `is_raw`, only errors with a text
/// have a place.
pub(crate) fn new_place_reporting_protected_call(
    lua: &Lua,
    is_raw: bool,
) -> mlua::Result<Function> {
    match is_raw {
        true => raw::place_reporting_protected_call::<Host>(lua),
        false => protected_call(lua, false),
    }
}

/// Returns a protected call. Without `is_raw` it is the machine's own `pcall`. Then exhausted memory shows only when
/// the machine next checks its use.
pub(crate) fn protected_call(lua: &Lua, is_raw: bool) -> mlua::Result<Function> {
    match is_raw {
        true => raw::protected_call::<Host>(lua),
        false => lua.globals().get("pcall"),
    }
}
