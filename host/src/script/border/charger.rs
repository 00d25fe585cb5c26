//! Functions of a machine that the border needs. A machine that counts fuel installs one function that charges fuel,
//! and one that returns whether the running line is live.

use mlua::Lua;

/// Charges fuel. Errors: the limit that is passed.
type Charge = Box<dyn Fn(u64) -> mlua::Result<()>>;

/// The functions of a machine.
pub(crate) struct Charger {
    charge: Charge,
    is_given_now: Box<dyn Fn() -> bool>,
}

impl Charger {
    /// Installs the function that charges fuel at the border of a machine, and the function that returns whether the
    /// running line is live.
    pub(crate) fn install(
        lua: &Lua,
        charge: impl Fn(u64) -> mlua::Result<()> + 'static,
        is_given_now: impl Fn() -> bool + 'static,
    ) {
        lua.set_app_data(Charger {
            charge: Box::new(charge),
            is_given_now: Box::new(is_given_now),
        });
    }
}

/// Charges work on a machine. A machine that counts no fuel charges nothing. Errors: the limit that is passed.
pub(crate) fn charge(lua: &Lua, work: u64) -> mlua::Result<()> {
    match lua.app_data_ref::<Charger>() {
        Some(charger) if work > 0 => (charger.charge)(work),
        _ => Ok(()),
    }
}

/// Returns whether the running line is live: all checks apply to a live line.
pub(crate) fn is_live_line(lua: &Lua) -> bool {
    let charger = lua.app_data_ref::<Charger>();
    charger.is_some_and(|charger| (charger.is_given_now)())
}
