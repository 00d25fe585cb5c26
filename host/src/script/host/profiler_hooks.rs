//! The places where the functions of the API let the profiler look. Without a profiler none of them exists.

use std::rc::{Rc, Weak};

use mlua::{FromLuaMulti, IntoLuaMulti, Lua, MultiValue};

use crate::script::host::Host;
use crate::script::profile::{Sampler, Work};
use crate::script::raw::{Frames, Met, with_frames};
use crate::script::run::event_cursor::EventCursor;
use crate::value::Text;

/// The host of a machine, for reading its stack.
struct Sampled(Weak<Host>);

impl Host {
    /// Enables samples in calls across the border.
    pub(crate) fn enable_profiler(self: &Rc<Host>, lua: &Lua) {
        if self.sampler.is_some() {
            lua.set_app_data(Sampled(Rc::downgrade(self)));
        }
    }

    /// Takes a sample, if it is due.
    pub(crate) fn sample_frames(&self, frames: Frames<'_>, met: Met) {
        let work = match met {
            Met::Script | Met::Call => None,
            Met::Collector => Some((Work::Collector, "")),
            Met::Method(method) => Some(method),
        };
        self.sample_if_due(frames, work);
    }

    /// Takes a sample inside of a function of the API, if it is due.
    pub(crate) fn sample_in_call(&self, lua: &Lua, work: Option<(Work, &str)>) {
        if self
            .sampler
            .as_ref()
            .is_some_and(|sampler| sampler.is_due())
        {
            with_frames(lua, |frames| self.sample_if_due(frames, work));
        }
    }

    fn sample_if_due(&self, frames: Frames<'_>, work: Option<(Work, &str)>) {
        let Some(sampler) = self.sampler.as_ref().filter(|sampler| sampler.is_due()) else {
            return;
        };
        let rule = self.rule_at_work();
        sampler.take_sample((rule.as_deref(), self.meter.fuel_used()), frames, work);
    }

    /// Returns the rule at work: the handler, with its key if a schema read it, otherwise the rule of the command.
    fn rule_at_work(&self) -> Option<Text> {
        let run = self.run.try_borrow().ok()?;
        let run = run.as_ref()?;
        let place = self.turn.borrow().as_ref().and_then(EventCursor::place);
        let key = place.and_then(|place| {
            let frame = run.motion.frames.last()?;
            let recipient = frame.recipients.get(place)?;
            frame.event.listeners[recipient.listener].work.key()
        });
        if let Some(key) = key {
            return Some(key.clone());
        }
        match run.motion.causes.handler_rule() {
            Some(rule) => Some(self.names.text(rule)),
            None => run.cause.get("rule").as_str().map(Text::from),
        }
    }

    /// Returns the sampler, if there is one.
    pub(crate) fn sampler(&self) -> Option<&Rc<Sampler>> {
        self.sampler.as_ref()
    }
}

fn sample_conversion(lua: &Lua, work: Option<(Work, &str)>) {
    let host = lua
        .app_data_ref::<Sampled>()
        .and_then(|host| host.0.upgrade());
    if let Some(host) = host {
        host.sample_in_call(lua, work);
    }
}

/// Arguments that are read while the profiler samples.
pub(crate) struct Begun<A>(pub(crate) A);

impl<A: FromLuaMulti> FromLuaMulti for Begun<A> {
    fn from_lua_multi(values: MultiValue, lua: &Lua) -> mlua::Result<Begun<A>> {
        sample_conversion(lua, None);
        let read = A::from_lua_multi(values, lua);
        sample_conversion(lua, Some((Work::Conversions, "arguments")));
        read.map(Begun)
    }
}

/// Results that are given while the profiler samples.
pub(crate) struct Ended<R>(pub(crate) R);

impl<R: IntoLuaMulti> IntoLuaMulti for Ended<R> {
    fn into_lua_multi(self, lua: &Lua) -> mlua::Result<MultiValue> {
        let given = self.0.into_lua_multi(lua);
        sample_conversion(lua, Some((Work::Conversions, "results")));
        given
    }
}
