//! Questions before a record ends: whether an expression holds, or a text of the ruleset.
//!
//! In: the ends of records. Out: questions, and the records that end by their answers. A layer above the store
//! answers.

use super::{Due, EndCondition, Form, How, end_reason};
use crate::store::State;
use crate::value::{Name, Text, Value};

/// A question whether a record ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The record.
    pub record: Name,
    /// The text that must hold.
    pub text: Text,
    /// The values passed to the ruleset; without them the text is an expression of the host.
    pub bound: Option<Value>,
    /// The cause of the end if the text holds.
    pub how: How,
    /// The reason in words.
    pub reason: String,
}

impl State {
    /// Returns the questions about the records with an end expression, in order of application.
    pub fn questions_of_expressions(&self) -> Vec<Question> {
        let records = self.ends.expressions.names();
        let asked = records.flat_map(|record| {
            let ends = self.end_conditions_of_record(record).iter();
            let ends = ends.filter(|end| end.form() == Form::When);
            ends.filter_map(move |end| {
                Question::about_end(record, end, end_reason::turned_true_text)
            })
        });
        asked.collect()
    }
}

impl EndCondition {
    /// Returns whether it ends a record only if a condition holds.
    pub(super) fn asks_question(&self) -> bool {
        let is_tested = matches!(self, EndCondition::Event { test: Some(_), .. });
        is_tested || self.form() == Form::When
    }
}

impl Question {
    /// Returns the question of an end about a record, with the reason made from its text; nothing if the end has no
    /// question.
    pub(super) fn about_end(
        record: Name,
        end: &EndCondition,
        reason: impl Fn(&str) -> String,
    ) -> Option<Question> {
        let (text, bound) = match end {
            EndCondition::Event { test, bound, .. } => (test.as_ref()?, bound),
            EndCondition::When { expression, bound } => (expression, bound),
            EndCondition::Phase { .. }
            | EndCondition::PhaseOf { .. }
            | EndCondition::Turn { .. }
            | EndCondition::Rounds { .. }
            | EndCondition::Time { .. }
            | EndCondition::Uses { .. }
            | EndCondition::With { .. } => return None,
        };
        Some(Question {
            record,
            text: Text::clone(text),
            bound: bound.clone(),
            how: How::By(end.form()),
            reason: reason(text),
        })
    }
}

/// Returns the records whose questions hold, each once, in the order of the questions.
///
/// Errors: the errors of the caller's answers; each question is passed to `holds`.
pub fn due_by_answers<E>(
    questions: Vec<Question>,
    mut holds: impl FnMut(&Question) -> Result<bool, E>,
) -> Result<Vec<Due>, E> {
    let mut due: Vec<Due> = Vec::new();
    for question in questions {
        let holds = holds(&question)?;
        let is_known = due
            .last()
            .is_some_and(|last| last.record == question.record);
        if holds && !is_known {
            due.push(Due {
                record: question.record,
                how: question.how,
                reason: question.reason,
            });
        }
    }
    Ok(due)
}
