//! Compares the index of ends with an index that is computed from scratch, over random games.

use std::rc::Rc;

use proptest::prelude::*;

use super::{World, end, list};
use crate::store::row::Numbered;
use crate::store::table::Table;
use crate::store::{Mark, State};
use crate::value::{Names, Value};

/// Returns the whole index in words, in an order of its own.
fn index_as_words(state: &State) -> Vec<String> {
    let names = state.names();
    let text = |list: &Numbered| {
        let ids = list.names().map(|record| names.text(record).to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    let by_name = |what: &str, table: &Table<Numbered>| {
        let lines = table.iter();
        lines
            .map(|(key, list)| format!("{what} {}: {}", names.text(key), text(list)))
            .collect::<Vec<_>>()
    };
    let index = &state.ends;
    let mut lines = by_name("with", &index.with);
    lines.extend(by_name("event", &index.events));
    lines.sort();
    lines.extend(
        [
            &index.phases,
            &index.turns,
            &index.rounds,
            &index.expressions,
            &index.hearing,
        ]
        .map(|list| text(list)),
    );
    for calendar in [&index.times, &index.deadlines] {
        let entries = calendar.iter();
        lines.extend(entries.map(|((second, number, id), row)| {
            assert_eq!(names.text(*row), *id);
            format!("{second} {number} {id}")
        }));
    }
    lines
}

fn assert_index_is_current(state: &State) {
    let again = State::from_bytes(&state.to_bytes(), Rc::new(Names::default())).unwrap();
    assert_eq!(index_as_words(state), index_as_words(&again));
    assert_eq!(state.hash(), again.hash());
}

#[derive(Clone, Debug)]
enum Move {
    Attach(usize, Vec<usize>),
    Ends(usize, Vec<usize>),
    Deadline(usize, i64),
    Use(usize),
    Remove(usize),
    Create(usize),
    Phase,
    Turn,
    Pass(i64),
    Tell,
    Test,
    Mark,
    Rollback,
    Commit,
    Fork,
}

fn any_move() -> impl Strategy<Value = Move> {
    let ends = || prop::collection::vec(0usize..12, 0..4);
    prop_oneof![
        6 => (0usize..20, ends()).prop_map(|(owner, ends)| Move::Attach(owner, ends)),
        2 => (0usize..20, ends()).prop_map(|(row, ends)| Move::Ends(row, ends)),
        2 => (0usize..20, 0i64..300).prop_map(|(row, second)| Move::Deadline(row, second)),
        2 => (0usize..20).prop_map(Move::Use),
        2 => (0usize..20).prop_map(Move::Remove),
        2 => (0usize..3).prop_map(Move::Create),
        1 => Just(Move::Phase),
        2 => Just(Move::Turn),
        2 => (0i64..120).prop_map(Move::Pass),
        1 => Just(Move::Tell),
        1 => Just(Move::Test),
        2 => Just(Move::Mark),
        2 => Just(Move::Rollback),
        1 => Just(Move::Commit),
        1 => Just(Move::Fork),
    ]
}

fn ends_of(rows: &[String], row: usize, kinds: &[usize]) -> Value {
    let other = rows.get((row * 7 + 3) % rows.len().max(1));
    let other = other.map_or("nobody", String::as_str);
    let one = |kind: &usize| match kind {
        0 => end([("phase", "this".into())]),
        1 => end([("phase", "day".into())]),
        2 => end([("turn", "start".into()), ("of", other.into())]),
        3 => end([("rounds", 1.into())]),
        4 => end([("time", (60 + row as i64).into())]),
        5 => end([("uses", 2.into())]),
        6 => end([("with", other.into())]),
        7 => end([("event", "bell".into())]),
        8 => end([("event", "bell".into()), ("test", "tired".into())]),
        9 => end([
            ("event", "horn".into()),
            ("test", "".into()),
            ("bound", row.is_multiple_of(2).into()),
        ]),
        10 => end([
            ("when", "spent".into()),
            ("bound", row.is_multiple_of(3).into()),
        ]),
        _ => end([("when", "tired".into())]),
    };
    Value::list(kinds.iter().map(one))
}

struct Game {
    world: World,
    marks: Vec<Mark>,
}

impl Game {
    fn rows(&self) -> Vec<String> {
        let state = &self.world.state;
        let rows = state.rows().into_iter();
        rows.map(|row| state.names().text(row).to_string())
            .collect()
    }

    fn perform(&mut self, step: &Move) {
        let rows = self.rows();
        let at = |at: usize| {
            rows.get(at % rows.len().max(1))
                .cloned()
                .unwrap_or_default()
        };
        let world = &mut self.world;
        match step {
            Move::Attach(owner, kinds) => {
                let ends = ends_of(&rows, *owner, kinds);
                drop(world.attach(&at(*owner), "mark", &ends));
            }
            Move::Ends(row, kinds) => {
                // The ends of another record, in their stored form.
                let other = at(row * 5 + 1);
                let of = crate::store::tests::get(&world.state, &other, "@ends");
                let ends = if kinds.is_empty() { Value::Nil } else { of };
                drop(crate::store::tests::set(
                    &mut world.state,
                    &at(*row),
                    "@ends",
                    ends,
                ));
            }
            Move::Deadline(row, second) => {
                let second = if *second == 0 {
                    Value::Nil
                } else {
                    (*second).into()
                };
                drop(crate::store::tests::set(
                    &mut world.state,
                    &at(*row),
                    "@deadline",
                    second,
                ));
            }
            Move::Use(row) => {
                let record = world.state.names().intern(&at(*row));
                if world.state.owner(record).is_some() {
                    world.use_record_once(record);
                }
            }
            Move::Remove(row) if !rows.is_empty() => world.remove(&at(*row)),
            Move::Remove(_) => {}
            Move::Create(person) => {
                let id = ["ann", "bo", "cy"][*person];
                if !rows.iter().any(|row| row == id) {
                    world.create(id);
                }
            }
            Move::Phase => world.next_phase(None),
            Move::Turn => Game::turn(world, &rows),
            Move::Pass(seconds) => world.pass_seconds(*seconds),
            Move::Tell => {
                world.event("bell", &Value::Nil);
                world.event("horn", &Value::Nil);
            }
            Move::Test => world.test(),
            Move::Mark => self.marks.push(world.state.mark()),
            Move::Rollback => {
                if let Some(mark) = self.marks.pop() {
                    world.state.rollback(mark);
                }
            }
            Move::Commit => {
                self.marks.clear();
                let start = world.state.log.mark_before_all();
                world.state.commit(start);
            }
            Move::Fork => {
                self.marks.clear();
                world.state = world.state.fork();
            }
        }
    }

    fn turn(world: &mut World, rows: &[String]) {
        let people = ["ann", "bo", "cy"];
        if !people.iter().any(|id| rows.iter().any(|row| row == id)) {
            return;
        }
        if world.clock().round.is_none() {
            world.begin_rounds(&people);
        }
        world.next_turn();
    }
}

proptest! {
    #[test]
    fn the_index_is_what_the_cells_say(moves in prop::collection::vec(any_move(), 0..80)) {
        let mut game = Game { world: World::new(), marks: Vec::new() };
        for step in &moves {
            game.perform(step);
            assert_index_is_current(&game.world.state);
        }
        while let Some(mark) = game.marks.pop() {
            game.world.state.rollback(mark);
            assert_index_is_current(&game.world.state);
        }
        let start = game.world.state.log.mark_before_all();
        game.world.state.rollback(start);
        assert_index_is_current(&game.world.state);
    }

    #[test]
    fn changes_lead_to_the_same_index(before in prop::collection::vec(any_move(), 0..30), after in prop::collection::vec(any_move(), 0..30)) {
        let mut game = Game { world: World::new(), marks: Vec::new() };
        let still = |step: &&Move| !matches!(step, Move::Commit | Move::Fork | Move::Mark | Move::Rollback);
        before.iter().filter(still).for_each(|step| game.perform(step));
        let start = game.world.state.log.mark_before_all();
        game.world.state.commit(start);
        let mut other = game.world.state.fork();
        let mark = game.world.state.mark();
        after.iter().filter(still).for_each(|step| game.perform(step));
        let changes = game.world.state.changes_since(mark);
        other.apply_changes(&changes).unwrap();
        assert_eq!(index_as_words(&other), index_as_words(&game.world.state));
        let inverse: Vec<_> = changes.iter().map(crate::store::Change::inverse).collect();
        other.apply_changes(&inverse).unwrap();
        assert_index_is_current(&other);
        game.world.state.rollback(mark);
        assert_eq!(index_as_words(&other), index_as_words(&game.world.state));
    }
}

#[test]
fn an_empty_list_of_ends_lasts() {
    let mut world = World::new();
    let record = world.attach("ann", "mark", &list([])).unwrap();
    assert_eq!(world.state.end_conditions_of_record(record), []);
    assert_index_is_current(&world.state);
}
