//! Verifies a game on disk and reports differences from its record.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use host::diag::Diagnostic;
use host::doc::Format;
use host::game::{DiceCheck, Die, UsedDie, VerificationReport, Verifier};
use serde_json::{Value as Json, json};

use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::counted_noun::counted_noun;
use crate::exit_code::Exit;
use crate::game_folder;
use crate::output::Output;
use crate::reply_output;

/// Findings that are shown; the others are counted.
const SHOWN: usize = 20;
/// Number of operations between two reports of progress.
const STEP: usize = 250;

/// Replays a named game; without a game the program was called with wrong arguments.
pub(crate) fn verify_named_game(
    common: &Common,
    (game, wants_dice): (&Path, bool),
    output: &mut Output,
) -> Exit {
    match game_folder::folder_of_named_game(&game_folder::games_folder(common), game) {
        // On the command line Ctrl-C ends the program, which only reads.
        Ok(folder) => verify_folder(&folder, wants_dice, &AtomicBool::new(false), output),
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            Exit::Usage
        }
    }
}

/// Replays a game; with `wants_dice` every die is computed too. An interrupt by the user ends it.
pub(crate) fn verify_folder(
    folder: &Path,
    wants_dice: bool,
    interrupt: &AtomicBool,
    output: &mut Output,
) -> Exit {
    let mut verifier = match Verifier::open(folder, &COMMANDS) {
        Ok(verifier) => verifier,
        Err(error) => {
            let refusal = error.to_diagnostic_of_game(folder);
            reply_output::write_refusal(output, &refusal);
            return match &*refusal.code {
                "save/broken" => Exit::Differs,
                _ => Exit::Usage,
            };
        }
    };
    let all = verifier.operation_count();
    let mut done = 0;
    while verifier.verify_next_operation() {
        done += 1;
        if interrupt.load(Ordering::Relaxed) {
            output.show_progress("");
            let message = format!("interrupted after {done} of {all} log lines");
            let finding = Diagnostic::error("limit/interrupted", message);
            reply_output::write_refusal(
                output,
                &finding.hint("nothing was changed; the next verify starts from the beginning"),
            );
            return Exit::Limit;
        }
        if done % STEP == 0 {
            output.show_progress(&format!("{done} of {all} log lines"));
        }
    }
    output.show_progress("");
    let dice = wants_dice.then(|| verifier.check_dice());
    let chain = Chain::of_verifier(&verifier);
    let report = verifier.finish();
    let told = dice.iter().flat_map(|dice| &dice.findings);
    let findings: Vec<&Diagnostic> = report.findings.iter().chain(told).collect();
    let tell = match output.format == Format::Json {
        true => print_for_programs,
        false => print_for_people,
    };
    tell(&chain, &report, (dice.as_ref(), &findings), output);
    if findings.is_empty() {
        Exit::Ok
    } else {
        Exit::Differs
    }
}

/// Result for the chain of lines.
struct Chain {
    lines: u64,
    end: String,
    is_torn: bool,
}

impl Chain {
    fn of_verifier(verifier: &Verifier) -> Chain {
        let reading = verifier.read_game();
        Chain {
            lines: reading.lines,
            end: reading.chain.to_string(),
            is_torn: reading.is_torn,
        }
    }
}

fn print_for_people(
    chain: &Chain,
    report: &VerificationReport,
    (dice, findings): (Option<&DiceCheck>, &[&Diagnostic]),
    output: &mut Output,
) {
    for finding in findings.iter().take(SHOWN) {
        output.write_finding(finding);
    }
    if findings.len() > SHOWN {
        output.write_result(&format!("{} more findings", findings.len() - SHOWN));
    }
    if let Some(dice) = dice {
        let lists = [
            ("typed", &dice.typed),
            ("seen", &dice.seen),
            ("of a fork", &dice.forked),
        ];
        for (what, list) in lists {
            for UsedDie { seq, die } in list {
                output.write_result(&format!("{what}: {}", die_description(*seq, die)));
            }
        }
    }
    output.write_result(&format!(
        "log lines: {} are the same, {} were not run, {} differ",
        report.same, report.not_run, report.different
    ));
    output.write_result(&format!(
        "chain: {}, the last ends in {}",
        counted_noun(chain.lines, "line"),
        chain.end
    ));
    if let Some(dice) = dice {
        output.write_result(&format!(
            "faces: {} from the seed, {} typed, {} seen, {} of forks, all together {}",
            dice.right,
            dice.typed.len(),
            dice.seen.len(),
            dice.forked.len(),
            dice.digest
        ));
    }
    if chain.is_torn {
        output.write_stderr_unless_quiet(
            "the last line is incomplete, because a write was interrupted; `arbiter play` moves it to another file",
        );
    }
}

fn print_for_programs(
    chain: &Chain,
    report: &VerificationReport,
    (dice, findings): (Option<&DiceCheck>, &[&Diagnostic]),
    output: &mut Output,
) {
    for finding in findings {
        output.write_json_line(&json!({ "error": finding.to_error_json() }));
    }
    let faces = dice.map(|dice| {
        let one = |UsedDie { seq, die }: &UsedDie| {
            json!({ "op": seq, "address": die.address, "sides": die.sides, "face": die.face })
        };
        let listed = |list: &[UsedDie]| -> Vec<Json> { list.iter().map(one).collect() };
        json!({
            "right": dice.right,
            "typed": listed(&dice.typed),
            "seen": listed(&dice.seen),
            "forked": listed(&dice.forked),
            "digest": dice.digest,
        })
    });
    output.write_json_line(&json!({
        "same": report.same,
        "not_run": report.not_run,
        "different": report.different,
        "lines": chain.lines,
        "chain": chain.end,
        "torn": chain.is_torn,
        "dice": faces,
    }));
}

fn die_description(seq: u64, die: &Die) -> String {
    match die.sides {
        0 => format!("log line {seq}, a random order at {}", die.address),
        sides => format!(
            "log line {seq}, {} of a d{sides} at {}",
            die.face, die.address
        ),
    }
}
