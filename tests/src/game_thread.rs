//! Runs a test like a game in the program: on a thread with a stack as large as scripts may need.

use std::panic::resume_unwind;
use std::thread::Builder;

/// Bytes of the stack of a game thread.
const STACK: usize = 16 << 20;

/// Runs `body` on a thread of its own and passes its panic on.
pub fn on_game_thread<R: Send>(body: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let made = Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        let ended = made.expect("a thread for the game can be made").join();
        ended.unwrap_or_else(|panic| resume_unwind(panic))
    })
}
