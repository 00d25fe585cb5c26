//! Measures spells that compute themselves: a whole book of them, and the search for changes.
//!
//! The book is in the folder that `ARBITER_CORPUS` names; the default is the shipped spells. The cost of one spell is
//! the difference between a line that computes the book several times and one that computes it once. Each time starts
//! with empty caches, as a command does.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::game::{Reply, Solo};
use host::value::{Value, to_json};
use tempfile::TempDir;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use crate::shipped_home;

const ROUNDS: u32 = 30;
/// Further computations of the book in the longer line.
const MORE: u32 = 8;
/// Nanoseconds of one spell in the original.
const ORIGINAL: f64 = 3.5e6;
/// Minimum speed compared with the original. Maximum nanoseconds of a spell, of a spell read from its file, and of the
/// whole book.
const FASTER: f64 = 175.0;
const MOST: f64 = 20e3;
const MOST_READ: f64 = 45e3;
const MOST_LOADED: f64 = 25e6;
/// Number of spells that are searched for changes. Maximum nanoseconds of a search for single and for double changes.
const SEARCHED: usize = 12;
const SINGLE: f64 = 30e6;
const DOUBLE: f64 = 300e6;

/// A command that computes a book a number of times.
const MEASURED: &str = include_str!("../../counts/spells.luau");

/// Measures spells.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut bench = Bench::new();
    let mut rows = computation_rows(&mut bench, rounds);
    rows.extend(command_rows(&mut bench, rounds.div_ceil(3)));
    rows.extend(search_rows(&mut bench, rounds.div_ceil(10)));
    Section {
        title: "Spells that compute themselves",
        rows,
    }
}

/// A game with one additional command.
pub(crate) struct Bench {
    solo: Solo,
    book: Option<PathBuf>,
    _home: TempDir,
}

impl Bench {
    /// Returns a game of the book in the folder of the corpus, or of the shipped spells.
    pub(crate) fn new() -> Bench {
        let home = shipped_home::copy_shipped_home("opend6")
            .expect("invariant: a temporary folder can be written");
        let command = home.path().join("scripts/opend6/commands/measured.luau");
        fs::write(command, MEASURED).expect("invariant: a temporary folder can be written");
        let book = std::env::var_os("ARBITER_CORPUS")
            .map(|folder| Path::new(&folder).join("opend6/spells-visible.json"));
        Bench {
            solo: shipped_home::start_game(home.path(), "opend6", None),
            book,
            _home: home,
        }
    }

    fn submit_line(&mut self, line: &str) -> Reply {
        let reply = self.solo.submit("gm", line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        reply
    }

    /// Computes the book a number of times, each time with empty caches.
    pub(crate) fn give_measured_command(&mut self, what: &str, times: u32) -> Reply {
        let of = self.book.as_ref();
        let of = of.map(|file| format!(" of {}", file.display()));
        self.submit_line(&format!(
            "measured {what} {times}{}",
            of.unwrap_or_default()
        ))
    }

    fn time_line(&mut self, line: &str) -> Duration {
        elapsed_time(|| self.submit_line(line))
    }
}

fn reply_data(reply: &Reply) -> impl Iterator<Item = &Value> {
    reply.documents.iter().filter_map(|one| one.data.as_ref())
}

/// Returns the cost of a spell of the book in a command with empty caches.
fn computation_rows(bench: &mut Bench, rounds: u32) -> Vec<Row> {
    let count = reply_data(&bench.give_measured_command("computed", 0))
        .next()
        .map(to_json);
    let count = count.and_then(|data| data["count"].as_u64());
    let count = count.expect("invariant: it says how many there are");
    let mut each = |what: &str| {
        let bench = std::cell::RefCell::new(&mut *bench);
        let lane = |times| {
            let bench = &bench;
            Lane::of_batch(1, move || {
                elapsed_time(|| bench.borrow_mut().give_measured_command(what, times))
            })
        };
        let [once, more] = fastest_nanoseconds(rounds, [lane(1), lane(1 + MORE)]);
        (more - once) / f64::from(MORE) / count as f64
    };
    let (alone, told, read) = (each("computed"), each("told"), each("read"));
    vec![
        Row::time_at_most(format!("a spell of {count}, computed cold"), alone, MOST),
        Row::ratio_with_target(
            "as fast as the original, which takes 3.5 ms",
            ORIGINAL / alone,
            Target::AtLeast(FASTER),
        ),
        Row::time_without_target("the same with its data for programs", told),
        Row::time_at_most("the same from what its file says", read, MOST_READ),
    ]
}

/// Returns the cost of commands that load and show the whole book.
fn command_rows(bench: &mut Bench, rounds: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(book) = &bench.book {
        let load = format!("load {}", book.display());
        bench.submit_line(&load);
        let loading = || {
            bench.submit_line("undo");
            bench.time_line(&load)
        };
        let [time] = fastest_nanoseconds(rounds, [Lane::of_batch(1, loading)]);
        rows.push(Row::time_at_most(
            "load of the book, with its findings",
            time,
            MOST_LOADED,
        ));
    }
    let [time] = fastest_nanoseconds(rounds, [Lane::of_batch(1, || bench.time_line("spells"))]);
    rows.push(Row::time_without_target(
        "spells, the table of the book",
        time,
    ));
    rows
}

/// Returns whether an aspect waits for another spell, so that the difficulty is unknown.
fn waits_for_other_spell(spell: &serde_json::Value) -> bool {
    let aspects = spell["aspects"].as_array().into_iter().flatten();
    let mut waiting = aspects.filter(|aspect| aspect["finalized"] == false);
    waiting.next().is_some()
}

/// Returns the cost of the search for changes: the longest time of some spells, each to a difficulty lower by three.
fn search_rows(bench: &mut Bench, rounds: u32) -> Vec<Row> {
    let reply = bench.submit_line("spells");
    let lists = reply_data(&reply).map(|data| to_json(data)["spells"].clone());
    let all: Vec<_> = lists
        .filter_map(|list| list.as_array().cloned())
        .flatten()
        .filter(|spell| !waits_for_other_spell(spell))
        .collect();
    let some = all.iter().step_by(all.len().div_ceil(SEARCHED));
    let line = |spell: &serde_json::Value, how: &str| {
        let target = spell["difficulty"].as_i64().unwrap_or_default() - 3;
        let name = spell["name"].as_str().unwrap_or_default();
        format!("solve {name} to {target} by {how} changes")
    };
    let mut longest = |how: &str| {
        let times = some.clone().map(|spell| {
            let line = line(spell, how);
            fastest_nanoseconds(rounds, [Lane::of_batch(1, || bench.time_line(&line))])[0]
        });
        times.fold(0.0, f64::max)
    };
    let (single, double) = (longest("single"), longest("double"));
    vec![
        Row::time_at_most(
            "solve by single changes, the longest of some",
            single,
            SINGLE,
        ),
        Row::time_at_most(
            "solve by double changes, the longest of some",
            double,
            DOUBLE,
        ),
    ]
}
