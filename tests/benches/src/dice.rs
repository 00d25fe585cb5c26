//! Measures dice: the same notation in the host, through Luau, and in other libraries.

use caith::Roller;
use host::dice::{Budget, Draw, Notation};
use host::game::Stream;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tyche::Expr;
use tyche::dice::roller::FastRand;

use crate::compared_machines::HostMachine;
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROLLS: u32 = 10_000;
const ROUNDS: u32 = 60;

fn roll_with_caith() -> i64 {
    let roller = Roller::new("4d6 K3 + 2").expect("invariant: caith reads this");
    let result = roller.roll().expect("invariant: caith rolls this");
    result.as_single().map_or(0, |single| single.get_total())
}

fn roll_with_tyche(rng: &mut FastRand) -> i32 {
    let expression: Expr = "4d6kh3 + 2".parse().expect("invariant: tyche reads this");
    let rolled = expression.eval(rng).expect("invariant: tyche rolls this");
    rolled.calc().expect("invariant: the sum is small")
}

/// Measures the dice.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let host = HostMachine::new();
    let looped = |body: &str| format!("local act = act for i = 1, {ROLLS} do {body} end");
    let (idle, rolls) = (looped(""), looped("act:roll('4d6kh3+2')"));
    let notation = Notation::parse("4d6kh3+2").expect("invariant: this is a notation");
    let pool = Notation::parse("4d6kh3").expect("invariant: this is a notation");
    let (mut stream, mut faces, mut raw) =
        (Stream::new(1), Stream::new(2), ChaCha8Rng::seed_from_u64(3));
    let mut budget = Budget::of_draws(u32::MAX);
    let mut fast = FastRand::with_seed(4);
    let [
        idle,
        rolled,
        caith,
        tyche,
        compiled,
        raw,
        drawn,
        odds,
        read_odds,
    ] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(ROLLS, || host.time_chunk(&idle)),
            Lane::of_batch(ROLLS, || host.time_chunk(&rolls)),
            Lane::of_operation(200, roll_with_caith),
            Lane::of_operation(1_000, || roll_with_tyche(&mut fast)),
            Lane::of_operation(ROLLS, || {
                budget = Budget::of_draws(1_000);
                notation.roll_total(&mut stream, &mut budget)
            }),
            Lane::of_operation(ROLLS, || -> u32 {
                (0..4).map(|_| raw.random_range(1..=6)).sum()
            }),
            Lane::of_operation(ROLLS, || -> u32 {
                (0..4).map(|_| faces.draw(6).unwrap_or(0)).sum()
            }),
            Lane::of_operation(500, || pool.distribution()),
            Lane::of_operation(500, || {
                Notation::parse("4d6kh3").map(|pool| pool.distribution())
            }),
        ],
    );
    let rolled = rolled - idle;
    Section {
        title: "Dice, 4d6kh3+2",
        rows: vec![
            Row::time_without_target("act:roll from Luau, plain stream", rolled),
            Row::time_without_target("caith, read and rolled", caith),
            Row::time_without_target("tyche, read and rolled", tyche),
            Row::ratio_with_target(
                "act:roll, times as fast as caith",
                caith / rolled,
                Target::AtLeast(10.0),
            ),
            Row::ratio_with_target(
                "act:roll, times as fast as tyche",
                tyche / rolled,
                Target::AtLeast(5.0),
            ),
            Row::time_without_target("four raw ChaCha8 faces, random_range", raw),
            Row::time_without_target("four faces of the plain stream", drawn),
            Row::time_without_target("compiled notation, total", compiled),
            Row::ratio_with_target(
                "compiled notation, in four raw faces",
                compiled / raw,
                Target::AtMost(4.0),
            ),
            Row::time_at_most("exact distribution of 4d6kh3", odds, 5e3),
            Row::time_at_most("the same, read first", read_odds, 5e3),
        ],
    }
}
