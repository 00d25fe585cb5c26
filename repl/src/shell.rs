//! The REPL: it reads commands, submits them to the game, and shows the answers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::thread;

use host::diag::Diagnostic;
use host::doc::{Format, gate_single_line};
use host::game::{Home, ProgramRequest, ReloadResult, Reply};
use host::script::{GM, Watch};

use crate::arguments::Common;
use crate::editor::{Editor, Mark, Typed};
use crate::exit_code::Exit;
use crate::findings_summary;
use crate::found_codes::{self, FoundCodes};
use crate::game_folder;
use crate::game_thread::{Game, GameHandle, Opening, Shown, Start};
use crate::history_file;
use crate::home_lookup;
use crate::line_continuation::{self, Gatherer};
use crate::line_reader::Lines;
use crate::output::{self, Output};
use crate::pager;
use crate::post_output;
use crate::reload_news;
use crate::reply_output;
use crate::save_pack_open::Request;
use crate::verify;

/// Areas of the codes of lines and words that nobody can read.
const MISTYPED: [&str; 2] = ["phrase", "help"];

/// State of a session in the terminal.
struct Shell<'a> {
    game: &'a mut Game,
    /// Options for the start of the next game, besides its folder.
    common: &'a Common,
    home: Home,
    ruleset: String,
    by: String,
    output: &'a mut Output,
    /// Lines of the screen, if long answers are shown in pages.
    rows: Option<usize>,
    /// Whether a line below a refusal has said that `help` explains codes; once in a session is enough.
    has_named_help: bool,
}

/// Next action after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    /// A user interrupted the command: commands pasted with it are not run.
    Stop,
    Quit,
}

/// Takes commands until the input ends.
pub(crate) fn run_shell(
    game: &mut Game,
    (common, start): (&Common, &Start),
    opening: &Opening,
    news: Receiver<ReloadResult>,
    output: &mut Output,
) -> Exit {
    print_greeting(opening, output);
    let mut shell = Shell {
        game,
        common,
        home: start.home.clone(),
        ruleset: opening.ruleset.clone(),
        by: "gm".to_owned(),
        output,
        rows: None,
        has_named_help: false,
    };
    shell.show_reply(&opening.reply);
    let editor = if output::is_interactive() {
        shell.line_editor()
    } else {
        None
    };
    let exit = match editor {
        Some(editor) => shell.run_at_terminal(editor, start, news),
        None => shell.run_piped_input(),
    };
    shell.print_farewell();
    exit
}

/// Prints the name of the game, how to get help, and the source of the dice.
fn print_greeting(opening: &Opening, output: &mut Output) {
    output.write_stderr_unless_quiet(&format!("{}: {}", opening.name, opening.summary));
    output.write_stderr_unless_quiet(
        "help lists the commands, WORD? explains a word, Tab completes, quit ends.",
    );
    let kind = if opening.seed.is_test() {
        "test game, dice from a text; seed"
    } else {
        "seed"
    };
    let missing = if opening.seed.is_missing() {
        " (the secret itself is missing)"
    } else {
        ""
    };
    output.write_stderr_unless_quiet(&format!(
        "{kind} commitment: {}{missing}",
        opening.seed.commitment()
    ));
    if !opening.start.is_empty() {
        let lines: Vec<String> = opening.start.iter().map(|one| format!("  {one}")).collect();
        output.write_stderr_unless_quiet(&format!("to begin, type:\n{}", lines.join("\n")));
    }
    match &opening.shown.folder {
        Some(folder) if !opening.shown.read_only => {
            output.write_stderr_unless_quiet(&format!("saved in {}", folder.display()));
        }
        Some(_) => {}
        None => output.write_stderr_unless_quiet("in memory only; `save FOLDER` saves it"),
    }
    findings_summary::report_findings(&opening.findings, output);
    let told = opening.findings.iter().filter(|one| !one.is_note());
    let line = FoundCodes::of(told).help_line(found_codes::IN_GAME);
    output.write_line_to_stderr_unless_quiet(line);
}

impl Shell<'_> {
    /// Returns the line editor; without one, lines are read plainly.
    fn line_editor(&mut self) -> Option<Editor<GameHandle>> {
        match Editor::new(
            self.game.game_handle(),
            self.output.is_colored(),
            history_file::make_history_path(),
        ) {
            Ok(editor) => Some(editor),
            Err(why) => {
                self.output.write_stderr_unless_quiet(&format!(
                    "the line editor does not work in this terminal: {why}"
                ));
                None
            }
        }
    }

    fn run_at_terminal(
        &mut self,
        mut editor: Editor<GameHandle>,
        start: &Start,
        news: Receiver<ReloadResult>,
    ) -> Exit {
        let interrupt = Arc::clone(&self.game.interrupt);
        // Without the handler, Ctrl-C ends the program; this is reported, because the prompt would promise otherwise.
        if let Err(why) = ctrlc::set_handler(move || interrupt.store(true, Ordering::Relaxed)) {
            self.output
                .write_stderr_unless_quiet(&format!("Ctrl-C ends the program here: {why}"));
        }
        print_reload_news(&mut editor, news, self.output.is_colored());
        let _watch = self.watch_rules(start);
        loop {
            let typed = editor.read_commands(&self.prompt_mark());
            // The size of the screen may have changed.
            let size = editor.current_screen_size();
            self.rows = size.map(|(_, rows)| rows);
            if let Some((columns, _)) = size {
                self.output.set_screen_width(columns);
            }
            match typed {
                Typed::Text(text) => {
                    if self.run_commands(&line_continuation::split_into_commands(&text))
                        == Next::Quit
                    {
                        return self.exit_status();
                    }
                }
                Typed::Interrupted => {}
                Typed::TooLong => reply_output::write_refusal(self.output, &too_long_finding()),
                Typed::NoText => reply_output::write_refusal(self.output, &no_text_finding()),
                Typed::End => return self.exit_status(),
                Typed::Broken(why) => {
                    self.output.write_stderr_unless_quiet(&format!(
                        "the input can no longer be read: {why}"
                    ));
                    return Exit::Refused;
                }
            }
        }
    }

    /// Watches the rules for as long as the result lives.
    fn watch_rules(&mut self, start: &Start) -> Option<Watch> {
        let desk = self.game.game_handle();
        let folders = start.home.folders();
        match Watch::start(&folders, move |compiled| desk.reload_compiled(compiled)) {
            Ok((watch, warning)) => {
                if let Some(warning) = warning {
                    self.output.write_finding_to_stderr(&warning);
                }
                Some(watch)
            }
            Err(finding) => {
                self.output.write_finding_to_stderr(&finding);
                None
            }
        }
    }

    /// Returns the prompt: game, phase, seat, whether the rules are stale or broken, number of waiting questions.
    fn prompt_mark(&self) -> Mark {
        let open = self.game.open.load(Ordering::Relaxed);
        let text = prompt_text(&self.ruleset, &self.game.prompt_state(), &self.by, open);
        Mark::new(&text, &self.game.stale)
    }

    fn run_piped_input(&mut self) -> Exit {
        let mut lines = Lines::new(io::stdin().lock());
        let mut gatherer = Gatherer::default();
        loop {
            let command = match lines.next_line() {
                Ok(Some((_, Ok(line)))) => gatherer.take_line(&line),
                Ok(Some((_, Err(refusal)))) => {
                    reply_output::write_refusal(self.output, &refusal);
                    None
                }
                Ok(None) => {
                    self.run_commands(&Vec::from_iter(gatherer.take_waiting_lines()));
                    return self.exit_status();
                }
                Err(why) => {
                    self.output.write_stderr_unless_quiet(&format!(
                        "the input can no longer be read: {}",
                        why.kind()
                    ));
                    return Exit::Refused;
                }
            };
            if self.run_commands(&Vec::from_iter(command)) == Next::Quit || self.output.is_closed()
            {
                return self.exit_status();
            }
        }
    }

    fn exit_status(&self) -> Exit {
        if self.game.has_thread_ended() {
            Exit::Bug
        } else {
            Exit::Ok
        }
    }

    /// Prints how to continue the game that is left.
    fn print_farewell(&mut self) {
        let shown = self.game.prompt_state();
        self.game.end_game();
        self.output.write_stderr_unless_quiet(&match &shown.folder {
            Some(folder) => {
                let flags = home_lookup::flags_to_repeat(self.common);
                format!(
                    "to continue, type `arbiter play {}{flags}`",
                    game_folder::shell_word_of_path(folder)
                )
            }
            None => "the game was not saved".to_owned(),
        });
    }

    /// Leaves the game and continues with another one; after a refusal this one continues.
    fn open_game(&mut self, text: &str) {
        let started =
            Request::parse(text).and_then(|wanted| wanted.session_start(self.common, &self.home));
        let (start, told) = match started {
            Ok(started) => started,
            Err(refusal) => return reply_output::write_refusal(self.output, &refusal),
        };
        if let Some(told) = told {
            self.output.write_stderr_unless_quiet(&told);
        }
        match self.game.replace_game(start) {
            Ok(opening) => {
                self.by = "gm".to_owned();
                self.ruleset.clone_from(&opening.ruleset);
                print_greeting(&opening, self.output);
                self.show_reply(&opening.reply);
            }
            Err(findings) => {
                for found in &findings {
                    reply_output::write_refusal(self.output, found);
                }
                self.output
                    .write_stderr_unless_quiet("the present game continues");
            }
        }
    }

    /// Runs commands one by one; commands of a pasted text are shown before their answers.
    fn run_commands(&mut self, commands: &[String]) -> Next {
        for (index, command) in commands.iter().enumerate() {
            if commands.len() > 1 {
                self.output
                    .write_stderr_unless_quiet(&format!("{}> {command}", self.ruleset));
            }
            match self.run_command(command) {
                Next::GoOn => {}
                Next::Quit => return Next::Quit,
                Next::Stop => {
                    self.print_skipped_commands(&commands[index + 1..]);
                    return Next::Stop;
                }
            }
        }
        Next::GoOn
    }

    /// Prints the commands that were not run.
    fn print_skipped_commands(&mut self, commands: &[String]) {
        if let [first, ..] = commands {
            let count = commands.len();
            let text =
                format!("{count} of the pasted commands were not run, starting with \"{first}\"");
            self.output.write_stderr_unless_quiet(&text);
        }
    }

    /// Runs a command and the commands that are typed between the pages of its answer.
    fn run_command(&mut self, command: &str) -> Next {
        let mut next = Some(command.to_owned());
        while let Some(command) = next {
            let reply = self
                .game
                .submit(&self.by, &command)
                .visible_to_giver(&self.by);
            next = self.show_reply(&reply);
            if reply
                .program_request
                .is_some_and(|wish| self.carry_out_program_request(wish) == Next::Quit)
                || self.game.has_thread_ended()
            {
                return Next::Quit;
            }
            let refusal = reply.refusal.as_ref();
            if refusal.is_some_and(|one| one.code == "limit/interrupted") {
                return Next::Stop;
            }
        }
        Next::GoOn
    }

    /// Carries out the request of a reply to the REPL. Shows a seat its open questions.
    fn carry_out_program_request(&mut self, wish: ProgramRequest) -> Next {
        match wish {
            ProgramRequest::Quit => return Next::Quit,
            ProgramRequest::As(name) => {
                self.output
                    .write_stderr_unless_quiet(&format!("you act as {}", gate_single_line(&name)));
                self.by = name;
                if self.by != GM && self.game.open.load(Ordering::Relaxed) > 0 {
                    return self.run_command("questions");
                }
            }
            ProgramRequest::Format(name) => {
                self.output.format = Format::parse(&name).unwrap_or(self.output.format);
            }
            ProgramRequest::Open(text) => self.open_game(&text),
            // The thread of the game has done this.
            ProgramRequest::Save(_)
            | ProgramRequest::Pack(_)
            | ProgramRequest::Export { .. }
            | ProgramRequest::Picture { .. } => {}
            ProgramRequest::Verify { dice } => {
                if let Some(folder) = self.game.prompt_state().folder {
                    let interrupt = &self.game.interrupt;
                    interrupt.store(false, Ordering::Relaxed);
                    verify::verify_folder(&folder, dice, interrupt, self.output);
                    interrupt.store(false, Ordering::Relaxed);
                }
            }
            // The posts are already shown.
            ProgramRequest::Post(_) => {}
        }
        Next::GoOn
    }

    /// Shows a reply; returns the command that was typed instead of reading on.
    fn show_reply(&mut self, reply: &Reply) -> Option<String> {
        if let Some(posted) = post_output::write_posts(self.output, reply) {
            reply_output::write_prints_and_findings(self.output, reply, &self.ruleset);
            if let Err(refusal) = posted {
                reply_output::write_refusal(self.output, &refusal);
            }
            return None;
        }
        let texts = reply_output::reply_texts(
            self.output,
            reply,
            &reply_output::viewer_of_reply(&self.by, reply),
        );
        let mut typed = None;
        if !texts.is_empty() {
            let text = self.output.join_documents(&texts);
            match self.rows {
                Some(rows) => typed = pager::show_in_pages(self.output, &text, rows),
                None => self.output.write_safe_text(&text),
            }
        }
        reply_output::write_prints_and_findings(self.output, reply, &self.ruleset);
        self.name_help_for_codes(reply);
        typed
    }

    /// Says to a person how to have the codes of a reply explained: below each list of findings, and below the first
    /// refusal of a rule. A line that nobody can read has hints of its own.
    fn name_help_for_codes(&mut self, reply: &Reply) {
        if self.rows.is_none() || self.output.format == Format::Json {
            return;
        }
        let is_new = |refusal: &&Diagnostic| {
            !self.has_named_help && !MISTYPED.contains(&refusal.code_area())
        };
        let refusal = reply.refusal.as_ref().filter(is_new);
        let codes = FoundCodes::of(reply.findings.iter().chain(refusal));
        let line = codes.help_line(found_codes::IN_GAME);
        self.has_named_help |= refusal.is_some() && line.is_some();
        self.output.write_line_to_stderr_unless_quiet(line);
    }
}

/// Returns the finding that a typed or pasted text has more lines than the editor can show.
fn too_long_finding() -> Diagnostic {
    let message = "the typed or pasted text has more lines than the editor can show";
    Diagnostic::error("limit/size", message)
        .hint("nothing was done; save the text as a file and use `arbiter run FILE`")
}

fn no_text_finding() -> Diagnostic {
    let message = "the typed or pasted text is not valid UTF-8";
    Diagnostic::error("phrase/encoding", message)
        .hint("nothing was done; the line is as it was before")
        .hint("set the terminal to UTF-8, or save the file as UTF-8 and paste it again")
}

/// Returns the text of the prompt: `mini night 1 Ann 2?` if it is the first night and two questions wait for Ann.
fn prompt_text(ruleset: &str, shown: &Shown, by: &str, open: usize) -> String {
    let phase = match shown.phase.as_str() {
        "" => String::new(),
        phase => format!(" {}", gate_single_line(phase)),
    };
    let seat = if by == "gm" {
        String::new()
    } else {
        format!(" {}", gate_single_line(by))
    };
    let open = match open {
        0 => String::new(),
        open => format!(" {open}?"),
    };
    let read_only = if shown.read_only { " read-only" } else { "" };
    format!("{ruleset}{phase}{seat}{open}{read_only}")
}

/// Prints news above the line that is being typed, on a thread of its own: printing may wait for the editor.
fn print_reload_news(
    editor: &mut Editor<GameHandle>,
    news: Receiver<ReloadResult>,
    is_colored: bool,
) {
    let Some(mut print) = editor.printer_above_line() else {
        return;
    };
    let told = move || {
        while let Ok(reloaded) = news.recv() {
            if let Some(text) = reload_news::reload_news(&reloaded, is_colored) {
                print(text + "\n");
            }
        }
    };
    // Without the thread reloads are not reported; they happen all the same.
    drop(thread::Builder::new().name("news".to_owned()).spawn(told));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_names_game_phase_and_seat_and_how_many_questions_wait() {
        let prompt = |phase: &str, read_only, by: &str, open| {
            let phase = phase.to_owned();
            let folder = None;
            let shown = Shown {
                phase,
                folder,
                read_only,
            };
            prompt_text("mini", &shown, by, open)
        };
        assert_eq!(prompt("", false, "gm", 0), "mini");
        assert_eq!(prompt("", false, "Ann", 2), "mini Ann 2?");
        assert_eq!(prompt("night 1", false, "Ann", 2), "mini night 1 Ann 2?");
        assert_eq!(prompt("night 1", true, "gm", 0), "mini night 1 read-only");
        assert_eq!(prompt("", false, "A\u{202e}", 0), "mini A\\u{202e}");
    }
}
