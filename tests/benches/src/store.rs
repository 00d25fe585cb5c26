//! Measures the store: forks of large states, and undo compared with its command.

use std::cell::RefCell;
use std::rc::Rc;

use host::store::{Draft, History, State, Write};
use host::value::{Name, Names, Value};

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 40;
const STATS: usize = 60;
const WRITES: usize = 10;
/// Commands of one history, fewer than the number at which the history stores a fork.
const COMMANDS: u32 = 100;

/// A state, and its names in order.
struct Large {
    state: State,
    rows: Vec<Name>,
    fields: Vec<Name>,
}

impl Large {
    fn new(rows: usize) -> Large {
        let names: Rc<Names> = Rc::default();
        let mut state = State::new(Rc::clone(&names));
        let kind = names.intern("person");
        let fields: Vec<Name> = (0..STATS)
            .map(|number| names.intern(&format!("stat_{number}")))
            .collect();
        let rows: Vec<Name> = (0..rows)
            .map(|number| names.intern(&format!("person-{number}")))
            .collect();
        let mark = state.mark();
        for row in &rows {
            let values = fields
                .iter()
                .enumerate()
                .map(|(at, field)| (*field, Value::from(at as i64)));
            let write = Write::Put {
                row: *row,
                kind,
                owner: None,
                fields: values.collect(),
            };
            state.apply(write).expect("invariant: people are rows");
        }
        state.commit(mark);
        Large {
            state,
            rows,
            fields,
        }
    }

    /// Writes ten cells in ten distant rows.
    fn write_ten_cells(&self, state: &mut State, number: i64) {
        for step in 0..WRITES {
            let row = self.rows[step * (self.rows.len() / WRITES)];
            let written = state.set(row, self.fields[step * 5], Value::from(number));
            written.expect("invariant: the row is there");
        }
    }

    /// Returns the values as one vector per row, without sharing.
    fn values_by_row(&self) -> Vec<Vec<Value>> {
        let row = |row: &Name| {
            self.fields
                .iter()
                .map(|field| self.state.get(*row, *field).clone())
                .collect()
        };
        self.rows.iter().map(row).collect()
    }
}

/// Measures forks and undo.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let (small, large) = (Large::new(1_000), Large::new(10_000));
    let plain = small.values_by_row();
    let numbers: Vec<Vec<f64>> = plain.iter().map(|row| vec![1.0; row.len()]).collect();
    let [fork, fork_large, writes, writes_large, clone, clone_numbers] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_operation(10_000, || small.state.fork()),
            Lane::of_operation(10_000, || large.state.fork()),
            Lane::of_operation(200, || {
                let mut fork = small.state.fork();
                small.write_ten_cells(&mut fork, 7);
            }),
            Lane::of_operation(200, || {
                let mut fork = large.state.fork();
                large.write_ten_cells(&mut fork, 7);
            }),
            Lane::of_operation(10, || plain.clone()),
            Lane::of_operation(10, || numbers.clone()),
        ],
    );
    let (command, undo) = command_and_undo(small, rounds);
    Section {
        title: "Store, 1,000 rows with 60 stats",
        rows: vec![
            Row::time_at_most("fork and drop", fork, 100.0),
            Row::time_at_most("fork and drop with 10,000 rows", fork_large, 100.0),
            Row::time_without_target("fork, ten writes in ten far rows, drop", writes),
            Row::time_without_target("the same with 10,000 rows", writes_large),
            Row::time_without_target("plain clone and drop: a vector of values a row", clone),
            Row::time_without_target(
                "plain clone and drop: a vector of doubles a row",
                clone_numbers,
            ),
            Row::ratio_with_target(
                "fork, ten writes, drop: times cheaper than a clone",
                clone / writes,
                Target::AtLeast(15.0),
            ),
            Row::time_without_target("command of ten writes, recorded", command),
            Row::time_without_target("its undo, recorded", undo),
            Row::ratio_with_target("undo, in commands", undo / command, Target::AtMost(1.0)),
        ],
    }
}

/// Returns the times of a recorded command and of its undo.
fn command_and_undo(small: Large, rounds: u32) -> (f64, f64) {
    let state = RefCell::new(small.state.fork());
    let history = RefCell::new(History::new(&small.state));
    let commands = || {
        let (state, history) = (&mut *state.borrow_mut(), &mut *history.borrow_mut());
        *history = History::new(state);
        for number in 0..COMMANDS {
            let mark = state.mark();
            small.write_ten_cells(state, i64::from(number) + 100);
            let draft = Draft {
                by: "gm".into(),
                command: "bench".into(),
                ..Draft::default()
            };
            history.record_ruling(state, mark, draft);
        }
    };
    let undo = || {
        let (state, history) = (&mut *state.borrow_mut(), &mut *history.borrow_mut());
        for _ in 0..COMMANDS {
            history
                .undo_last_ruling(state, "gm")
                .expect("invariant: as many undos as commands");
        }
    };
    // The first commands copy rows that the forks share; later ones do not, and undo never does.
    commands();
    undo();
    let [command, undo] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(COMMANDS, || elapsed_time(commands)),
            Lane::of_batch(COMMANDS, || elapsed_time(undo)),
        ],
    );
    (command, undo)
}
