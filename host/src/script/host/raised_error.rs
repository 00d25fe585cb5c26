//! The data about the last error of a script that was read before its frames were gone.

use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Value};

use super::Host;
use super::error_findings::{Frame, HostError, diagnose_with_raised, frames_of_error};
use crate::diag::Diagnostic;
use crate::script::source::sources::Sources;

/// The function that calls a function of a script and reports where it ends: one frame of the machine, either way.
pub(crate) enum ErrorReportingCall {
    /// A function that calls its first argument with the others.
    Raw(Function),
    /// The machine's own `xpcall`, and the function that it calls before the frames are gone.
    Safe {
        /// Calls its first argument with those after the second, which handles an error.
        call: Function,
        /// Handles an error.
        note: Function,
    },
}

impl ErrorReportingCall {
    /// Returns the replacement for machines without unsafe code. Errors: memory.
    pub(crate) fn safe(lua: &Lua, host: &Rc<Host>) -> mlua::Result<ErrorReportingCall> {
        let host = Rc::downgrade(host);
        let note = lua.create_function(move |lua, raised: Value| {
            if let Some(host) = host.upgrade() {
                host.note_raised(lua, &raised);
            }
            Ok(raised)
        })?;
        let call = lua.globals().get("xpcall")?;
        Ok(ErrorReportingCall::Safe { call, note })
    }
}

/// Frames that are kept of an error.
const FRAMES: usize = 20;
/// Frames that are looked at.
const LEVELS: usize = 64;

/// An error of a script: the raised value, if it is a text, and the frames of rule functions that led to it.
#[derive(Debug, Default)]
pub(crate) struct Raised {
    pub(super) text: Option<String>,
    pub(super) frames: Vec<Frame>,
    /// Whether a limit is passed: the unwinding error is raised again at each safe point, and gives no new data.
    is_limit: bool,
    /// Whether frames belong to it.
    is_open: bool,
}

impl Raised {
    /// Returns the record of an error that raised this text.
    pub(super) fn begin(text: Option<&[u8]>) -> Raised {
        Raised {
            text: text.map(|text| String::from_utf8_lossy(text).into_owned()),
            frames: Vec::new(),
            is_limit: false,
            is_open: true,
        }
    }

    /// Begins to record another error, unless the error only goes on unwinding after a limit.
    pub(super) fn begin_unless_unwinding(&mut self, text: Option<&[u8]>, is_limit: bool) {
        if self.is_limit {
            self.is_open = false;
            return;
        }
        *self = Raised {
            is_limit,
            ..Raised::begin(text)
        };
    }

    /// Ends with these frames, if a limit was passed. The innermost frames that are already recorded stay.
    fn end_with_frames(&mut self, frames: Vec<Frame>) {
        if !self.is_limit && !frames.is_empty() {
            *self = Raised {
                frames,
                is_limit: true,
                ..Raised::default()
            };
        }
    }

    /// Adds a frame. Frames of the host are not frames of the script.
    pub(super) fn add_frame(&mut self, chunk: &[u8], line: usize, name: &[u8]) {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let chunk = text(chunk);
        let chunk = chunk.trim_start_matches(['=', '@']);
        let is_rule = chunk.ends_with(".luau") && !chunk.starts_with("host/");
        if !self.is_open || !is_rule || self.frames.len() >= FRAMES {
            return;
        }
        let name = match text(name) {
            name if name.is_empty() => name,
            name => format!(" in {name}"),
        };
        self.frames.push((chunk.to_owned(), line, name));
    }

    /// Adds the frames of all rule functions at work.
    fn add_stack_frames(&mut self, lua: &Lua) {
        for level in 1..LEVELS {
            let frame = lua.inspect_stack(level, |frame| {
                let chunk = frame.source().source.map(|chunk| chunk.into_owned());
                let name = frame.names().name.map(|name| name.into_owned());
                (chunk, frame.current_line(), name)
            });
            let Some((chunk, line, name)) = frame else {
                break;
            };
            let (chunk, name) = (chunk.unwrap_or_default(), name.unwrap_or_default());
            self.add_frame(chunk.as_bytes(), line.unwrap_or(0), name.as_bytes());
        }
    }
}

impl Host {
    /// Keeps the raised value, and its place.
    fn note_raised(&self, lua: &Lua, value: &Value) {
        let text = value.as_string().map(|text| text.as_bytes().to_vec());
        let mut raised = Raised::begin(text.as_deref());
        raised.add_stack_frames(lua);
        self.raised.replace(raised);
    }

    /// Stops the command with a finding about the rule function at work, and returns the error that unwinds it.
    pub(crate) fn stop_command_at_rule(&self, lua: &Lua, finding: Diagnostic) -> mlua::Error {
        if self.stop_reason().is_none() {
            let mut raised = Raised::begin(None);
            raised.add_stack_frames(lua);
            // The error that unwinds from here on gives no new data.
            (raised.is_limit, raised.is_open) = (true, false);
            self.raised.replace(raised);
        }
        self.stop_command(finding)
    }

    /// Forgets the last error: the command goes on without the code that raised it.
    pub(crate) fn forget_raised(&self) {
        self.raised.take();
    }

    /// Takes the function that calls a function and reports where it ends.
    pub(crate) fn set_error_reporting_call(&self, told: ErrorReportingCall) {
        let first = self.told.set(told);
        debug_assert!(first.is_ok(), "a machine calls in one way");
    }

    /// Calls a function of a script from outside of all scripts: an error names its place, for every kind of error.
    pub(crate) fn call_reporting_errors<R: FromLuaMulti>(
        &self,
        lua: &Lua,
        function: &Function,
        given: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        self.raised.take();
        match self.told.get() {
            None => function.call(given),
            Some(ErrorReportingCall::Raw(told)) => told.call((function, given)),
            Some(ErrorReportingCall::Safe { call, note }) => {
                let mut made: MultiValue = call.call((function, note, given))?;
                match made.pop_front() {
                    Some(Value::Boolean(true)) => R::from_lua_multi(made, lua),
                    _ => {
                        Err(self.error_of_raised_value(lua, made.pop_front().unwrap_or(Value::Nil)))
                    }
                }
            }
        }
    }

    /// Calls a function of a script from a host function that a script called. The budgets of the function start again.
    /// If it passes a limit, the place stays known, although outer scripts end by the limit too. Errors: `Depth`, and
    /// errors of the script.
    pub(crate) fn call_from_host_function<R: FromLuaMulti>(
        &self,
        function: &Function,
        given: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        let scope = self
            .meter
            .enter_script_call()
            .map_err(HostError::error_of_limit)?;
        let made = self.note_place_at_limit(function.call(given));
        drop(scope);
        made
    }

    /// Keeps the place of an error with which a call from inside ended, where a limit was passed.
    pub(crate) fn note_place_at_limit<R>(&self, made: mlua::Result<R>) -> mlua::Result<R> {
        if let Err(error) = &made
            && self.meter.passed_limit().is_some()
        {
            self.raised
                .borrow_mut()
                .end_with_frames(frames_of_error(error));
        }
        made
    }

    /// Returns the raised value as the error that the machine makes of it.
    fn error_of_raised_value(&self, lua: &Lua, raised: Value) -> mlua::Error {
        if let Value::Error(error) = raised {
            return *error;
        }
        let text = raised.to_string();
        let text = text.unwrap_or_else(|_| "error in error handling".to_owned());
        // The text alone could come from any script.
        let is_short = lua.used_memory() > self.meter.limits().memory / 2;
        match text == "not enough memory" && is_short {
            true => mlua::Error::MemoryError(text),
            false => mlua::Error::RuntimeError(text),
        }
    }

    /// Returns the finding for an error that reached the host, with the limit that was passed.
    pub(crate) fn diagnose(&self, error: &mlua::Error, sources: &Sources) -> Diagnostic {
        diagnose_with_raised(error, self.passed_limit(), sources, &self.raised.take())
    }
}
