//! This module is who hears an event: recipients in order, fixed when it is emitted and checked again at their turn.
//!
//! It reads state and rules and changes neither; the handlers are called by the frame in `api/motion.luau`.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

use mlua::Function;

use super::chance::Chance;
use super::event::{Event, Listener, Work};
use super::filters::{Filter, test_in_words};
use super::recipient::Recipient;
use super::recipient_order;
use super::trace::Step;
use crate::diag::Diagnostic;
use crate::script::declare::order::Key;
use crate::store::{self, Group, Mark, State};
use crate::value::{Name, Names, Text, Value, at_path};

/// A record that ended.
pub(crate) struct Gone<'a> {
    pub(crate) record: Name,
    pub(crate) kind: Name,
    pub(crate) bearer: Name,
    pub(crate) values: &'a Value,
}

/// An event that is being told.
pub(crate) struct Frame {
    pub(crate) event: Rc<Event>,
    pub(crate) recipients: Rc<[Recipient]>,
    /// The shape of the state when the recipients were found.
    pub(crate) shape: u64,
    /// The first recipient that has its turn: those before it had theirs when a handler broke.
    pub(crate) from: usize,
    /// Which recipient did something last; handlers that only look are passed over.
    pub(crate) at: Option<usize>,
    /// What a handler that breaks is rolled back to.
    pub(crate) savepoint: Option<Savepoint>,
    /// The cause that the handlers of this event hang below.
    pub(crate) parent: u32,
    /// Whether one handler runs by itself, outside of an emission.
    pub(crate) is_late: bool,
    /// Whether the event was emitted again meanwhile, and is told again behind this.
    pub(crate) repeats: bool,
}

/// Where a ruling stood before a handler ran.
#[derive(Clone, Copy)]
pub(crate) struct Savepoint {
    pub(crate) mark: Mark,
    pub(crate) documents: usize,
    pub(crate) lines: usize,
    /// The mark of the transient queues.
    pub(crate) transient: usize,
    pub(crate) output_left: usize,
    /// The handler, as a cause.
    pub(crate) cause: u32,
    /// Which of the events around it are told again, the outermost in the lowest bit.
    pub(crate) repeats: u64,
}

/// Whom an event is emitted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// Everybody.
    All,
    /// These rows and the records directly on them.
    To(Vec<Name>),
    /// Exactly these rows.
    At(Vec<Name>),
}

/// A row that handles an event, and whether the event is addressed to it.
#[derive(Clone, Copy)]
struct Candidate {
    listener: store::Listener,
    is_addressed: bool,
}

/// Who hears an event, before they are in order.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) recipients: Vec<Recipient>,
    /// The random places of their elements.
    shuffled: recipient_order::Shuffled,
}

/// Returns who hears an event, in order; of handlers that stand for those of another definition, these themselves.
///
/// Errors: chance that cannot be drawn.
#[cfg(feature = "measure")]
pub(crate) fn recipients(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
    chance: &mut dyn Chance,
) -> Result<Vec<Recipient>, Box<Diagnostic>> {
    let found = find(state, event, address, fields, chance)?;
    found.in_order(state, event, fields, chance)
}

/// Returns who hears an event.
///
/// Takes time by those who are found: rows that handle the event, of those that it is addressed to; and where filters want an
/// element or its bearer in a field, the elements of that row.
/// Errors: chance that cannot be drawn.
pub(crate) fn find(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
    chance: &mut dyn Chance,
) -> Result<Found, Box<Diagnostic>> {
    let mut found = of_game(event, address);
    let candidates = candidates(state, event, address, fields);
    for one in &candidates {
        found.extend(handlers(state, event, one));
    }
    heard(state, event, &mut found, fields);
    let is_shuffled = *address == Address::All
        && event
            .keys()
            .iter()
            .any(|key| matches!(key, Key::Shuffle(_)));
    let shuffled = match is_shuffled {
        true => recipient_order::shuffle(state, event, &rows(state, &candidates), chance)?,
        false => recipient_order::Shuffled::default(),
    };
    Ok(Found {
        recipients: found,
        shuffled,
    })
}

/// Leaves those whose filters the fields of an event pass, and of handlers of one key the first.
fn heard(state: &State, event: &Event, found: &mut Vec<Recipient>, fields: &Value) {
    found.retain(|one| {
        let filters = &event.listeners[one.listener].filters;
        filters.is_empty() || unmet(state.names(), filters, one, fields).is_none()
    });
    if event.has_alternatives && found.len() > 1 {
        let mut told = HashSet::new();
        found.retain(|one| {
            // A row may hear what a definition handles twice: as its own, and as what another one of it stands for.
            let stands_for = (one.by != one.listener).then_some(one.by);
            match event.listeners[one.listener].work.key() {
                Some(key) => told.insert((one.element, stands_for, key)),
                None => true,
            }
        });
    }
}

impl Found {
    /// Puts those who are found in order. Errors: chance that cannot be drawn.
    pub(crate) fn in_order(
        mut self,
        state: &State,
        event: &Event,
        fields: &Value,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Recipient>, Box<Diagnostic>> {
        let found = &mut self.recipients;
        if found.len() > 1 {
            recipient_order::sort(state, event, (found, fields), &self.shuffled, chance)?;
        }
        Ok(self.recipients)
    }

    /// Returns the functions of those handlers that stand for the handlers of another definition, in the order of the event, and
    /// whom they are asked for. Errors: chance that cannot be drawn.
    pub(crate) fn open(
        &self,
        state: &State,
        event: &Event,
        fields: &Value,
        chance: &mut dyn Chance,
    ) -> Result<Vec<(Recipient, Function, Text)>, Box<Diagnostic>> {
        if !event.has_of {
            return Ok(Vec::new());
        }
        let is_open =
            |one: &&Recipient| matches!(event.listeners[one.listener].work, Work::Of { .. });
        let mut open: Vec<Recipient> = self.recipients.iter().filter(is_open).cloned().collect();
        if open.len() > 1 {
            recipient_order::sort(state, event, (&mut open, fields), &self.shuffled, chance)?;
        }
        let asked = open
            .into_iter()
            .filter_map(|one| match &event.listeners[one.listener].work {
                Work::Of { of, collection } => Some((one, of.clone(), collection.clone())),
                Work::Own(_) | Work::Read { .. } => None,
            });
        Ok(asked.collect())
    }

    /// Lets the handlers of the definitions that were named take the places of those that stood for them.
    pub(crate) fn name(
        &mut self,
        state: &State,
        event: &Event,
        named: &[(Recipient, Name)],
        fields: &Value,
    ) {
        let is_open =
            |one: &Recipient| matches!(event.listeners[one.listener].work, Work::Of { .. });
        self.recipients.retain(|one| !is_open(one));
        for (asked, rule) in named {
            let own = event.handlers_of(*rule);
            let own = own.filter(|(_, one)| !matches!(one.work, Work::Of { .. }));
            self.recipients.extend(own.map(|(listener, _)| Recipient {
                listener,
                ..asked.clone()
            }));
        }
        heard(state, event, &mut self.recipients, fields);
    }
}

/// Returns whether any row handles an event, or the game does: if not, nobody hears it, whomever it is for.
#[inline]
pub(crate) fn is_handled(state: &State, event: &Event) -> bool {
    let is_of_gone = event.tells_of_gone && !event.listeners.is_empty();
    is_of_gone || !event.of_game.is_empty() || event.id.is_some_and(|event| state.is_handled(event))
}

/// Returns whether anybody may hear an event, before filters are asked, and how many rows were looked at; draws nothing.
pub(crate) fn has_listeners(state: &State, event: &Event, address: &Address) -> (bool, u64) {
    let mut looked_at = addressed_count(state, address);
    if !of_game(event, address).is_empty() {
        return (true, looked_at);
    }
    let hears_all = |one: &store::Listener| {
        let mut handlers = event.handlers_at(one.place as usize);
        handlers.any(|(_, handler)| handler.hears_all)
    };
    let others =
        || in_group(state, event, Group::AllEvents).chain(in_group(state, event, Group::Named));
    let mut any = |all: &mut dyn Iterator<Item = store::Listener>,
                   is_it: &dyn Fn(&store::Listener) -> bool| {
        all.inspect(|_| looked_at += 1).any(|one| is_it(&one))
    };
    let is_heard = match address {
        Address::All => any(&mut broadcast(state, event), &|one| {
            state.is_broadcast_to(one)
        }),
        Address::To(rows) => {
            !addressed(state, event, &to_rows(state, rows)).is_empty()
                || any(&mut others(), &hears_all)
        }
        Address::At(rows) => !addressed(state, event, rows).is_empty(),
    };
    (is_heard, looked_at)
}

/// Returns how many rows an address makes one look at.
pub(crate) fn addressed_count(state: &State, address: &Address) -> u64 {
    let count = match address {
        Address::All => 0,
        Address::To(rows) => to_rows(state, rows).len(),
        Address::At(rows) => rows.len(),
    };
    count as u64
}

/// Returns the handlers of the game: they hear whatever is not for certain rows alone.
fn of_game(event: &Event, address: &Address) -> Vec<Recipient> {
    let places = match address {
        Address::All | Address::To(_) => event.of_game.as_slice(),
        Address::At(_) => &[],
    };
    let recipient = |at: &usize| {
        let element = event.listeners[*at].rule;
        Recipient {
            listener: *at,
            by: *at,
            element,
            bearer: element,
            is_gone: false,
        }
    };
    places.iter().map(recipient).collect()
}

/// Returns the rows whose handlers an event may be for, each once: filters are not asked yet.
fn candidates(state: &State, event: &Event, address: &Address, fields: &Value) -> Vec<Candidate> {
    let (mut found, is_once): (Vec<Candidate>, bool) = match address {
        Address::All => {
            let all = in_group(state, event, Group::Broadcast);
            let named = named(state, event, fields).into_iter();
            let all = all.chain(named).filter(|one| state.is_broadcast_to(one));
            (
                all.map(Candidate::addressed).collect(),
                event.named.is_empty(),
            )
        }
        Address::To(rows) => {
            let to = addressed(state, event, &to_rows(state, rows)).into_iter();
            let others =
                in_group(state, event, Group::AllEvents).chain(named(state, event, fields));
            let others = others.map(|listener| Candidate {
                listener,
                is_addressed: false,
            });
            (to.map(Candidate::addressed).chain(others).collect(), false)
        }
        Address::At(rows) => {
            let at = addressed(state, event, rows).into_iter();
            (at.map(Candidate::addressed).collect(), false)
        }
    };
    if !is_once || event.may_repeat {
        let mut seen = HashSet::new();
        found.retain(|one| seen.insert((one.listener.row, one.listener.place)));
    }
    found
}

impl Candidate {
    fn addressed(listener: store::Listener) -> Candidate {
        Candidate {
            listener,
            is_addressed: true,
        }
    }
}

fn in_group(state: &State, event: &Event, group: Group) -> impl Iterator<Item = store::Listener> {
    let name = event.id.into_iter();
    name.flat_map(move |name| state.listeners(name, group))
}

/// Returns all rows that an event to everybody may reach, before filters are asked.
fn broadcast(state: &State, event: &Event) -> impl Iterator<Item = store::Listener> {
    let named = in_group(state, event, Group::Named);
    in_group(state, event, Group::Broadcast).chain(named)
}

/// Returns rows and the records directly on them that may be elements.
fn to_rows(state: &State, rows: &[Name]) -> Vec<Name> {
    let with_records = |row: &Name| std::iter::once(*row).chain(state.listening_on(*row));
    rows.iter().flat_map(with_records).collect()
}

/// Returns those of some rows that handle an event.
fn addressed(state: &State, event: &Event, rows: &[Name]) -> Vec<store::Listener> {
    let Some(name) = event.id else {
        return Vec::new();
    };
    let listeners = rows.iter().flat_map(|row| state.listener(*row, name));
    listeners.collect()
}

/// Returns the elements that filters for an element or its bearer find from the fields of an event.
fn named(state: &State, event: &Event, fields: &Value) -> Vec<store::Listener> {
    let mut rows = Vec::new();
    for filter in &event.named {
        let text = at_path(fields, &filter.path).as_str();
        let Some(row) = text.and_then(|text| state.names().find(text)) else {
            continue;
        };
        rows.push(row);
        if filter.wants_bearer() {
            rows.extend(state.listening_below(row));
        }
    }
    addressed(state, event, &rows)
}

/// Returns the handlers of a row that an event is for.
fn handlers<'a>(
    state: &State,
    event: &'a Event,
    candidate: &Candidate,
) -> impl Iterator<Item = Recipient> + use<'a> {
    let (row, is_addressed) = (candidate.listener.row, candidate.is_addressed);
    let bearer = state.bearer(row);
    let handlers = event.handlers_at(candidate.listener.place as usize);
    let meant = handlers.filter(move |(_, one)| is_addressed || one.hears_all);
    meant.map(move |(listener, _)| Recipient {
        listener,
        by: listener,
        element: row,
        bearer,
        is_gone: false,
    })
}

/// Returns rows, each once, entities by id before records by age.
fn rows(state: &State, candidates: &[Candidate]) -> Vec<Name> {
    let mut rows: Vec<Name> = candidates.iter().map(|one| one.listener.row).collect();
    let number = |row: Name| state.number(row).unwrap_or(0);
    rows.sort_by(|one, other| {
        let by_number = number(*one).cmp(&number(*other));
        by_number.then_with(|| match number(*one) {
            0 => state.names().text(*one).cmp(&state.names().text(*other)),
            _ => Ordering::Equal,
        })
    });
    rows.dedup();
    rows
}

/// Returns the handlers of the definition that a record was an element of.
pub(crate) fn of_ended(
    state: &State,
    event: &Event,
    gone: &Gone<'_>,
    fields: &Value,
) -> Vec<Recipient> {
    let rules = state.listener_rules().entries();
    let names = state.names();
    let value = |field: Name| gone.values.get(&names.text(field));
    let was_element = |listener: &Listener| {
        let mut entries = rules[listener.entries.clone()].iter();
        entries.any(|entry| entry.definition_of(names, gone.kind, value) == Some(listener.id))
    };
    let own = event.listeners.iter().enumerate();
    let own = own.filter(|(_, listener)| was_element(listener));
    let own = own.map(|(at, listener)| {
        let recipient = Recipient {
            listener: at,
            by: at,
            element: gone.record,
            bearer: gone.bearer,
            is_gone: true,
        };
        unmet(names, &listener.filters, &recipient, fields)
            .is_none()
            .then_some(recipient)
    });
    own.flatten().collect()
}

/// Returns whether an element is still one of a handler's.
pub(crate) fn is_element(state: &State, listener: &Listener, element: Name) -> bool {
    if listener.is_game {
        return true;
    }
    let mut entries = listener.entries.clone();
    entries.any(|entry| state.definition_by(element, entry) == Some(listener.id))
}

/// Returns the first filter that an event does not meet.
fn unmet<'a>(
    names: &Names,
    filters: &'a [Filter],
    recipient: &Recipient,
    fields: &Value,
) -> Option<&'a Filter> {
    let element = (recipient.element, recipient.bearer);
    filters
        .iter()
        .find(|one| !one.passes(names, element, fields))
}

/// Returns the elements whose handlers do not hear an event, each with the reason.
pub(crate) fn passed_over(
    state: &State,
    event: &Event,
    address: &Address,
    fields: &Value,
) -> Vec<Step> {
    let names = state.names();
    let groups = [Group::Broadcast, Group::Named, Group::AllEvents];
    let all = groups
        .into_iter()
        .flat_map(|group| in_group(state, event, group));
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
        for one in handlers(state, event, &everything) {
            let handler = &event.listeners[one.listener];
            let hears_all = handler.hears_all && !matches!(address, Address::At(_));
            let why = if !is_addressed(one.element) && !hears_all {
                Some("the event is for others".to_owned())
            } else if *address == Address::All && !state.is_broadcast_to(&listener) {
                untold(state, &listener)
            } else {
                unmet(names, &handler.filters, &one, fields)
                    .map(|filter| filter.differs(names, (one.element, one.bearer), fields))
            };
            over.extend(why.map(|why| (one, why)));
        }
    }
    for one in of_game(event, &Address::All) {
        let filters = &event.listeners[one.listener].filters;
        let why = match address {
            Address::At(_) => Some("the event is for others".to_owned()),
            Address::All | Address::To(_) => unmet(names, filters, &one, fields)
                .map(|filter| filter.differs(names, (one.element, one.bearer), fields)),
        };
        over.extend(why.map(|why| (one, why)));
    }
    recipient_order::by_handler(state, &mut over, |(one, _)| one);
    let steps = over.into_iter().map(|(one, why)| Step::PassedOver {
        rule: event.listeners[one.listener].rule,
        element: one.element,
        why,
    });
    steps.collect()
}

/// Says why what is emitted to everybody does not reach an element.
fn untold(state: &State, listener: &store::Listener) -> Option<String> {
    let entry = state.listener_rules().entries().get(listener.entry)?;
    let mut tests = entry.broadcast_if.iter();
    let unmet = tests.find(|one| !one.test.passes(state.get(listener.row, one.field)))?;
    let (field, found) = (
        state.names().text(unmet.field),
        state.get(listener.row, unmet.field),
    );
    let wanted = test_in_words(&unmet.test);
    Some(format!("its {field} was to be {wanted} and is {found}"))
}
