//! Test tools for people who work on the host: a fingerprint of everything that the program does.
//!
//! Run `arbiter-tests fingerprint --write FILE` before some work and `arbiter-tests fingerprint --compare FILE` after
//! it: the differences are printed. `--show NAME` prints all outcomes of a case, to compare two programs in detail.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people: results go to stdout, what is wrong to stderr"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use arbiter_tests::fingerprint;
use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "arbiter-tests", about = "What the tests know of the program.")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// One SHA-256 for each case of each transcript, and for each journal of tests/verify_games.sh.
    Fingerprint {
        /// Write it to a file.
        #[arg(long, value_name = "FILE")]
        write: Option<PathBuf>,
        /// Compare it with the fingerprint in a file, and print the differences.
        #[arg(long, value_name = "FILE")]
        compare: Option<PathBuf>,
        /// Print all outcomes of the cases with names that contain a text, instead of their hashes.
        #[arg(long, value_name = "TEXT")]
        show: Option<String>,
    },
}

fn main() -> ExitCode {
    let Verb::Fingerprint {
        write,
        compare,
        show,
    } = Arguments::parse().verb;
    if let Some(part) = show {
        for (name, text) in fingerprint::case_texts(|name| name.contains(&part)) {
            println!("== {name}\n{text}");
        }
        return ExitCode::SUCCESS;
    }
    let done = whole_fingerprint().and_then(|found| match (write, compare) {
        (Some(file), _) => {
            let written = std::fs::write(&file, found.join("\n") + "\n");
            written.map(|()| true).map_err(|error| error.to_string())
        }
        (None, Some(file)) => {
            let before = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
            let differ = fingerprint::differing_lines(&before, &found);
            for line in &differ {
                println!("{line}");
            }
            eprintln!("{} lines, {} differences", found.len(), differ.len());
            Ok(differ.is_empty())
        }
        (None, None) => {
            println!("{}", found.join("\n"));
            Ok(true)
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Returns the whole fingerprint; the games are played by the program that was built beside this one.
fn whole_fingerprint() -> Result<Vec<String>, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut found = fingerprint::case_hash_lines();
    found.extend(fingerprint::journal_hash_lines(
        &own.with_file_name("arbiter-under-test"),
    )?);
    Ok(found)
}
