//! The program `arbiter` once more, so that the suites find it built beside them.

use std::process::ExitCode;

fn main() -> ExitCode {
    repl::main(std::env::args_os())
}
