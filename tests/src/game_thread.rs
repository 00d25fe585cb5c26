//! Runs a test as the program runs a game: on a thread with the stack that scripts may use up.

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
