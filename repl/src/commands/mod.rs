//! This module is the commands that the host has in every game: one file each, listed here in order.

mod act_as;
mod answer;
mod auto;
mod check;
mod dice;
mod drop;
mod eval;
mod export;
mod finish;
mod fork;
mod format;
mod goto;
mod help;
mod log;
mod log_filter;
mod next;
mod open;
mod order;
mod orders;
mod pack;
mod plan;
mod post;
mod prompts;
mod quit;
mod redo;
mod reload;
mod replace;
mod restart;
mod reveal;
mod revert;
mod salt;
mod save;
mod step;
mod undo;
mod why;

use host::diag::Diagnostic;
use host::game::{Call, HostCommand, Reply};
use host::script::GM;

/// The host's commands.
pub static COMMANDS: [HostCommand; 34] = [
    act_as::COMMAND,
    answer::COMMAND,
    auto::COMMAND,
    check::COMMAND,
    dice::COMMAND,
    drop::COMMAND,
    eval::COMMAND,
    export::COMMAND,
    finish::COMMAND,
    fork::COMMAND,
    format::COMMAND,
    goto::COMMAND,
    help::COMMAND,
    log::COMMAND,
    next::COMMAND,
    open::COMMAND,
    order::COMMAND,
    orders::COMMAND,
    pack::COMMAND,
    plan::COMMAND,
    post::COMMAND,
    prompts::COMMAND,
    quit::COMMAND,
    redo::COMMAND,
    reload::COMMAND,
    replace::COMMAND,
    restart::COMMAND,
    reveal::COMMAND,
    revert::COMMAND,
    salt::COMMAND,
    save::COMMAND,
    step::COMMAND,
    undo::COMMAND,
    why::COMMAND,
];

/// Does something that reaches the disk of whoever runs the program; a seat may not.
fn by_game_master(call: &Call<'_>, body: impl FnOnce() -> Reply) -> Reply {
    if call.by == GM {
        return body();
    }
    let message = "only the game master says where games are kept";
    Reply::refused(
        Diagnostic::error("save/not-yours", message).hint("as goes back to the game master"),
    )
}

#[cfg(test)]
mod tests;
