//! This module plays two short games by itself, for somebody who has just come: dice, a question, why, undo.
//!
//! In: the lines of `repl/demo/`, which travel inside the program; `#` begins what is said of the next line. The games end
//! with the demonstration, and nothing is kept.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::channel;

use host::diag::{Diagnostic, there_is};
use host::game::{Home, Reply};
use host::script::GM;

use crate::answer;
use crate::arguments::Common;
use crate::exit::Exit;
use crate::folder::Folder;
use crate::game_thread::Game;
use crate::output::{self, Output};
use crate::place;
use crate::play;

/// The sessions that are played: a ruleset, and what is typed.
const SESSIONS: [(&str, &str); 2] = [
    ("features", include_str!("../demo/features.txt")),
    ("fortune", include_str!("../demo/fortune.txt")),
];

/// What somebody wants who names neither a verb nor a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// To play: a person sits there, or the command line says what is played.
    Play,
    /// To see something: nobody sits there, and nothing comes in.
    Demo,
    /// To have lines run, but under which rules is not known.
    Lines,
}

/// Returns what the program is started for without a verb.
pub(crate) fn wanted(common: &Common) -> Wanted {
    let is_named = common.ruleset.is_some() || common.game.is_some() || common.read_only;
    let is_clear =
        || place::home(common, &place::here()).is_ok_and(|home| home.rulesets().len() < 2);
    if is_named || output::is_interactive() || is_clear() {
        return Wanted::Play;
    }
    let mut input = io::stdin().lock();
    // Whoever sits there and looks on through a pipe types nothing yet.
    match input.is_terminal() || is_empty(&mut input) {
        true => Wanted::Demo,
        false => Wanted::Lines,
    }
}

/// Returns whether nothing but blanks comes in; what comes is left there.
fn is_empty(input: &mut impl BufRead) -> bool {
    loop {
        match input.fill_buf() {
            // What is closed cannot be read.
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

/// Refuses lines that come in while no ruleset is named.
pub(crate) fn refuse_lines(common: &Common, output: &mut Output) -> Exit {
    let known =
        place::home(common, &place::here()).map_or_else(|_| Vec::new(), |home| home.rulesets());
    let message = "lines come in, and no ruleset is named that they are for";
    let finding = Diagnostic::error("content/which-ruleset", message)
        .hint("write: arbiter run - --ruleset NAME")
        .hint(there_is(&known, "there are no rulesets"))
        .hint("arbiter demo plays two short games by itself");
    output.complain(&finding);
    Exit::Usage
}

/// Plays the sessions one after the other, as far as their rulesets are there.
pub(crate) fn demo(common: &Common, output: &mut Output) -> Exit {
    let home = match place::home(common, &place::here()) {
        Ok(home) => home,
        Err(refusal) => {
            output.complain(&refusal);
            return Exit::Usage;
        }
    };
    let known = home.rulesets();
    let there = SESSIONS
        .iter()
        .filter(|(ruleset, _)| known.iter().any(|one| one == ruleset));
    let mut exit = None;
    for (ruleset, lines) in there {
        exit = Some(session(common, &home, (ruleset, lines), output));
        if exit != Some(Exit::Ok) {
            break;
        }
    }
    let Some(exit) = exit else {
        let names = SESSIONS.map(|(ruleset, _)| ruleset).join(" and ");
        let message = format!(
            "{} has no ruleset that is shown: {names}",
            home.folder.display()
        );
        let finding = Diagnostic::error("content/no-ruleset", message);
        output.complain(&finding.hint(there_is(&known, "there are no rulesets")));
        return Exit::Usage;
    };
    output.own("\narbiter play RULESET plays at a terminal; help lists the commands there.");
    exit
}

fn session(
    common: &Common,
    home: &Home,
    (ruleset, lines): (&str, &str),
    output: &mut Output,
) -> Exit {
    let common = Common {
        seed: Some("demo".to_owned()),
        ..common.clone()
    };
    let place = (ruleset.to_owned(), Folder::Nowhere);
    let start = match place::new(&common, home.clone(), place) {
        Ok(start) => start,
        Err(refusal) => return play::not_started(&[*refusal], output),
    };
    let (news, _) = channel();
    let (mut game, opening) = match Game::start(start, news) {
        Ok(started) => started,
        Err(findings) => return play::not_started(&findings, output),
    };
    output.own(&format!("\n{}: {}", opening.name, opening.summary));
    show(&opening.reply, ruleset, output);
    for line in lines.lines() {
        match line.strip_prefix("# ") {
            Some(said) => output.own(&format!("\n{said}")),
            None => {
                output.own(&format!("{ruleset}> {line}"));
                show(&game.submit(GM, line), ruleset, output);
            }
        }
    }
    let is_dead = game.is_dead();
    game.end();
    if is_dead { Exit::Bug } else { Exit::Ok }
}

fn show(reply: &Reply, ruleset: &str, output: &mut Output) {
    let texts = answer::texts(output, reply, &answer::viewer(GM, reply));
    output.documents(&texts);
    answer::beside(output, reply, ruleset);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blanks_are_nothing_and_what_comes_is_left() {
        for (text, empty) in [("", true), (" \n\t\n", true), ("\n  help\n", false)] {
            let mut input = io::BufReader::with_capacity(2, text.as_bytes());
            assert_eq!(is_empty(&mut input), empty, "{text:?}");
            let mut rest = String::new();
            io::Read::read_to_string(&mut input, &mut rest).unwrap();
            assert_eq!(rest, text.trim_start());
        }
    }
}
