//! What the border asks of the machine that it belongs to: a machine that counts fuel brings the function
//! that does so, and one that says whether the line that runs is given now.

use mlua::Lua;

/// Charges fuel. Errors: the limit that is passed.
type Charge = Box<dyn Fn(u64) -> mlua::Result<()>>;

/// The functions of a machine.
pub(crate) struct Charger {
    charge: Charge,
    is_given_now: Box<dyn Fn() -> bool>,
}

impl Charger {
    /// Lets a machine charge what crosses its border from now on, and say whether the line that runs is given now.
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

/// Charges work on a machine; one that counts nothing charges nothing. Errors: the limit that is passed.
pub(crate) fn charge(lua: &Lua, work: u64) -> mlua::Result<()> {
    match lua.app_data_ref::<Charger>() {
        Some(charger) if work > 0 => (charger.charge)(work),
        _ => Ok(()),
    }
}

/// Returns whether a line runs that is given now: all checks hold it.
pub(crate) fn is_live_line(lua: &Lua) -> bool {
    let charger = lua.app_data_ref::<Charger>();
    charger.is_some_and(|charger| (charger.is_given_now)())
}
