//! Measures reads of stats that auras change: 50 rows, 60 auras with a condition, a write before every sweep.

use crate::compared_machines::{BareMachine, HostMachine, time_bare_chunk};
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

/// Rows that the auras apply to.
const ROWS: u32 = 50;
/// Stats that auras change; each has ten.
const STATS: u32 = 6;
const SWEEPS: u32 = 4;
const CALLS: u32 = 4_000;
const ROUNDS: u32 = 60;

/// Makes the rows and the auras. One aura in ten applies to all rows, the others to rows in the same spot. Each has a
/// condition.
const MAKE: &str = r#"
local act = act
for i = 1, 50 do act:create("creature", { spot = i % 10, awake = i % 4 ~= 0, hurt = 0 }, "c" .. i) end
for i = 1, 60 do
  local over = { kind = "creature" }
  if i % 10 ~= 0 then over["where"] = "(self.spot, owner.spot, ==)" end
  act:attach("c" .. (i * 7 % 50 + 1), "aura", {}, { modifiers = { {
    stat = "stat_" .. (i % 6 + 1), op = "add", value = i, aura = over, only_if = "(owner.awake)" } } })
end
"#;

/// Returns a chunk with sweeps over all rows and stats. It writes a field before each sweep and runs `reads` for each
/// stat.
fn sweep_chunk(field: &str, reads: &str) -> String {
    format!(
        r#"{MAKE}
local rows, stats = {{}}, {{}}
for i = 1, {ROWS} do rows[i] = "c" .. i end
for i = 1, {STATS} do stats[i] = "stat_" .. i end
for sweep = 1, {SWEEPS} do
  act:set("c" .. sweep, "{field}", sweep)
  for _, row in rows do for _, stat in stats do {reads} end end
end"#
    )
}

/// Measures the reads.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let (bare, host) = (BareMachine::new(), HostMachine::new());
    let looped =
        |body: &str| format!("local act, nothing = act, nothing for i = 1, {CALLS} do {body} end");
    let (loop_bare, call_bare) = (
        bare.compile_chunk(&looped("")),
        bare.compile_chunk(&looped("nothing()")),
    );
    let reads = ROWS * STATS * SWEEPS;
    let lane = |field: &str, body: &str| {
        let (chunk, host) = (sweep_chunk(field, body), &host);
        Lane::of_batch(reads, move || host.time_chunk(&chunk))
    };
    let [loop_bare, call_bare, without, other, once, again] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(CALLS, || time_bare_chunk(&loop_bare)),
            Lane::of_batch(CALLS, || time_bare_chunk(&call_bare)),
            lane("spot", ""),
            lane("hurt", "act:get(row, stat)"),
            lane("spot", "act:get(row, stat)"),
            lane("spot", "act:get(row, stat) act:get(row, stat)"),
        ],
    );
    let empty_call = call_bare - loop_bare;
    let calls = |time: f64| (time - without) / empty_call;
    Section {
        title: "Auras: 50 rows, 60 guarded auras on 6 stats, one write a sweep, in empty calls (EC)",
        rows: vec![
            Row::ratio_with_target(
                "a read after a write that no aura asks for",
                calls(other),
                Target::AtMost(20.0),
            ),
            Row::ratio_with_target(
                "a read after a write that auras ask for, each stat read twice",
                calls(again) / 2.0,
                Target::AtMost(20.0),
            ),
            Row::ratio_with_target("the first of the two", calls(once), Target::None),
        ],
    }
}
