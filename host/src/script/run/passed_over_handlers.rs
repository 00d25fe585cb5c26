//! Lists the handlers that do not handle an event, with the reasons: for traced runs.

use std::collections::HashSet;

use super::event::Event;
use super::event_recipients::{
    Address, Candidate, first_unmet_filter, game_recipients, handlers_of_row, listeners_in_group,
};
use super::handler_filters::test_value_in_words;
use super::recipient::Recipient;
use super::recipient_order;
use super::trace::Step;
use super::watch_counts::Watching;
use crate::store::{self, Group, State};
use crate::value::{Name, Value};

/// The reason why a handler that watches something does not handle an event.
const UNWRITTEN: &str = "nothing that it watches was written since it last handled this";

/// Returns the listeners with handlers that do not handle an event, each with the reason.
pub(crate) fn passed_over_handlers(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
    watching: &Watching,
) -> Vec<Step> {
    let names = state.names();
    let missed = |one: &Recipient| {
        let filters = &event.listeners[one.listener].filters;
        let unmet = first_unmet_filter(names, filters, one, fields);
        let unmet = unmet.map(|filter| {
            filter.filter_mismatch_in_words(names, (one.element, one.bearer), fields)
        });
        let is_at_rest = || watching.is_unwritten_since_last_run(state, event, one);
        unmet.or_else(|| is_at_rest().then(|| UNWRITTEN.to_owned()))
    };
    let groups = [Group::Broadcast, Group::Named, Group::AllEvents];
    let all = groups
        .into_iter()
        .flat_map(|group| listeners_in_group(state, event, group));
    let is_addressed = |row: Name| match address {
        Address::All => true,
        Address::To(rows) => {
            let is_owned = state.owner(row).is_some_and(|owner| rows.contains(&owner));
            is_owned || rows.contains(&row)
        }
        Address::At(rows) => rows.contains(&row),
    };
    let mut seen = HashSet::new();
    let once = all.filter(|one| seen.insert((one.row, one.place)));
    let mut over: Vec<(Recipient, String)> = Vec::new();
    for listener in once {
        let everything = Candidate::addressed(listener);
        for one in handlers_of_row(state, event, &everything) {
            let handler = &event.listeners[one.listener];
            let hears_all = handler.hears_all && !matches!(address, Address::At(_));
            let why = if !is_addressed(one.element) && !hears_all {
                Some("the event is for others".to_owned())
            } else if *address == Address::All && !state.is_broadcast_to(&listener) {
                unmet_condition(state, &listener)
            } else {
                missed(&one)
            };
            over.extend(why.map(|why| (one, why)));
        }
    }
    for one in game_recipients(event, &Address::All) {
        let why = match address {
            Address::At(_) => Some("the event is for others".to_owned()),
            Address::All | Address::To(_) => missed(&one),
        };
        over.extend(why.map(|why| (one, why)));
    }
    recipient_order::sort_by_handler(state, &mut over, |(one, _)| one);
    let steps = over.into_iter().map(|(one, why)| Step::PassedOver {
        rule: event.listeners[one.listener].rule,
        element: one.element,
        why,
    });
    steps.collect()
}

/// Returns the reason why an event to everybody does not reach a listener.
fn unmet_condition(state: &State, listener: &store::Listener) -> Option<String> {
    let entry = state.listener_rules().entries().get(listener.entry)?;
    let mut tests = entry.broadcast_if.iter();
    let unmet = tests.find(|one| !one.test.passes(state.get(listener.row, one.field)))?;
    let (field, found) = (
        state.names().text(unmet.field),
        state.get(listener.row, unmet.field),
    );
    let wanted = test_value_in_words(&unmet.test);
    Some(format!("its {field} should be {wanted}, but is {found}"))
}
