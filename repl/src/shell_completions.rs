//! Writes completions for shells.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::arguments::Arguments;
use crate::exit_code::Exit;
use crate::output::Output;

/// Writes the completions of a shell.
pub(crate) fn write_shell_completions(shell: Shell, output: &mut Output) -> Exit {
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "arbiter", &mut script);
    output.write_safe_text(&String::from_utf8_lossy(&script));
    Exit::Ok
}
