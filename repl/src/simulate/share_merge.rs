//! Merges the results of the shares of a simulation.

use std::fs;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::game::{SimulationResult, merge_shards as whole};
use serde_json::Value as Json;

use crate::io_error_words::io_error_words;

/// Returns the merged result of shares in files; `setup` is the named setup, if there is one.
///
/// Errors: a file is not a share, or the shares do not make one whole; they are of another setup.
pub(super) fn merge_shares(
    files: &[PathBuf],
    setup: Option<&str>,
) -> Result<SimulationResult, Box<Diagnostic>> {
    let shares = files
        .iter()
        .map(|file| Ok((file.display().to_string(), read_share(file)?)));
    let shares: Result<Vec<_>, Box<Diagnostic>> = shares.collect();
    let gathered = whole(shares?)?;
    match setup {
        Some(setup) if setup != gathered.setup => {
            let message = format!(
                "the shards are for the setup \"{}\", not for \"{setup}\"",
                gathered.setup
            );
            let finding = Diagnostic::error("simulate/foreign-shard", message);
            Err(Box::new(
                finding.hint("--merge needs no setup; the files contain it"),
            ))
        }
        Some(_) | None => Ok(gathered),
    }
}

fn read_share(file: &Path) -> Result<SimulationResult, Box<Diagnostic>> {
    let shown = file.display();
    let refused = |message: String| Box::new(Diagnostic::error("simulate/no-shard", message));
    let text = fs::read_to_string(file).map_err(|error| {
        refused(format!(
            "{shown} cannot be read: {}",
            io_error_words(&error)
        ))
    })?;
    let json: Json = serde_json::from_str(&text).unwrap_or_default();
    SimulationResult::from_json(&json).map_err(|finding| {
        Box::new(Diagnostic {
            message: format!("{shown} is not a simulation shard"),
            ..finding
        })
    })
}
