//! A table of the API while it is filled, and the shared refusals of its functions.

use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, Table, Value as LuaValue, Variadic};

use crate::diag::Diagnostic;
use crate::script::border::argument_kinds::{Kinds, Wrong};
use crate::script::border::root_error;
use crate::script::border::stack_value::Checked;
use crate::script::border::type_in_words;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::host::profiler_hooks::{Begun, Ended};
use crate::script::profile::Work;
use crate::script::raw::Fast;
use crate::script::raw::fast_function;
use crate::script::source::api_declarations::{declared_function, declared_group};

/// Fuel of a call of the host: about 250 nanoseconds. Work that grows with the arguments costs extra.
pub(super) const CALL: u32 = 10;

/// Fuel of a call that is answered directly from the stack.
pub(super) const ANSWER: u32 = 2;

/// Fuel of an error: making one is as much work as many calls.
const ERROR: u64 = 100;

/// The expected kind after the last argument of a call.
const NOTHING: &str = "nothing";

/// The hint for an extra argument that the author did not write.
const SEVERAL: &str = "a call such as string.gsub(…) passes all values that it returns: put it in brackets to pass only the first";

/// A table of API functions while it is filled.
pub(crate) struct Library<'a> {
    lua: &'a Lua,
    host: &'a Rc<Host>,
    name: &'static str,
    table: Table,
    /// Whether callers pass arguments as they are declared.
    is_declared: bool,
    /// Kind of work of the functions that are added next.
    work: Work,
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
            is_declared: true,
            work: Work::Library,
        })
    }

    /// Returns a table of functions for frames in Luau, which pass their own arguments. Messages show the declared
    /// arguments.
    pub(super) fn new_for_luau_frames(
        lua: &'a Lua,
        host: &'a Rc<Host>,
        name: &'static str,
    ) -> mlua::Result<Library<'a>> {
        Ok(Library {
            is_declared: false,
            ..Library::new(lua, host, name)?
        })
    }

    /// Sets the kind of work of the functions that are added after this call, for profiles.
    pub(super) fn with_work_kind(self, work: Work) -> Library<'a> {
        Library { work, ..self }
    }

    /// Adds a function. Wrong arguments are refused with its name and the name of the parameter.
    pub(super) fn add<A, R>(
        self,
        name: &'static str,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Library<'a>>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        self.add_with_fuel(name, CALL, function)
    }

    /// Adds a function with the fuel of a call. Work that grows with the arguments costs extra.
    pub(super) fn add_with_fuel<A, R>(
        self,
        name: &'static str,
        fuel: u32,
        function: fn(&Lua, &Host, A) -> mlua::Result<R>,
    ) -> mlua::Result<Library<'a>>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        let bound = self.bind_function(name, fuel, function)?;
        self.table.raw_set(name, bound)?;
        Ok(self)
    }

    /// Adds a function with a fast way `M` that answers its ordinary calls. With `raw` false no fast way is used.
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
        let raw = raw && !crate::script::host::fast_omission::is_fast_method_omitted(name);
        let fast = match raw {
            true => {
                fast_function::<M>(self.lua, self.host, &self.bind_function(name, 0, function)?)?
            }
            false => None,
        };
        let bound = match fast {
            Some(fast) => fast,
            None => self.bind_function(name, M::FUEL, function)?,
        };
        self.table.raw_set(name, bound)?;
        Ok(self)
    }

    fn bind_function<A, R>(
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
        let allowed = match self.is_declared {
            true => allowed_kinds(library, name),
            false => Kinds::ANY,
        };
        let call = {
            let host = Rc::clone(&host);
            move |lua: &Lua, given: Checked<A>| {
                host.meter.spend_fuel(fuel);
                let given = check_arguments(&host, (library, name), given, allowed);
                let result = given.and_then(|given| function(lua, &host, given));
                if host.is_traced() {
                    host.trace_writes(lua);
                }
                result
            }
        };
        match self.host.sampler() {
            None => self.lua.create_function(move |lua, given| {
                call(lua, given).map_err(|error| error_or_passed_limit(&host, error))
            }),
            // The same with measurements for the profiler.
            Some(sampler) => {
                let (sampler, work) = (Rc::clone(sampler), self.work);
                let shown = function_label(library, name);
                self.lua.create_function(move |lua, Begun(given)| {
                    sampler.begin_host_work(work, &shown);
                    let result = call(lua, given);
                    sampler.end_host_work();
                    host.sample_in_call(lua, Some((work, &shown)));
                    result
                        .map(Ended)
                        .map_err(|error| error_or_passed_limit(&host, error))
                })
            }
        }
    }

    pub(super) fn into_table(self) -> Table {
        self.table
    }
}

/// Returns the label of a function: `act:get`, `text.trim`.
fn function_label(library: &str, name: &str) -> Rc<str> {
    match library {
        "Act" | "motion" => format!("act:{name}").into(),
        _ => format!("{library}.{name}").into(),
    }
}

/// Returns the kinds that the arguments of a function may have.
pub(super) fn allowed_kinds(library: &str, name: &str) -> Kinds {
    declared_function(library, name).map_or(Kinds::ANY, |function| function.allowed)
}

/// Returns the arguments of a function. Errors: they are not as they are declared.
#[inline(always)]
pub(super) fn check_arguments<A>(
    host: &Host,
    name: (&str, &str),
    Checked(arguments, kinds): Checked<A>,
    allowed: Kinds,
) -> mlua::Result<A> {
    match arguments {
        Ok(arguments) if kinds.are_within(allowed) => Ok(arguments),
        arguments => accept_recorded_arguments(host, name, arguments, kinds.first_wrong(allowed)),
    }
}

/// Returns arguments that are not as they are declared, if a recorded line is running. Errors: the line is live, or the
/// arguments cannot be read.
#[cold]
fn accept_recorded_arguments<A>(
    host: &Host,
    (library, name): (&str, &str),
    arguments: mlua::Result<A>,
    wrong: Option<Wrong>,
) -> mlua::Result<A> {
    let wrong = wrong.filter(|_| host.is_live_line());
    match (arguments, wrong) {
        (Ok(arguments), None) => Ok(arguments),
        // An argument that could not be read gives the better reason.
        (Err(error), wrong)
            if wrong
                .as_ref()
                .is_none_or(|wrong| position_of_unreadable_argument(&error) <= wrong.place) =>
        {
            Err(wrong_argument_error(library, name, &error))
        }
        (_, Some(wrong)) => Err(wrong_kind_error(library, name, &wrong)),
        (Err(error), None) => Err(wrong_argument_error(library, name, &error)),
    }
}

/// Returns the function that checks arguments for frames in Luau. A frame calls it with the name of a function and all
/// arguments, if they may not be as declared.
pub(super) fn argument_check_function(
    lua: &Lua,
    host: &Rc<Host>,
    library: &'static str,
) -> mlua::Result<Function> {
    let host = Rc::clone(host);
    lua.create_function(move |_, (name, given): (String, Variadic<LuaValue>)| {
        let kinds = Kinds::of(&given[..]);
        let checked = Checked(Ok(()), kinds);
        let checked = check_arguments(
            &host,
            (library, &name),
            checked,
            allowed_kinds(library, &name),
        );
        checked.map_err(|error| error_or_passed_limit(&host, error))
    })
}

/// Returns the function with which parts of the API that are written in Luau refuse an argument.
pub(super) fn argument_refusal_function(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|_, message: String| {
        Err::<(), _>(refusal_error("script/argument", message))
    })
}

/// Returns the refusal of an argument of a kind that is not declared.
#[cold]
pub(super) fn wrong_kind_error(library: &str, name: &str, wrong: &Wrong) -> mlua::Error {
    let Wrong {
        place,
        expected,
        found,
    } = wrong;
    let what = format!("expects {expected}, found {found}");
    let mut finding = argument_finding((library, name), *place, &what, *found == NOTHING);
    if expected == NOTHING {
        finding = finding.hint(SEVERAL);
    }
    HostError::error_of_finding(finding)
}

/// Returns the place of the argument that could not be read, from 1.
fn position_of_unreadable_argument(error: &mlua::Error) -> usize {
    match error {
        mlua::Error::BadArgument { pos, .. } => *pos,
        _ => 0,
    }
}

/// Returns an error of a function, or the limit that its creation passes.
#[cold]
pub(super) fn error_or_passed_limit(host: &Host, error: mlua::Error) -> mlua::Error {
    host.meter.note_if_out_of_memory(&error);
    let limit = match host.passed_limit() {
        Some(limit) => Err(HostError::error_of_limit(limit)),
        None => host.charge(ERROR),
    };
    limit.err().unwrap_or(error)
}

/// Returns the refusal of an argument by function, position, expected kind and found kind.
#[cold]
pub(super) fn wrong_argument_error(library: &str, name: &str, error: &mlua::Error) -> mlua::Error {
    let cause = match error {
        mlua::Error::BadArgument { cause, .. } => cause.as_ref(),
        other => other,
    };
    let is_missing = matches!(
        cause,
        mlua::Error::FromLuaConversionError { from: "nil", .. } | mlua::Error::UserDataTypeMismatch
    );
    let what = expected_and_found_in_words(cause, &library.to_lowercase());
    HostError::error_of_finding(argument_finding(
        (library, name),
        position_of_unreadable_argument(error),
        &what,
        is_missing,
    ))
}

/// Returns the finding about an argument. If `is_missing` is true, the function may be a method that was called with a
/// point.
fn argument_finding(
    (library, name): (&str, &str),
    place: usize,
    what: &str,
    is_missing: bool,
) -> Diagnostic {
    let methods = declared_group(library).is_some_and(|group| group.is_type);
    let shown = match (methods, library == name) {
        (_, true) => name.to_owned(),
        (true, _) => format!("{}:{name}", library.to_lowercase()),
        (false, _) => format!("{library}.{name}"),
    };
    let position = place.saturating_sub(usize::from(methods));
    let function = declared_function(library, name);
    let parameter = function
        .and_then(|function| function.parameters.get(position.wrapping_sub(1)))
        .map_or_else(String::new, |parameter| format!(" `{parameter}`"));
    let message = format!("argument {position}{parameter} of `{shown}` {what}");
    let finding = Diagnostic::error("script/argument", message);
    let finding = match methods && is_missing {
        true => finding.hint(format!("call methods with a colon: {shown}(…)")),
        false => finding,
    };
    match function {
        Some(function) => finding.hint(format!(
            "it is declared as `{name}: {}`",
            function.signature
        )),
        None => finding,
    }
}

/// Returns the expected and the found value in words. `object` is the type on which the methods are called.
pub(super) fn expected_and_found_in_words(error: &mlua::Error, object: &str) -> String {
    match root_error(error) {
        mlua::Error::FromLuaConversionError { from, to, message } => {
            // The machine's own words only repeat the expected type.
            let reason = message
                .as_ref()
                .filter(|reason| !reason.starts_with("expected "))
                .map_or_else(String::new, |reason| format!(": {reason}"));
            format!(
                "expects {}, found {}{reason}",
                type_in_script_words(to, object),
                type_in_words(from)
            )
        }
        mlua::Error::UserDataTypeMismatch => format!("expects a {object}, found something else"),
        other => other.to_string(),
    }
}

/// Returns the words of script authors for a Rust type.
fn type_in_script_words(to: &str, object: &str) -> String {
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

/// Returns a refusal that names the function.
pub(super) fn refusal_error(code: &'static str, message: impl Into<String>) -> mlua::Error {
    HostError::error_of_finding(Diagnostic::error(code, message))
}
