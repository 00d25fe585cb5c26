//! Counts instructions: the cost of key paths of the program, to the instruction, on any machine.
//!
//! Times depend on the other work of a machine; instructions under valgrind do not. `counts` plays each path a number
//! of times and twice as many times, takes the difference, and compares it with `tests/counts/recorded.txt`. A path
//! that is more than 3 % more expensive fails. A path that is not recorded fails too, and so does a recorded path that
//! does not exist. `counts --bless SENTENCE` records the present figures and the reason. If valgrind, the toolchain or
//! the processor that valgrind presents differ from the record, the figures are printed and nothing fails.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people: figures go to stdout, progress and failures to stderr"
)]

mod call_paths;
mod count_conditions;
mod count_record;
mod game_paths;
mod machine_paths;
mod measured_path;
mod record_comparison;
mod shipped_paths;
mod valgrind;

use std::process::ExitCode;

use clap::Parser;

use count_conditions::Conditions;
use count_record::Record;
use measured_path::Path;

#[derive(Debug, Parser)]
#[command(
    name = "counts",
    about = "Counts the instructions of key paths and compares them with the record."
)]
struct Arguments {
    /// Records the present figures; the sentence is the reason of the change.
    #[arg(long, value_name = "SENTENCE")]
    bless: Option<String>,
    /// Counts only paths with names that contain this.
    #[arg(default_value = "", value_name = "PART")]
    part: String,
    /// Plays the paths of shard K of M instead of counting; valgrind runs this.
    #[arg(long, hide = true, value_name = "K/M")]
    play: Option<String>,
}

/// Returns the paths whose names contain a text, the calls into the host first.
fn paths_named(part: &str) -> Vec<Path> {
    let all = [
        call_paths::call_paths(),
        game_paths::game_paths(),
        machine_paths::machine_paths(),
        shipped_paths::shipped_paths(),
    ];
    let all = all.into_iter().flatten();
    all.filter(|path| path.name.contains(part)).collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(shard) = &arguments.play {
        measured_path::play_paths_in_batches(measured_path::paths_of_shard(
            paths_named(&arguments.part),
            shard,
        ));
        return ExitCode::SUCCESS;
    }
    match count_and_compare(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("counts: {why}");
            ExitCode::from(2)
        }
    }
}

/// Counts, and compares or records; false if a path is more expensive than before, not recorded, or gone. Errors:
/// nothing can be counted.
fn count_and_compare(arguments: &Arguments) -> Result<bool, String> {
    let recorded = Record::read_file()?;
    let found = valgrind::count_instructions(&arguments.part)?;
    let now = Conditions::now(&found.features)?;
    let Some(why) = &arguments.bless else {
        let told = record_comparison::compare_with_record(
            &recorded,
            (&found.counts, arguments.part.is_empty()),
            &now,
        );
        println!("{}", told.text);
        return Ok(told.holds);
    };
    if arguments.part.is_empty() {
        recorded
            .with_blessed_counts(found.counts, now, why)
            .write_file()?;
        return Ok(true);
    }
    Err("all paths are blessed together: leave PART out".to_owned())
}
