//! This module is the long proofs.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if std::env::args().nth(1).as_deref() == Some("arbiter") {
        arguments.next();
        return repl::main(arguments);
    }
    let program = std::env::current_exe().unwrap();
    for seed in 0..8 {
        println!("{:?}", arbiter_tests::keep::crash(&program, seed));
    }
    for seed in 0..40 { println!("{:?}", arbiter_tests::keep::power(seed)); }
    ExitCode::SUCCESS
}
