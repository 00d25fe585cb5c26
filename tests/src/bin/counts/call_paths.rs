//! The paths of calls from scripts into the host: each is a command that makes one call a thousand times.

use arbiter_tests::{Game, Scratch};

use crate::measured_path::Path;

/// Calls of the host, each with its text in scripts.
const CALLS: [(&str, &str); 7] = [
    ("loop", ""),
    ("by", "act:by()"),
    ("read", "act:get('ann', 'mood')"),
    ("decimal", "act:get_decimal('ann', 'mood')"),
    ("two", "act:stat('ann', 'mood')"),
    ("write", "act:set('ann', 'mood', number % 9)"),
    ("exists", "act:exists('ann')"),
];

/// Number of times that a batch gives the command.
const TIMES: u32 = 2;

/// Returns the paths.
pub(crate) fn call_paths() -> Vec<Path> {
    vec![
        Path::new("1000 turns of a loop", TIMES, || {
            prepare_call_command("loop")
        }),
        Path::new("1000 calls that say who acts", TIMES, || {
            prepare_call_command("by")
        }),
        Path::new("1000 stat reads", TIMES, || prepare_call_command("read")),
        Path::new("1000 exact stat reads", TIMES, || {
            prepare_call_command("decimal")
        }),
        Path::new("1000 calls with two results", TIMES, || {
            prepare_call_command("two")
        }),
        Path::new("1000 writes", TIMES, || prepare_call_command("write")),
        Path::new("1000 exists", TIMES, || prepare_call_command("exists")),
    ]
}

/// Prepares a function that submits the command of a call and undoes its writes.
fn prepare_call_command(name: &'static str) -> Box<dyn FnMut()> {
    let home = Scratch::mini();
    for (name, call) in CALLS {
        home.command(name, &format!("for number = 1, 1000 do\n  {call}\nend"));
    }
    let mut game = Game::untimed(&home, "mini");
    Box::new(move || {
        game.text(name);
        if name == "write" {
            game.undo();
        }
    })
}
