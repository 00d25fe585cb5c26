//! This module is a table of the API while it is filled, and the refusals that its functions share.

use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, Table};

use crate::diag::Diagnostic;
use crate::script::border::root;
use crate::script::border::stack_value::Checked;
use crate::script::host::Host;
use crate::script::host::error::HostError;
use crate::script::raw::Fast;
use crate::script::raw::fast_function;
use crate::script::source::declaration;

/// Fuel of a call of the host: some 250 nanoseconds. What grows with the arguments comes on top.
const CALL: u32 = 10;

/// Fuel of a call that is answered off the stack.
pub(super) const ANSWER: u32 = 2;

/// Fuel that an error costs: making one is as much work as many calls.
const ERROR: u64 = 100;

/// A table of API functions while it is filled.
pub(crate) struct Library<'a> {
    lua: &'a Lua,
    host: &'a Rc<Host>,
    name: &'static str,
    table: Table,
}

impl<'a> Library<'a> {
    pub(super) fn new(
        lua: &'a Lua,
        host: &'a Rc<Host>,
        name: &'static str,
    ) -> mlua::Result<Library<'a>> {
        Ok(Library {
            lua,
            host,
            name,
            table: lua.create_table()?,
        })
    }

    /// Adds a function; wrong arguments are refused with its name and the name of the parameter.
    pub(super) fn add<A, R>(
        self,
        name: &'static str,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Library<'a>>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        self.add_for(name, CALL, function)
    }

    /// Adds a function whose calls take so much fuel, before what grows with their arguments.
    pub(super) fn add_for<A, R>(
        self,
        name: &'static str,
        fuel: u32,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Library<'a>>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        let bound = self.bound(name, fuel, function)?;
        self.table.raw_set(name, bound)?;
        Ok(self)
    }

    /// Adds a function whose ordinary calls `M` answers; with `raw` false it answers none.
    pub(super) fn add_fast<M: Fast<Owner = Host>, A, R>(
        self,
        name: &'static str,
        raw: bool,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Library<'a>>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        #[cfg(feature = "measure")]
        let raw = raw && !crate::script::host::left_out::is_left_out(name);
        let fast = match raw {
            true => fast_function::<M>(self.lua, &self.bound(name, 0, function)?)?,
            false => None,
        };
        let bound = match fast {
            Some(fast) => fast,
            None => self.bound(name, M::FUEL, function)?,
        };
        self.table.raw_set(name, bound)?;
        Ok(self)
    }

    fn bound<A, R>(
        &self,
        name: &'static str,
        fuel: u32,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Function>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        let (host, library) = (Rc::clone(self.host), self.name);
        self.lua
            .create_function(move |lua, Checked(arguments): Checked<A>| {
                host.meter.spend(fuel);
                let result = match arguments {
                    Ok(arguments) => function(lua, &host, arguments),
                    Err(error) => Err(wrong_argument(library, name, &error)),
                };
                if host.is_traced() {
                    host.follow(lua);
                }
                result.map_err(|error| charged(&host, error))
            })
    }

    pub(super) fn done(self) -> Table {
        self.table
    }
}

/// Returns an error of a function, or the limit that its making passes.
#[cold]
pub(super) fn charged(host: &Host, error: mlua::Error) -> mlua::Error {
    host.meter.pass_if_memory(&error);
    let limit = match host.passed() {
        Some(limit) => Err(HostError::limit(limit)),
        None => host.charge(ERROR),
    };
    limit.err().unwrap_or(error)
}

/// Returns the refusal of an argument by function, position, expected and given.
#[cold]
pub(super) fn wrong_argument(library: &str, name: &str, error: &mlua::Error) -> mlua::Error {
    let group = declaration::declared(library);
    let methods = group.is_some_and(|group| group.is_type);
    let shown = match (methods, library == name) {
        (_, true) => name.to_owned(),
        (true, _) => format!("{}:{name}", library.to_lowercase()),
        (false, _) => format!("{library}.{name}"),
    };
    let (position, cause) = match error {
        mlua::Error::BadArgument { pos, cause, .. } => (*pos, cause.as_ref()),
        other => (0, other),
    };
    let position = position.saturating_sub(usize::from(methods));
    let function = group.and_then(|group| group.functions.iter().find(|one| one.name == name));
    let parameter = function
        .and_then(|function| function.parameters.get(position.wrapping_sub(1)))
        .map_or_else(String::new, |parameter| format!(" `{parameter}`"));
    let what = expectation(cause, &library.to_lowercase());
    let mut finding = Diagnostic::error(
        "script/argument",
        format!("argument {position}{parameter} of `{shown}` {what}"),
    );
    if methods
        && matches!(
            cause,
            mlua::Error::FromLuaConversionError { from: "nil", .. }
                | mlua::Error::UserDataTypeMismatch
        )
    {
        finding = finding.hint(format!("methods are called with a colon: {shown}(…)"));
    }
    if let Some(function) = function {
        finding = finding.hint(format!(
            "it is declared as `{name}: {}`",
            function.signature
        ));
    }
    HostError::raise(finding)
}

/// Returns what was expected and what was found, in words; `object` is what the methods of a type are called on.
pub(super) fn expectation(error: &mlua::Error, object: &str) -> String {
    match root(error) {
        mlua::Error::FromLuaConversionError { from, to, message } => {
            // The machine's own words say once more what is expected.
            let reason = message
                .as_ref()
                .filter(|reason| !reason.starts_with("expected "))
                .map_or_else(String::new, |reason| format!(": {reason}"));
            format!(
                "expects {}, found {}{reason}",
                in_words(to, object),
                script_type(from)
            )
        }
        mlua::Error::UserDataTypeMismatch => format!("expects a {object}, found something else"),
        other => other.to_string(),
    }
}

/// Returns the words of script authors for a Rust type.
fn in_words(to: &str, object: &str) -> String {
    let word = match to {
        "String" | "string" | "&str" | "BorrowedStr" | "LuaString" => "a text",
        "f64" | "i64" | "u32" | "u64" | "usize" | "i32" | "number" => "a number",
        "bool" => "true or false",
        "Table" | "table" => "a table",
        "Function" | "function" => "a function",
        "text" => "a text",
        "userdata" => return format!("a {object}"),
        other => other,
    };
    word.to_owned()
}

pub(super) fn script_type(from: &str) -> String {
    match from {
        "string" => "a text".to_owned(),
        "nil" => "nothing".to_owned(),
        "integer" | "number" => "a number".to_owned(),
        other => format!("a {other}"),
    }
}

/// Returns a refusal that names the function.
pub(super) fn refused(code: &'static str, message: impl Into<String>) -> mlua::Error {
    HostError::raise(Diagnostic::error(code, message))
}
