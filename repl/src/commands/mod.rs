//! This module is the commands that the host has in every game: one file each, listed here in order.

mod act_as;
mod check;
mod dice;
mod eval;
mod format;
mod help;
mod log;
mod log_filter;
mod quit;
mod redo;
mod reload;
mod undo;
mod why;

use host::game::HostCommand;

/// The host's commands.
pub static COMMANDS: [HostCommand; 12] = [
    act_as::COMMAND,
    check::COMMAND,
    dice::COMMAND,
    eval::COMMAND,
    format::COMMAND,
    help::COMMAND,
    log::COMMAND,
    quit::COMMAND,
    redo::COMMAND,
    reload::COMMAND,
    undo::COMMAND,
    why::COMMAND,
];

#[cfg(test)]
mod tests;
