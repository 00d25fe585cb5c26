//! This module is how the border charges work: a machine that counts fuel brings the function that does so.

use mlua::Lua;

/// Charges fuel. Errors: the limit that is passed.
type Charge = Box<dyn Fn(u64) -> mlua::Result<()>>;

/// The function that charges the work of a machine.
pub(crate) struct Charger(Charge);

impl Charger {
    /// Lets a machine charge what crosses its border from now on.
    pub(crate) fn install(lua: &Lua, charge: impl Fn(u64) -> mlua::Result<()> + 'static) {
        lua.set_app_data(Charger(Box::new(charge)));
    }
}

/// Charges work on a machine; one that counts nothing charges nothing. Errors: the limit that is passed.
pub(crate) fn charge(lua: &Lua, work: u64) -> mlua::Result<()> {
    match lua.app_data_ref::<Charger>() {
        Some(charger) if work > 0 => (charger.0)(work),
        _ => Ok(()),
    }
}
