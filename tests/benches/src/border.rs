//! Measures calls of scripts into the host, in units of an empty call.
//!
//! EC is the time of one call of an empty mlua function without arguments, from a loop in Luau, in a machine without
//! interrupt. The time of the same loop without a call is subtracted from each loop.

use crate::compared_machines::{BareMachine, HostMachine, time_bare_chunk};
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

/// Calls of one batch.
const CALLS: u32 = 4_000;
const ROUNDS: u32 = 500;

fn loop_chunk(body: &str) -> String {
    format!("local act, nothing = act, nothing for i = 1, {CALLS} do {body} end")
}

/// Measures the calls.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let (bare, host) = (BareMachine::new(), HostMachine::new());
    let (loop_bare, call_bare) = (
        bare.compile_chunk(&loop_chunk("")),
        bare.compile_chunk(&loop_chunk("nothing()")),
    );
    let lane = |body: &str| {
        let (chunk, host) = (loop_chunk(body), &host);
        Lane::of_batch(CALLS, move || host.time_chunk(&chunk))
    };
    let [loop_bare, call_bare, loop_host, get, set, stat, add, exists] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(CALLS, || time_bare_chunk(&loop_bare)),
            Lane::of_batch(CALLS, || time_bare_chunk(&call_bare)),
            lane(""),
            lane("act:get('ann', 'mood')"),
            lane("act:set('ann', 'mood', i)"),
            lane("act:stat('ann', 'mood')"),
            lane("act:add('ann', 'mood', 1)"),
            lane("act:exists('ann')"),
        ],
    );
    let empty_call = call_bare - loop_bare;
    let calls = |name: &str, time: f64, target: Target| {
        Row::ratio_with_target(name, (time - loop_host) / empty_call, target)
    };
    Section {
        title: "Script border, in empty calls (EC)",
        rows: vec![
            Row::time_without_target("1 EC: a function of mlua that does nothing", empty_call),
            calls(
                "stat read by two names, act:get(\"ann\", \"mood\")",
                get,
                Target::AtMost(2.0),
            ),
            calls(
                "stat write with undo log, act:set(\"ann\", \"mood\", i)",
                set,
                Target::AtMost(2.5),
            ),
            calls(
                "method with two results, act:stat(\"ann\", \"mood\")",
                stat,
                Target::AtMost(2.3),
            ),
            calls("act:add(\"ann\", \"mood\", 1)", add, Target::None),
            calls("act:exists(\"ann\")", exists, Target::AtMost(1.7)),
        ],
    }
}
