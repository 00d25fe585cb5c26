//! This module is the commands that the host has in every game: one file each, listed here in order.

mod act_as;
mod answer;
mod auto;
mod check;
mod dice;
mod drop;
mod eval;
mod finish;
mod format;
mod help;
mod log;
mod log_filter;
mod next;
mod order;
mod orders;
mod plan;
mod prompts;
mod quit;
mod redo;
mod reload;
mod restart;
mod reveal;
mod salt;
mod step;
mod undo;
mod why;

use host::game::HostCommand;

/// The host's commands.
pub static COMMANDS: [HostCommand; 25] = [
    act_as::COMMAND,
    answer::COMMAND,
    auto::COMMAND,
    check::COMMAND,
    dice::COMMAND,
    drop::COMMAND,
    eval::COMMAND,
    finish::COMMAND,
    format::COMMAND,
    help::COMMAND,
    log::COMMAND,
    next::COMMAND,
    order::COMMAND,
    orders::COMMAND,
    plan::COMMAND,
    prompts::COMMAND,
    quit::COMMAND,
    redo::COMMAND,
    reload::COMMAND,
    restart::COMMAND,
    reveal::COMMAND,
    salt::COMMAND,
    step::COMMAND,
    undo::COMMAND,
    why::COMMAND,
];

#[cfg(test)]
mod tests;
