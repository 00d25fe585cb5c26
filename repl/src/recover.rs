//! The verb `recover`: a game with a broken journal, repaired in a copy.

use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::doc::Format;
use host::store::archive::{ArchiveError, Recovered, check_outside_game, recover_copy as mend};
use serde_json::json;

use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::game_folder;
use crate::output::Output;
use crate::reply_output;
use crate::typed_path;

/// Repairs a game in a copy and reports the outcome.
pub(crate) fn recover_and_report(
    common: &Common,
    (game, copy): (&Path, &Path),
    output: &mut Output,
) -> Exit {
    match recover_game(common, (game, copy)) {
        Ok((game, made)) => {
            print_recovery(&made, (&game, copy), output);
            Exit::Ok
        }
        Err((refusal, exit)) => {
            reply_output::write_refusal(output, &refusal);
            exit
        }
    }
}

fn recover_game(
    common: &Common,
    (game, copy): (&Path, &Path),
) -> Result<(PathBuf, Recovered), (Diagnostic, Exit)> {
    let game = game_folder::folder_of_named_game(&game_folder::games_folder(common), game);
    let game = game.map_err(|finding| (*finding, Exit::Usage))?;
    let refused = |error: ArchiveError| {
        let exit = match error {
            ArchiveError::NoGame(_)
            | ArchiveError::FolderUsed(_)
            | ArchiveError::Within(_)
            | ArchiveError::BadName(_) => Exit::Usage,
            _ => Exit::Refused,
        };
        (recovery_refusal(&error, &game), exit)
    };
    typed_path::check_new_path(copy).map_err(|finding| (*finding, Exit::Usage))?;
    // No folder may be made within the game.
    check_outside_game(&game, copy).map_err(refused)?;
    game_folder::make_parent_folders(copy).map_err(|finding| (*finding, Exit::Refused))?;
    let made = mend(&game, copy).map_err(refused)?;
    Ok((game, made))
}

fn recovery_refusal(error: &ArchiveError, game: &Path) -> Diagnostic {
    match error {
        ArchiveError::Broken { line: 1, .. } => {
            let message = format!(
                "the first line of the journal of {} is damaged, and the game cannot be recovered without it",
                game.display()
            );
            Diagnostic::error(error.code(), message)
                .hint("every packed file and every copy of the game contains this line; copy it from there")
        }
        _ => error.to_diagnostic(),
    }
}

fn print_recovery(made: &Recovered, (game, copy): (&Path, &Path), output: &mut Output) {
    if output.format == Format::Json {
        let fault = made
            .fault
            .as_ref()
            .map(|fault| fault.to_diagnostic().to_error_json());
        return output.write_json_line(&json!({
            "copy": copy.display().to_string(), "operations": made.seq, "left_out_bytes": made.rest, "fault": fault,
            "shows_seed": made.shows_seed,
        }));
    }
    for line in recovery_lines(made, (game, copy)) {
        output.write_result(&line);
    }
}

/// Returns lines about the saved part, the omitted part, and the next step.
fn recovery_lines(made: &Recovered, (game, copy): (&Path, &Path)) -> Vec<String> {
    let (game, copy, word) = (
        game.display(),
        copy.display(),
        game_folder::shell_word_of_path(copy),
    );
    let count = match made.seq {
        1 => "1 log line".to_owned(),
        more => format!("{more} log lines"),
    };
    let mut lines = vec![format!("saved {count} in {copy}; {game} was not changed")];
    match (&made.fault, made.rest) {
        (Some(fault), rest) => {
            lines.push(format!("left out everything after the damage: {fault}"));
            lines.push(format!("its {rest} bytes are in {copy}/journal.broken; give the commands in it again"));
        }
        (None, 0) => lines.push("nothing was left out: the journal is complete".to_owned()),
        (None, rest) => lines.push(format!(
            "left out an incomplete last line, which nobody got an answer for; its {rest} bytes are in \
             {copy}/journal.broken"
        )),
    }
    if made.shows_seed {
        lines.push(
            "the left-out part reveals the seed, so anybody may know the next dice of the copy: type `reveal` there, \
             and no die comes from the seed any more"
                .to_owned(),
        );
    }
    lines.push(format!("`arbiter play {word}` continues the game"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recovery_text(fault: Option<ArchiveError>, rest: u64) -> String {
        let made = Recovered {
            seq: 7,
            fault,
            rest,
            shows_seed: rest > 500,
        };
        recovery_lines(&made, (Path::new("old"), Path::new("new"))).join("\n")
    }

    #[test]
    fn it_says_what_was_kept_what_was_not_and_what_to_do() {
        let fault = ArchiveError::Broken {
            line: 9,
            reason: "it is not what was written".to_owned(),
        };
        let text = recovery_text(Some(fault), 120);
        assert_eq!(
            text,
            "saved 7 log lines in new; old was not changed\n\
             left out everything after the damage: line 9 of the journal is broken: it is not what was written\n\
             its 120 bytes are in new/journal.broken; give the commands in it again\n\
             `arbiter play new` continues the game"
        );
        assert!(recovery_text(None, 0).contains("nothing was left out"));
        assert!(recovery_text(None, 5).contains("incomplete last line"));
        assert!(recovery_text(None, 501).contains("type `reveal` there"));
    }
}
