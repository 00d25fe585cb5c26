//! The long proofs that no acknowledged operation is lost. The suites run a small part of them. `--only fuel` proves
//! that fuel ends every script long before time does. `--only readers` proves that no input breaks a reader.
//!
//! `long arbiter …` is the program itself and `long replay GAME HOME` replays a game: both are the other processes of
//! the proofs.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people: figures go to stdout, progress and failures to stderr"
)]

use std::fmt::Debug;
use std::path::PathBuf;
use std::process::ExitCode;

use arbiter_tests::{durability, fuel_cost, readers};
use clap::{Parser, ValueEnum};

#[derive(Debug, Parser)]
#[command(
    name = "long",
    about = "Kills, cuts and alters games, and looks whether anything was lost."
)]
struct Arguments {
    /// How often the program is killed; the other proofs have sizes of the same proportion.
    #[arg(long, default_value_t = 2000, value_name = "N")]
    runs: u64,
    /// How many inputs each reader is given; those before `--from` count.
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    inputs: u64,
    /// The number of the first input of each reader; a failure names its own.
    #[arg(long, default_value_t = 0, value_name = "N")]
    from: u64,
    /// The number of the first game; a failure names its own.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// One proof alone.
    #[arg(long, value_enum, value_name = "PROOF")]
    only: Option<Proof>,
    /// Only readers with names that contain this.
    #[arg(long, default_value = "", value_name = "PART")]
    reader: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Proof {
    /// The process is killed.
    Kills,
    /// The disk fails and power is lost.
    Power,
    /// The journal is cut at every byte.
    Cuts,
    /// Single bits change.
    Flips,
    /// Games are played again in another process.
    Replays,
    /// The cost of script functions for a unit of fuel; only with `--only`.
    Fuel,
    /// Readers get unintended inputs; only with `--only`.
    Readers,
}

/// Number of inputs that a reader is given at a time.
const AT_A_TIME: u64 = 5_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    match std::env::args_os().nth(1) {
        Some(verb) if verb == "arbiter" => {
            arguments.next();
            repl::main(arguments)
        }
        Some(verb) if verb == "replay" => {
            let rest: Vec<PathBuf> = arguments.skip(2).map(PathBuf::from).collect();
            print_replay(&rest)
        }
        _ => run_proofs(&Arguments::parse()),
    }
}

fn print_replay(rest: &[PathBuf]) -> ExitCode {
    let [game, home] = rest else {
        eprintln!("long replay GAME HOME");
        return ExitCode::from(2);
    };
    let replayed = arbiter_tests::on_game_thread(|| durability::replay_and_verify(game, home));
    match replayed {
        Ok(lines) => {
            println!("{}", lines.join("\n"));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run_proofs(arguments: &Arguments) -> ExitCode {
    let program = std::env::current_exe().expect("a program knows where it is");
    let (seed, runs) = (arguments.seed, arguments.runs);
    let is_wanted = |proof| arguments.only.is_none_or(|only| only == proof);
    let mut failed = 0;
    if is_wanted(Proof::Kills) {
        let games = (seed, runs.div_ceil(durability::KILLS as u64));
        failed += prove_for_games(
            "kills",
            games,
            |seed| durability::kill_game_repeatedly(&program, seed),
            kills_summary,
        );
    }
    if is_wanted(Proof::Power) {
        failed += prove_for_games(
            "power",
            (seed, runs.div_ceil(4)),
            durability::lose_power_repeatedly,
            losses_summary,
        );
    }
    if is_wanted(Proof::Cuts) {
        failed += prove_for_games(
            "cuts",
            (0, 1),
            |_| durability::Whole::play_game(0)?.cut_journal_everywhere(1),
            damage_summary,
        );
    }
    if is_wanted(Proof::Flips) {
        let games = (seed, runs.div_ceil(20));
        failed += prove_for_games("flips", games, flip_hundred_bits, damage_summary);
    }
    if is_wanted(Proof::Replays) {
        let games = (seed, (runs * 3).div_ceil(20));
        let job = |seed| durability::compare_with_other_process_replay(&program, seed);
        failed += prove_for_games("replays", games, job, |all| {
            format!("{} games, {} lines", all.len(), all.iter().sum::<usize>())
        });
    }
    if arguments.only == Some(Proof::Fuel) {
        failed += print_fuel_costs();
    }
    if arguments.only == Some(Proof::Readers) {
        let wanted = |reader: &readers::Reader| reader.name.contains(&arguments.reader);
        for reader in readers::READERS.into_iter().filter(wanted) {
            let parts = (
                arguments.from / AT_A_TIME,
                arguments.inputs.div_ceil(AT_A_TIME),
            );
            let job = |part| reader.read_inputs(part * AT_A_TIME..(part + 1) * AT_A_TIME);
            failed += prove_for_games(reader.name, parts, job, |all| {
                format!("{} inputs", all.iter().sum::<u64>())
            });
        }
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints the cost of each function for a unit of fuel, the most expensive first; returns the number of functions that
/// cost too much.
fn print_fuel_costs() -> usize {
    let mut all = fuel_cost::measure_fuel_costs("");
    all.sort_by(|one, other| other.nanoseconds.total_cmp(&one.nanoseconds));
    for one in &all {
        let fuel_cost::Cover {
            name,
            nanoseconds,
            ended,
        } = one;
        let judged = if one.is_covered_by_fuel() {
            ""
        } else {
            "  TOO MUCH"
        };
        println!("fuel: {nanoseconds:8.1} ns  {name}: {ended}{judged}");
    }
    let failed = all.iter().filter(|one| !one.is_covered_by_fuel()).count();
    println!(
        "fuel: {} functions; {failed} cost more than {} ns a unit or end by another limit",
        all.len(),
        fuel_cost::MOST
    );
    failed
}

/// Flips a hundred bits of a game; some games have operations in files of their own.
fn flip_hundred_bits(seed: u64) -> Result<durability::Damage, String> {
    durability::Whole::play_game(usize::from(seed.is_multiple_of(20)))?.flip_random_bits(seed, 100)
}

/// Proves one thing for many games and prints the result; returns the number of failures.
fn prove_for_games<T: Send + Debug>(
    name: &str,
    games: (u64, u64),
    job: impl Fn(u64) -> Result<T, String> + Sync,
    summary: impl FnOnce(&[T]) -> String,
) -> usize {
    let all = durability::run_numbered_jobs(games, job, |done| {
        eprint!("\r{name}: {done} of {} games ", games.1);
    });
    eprintln!();
    let (mut good, mut failed) = (Vec::new(), 0);
    for one in all {
        match one {
            Ok(one) => good.push(one),
            Err(why) => {
                eprintln!("{name}: {why}");
                failed += 1;
            }
        }
    }
    println!("{name}: {}; {failed} games failed", summary(&good));
    failed
}

fn kills_summary(all: &[durability::Crash]) -> String {
    let sum = |of: fn(&durability::Crash) -> usize| all.iter().map(of).sum::<usize>();
    format!(
        "{} kills, {} of them before the first word; {} operations kept, {} unanswered ones among them, {} torn ends",
        sum(|one| one.kills),
        sum(|one| one.at_start),
        sum(|one| one.operations),
        sum(|one| one.unanswered),
        sum(|one| one.torn)
    )
}

fn losses_summary(all: &[durability::Power]) -> String {
    let sum = |of: fn(&durability::Power) -> usize| all.iter().map(of).sum::<usize>();
    format!(
        "{} losses of power, {} commands refused by the disk, {} answered after one, {} unanswered operations kept, {} torn ends",
        sum(|one| one.losses),
        sum(|one| one.refused),
        sum(|one| one.went_on),
        sum(|one| one.unanswered),
        sum(|one| one.torn)
    )
}

fn damage_summary(all: &[durability::Damage]) -> String {
    let sum = |of: fn(&durability::Damage) -> usize| all.iter().map(of).sum::<usize>();
    format!(
        "{} tried, {} named, {} mended, {} without effect",
        sum(|one| one.tried),
        sum(|one| one.named),
        sum(|one| one.mended),
        sum(|one| one.harmless)
    )
}
