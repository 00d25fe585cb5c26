//! Starts a game and hands it to the person at the terminal.

use std::path::Path;
use std::sync::mpsc::channel;

use host::diag::{Diagnostic, near_hint, there_is_or_are_text};
use host::game::Home;

use crate::arguments::{Common, Sync};
use crate::editor;
use crate::exit_code::Exit;
use crate::format_upgrade;
use crate::found_codes::{self, FoundCodes};
use crate::game_folder::{self, Folder};
use crate::game_thread::{Game, Start};
use crate::home_lookup::{self, Chosen};
use crate::output::{self, Output};
use crate::save_pack_open;
use crate::shell;
use crate::typed_path;

/// Plays a ruleset until the input ends.
pub(crate) fn play_game(common: &Common, named: Option<&str>, output: &mut Output) -> Exit {
    let start = match game_start(common, named, output) {
        Ok(start) => start,
        Err(refusal) => {
            output.write_finding_to_stderr(&refusal);
            return Exit::Usage;
        }
    };
    if common.sync == Sync::Group && start.is_saved_and_writable() {
        let message = "with --sync group, answers appear before the commands are saved, so a power failure can lose \
                       the last ones";
        let finding = Diagnostic::warning("save/sync", message);
        output.write_finding_to_stderr(
            &finding
                .hint("use it for scripts; without it, each command is saved before its answer"),
        );
    }
    let (news, received) = channel();
    match Game::start(start.clone(), news) {
        Ok((mut game, opening)) => {
            shell::run_shell(&mut game, (common, &start), &opening, received, output)
        }
        Err(findings) => report_not_started(&findings, output),
    }
}

/// Returns the start of a game. Errors: the command line names nothing that can be played.
fn game_start(
    common: &Common,
    named: Option<&str>,
    output: &mut Output,
) -> Result<Start, Box<Diagnostic>> {
    let path = named.map(|named| typed_path::path_of_shell_word(named.into()));
    let home = home_lookup::home_for_game(common, path.as_deref())?;
    let rulesets = home.rulesets();
    let games = game_folder::games_folder(common);
    // A word is a ruleset, else a game, else a path if it can be nothing else.
    let word = named.filter(|word| rulesets.iter().any(|name| name == word));
    let found = match named.filter(|_| word.is_none()) {
        Some(named) => game_folder::find_game_by_path_or_name(
            &games,
            &typed_path::path_of_shell_word(named.into()),
        ),
        None => common
            .game
            .as_deref()
            .map_or(Folder::Nowhere, Folder::at_path),
    };
    game_folder::refuse_new_game_read_only(common, &found)?;
    let place = match found {
        Folder::Kept(folder) => {
            let folder = format_upgrade::convert_if_older(folder, common.game.as_deref(), output)?;
            return Ok(home_lookup::saved_game_start(common, home, folder));
        }
        Folder::Packed(file) => {
            let to = common.game.as_deref().filter(|to| **to != *file);
            let (folder, told) = save_pack_open::unpack_to_folder(&file, to)?;
            output.write_stderr_unless_quiet(&told);
            return Ok(home_lookup::saved_game_start(common, home, folder));
        }
        Folder::New(path) if named.is_some() && word.is_none() => {
            let is_path = game_folder::can_only_be_path(&path.to_string_lossy()) || path.exists();
            check_new_game_place(common, &path, (is_path, rulesets))?;
            Some(path)
        }
        Folder::New(path) => Some(path),
        Folder::Nowhere => None,
    };
    let wanted = word.or(common.ruleset.as_deref());
    let chosen = match home_lookup::ruleset_choice(&home, wanted)? {
        Chosen::Among(names) if output::is_interactive() => ask_for_ruleset(&home, names, output),
        chosen => chosen,
    };
    let ruleset = chosen.only_ruleset()?;
    let place = match place {
        Some(path) => Folder::New(path),
        None if common.in_memory => Folder::Nowhere,
        None => Folder::next_free(&games, &ruleset),
    };
    home_lookup::new_game_start(common, home, (ruleset, place))
}

/// Refuses a word or path that is not clearly the place of a new game.
fn check_new_game_place(
    common: &Common,
    path: &Path,
    (is_path, rulesets): (bool, Vec<String>),
) -> Result<(), Box<Diagnostic>> {
    let games = game_folder::games_folder(common);
    let shown = path.display();
    if !is_path {
        let message = format!("no ruleset or game is named \"{shown}\"");
        let finding = Diagnostic::error("content/unknown-ruleset", message)
            .hint(near_hint(
                &shown.to_string(),
                rulesets.iter().map(String::as_str),
            ))
            .hint(game_folder::near_games_hint(&games, path))
            .hint(there_is_or_are_text(
                &rulesets,
                "no rulesets found; check the folder in --home",
            ));
        return Err(Box::new(finding));
    }
    let mut inside = std::fs::read_dir(path).into_iter().flatten();
    let near = game_folder::near_games_hint(&games, path);
    let is_clear = common.ruleset.is_some() || (near.is_empty() && rulesets.len() == 1);
    if inside.next().is_none() && is_clear {
        return Ok(());
    }
    let ruleset = match rulesets.as_slice() {
        [only] => only,
        _ => "NAME",
    };
    let known = match rulesets.is_empty() {
        true => "none found".to_owned(),
        false => rulesets.join(", "),
    };
    Err(Box::new(game_folder::no_game_refusal(&games, path).hint(format!(
        "to start a new game there, in an empty folder, type `arbiter play {} --ruleset {ruleset}`; rulesets: \
         {known}",
        game_folder::shell_word_of_path(path)
    ))))
}

/// Asks for a ruleset until the answer names one or the person declines.
fn ask_for_ruleset(home: &Home, names: Vec<String>, output: &mut Output) -> Chosen {
    let listed = ruleset_menu(&names, |name| ruleset_description(home, name));
    output.write_stderr_unless_quiet(&listed.join("\n"));
    while let Some(answer) = editor::ask_question("which ruleset? ") {
        let answer = answer.trim();
        if let Some(name) = picked_ruleset(&names, answer) {
            return Chosen::One(name.to_owned());
        }
        let message = format!("unknown ruleset \"{answer}\"");
        let finding = home_lookup::unknown_ruleset_finding(message, answer, &names);
        output
            .write_finding_to_stderr(&finding.hint("type a number or a name from the list above"));
    }
    Chosen::Among(names)
}

/// Returns the description of a ruleset from the sentence at the head of its file.
fn ruleset_description(home: &Home, ruleset: &str) -> Option<String> {
    let files = home.read_ruleset(ruleset).ok()?;
    let scripts = &files.mods.last()?.scripts;
    let file = scripts.iter().find(|file| file.path == "ruleset.luau")?;
    let mut lines = file.source.text().lines();
    let comment = lines.find_map(|line| line.strip_prefix("-- "))?;
    let (_, said) = comment.split_once(": ").unwrap_or(("", comment));
    Some(said.to_owned())
}

/// Returns the lines of a menu of rulesets: number, name, description.
fn ruleset_menu(names: &[String], about: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let lines = names.iter().enumerate().map(|(index, name)| {
        let about = about(name).unwrap_or_default();
        let line = format!("{}  {name:width$}  {about}", index + 1);
        line.trim_end().to_owned()
    });
    lines.collect()
}

/// Returns the ruleset of an answer: its number, its name, or the unique beginning of a name.
fn picked_ruleset<'a>(names: &'a [String], answer: &str) -> Option<&'a str> {
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
pub(crate) fn report_not_started(findings: &[Diagnostic], output: &mut Output) -> Exit {
    for found in findings {
        output.write_finding_to_stderr(found);
    }
    // The other refusals are about the game or its folder, and their hints are enough.
    let in_files = findings.iter().filter(|found| found.place.is_some());
    let line = FoundCodes::of(in_files).help_line(found_codes::ON_COMMAND_LINE);
    output.write_line_to_stderr_unless_quiet(line);
    let is_bug = findings
        .iter()
        .any(|found| Exit::of_refusal(found) == Exit::Bug);
    if is_bug { Exit::Bug } else { Exit::NotLoaded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_says_in_one_line_what_each_ruleset_is() {
        let names = ["mini", "harbour"].map(str::to_owned);
        let about = |name: &str| (name == "mini").then(|| "A toy.".to_owned());
        assert_eq!(
            ruleset_menu(&names, about),
            ["1  mini     A toy.", "2  harbour"]
        );
    }

    #[test]
    fn a_ruleset_is_picked_by_number_name_or_begin() {
        let names = ["mini", "maxi", "max"].map(str::to_owned);
        assert_eq!(picked_ruleset(&names, "2"), Some("maxi"));
        assert_eq!(picked_ruleset(&names, "max"), Some("max"));
        assert_eq!(picked_ruleset(&names, "mi"), Some("mini"));
        for answer in ["", "0", "4", "m", "x"] {
            assert_eq!(picked_ruleset(&names, answer), None, "{answer}");
        }
    }
}
