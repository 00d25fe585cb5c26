//! This module computes what a stat shows: its base, folded with the modifiers that records bring.
//!
//! Nothing is written back: when a record goes, what it did goes with it. A modifier whose layer
//! the declaration does not have (the rules changed since) sleeps.

use super::modifier::{Failure, Modifier};
use super::row::{Influence, Row};
use super::{Fold, Operator, StatDeclaration, State, StoreError};
use crate::value::{Name, Text, Value};

/// How a shown value came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Where the fold starts.
    pub base: Value,
    /// Whether the base is the declared one, because the row has no value of its own.
    pub is_declared: bool,
    /// The modifiers in the order in which they apply.
    pub steps: Vec<Step>,
    /// The records with modifiers that do not take part, in order of application.
    pub asleep: Vec<Name>,
    /// Where the fold ends.
    pub shown: Value,
}

/// One modifier in an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The record that brings it.
    pub record: Name,
    /// What it does.
    pub operator: Operator,
    /// With which value.
    pub operand: Value,
    /// In which layer.
    pub layer: Option<Text>,
    /// The value afterwards.
    pub result: Value,
}

/// Returns what a stat of a row shows; of no row, `Nil`.
///
/// Errors: `NotANumber`, `Overflow`, with the record whose modifier fails.
#[inline]
pub fn shown(
    state: &State,
    declaration: &StatDeclaration,
    row: Name,
    stat: Name,
) -> Result<Value, StoreError> {
    let Some(page) = state.rows.get(row) else {
        return Ok(Value::Nil);
    };
    match &page.influences {
        None if page.kind.is_some() => Ok(base_of(page, declaration, stat).clone()),
        None => Ok(Value::Nil),
        Some(influences) => {
            let base = base_of(page, declaration, stat);
            run(
                base,
                in_order(influences.of(stat), &declaration.fold),
                |_, _, _| {},
            )
            .map_err(|(influence, failure)| report(state, stat, influence, failure))
        }
    }
}

/// Returns what a stat of a row shows if no record influences the row; `None` otherwise, and of no row.
#[inline(always)]
pub fn unmodified(state: &State, row: Name, stat: Name) -> Option<&Value> {
    let page = state
        .rows
        .get(row)
        .filter(|page| page.kind.is_some() && page.influences.is_none())?;
    Some(
        page.fields
            .get(stat)
            .unwrap_or_else(|| &state.stats.get(stat).base),
    )
}

/// Returns how a stat of a row comes to show what it shows; of no row, nothing.
///
/// Errors: as [`shown`].
pub fn explain(
    state: &State,
    declaration: &StatDeclaration,
    row: Name,
    stat: Name,
) -> Result<Explanation, StoreError> {
    let empty = Row::default();
    let page = state.rows.get(row).filter(|page| page.kind.is_some());
    let (base, is_declared) = match page {
        None => (&Value::Nil, false),
        Some(page) => (
            base_of(page, declaration, stat),
            page.fields.get(stat).is_none(),
        ),
    };
    let influences = page.unwrap_or(&empty).influences.as_deref();
    let influences = influences.map_or(&[][..], |influences| influences.of(stat));
    let mut steps = Vec::new();
    let note = |influence: &Influence, modifier: &Modifier, result: &Value| {
        steps.push(Step {
            record: influence.record,
            operator: modifier.operator,
            operand: modifier.operand.clone(),
            layer: modifier.layer.clone(),
            result: result.clone(),
        });
    };
    let shown = run(base, in_order(influences, &declaration.fold), note)
        .map_err(|(influence, failure)| report(state, stat, influence, failure))?;
    let sleeps = |modifier: &Modifier| !declaration.fold.takes(modifier.layer.as_ref());
    let asleep = influences
        .iter()
        .filter(|one| one.modifiers.iter().any(sleeps));
    Ok(Explanation {
        base: base.clone(),
        is_declared,
        steps,
        asleep: asleep.map(|influence| influence.record).collect(),
        shown,
    })
}

fn base_of<'a>(page: &'a Row, declaration: &'a StatDeclaration, stat: Name) -> &'a Value {
    page.fields.get(stat).unwrap_or(&declaration.base)
}

/// Lists the modifiers that take part, in the order in which they apply.
fn in_order<'a>(
    influences: &'a [Influence],
    fold: &'a Fold,
) -> impl Iterator<Item = (&'a Influence, &'a Modifier)> {
    let rounds: Vec<Option<&Text>> = match fold {
        Fold::InOrder => vec![None],
        Fold::Layers(layers) => layers.iter().map(Some).collect(),
    };
    rounds.into_iter().flat_map(move |layer| {
        let all = influences
            .iter()
            .flat_map(|influence| influence.modifiers.iter().map(move |one| (influence, one)));
        all.filter(move |(_, modifier)| modifier.layer.as_ref() == layer)
    })
}

fn run<'a>(
    base: &Value,
    steps: impl Iterator<Item = (&'a Influence, &'a Modifier)>,
    mut note: impl FnMut(&'a Influence, &'a Modifier, &Value),
) -> Result<Value, (&'a Influence, Failure)> {
    let mut value = base.clone();
    for (influence, modifier) in steps {
        value = modifier
            .operator
            .apply(&value, &modifier.operand)
            .map_err(|failure| (influence, failure))?;
        note(influence, modifier, &value);
    }
    Ok(value)
}

fn report(state: &State, stat: Name, influence: &Influence, failure: Failure) -> StoreError {
    let (stat, record) = (state.names.text(stat), state.names.text(influence.record));
    match failure {
        Failure::NotANumber => StoreError::NotANumber(stat, record),
        Failure::Overflow => StoreError::Overflow(stat, record),
    }
}
