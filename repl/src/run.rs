//! Runs commands from a file or pipe, one a line.
//!
//! A line that ends in `\` continues in the next one. The first refusal stops the script and decides the exit code;
//! with `--keep-going` it only decides the exit code. If a game begins in a folder and each command is safe before its
//! answer, two threads work. One thread rules and goes ahead by a command or two; here commands are saved, and shown
//! after that. Otherwise one thread does everything.

mod continued_lines;
mod ruling_thread;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use host::diag::{Diagnostic, Source, Span};
use host::doc::Format;
use host::game::{Home, ProgramRequest, Reply};
use host::store::archive::{ArchiveError, Behind, write_behind_channel};

use crate::arguments::{Common, Sync};
use crate::exit_code::Exit;
use crate::findings_summary;
use crate::format_upgrade;
use crate::game_folder::{self, Folder};
use crate::game_thread::{STACK, Start, no_thread_finding};
use crate::home_lookup;
use crate::output::Output;
use crate::play;
use crate::post_output;
use crate::reply_output;
use crate::save_pack_open;
use crate::verify;
use continued_lines::LONGEST;
use ruling_thread::{Answer, Listener, Script, Told};

/// Runs a script of commands in a new game.
pub(crate) fn run_script_file(
    common: &Common,
    script: &Path,
    keep_going: bool,
    output: &mut Output,
) -> Exit {
    let (start, reader) = match script_start(common, script, output) {
        Ok(begun) => begun,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            return Exit::Usage;
        }
    };
    if common.sync == Sync::Group && start.is_saved_and_writable() {
        output.write_stderr_unless_quiet(
            "--sync group: commands are saved in groups, so a power failure can lose the last ones",
        );
    }
    let name = if script == Path::new("-") {
        "stdin".to_owned()
    } else {
        script.display().to_string()
    };
    let is_ahead = common.sync == Sync::Each && start.is_saved_and_writable();
    let script = Script {
        common: common.clone(),
        name: name.clone(),
        keep_going,
    };
    let mut screen = Screen {
        name,
        keep_going,
        output,
        exit: Exit::Ok,
    };
    match is_ahead {
        true => screen.run_ahead_of_disk(start, reader, script),
        false => screen.run_script_on_this_thread(start, reader, script),
    }
    screen.exit
}

/// Returns the start of the game and the script. Errors: the command line names something that does not exist.
fn script_start(
    common: &Common,
    script: &Path,
    output: &mut Output,
) -> Result<(Start, Box<dyn BufRead + Send>), Box<Diagnostic>> {
    let home = home_lookup::home_for_game(common, None)?;
    let advice = ruleset_instead_of_script_hint(&home, script);
    let start = match common.game.as_deref().map(Folder::at_path) {
        Some(Folder::Kept(folder)) => home_lookup::saved_game_start(
            common,
            home,
            format_upgrade::refuse_older_format(folder)?,
        ),
        Some(Folder::Packed(file)) => {
            let (folder, told) = save_pack_open::unpack_to_folder(&file, None)?;
            output.write_stderr_unless_quiet(&told);
            home_lookup::saved_game_start(common, home, folder)
        }
        place => {
            let place = place.unwrap_or(Folder::Nowhere);
            game_folder::refuse_new_game_read_only(common, &place)?;
            let ruleset = home_lookup::ruleset_choice(&home, common.ruleset.as_deref())
                .and_then(home_lookup::Chosen::only_ruleset)
                .map_err(|refusal| Box::new(refusal.hint(&advice)))?;
            home_lookup::new_game_start(common, home, (ruleset, place))?
        }
    };
    let reader: Box<dyn BufRead + Send> = if script == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let is_folder = script.is_dir();
        let opened =
            File::open(script).map_err(|error| crate::io_error_words::io_error_words(&error));
        match opened {
            Ok(file) if !is_folder => Box::new(BufReader::new(file)),
            Ok(_) => return Err(no_script_refusal(script, "it is a folder")),
            Err(why) => return Err(Box::new(no_script_refusal(script, &why).hint(advice))),
        }
    };
    Ok((start, reader))
}

/// Returns a hint if the script does not exist, and has the name of a ruleset; else an empty text.
fn ruleset_instead_of_script_hint(home: &Home, script: &Path) -> String {
    let name = script.to_str().filter(|_| !script.exists());
    match name.filter(|name| home.rulesets().iter().any(|one| one == name)) {
        Some(name) => format!(
            "to play the ruleset {name}, write `arbiter play {name}`; a script comes with `--ruleset {name} FILE`"
        ),
        None => String::new(),
    }
}

fn no_script_refusal(script: &Path, why: &str) -> Box<Diagnostic> {
    let message = format!("the script {} cannot be read: {why}", script.display());
    Box::new(Diagnostic::error("host/no-script", message).hint("- reads the standard input"))
}

/// Output of a script while it runs.
struct Screen<'a> {
    name: String,
    keep_going: bool,
    output: &'a mut Output,
    exit: Exit,
}

impl Screen<'_> {
    /// Runs a script in a game on a thread of its own, which goes ahead of the disk; saves and shows its results.
    fn run_ahead_of_disk(&mut self, start: Start, reader: Box<dyn BufRead + Send>, script: Script) {
        let (ahead, mut behind) = write_behind_channel();
        let rules =
            move || ruling_thread::run_script(start, script, reader, &mut Listener::Behind(&ahead));
        let thread = thread::Builder::new().name("game".to_owned());
        let game = match thread.stack_size(STACK).spawn(rules) {
            Ok(game) => game,
            Err(error) => {
                reply_output::write_refusal(self.output, &no_thread_finding(&error.to_string()));
                self.exit = Exit::Bug;
                return;
            }
        };
        if self.show_all_results(&mut behind) && game.join().is_err() {
            self.exit = Exit::Bug;
        }
    }

    /// Runs a script in a game that shows its results by itself.
    fn run_script_on_this_thread(
        &mut self,
        start: Start,
        reader: Box<dyn BufRead + Send>,
        script: Script,
    ) {
        ruling_thread::run_script(start, script, reader, &mut Listener::Here(self));
    }

    /// Shows all results of the game until its end, including its last sync. Returns false if the output is closed or
    /// the disk refused a ruling. The game then ends when it has read its line, and the caller does not wait for that.
    fn show_all_results(&mut self, behind: &mut Behind<Told>) -> bool {
        while let Some((told, kept)) = behind.next_answer() {
            if !self.show_result_and_continue(told, kept) {
                return false;
            }
        }
        true
    }

    /// Shows a result and returns whether the output can take the next one.
    fn show_result_and_continue(&mut self, told: Told, kept: Result<(), ArchiveError>) -> bool {
        self.show_result(told, kept) && !self.output.is_closed()
    }

    /// Shows a result; returns false if the disk refused the ruling.
    fn show_result(&mut self, told: Told, kept: Result<(), ArchiveError>) -> bool {
        match told {
            Told::Talk(text) => self.output.write_stderr_unless_quiet(&text),
            Told::Complaint(finding) => self.output.write_finding_to_stderr(&finding),
            Told::OfRules(findings) => findings_summary::report_findings(&findings, self.output),
            Told::NotStarted(findings) => {
                self.exit = play::report_not_started(&findings, self.output);
            }
            Told::Refusal(refusal) => {
                let refusal = kept.map_or_else(|error| error.to_diagnostic(), |()| refusal);
                reply_output::write_refusal(self.output, &refusal);
                self.note_first_refusal(&refusal);
            }
            Told::Answer(answer) => match kept {
                Ok(()) => self.show_and_carry_out_answer(*answer),
                Err(error) => {
                    self.show_disk_refusal(*answer, &error);
                    return false;
                }
            },
        }
        true
    }

    /// Reports that the disk refused a line. Later rulings are not saved either, so the script ends.
    fn show_disk_refusal(&mut self, mut answer: Answer, error: &ArchiveError) {
        answer.reply = Reply::refused(error.to_diagnostic());
        let number = answer.number;
        self.show_and_carry_out_answer(answer);
        if self.keep_going {
            let name = &self.name;
            self.output.write_stderr_unless_quiet(&format!(
                "stopped at {name}:{number}: all answered commands are saved, and the lines after it were not run"
            ));
        }
    }

    /// Shows the answer of a line or the reply of the set-up, and carries out its request to the screen.
    fn show_and_carry_out_answer(&mut self, answer: Answer) {
        let answer = self.show_answer(answer);
        if answer.reply.refusal.is_some() && !self.keep_going {
            let (name, number) = (&self.name, answer.number);
            let text = format!("stopped at {name}:{number}; --keep-going runs the rest");
            self.output.write_stderr_unless_quiet(&text);
            return;
        }
        match answer.reply.program_request {
            Some(ProgramRequest::Format(name)) => {
                self.output.format = Format::parse(&name).unwrap_or(self.output.format);
            }
            Some(ProgramRequest::Verify { dice }) => {
                let exit = answer.folder.map(|folder| {
                    verify::verify_folder(&folder, dice, &AtomicBool::new(false), self.output)
                });
                if let (Exit::Ok, Some(exit)) = (self.exit, exit) {
                    self.exit = exit;
                }
            }
            // These requests are handled by the code that runs the line.
            Some(
                ProgramRequest::Quit
                | ProgramRequest::As(_)
                | ProgramRequest::Save(_)
                | ProgramRequest::Pack(_)
                | ProgramRequest::Open(_)
                | ProgramRequest::Export { .. }
                | ProgramRequest::Picture { .. }
                | ProgramRequest::Post(_),
            )
            | None => {}
        }
    }

    /// Shows an answer; a refusal points into the script and is noted.
    fn show_answer(&mut self, mut answer: Answer) -> Answer {
        if let Some(refusal) = answer.reply.refusal.take() {
            let refusal = refusal_in_script(refusal, &self.name, answer.number, &answer.line);
            self.note_first_refusal(&refusal);
            answer.reply.refusal = Some(refusal);
        }
        let (by, reply) = (&answer.by, &answer.reply);
        if let Some(posted) = post_output::write_posts(self.output, reply) {
            reply_output::write_prints_and_findings(self.output, reply, &answer.ruleset);
            if let Err(refusal) = posted {
                self.note_first_refusal(&refusal);
                reply_output::write_refusal(self.output, &refusal);
            }
        } else {
            let texts = reply_output::reply_texts(
                self.output,
                reply,
                &reply_output::viewer_of_reply(by, reply),
            );
            self.output.write_documents(&texts);
            reply_output::write_prints_and_findings(self.output, reply, &answer.ruleset);
        }
        answer
    }

    /// Notes the first refusal: it decides the exit code.
    fn note_first_refusal(&mut self, refusal: &Diagnostic) {
        if self.exit == Exit::Ok {
            self.exit = Exit::of_refusal(refusal);
        }
    }
}

/// Points a refusal of a line into the script; a refusal that points into a file of the rules is not changed.
fn refusal_in_script(refusal: Diagnostic, name: &str, number: usize, line: &str) -> Diagnostic {
    let line = &line[..line.floor_char_boundary(LONGEST)];
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let span = match &refusal.place {
        Some(place) if place.source.name() == "line" => place.span.shifted(indent),
        Some(_) => return refusal,
        None => Span::new(indent, indent + trimmed.trim_end().len()),
    };
    let before = number.saturating_sub(1);
    let source = Source::new(name, "\n".repeat(before) + line);
    refusal.at(&source, span.shifted(before))
}

#[cfg(test)]
mod tests;
