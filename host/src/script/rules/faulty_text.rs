//! A text with errors: not a part of the rules, but known to callers that ask for it.

use std::sync::Arc;

use mlua::Table;

use crate::content::Definition;
use crate::diag::Diagnostic;

/// A text with errors.
#[derive(Clone, Debug)]
pub(crate) struct FaultyText {
    /// Its known part as plain data: its head.
    pub(crate) definition: Arc<Definition>,
    /// The table that was read of it.
    pub(crate) table: Table,
    /// The findings in it, in order of place. They are complete when all rules were read.
    pub(crate) findings: Vec<Diagnostic>,
}

impl FaultyText {
    /// Returns a text without any findings yet.
    pub(crate) fn new((definition, table): (Arc<Definition>, Table)) -> FaultyText {
        FaultyText {
            definition,
            table,
            findings: Vec::new(),
        }
    }

    /// Takes the findings with places in this text.
    pub(crate) fn take_findings(&mut self, all: &[Diagnostic]) {
        let name = self.definition.source.name();
        let stands_here = |one: &&Diagnostic| {
            let place = one.place.as_ref();
            place.is_some_and(|place| place.source.name() == name)
        };
        self.findings = all.iter().filter(stands_here).cloned().collect();
    }
}
