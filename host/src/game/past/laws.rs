//! This module is the laws of every game, whatever its rules are, held over what was said in one.
//!
//! In: a game, and the lines of a game from its beginning. Out: each law that does not hold, with the line where it
//! breaks. The laws: undoing everything and doing it again leads there and back · the canonical bytes of each state are
//! that state again · a reload between any two lines changes nothing · each line does the same when it is given a second
//! time · where somebody is asked, a fresh session that knows only the bytes of the state goes on in the same way. At full
//! length they need a fresh machine for each line; the same laws with three machines that live long are for many scripts.

use crate::diag::Diagnostic;
use crate::game::rules::rewrite::Rewrite;
use crate::game::ruling::seed::Seed;
use crate::game::session::Solo;
use crate::value::Value;

mod back;
mod bytes;
mod fresh;
mod machines;
mod parted;
mod reload;
mod telling;
#[cfg(test)]
mod tests;
mod twice;

pub use back::{back, there, there_and_back};
pub use bytes::saved_and_loaded;
pub use machines::Machines;
use telling::{Begin, Telling, begin, tell};
pub(in crate::game) use telling::{CAUSES, differing, in_words};

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

/// Plays a script and holds the laws over it at full length: with a fresh machine before each line, the bytes of each
/// state, and a fresh session for each answer. What was played in the session before is gone.
pub fn hold_laws(game: &mut Solo, script: &Script) -> Held {
    hold(game, script, None)
}

/// Plays a script and holds the laws over it with machines that live long: each pair of lines meets different ones, and
/// the bytes are those of the last state and of one that the dice of the script choose.
///
/// That everything can be undone and done again is held by whoever plays the script before.
pub fn hold_laws_with(machines: &mut Machines, game: &mut Solo, script: &Script) -> Held {
    hold(game, script, Some(machines))
}

fn hold(game: &mut Solo, script: &Script, mut machines: Option<&mut Machines>) -> Held {
    let mut held = Held::default();
    let begins = match machines {
        Some(_) => Begin::Same,
        None => Begin::Fresh,
    };
    let told = match first(game, (script, begins), &mut machines, &mut held) {
        Ok(told) => told,
        Err(broken) => {
            held.broken.extend(broken);
            return held;
        }
    };
    let reload = match machines {
        Some(machines) => parted::broken(game, (script, &told), machines),
        None => {
            let first = game
                .timeline()
                .history
                .operations()
                .first()
                .map(|one| one.state);
            let lost = first.and_then(|first| there_and_back(game, first));
            held.broken.extend(all(lost));
            reload::broken(game, script, &told)
        }
    };
    held.broken.extend(reload);
    let twice = twice::broken(game, (script, begins), &told);
    held.broken.extend(twice);
    held
}

/// Plays a script for the first time and returns what became of each line. Errors: a line that cannot be played at all.
fn first(
    game: &mut Solo,
    (script, begins): (&Script, Begin),
    machines: &mut Option<&mut Machines>,
    held: &mut Held,
) -> Result<Vec<Telling>, Option<Broken>> {
    begin(game, script, begins).map_err(|finding| all(Some(finding)))?;
    let mut told = Vec::with_capacity(script.said.len());
    for (at, said) in script.said.iter().enumerate() {
        let waits = fresh::Waits::of(game);
        let now = tell(game, said).map_err(|finding| found(at, Some(finding)))?;
        // A correction goes on with the past, which the bytes of a state do not tell.
        if let Some(waits) = waits.filter(|_| now.is_ruled() && !now.corrects_later()) {
            held.resumed += 1;
            let broken = waits.broken((game, machines.as_deref_mut()), said, &now);
            held.broken.extend(found(at, broken));
        }
        if machines.is_none() || script.shows_bytes(at) {
            let bytes = game.timeline().state.to_bytes();
            held.broken
                .extend(found(at, saved_and_loaded(&game.timeline().state, &bytes)));
        }
        told.push(now);
    }
    Ok(told)
}

impl Script {
    /// Returns whether a line is the last one, or the one that the dice choose.
    fn shows_bytes(&self, at: usize) -> bool {
        let [one, two, ..] = self.seed.bytes();
        let chosen = usize::from(u16::from_be_bytes([one, two])) % self.said.len().max(1);
        at == chosen || at + 1 == self.said.len()
    }
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
