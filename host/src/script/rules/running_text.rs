//! Names the text of the content that is at work, for limits that a rule passes.

use std::sync::Arc;

use super::Rules;
use crate::content::Definition;
use crate::diag::{Diagnostic, Place};
use crate::script::run::Run;
use crate::script::run::cause_chain::add_cause_chain;

impl Rules {
    /// Returns the definition of the innermost rule at work, if it is not a script.
    pub(crate) fn content_definition_at_work(&self, run: &Run) -> Option<&Definition> {
        let definition = self.definition_of_rule(&run.rule_at_work()?)?;
        let is_script = definition.source.name().ends_with(".luau");
        (!is_script).then_some(definition)
    }

    /// Adds the rules and events that led to it to a finding about a limit that a script passed.
    pub(crate) fn add_limit_context(&self, run: &Run, finding: Diagnostic) -> Diagnostic {
        if finding.trace.is_empty() {
            return finding;
        }
        let finding = add_cause_chain(run, finding);
        match self.content_definition_at_work(run) {
            Some(text) => {
                let place = Place {
                    source: Arc::clone(&text.source),
                    span: text.span,
                };
                finding.hint(format!("the running rule is at {place}"))
            }
            None => finding,
        }
    }
}
