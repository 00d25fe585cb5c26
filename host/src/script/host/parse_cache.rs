//! Keeps texts in their read form: dice notation, expressions, conditions of records.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Host, Programs};
use crate::diag::Diagnostic;
use crate::dice::Notation;
use crate::expr::{Dialect, ExprError, Program, compile};
use crate::script::host::error_findings::HostError;
use crate::store::{Expression, Role};
use crate::value::Text;

/// The number of notations that are kept in their read form.
const NOTATIONS: usize = 1_000;

/// Mistakes of a notation that are reported besides its first.
const OTHERS: usize = 7;

/// Characters of an expression in a message.
const SHOWN: usize = 200;

impl Host {
    /// Returns dice notation in its read form. Texts that were read before cost a look-up.
    pub(crate) fn parsed_notation(&self, text: &mlua::LuaString) -> mlua::Result<Rc<Notation>> {
        let text = text.to_str()?;
        self.charge(text.len() as u64 / 8)?;
        if let Some(known) = self.notations.borrow().get(&*text) {
            return Ok(Rc::clone(known));
        }
        let read = Rc::new(Notation::parse(&text).map_err(merged_findings_error)?);
        let mut notations = self.notations.borrow_mut();
        if notations.len() >= NOTATIONS {
            notations.clear();
        }
        notations.insert(text.to_owned(), Rc::clone(&read));
        Ok(read)
    }

    /// Returns an expression in its compiled form. Texts that were read before cost a look-up.
    pub(crate) fn compiled_expression(
        &self,
        text: &str,
        dialect: &Dialect,
    ) -> mlua::Result<Rc<Program>> {
        let key = Programs::key(text, dialect);
        self.charge(Programs::compile_fuel(text))?;
        if let Some(known) = self.expressions.borrow().find(&key) {
            return Ok(known);
        }
        let made = compile(text, dialect).map_err(|errors| expression_error(text, &errors[0]))?;
        let made = Rc::new(made);
        self.expressions.borrow_mut().keep(key, &made);
        Ok(made)
    }

    /// Returns an expression about a record. Texts that were read before cost a look-up.
    pub(crate) fn parsed_condition(&self, text: &Text) -> Rc<Expression> {
        if let Some(known) = self.conditions.borrow().get(text) {
            return Rc::clone(known);
        }
        let stats = Rc::clone(&self.rules.borrow().stats);
        let made = Expression::new(text, Role::Record, stats.vocabulary(), &self.names);
        let made = Rc::new(made);
        let mut conditions = self.conditions.borrow_mut();
        if conditions.len() >= NOTATIONS {
            conditions.clear();
        }
        conditions.insert(Text::clone(text), Rc::clone(&made));
        made
    }
}

/// Returns the refusal of an expression, which names its text and the place in it.
pub(crate) fn expression_error(source: &str, error: &ExprError) -> mlua::Error {
    let start = source[..error.at.start].chars().count() + 1;
    let mut shown: String = source.chars().take(SHOWN).collect();
    if shown.len() < source.len() {
        shown.push('…');
    }
    let message = format!("{error}, at character {start} of the expression \"{shown}\"");
    HostError::error_of_finding(Diagnostic::error(error.code.clone(), message).hint(&*error.hint))
}

/// Returns the error for the first of several findings. The others become its hints, each message once.
fn merged_findings_error(findings: Vec<Diagnostic>) -> mlua::Error {
    let mut told = BTreeSet::new();
    let mut findings = findings.into_iter();
    let first = findings.next().expect("invariant: a refusal has a finding");
    told.insert(first.message.clone());
    let others: Vec<Diagnostic> = findings
        .filter(|other| told.insert(other.message.clone()))
        .collect();
    let more = others.len().saturating_sub(OTHERS);
    let finding = others.into_iter().take(OTHERS);
    let finding = finding.fold(first, |first, other| {
        first.hint(format!("also: {}", other.message))
    });
    HostError::error_of_finding(match more {
        0 => finding,
        more => finding.hint(format!("and {more} more; fix these and try again")),
    })
}
