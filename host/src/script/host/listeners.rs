//! This module knows the events that are declared, and who hears them as the state is.

use std::rc::Rc;

use super::Host;
use crate::diag::{Diagnostic, near_hint};
use crate::script::border::stack_value::NameArgument;
use crate::script::host::error::{HostError, shortened};
use crate::script::run::listeners::Event;
use crate::script::run::recipient::Recipient;
use crate::value::Name;

/// Who hears an event: the handlers with what they are called with, and what the host knows of them.
#[derive(Clone)]
pub(crate) struct Heard {
    pub(crate) table: mlua::Table,
    pub(crate) recipients: Rc<[Recipient]>,
}

impl Host {
    /// Returns a declared event. Errors: nobody declares it.
    pub(crate) fn event(&self, name: &NameArgument) -> mlua::Result<Rc<Event>> {
        let rules = self.rules.borrow();
        let known = self.name(name).ok();
        let listeners = rules.listeners.borrow();
        match known.and_then(|name| listeners.event(name)) {
            Some(event) => Ok(Rc::clone(event)),
            None => Err(self.unknown_event(name)),
        }
    }

    /// Checks that an event is declared. Errors: nobody declares it.
    pub(crate) fn check_event(&self, name: &str) -> Result<(), Box<Diagnostic>> {
        let known = self.names.find(name);
        let rules = self.rules.borrow();
        let listeners = rules.listeners();
        match known.and_then(|name| listeners.event(name)) {
            Some(_) => Ok(()),
            None => Err(Box::new(self.no_event(&shortened(name)))),
        }
    }

    #[cold]
    fn unknown_event(&self, name: &NameArgument) -> mlua::Error {
        HostError::raise(self.no_event(&match self.name(name) {
            Ok(name) => self.names.text(name).to_string(),
            Err(text) => shortened(&text),
        }))
    }

    fn no_event(&self, name: &str) -> Diagnostic {
        let rules = self.rules.borrow();
        let message = format!("no event is called \"{name}\"");
        let events = rules.events();
        let known = events.iter().map(|(event, _)| &**event);
        Diagnostic::error("script/unknown-event", message)
            .hint(near_hint(name, known))
            .hint("events are declared in ruleset.luau under `events`")
    }

    /// Returns who hears an event, if that is known for this shape of the state.
    pub(crate) fn heard(&self, event: Name, shape: u64) -> Option<Heard> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| heard.clone())
    }

    /// Returns the recipients of an event alone, if they are known for this shape of the state.
    #[inline]
    pub(crate) fn heard_by(&self, event: Name, shape: u64) -> Option<Rc<[Recipient]>> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| Rc::clone(&heard.recipients))
    }

    /// Remembers who hears an event for this shape of the state.
    pub(crate) fn hear(&self, event: Name, shape: u64, heard: Heard) -> mlua::Result<()> {
        if let Some(lists) = self.lists.borrow().as_ref() {
            lists.raw_set(&*self.names.text(event), &heard.table)?;
        }
        let mut all = self.heard.borrow_mut();
        let size = all.len().max(event.index() + 1);
        all.resize_with(size, || None);
        all[event.index()] = Some((shape, heard));
        Ok(())
    }
}
