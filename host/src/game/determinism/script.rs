//! Scripts of played games, and the laws that such a script breaks.

use crate::diag::Diagnostic;
use crate::game::session::script_rewrite::Rewrite;
use crate::game::timeline::seed::Seed;
use crate::value::Value;

/// The hint for a line with a different result the second time.
pub(in crate::game) const KEEPS: &str = "a script keeps a value between runs, or reads something outside the game; \
                                         store the value with act:set";

/// A script of a game: the lines from its beginning.
pub struct Script {
    /// Its dice.
    pub seed: Seed,
    /// The settings that the ruleset's function `test` gets, if it is called.
    pub settings: Option<Value>,
    /// The steps, in order.
    pub said: Vec<ScriptStep>,
}

/// A line given in a game, or a change of its rules during the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptStep {
    /// A seat gives a line.
    Line {
        /// The giver.
        by: String,
        /// The text of the line.
        line: String,
    },
    /// A script is saved with other text.
    Rewrite(Rewrite),
}

impl ScriptStep {
    /// Returns the step in which a seat gives a line.
    pub fn line(by: &str, line: &str) -> ScriptStep {
        let (by, line) = (by.to_owned(), line.to_owned());
        ScriptStep::Line { by, line }
    }

    /// Returns the line, or the file.
    pub fn text(&self) -> &str {
        match self {
            ScriptStep::Line { line, .. } => line,
            ScriptStep::Rewrite(rewrite) => &rewrite.file,
        }
    }
}

/// A broken law.
#[derive(Debug)]
pub struct BrokenLaw {
    /// The line at which it breaks, by its index in the script; nothing if all lines are concerned.
    pub at: Option<usize>,
    /// The difference from the required result.
    pub finding: Diagnostic,
}

/// The result of the laws over a script.
#[derive(Debug, Default)]
pub struct LawReport {
    /// The broken laws, each at its first break, except those that are checked after each line.
    pub broken: Vec<BrokenLaw>,
    /// The number of lines that were given in fresh sessions.
    pub resumed: usize,
}

impl Script {
    /// Returns whether the bytes of the state are checked after a line: the last line, or the line that the dice
    /// choose.
    pub(super) fn is_state_checked_at(&self, at: usize) -> bool {
        let [one, two, ..] = self.seed.bytes();
        let chosen = usize::from(u16::from_be_bytes([one, two])) % self.said.len().max(1);
        at == chosen || at + 1 == self.said.len()
    }
}

/// Returns a finding as a law that is broken at a line, by the line's index; nothing without a finding.
pub(in crate::game) fn law_broken_at_line(
    at: usize,
    finding: Option<Diagnostic>,
) -> Option<BrokenLaw> {
    finding.map(|finding| BrokenLaw {
        at: Some(at),
        finding,
    })
}

/// Returns a finding as a law that is broken by the whole script; nothing without a finding.
pub(in crate::game) fn law_broken_by_script(finding: Option<Diagnostic>) -> Option<BrokenLaw> {
    finding.map(|finding| BrokenLaw { at: None, finding })
}
