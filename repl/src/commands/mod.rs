//! This module is the commands that the host has in every game: one file each, listed here in order.

mod act_as;
mod auto;
mod check;
mod dice;
mod eval;
mod format;
mod help;
mod log;
mod next;
mod plan;
mod quit;
mod redo;
mod reload;
mod step;
mod undo;

use host::game::HostCommand;

/// The host's commands.
pub static COMMANDS: [HostCommand; 15] = [
    act_as::COMMAND,
    auto::COMMAND,
    check::COMMAND,
    dice::COMMAND,
    eval::COMMAND,
    format::COMMAND,
    help::COMMAND,
    log::COMMAND,
    next::COMMAND,
    plan::COMMAND,
    quit::COMMAND,
    redo::COMMAND,
    reload::COMMAND,
    step::COMMAND,
    undo::COMMAND,
];

#[cfg(test)]
mod tests;
