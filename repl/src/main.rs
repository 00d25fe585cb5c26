//! The entry of the program `arbiter`.

use std::process::ExitCode;

/// A fifth of the cost of a command is for allocating and freeing memory; this allocator needs half of that.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    repl::main(std::env::args_os())
}
