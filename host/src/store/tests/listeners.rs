//! Compares the index of listeners with a scan of all rows, over writes of all kinds, rollbacks
//! and undone changes.

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;

use super::{attach, get, put_with, remove, set, state, texts};
use crate::store::{
    Change, FieldTest, Group, Handled, ListenerEntry, ListenerRules, Mark, Reach, State, Test,
};
use crate::value::{Name, Names, Value};

const ENTITIES: [&str; 4] = ["ann", "bo", "Cy", "hall"];
const KINDS: [&str; 4] = ["person", "charm", "mark", "bell"];
const FIELDS: [&str; 4] = ["calling", "charm", "gone", "mood"];
const VALUES: [&str; 7] = ["", "pilot", "hex", "bell", "nobody", "ann", "bell#1"];
/// The rows that are definitions: their kind, and the field that decides the event that they handle.
const STORED: (&str, &str) = ("bell", "mood");
const EVENTS: [&str; 3] = ["dawn", "strike", "ended"];
const GROUPS: [Group; 3] = [Group::Broadcast, Group::Named, Group::AllEvents];

/// The handlers of one set of rules: for each handler a definition, an event, and the emissions that reach it.
type Handles = Vec<(usize, usize, Reach)>;

#[derive(Clone, Debug)]
enum Move {
    Put(usize, usize, usize, usize),
    Attach(usize, usize, usize, usize),
    Set(usize, usize, usize),
    Remove(usize),
    Mark,
    Rollback,
    Commit,
    /// Reverses the changes of the last commit, as undo does, or makes them again.
    Turn,
    Fork,
    Swap,
    Reload(usize),
    /// Writes the state to bytes and reads it.
    Save,
}

fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        3 => (0usize..4, 0usize..4, 0usize..4, 0usize..7).prop_map(|(id, kind, field, value)| Move::Put(id, kind, field, value)),
        8 => (0usize..12, 0usize..4, 0usize..4, 0usize..7).prop_map(|(owner, kind, field, value)| Move::Attach(owner, kind, field, value)),
        8 => (0usize..12, 0usize..4, 0usize..7).prop_map(|(row, field, value)| Move::Set(row, field, value)),
        2 => (0usize..12).prop_map(Move::Remove),
        2 => Just(Move::Mark),
        2 => Just(Move::Rollback),
        2 => Just(Move::Commit),
        2 => Just(Move::Turn),
        1 => Just(Move::Fork),
        1 => Just(Move::Swap),
        1 => (0usize..2).prop_map(Move::Reload),
        1 => Just(Move::Save),
    ]
}

fn any_handles() -> impl Strategy<Value = Handles> {
    let reach = (any::<bool>(), any::<bool>(), any::<bool>());
    let reach = reach.prop_map(|(broadcast, named, all_events)| Reach {
        broadcast,
        named,
        all_events,
    });
    prop::collection::vec((1usize..4, 0usize..3, reach), 0..8)
}

/// Returns rules with an entry of each form: by kind and field, by field alone, by kind alone, with a test.
fn rules(names: &Names, handles: &Handles) -> Rc<ListenerRules> {
    let entry = |kind: Option<&str>, field: Option<&str>, gone: Option<Test>| {
        let listener_if = gone.map(|test| FieldTest {
            field: names.intern("gone"),
            test,
        });
        let [kind, field] = [kind, field].map(|text| text.map(|text| names.intern(text)));
        let mut entry = ListenerEntry::new(kind, field);
        entry.listener_if = listener_if.into_iter().collect();
        entry.stored = field.map(|_| (names.intern(STORED.0), names.intern(STORED.1)));
        for (place, value) in VALUES.iter().enumerate() {
            let own = handles
                .iter()
                .filter(|(definition, ..)| *definition == place);
            let mut handled: Vec<Handled> = Vec::new();
            for (place, (_, event, reach)) in own.enumerate() {
                let event = names.intern(EVENTS[*event]);
                if handled.iter().all(|one| one.event != event) {
                    let (place, reach) = (u32::try_from(place).unwrap(), *reach);
                    handled.push(Handled {
                        event,
                        place,
                        reach,
                    });
                }
            }
            entry.add_definition(names.intern(value), handled);
        }
        entry
    };
    Rc::new(ListenerRules::new(vec![
        entry(Some("person"), Some("calling"), None),
        entry(
            Some("charm"),
            Some("charm"),
            Some(Test::OtherThan("hex".into())),
        ),
        entry(None, Some("calling"), Some(Test::Is(Value::Nil))),
        entry(None, None, None),
    ]))
}

/// Returns the events that a definition row handles: one event for each of two values of its field.
fn handled_events_of_text(names: &Names, said: &Value) -> Vec<Handled> {
    let event = match said.as_str() {
        Some("pilot") => EVENTS[0],
        Some("hex") => EVENTS[1],
        _ => return Vec::new(),
    };
    let reach = Reach {
        broadcast: true,
        ..Reach::default()
    };
    vec![Handled {
        event: names.intern(event),
        place: 90,
        reach,
    }]
}

/// Reads the unread definition rows, as the emission of an event does.
fn read_unread_definitions(state: &mut State) {
    let names = Rc::clone(state.names());
    let unread = state.unread_definitions().into_iter();
    let read: Vec<_> = unread
        .map(|(row, entry, text)| (row, entry, handled_events_of_text(&names, text)))
        .collect();
    if state.has_unread_definitions() {
        state.add_row_definitions(read);
    }
}

/// Checks that definition rows handle the events of their present fields. Rows with the name of a definition of the
/// rules are left out.
fn check_definition_rows(state: &State, defined: &[&str]) {
    let names = state.names();
    let (kind, field) = STORED;
    for entry in state.listener_rules().entries() {
        for (row, _) in state.rows.iter() {
            let is_definition = entry.stored.is_some() && state.kind(row) == names.find(kind);
            let expected = match is_definition {
                true => handled_events_of_text(names, state.get(row, names.intern(field))),
                false => Vec::new(),
            };
            if !defined.contains(&&*names.text(row)) {
                assert_eq!(entry.handled_events(row), expected, "{}", names.text(row));
            }
        }
    }
}

/// Returns the rows of a group that handle an event, found by a scan: entry, row and place. Entities are first, in the
/// order of ids; records follow in the order of numbers.
fn listeners_found_by_scan(state: &State, event: Name, group: Group) -> Vec<(usize, Name, u32)> {
    let names = state.names();
    let mut found = BTreeMap::new();
    for (place, entry) in state.listener_rules().entries().iter().enumerate() {
        for (row, _) in state.rows.iter() {
            let Some(kind) = state.kind(row) else {
                continue;
            };
            let definition =
                entry.definition_if_listening(names, kind, |field| state.get(row, field));
            let handled =
                definition.and_then(|definition| entry.handling_of_event(definition, event));
            let is_reached = |reach: &Reach| match group {
                Group::Broadcast => reach.broadcast,
                Group::Named => reach.named,
                Group::AllEvents => reach.all_events,
            };
            if let Some(handled) = handled.filter(|handled| is_reached(&handled.reach)) {
                let number = state.record_number(row).unwrap_or(0);
                let id = if number == 0 {
                    names.text(row).to_string()
                } else {
                    String::new()
                };
                found.insert((place, number, id), (place, row, handled.place));
            }
        }
    }
    found.into_values().collect()
}

/// Returns whether a row or a record below it listens, found by a scan.
fn listens(state: &State, row: Name) -> bool {
    let itself = EVENTS.iter().any(|event| {
        let event = state.names().intern(event);
        state.listeners_at_row(row, event).next().is_some()
    });
    itself || state.records_of(row).any(|record| listens(state, record))
}

fn check_listener_index(state: &mut State) {
    read_unread_definitions(state);
    check_definition_rows(state, &["pilot", "hex", "bell", "nobody"]);
    for event in EVENTS {
        let event = state.names().intern(event);
        for group in GROUPS {
            let listeners = state.listeners_of_event(event, group);
            let known: Vec<_> = listeners
                .map(|one| (one.entry, one.row, one.place))
                .collect();
            assert_eq!(
                known,
                listeners_found_by_scan(state, event, group),
                "{group:?}"
            );
        }
    }
    for row in state.rows() {
        let records: Vec<Name> = state
            .records_of(row)
            .filter(|one| listens(state, *one))
            .collect();
        let known: Vec<Name> = state.listening_records_on(row).collect();
        assert_eq!(texts(state, known), texts(state, records));
    }
}

struct Game {
    state: State,
    marks: Vec<Mark>,
    last: Vec<Change>,
}

impl Game {
    fn step(&mut self, others: &mut Vec<Game>, step: &Move, rules: &[Rc<ListenerRules>]) {
        let rows = texts(&self.state, self.state.rows());
        let row = |at: usize| {
            rows.get(at % rows.len().max(1))
                .map_or("nobody", String::as_str)
        };
        let value = |at: usize| match VALUES[at] {
            "" => Value::Nil,
            text => Value::from(text),
        };
        let state = &mut self.state;
        match step {
            Move::Put(id, kind, field, of) => {
                let field = (FIELDS[*field], value(*of));
                drop(put_with(state, ENTITIES[*id], KINDS[*kind], &[field]));
            }
            Move::Attach(owner, kind, field, of) => {
                let field = (FIELDS[*field], value(*of));
                drop(attach(state, row(*owner), KINDS[*kind], &[field]));
            }
            Move::Set(at, field, of) => drop(set(state, row(*at), FIELDS[*field], value(*of))),
            Move::Remove(at) => drop(remove(state, row(*at))),
            Move::Mark => self.marks.push(state.mark()),
            Move::Rollback => {
                if let Some(mark) = self.marks.pop() {
                    state.rollback(mark);
                }
            }
            Move::Commit => self.commit(),
            Move::Turn => {
                self.roll_back_pending();
                let turned = self.last.iter().map(|change| Change {
                    old: change.new.clone(),
                    new: change.old.clone(),
                    ..*change
                });
                self.last = turned.collect();
                self.state.apply_changes(&self.last).unwrap();
                let start = self.state.mark_before_all();
                self.state.commit(start);
            }
            Move::Fork => others.push(Game {
                state: state.fork(),
                marks: Vec::new(),
                last: Vec::new(),
            }),
            Move::Swap => {
                if let Some(other) = others.first_mut() {
                    std::mem::swap(self, other);
                }
            }
            Move::Reload(which) => state.index_listeners(Rc::clone(&rules[*which])),
            Move::Save => {
                self.commit();
                let names = Rc::clone(self.state.names());
                let rules = Rc::clone(&self.state.listener_rules);
                self.state = State::from_bytes(&self.state.to_bytes(), names).unwrap();
                self.state.index_listeners(rules);
            }
        }
    }

    fn commit(&mut self) {
        self.marks.clear();
        let start = self.state.mark_before_all();
        self.last = self.state.commit(start);
    }

    /// Rolls back the writes that no commit has settled.
    fn roll_back_pending(&mut self) {
        self.marks.clear();
        self.state.rollback(self.state.mark_before_all());
    }
}

proptest! {
    #[test]
    fn the_index_is_what_a_scan_finds(
        handles in any_handles(),
        others in any_handles(),
        moves in prop::collection::vec(any_move(), 0..80),
    ) {
        let mut game = Game { state: state(), marks: Vec::new(), last: Vec::new() };
        let names = Rc::clone(game.state.names());
        let all = [rules(&names, &handles), rules(&names, &others)];
        game.state.index_listeners(Rc::clone(&all[0]));
        let mut forks = Vec::new();
        for step in &moves {
            game.step(&mut forks, step, &all);
            check_listener_index(&mut game.state);
        }
        forks.iter_mut().for_each(|fork| check_listener_index(&mut fork.state));
        while let Some(mark) = game.marks.pop() {
            game.state.rollback(mark);
            check_listener_index(&mut game.state);
        }
    }
}

#[test]
fn a_listener_below_a_record_is_found_from_all_that_it_lies_on_and_only_as_long_as_it_listens() {
    let mut state = state();
    let names = Rc::clone(state.names());
    let reach = Reach {
        broadcast: true,
        ..Reach::default()
    };
    state.index_listeners(rules(&names, &vec![(3, 0, reach)]));
    put_with(&mut state, "ann", "person", &[]).unwrap();
    let outer = attach(&mut state, "ann", "mark", &[]).unwrap();
    let outer = names.text(outer);
    let inner = attach(&mut state, &outer, "charm", &[]).unwrap();
    let (ann, dawn) = (names.intern("ann"), names.intern("dawn"));
    assert_eq!(state.listening_records_below(ann), []);
    let id = names.text(inner);
    set(&mut state, &id, "charm", "bell").unwrap();
    assert_eq!(get(&state, &id, "charm"), "bell".into());
    assert_eq!(
        state.listening_records_below(ann),
        [names.intern(&outer), inner]
    );
    let rows = state
        .listeners_of_event(dawn, Group::Broadcast)
        .map(|one| one.row);
    assert_eq!(rows.collect::<Vec<_>>(), [inner]);
    remove(&mut state, &id).unwrap();
    assert_eq!(state.listening_records_below(ann), []);
}
