//! Measures the cost of counting fuel: a recursive function in the host's machine and in a bare one.

use crate::compared_machines::{BareMachine, HostMachine, time_bare_chunk};
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target, Unit};

const ROUNDS: u32 = 20;
/// Number of machines of each kind.
const MACHINES: usize = 9;

const FIBONACCI: &str = "local function fibonacci(n)
  if n < 2 then
    return n
  end
  return fibonacci(n - 1) + fibonacci(n - 2)
end
local result = fibonacci(25)";

/// Measures the fuel.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    // The place of a machine in memory changes its times by a tenth. So several are made, and the median counts.
    let mut pairs: Vec<[f64; 2]> = (0..MACHINES)
        .map(|_| times_on_new_machines(rounds))
        .collect();
    pairs.sort_by(|one, other| percent_added(one).total_cmp(&percent_added(other)));
    let middle = pairs[MACHINES / 2];
    let [without, with] = middle;
    Section {
        title: "Fuel, fibonacci(25) by recursion",
        rows: vec![
            Row::time_without_target("machine without interrupt", without),
            Row::time_without_target("the host's machine, fuel counted", with),
            Row {
                name: "what counting adds".to_owned(),
                measured: percent_added(&middle),
                unit: Unit::Percent,
                target: Target::AtMost(15.0),
            },
        ],
    }
}

/// Returns the times on a bare machine and on the host's.
fn times_on_new_machines(rounds: u32) -> [f64; 2] {
    let (bare, host) = (BareMachine::new(), HostMachine::new());
    let chunk = bare.compile_chunk(FIBONACCI);
    fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(1, || time_bare_chunk(&chunk)),
            Lane::of_batch(1, || host.time_chunk(FIBONACCI)),
        ],
    )
}

/// Returns by how many percent the second time is longer.
fn percent_added([without, with]: &[f64; 2]) -> f64 {
    (with / without - 1.0) * 100.0
}
