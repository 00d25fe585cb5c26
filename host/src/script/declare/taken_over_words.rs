//! Decides which words of the host the commands of a game take over.

use std::collections::BTreeSet;

use super::schema::{SYNTAX, syntax_lines};
use super::template_owner::{COMMANDS, HostPhrase, span_of_key_value};
use crate::content::Definition;
use crate::diag::{Diagnostic, near_hint};
use crate::script::source::mod_files::LIBRARY;

/// Returns the words of the host and of the library that commands take over with `replaces`.
///
/// Findings: `phrase/replaces-nothing` for a word that no command has, `phrase/host-word` for a command that begins
/// with a word of the host without such a declaration.
pub(crate) fn taken_over_words<'a>(
    definitions: impl Iterator<Item = &'a Definition> + Clone,
    phrases: &[HostPhrase],
    findings: &mut Vec<Diagnostic>,
) -> BTreeSet<String> {
    let commands = definitions.filter(|one| *one.collection == *COMMANDS);
    let (library, own): (Vec<_>, Vec<_>) = commands.partition(|one| *one.mod_name == *LIBRARY);
    let of_library = library.iter().map(|one| &*one.id);
    let known: BTreeSet<&str> = phrases
        .iter()
        .map(|one| one.id.as_str())
        .chain(of_library)
        .collect();
    let mut taken = BTreeSet::new();
    for definition in &own {
        let Some(word) = definition.value.get("replaces").as_str() else {
            continue;
        };
        if known.contains(word) {
            taken.insert(word.to_owned());
            continue;
        }
        let finding = Diagnostic::error(
            "phrase/replaces-nothing",
            format!("no built-in command \"{word}\" to replace"),
        );
        let finding = finding.hint(near_hint(word, known.iter().copied()));
        findings.push(finding.at(
            &definition.source,
            span_of_key_value(definition, "replaces"),
        ));
    }
    for definition in own {
        let clash = first_words_of_lines(definition)
            .find(|word| known.contains(word.as_str()) && !taken.contains(word));
        if let Some(word) = clash {
            let finding = Diagnostic::error(
                "phrase/host-word",
                format!("\"{word}\" is already the word of a built-in command"),
            )
            .hint(format!(
                "write replaces = \"{word}\" to replace it, or begin with another word"
            ));
            findings.push(finding.at(&definition.source, span_of_key_value(definition, SYNTAX)));
        }
    }
    taken
}

fn first_words_of_lines(definition: &Definition) -> impl Iterator<Item = String> {
    let lines = syntax_lines(definition).into_iter();
    lines
        .filter_map(|line| line.split([' ', '[', '{']).find(|word| !word.is_empty()))
        .map(str::to_lowercase)
}
