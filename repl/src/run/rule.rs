//! This module is the thread that rules while a script runs: it reads lines, gives them to the game, and hands over what
//! is to be kept and shown.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::diag::Diagnostic;
use host::game::{Home, Reply, Session, Wish};
use host::store::archive::Ahead;

use super::{joined::joined, no_script};
use crate::arguments::Common;
use crate::bug::Reports;
use crate::game_thread::{self, Start, Wanted};
use crate::hand_over::{self, Disk, Request};
use crate::lines::{Line, Lines};
use crate::place;

/// What is run, and how.
pub(super) struct Script {
    pub(super) common: Common,
    pub(super) name: String,
    pub(super) keep_going: bool,
    /// Whether it goes ahead of the disk.
    pub(super) is_ahead: bool,
    /// Whether an earlier part of it was run before.
    pub(super) goes_on: bool,
}

impl Script {
    /// Lets the disk make commands safe while the next ones are ruled, if that is wanted.
    fn write_behind(&self, session: &mut Session, ahead: &Ahead<Told>) {
        if self.is_ahead {
            session.write_behind(ahead);
        }
    }
}

/// What the game tells whoever shows it, in order.
pub(super) enum Told {
    /// Something beside the answers.
    Talk(String),
    Complaint(Diagnostic),
    /// Why no game began.
    NotStarted(Vec<Diagnostic>),
    /// What goes wrong apart from any line.
    Refusal(Diagnostic),
    Answer(Box<Answer>),
}

/// What a line of the script came to, or the set-up of the game before the first.
pub(super) struct Answer {
    /// The number of the line, from 1.
    pub(super) number: usize,
    pub(super) line: String,
    pub(super) by: String,
    pub(super) ruleset: String,
    pub(super) reply: Reply,
    /// Where the game is kept, for a reply that wishes something.
    pub(super) folder: Option<PathBuf>,
}

/// The lines of a script that were not run yet, and those that perhaps were in vain.
pub(super) struct Remaining {
    lines: Lines<Box<dyn BufRead + Send>>,
    /// The last lines that were given to the game, and by whom.
    given: VecDeque<(Line, String)>,
    /// Those that are run again, before the others.
    again: VecDeque<(Line, String)>,
    /// Where the game was kept in the end.
    folder: Option<PathBuf>,
}

/// Lines that may be on their way to whoever shows them.
const GIVEN: usize = 8;

impl Remaining {
    /// Returns all lines of a reader.
    pub(super) fn of(reader: Box<dyn BufRead + Send>) -> Remaining {
        Remaining {
            lines: Lines::new(reader),
            given: VecDeque::new(),
            again: VecDeque::new(),
            folder: None,
        }
    }

    /// Lets everything behind the line of a number run again; returns where the game is kept.
    pub(super) fn behind(&mut self, number: usize) -> Option<PathBuf> {
        self.again = mem::take(&mut self.given);
        self.again.retain(|((given, _), _)| *given > number);
        self.folder.take()
    }

    /// Returns the next line, and by whom it is given if that is known. Errors: the reader fails.
    fn next(&mut self) -> io::Result<Option<(Line, Option<String>)>> {
        match self.again.pop_front() {
            Some((line, by)) => Ok(Some((line, Some(by)))),
            None => Ok(joined(|| self.lines.next())?.map(|line| (line, None))),
        }
    }

    /// Notes that a line is given to the game.
    fn note(&mut self, line: &Line, by: &str) {
        self.given.push_back((line.clone(), by.to_owned()));
        if self.given.len() > GIVEN {
            self.given.pop_front();
        }
    }
}

/// Runs lines of a script in a game until they end, or nobody takes what it tells; returns what is left of them.
pub(super) fn run(
    start: Start,
    script: Script,
    remaining: Remaining,
    ahead: &Ahead<Told>,
) -> Remaining {
    let (disk, home) = (start.disk.clone(), start.home.clone());
    let opened = game_thread::open_session(start, Arc::new(AtomicBool::new(false)));
    let (mut session, opening) = match opened {
        Ok(opened) => opened,
        Err(findings) => {
            ahead.answer(Told::NotStarted(findings));
            return remaining;
        }
    };
    session.leave_unattended();
    script.write_behind(&mut session, ahead);
    let mut ruler = Ruler {
        ruleset: session.options().ruleset.clone(),
        session,
        script,
        disk,
        home,
        reports: Reports::of_user(),
        by: "gm".to_owned(),
        remaining,
        ahead,
    };
    if !ruler.script.goes_on {
        ruler.begin(opening);
    }
    ruler.lines();
    if let Err(finding) = ruler.session.flush() {
        ahead.answer(Told::Refusal(*finding));
    }
    ruler.remaining.folder = ruler.session.folder().map(Path::to_owned);
    ruler.remaining
}

struct Ruler<'a> {
    session: Session,
    script: Script,
    disk: Disk,
    home: Home,
    reports: Reports,
    ruleset: String,
    by: String,
    remaining: Remaining,
    ahead: &'a Ahead<Told>,
}

impl Ruler<'_> {
    fn begin(&mut self, opening: Reply) {
        for found in self.session.findings() {
            self.ahead.answer(Told::Complaint(found.clone()));
        }
        self.answer(0, String::new(), opening);
    }

    fn lines(&mut self) {
        loop {
            let line = match self.remaining.next() {
                Ok(Some((line, by))) => {
                    self.by = by.unwrap_or_else(|| mem::take(&mut self.by));
                    line
                }
                Ok(None) => return,
                Err(why) => {
                    let refusal = no_script(Path::new(&self.script.name), &place::reason(&why));
                    self.ahead.answer(Told::Refusal(*refusal));
                    return;
                }
            };
            self.remaining.note(&line, &self.by);
            if !self.line(line) {
                return;
            }
        }
    }

    /// Runs one line; false ends the script.
    fn line(&mut self, (number, line): Line) -> bool {
        match line {
            Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => true,
            Ok(text) => {
                let reply = self.reply(&text);
                self.answer(number, text, reply)
            }
            Err(refusal) => self.answer(number, String::new(), Reply::refused(*refusal)),
        }
    }

    fn reply(&mut self, text: &str) -> Reply {
        let reply = self.reports.submit(&mut self.session, &self.by, text);
        let reply = match &reply.wish {
            None => reply,
            Some(wish) => match self.session.flush() {
                Err(finding) => Reply::refused(*finding),
                Ok(()) => match wish {
                    Wish::Open(wanted) => match self.disk.kept_by_fork(&self.session, wanted) {
                        Some(refusal) => Reply::refused(refusal),
                        None => self.open(wanted),
                    },
                    _ => self.disk.granted(&mut self.session, reply),
                },
            },
        };
        reply.told_to(&self.by)
    }

    /// Hands an answer over and does what it wishes of whoever types; false ends the script.
    fn answer(&mut self, number: usize, line: String, reply: Reply) -> bool {
        let ends = reply.refusal.is_some() && !self.script.keep_going;
        let wish = reply.wish.clone();
        let folder = wish.as_ref().and_then(|_| self.session.folder());
        let answer = Answer {
            number,
            line,
            by: self.by.clone(),
            ruleset: self.ruleset.clone(),
            folder: folder.map(Path::to_owned),
            reply,
        };
        let is_taken = self.ahead.answer(Told::Answer(Box::new(answer)));
        let quits = matches!(wish, Some(Wish::Quit));
        if let Some(Wish::As(name)) = wish {
            self.by = name;
        }
        is_taken && !ends && !quits
    }

    /// Leaves the game and goes on with another; on a refusal this one goes on.
    fn open(&mut self, text: &str) -> Reply {
        match Request::read(text).and_then(|wanted| self.opened(&wanted)) {
            Ok((mut session, reply)) => {
                session.leave_unattended();
                self.script.write_behind(&mut session, self.ahead);
                self.ruleset.clone_from(&session.options().ruleset);
                self.by = "gm".to_owned();
                self.session = session;
                reply
            }
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Errors: there is no such game, it is the one at hand, or it does not open.
    fn opened(&self, wanted: &Request) -> Result<(Session, Reply), Box<Diagnostic>> {
        let (start, told) = wanted.start(&self.script.common, &self.home)?;
        if let Some(told) = told {
            self.ahead.answer(Told::Talk(told));
        }
        if let Wanted::Kept { folder, .. } = &start.game
            && self
                .session
                .folder()
                .is_some_and(|own| hand_over::is_same(own, folder))
        {
            let message = format!("{} is the game at hand", folder.display());
            let finding = Diagnostic::error("save/open", message);
            return Err(Box::new(finding.hint(
                "a script opens it under other rules from the command line: --game FOLDER --rules recorded",
            )));
        }
        let opened = game_thread::open_session(start, Arc::new(AtomicBool::new(false)));
        opened.map_err(|findings| {
            for found in findings.iter().skip(1) {
                self.ahead.answer(Told::Complaint(found.clone()));
            }
            let first = findings.into_iter().next();
            Box::new(first.expect("invariant: a game that does not open says why"))
        })
    }
}
