//! This module is what the unsafe code knows of the owner of a machine: it has a meter, and a machine has only one.

use std::any::TypeId;

use mlua::Lua;

use crate::script::fuel::Meter;

/// What owns a machine, and lives as long as it does.
pub(crate) trait Owner: 'static {
    /// Returns the meter that counts what scripts of the machine use.
    fn meter(&self) -> &Meter;
}

/// The type of the owner of a machine.
struct OwnerType(TypeId);

/// Returns whether `O` is the type of the owner of a machine; it is from now on where no other one was named before.
///
/// Functions that find the owner through the machine's data are made only where this holds.
pub(super) fn is_owned_by<O: Owner>(lua: &Lua) -> bool {
    let own = TypeId::of::<O>();
    let known = lua.app_data_ref::<OwnerType>().map(|known| known.0);
    if known.is_none() {
        lua.set_app_data(OwnerType(own));
    }
    known.is_none_or(|known| known == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Meter);
    struct Other(Meter);

    impl Owner for One {
        fn meter(&self) -> &Meter {
            &self.0
        }
    }

    impl Owner for Other {
        fn meter(&self) -> &Meter {
            &self.0
        }
    }

    #[test]
    fn a_machine_has_one_owner() {
        let lua = Lua::new();
        assert!(is_owned_by::<One>(&lua) && is_owned_by::<One>(&lua));
        assert!(!is_owned_by::<Other>(&lua));
    }
}
