//! Declarations of a ruleset about the start: the lines that a new game shows, and the line that moves the game on.
//!
//! The game decides which names such a line takes. The check that a command begins with its words is here.

use std::sync::Arc;

use super::Rules;
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::template_owner::{COMMANDS, HostPhrase};
use crate::script::rules::command_words::{leading_words, leading_words_by_line};
use crate::script::source::source_places;

/// The key of the lines to begin with.
const START: &str = "start";
/// The key of the line that moves a game on that has neither plans nor phases.
const MOVES_ON: &str = "moves_on";

impl Rules {
    /// Returns the lines to begin with.
    pub fn start_lines(&self) -> Vec<String> {
        let lines = self.ruleset.get(START).items().iter();
        let lines = lines.filter_map(|line| line.as_str());
        lines.map(str::to_owned).collect()
    }

    /// Returns the line that moves the game on, if `next` does not.
    pub fn moves_on_line(&self) -> Option<&str> {
        self.ruleset.get(MOVES_ON).as_str()
    }
}

/// Finds lines that no command begins.
pub(crate) fn start_line_findings(
    rules: &Rules,
    host: &[HostPhrase],
    source: Option<&Arc<Source>>,
) -> Vec<Diagnostic> {
    let own = rules
        .registry
        .of_collection(COMMANDS)
        .flat_map(|one| leading_words_by_line(one));
    let of_host = host.iter().flat_map(|one| &one.syntax);
    let of_host = of_host.map(|line| leading_words(line));
    let known: Vec<Vec<String>> = own.chain(of_host).collect();
    let begins = |line: &str| {
        let typed: Vec<&str> = line.split_whitespace().collect();
        known.iter().any(|words| {
            let is_same = |(word, typed): (&String, &&str)| {
                word.eq_ignore_ascii_case(typed.trim_end_matches(':'))
            };
            words.len() <= typed.len() && words.iter().zip(&typed).all(is_same)
        })
    };
    let start = rules.start_lines().into_iter().enumerate();
    let start = start.map(|(at, line)| (START, format!("{START}[{}]", at + 1), line));
    let on = rules.moves_on_line();
    let on = on.map(|line| (MOVES_ON, MOVES_ON.to_owned(), line.to_owned()));
    let wrong = start.chain(on).filter(|(_, _, line)| !begins(line));
    let found = wrong.map(|(key, path, line)| {
        let first = line.split_whitespace().next().unwrap_or_default();
        let words = known.iter().filter_map(|words| words.first());
        let finding = Diagnostic::error(
            "script/no-such-line",
            format!("`{key}` names the line \"{line}\", but no command begins like it"),
        );
        let finding = finding.hint(near_hint(first, words.map(String::as_str)));
        let Some(source) = source else {
            return finding;
        };
        let places = source_places::table_places(source);
        let place = places.entries.get(&path).or(places.entries.get(key));
        let span = place.map(|(_, value)| *value);
        finding.at(source, span.unwrap_or(source.line_span(1)))
    });
    found.collect()
}
