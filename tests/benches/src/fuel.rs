//! This module measures what counting fuel costs: a recursive function in the host's machine and in a bare one.

use crate::machine::{BareMachine, HostMachine, time_bare};
use crate::table::{Row, Section, Target, Unit};
use crate::timing::{Lane, race};

const ROUNDS: u32 = 40;

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
    let (bare, host) = (BareMachine::new(), HostMachine::new());
    let chunk = bare.chunk(FIBONACCI);
    let [without, with] = race(
        rounds,
        [
            Lane::timed(1, || time_bare(&chunk)),
            Lane::timed(1, || host.time(FIBONACCI)),
        ],
    );
    Section {
        title: "Fuel, fibonacci(25) by recursion",
        rows: vec![
            Row::told("machine without interrupt", without),
            Row::told("the host's machine, fuel counted", with),
            Row {
                name: "what counting adds".to_owned(),
                measured: (with / without - 1.0) * 100.0,
                unit: Unit::Percent,
                target: Target::AtMost(15.0),
            },
        ],
    }
}
