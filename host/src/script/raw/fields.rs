//! This module puts the slots of a phrase on the stack without detours: scripts read many lines.

use std::os::raw::c_int;
use std::rc::Rc;

use mlua::state::RawLua;
use mlua::{IntoLua, IntoLuaMulti, Lua, MultiValue, ffi};

use super::super::convert;
use super::super::phrases::definition_of;
use super::super::rules::Rules;
use crate::text::Fields;
use crate::value::Value;

/// What `phrase.fields` gives: id, line, slots, reason.
pub(crate) enum FieldsRead {
    Found(FoundFields),
    /// Why the text is no phrase.
    Missed(Value),
}

/// A text that was read, and the rules whose grammar knows its slots.
pub(crate) struct FoundFields {
    pub(crate) rules: Rc<Rules>,
    pub(crate) fields: Fields,
    pub(crate) subject: String,
}

impl FoundFields {
    /// Returns the id of the definition and which of its lines it is.
    fn definition(&self) -> Option<(&str, usize)> {
        let template = self.rules.grammar.template_of(&self.fields)?;
        definition_of(template)
    }

    /// Returns the names and texts of the slots.
    fn slots(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let slots = self.rules.grammar.slots_of(&self.fields);
        slots.map(|(name, span)| (name, &self.subject[span.start..span.end]))
    }
}

impl IntoLuaMulti for FieldsRead {
    fn into_lua_multi(self, lua: &Lua) -> mlua::Result<MultiValue> {
        match self {
            FieldsRead::Found(found) => {
                let (id, line) = found.definition().unzip();
                let slots = lua.create_table_from(found.slots())?;
                (id, line, slots, mlua::Value::Nil).into_lua_multi(lua)
            }
            FieldsRead::Missed(why) => {
                let why = convert::to_lua(&why, lua)?;
                let nil = || mlua::Value::Nil;
                (nil(), nil(), nil(), why.into_lua(lua)?).into_lua_multi(lua)
            }
        }
    }

    unsafe fn push_into_stack_multi(self, lua: &RawLua) -> mlua::Result<c_int> {
        // SAFETY: mlua passes the state of the running function.
        let owner = unsafe { Lua::get_or_init_from_ptr(lua.state()) };
        match self {
            FieldsRead::Found(found) => convert::unguarded(owner, || {
                // SAFETY: without a limit of memory no text or table of this size raises an error.
                unsafe { found.push(lua.state()) };
                Ok(4)
            }),
            // SAFETY: the same promise that mlua gives for this function.
            missed @ FieldsRead::Missed(_) => unsafe {
                missed.into_lua_multi(owner)?.push_into_stack_multi(lua)
            },
        }
    }
}

impl FoundFields {
    unsafe fn push(&self, state: *mut ffi::lua_State) {
        let text = |text: &str| {
            // SAFETY: the machine copies the text.
            unsafe { ffi::lua_pushlstring(state, text.as_ptr().cast(), text.len()) };
        };
        // SAFETY: see the caller.
        unsafe {
            ffi::lua_checkstack(state, 6);
            match self.definition() {
                Some((id, line)) => {
                    text(id);
                    ffi::lua_pushnumber(state, line as f64);
                }
                None => {
                    ffi::lua_pushnil(state);
                    ffi::lua_pushnil(state);
                }
            }
            let slots = self.slots();
            ffi::lua_createtable(state, 0, c_int::try_from(slots.len()).unwrap_or(0));
            for (name, said) in slots {
                text(name);
                text(said);
                ffi::lua_rawset(state, -3);
            }
            ffi::lua_pushnil(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Compiled, Engine, EngineOptions, load};
    use crate::text::Context;

    fn engine() -> Engine {
        let options = EngineOptions::default();
        load(&[], &[], &options, Compiled::default()).unwrap().0
    }

    fn found(rules: &Rc<Rules>, kind: &str, subject: &str) -> FieldsRead {
        let ty = rules.grammar.slot_type(kind).unwrap();
        let fields = rules
            .grammar
            .fields(ty, subject, &mut Context::new("phrase"));
        FieldsRead::Found(FoundFields {
            rules: Rc::clone(rules),
            fields: fields.unwrap(),
            subject: subject.to_owned(),
        })
    }

    #[test]
    fn both_ways_give_the_same() {
        let engine = engine();
        let rules = engine.rules();
        let missed = || FieldsRead::Missed(Value::map([("code", Value::from("x"))]));
        let made: [&dyn Fn() -> FieldsRead; 2] = [&|| found(&rules, "Word", "ann"), &missed];
        for make in made {
            let shown = |values: MultiValue| {
                let show = |value: &mlua::Value| {
                    let plain = convert::from_lua(value.clone()).unwrap();
                    plain.to_string()
                };
                values.iter().map(show).collect::<Vec<String>>()
            };
            let safe = shown(make().into_lua_multi(&engine.lua).unwrap());
            let kept = std::cell::RefCell::new(Some(make()));
            // A function may only own what lives as long as the machine: the values are made in it.
            let fast = engine.lua.scope(|scope| {
                let give = scope.create_function(|_, ()| Ok(kept.take().unwrap()))?;
                give.call::<MultiValue>(())
            });
            assert_eq!(shown(fast.unwrap()), safe);
            assert_eq!(safe.len(), 4);
        }
    }
}
