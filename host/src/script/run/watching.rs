//! This module is handlers that watch fields and kinds: an event that is told because something was written tells them only where one of
//! these was.

use std::collections::HashMap;

use super::event::Event;
use super::recipient::Recipient;
use crate::store::State;
use crate::value::Name;

/// What was written of what handlers watch when they were found last, by event, handler and element.
#[derive(Debug, Default)]
pub(crate) struct Watching(HashMap<(Name, usize, Name), u64>);

impl Watching {
    /// Leaves those recipients of an event that watch nothing, or what was written since they were found for it last in this run.
    pub(crate) fn pass_over(
        &mut self,
        state: &mut State,
        event: &Event,
        recipients: &mut Vec<Recipient>,
    ) {
        let Some(id) = event.id.filter(|_| event.has_watches) else {
            return;
        };
        recipients.retain(|one| {
            let watched = &event.listeners[one.listener].watches;
            if watched.is_empty() {
                return true;
            }
            let places = watched.iter().map(|name| state.watch(*name));
            // Where too much is watched, all of it counts as written.
            let Some(places) = places.collect::<Option<Vec<u16>>>() else {
                return true;
            };
            let written = state.written(&places);
            let known = self.0.insert((id, one.listener, one.element), written);
            known != Some(written)
        });
    }
}
