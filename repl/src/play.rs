//! This module starts a game and hands it to the person at the terminal.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use host::diag::Diagnostic;

use crate::arguments::Common;
use crate::editor;
use crate::exit::Exit;
use crate::folder::{self, Folder};
use crate::game_thread::{Game, Start};
use crate::output::{self, Output};
use crate::place::{self, Chosen};
use crate::shell;

/// Plays a ruleset until the input ends.
pub(crate) fn play(common: &Common, named: Option<&str>, output: &mut Output) -> Exit {
    let start = match begin(common, named, output) {
        Ok(start) => start,
        Err(refusal) => {
            output.complain(&refusal);
            return Exit::Usage;
        }
    };
    let (news, received) = channel();
    match Game::start(start.clone(), news) {
        Ok((game, opening)) => shell::shell(&game, &start, &opening, received, output),
        Err(findings) => not_started(&findings, output),
    }
}

/// Returns what a game begins with. Errors: the command line names nothing that can be played.
fn begin(
    common: &Common,
    named: Option<&str>,
    output: &mut Output,
) -> Result<Start, Box<Diagnostic>> {
    let home = place::home(common, &place::here())?;
    let rulesets = home.rulesets();
    let is_ruleset = |word: &str| rulesets.iter().any(|name| name == word);
    // A word is a folder where it holds a game or can be nothing else.
    let is_folder = |word: &&str| {
        let is_kept = !is_ruleset(word) && folder::is_game(Path::new(word));
        is_kept || folder::is_path(word)
    };
    let path = named.filter(is_folder).map(PathBuf::from);
    let path = path.or_else(|| common.game.clone());
    if let Some(Folder::Kept(folder)) = path.as_deref().map(Folder::at) {
        return Ok(place::kept(common, home, folder));
    }
    let wanted = named.filter(|word| !is_folder(word));
    let wanted = wanted.or(common.ruleset.as_deref());
    let chosen = match place::ruleset(&home, wanted)? {
        Chosen::Among(names) if output::is_interactive() => ask(names, output),
        chosen => chosen,
    };
    let ruleset = chosen.one()?;
    let place = match path {
        Some(path) => Folder::New(path),
        None if common.in_memory => Folder::Nowhere,
        None => Folder::next(common, &ruleset),
    };
    place::new(common, home, (ruleset, place))
}

/// Asks which ruleset is meant, until the answer is one or the person gives up.
fn ask(names: Vec<String>, output: &mut Output) -> Chosen {
    let listed: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| format!("{}  {name}", index + 1))
        .collect();
    output.talk(&listed.join("\n"));
    while let Some(answer) = editor::ask("which ruleset? ") {
        if let Some(name) = picked(&names, answer.trim()) {
            return Chosen::One(name.to_owned());
        }
    }
    Chosen::Among(names)
}

/// Returns the ruleset of an answer: its number, its name, or the begin of only one name.
fn picked<'a>(names: &'a [String], answer: &str) -> Option<&'a str> {
    let by_number = answer
        .parse::<usize>()
        .ok()
        .and_then(|number| names.get(number.checked_sub(1)?));
    let exact = || names.iter().find(|name| *name == answer);
    let mut begins = names
        .iter()
        .filter(|name| !answer.is_empty() && name.starts_with(answer));
    let only = begins.next().filter(|_| begins.next().is_none());
    by_number.or_else(exact).or(only).map(String::as_str)
}

/// Reports why a game cannot start.
pub(crate) fn not_started(findings: &[Diagnostic], output: &mut Output) -> Exit {
    for found in findings {
        output.complain(found);
    }
    let is_bug = findings.iter().any(|found| Exit::of(found) == Exit::Bug);
    if is_bug { Exit::Bug } else { Exit::NotLoaded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_is_picked_by_number_name_or_begin() {
        let names = ["mini", "maxi", "max"].map(str::to_owned);
        assert_eq!(picked(&names, "2"), Some("maxi"));
        assert_eq!(picked(&names, "max"), Some("max"));
        assert_eq!(picked(&names, "mi"), Some("mini"));
        for answer in ["", "0", "4", "m", "x"] {
            assert_eq!(picked(&names, answer), None, "{answer}");
        }
    }
}
