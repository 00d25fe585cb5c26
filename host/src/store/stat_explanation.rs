//! Says how a shown value came to be: where it starts, what changed it, what did not and why.

use super::stat_evaluation::{Frame, Look};
use super::stat_fold::{self, Candidate, Idle};
use super::{Operator, StoreError};
use crate::value::{Name, Text, Value};

/// How a shown value came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Where the fold starts.
    pub base: Value,
    /// Whether the base is the declared one, because the row has no value of its own.
    pub is_declared: bool,
    /// The formula that gave the base.
    pub formula: Option<Text>,
    /// The modifiers in the order in which they apply.
    pub steps: Vec<Step>,
    /// The modifiers that could take part and do not, in order of application.
    pub off: Vec<Off>,
    /// The records with modifiers whose layer the stat does not have, in order of application.
    pub asleep: Vec<Name>,
    /// Where the fold ends.
    pub shown: Value,
}

/// One modifier in an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The record that brings it.
    pub record: Name,
    /// Who carries the record, if it also works on others than its owner.
    pub bearer: Option<Name>,
    /// What it does.
    pub operator: Operator,
    /// With which value.
    pub operand: Value,
    /// In which layer.
    pub layer: Option<Text>,
    /// The value afterwards.
    pub result: Value,
}

/// One modifier that takes no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Off {
    /// The record that brings it.
    pub record: Name,
    /// Who carries the record, if it also works on others than its owner.
    pub bearer: Option<Name>,
    /// Whether the expression says for which rows the modifier is; else it is a guard.
    pub is_place: bool,
    /// The expression that does not hold.
    pub expression: Text,
    /// Why the expression cannot be read, if that is why.
    pub broken: Option<String>,
    /// What it speaks of, with the values now.
    pub values: Vec<(String, String)>,
}

impl Look<'_> {
    /// Returns how a stat of a row comes to show what it shows; of no row, nothing.
    ///
    /// Errors: as [`Look::stat_value`].
    pub fn explain(&self, row: Name, stat: Name) -> Result<Explanation, StoreError> {
        let state = self.state;
        // What is explained can be computed, and leads not back to itself.
        let shown = self.stat_value(row, stat)?;
        let Some(page) = state.rows.get(row).filter(|page| page.kind.is_some()) else {
            return Ok(Explanation::of_nothing());
        };
        let declaration = state.stats.get(stat);
        let (base, is_own) = stat_fold::fold_base(*self, page, declaration, row, stat)?;
        let (mut active, mut off, mut asleep) = (Vec::new(), Vec::new(), Vec::new());
        for candidate in stat_fold::candidate_modifiers(state, page, stat) {
            let idle = stat_fold::idle_reason(*self, candidate, page, row)?;
            let is_elsewhere = matches!(idle, Some(Idle::Elsewhere));
            if !is_elsewhere
                && !declaration
                    .fold
                    .allows_layer(candidate.modifier.layer.as_ref())
            {
                asleep.push(candidate.record);
            } else if let Some(idle) = idle {
                off.extend(self.reason_inactive(row, candidate, idle));
            } else {
                active.push(candidate);
            }
        }
        asleep.dedup();
        let mut steps = Vec::new();
        stat_fold::apply_modifiers(
            state,
            declaration,
            stat,
            base.clone(),
            &active,
            |one, result| {
                steps.push(self.step_of_candidate(one, result));
            },
        )?;
        let formula = declaration.formula.as_ref().filter(|_| !is_own);
        Ok(Explanation {
            base,
            is_declared: !is_own,
            formula: formula.map(|formula| formula.text().clone()),
            steps,
            off,
            asleep,
            shown,
        })
    }

    fn step_of_candidate(&self, candidate: Candidate<'_>, result: &Value) -> Step {
        let modifier = candidate.modifier;
        Step {
            record: candidate.record,
            bearer: self.bearer_of_candidate(candidate),
            operator: modifier.operator,
            operand: modifier.operand.clone(),
            layer: modifier.layer.clone(),
            result: result.clone(),
        }
    }

    fn reason_inactive(&self, row: Name, candidate: Candidate<'_>, idle: Idle<'_>) -> Option<Off> {
        let (expression, is_place) = match idle {
            Idle::Elsewhere => return None,
            Idle::Place(expression) => (expression, true),
            Idle::Guard(expression) => (expression, false),
        };
        let frame = Frame {
            itself: Some(row),
            record: Some(candidate.record),
        };
        Some(Off {
            record: candidate.record,
            bearer: self.bearer_of_candidate(candidate),
            is_place,
            expression: expression.text().clone(),
            broken: expression.error().map(ToString::to_string),
            values: self.values_of_variables(expression, frame),
        })
    }

    fn bearer_of_candidate(&self, candidate: Candidate<'_>) -> Option<Name> {
        candidate.modifier.over.as_ref()?;
        self.state.owner(candidate.record)
    }
}

impl Explanation {
    fn of_nothing() -> Explanation {
        Explanation {
            base: Value::Nil,
            is_declared: false,
            formula: None,
            steps: Vec::new(),
            off: Vec::new(),
            asleep: Vec::new(),
            shown: Value::Nil,
        }
    }
}
