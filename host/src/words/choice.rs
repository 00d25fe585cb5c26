//! Chooses the words of a game: its language, and the tables that have a part in them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ENGLISH;
use super::language_file::Language;
use super::table::{Words, embedded_languages, english_patterns};
use crate::diag::{Diagnostic, Severity, near_hint};

/// Maximum number of missing texts that a finding names; the others are counted.
const NAMED: usize = 8;

/// The words of a game.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The words.
    pub words: Arc<Words>,
    /// What is wrong with the languages.
    pub findings: Vec<Diagnostic>,
    /// What is wrong with the language that the ruleset names; it has no place yet.
    pub of_ruleset: Option<Diagnostic>,
}

/// Returns the words of a game. `named` is the language of the ruleset. `files` are the language files: those of the
/// ruleset first, then those of mods; a later text counts.
///
/// Findings: `language/two-chosen`, `language/missing`; `language/unknown` of the ruleset.
pub fn choose_words(named: Option<&str>, files: &[Language]) -> Chosen {
    let mut findings = Vec::new();
    let chosen = chosen_language(files, &mut findings);
    let tag = chosen
        .map(|one| one.id.as_str())
        .or(named)
        .unwrap_or(ENGLISH);
    let layers = layers_of_language(tag, files);
    let mut of_ruleset = None;
    if layers.is_empty() {
        of_ruleset = Some(unknown_language_finding(tag, files));
    }
    let used = tag.to_ascii_lowercase();
    let ids: BTreeSet<&str> = files.iter().map(|file| file.id.as_str()).collect();
    findings.extend(
        ids.iter()
            .filter_map(|id| missing_finding(id, files, &used)),
    );
    Chosen {
        words: Arc::new(Words::of_layers(tag, &layers)),
        findings,
        of_ruleset,
    }
}

/// Returns the language that a file chooses for its games: the first of several.
fn chosen_language<'a>(
    files: &'a [Language],
    findings: &mut Vec<Diagnostic>,
) -> Option<&'a Language> {
    let mut chosen = files.iter().filter(|file| file.chosen.is_some());
    let first = chosen.next()?;
    if let Some(other) = chosen.find(|other| other.id != first.id) {
        let message = format!(
            "this file chooses the language \"{}\", but {} chooses \"{}\"",
            other.id,
            first.source.name(),
            first.id
        );
        let finding = Diagnostic::error("language/two-chosen", message)
            .hint("keep `chosen: true` in one of the two");
        let span = other.chosen.unwrap_or(other.place);
        findings.push(finding.at(&other.source, span));
    }
    Some(first)
}

/// Returns the tables of a language, the most general first: those of `de`, then those of `de-ch`. English is below
/// all of them, so that it counts as known.
fn layers_of_language<'a>(tag: &str, files: &'a [Language]) -> Vec<&'a Language> {
    let tag = tag.to_ascii_lowercase();
    let ends = tag.match_indices('-').map(|(at, _)| at).chain([tag.len()]);
    let known = |id: &str| {
        let all = embedded_languages().iter().chain(files);
        all.filter(|one| one.id == *id).collect::<Vec<_>>()
    };
    ends.flat_map(|end| known(&tag[..end])).collect()
}

fn unknown_language_finding(tag: &str, files: &[Language]) -> Diagnostic {
    let all = embedded_languages().iter().chain(files);
    let known: BTreeSet<&str> = all.map(|one| one.id.as_str()).collect();
    let listed: Vec<&str> = known.iter().copied().collect();
    let message =
        format!("the host has no words in the language \"{tag}\", so they are in English");
    Diagnostic::warning("language/unknown", message)
        .hint(near_hint(tag, known))
        .hint(format!(
            "there are {}; another one is a file languages/{}.yaml in the content",
            listed.join(", "),
            tag.to_ascii_lowercase()
        ))
}

/// Finds the texts that a language lacks. In a language that the game does not use, they are a note.
fn missing_finding(id: &str, files: &[Language], used: &str) -> Option<Diagnostic> {
    let layers = layers_of_language(id, files);
    let missing: Vec<&str> = english_patterns()
        .keys()
        .filter(|key| !layers.iter().any(|layer| layer.texts.contains_key(*key)))
        .map(String::as_str)
        .collect();
    let file = files.iter().find(|file| file.id == id)?;
    if missing.is_empty() {
        return None;
    }
    let all = english_patterns().len();
    let more = missing.len().saturating_sub(NAMED);
    let named = missing[..missing.len() - more].join(", ");
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "the language \"{id}\" lacks {} of the {all} texts of the host, which are in English: {named}{more}",
        missing.len()
    );
    let is_used = used == id
        || used
            .strip_prefix(id)
            .is_some_and(|rest| rest.starts_with('-'));
    let finding = match is_used {
        true => Diagnostic::warning("language/missing", message),
        false => Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::error("language/missing", message)
        },
    };
    Some(finding.at(&file.source, file.place))
}
