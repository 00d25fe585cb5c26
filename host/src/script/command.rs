//! This module is what commands of the rules say about their lines: which of them only look.

use super::contract::{syntax_texts, texts_of};
use super::phrases::{COMMANDS, Owner, key_span};
use super::rules::Rules;
use crate::content::Definition;
use crate::diag::{Diagnostic, near_hint};

/// The key of a command that only looks, whatever its line.
const QUERY: &str = "query";
/// The key of the lines that only look.
const LOOKS: &str = "looks";

/// Returns whether a line only looks: its command does, or names that line of its `syntax`.
pub fn only_looks(rules: &Rules, owner: &Owner) -> bool {
    let Owner::Definition {
        collection,
        id,
        line,
    } = owner
    else {
        return false;
    };
    let Some(command) = rules.registry.get(collection, id) else {
        return false;
    };
    let syntax = syntax_texts(command).nth(line.saturating_sub(1));
    command.value.get(QUERY).as_bool() == Some(true)
        || texts_of(command, LOOKS).any(|line| Some(line) == syntax)
}

/// Returns what is wrong with the commands of the rules beyond their shape.
pub(super) fn command_findings(rules: &Rules) -> Vec<Diagnostic> {
    let commands = rules.registry.of(COMMANDS);
    commands.flat_map(|one| unknown_lines(one)).collect()
}

/// Finds lines that should only look and are none of the command.
fn unknown_lines(command: &Definition) -> impl Iterator<Item = Diagnostic> {
    let known: Vec<&str> = syntax_texts(command).map(AsRef::as_ref).collect();
    let unknown = texts_of(command, LOOKS).filter(|line| !known.contains(&&***line));
    let found = unknown.map(|line| {
        let message = format!(
            "the command \"{}\" has no line \"{line}\" that could only look",
            command.id
        );
        Diagnostic::error("contract/looks", message)
            .hint(near_hint(line, known.iter().copied()))
            .hint("write it as it stands in syntax; query = true says that every line only looks")
            .at(&command.source, key_span(command, LOOKS))
    });
    found.collect::<Vec<_>>().into_iter()
}
