//! Measures the dungeon of a forum: attacks that are ruled on and rendered, by scripts and in plain Rust on the same
//! store, and the shared table.
//!
//! Both lanes start from the typed line. They read it with the same grammar, find its names, and check that the attack
//! is legal. They draw the same dice, write the same cells and records, record the same operation, and render the same
//! comment. Nobody dies, so all attacks take equally long. Only scripts store causes.

mod attack_comment;
mod field_names;
mod game_view;
mod known_names;
mod plain_attack;

use std::path::Path;
use std::time::Duration;

use host::diag::Diagnostic;
use host::doc::{Document, bbcode, csv, html, markdown};
use host::game::{Home, Reply, Seed, SessionOptions, Solo};
use host::script::EngineOptions;
use host::store::Operation;
use repl::COMMANDS;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use plain_attack::Plain;

const ROUNDS: u32 = 100;
/// Attacks of one batch, one per @.
pub(crate) const PLAYERS: u32 = 20;
/// Living monsters; every comment lists all of them.
const MONSTERS: u32 = 6;
/// Rows of the shared table.
const TRACKED: u32 = 500;
/// Maximum nanoseconds to show the shared table.
const SHOWN: f64 = 20e6;
/// Minimum speed of scripts, as a share of plain Rust.
const SHARE: f64 = 0.1;

/// Measures the dungeon.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut rows = attack_rows(rounds);
    rows.extend(shared_table_rows(rounds.div_ceil(4)));
    Section {
        title: "A forum's dungeon: attacks with their comments, and the shared table",
        rows,
    }
}

fn attack_rows(rounds: u32) -> Vec<Row> {
    let lines: Vec<String> = (0..PLAYERS).map(attack_line).collect();
    let mut solo = game_ready_for_attacks();
    let mut plain = Plain::of_session(&solo, bench_seed());
    let by_scripts: Vec<String> = lines
        .iter()
        .map(|line| give_line_as_markdown(&mut solo, line))
        .collect();
    let in_rust: Vec<String> = lines
        .iter()
        .map(|line| plain.rule_as_markdown(line))
        .collect();
    assert_eq!(by_scripts, in_rust, "invariant: both say the same");
    for (one, other) in last_operations(solo.timeline().history().operations())
        .zip(last_operations(plain.operations()))
    {
        assert_same_operation(one, other);
    }
    undo_attacks(&mut solo);
    plain.undo_rulings(PLAYERS);
    let [scripts, rust] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(PLAYERS, || {
                let time = time_lines(&lines, |line| give_line_as_markdown(&mut solo, line));
                undo_attacks(&mut solo);
                time
            }),
            Lane::of_batch(PLAYERS, || {
                let time = time_lines(&lines, |line| plain.rule_as_markdown(line));
                plain.undo_rulings(PLAYERS);
                time
            }),
        ],
    );
    vec![
        Row::time_without_target("an attack from its line to Markdown, by scripts", scripts),
        Row::time_without_target("the same in plain Rust on the same store", rust),
        Row::ratio_with_target(
            "attacks a second by scripts, in those of plain Rust",
            rust / scripts,
            Target::AtLeast(SHARE),
        ),
    ]
}

fn shared_table_rows(rounds: u32) -> Vec<Row> {
    let mut solo = game_with_many_players();
    let mut rows = Vec::new();
    for (name, render) in [
        ("Markdown", markdown as fn(&Document) -> String),
        ("BBCode", bbcode),
        ("HTML", html),
        ("CSV", csv),
    ] {
        let show = || {
            let reply = assert_accepted(solo.submit("gm", "gndt"));
            let text: String = reply.documents.iter().map(render).collect();
            assert!(text.contains(&player_name(TRACKED - 1)), "all are in it");
        };
        let [time] = fastest_nanoseconds(rounds, [Lane::of_operation(1, show)]);
        let name = format!("the shared table of {TRACKED} players as {name}");
        rows.push(Row::time_at_most(name, time, SHOWN));
    }
    rows
}

/// Returns a game with all players on one level with a Melee encounter. Half of them have a weapon and an armor.
pub(crate) fn game_ready_for_attacks() -> Solo {
    let mut solo = dungeon_bench_game();
    let players = (0..PLAYERS).map(player_name);
    let news = players.clone().map(|who| format!("new player {who}"));
    let fight =
        format!("new encounter \"Fight\" on level 1: {MONSTERS} hill orc HP 9000 damage 1d8 AC 1");
    let healthy = players
        .clone()
        .map(|who| format!("gndt {who} HP 9000 because so"));
    let armed = players.step_by(2).flat_map(|who| {
        ["longsword wielded", "ring mail worn"]
            .map(|item| format!("gndt {who} Inventory + {item} because so"))
    });
    let begin = ["at 2010-07-05 10:00".to_owned()].into_iter().chain(news);
    let lines = begin.chain([fight]).chain(healthy).chain(armed);
    give_lines(&mut solo, lines.chain(["wait 1d".to_owned()]));
    solo
}

/// Returns a game of many players, each with a weapon and an armor.
fn game_with_many_players() -> Solo {
    let mut solo = dungeon_bench_game();
    let players = (0..TRACKED).map(player_name);
    give_lines(
        &mut solo,
        players.flat_map(|who| {
            [
                format!("new player {who}"),
                format!("gndt {who} Inventory + longsword wielded because so"),
                format!("gndt {who} Inventory + ring mail worn because so"),
            ]
        }),
    );
    solo
}

fn bench_seed() -> Seed {
    Seed::from_text("bench")
}

fn dungeon_bench_game() -> Solo {
    let options = SessionOptions {
        home: Home {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
            mods: Vec::new(),
            content: None,
        },
        ruleset: "dungeon".to_owned(),
        seed: bench_seed(),
        engine: EngineOptions::default(),
    };
    let started = Solo::start(options, &COMMANDS);
    started.expect("invariant: the measured ruleset loads").0
}

fn player_name(number: u32) -> String {
    format!("Player {number:03}")
}

pub(crate) fn attack_line(number: u32) -> String {
    let target = number % MONSTERS + 1;
    format!("attack {} -> hill orc #{target}", player_name(number))
}

fn give_lines(solo: &mut Solo, lines: impl Iterator<Item = String>) {
    for line in lines {
        assert_accepted(solo.submit("gm", &line));
    }
}

/// Submits a line and returns its documents as Markdown.
pub(crate) fn give_line_as_markdown(solo: &mut Solo, line: &str) -> String {
    let reply = assert_accepted(solo.submit("gm", line));
    let texts: Vec<String> = reply.documents.iter().map(markdown).collect();
    texts.join("\n")
}

fn time_lines<T>(lines: &[String], mut rule: impl FnMut(&str) -> T) -> Duration {
    elapsed_time(|| {
        for line in lines {
            std::hint::black_box(rule(line));
        }
    })
}

/// Undoes the attacks of all players.
pub(crate) fn undo_attacks(solo: &mut Solo) {
    give_lines(solo, (0..PLAYERS).map(|_| "undo".to_owned()));
}

fn assert_accepted(reply: Reply) -> Reply {
    let Reply { refusal, .. } = &reply;
    let message = |finding: &Diagnostic| finding.message.clone();
    let refusal = refusal.as_ref().map(message);
    assert_eq!(refusal, None, "invariant: the line is legal");
    reply
}

fn last_operations(operations: &[std::rc::Rc<Operation>]) -> impl Iterator<Item = &Operation> {
    let last = operations.iter().rev().take(PLAYERS as usize);
    last.map(|one| &**one)
}

fn assert_same_operation(one: &Operation, other: &Operation) {
    assert_eq!(one.inputs, other.inputs, "invariant: the same dice");
    assert_eq!(one.changes, other.changes, "invariant: the same changes");
    assert_eq!(one.documents, other.documents, "invariant: the same words");
    assert_eq!(one.state, other.state, "invariant: the same state");
}
