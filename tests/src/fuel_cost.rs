//! Measures whether fuel covers time: the cost of each function that scripts reach, for a unit of fuel.
//!
//! Fuel limits the work of a script, and time is only the fallback. The fallback must not be used on a busy or slow
//! machine, so the fuel of a command must fit several times into its second. For this a unit of fuel costs at most 25
//! ns on the development machine. Each case calls a function at its largest arguments until the fuel of a callback is
//! used up.

use std::time::Duration;

use host::script::Limits;

use crate::{Game, Scratch, on_game_thread};

/// Maximum cost of a unit of fuel in nanoseconds; ten million units then take a quarter of a second.
pub const MOST: f64 = 25.0;

/// A function and the result of calling it.
#[derive(Debug)]
pub struct Cover {
    /// Name of the function.
    pub name: String,
    /// Nanoseconds of processor time for a unit of fuel.
    pub nanoseconds: f64,
    /// The code of the error that ended it: `limit/fuel` if fuel did.
    pub ended: String,
}

impl Cover {
    /// Returns whether fuel covers the time of the function, or another limit that counts ends it first: of dice,
    /// output or size. Time must never end it, and a case that ends with another error proves nothing.
    pub fn is_covered_by_fuel(&self) -> bool {
        match self.ended.as_str() {
            "limit/fuel" => self.nanoseconds <= MOST,
            "limit/time" => false,
            other => other.starts_with("limit/") && !other.contains(':'),
        }
    }
}

/// A case of `fuel_cost/calls.luau`.
struct Case {
    name: String,
    /// Preparation.
    above: String,
    /// The repeated call.
    call: String,
    /// A ruling that is repeated many times first; then the case only reads.
    before: Option<String>,
}

/// Number of repetitions of that ruling.
const BEFORE: usize = 500;

const CALLS: &str = include_str!("fuel_cost/calls.luau");

fn fuel_cases() -> Vec<Case> {
    let parts = CALLS.split("\n--- ").skip(1);
    let case = |part: &str| {
        let (name, rest) = part.split_once('\n').expect("a case has lines");
        let (above, call) = rest.split_once("--> ").expect("a case calls something");
        let call = call.lines().next().expect("it stands on a line");
        let before = above.lines().find_map(|line| line.strip_prefix("--? "));
        Case {
            name: name.to_owned(),
            above: above.to_owned(),
            call: call.to_owned(),
            before: before.map(str::to_owned),
        }
    };
    parts.map(case).collect()
}

/// Returns the functions without a case and without a line that excepts them; `reachable` are names with descriptions.
pub fn functions_without_case(reachable: &str) -> Vec<String> {
    let said = |line: &str| {
        let line = line.strip_prefix("--- ").or(line.strip_prefix("--! "))?;
        let (names, _) = line.split_once(": ").unwrap_or((line, ""));
        Some(names.split(", ").map(str::to_owned).collect::<Vec<_>>())
    };
    let said: Vec<String> = CALLS.lines().filter_map(said).flatten().collect();
    let is_said = |name: &str| {
        let fits = |one: &String| name == one || is_in_table_or_has_prefix(name, one);
        said.iter().any(fits)
    };
    let functions = reachable
        .lines()
        .filter_map(|line| line.strip_suffix(" function"));
    let missing = functions.filter(|name| !is_said(name));
    missing.map(str::to_owned).collect()
}

/// Returns whether a name is in a table such as `bit32`, or begins with a part of `buffer` such as `buffer.read`.
fn is_in_table_or_has_prefix(name: &str, of: &str) -> bool {
    let rest = name.strip_prefix(of).unwrap_or_default();
    rest.starts_with('.') || (of.contains('.') && of.starts_with("buffer.") && !rest.is_empty())
}

/// Measures each function with a name that contains `part`.
pub fn measure_fuel_costs(part: &str) -> Vec<Cover> {
    let cases: Vec<Case> = fuel_cases()
        .into_iter()
        .filter(|case| case.name.contains(part))
        .collect();
    on_game_thread(move || {
        let home = Scratch::mini();
        for (number, case) in cases.iter().enumerate() {
            let body = format!("{}\nwhile true do\n{}\nend", case.above, case.call);
            home.command(&format!("case-{number}"), &body);
            if let Some(before) = &case.before {
                home.command(&format!("before-{number}"), before);
                let path = format!("scripts/mini/commands/case-{number}.luau");
                home.edit(&path, "  run = ", "  query = true, run = ");
            }
        }
        let mut game = Game::mini_with_limits(&home, Limits::default(), true);
        assert_eq!(game.findings(), "", "the cases load");
        let cases = cases.into_iter().enumerate();
        cases
            .map(|(number, case)| {
                for _ in 0..case.before.map_or(0, |_| BEFORE) {
                    game.text(&format!("before {number}"));
                }
                measure_case(&mut game, case.name, number)
            })
            .collect()
    })
}

fn measure_case(game: &mut Game, name: String, number: usize) -> Cover {
    let before = thread_processor_time();
    let refusal = game.line(&format!("case {number}")).refusal;
    let used = thread_processor_time() - before;
    let fuel = game
        .solo
        .session
        .generations()
        .live()
        .machine()
        .fuel_used()
        .max(1);
    Cover {
        name,
        nanoseconds: used.as_nanos() as f64 / fuel as f64,
        ended: refusal.map_or_else(String::new, |finding| {
            match finding.code.starts_with("limit/") {
                true => finding.code.to_string(),
                false => format!("{}: {}", finding.code, finding.message),
            }
        }),
    }
}

/// Returns the processor time that this thread has used.
pub fn thread_processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("invariant: no thread has used less than nothing")
}
