//! This module lets fast methods answer calls straight off the stack: arguments are read where the machine keeps them, if they
//! are found to be there when the method is made; else it is the safe one.

use std::ffi::CStr;
use std::os::raw::c_int;
use std::slice;

use mlua::{Function, Lua, ffi};

use super::caught::{guard, raise};
use super::owner::{Owner, is_owned_by};
use super::results::Given;
use super::slot::{Slot, State, is_laid_out};

/// A method that answers ordinary calls by itself.
pub(crate) trait Fast: 'static {
    /// The owner of the machines that have the method.
    type Owner: Owner;

    /// Answers a call; `None` if it did nothing.
    fn answer(owner: &Self::Owner, call: Call<'_>) -> Option<Given>;
}

/// Where something lies in a table: under a key, or as an item of the list under it.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) key: &'a CStr,
    pub(crate) item: Option<i32>,
}

/// What is read of a value; nothing of one that is not what was expected.
pub(crate) type Read<R> = fn(&Slot) -> Option<R>;

/// A call that is being answered.
pub(crate) struct Call<'a> {
    state: *mut ffi::lua_State,
    arguments: &'a [Slot],
}

/// Returns a function that lets `M` answer and calls `safe` where it does not.
pub(crate) fn fast_function<M: Fast>(lua: &Lua, safe: Function) -> mlua::Result<Function> {
    assert!(
        is_owned_by::<M::Owner>(lua),
        "invariant: a machine has one owner"
    );
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

unsafe extern "C-unwind" fn call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine's data is null or the owner, which the engine keeps as long as the machine; the arguments
    // lie as `is_laid_out` found, and stay there until results are pushed behind them.
    let (owner, call) = unsafe {
        let State { top, base, .. } = *state.cast::<State>();
        let arguments = slice::from_raw_parts(base, top.offset_from_unsigned(base));
        let owner = ffi::lua_getthreaddata(state).cast::<M::Owner>().as_ref();
        (owner, Call { state, arguments })
    };
    let arguments = call.arguments.len() as c_int;
    match guard(|| owner.and_then(|owner| M::answer(owner, call))) {
        Ok(Some(Given(results))) => {
            #[cfg(test)]
            ANSWERED.set(ANSWERED.get() + 1);
            results
        }
        // SAFETY: a C function has room for some values; the arguments are passed on as they came.
        Ok(None) => unsafe {
            ffi::lua_settop(state, arguments);
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
            ffi::lua_insert(state, 1);
            ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
            ffi::lua_gettop(state)
        },
        // SAFETY: nothing is owned here any more.
        Err(panic) => unsafe { raise(state, panic) },
    }
}

impl Call<'_> {
    /// Returns the state of the machine.
    #[inline(always)]
    pub(super) fn state(&self) -> *mut ffi::lua_State {
        self.state
    }

    /// Returns an argument, counted from 0.
    #[inline(always)]
    pub(crate) fn argument(&self, at: usize) -> Option<&Slot> {
        self.arguments.get(at)
    }

    /// Returns what [`mlua::AnyUserData::to_pointer`] gives for an argument.
    pub(crate) fn object(&self, at: usize) -> usize {
        // SAFETY: any index may be asked for.
        unsafe { ffi::lua_topointer(self.state, at as c_int + 1) as usize }
    }

    /// Shows the keys and values of a table one after another, until there is nothing to say of one.
    pub(crate) fn each(
        &self,
        at: usize,
        mut each: impl FnMut(&Slot, &Slot) -> Option<()>,
    ) -> Option<()> {
        self.argument(at)?.table()?;
        let mut iteration = 0;
        loop {
            // SAFETY: there is room for a key and a value, which stay on the stack while they are looked at.
            unsafe {
                iteration = ffi::lua_rawiter(self.state, at as c_int + 1, iteration);
                if iteration < 0 {
                    return Some(());
                }
                let [key, value] = &*(*self.state.cast::<State>()).top.sub(2).cast::<[Slot; 2]>();
                let seen = each(key, value);
                ffi::lua_settop(self.state, self.arguments.len() as c_int);
                seen?;
            }
        }
    }

    /// Shows what a table has at a way, and returns what is read there.
    pub(crate) fn field<R>(&self, at: usize, way: Way<'_>, read: Read<R>) -> Option<R> {
        self.argument(at)?.table()?;
        // SAFETY: there is room for two values, and the last one stays on the stack while it is looked at.
        unsafe {
            let kind = ffi::lua_rawgetfield(self.state, at as c_int + 1, way.key.as_ptr());
            let is_there = way.item.is_none() || kind == ffi::LUA_TTABLE;
            if let Some(item) = way.item.filter(|_| is_there) {
                ffi::lua_rawgeti_(self.state, -1, item);
            }
            let last = &*(*self.state.cast::<State>()).top.sub(1);
            let found = is_there.then(|| read(last)).flatten();
            ffi::lua_settop(self.state, self.arguments.len() as c_int);
            found
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How many calls fast methods of this thread answered.
    pub(crate) static ANSWERED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
