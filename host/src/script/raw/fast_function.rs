//! Lets fast methods answer calls straight off the stack. Arguments are read in the machine's own memory. If their
//! layout is not as declared, the safe function is used.

use std::os::raw::c_int;
use std::slice;

use mlua::{Function, Lua, ffi};

use super::callback_panics::{catch_panic, raise_panic};
use super::machine_owner::{Met, Owner, is_owned_by};
use super::stack_frames::Frames;
use super::stack_results::Given;
use super::stack_slot::{Slot, State, has_declared_layout};
use crate::script::profile::Work;

/// A method that answers ordinary calls by itself.
pub(crate) trait Fast: 'static {
    /// The owner of the machines that have the method.
    type Owner: Owner;

    /// The fuel of a call, of the fast method and of the safe function alike.
    const FUEL: u32;

    /// The kind of work and its name, for the profiler.
    const WORK: (Work, &'static str);

    /// The most arguments that a call may have, including the table that it is called on. A call with more is not
    /// answered here.
    const MOST: usize;

    /// Answers a call. Returns `None` if it did nothing.
    fn answer(owner: &Self::Owner, call: Call<'_>) -> Option<Given>;
}

/// A call that is being answered.
pub(crate) struct Call<'a> {
    state: *mut ffi::lua_State,
    arguments: &'a [Slot],
}

/// Returns a function that lets `M` answer and calls `safe` if `M` does not, and spends `M::FUEL` for both. Returns
/// none if the layout of arguments is not as declared.
pub(crate) fn fast_function<M: Fast>(
    lua: &Lua,
    owner: &M::Owner,
    safe: &Function,
) -> mlua::Result<Option<Function>> {
    assert!(
        is_owned_by::<M::Owner>(lua),
        "invariant: a machine has one owner"
    );
    let mut is_known = false;
    let samples = ("an argument", 0.5, lua.globals());
    // SAFETY: the samples stay on the stack while they are looked at.
    unsafe { lua.exec_raw::<()>(samples, |state| is_known = has_declared_layout(state))? };
    if !is_known {
        return Ok(None);
    }
    let function = match owner.is_sampled() {
        true => answer_sampled_call::<M>,
        false => answer_call::<M>,
    };
    // SAFETY: the argument becomes the upvalue.
    let fast = unsafe {
        lua.exec_raw(safe.clone(), |state| {
            ffi::lua_pushcclosure(state, function, 1);
        })?
    };
    Ok(Some(fast))
}

/// Does the same, and lets the owner take samples for the profiler.
unsafe extern "C-unwind" fn answer_sampled_call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `answer_call`; the frames are looked at before and after it.
    unsafe {
        let sample = |met: Met| {
            let owner = ffi::lua_getthreaddata(state).cast::<M::Owner>().as_ref();
            let owner = owner.filter(|owner| owner.is_sampled());
            catch_panic(|| owner.map(|owner| owner.sample(Frames::new(state, 1), met)))
        };
        if let Err(panic) = sample(Met::Call) {
            return raise_panic(state, panic);
        }
        let results = answer_call::<M>(state);
        match sample(Met::Method(M::WORK)) {
            Ok(_) => results,
            Err(panic) => raise_panic(state, panic),
        }
    }
}

unsafe extern "C-unwind" fn answer_call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine's data is null or the owner, which the engine keeps as long as the machine; the arguments lie
    // as `has_declared_layout` found, and stay there until results are pushed after them.
    let (owner, call) = unsafe {
        let State { top, base, .. } = *state.cast::<State>();
        let arguments = slice::from_raw_parts(base, top.offset_from_unsigned(base));
        let owner = ffi::lua_getthreaddata(state).cast::<M::Owner>().as_ref();
        (owner, Call { state, arguments })
    };
    let arguments = call.arguments.len() as c_int;
    if let Some(owner) = owner {
        owner.spend_fuel(M::FUEL);
    }
    let owner = owner.filter(|_| call.arguments.len() <= M::MOST);
    match catch_panic(|| owner.and_then(|owner| M::answer(owner, call))) {
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
        Err(panic) => unsafe { raise_panic(state, panic) },
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

    /// Shows the keys and values of a table one after another, until the callback returns nothing for one.
    pub(crate) fn each_entry(
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
}

#[cfg(test)]
thread_local! {
    /// How many calls fast methods of this thread answered.
    pub(crate) static ANSWERED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
