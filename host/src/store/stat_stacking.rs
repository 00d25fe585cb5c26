//! Computes the shown value of a stat: its base, combined with the modifiers of records.
//!
//! Nothing is written back: if a record is removed, its effects disappear with it. A modifier is inactive if the
//! declaration does not have its layer, because the rules have changed. It is also inactive if its guard does not
//! hold or cannot be read.

use super::expression::Expression;
use super::live_aura;
use super::modifier::{Failure, Modifier};
use super::row::{Influence, Row};
use super::stat_evaluation::{Frame, Look};
use super::{Stacking, StatDeclaration, State, StoreError};
use crate::value::{Name, Text, Value};

/// The place of a record's guard in the memo; modifiers use their place in the list.
const WHOLE: u16 = u16::MAX;

/// A modifier that may take part.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) number: u64,
    pub(super) record: Name,
    pub(super) modifier: &'a Modifier,
}

/// Reason why a modifier does not take part.
#[derive(Clone, Copy)]
pub(super) enum Idle<'a> {
    /// It applies to other rows.
    Elsewhere,
    /// The expression that selects its rows does not hold.
    Place(&'a Expression),
    /// A guard does not hold.
    Guard(&'a Expression),
}

/// Returns the shown value of a stat of a row without expressions: no formula, guard or aura; `None` if there is one.
#[inline]
pub(super) fn value_without_expressions(
    state: &State,
    page: &Row,
    stat: Name,
) -> Option<Result<Value, StoreError>> {
    let declaration = state.stats.declaration_of(stat);
    if may_have_auras(state, stat) {
        return None;
    }
    let stored = page.fields.get(stat);
    if stored.is_none() && declaration.formula.is_some() {
        return None;
    }
    let base = stored.unwrap_or(&declaration.base);
    let influences = match &page.influences {
        None => return Some(Ok(base.clone())),
        Some(influences) => influences.influences_on(stat),
    };
    let active: Vec<Candidate<'_>> = candidates_of_influences(influences).collect();
    if active.iter().any(|one| one.modifier.is_conditional()) {
        return None;
    }
    let value = apply_modifiers(state, declaration, stat, base.clone(), &active, |_, _| {});
    Some(value)
}

/// Returns the shown value of a stat if nothing can change it.
#[inline]
pub(super) fn stored_if_unmodified<'a>(
    state: &State,
    page: &'a Row,
    stat: Name,
) -> Option<&'a Value> {
    if page.influences.is_some() || may_have_auras(state, stat) {
        return None;
    }
    page.fields.get(stat)
}

/// Returns whether an aura may change a stat.
#[inline(always)]
fn may_have_auras(state: &State, stat: Name) -> bool {
    let auras = state.auras.as_ref();
    auras.is_some_and(|auras| !auras.influences_on(stat).is_empty())
}

/// Returns the shown value of a stat if no record influences the row, no aura influences the stat, and the base is
/// not a formula. Otherwise returns `None`, also for a row that does not exist.
#[inline(always)]
pub fn unmodified_stat_value(state: &State, row: Name, stat: Name) -> Option<&Value> {
    let page = state.rows.get(row)?;
    if page.kind.is_none() || page.influences.is_some() || may_have_auras(state, stat) {
        return None;
    }
    match page.fields.get(stat) {
        Some(value) => Some(value),
        None => {
            let declaration = state.stats.declaration_of(stat);
            declaration.formula.is_none().then_some(&declaration.base)
        }
    }
}

/// Returns the shown value of a stat if it was computed for this version of the state.
#[inline]
pub fn remembered_stat_value(state: &State, row: Name, stat: Name) -> Option<Value> {
    state.memo.remembered_value(state.log.version(), row, stat)
}

/// Combines the base of a stat with its modifiers; the caller notes the path of stats.
pub(super) fn stack_modifiers(
    look: Look<'_>,
    page: &Row,
    row: Name,
    stat: Name,
) -> Result<Value, StoreError> {
    let declaration = look.state.stats.declaration_of(stat);
    let (base, _) = stacking_base(look, page, declaration, row, stat)?;
    let auras = live_aura::auras_of_stat(look.state, stat);
    let (mut active, mut seen) = (Vec::new(), None);
    for aura in auras.iter() {
        if aura.applies_to_row(look, page, row, &mut seen)? {
            active.push(aura.as_candidate());
        }
    }
    if let Some(influences) = &page.influences {
        for candidate in candidates_of_influences(influences.influences_on(stat)) {
            if idle_reason(look, candidate, page, row)?.is_none() {
                active.push(candidate);
            }
        }
        active.sort_by_key(|one| (one.number, one.modifier.place));
    }
    look.outside.spend(auras.len())?;
    apply_modifiers(look.state, declaration, stat, base, &active, |_, _| {})
}

/// Returns the start value, and whether the row itself has it.
pub(super) fn stacking_base(
    look: Look<'_>,
    page: &Row,
    declaration: &StatDeclaration,
    row: Name,
    stat: Name,
) -> Result<(Value, bool), StoreError> {
    if let Some(stored) = page.fields.get(stat) {
        return Ok((stored.clone(), true));
    }
    let Some(formula) = &declaration.formula else {
        return Ok((declaration.base.clone(), false));
    };
    let frame = Frame {
        itself: Some(row),
        record: None,
    };
    let item = look.evaluate(formula, frame)?;
    let value = item.to_value().ok_or_else(|| {
        let text = look.state.names.text(stat);
        StoreError::Overflow(text, "its formula".into())
    })?;
    Ok((value, false))
}

fn candidates_of_influences(
    influences: &[Influence],
) -> impl Iterator<Item = Candidate<'_>> + Clone {
    influences.iter().flat_map(|influence| {
        influence.modifiers.iter().map(move |modifier| Candidate {
            number: influence.number,
            record: influence.record,
            modifier,
        })
    })
}

/// Returns all modifiers that may change a stat of a row, in order of application.
pub(super) fn candidate_modifiers<'a>(
    state: &'a State,
    page: &'a Row,
    stat: Name,
) -> Vec<Candidate<'a>> {
    let influences = page
        .influences
        .as_ref()
        .map_or(&[][..], |all| all.influences_on(stat));
    let auras = state
        .auras
        .as_ref()
        .map_or(&[][..], |all| all.influences_on(stat));
    let mut all: Vec<Candidate<'a>> = candidates_of_influences(auras).collect();
    if !influences.is_empty() {
        all.extend(candidates_of_influences(influences));
        all.sort_by_key(|one| (one.number, one.modifier.place));
    }
    all
}

/// Returns the reason why a modifier does not take part in the shown value of a row. Errors: the errors of its
/// expressions.
pub(super) fn idle_reason<'a>(
    look: Look<'_>,
    candidate: Candidate<'a>,
    page: &Row,
    row: Name,
) -> Result<Option<Idle<'a>>, StoreError> {
    let modifier = candidate.modifier;
    let frame = Frame {
        itself: Some(row),
        record: Some(candidate.record),
    };
    let guards = [
        (&modifier.record_guard, WHOLE),
        (&modifier.guard, modifier.place),
    ];
    if let Some(over) = &modifier.over {
        if !over.may_apply_to_row(look.state.names(), page, row) {
            return Ok(Some(Idle::Elsewhere));
        }
        // A guard that is known not to hold makes the test of the place unnecessary.
        let (memo, version) = (&look.state.memo, look.state.log.version());
        for (guard, place) in guards {
            if let Some(guard) = guard
                && memo.remembered_guard(version, candidate.record, place) == Some(false)
            {
                return Ok(Some(Idle::Guard(guard)));
            }
        }
        if let Some(place) = &over.place
            && !look.evaluate(place, frame)?.is_true()
        {
            return Ok(Some(Idle::Place(place)));
        }
    }
    Ok(failing_guard(look, candidate, frame)?.map(Idle::Guard))
}

/// Returns the guard that excludes a modifier. Errors: the errors of guards.
pub(super) fn failing_guard<'a>(
    look: Look<'_>,
    candidate: Candidate<'a>,
    frame: Frame,
) -> Result<Option<&'a Expression>, StoreError> {
    let modifier = candidate.modifier;
    for (guard, place) in [
        (&modifier.record_guard, WHOLE),
        (&modifier.guard, modifier.place),
    ] {
        if let Some(guard) = guard
            && !guard_holds(look, guard, frame, candidate.record, place)?
        {
            return Ok(Some(guard));
        }
    }
    Ok(None)
}

/// Returns whether a guard holds; a guard that does not depend on the reader is evaluated once per version.
fn guard_holds(
    look: Look<'_>,
    guard: &Expression,
    frame: Frame,
    record: Name,
    place: u16,
) -> Result<bool, StoreError> {
    let (memo, version) = (&look.state.memo, look.state.log.version());
    let evaluated = || {
        let value = look.evaluate(guard, frame);
        let text = |name: Name| look.state.names().text(name);
        let owner = look.state.owner(record).unwrap_or(record);
        value.map_err(|error| error.within((text(record), text(owner))))
    };
    if guard.compiled().is_none_or(|made| made.depends_on_self) {
        return Ok(evaluated()?.is_true());
    }
    if let Some(known) = memo.remembered_guard(version, record, place) {
        return Ok(known);
    }
    let holds = evaluated()?.is_true();
    memo.remember_guard(version, record, place, holds);
    Ok(holds)
}

/// Applies modifiers, layer by layer if there are layers.
pub(super) fn apply_modifiers<'a>(
    state: &State,
    declaration: &StatDeclaration,
    stat: Name,
    base: Value,
    active: &[Candidate<'a>],
    mut note: impl FnMut(Candidate<'a>, &Value),
) -> Result<Value, StoreError> {
    let mut value = base;
    let mut apply = |layer: Option<&Text>| {
        let of_layer = active
            .iter()
            .filter(|one| one.modifier.layer.as_ref() == layer);
        of_layer.into_iter().try_for_each(|one| {
            let Modifier {
                operator, operand, ..
            } = one.modifier;
            value = operator
                .apply_to_value(&value, operand)
                .map_err(|failure| failure_error(state, stat, one.record, failure))?;
            note(*one, &value);
            Ok(())
        })
    };
    match &declaration.fold {
        Stacking::InOrder => apply(None)?,
        Stacking::Layers(layers) => layers.iter().try_for_each(|layer| apply(Some(layer)))?,
    }
    Ok(value)
}

fn failure_error(state: &State, stat: Name, record: Name, failure: Failure) -> StoreError {
    let (stat, record) = (state.names.text(stat), state.names.text(record));
    match failure {
        Failure::NotANumber => StoreError::NotANumber(stat, record),
        Failure::Overflow => StoreError::Overflow(stat, record),
    }
}
