//! This module runs commands from a file or pipe, one a line.
//!
//! A line that ends in `\` goes on in the next one. The first refusal stops the script and decides the exit code;
//! with `--keep-going` it only decides the exit code.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::diag::{Diagnostic, Source, Span};
use host::doc::{Format, Viewer};
use host::game::{Home, Reply, Session, Wish};

use crate::answer;
use crate::arguments::{Common, Sync};
use crate::bug::Reports;
use crate::exit::Exit;
use crate::folder::{self, Folder};
use crate::game_thread::{self, Start, Wanted};
use crate::hand_over::{self, Disk, Request};
use crate::lines::{Line, Lines};
use crate::older;
use crate::output::Output;
use crate::place;
use crate::play;
use crate::verify;

/// Bytes of one command, with the lines that continue it.
const LONGEST: usize = 8 << 10;

/// Runs a script of commands in a new game.
pub(crate) fn run(common: &Common, script: &Path, keep_going: bool, output: &mut Output) -> Exit {
    let (start, reader) = match begin(common, script, output) {
        Ok(begun) => begun,
        Err(refusal) => {
            answer::refused(output, &refusal);
            return Exit::Usage;
        }
    };
    if common.sync == Sync::Group && start.is_kept() {
        output.talk("--sync group: commands are made safe in groups, and loss of power loses the last of them");
    }
    let (disk, home) = (start.disk.clone(), start.home.clone());
    let (mut session, opening) =
        match game_thread::open_session(start, Arc::new(AtomicBool::new(false))) {
            Ok(started) => started,
            Err(findings) => return play::not_started(&findings, output),
        };
    session.leave_unattended();
    let ruleset = session.options().ruleset.clone();
    for found in session.findings() {
        output.complain(found);
    }
    let name = if script == Path::new("-") {
        "stdin".to_owned()
    } else {
        script.display().to_string()
    };
    let by = "gm".to_owned();
    let mut runner = Runner {
        session,
        common,
        disk,
        home,
        reports: Reports::of_user(),
        name,
        ruleset,
        by,
        keep_going,
        output,
        exit: Exit::Ok,
    };
    runner.show(&opening);
    runner.lines(reader);
    if let Err(finding) = runner.session.flush() {
        answer::refused(runner.output, &finding);
        runner.note(&finding);
    }
    runner.exit
}

/// Returns what the game begins with and the script. Errors: the command line names something that is not there.
fn begin(
    common: &Common,
    script: &Path,
    output: &mut Output,
) -> Result<(Start, Box<dyn BufRead>), Box<Diagnostic>> {
    let home = place::home_of_game(common)?;
    let start = match common.game.as_deref().map(Folder::at) {
        Some(Folder::Kept(folder)) => place::kept(common, home, older::checked(folder)?),
        Some(Folder::Packed(file)) => {
            let (folder, told) = hand_over::unpacked(&file, None)?;
            output.talk(&told);
            place::kept(common, home, folder)
        }
        place => {
            let place = place.unwrap_or(Folder::Nowhere);
            folder::is_looked_at(common, &place)?;
            let ruleset = place::ruleset(&home, common.ruleset.as_deref())?.one()?;
            place::new(common, home, (ruleset, place))?
        }
    };
    let reader: Box<dyn BufRead> = if script == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let is_folder = script.is_dir();
        let opened = File::open(script).map_err(|error| place::reason(&error));
        match opened {
            Ok(file) if !is_folder => Box::new(BufReader::new(file)),
            Ok(_) => return Err(no_script(script, "it is a folder")),
            Err(why) => return Err(no_script(script, &why)),
        }
    };
    Ok((start, reader))
}

fn no_script(script: &Path, why: &str) -> Box<Diagnostic> {
    let message = format!("the script {} cannot be read: {why}", script.display());
    Box::new(Diagnostic::error("host/no-script", message).hint("- reads what is piped in"))
}

/// A script while it runs.
struct Runner<'a> {
    session: Session,
    common: &'a Common,
    disk: Disk,
    home: Home,
    reports: Reports,
    name: String,
    ruleset: String,
    by: String,
    keep_going: bool,
    output: &'a mut Output,
    exit: Exit,
}

impl Runner<'_> {
    fn lines(&mut self, reader: impl BufRead) {
        let mut lines = Lines::new(reader);
        loop {
            let line = match joined(|| lines.next()) {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(why) => {
                    let refusal = no_script(Path::new(&self.name), &place::reason(&why));
                    answer::refused(self.output, &refusal);
                    return self.note(&refusal);
                }
            };
            if !self.line(line) || self.output.is_closed() {
                return;
            }
        }
    }

    /// Runs one line; false ends the script.
    fn line(&mut self, (number, line): Line) -> bool {
        let reply = match line {
            Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => {
                return true;
            }
            Ok(text) => {
                let reply = self.reports.submit(&mut self.session, &self.by, &text);
                let mut reply = match &reply.wish {
                    Some(Wish::Open(wanted)) => {
                        match self.disk.kept_by_fork(&self.session, wanted) {
                            Some(refusal) => Reply::refused(refusal),
                            None => self.open(wanted),
                        }
                    }
                    _ => self.disk.granted(&mut self.session, reply),
                };
                reply = reply.told_to(&self.by);
                let refusal = reply.refusal.take();
                reply.refusal = refusal.map(|refusal| placed(refusal, &self.name, number, &text));
                reply
            }
            Err(refusal) => Reply::refused(placed(*refusal, &self.name, number, "")),
        };
        self.show(&reply);
        if let Some(refusal) = &reply.refusal {
            self.note(refusal);
            if !self.keep_going {
                self.output.talk(&format!(
                    "stopped at {}:{number}; --keep-going runs the rest",
                    self.name
                ));
                return false;
            }
        }
        match reply.wish {
            Some(Wish::Quit) => return false,
            Some(Wish::As(name)) => self.by = name,
            Some(Wish::Format(name)) => {
                self.output.format = Format::parse(&name).unwrap_or(self.output.format);
            }
            // They are granted where the line is run.
            Some(Wish::Verify { dice }) => {
                let folder = self.session.folder().map(Path::to_owned);
                let exit = folder.map(|folder| verify::verify(&folder, dice, self.output));
                if let (Exit::Ok, Some(exit)) = (self.exit, exit) {
                    self.exit = exit;
                }
            }
            Some(
                Wish::Save(_)
                | Wish::Pack(_)
                | Wish::Open(_)
                | Wish::Export { .. }
                | Wish::Post { .. },
            )
            | None => {}
        }
        true
    }

    /// Leaves the game and goes on with another; on a refusal this one goes on.
    fn open(&mut self, text: &str) -> Reply {
        let opened = Request::read(text).and_then(|wanted| {
            let (start, told) = wanted.start(self.common, &self.home)?;
            if let Some(told) = told {
                self.output.talk(&told);
            }
            if let Wanted::Kept { folder, .. } = &start.game
                && self.session.folder().is_some_and(|own| hand_over::is_same(own, folder))
            {
                let message = format!("{} is the game at hand", folder.display());
                let finding = Diagnostic::error("save/open", message);
                return Err(Box::new(finding.hint(
                    "a script opens it under other rules from the command line: --game FOLDER --rules recorded",
                )));
            }
            self.session.flush()?;
            let opened = game_thread::open_session(start, Arc::new(AtomicBool::new(false)));
            opened.map_err(|findings| {
                for found in findings.iter().skip(1) {
                    self.output.complain(found);
                }
                let first = findings.into_iter().next();
                Box::new(first.expect("invariant: a game that does not open says why"))
            })
        });
        match opened {
            Ok((mut session, reply)) => {
                session.leave_unattended();
                self.ruleset.clone_from(&session.options().ruleset);
                self.by = "gm".to_owned();
                self.session = session;
                reply
            }
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    fn show(&mut self, reply: &Reply) {
        if answer::posted(self.output, reply) {
            return;
        }
        let viewer: Viewer = answer::viewer(&self.by, reply);
        let texts = answer::texts(self.output, reply, &viewer);
        self.output.documents(&texts);
        answer::beside(self.output, reply, &self.ruleset);
    }

    /// The first refusal decides how the program ends.
    fn note(&mut self, refusal: &Diagnostic) {
        if self.exit == Exit::Ok {
            self.exit = Exit::of(refusal);
        }
    }
}

/// Returns the next line with those that continue it: Luau keeps its line ends, a command gets blanks.
fn joined(mut next: impl FnMut() -> io::Result<Option<Line>>) -> io::Result<Option<Line>> {
    let Some((number, line)) = next()? else {
        return Ok(None);
    };
    let Ok(mut text) = line else {
        return Ok(Some((number, line)));
    };
    if text.trim_start().starts_with('#') {
        return Ok(Some((number, Ok(text))));
    }
    let end = if text.trim_start().starts_with('=') {
        '\n'
    } else {
        ' '
    };
    let mut length = text.len();
    while text.ends_with('\\') {
        text.pop();
        match next()? {
            Some((_, Ok(more))) => {
                length += more.len();
                if length <= LONGEST {
                    text.push(end);
                    text.push_str(&more);
                } else if more.ends_with('\\') {
                    text.push('\\');
                }
            }
            Some((number, Err(refusal))) => return Ok(Some((number, Err(refusal)))),
            None => break,
        }
    }
    let line = if length <= LONGEST {
        Ok(text)
    } else {
        Err(too_long(length))
    };
    Ok(Some((number, line)))
}

fn too_long(length: usize) -> Box<Diagnostic> {
    let message = format!(
        "the line and those that continue it have {length} bytes, at most {LONGEST} are read"
    );
    let finding = Diagnostic::error("limit/size", message);
    Box::new(finding.hint("a `\\` at the end continues a line; nothing was done"))
}

/// Points a refusal of a line into the script; one that points into a file of the rules stays there.
fn placed(refusal: Diagnostic, name: &str, number: usize, line: &str) -> Diagnostic {
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
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(usize, Result<String, String>)> {
        let mut lines = Lines::new(text.as_bytes());
        let next = || joined(|| lines.next()).unwrap();
        let all = std::iter::from_fn(next);
        all.map(|(number, line)| (number, line.map_err(|refusal| refusal.code.to_string())))
            .collect()
    }

    #[test]
    fn a_backslash_continues_a_line() {
        let found = all("one \\\n two\n= {\\\n1}\n# not \\\nlast\\");
        let found: Vec<(usize, String)> = found
            .into_iter()
            .map(|(number, line)| (number, line.unwrap()))
            .collect();
        let expected = [
            (1, "one   two"),
            (3, "= {\n1}"),
            (5, "# not \\"),
            (6, "last"),
        ];
        assert_eq!(
            found,
            expected.map(|(number, line)| (number, line.to_owned()))
        );
    }

    #[test]
    fn lines_that_go_on_for_too_long_are_one_refusal_and_the_next_line_is_read() {
        let long = format!("{}\\\n", "a".repeat(1_000));
        for lines in [8, 9, 5_000] {
            let found = all(&format!("{}end\nnext", long.repeat(lines)));
            assert_eq!(found.len(), 2, "{lines}");
            assert_eq!(found[0].1.is_ok(), lines == 8, "{lines}");
            assert_eq!(found[1], (lines + 2, Ok("next".to_owned())));
        }
        let found = all(&format!("{}\\\n\n", "a".repeat(8_192)));
        assert_eq!(found[0].1, Err("limit/size".to_owned()));
    }

    #[test]
    fn a_refusal_points_to_its_line_of_the_script() {
        let refusal = placed(
            Diagnostic::error("mini/no", "no"),
            "a.txt",
            3,
            "  dig here ",
        );
        let place = refusal.place.as_ref().unwrap();
        assert_eq!(place.source.slice(place.span), "dig here");
        let start = place.source.position(place.span.start);
        assert_eq!(
            (place.source.name(), start.line, start.column),
            ("a.txt", 3, 3)
        );
    }

    #[test]
    fn a_place_within_the_line_moves_along_and_one_in_the_rules_stays() {
        let inner = Diagnostic::error("phrase/no-match", "no")
            .at(&Source::new("line", "dig"), Span::new(0, 3));
        let moved = placed(inner, "a.txt", 2, " dig").place.unwrap();
        assert_eq!(moved.source.position(moved.span.start).column, 2);
        let rules = Source::new("scripts/a.luau", "x");
        let kept = placed(
            Diagnostic::error("script/error", "no").at(&rules, Span::new(0, 1)),
            "a.txt",
            2,
            "dig",
        );
        assert_eq!(kept.place.unwrap().source.name(), "scripts/a.luau");
    }
}
