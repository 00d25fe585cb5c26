//! This module is the entry of the program `arbiter`.

use std::process::ExitCode;

fn main() -> ExitCode {
    repl::main(std::env::args_os())
}
