//! The phases that a ruleset declares.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, near_hint};
use crate::value::Text;

/// The phases of a game, in their repeating order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    names: Vec<Text>,
    start: Option<Text>,
    /// The number of the first phase of a name, if it is not 1.
    first: BTreeMap<Text, u64>,
}

impl Phases {
    /// Returns these phases; without `start` a game begins with the first one.
    ///
    /// Errors: a name occurs twice, or `start` is not one of the names.
    pub fn new(names: Vec<Text>, start: Option<Text>) -> Result<Phases, Box<Diagnostic>> {
        let twice = names
            .iter()
            .enumerate()
            .find(|(at, name)| names[..*at].contains(name));
        if let Some((_, name)) = twice {
            let message = format!("the phase \"{name}\" is declared twice");
            return Err(Box::new(Diagnostic::error("clock/phase-twice", message)));
        }
        let phases = Phases {
            names,
            ..Phases::default()
        };
        let start = start
            .map(|start| phases.find_phase(&start, []))
            .transpose()?;
        Ok(Phases { start, ..phases })
    }

    /// Counts the phases of a name from a given number, for example a first day that is day 0.
    ///
    /// Errors: `clock/unknown-phase`.
    pub fn count_phase_from(&mut self, name: &str, number: u64) -> Result<(), Box<Diagnostic>> {
        let name = self.find_phase(name, [])?;
        self.first.insert(name, number);
        Ok(())
    }

    /// Returns the number of the n-th phase of a name, where n is `times`, 1 or more.
    pub(super) fn number_of_phase(&self, name: &str, times: u64) -> u64 {
        let first = self.first.get(name).copied().unwrap_or(1);
        first.saturating_add(times - 1)
    }

    /// Returns the names in order.
    pub fn names(&self) -> &[Text] {
        &self.names
    }

    /// Returns the phase that a game begins with.
    pub fn first_phase(&self) -> Option<&Text> {
        self.start.as_ref().or(self.names.first())
    }

    /// Returns the phase of a name. Errors: there is no such phase; `words` are the other words for suggestions.
    pub fn find_phase<const N: usize>(
        &self,
        name: &str,
        words: [&str; N],
    ) -> Result<Text, Box<Diagnostic>> {
        let found = self.names.iter().find(|known| ***known == *name);
        found.cloned().ok_or_else(|| {
            let known = self.names.iter().map(|name| &**name).chain(words);
            let message = format!("there is no phase \"{name}\"");
            let finding = Diagnostic::error("clock/unknown-phase", message);
            let near = near_hint(name, known);
            Box::new(match near.as_str() {
                "" if self.names.is_empty() => {
                    finding.hint("declare it in ruleset.luau: clock = { phases = { … } }")
                }
                "" => finding.hint(format!("the phases are {}", self.names.join(", "))),
                _ => finding.hint(near),
            })
        })
    }

    /// Returns the phase that follows another; the first phase follows a phase that is no longer declared.
    pub(super) fn phase_after(&self, phase: &str) -> Option<&Text> {
        let at = self.names.iter().position(|known| **known == *phase);
        let next = at.map_or(0, |at| (at + 1) % self.names.len());
        self.names.get(next)
    }
}
