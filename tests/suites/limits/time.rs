//! Tests the time limits: they measure processor time, so a busy machine accepts all that an idle
//! one accepts.

use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "shows that more wall time passed than the limit has"
)]
use std::time::Instant;

use arbiter_tests::fuel_cost::thread_processor_time;
use arbiter_tests::run_with_busy_cores;
use arbiter_tests::{Game, Scratch, on_game_thread};
use host::script::{EngineOptions, Limits};

/// The allowed run time beyond a limit.
const ALLOWED_OVERSHOOT: Duration = Duration::from_millis(50);

/// Returns the result of some work, its processor time in this thread, and its wall time.
#[expect(
    clippy::disallowed_types,
    reason = "shows that more wall time passed than the limit has"
)]
fn measure_times<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (used, began) = (thread_processor_time(), Instant::now());
    let result = work();
    (result, thread_processor_time() - used, began.elapsed())
}

/// Returns limits under which only time ends a script.
fn time_only_limits(callback: Option<Duration>) -> Limits {
    Limits {
        fuel_callback: u64::MAX / 4,
        fuel_command: u64::MAX / 2,
        time_callback: callback,
        ..Limits::default()
    }
}

#[test]
fn the_clock_ends_what_fuel_would_not() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("linger", "while true do end");
        home.command(
            "linger-caught",
            "while true do\n  pcall(function() while true do end end)\nend",
        );
        let limit = Duration::from_millis(40);
        for raw in [true, false] {
            let mut game = Game::mini_with_limits(&home, time_only_limits(Some(limit)), raw);
            for line in ["linger", "linger caught"] {
                // A virtual machine may count its own time as the thread's; the best of five runs
                // is used.
                let used = (0..5).map(|_| {
                    let (refusal, used, _) = measure_times(|| game.refusal(line));
                    assert_eq!(refusal.code, "limit/time");
                    used
                });
                let used = used.min().expect("it was measured");
                assert!(
                    used >= limit && used < limit + ALLOWED_OVERSHOOT,
                    "{line}: {used:?}"
                );
            }
        }
    });
}

#[test]
fn a_command_of_four_fifths_of_the_limit_is_accepted_beside_busy_threads() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command(
            "work",
            "local sum = 0\nfor index = 1, 4000000 do\n  sum += index % 7\nend\nreturn tostring(sum)",
        );
        run_with_busy_cores(|| {
            let mut game = Game::mini_with_limits(&home, time_only_limits(None), true);
            // A shared core is slower, so the work is also measured under load.
            let needed = (0..3).map(|_| measure_times(|| game.text("work")).1);
            let limit = needed.max().expect("it was measured") * 5 / 4;
            // A virtual machine may take time and count it as the thread's; the work is tried
            // again.
            let is_accepted = (0..20).any(|_| {
                let mut game = Game::mini_with_limits(&home, time_only_limits(Some(limit)), true);
                let (reply, _, passed) = measure_times(|| game.line("work"));
                reply.refusal.is_none() && passed > limit
            });
            assert!(
                is_accepted,
                "it never took longer than {limit:?} and was accepted"
            );
        });
    });
}

#[test]
fn an_endless_loop_ends_by_fuel_beside_busy_threads() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("linger", "while true do end");
        run_with_busy_cores(|| {
            for raw in [true, false] {
                let options = EngineOptions {
                    raw,
                    ..EngineOptions::default()
                };
                let mut game = Game::mini_with_engine(&home, options);
                assert_eq!(game.refusal("linger").code, "limit/fuel");
            }
        });
    });
}

#[test]
fn each_function_that_scripts_reach_is_among_those_whose_fuel_is_held_against_their_time() {
    let reachable = include_str!("../reachable_names.txt");
    assert_eq!(
        arbiter_tests::fuel_cost::functions_without_case(reachable),
        Vec::<String>::new()
    );
}
