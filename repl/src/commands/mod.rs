//! The commands that the host has in every game: one file each.

mod act_as;
pub(crate) mod act_for;
mod always;
mod answer;
mod check;
pub(crate) mod dice;
mod dispute;
mod drop;
mod eval;
mod export;
mod finish;
mod fork;
mod format;
mod help;
mod import;
mod log;
mod log_disputes;
mod log_filter;
mod log_rolls;
mod log_tables;
mod next;
mod open;
mod pack;
mod plan;
mod post;
mod questions;
mod quit;
mod redo;
mod reload;
mod replace;
mod restart;
mod reveal;
mod revert;
mod salt;
mod save;
mod settle;
mod status;
mod step;
mod undo;
mod verify;
mod view;
mod why;

use host::diag::Diagnostic;
use host::game::{Call, HostCommand, Reply, gm_only_refusal};

// The commands of the host, `COMMANDS`. The build script collects them from the files of this folder.
include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// A code and a hint for a number that no log line has.
type NoLine = (&'static str, &'static str);

/// The hint of most commands for a number that no log line has.
const NUMBERS: &str = "`log` lists the numbers";

/// Returns the log line number in a slot. Errors: the number is too large for a line; the message quotes it as typed.
fn line_number_in_slot(
    call: &Call<'_>,
    slot: &str,
    (code, hint): NoLine,
) -> Result<u64, Box<Diagnostic>> {
    let typed = call.text(slot);
    typed.parse().map_err(|_| {
        let finding = Diagnostic::error(code, format!("the log has no line {typed}"));
        Box::new(finding.hint(hint))
    })
}

/// Runs a function that uses the local disk. Refuses it for a seat.
fn only_by_game_master(call: &Call<'_>, body: impl FnOnce() -> Reply) -> Reply {
    match gm_only_refusal(call.by(), "can use files on the disk") {
        Some(refusal) => Reply::refused(refusal),
        None => body(),
    }
}

#[cfg(test)]
mod tests;
