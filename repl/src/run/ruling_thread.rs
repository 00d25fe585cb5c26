//! The thread that rules while a script runs: it reads lines, submits them to the game, and emits results. If each
//! command is safe before its answer, it hands over the command and its answer and continues.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::diag::Diagnostic;
use host::game::{Home, ProgramRequest, Reply, Solo, UnansweredPolicy};
use host::store::archive::Ahead;

use super::{Screen, continued_lines::next_joined_line, no_script_refusal};
use crate::arguments::Common;
use crate::bug_report::Reports;
use crate::game_thread::{self, Start, Wanted};
use crate::line_reader::{Line, Lines};
use crate::save_pack_open::{self, Disk, Request};

/// The script to run, and its options.
pub(super) struct Script {
    pub(super) common: Common,
    pub(super) name: String,
    pub(super) keep_going: bool,
}

/// Receiver of the results of the game.
pub(super) enum Listener<'a, 'b> {
    /// The thread that saves and shows while the next command is ruled: each command is safe before its answer.
    Behind(&'a Ahead<Told>),
    /// The screen itself: if commands are saved in groups or not at all, changing threads costs more than showing.
    Here(&'a mut Screen<'b>),
}

impl Listener<'_, '_> {
    /// Emits a result; returns false if the receiver takes no more.
    fn emit_result(&mut self, told: Told) -> bool {
        match self {
            Listener::Behind(ahead) => ahead.answer(told),
            Listener::Here(screen) => screen.show_result_and_continue(told, Ok(())),
        }
    }

    /// Lets the disk make commands safe while the next ones are ruled, if another thread saves them.
    fn let_disk_write_behind(&self, solo: &mut Solo) {
        let kept = solo.session.disk_mut_at(solo.client.at());
        if let (Listener::Behind(ahead), Some(kept)) = (self, kept) {
            kept.write_behind(ahead);
        }
    }

    /// Waits until the writes of this thread are answered, before it writes more; returns false if the receiver takes
    /// no more.
    fn wait_until_answered(&self, solo: &Solo) -> bool {
        let kept = solo.session.disk_at(solo.client.at());
        let is_written_here = kept.is_some_and(|kept| !kept.is_written_behind());
        match self {
            Listener::Behind(ahead) if is_written_here => ahead.settle(),
            Listener::Behind(_) | Listener::Here(_) => true,
        }
    }
}

/// Results that the game emits for the code that shows them, in order.
pub(super) enum Told {
    /// A message beside the answers.
    Talk(String),
    Complaint(Diagnostic),
    /// Findings about the rules of the game at its start.
    OfRules(Vec<Diagnostic>),
    /// Reasons why no game began.
    NotStarted(Vec<Diagnostic>),
    /// An error that belongs to no line.
    Refusal(Diagnostic),
    Answer(Box<Answer>),
}

/// Outcome of a line of the script, or of the set-up of the game before the first line.
pub(super) struct Answer {
    /// The number of the line, from 1.
    pub(super) number: usize,
    pub(super) line: String,
    pub(super) by: String,
    pub(super) ruleset: String,
    pub(super) reply: Reply,
    /// The folder of the game, for a reply with a request.
    pub(super) folder: Option<PathBuf>,
}

/// Runs lines of a script in a game until they end, or the receiver takes no more results.
pub(super) fn run_script(
    start: Start,
    script: Script,
    reader: Box<dyn BufRead + Send>,
    listener: &mut Listener<'_, '_>,
) {
    let (disk, home) = (start.disk.clone(), start.home.clone());
    let opened = game_thread::open_session(start, Arc::new(AtomicBool::new(false)));
    let (mut solo, opening) = match opened {
        Ok(opened) => opened,
        Err(findings) => {
            listener.emit_result(Told::NotStarted(findings));
            return;
        }
    };
    prepare_game_for_script(&mut solo);
    listener.let_disk_write_behind(&mut solo);
    let mut ruler = Ruler {
        ruleset: solo.session.options().ruleset.clone(),
        solo,
        script,
        disk,
        home,
        reports: Reports::in_user_folder(),
        by: "gm".to_owned(),
        listener,
    };
    if ruler.hand_over_opening(opening) {
        ruler.run_lines(reader);
    }
    if let Err(finding) = ruler.solo.flush() {
        listener.emit_result(Told::Refusal(*finding));
    }
}

struct Ruler<'a, 'b, 'c> {
    solo: Solo,
    script: Script,
    disk: Disk,
    home: Home,
    reports: Reports,
    ruleset: String,
    by: String,
    listener: &'a mut Listener<'b, 'c>,
}

impl Ruler<'_, '_, '_> {
    /// Hands over the reply of the set-up; returns false if the script ends before its first line.
    fn hand_over_opening(&mut self, opening: Reply) -> bool {
        let findings = self.solo.session.generations().live().findings().to_vec();
        self.listener.emit_result(Told::OfRules(findings));
        self.hand_over_answer(0, String::new(), opening)
    }

    fn run_lines(&mut self, reader: impl BufRead) {
        let mut lines = Lines::new(reader);
        loop {
            let line = match next_joined_line(|| lines.next_line()) {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(why) => {
                    let refusal = no_script_refusal(
                        Path::new(&self.script.name),
                        &crate::io_error_words::io_error_words(&why),
                    );
                    self.listener.emit_result(Told::Refusal(*refusal));
                    return;
                }
            };
            if !self.run_line(line) {
                return;
            }
        }
    }

    /// Runs one line; returns false if the script ends.
    fn run_line(&mut self, (number, line): Line) -> bool {
        match line {
            Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => true,
            Ok(text) => {
                let reply = self.reply_to_line(&text);
                self.hand_over_answer(number, text, reply)
            }
            Err(refusal) => self.hand_over_answer(number, String::new(), Reply::refused(*refusal)),
        }
    }

    fn reply_to_line(&mut self, text: &str) -> Reply {
        let reply = self.reports.submit_line(&mut self.solo, &self.by, text);
        let reply = match &reply.program_request {
            None => reply,
            Some(wish) => match self.solo.flush() {
                Err(finding) => Reply::refused(*finding),
                Ok(()) => match wish {
                    ProgramRequest::Open(wanted) => {
                        match self.disk.refuse_game_of_fork(&self.solo, wanted) {
                            Some(refusal) => Reply::refused(refusal),
                            None => self.open_game(wanted),
                        }
                    }
                    _ => self.disk.carry_out_disk_request(&mut self.solo, reply),
                },
            },
        };
        reply.visible_to_giver(&self.by)
    }

    /// Hands over an answer and carries out its request. Returns false if the script ends.
    fn hand_over_answer(&mut self, number: usize, line: String, reply: Reply) -> bool {
        let ends = reply.refusal.is_some() && !self.script.keep_going;
        let wish = reply.program_request.clone();
        let folder = wish.as_ref().and_then(|_| self.solo.folder());
        let answer = Answer {
            number,
            line,
            by: self.by.clone(),
            ruleset: self.ruleset.clone(),
            folder: folder.map(Path::to_owned),
            reply,
        };
        let is_taken = self.listener.emit_result(Told::Answer(Box::new(answer)));
        let is_taken = is_taken && self.listener.wait_until_answered(&self.solo);
        let quits = matches!(wish, Some(ProgramRequest::Quit));
        if let Some(ProgramRequest::As(name)) = wish {
            self.by = name;
        }
        is_taken && !ends && !quits
    }

    /// Leaves the game and continues with another one; after a refusal this one continues.
    fn open_game(&mut self, text: &str) -> Reply {
        match Request::parse(text).and_then(|wanted| self.open_session_of(&wanted)) {
            Ok((mut solo, reply)) => {
                prepare_game_for_script(&mut solo);
                self.listener.let_disk_write_behind(&mut solo);
                self.ruleset.clone_from(&solo.session.options().ruleset);
                self.by = "gm".to_owned();
                self.solo = solo;
                reply
            }
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Errors: there is no such game, it is the present one, or it does not open.
    fn open_session_of(&mut self, wanted: &Request) -> Result<(Solo, Reply), Box<Diagnostic>> {
        let (start, told) = wanted.session_start(&self.script.common, &self.home)?;
        if let Some(told) = told {
            self.listener.emit_result(Told::Talk(told));
        }
        if let Wanted::Kept { folder, .. } = &start.game
            && self
                .solo
                .folder()
                .is_some_and(|own| save_pack_open::is_same_folder(own, folder))
        {
            let message = format!("{} is already the open game", folder.display());
            let finding = Diagnostic::error("save/open", message);
            return Err(Box::new(finding.hint(
                "to run a script under other rules, use --game FOLDER --rules recorded on the command line",
            )));
        }
        let opened = game_thread::open_session(start, Arc::new(AtomicBool::new(false)));
        opened.map_err(|findings| {
            for found in findings.iter().skip(1) {
                self.listener.emit_result(Told::Complaint(found.clone()));
            }
            let first = findings.into_iter().next();
            Box::new(first.expect("invariant: a game that does not open says why"))
        })
    }
}

/// Prepares a game for lines that are written in advance: nobody decides about a broken rule, and players who owe an
/// answer are reported.
fn prepare_game_for_script(solo: &mut Solo) {
    let responders = solo.session.responders_mut();
    responders.attended = false;
    responders.unanswered = UnansweredPolicy::Told;
}
