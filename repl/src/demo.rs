//! Plays two short games by itself, for new users: dice, a question, why, undo.
//!
//! In: the lines of `repl/demo/`, which are part of the program; `#` begins the remark about the next line. The games
//! end with the demonstration and are not saved. Their rulesets are part of the program too, for places where no home
//! has them.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::channel;

use host::diag::{Diagnostic, there_is_or_are_text};
use host::game::{Home, Reply};
use host::script::GM;

use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::game_folder::Folder;
use crate::game_thread::{self, Game, Start};
use crate::home_lookup;
use crate::output::{self, Output};
use crate::play;
use crate::reply_output;

/// Played sessions: a ruleset and the typed lines.
const SESSIONS: [(&str, &str); 2] = [
    ("features", include_str!("../demo/features.txt")),
    ("fortune", include_str!("../demo/fortune.txt")),
];

include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// Purpose of a start of the program without verb and ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// To play: a person uses the terminal, or the command line names the game.
    Play,
    /// To show a demonstration, because there is no person and no input.
    Demo,
    /// To run lines, but their rules are unknown.
    Lines,
}

/// Returns the purpose of a start of the program without a verb.
pub(crate) fn action_without_verb(common: &Common) -> Wanted {
    let is_named = common.ruleset.is_some() || common.game.is_some() || common.read_only;
    let is_clear = || {
        home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
            .is_ok_and(|home| home.rulesets().len() < 2)
    };
    if is_named || output::is_interactive() || is_clear() {
        return Wanted::Play;
    }
    let mut input = io::stdin().lock();
    // A person at the terminal whose output goes through a pipe has not typed anything yet.
    match input.is_terminal() || is_input_empty(&mut input) {
        true => Wanted::Demo,
        false => Wanted::Lines,
    }
}

/// Returns whether the input contains only spaces; other input is not consumed.
fn is_input_empty(input: &mut impl BufRead) -> bool {
    loop {
        match input.fill_buf() {
            // A closed input cannot be read.
            Ok([]) | Err(_) => return true,
            Ok(bytes) => {
                let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
                let (blank, all) = (blank.count(), bytes.len());
                input.consume(blank);
                if blank < all {
                    return false;
                }
            }
        }
    }
}

/// Refuses input lines if no ruleset is named.
pub(crate) fn refuse_lines_without_ruleset(common: &Common, output: &mut Output) -> Exit {
    let known = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
        .map_or_else(|_| Vec::new(), |home| home.rulesets());
    let message = "the input has commands, but no ruleset was named for them";
    let finding = Diagnostic::error("content/which-ruleset", message)
        .hint("type `arbiter run - --ruleset NAME`")
        .hint(there_is_or_are_text(&known, "no rulesets found"))
        .hint("`arbiter demo` shows two short games that play by themselves");
    output.write_finding_to_stderr(&finding);
    Exit::Usage
}

/// Plays the sessions one after the other; with a named home, only those whose rulesets it has.
pub(crate) fn play_demo_sessions(common: &Common, output: &mut Output) -> Exit {
    let starts: Result<Vec<_>, Box<Diagnostic>> = SESSIONS
        .iter()
        .map(|(ruleset, lines)| {
            Ok(demo_session_start(common, ruleset)?.map(|start| (*ruleset, *lines, start)))
        })
        .collect();
    let starts: Vec<_> = match starts {
        Ok(starts) => starts.into_iter().flatten().collect(),
        Err(refusal) => {
            output.write_finding_to_stderr(&refusal);
            return Exit::Usage;
        }
    };
    if starts.is_empty() {
        output.write_finding_to_stderr(&no_demo_ruleset_finding(common));
        return Exit::Usage;
    }
    for (ruleset, lines, start) in starts {
        let is_shipped = matches!(start.game, game_thread::Wanted::Shipped { .. });
        let exit = play_demo_session(start, (ruleset, lines), output);
        if exit != Exit::Ok {
            return exit;
        }
        for notice in source_notices_of_ruleset(ruleset).filter(|_| is_shipped) {
            output.write_stderr_unless_quiet(&format!("\n{}", notice.trim_end()));
        }
    }
    output.write_safe_text(
        "\narbiter play RULESET plays at a terminal; help lists the commands there.",
    );
    Exit::Ok
}

/// Returns the start of a session. Its ruleset comes from the home, else from the program, unless a home is named.
///
/// Errors: the named home cannot be read; there is no source for the seed.
fn demo_session_start(common: &Common, ruleset: &str) -> Result<Option<Start>, Box<Diagnostic>> {
    let common = &Common {
        seed: Some("demo".to_owned()),
        ..common.clone()
    };
    let is_named = common.home.is_some() || !common.mods.is_empty() || common.content.is_some();
    let home = match home_lookup::named_or_nearest_home(common, &home_lookup::current_folder()) {
        Err(refusal) if is_named => return Err(refusal),
        found => found.ok(),
    };
    let has_it = |home: &Home| home.rulesets().iter().any(|one| one == ruleset);
    let is_there = home.as_ref().is_some_and(has_it);
    if !is_there && common.home.is_some() {
        return Ok(None);
    }
    let home = home.unwrap_or_else(|| home_lookup::empty_home(common));
    let mut start =
        home_lookup::new_game_start(common, home, (ruleset.to_owned(), Folder::Nowhere))?;
    if !is_there {
        start.game = game_thread::Wanted::Shipped {
            ruleset: ruleset.to_owned(),
            seed: home_lookup::game_seed(common)?,
            files: &FILES,
        };
    }
    Ok(Some(start))
}

/// Returns the notices about the sources of a ruleset that is part of the program.
fn source_notices_of_ruleset(ruleset: &'static str) -> impl Iterator<Item = &'static str> {
    let own = move |path: &str| path.split('/').nth(1) == Some(ruleset);
    let notices = NOTICES.iter().filter(move |(path, _)| own(path));
    notices.map(|(_, text)| *text)
}

/// Returns the finding that a home has none of the rulesets of the demonstration.
fn no_demo_ruleset_finding(common: &Common) -> Diagnostic {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder());
    let home = home.unwrap_or_else(|_| home_lookup::empty_home(common));
    let names = SESSIONS.map(|(ruleset, _)| ruleset).join(" and ");
    let message = format!(
        "{} has none of the rulesets of the demonstration: {names}",
        home.folder.display()
    );
    Diagnostic::error("content/no-ruleset", message)
        .hint(there_is_or_are_text(&home.rulesets(), "no rulesets found"))
}

fn play_demo_session(start: Start, (ruleset, lines): (&str, &str), output: &mut Output) -> Exit {
    let (news, _) = channel();
    let (mut game, opening) = match Game::start(start, news) {
        Ok(started) => started,
        Err(findings) => return play::report_not_started(&findings, output),
    };
    output.write_safe_text(&format!("\n{}: {}", opening.name, opening.summary));
    show_reply(&opening.reply, ruleset, output);
    for line in lines.lines() {
        match line.strip_prefix("# ") {
            Some(said) => output.write_safe_text(&format!("\n{said}")),
            None => {
                output.write_safe_text(&format!("{ruleset}> {line}"));
                show_reply(&game.submit(GM, line), ruleset, output);
            }
        }
    }
    let is_dead = game.has_thread_ended();
    game.end_game();
    if is_dead { Exit::Bug } else { Exit::Ok }
}

fn show_reply(reply: &Reply, ruleset: &str, output: &mut Output) {
    let texts = reply_output::reply_texts(output, reply, &reply_output::viewer_of_reply(GM, reply));
    output.write_documents(&texts);
    reply_output::write_prints_and_findings(output, reply, ruleset);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blanks_are_nothing_and_what_comes_is_left() {
        for (text, empty) in [("", true), (" \n\t\n", true), ("\n  help\n", false)] {
            let mut input = io::BufReader::with_capacity(2, text.as_bytes());
            assert_eq!(is_input_empty(&mut input), empty, "{text:?}");
            let mut rest = String::new();
            io::Read::read_to_string(&mut input, &mut rest).unwrap();
            assert_eq!(rest, text.trim_start());
        }
    }
}
