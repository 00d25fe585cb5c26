//! This module answers the hottest methods straight off the stack, where nothing is out of the ordinary.
//!
//! A fast method answers a call whole or leaves it alone; then the safe function behind it does everything,
//! wrong arguments and refusals included. It raises no error but that memory runs out, and keeps nothing of the call.
//! Arguments are read where the machine keeps them, if they are found to be there when the method is made; else it is
//! the safe one.

use std::ffi::CString;
use std::os::raw::c_int;
use std::{ptr, slice, str};

use mlua::{Function, Lua, LuaString, ffi};

use super::super::convert;
use super::super::host::Host;
use super::stack::This;
use crate::value::{Name, Names, Number, Value};

/// A method that answers ordinary calls by itself.
pub(crate) trait Fast: 'static {
    /// Answers a call: pushes its results and returns how many there are; `None` if it did nothing.
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int>;
}

/// A call that is being answered.
pub(crate) struct Call<'a> {
    state: *mut ffi::lua_State,
    arguments: &'a [Slot],
}

/// The key of a field that fast methods read: a text that the machine holds as long as this lives.
pub(crate) struct Key {
    held: LuaString,
    address: usize,
    text: Option<CString>,
}

/// What passes with a table of texts costs: its nodes and its bytes, as the safe way counts them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Passed {
    nodes: usize,
    bytes: usize,
}

/// How a state begins.
#[repr(C)]
struct State {
    _header: u64,
    top: *const Slot,
    base: *const Slot,
}

/// A value where the machine keeps it.
#[repr(C)]
pub(super) struct Slot {
    content: Content,
    _extra: c_int,
    kind: c_int,
}

/// What a value is; its kind says which.
#[repr(C)]
union Content {
    number: f64,
    truth: c_int,
    text: *const Text,
    table: usize,
}

/// How a text begins.
#[repr(C)]
struct Text {
    _header: [u8; 4],
    atom: i16,
}

impl Slot {
    /// Returns the number that the value is, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        // SAFETY: any bits are one; the kind says whether they are meant.
        (self.kind == ffi::LUA_TNUMBER).then_some(unsafe { self.content.number })
    }

    /// Returns the truth that the value is, if it is one.
    pub(super) fn truth(&self) -> Option<bool> {
        // SAFETY: any bits are one; the kind says whether they are meant.
        (self.kind == ffi::LUA_TBOOLEAN).then_some(unsafe { self.content.truth != 0 })
    }

    /// Puts a truth in the place of what needs nothing of the collector.
    pub(super) fn set_truth(&mut self, truth: bool) {
        self.content.truth = c_int::from(truth);
        self.kind = ffi::LUA_TBOOLEAN;
    }
}

/// Returns a function that lets `M` answer and calls `safe` where it does not.
pub(crate) fn fast_function<M: Fast>(lua: &Lua, safe: Function) -> mlua::Result<Function> {
    let mut is_known = false;
    let samples = ("an argument", 0.5, lua.globals());
    // SAFETY: the samples stay on the stack while they are looked at.
    unsafe { lua.exec_raw::<()>(samples, |state| is_known = is_laid_out(state))? };
    if !is_known {
        return Ok(safe);
    }
    // SAFETY: the argument becomes the upvalue.
    unsafe { lua.exec_raw(safe, |state| ffi::lua_pushcclosure(state, call::<M>, 1)) }
}

/// Returns whether a state with a text, a number and a table on its stack keeps them as declared above.
unsafe fn is_laid_out(state: *mut ffi::lua_State) -> bool {
    // SAFETY: a state is longer than its beginning; nothing is followed before the count of values agrees.
    unsafe {
        let State { top, base, .. } = state.cast::<State>().read();
        let count = (top as usize).wrapping_sub(base as usize) / size_of::<Slot>();
        if base.is_null() || !base.is_aligned() || count != 3 || ffi::lua_gettop(state) != 3 {
            return false;
        }
        let mut atom = -1;
        ffi::lua_tolstringatom(state, 1, ptr::null_mut(), &mut atom);
        let [one, two, three] = &*base.cast::<[Slot; 3]>();
        [one.kind, two.kind, three.kind] == [1, 2, 3].map(|at| ffi::lua_type(state, at))
            && two.content.number == ffi::lua_tonumber(state, 2)
            && three.content.table == ffi::lua_topointer(state, 3) as usize
            && one.content.table == ffi::lua_topointer(state, 1) as usize
            && c_int::from((*one.content.text).atom) == atom
    }
}

unsafe extern "C-unwind" fn call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine's data is null or the host, which the engine keeps as long as the machine; the arguments
    // lie as `is_laid_out` found, and stay there until results are pushed behind them.
    let (host, call) = unsafe {
        let State { top, base, .. } = state.cast::<State>().read();
        let arguments = slice::from_raw_parts(base, top.offset_from_unsigned(base));
        let host = ffi::lua_getthreaddata(state).cast::<Host>().as_ref();
        (host, Call { state, arguments })
    };
    if let Some(results) = host.and_then(|host| M::answer(host, &call)) {
        #[cfg(test)]
        answered::count();
        return results;
    }
    // SAFETY: a C function has room for some values; the arguments are passed on as they came.
    unsafe {
        let arguments = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

impl Call<'_> {
    /// Returns what an argument is, counted from 0, if it is of a kind.
    #[inline(always)]
    fn argument(&self, at: usize, kind: c_int) -> Option<&Content> {
        let slot = self.arguments.get(at)?;
        (slot.kind == kind).then_some(&slot.content)
    }

    /// Returns the table that the method was called on.
    #[inline(always)]
    pub(crate) fn this(&self) -> Option<This> {
        self.table(0)
    }

    /// Returns the table at a place, counted from 0.
    #[inline(always)]
    pub(crate) fn table(&self, at: usize) -> Option<This> {
        let content = self.argument(at, ffi::LUA_TTABLE)?;
        // SAFETY: of a table it is the address.
        Some(This(unsafe { content.table }))
    }

    /// Returns the userdata at a place, as [`mlua::AnyUserData::to_pointer`] names it.
    pub(crate) fn object(&self, at: usize) -> Option<This> {
        self.argument(at, ffi::LUA_TUSERDATA)?;
        // SAFETY: the argument lies at this index.
        let address = unsafe { ffi::lua_topointer(self.state, index(at)) };
        Some(This(address as usize))
    }

    /// Returns the text at a place, if it is UTF-8.
    pub(crate) fn text(&self, at: usize) -> Option<&str> {
        self.argument(at, ffi::LUA_TSTRING)?;
        self.text_on_stack(index(at))
    }

    /// Reads a table whose values are texts, one after another: `each` gets a text or the place of
    /// the list as the key. Returns what passing it costs; `None` for any other table, or as soon as `each` does.
    pub(crate) fn texts(
        &self,
        at: usize,
        mut each: impl FnMut(Result<&str, usize>, &str) -> Option<()>,
    ) -> Option<Passed> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let (state, table) = (self.state, index(at));
        let mut passed = Passed { nodes: 1, bytes: 0 };
        let mut walk = || {
            let mut iteration = 0;
            loop {
                // SAFETY: there is room for a key and a value.
                iteration = unsafe { ffi::lua_rawiter(state, table, iteration) };
                if iteration < 0 {
                    return Some(());
                }
                let value = self.text_on_stack(-1)?;
                // SAFETY: the key lies below the value.
                let key = match unsafe { ffi::lua_type(state, -2) } {
                    ffi::LUA_TSTRING => Ok(self.text_on_stack(-2)?),
                    // SAFETY: as above.
                    ffi::LUA_TNUMBER => Err(unsafe { ffi::lua_tonumber(state, -2) } as usize),
                    _ => return None,
                };
                passed.nodes += 1;
                passed.bytes += value.len() + key.map_or(0, str::len);
                each(key, value)?;
                // SAFETY: the key and the value are behind the arguments.
                unsafe { ffi::lua_settop(state, self.arguments.len() as c_int) };
            }
        };
        let walked = walk();
        // SAFETY: what is behind the arguments was put there by the walk.
        unsafe { ffi::lua_settop(state, self.arguments.len() as c_int) };
        walked.map(|()| passed)
    }

    /// Returns the text at an index of the stack, if it is one.
    fn text_on_stack(&self, at: c_int) -> Option<&str> {
        let mut length = 0;
        // SAFETY: the index is one of a value that the caller keeps on the stack; a number is not made a text.
        let bytes = unsafe {
            if ffi::lua_type(self.state, at) != ffi::LUA_TSTRING {
                return None;
            }
            let text = ffi::lua_tolstring(self.state, at, &mut length);
            slice::from_raw_parts(text.cast(), length)
        };
        str::from_utf8(bytes).ok()
    }

    /// Gives a list of the texts of names.
    pub(crate) fn list(&self, names: &Names, items: &[Name]) -> c_int {
        let state = self.state;
        // SAFETY: there is room for two values. Memory may run out, which unwinds from here.
        unsafe {
            ffi::lua_createtable(state, size(items.len()), 0);
            for (at, item) in items.iter().enumerate() {
                push_text(state, &names.text(*item));
                ffi::lua_rawseti(state, -2, at as i64 + 1);
            }
        }
        1
    }

    /// Gives a list of tables with these keys, in this order: one for each piece of as many values. Nothing is left out.
    ///
    /// The values are nil, bools, numbers and texts; there are at most [`MOST_KEYS`] keys.
    pub(crate) fn tables(&self, keys: &[&str], values: &[Value]) -> c_int {
        assert!(
            keys.len() <= MOST_KEYS,
            "a C function has room for 20 values"
        );
        let state = self.state;
        // SAFETY: there is room for the keys, two tables, a key and a value. Memory may run out, which unwinds from here.
        unsafe {
            let first = ffi::lua_gettop(state) + 1;
            keys.iter().for_each(|key| push_text(state, key));
            ffi::lua_createtable(state, size(values.len() / keys.len()), 0);
            for (at, row) in values.chunks_exact(keys.len()).enumerate() {
                let held = row.iter().filter(|value| !value.is_nil()).count();
                ffi::lua_createtable(state, 0, size(held));
                for (key, value) in (first..).zip(row) {
                    if value.is_nil() {
                        continue;
                    }
                    ffi::lua_pushvalue(state, key);
                    push_plain(state, value);
                    ffi::lua_rawset(state, -3);
                }
                ffi::lua_rawseti(state, -2, at as i64 + 1);
            }
        }
        1
    }

    /// Returns the name in a field of the table at a place, if it is a text that may have an atom.
    pub(crate) fn name_under(&self, host: &Host, at: usize, key: &Key) -> Option<Name> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let key = key.text.as_deref()?;
        let mut atom = -1;
        // SAFETY: there is room for a value; the machine holds the key, so that finding it needs no memory. What is no
        // text leaves the atom alone.
        unsafe {
            ffi::lua_rawgetfield(self.state, index(at), key.as_ptr());
            ffi::lua_tolstringatom(self.state, -1, ptr::null_mut(), &mut atom);
            ffi::lua_pop(self.state, 1);
        }
        Some(host.atoms.name(u16::try_from(atom).ok()?))
    }

    /// Returns the whole number at a place of a list that is a field of the table at a place.
    pub(crate) fn number_under(&self, at: usize, key: &Key, item: i64) -> Option<Number> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let key = key.text.as_deref()?;
        // SAFETY: there is room for two values; the machine holds the key, so that finding it needs no memory.
        let found = unsafe {
            if ffi::lua_rawgetfield(self.state, index(at), key.as_ptr()) == ffi::LUA_TTABLE {
                ffi::lua_rawgeti(self.state, -1, item);
            }
            let is_number = ffi::lua_type(self.state, -1) == ffi::LUA_TNUMBER;
            let found = is_number.then(|| ffi::lua_tonumber(self.state, -1));
            ffi::lua_settop(self.state, self.arguments.len() as c_int);
            found
        };
        Number::from_whole_f64(found?)
    }

    /// Returns the name at a place behind the table, if it is a text that has an atom already.
    #[inline(always)]
    pub(crate) fn name(&self, host: &Host, at: usize) -> Option<Name> {
        let content = self.argument(at, ffi::LUA_TSTRING)?;
        // SAFETY: a text lives as long as it is on the stack.
        let atom = unsafe { (*content.text).atom };
        Some(host.atoms.name(u16::try_from(atom).ok()?))
    }

    /// Returns the whole number at a place behind the table, if it is one.
    #[inline(always)]
    pub(crate) fn whole_number(&self, at: usize) -> Option<Number> {
        let content = self.argument(at, ffi::LUA_TNUMBER)?;
        // SAFETY: of a number it is the number.
        Number::from_whole_f64(unsafe { content.number })
    }

    /// Gives a value as each of one or more results, if it is nil, a bool or a number.
    #[inline(always)]
    pub(crate) fn results<const N: usize>(&self, value: &Value) -> Option<c_int> {
        const { assert!(N < 8, "a C function has room for 20 values") };
        if matches!(value, Value::Text(_) | Value::List(_) | Value::Map(_)) {
            return None;
        }
        // SAFETY: there is room, and these values need no memory.
        unsafe { (0..N).for_each(|_| push_plain(self.state, value)) };
        Some(N as c_int)
    }

    /// Returns how many arguments there are.
    pub(crate) fn arguments(&self) -> usize {
        self.arguments.len()
    }
}

impl Key {
    pub(crate) fn new(held: LuaString) -> Key {
        Key {
            text: CString::new(held.as_bytes().to_vec()).ok(),
            address: held.to_pointer() as usize,
            held,
        }
    }

    /// Returns where the machine keeps the text: the same for every key with it.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &LuaString {
        &self.held
    }
}

impl Passed {
    /// Returns the fuel that it costs.
    pub(crate) fn fuel(self) -> u64 {
        convert::work(self.nodes, self.bytes)
    }
}

/// Keys of the tables that a fast method gives.
pub(crate) const MOST_KEYS: usize = 12;

/// Returns the index of an argument, counted from 0.
fn index(at: usize) -> c_int {
    at as c_int + 1
}

/// Returns how many entries a new table has room for; more are only slower.
fn size(entries: usize) -> c_int {
    c_int::try_from(entries).unwrap_or(0)
}

/// Pushes a text; the caller has room for it.
unsafe fn push_text(state: *mut ffi::lua_State, text: &str) {
    // SAFETY: the machine copies the bytes.
    unsafe { ffi::lua_pushlstring_(state, text.as_ptr().cast(), text.len()) };
}

/// Pushes nil, a bool, a number or a text; the caller has room for it.
unsafe fn push_plain(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: as the caller says.
    unsafe {
        match value {
            Value::Number(number) => ffi::lua_pushnumber(state, number.to_f64()),
            Value::Bool(value) => ffi::lua_pushboolean(state, c_int::from(*value)),
            Value::Text(text) => push_text(state, text),
            Value::Nil | Value::List(_) | Value::Map(_) => ffi::lua_pushnil(state),
        }
    }
}

/// How many calls fast methods answered on this thread.
#[cfg(test)]
pub(crate) mod answered {
    use std::cell::Cell;

    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count() {
        CALLS.set(CALLS.get() + 1);
    }

    /// Returns how many there were during `body`, with what it returns.
    pub(crate) fn during<R>(body: impl FnOnce() -> R) -> (usize, R) {
        let before = CALLS.get();
        let result = body();
        (CALLS.get() - before, result)
    }
}
