//! Lists of names for matching texts: the values that `fuzzy.names` returns, and their methods.
//!
//! The machine does not count the memory of names on the Rust side. Therefore the bytes of all live lists are counted
//! here.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Lua, LuaString, MetaMethod, Table, UserData, UserDataFields, UserDataRef};

use super::close_match::{charged_near_names, read_cutoff};
use super::text::charge_text;
use super::{Library, refusal_error};
use crate::script::border::argument_values::Texts;
use crate::script::host::Host;
use crate::text::Matcher;

/// Bytes that the lists of one machine may use together.
pub(crate) const HELD: usize = 16 << 20;

/// Registry key of the methods of matchers.
const METHODS: &str = "arbiter.matcher";

/// The value of a list of names in scripts.
struct Names {
    matcher: Matcher,
    held: Held,
}

/// The number of bytes that all lists of a machine use.
#[derive(Clone, Default)]
struct Held(Rc<Cell<usize>>);

impl UserData for Names {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Matcher");
        fields.add_meta_field_with(MetaMethod::Index, matcher_methods);
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        let held = &self.held.0;
        held.set(held.get().saturating_sub(self.matcher.memory_bytes()));
    }
}

/// Registers the methods of matchers.
pub(super) fn register_matcher_methods(lua: &Lua, host: &Rc<Host>) -> mlua::Result<()> {
    let methods = Library::new(lua, host, "Matcher")?
        .add("best", best_match)?
        .add("near", near_names)?
        .into_table();
    methods.set_readonly(true);
    lua.set_app_data(Held::default());
    lua.set_named_registry_value(METHODS, methods)
}

/// Returns the methods of matchers.
pub(in crate::script) fn matcher_methods(lua: &Lua) -> mlua::Result<Table> {
    lua.named_registry_value(METHODS)
}

/// Makes a list of names for matching.
pub(super) fn make_matcher(
    lua: &Lua,
    host: &Host,
    (Texts(given), cutoff): (Texts, f64),
) -> mlua::Result<mlua::AnyUserData> {
    let cutoff = read_cutoff(cutoff, "fuzzy.names")?;
    let letters: usize = given.iter().map(String::len).sum();
    host.charge((given.len() * 16 + letters / 4) as u64)?;
    let matcher = Matcher::new(given.iter().map(String::as_str), cutoff);
    let held = reserve_list_bytes(lua, host, matcher.memory_bytes())?;
    lua.create_userdata(Names { matcher, held })
}

/// Counts the bytes of one more list. Errors: the live lists use too much together.
fn reserve_list_bytes(lua: &Lua, host: &Host, bytes: usize) -> mlua::Result<Held> {
    let held = lua.app_data_ref::<Held>().map(|held| held.clone());
    let held = held.expect("invariant: it is set before any list is made");
    if held.0.get() + bytes > HELD {
        // A collection visits all values that the scripts hold.
        host.charge(lua.used_memory() as u64 / 64)?;
        lua.gc_collect()?;
    }
    let together = held.0.get() + bytes;
    if together > HELD {
        let message = format!(
            "all lists of `fuzzy.names` together may use {} MiB of memory",
            HELD >> 20
        );
        return Err(refusal_error("limit/size", message));
    }
    held.0.set(together);
    Ok(held)
}

/// Returns the name that a text means, and the ratio of the name and the text.
fn best_match(
    lua: &Lua,
    host: &Host,
    (names, subject): (UserDataRef<Names>, String),
) -> mlua::Result<(Option<LuaString>, Option<f64>)> {
    charge_text(host, &subject)?;
    let found = names
        .matcher
        .best_name(&subject, |work| host.charge(6 * work))?;
    match found {
        Some((name, ratio)) => Ok((Some(lua.create_string(name)?), Some(ratio.to_f64()))),
        None => Ok((None, None)),
    }
}

/// Returns the names that are near to a word, as `fuzzy.near` does.
fn near_names(
    _: &Lua,
    host: &Host,
    (names, word, most): (UserDataRef<Names>, String, Option<usize>),
) -> mlua::Result<Vec<String>> {
    charged_near_names(host, &word, names.matcher.names(), most)
}
