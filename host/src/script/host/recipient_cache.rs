//! The declared events, and their recipients in the present state.

use std::rc::Rc;

use super::Host;
use crate::diag::{Diagnostic, near_hint};
use crate::script::border::stack_value::NameArgument;
use crate::script::host::error_findings::{HostError, shorten_error_text};
use crate::script::run::event::Event;
use crate::script::run::recipient::Recipient;
use crate::value::Name;

/// The recipients of an event: tables for the frame of events, and the host's data.
#[derive(Clone)]
pub(crate) struct CachedRecipients {
    /// The places of the handlers among all handlers of the event, from 1.
    pub(crate) places: mlua::Table,
    /// The listener and its bearer, for each handler.
    pub(crate) rows: mlua::Table,
    pub(crate) recipients: Rc<[Recipient]>,
}

/// The tables in which the frame of events looks up an event by its name.
pub(crate) struct RecipientTables {
    /// The places of the handlers of its last recipients.
    pub(crate) places: mlua::Table,
    /// The listeners and bearers of its last recipients.
    pub(crate) rows: mlua::Table,
    /// The values by which all of its handlers are called.
    pub(crate) works: mlua::Table,
}

impl Host {
    /// Gives the frame the values by which the handlers of an event are called. Errors: memory.
    pub(crate) fn share_handler_tables_with_frame(
        &self,
        lua: &mlua::Lua,
        event: &Event,
    ) -> mlua::Result<()> {
        event.handler_tables(lua, |works| match self.lists.borrow().as_ref() {
            Some(lists) => lists.works.raw_set(&*event.name, works),
            None => Ok(()),
        })?;
        Ok(())
    }

    /// Returns a declared event. Errors: it is not declared.
    pub(crate) fn event(&self, name: &NameArgument) -> mlua::Result<Rc<Event>> {
        let rules = self.rules.borrow();
        let known = self.existing_name(name).ok();
        let listeners = rules.listeners.borrow();
        match known.and_then(|name| listeners.event(name)) {
            Some(event) => Ok(Rc::clone(event)),
            None => Err(self.unknown_event_error(name)),
        }
    }

    /// Checks that an event is declared and has some fields. Errors: the event is not declared, or has no such field.
    pub(crate) fn check_event_and_fields(
        &self,
        name: &str,
        paths: &[&str],
    ) -> Result<(), Box<Diagnostic>> {
        let known = self.names.find(name);
        let rules = self.rules.borrow();
        let listeners = rules.listeners();
        match known.and_then(|name| listeners.event(name)) {
            Some(event) => event.check_end_condition_fields(paths),
            None => Err(Box::new(
                self.unknown_event_finding(&shorten_error_text(name)),
            )),
        }
    }

    #[cold]
    fn unknown_event_error(&self, name: &NameArgument) -> mlua::Error {
        HostError::error_of_finding(self.unknown_event_finding(&match self.existing_name(name) {
            Ok(name) => self.names.text(name).to_string(),
            Err(text) => shorten_error_text(&text),
        }))
    }

    fn unknown_event_finding(&self, name: &str) -> Diagnostic {
        let rules = self.rules.borrow();
        let message = format!("unknown event \"{name}\"");
        let events = rules.event_summaries();
        let known = events.iter().map(|(event, _)| &**event);
        Diagnostic::error("script/unknown-event", message)
            .hint(near_hint(name, known))
            .hint("declare events in ruleset.luau under `events`")
    }

    /// Returns the recipients of an event, if they are known for this shape of the state.
    pub(crate) fn cached_recipients_with_tables(
        &self,
        event: Name,
        shape: u64,
    ) -> Option<CachedRecipients> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| heard.clone())
    }

    /// Returns only the recipients of an event, without the frame's tables, if they are known for this shape of the
    /// state.
    #[inline]
    pub(crate) fn cached_recipients(&self, event: Name, shape: u64) -> Option<Rc<[Recipient]>> {
        let heard = self.heard.borrow();
        let (at, heard) = heard.get(event.index())?.as_ref()?;
        (*at == shape).then(|| Rc::clone(&heard.recipients))
    }

    /// Remembers the recipients of an event for this shape of the state.
    pub(crate) fn cache_recipients(
        &self,
        event: Name,
        shape: u64,
        heard: CachedRecipients,
    ) -> mlua::Result<()> {
        if let Some(lists) = self.lists.borrow().as_ref() {
            let name = self.names.text(event);
            lists.places.raw_set(&*name, &heard.places)?;
            lists.rows.raw_set(&*name, &heard.rows)?;
        }
        let mut all = self.heard.borrow_mut();
        let size = all.len().max(event.index() + 1);
        all.resize_with(size, || None);
        all[event.index()] = Some((shape, heard));
        Ok(())
    }
}
