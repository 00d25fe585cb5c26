//! This module reads names (row ids, fields) off the stack by Luau's string atoms, without touching their text.
//!
//! A string gets its atom at first sight and keeps it as long as the machine holds it, so comparing a
//! name costs no more than reading a number.

use std::cell::RefCell;
use std::os::raw::{c_char, c_int};
use std::rc::Rc;

use mlua::state::RawLua;
use mlua::{FromLua, Lua, Value, ffi};

use super::super::argument::wrong_type;
use crate::store::is_host_name;
use crate::value::{Name, Names};

/// Names below this number are their own atom.
const DIRECT: usize = 24_000;

/// Atoms are 16-bit; further strings are looked up by their text.
const MOST: usize = 32_000;

/// Longer texts name nothing and get no atom, so that hostile texts fill no table.
const LONGEST: usize = 200;

/// The strings of one machine that have an atom.
pub(crate) struct Atoms {
    names: Rc<Names>,
    /// The names behind the atoms from `DIRECT` on.
    late: RefCell<Vec<Name>>,
}

/// A name as a script passed it; [`Atoms::resolve`] says what it names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NameArgument {
    /// The atom of a string.
    Atom(u16),
    /// The text of a string without an atom.
    Text(String),
}

/// Gives the machine its table of atoms; with `raw` false names are looked up by their text.
pub(crate) fn install_atoms(lua: &Lua, names: &Rc<Names>, raw: bool) -> Rc<Atoms> {
    let atoms = Rc::new(Atoms {
        names: Rc::clone(names),
        late: RefCell::default(),
    });
    if raw {
        lua.set_app_data(Rc::clone(&atoms));
        lua.exec_raw_lua(|raw| {
            // SAFETY: the slot belongs to the embedder, mlua leaves it alone.
            unsafe { (*ffi::lua_callbacks(raw.state())).useratom = Some(atom_of) };
        });
    }
    atoms
}

impl Atoms {
    /// Returns the name behind an atom of this machine.
    #[inline]
    pub(crate) fn name(&self, atom: u16) -> Name {
        match usize::from(atom) {
            number if number < DIRECT => Name::from_index(number),
            number => self.late.borrow()[number - DIRECT],
        }
    }

    /// Returns what an argument names. Errors: its text, if it names nothing so far.
    #[inline]
    pub(crate) fn resolve(&self, argument: &NameArgument) -> Result<Name, String> {
        match argument {
            NameArgument::Atom(atom) => Ok(self.name(*atom)),
            NameArgument::Text(text) if is_host_name(text) => Err(text.clone()),
            NameArgument::Text(text) => self.names.find(text).ok_or_else(|| text.clone()),
        }
    }

    fn assign(&self, text: &[u8]) -> i16 {
        let text = std::str::from_utf8(text)
            .ok()
            .filter(|text| text.len() <= LONGEST && !is_host_name(text));
        let atom = text.and_then(|text| {
            let name = match self.names.find(text) {
                Some(name) => name,
                None if DIRECT + self.late.borrow().len() < MOST => self.names.intern(text),
                None => return None,
            };
            self.atom_of(name)
        });
        atom.and_then(|atom| i16::try_from(atom).ok()).unwrap_or(-1)
    }

    fn atom_of(&self, name: Name) -> Option<usize> {
        if name.index() < DIRECT {
            return Some(name.index());
        }
        let mut late = self.late.borrow_mut();
        let atom = DIRECT + late.len();
        if atom >= MOST {
            return None;
        }
        late.push(name);
        Some(atom)
    }
}

unsafe extern "C-unwind" fn atom_of(
    state: *mut ffi::lua_State,
    text: *const c_char,
    length: usize,
) -> i16 {
    // SAFETY: the machine calls this with its own state and a string that it holds.
    let (lua, text) = unsafe {
        let text = std::slice::from_raw_parts(text.cast::<u8>(), length);
        (Lua::get_or_init_from_ptr(state), text)
    };
    lua.try_app_data_ref::<Rc<Atoms>>()
        .ok()
        .flatten()
        .map_or(-1, |atoms| atoms.assign(text))
}

impl FromLua for NameArgument {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<NameArgument> {
        match &value {
            Value::String(text) => Ok(NameArgument::Text(text.to_str()?.to_owned())),
            other => Err(wrong_type(other.type_name(), "text")),
        }
    }

    unsafe fn from_stack(index: c_int, lua: &RawLua) -> mlua::Result<NameArgument> {
        let state = lua.state();
        let mut atom = -1;
        // SAFETY: mlua passes an index of the running function's frame; what is no text leaves the atom alone.
        unsafe { ffi::lua_tolstringatom(state, index, std::ptr::null_mut(), &mut atom) };
        if let Ok(atom) = u16::try_from(atom) {
            return Ok(NameArgument::Atom(atom));
        }
        // SAFETY: as above; the state belongs to a machine that mlua made.
        unsafe {
            NameArgument::from_lua(
                Value::from_stack(index, lua)?,
                Lua::get_or_init_from_ptr(state),
            )
        }
    }
}
