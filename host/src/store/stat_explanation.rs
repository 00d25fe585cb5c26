//! Explains a shown value: its base, the modifiers that changed it, and the modifiers that did not, with the reasons.

use super::stat_evaluation::{Frame, Look};
use super::stat_stacking::{self, Candidate, Idle};
use super::{Operator, StoreError};
use crate::value::{Name, Text, Value};

/// Explanation of a shown value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The start value.
    pub base: Value,
    /// Whether the base is the declared one, because the row has no value of its own.
    pub is_declared: bool,
    /// The formula that gave the base.
    pub formula: Option<Text>,
    /// The modifiers in the order in which they apply.
    pub steps: Vec<Step>,
    /// The modifiers that could take part but do not, in order of application.
    pub off: Vec<Off>,
    /// The records with a modifier whose layer the stat does not have, in order of application.
    pub asleep: Vec<Name>,
    /// The final value.
    pub shown: Value,
}

/// One modifier in an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The record that contains it.
    pub record: Name,
    /// The bearer of the record, if the modifier also applies to rows other than the record's owner.
    pub bearer: Option<Name>,
    /// The operator.
    pub operator: Operator,
    /// The operand.
    pub operand: Value,
    /// The layer.
    pub layer: Option<Text>,
    /// The value after this modifier.
    pub result: Value,
}

/// One modifier without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Off {
    /// The record that contains it.
    pub record: Name,
    /// The bearer of the record, if the modifier also applies to rows other than the record's owner.
    pub bearer: Option<Name>,
    /// Whether the expression selects the rows of the modifier; otherwise it is a guard.
    pub is_place: bool,
    /// The expression that does not hold.
    pub expression: Text,
    /// The reason why the expression cannot be read, if it cannot.
    pub broken: Option<String>,
    /// The variables of the expression with their present values.
    pub values: Vec<(String, String)>,
}

impl Look<'_> {
    /// Returns the explanation of the shown value of a stat of a row; nothing if the row does not exist.
    ///
    /// Errors: as [`Look::stat_value`].
    pub fn explain_stat(&self, row: Name, stat: Name) -> Result<Explanation, StoreError> {
        let state = self.state;
        // The explained value can be computed, and its stats form no cycle.
        let shown = self.stat_value(row, stat)?;
        let Some(page) = state.rows.get(row).filter(|page| page.kind.is_some()) else {
            return Ok(Explanation::of_missing_row());
        };
        let declaration = state.stats.declaration_of(stat);
        let (base, is_own) = stat_stacking::stacking_base(*self, page, declaration, row, stat)?;
        let (mut active, mut off, mut asleep) = (Vec::new(), Vec::new(), Vec::new());
        for candidate in stat_stacking::candidate_modifiers(state, page, stat) {
            let idle = stat_stacking::idle_reason(*self, candidate, page, row)?;
            let is_elsewhere = matches!(idle, Some(Idle::Elsewhere));
            if !is_elsewhere
                && !declaration
                    .fold
                    .allows_layer(candidate.modifier.layer.as_ref())
            {
                asleep.push(candidate.record);
            } else if let Some(idle) = idle {
                off.extend(self.inactive_modifier(row, candidate, idle));
            } else {
                active.push(candidate);
            }
        }
        asleep.dedup();
        let mut steps = Vec::new();
        stat_stacking::apply_modifiers(
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

    fn inactive_modifier(
        &self,
        row: Name,
        candidate: Candidate<'_>,
        idle: Idle<'_>,
    ) -> Option<Off> {
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
    fn of_missing_row() -> Explanation {
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
