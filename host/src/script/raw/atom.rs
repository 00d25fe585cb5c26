//! Reads names (row ids, fields) off the stack by Luau's string atoms, without touching their text.

use std::os::raw::{c_char, c_int};
use std::rc::Rc;

use mlua::state::RawLua;
use mlua::{FromLua, Lua, Value, ffi};

use super::callback_panics::{catch_panic, keep_panic, resume_panic};
use crate::script::border::argument_values::wrong_type_error;
use crate::script::border::name_atoms::Atoms;
use crate::script::border::stack_value::NameArgument;
use crate::value::Names;

/// Gives the machine its table of atoms. With `raw` false names are looked up by their text.
pub(crate) fn install_atoms(lua: &Lua, names: &Rc<Names>, raw: bool) -> Rc<Atoms> {
    let atoms = Rc::new(Atoms::new(names));
    if raw {
        lua.set_app_data(Rc::clone(&atoms));
        lua.exec_raw_lua(|raw| {
            // SAFETY: the slot belongs to the embedder, mlua leaves it alone.
            unsafe { (*ffi::lua_callbacks(raw.state())).useratom = Some(atom_of_text) };
        });
    }
    atoms
}

unsafe extern "C-unwind" fn atom_of_text(
    state: *mut ffi::lua_State,
    text: *const c_char,
    length: usize,
) -> i16 {
    // SAFETY: the machine calls this with its own state and a string that it holds.
    let (lua, text) = unsafe {
        let text = std::slice::from_raw_parts(text.cast::<u8>(), length);
        (Lua::get_or_init_from_ptr(state), text)
    };
    let found = catch_panic(|| {
        let atoms = lua.try_app_data_ref::<Rc<Atoms>>().ok().flatten();
        atoms.map_or(-1, |atoms| atoms.assign_atom(text))
    });
    found.unwrap_or_else(|panic| {
        // SAFETY: as above. The code that asks for an atom expects no error here.
        unsafe { keep_panic(state, panic) };
        -1
    })
}

impl FromLua for NameArgument {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<NameArgument> {
        match &value {
            Value::String(text) => Ok(NameArgument::Text(text.to_str()?.to_owned())),
            other => Err(wrong_type_error(other.type_name(), "text")),
        }
    }

    unsafe fn from_stack(index: c_int, lua: &RawLua) -> mlua::Result<NameArgument> {
        let state = lua.state();
        let mut atom = -1;
        // SAFETY: mlua passes an index of the running function's frame; a value that is not a text does not change the
        // atom.
        unsafe { ffi::lua_tolstringatom(state, index, std::ptr::null_mut(), &mut atom) };
        if let Ok(atom) = u16::try_from(atom) {
            return Ok(NameArgument::Atom(atom));
        }
        // SAFETY: as above; the state belongs to a machine that mlua made.
        let (value, lua) = unsafe {
            (
                Value::from_stack(index, lua)?,
                Lua::get_or_init_from_ptr(state),
            )
        };
        resume_panic(lua);
        NameArgument::from_lua(value, lua)
    }
}
