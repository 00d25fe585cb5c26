//! The reader of command lines: a game of the toy ruleset that gets arbitrary lines.

use std::fs;

use host::diag::Diagnostic;
use host::store::What;

use super::{CHECK, Reader, check_fits_screen, read_one_by_one};
use crate::{Game, Scratch, files_below};

/// Number of lines after which a new game begins: a long game would be slow.
const GAME: usize = 500;

/// Lines of commands of the host.
const OF_HOST: [&str; 40] = [
    "help",
    "help dice",
    "show Ann",
    "show",
    "set Ann mood 3",
    "set Ann mood 3 because it is late",
    "undo",
    "redo",
    "log",
    "log 3",
    "why Ann mood",
    "why 2",
    "why not charm Ann with cheer",
    "revert 2",
    "revert 2 yes",
    "replace 2 with charm Ann with cheer",
    "view 1",
    "view now",
    "fork try",
    "fork main",
    "fork drop try",
    "fork",
    "dice next 4",
    "dice next 1, 2, 3",
    "dice",
    "answer yes",
    "questions",
    "for Ann: answer yes",
    "= 1 + 1",
    "= dice.distribution(\"2d6\").mean",
    "odds 3d6",
    "roll 2d6 + 1",
    "dispute 2 why",
    "settle 2 so",
    "next",
    "reveal",
    "note something",
    "add imp as Imp",
    "remove Imp",
    "reload",
];

pub(super) const LINES: Reader = Reader {
    name: "lines",
    seeds: transcript_and_host_lines,
    marks: &[
        "Ann",
        "Bo",
        "mood",
        "yes",
        "with",
        "to",
        "=",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "#",
        "-",
        "2",
        "act",
        "function",
        "return",
        "`",
        "because",
        "for Ann: ",
        "as Ann",
        "anyway",
        "..",
        "/",
        "all",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let mut played: Option<(Game, usize)> = None;
        read_one_by_one(move |input| {
            let (game, lines) = played.get_or_insert_with(|| {
                let home = Scratch::with_listener_collections();
                (Game::of_program(&home, "mini"), 0)
            });
            *lines += 1;
            let done = submit_line_and_check(game, &String::from_utf8_lossy(input));
            if *lines >= GAME {
                played = None;
            }
            done
        })
    },
};

/// Returns the lines of the transcripts of the toy ruleset, and of the host.
fn transcript_and_host_lines() -> Vec<Vec<u8>> {
    let home = Scratch::mini();
    let mut lines: Vec<Vec<u8>> = OF_HOST
        .iter()
        .map(|line| line.as_bytes().to_vec())
        .collect();
    for file in files_below(home.path()) {
        if !file.to_string_lossy().ends_with(".test.txt") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        let typed = text.lines().filter_map(|line| line.strip_prefix("> "));
        lines.extend(typed.map(|line| line.as_bytes().to_vec()));
    }
    lines
}

/// Submits a line. Errors: a refused line changes the game, or its refusal is not valid.
fn submit_line_and_check(game: &mut Game, line: &str) -> Result<(), String> {
    let before = game.hash();
    let from = game.solo.timeline().history().operations().len();
    let by = if line.len().is_multiple_of(3) {
        "Ann"
    } else {
        "gm"
    };
    let reply = game.solo.submit(by, line);
    let after = game.hash();
    let Some(refusal) = reply.refusal else {
        return Ok(());
    };
    if after != before {
        return Err(format!("the state was changed: {refusal:?}"));
    }
    let operations = game.solo.timeline().history().operations();
    let is_ruled = |what: &What| !matches!(what, What::Refused { .. });
    if operations[from.min(operations.len())..]
        .iter()
        .any(|one| is_ruled(&one.what))
    {
        return Err(format!("something holds: {refusal:?}"));
    }
    check_refusal(&refusal, line)
}

fn check_refusal(refusal: &Diagnostic, line: &str) -> Result<(), String> {
    check_fits_screen(refusal)?;
    let Some(place) = refusal
        .place
        .as_ref()
        .filter(|place| place.source.name() == "line")
    else {
        return Ok(());
    };
    match place.source.text().get(place.span.start..place.span.end) {
        Some(_) if line.contains(place.source.text()) => Ok(()),
        Some(_) | None => Err(format!("{:?} is no part of the line", place.span)),
    }
}
