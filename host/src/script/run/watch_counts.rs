//! Handlers that watch fields and kinds. An event that is caused by a write runs them only after a write to a watched
//! field or kind.

use std::collections::HashMap;

use super::event::Event;
use super::recipient::Recipient;
use crate::store::State;
use crate::value::Name;

/// An event, the place of a handler of it, and a listener.
type Key = (Name, usize, Name);

/// The write counts of the fields and kinds that handlers watch, at the last time that they handled an event.
#[derive(Debug, Default)]
pub(crate) struct Watching(HashMap<Key, u64>);

impl Watching {
    /// Keeps the recipients of an event that watch nothing. Also keeps those with a write to a watched field or kind
    /// since they last handled the event in this run.
    pub(crate) fn retain_with_new_writes(
        &self,
        state: &mut State,
        event: &Event,
        recipients: &mut Vec<Recipient>,
    ) {
        if event.has_watches {
            recipients.retain(|one| match watch_key_and_count(state, event, one) {
                Some((key, written)) => self.0.get(&key) != Some(&written),
                None => true,
            });
        }
    }

    /// Returns whether a handler of an event watches something, and nothing of that was written since it last ran in
    /// this run.
    pub(crate) fn is_unwritten_since_last_run(
        &self,
        state: &State,
        event: &Event,
        one: &Recipient,
    ) -> bool {
        let known = key_if_watching(event, one).and_then(|key| self.0.get(&key));
        let names = event.listeners[one.listener].watches.iter();
        let places = names.map(|name| state.watched_place(*name));
        let places = places.collect::<Option<Vec<u16>>>();
        places.is_some_and(|places| known == Some(&state.total_writes_at(&places)))
    }

    /// Notes the present recipients of an event.
    pub(crate) fn note_write_counts(
        &mut self,
        state: &mut State,
        event: &Event,
        recipients: &[Recipient],
    ) {
        if event.has_watches {
            let watching = recipients.iter();
            self.0
                .extend(watching.filter_map(|one| watch_key_and_count(state, event, one)));
        }
    }
}

/// Returns the key of a recipient, and how often the fields and kinds that it watches were written. Returns nothing if
/// it watches nothing, or too much is watched in the game: then all of it counts as written.
fn watch_key_and_count(state: &mut State, event: &Event, one: &Recipient) -> Option<(Key, u64)> {
    let key = key_if_watching(event, one)?;
    let names = event.listeners[one.listener].watches.iter();
    let places = names.map(|name| state.watch_name(*name));
    let places = places.collect::<Option<Vec<u16>>>()?;
    Some((key, state.total_writes_at(&places)))
}

/// Returns the key of a handler that watches something.
fn key_if_watching(event: &Event, one: &Recipient) -> Option<Key> {
    let watches = !event.listeners[one.listener].watches.is_empty();
    watches.then_some((event.id?, one.listener, one.element))
}
