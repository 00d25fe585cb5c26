//! The program `arbiter` again, so that the suites find it built beside them.

use std::process::ExitCode;

fn main() -> ExitCode {
    repl::main(std::env::args_os())
}
