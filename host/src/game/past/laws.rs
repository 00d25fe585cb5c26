//! This module is the laws of every game, whatever its rules are, held over what was said in one.
//!
//! In: a session, and the lines of a game from its beginning. Out: each law that does not hold, with the line where it
//! breaks. The laws: undoing everything and doing it again leads there and back · the canonical bytes of each state are
//! that state again · a reload between any two lines changes nothing · each line does the same when it is given a second
//! time · where somebody is asked, a fresh session that knows only the bytes of the state goes on in the same way.

use crate::diag::Diagnostic;
use crate::game::rules::rewrite::Rewrite;
use crate::game::ruling::seed::Seed;
use crate::game::session::Session;
use crate::value::Value;

mod back;
mod bytes;
mod fresh;
mod reload;
mod telling;
mod twice;

pub use back::{back, there, there_and_back};
pub use bytes::saved_and_loaded;
pub(in crate::game) use telling::{CAUSES, differing, in_words};
use telling::{Telling, begin, tell};

/// What somebody can do about a line that does not do the same again.
const KEEPS: &str = "a script keeps something between runs, or looks at what is no part of the game: put it into the game with act:set";

/// What was said in a game, from its beginning.
pub struct Script {
    /// Its dice.
    pub seed: Seed,
    /// What the ruleset's function `test` gets, if it is called.
    pub settings: Option<Value>,
    /// What was said, in order.
    pub said: Vec<Said>,
}

/// What is said in a game, or done to its rules meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A seat gives a line.
    Line {
        /// Who gives it.
        by: String,
        /// What they give.
        line: String,
    },
    /// A script is saved with other words.
    Rewrite(Rewrite),
}

impl Said {
    /// Returns that a seat gives a line.
    pub fn line(by: &str, line: &str) -> Said {
        let (by, line) = (by.to_owned(), line.to_owned());
        Said::Line { by, line }
    }

    /// Returns the line, or the file.
    pub fn text(&self) -> &str {
        match self {
            Said::Line { line, .. } => line,
            Said::Rewrite(rewrite) => &rewrite.file,
        }
    }
}

/// A law that does not hold.
#[derive(Debug)]
pub struct Broken {
    /// The line at which it shows, by its place in the script; nothing if it is about all of them.
    pub at: Option<usize>,
    /// What is not as it must be.
    pub finding: Diagnostic,
}

/// What became of the laws over a script.
#[derive(Debug, Default)]
pub struct Held {
    /// Those that do not hold, each where it breaks first, but for those that are held after each line.
    pub broken: Vec<Broken>,
    /// How many lines were given in fresh sessions.
    pub resumed: usize,
}

/// Plays a script and holds the laws over it; what was played in the session before is gone.
pub fn hold_laws(session: &mut Session, script: &Script) -> Held {
    let mut held = Held::default();
    if let Err(finding) = begin(session, script) {
        held.broken.extend(all(Some(finding)));
        return held;
    }
    let mut told = Vec::with_capacity(script.said.len());
    for (at, said) in script.said.iter().enumerate() {
        let waits = fresh::Waits::of(session);
        let now = match tell(session, said) {
            Ok(now) => now,
            Err(finding) => {
                held.broken.extend(found(at, Some(finding)));
                return held;
            }
        };
        // A correction goes on with the past, which the bytes of a state do not tell.
        if let Some(waits) = waits.filter(|_| now.is_ruled() && !now.corrects_later()) {
            held.resumed += 1;
            let broken = waits.broken(session, said, &now);
            held.broken.extend(found(at, broken));
        }
        let bytes = session.state.to_bytes();
        let broken = saved_and_loaded(&session.state, &bytes);
        held.broken.extend(found(at, broken));
        told.push(now);
    }
    let first = session.history.operations().first().map(|one| one.state);
    let lost = first.and_then(|first| there_and_back(session, first));
    held.broken.extend(all(lost));
    held.broken.extend(reload::broken(session, script, &told));
    held.broken.extend(twice::broken(session, script, &told));
    held
}

fn found(at: usize, finding: Option<Diagnostic>) -> Option<Broken> {
    finding.map(|finding| Broken {
        at: Some(at),
        finding,
    })
}

fn all(finding: Option<Diagnostic>) -> Option<Broken> {
    finding.map(|finding| Broken { at: None, finding })
}
