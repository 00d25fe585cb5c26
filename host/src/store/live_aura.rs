//! An aura while the stats are read that it may change: a value that is the same for every reader is computed once.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::expression::{Compiled, Other, OwnStatComparison};
use super::modifier::Modifier;
use super::row::{Influence, Row};
use super::stat_evaluation::{Frame, Look};
use super::stat_stacking::{self, Candidate};
use super::{State, StoreError};
use crate::expr::Item;
use crate::value::{Name, Value};

/// One aura in one version of a state.
pub(super) struct LiveAura {
    number: u64,
    record: Name,
    modifiers: Rc<[Modifier]>,
    /// The place of the modifier in `modifiers`.
    at: usize,
    /// Whether its guards hold, if they do not depend on the reader.
    guarded: Cell<Option<bool>>,
    /// The value that a stat of each reader is compared with.
    other: OnceCell<Item>,
}

/// Lists the auras of a stat.
pub(super) fn list_auras(influences: &[Influence]) -> Vec<LiveAura> {
    let of_record = |influence: &Influence| {
        let Influence {
            number,
            record,
            ref modifiers,
        } = *influence;
        let modifiers = Rc::clone(modifiers);
        (0..modifiers.len()).map(move |at| LiveAura {
            number,
            record,
            modifiers: Rc::clone(&modifiers),
            at,
            guarded: Cell::new(None),
            other: OnceCell::new(),
        })
    };
    influences.iter().flat_map(of_record).collect()
}

impl LiveAura {
    /// Returns the modifier with its place in the order of application.
    pub(super) fn as_candidate(&self) -> Candidate<'_> {
        Candidate {
            number: self.number,
            record: self.record,
            modifier: &self.modifiers[self.at],
        }
    }

    /// Returns whether the aura takes part in the shown value of a row. Errors: the errors of its expressions.
    ///
    /// `seen` is the field of the row that the previous aura read.
    pub(super) fn applies_to_row<'a>(
        &self,
        look: Look<'a>,
        page: &'a Row,
        row: Name,
        seen: &mut Option<(Name, Option<&'a Value>)>,
    ) -> Result<bool, StoreError> {
        let candidate = self.as_candidate();
        let over = candidate.modifier.over.as_ref();
        let over = over.expect("invariant: an aura says for which rows it is");
        if !over.may_apply_to_row(look.state.names(), page, row)
            || self.guarded.get() == Some(false)
        {
            return Ok(false);
        }
        let frame = Frame {
            itself: Some(row),
            record: Some(self.record),
        };
        if let Some(place) = &over.place {
            let quick = place
                .compiled()
                .and_then(|made| Some((made, made.same.as_ref()?)));
            let holds = match quick {
                Some((made, same)) => {
                    let stored = match *seen {
                        Some((stat, stored)) if stat == same.stat => stored,
                        _ => stat_stacking::stored_if_unmodified(look.state, page, same.stat),
                    };
                    look.state.memo.note_field_read(same.stat);
                    *seen = Some((same.stat, stored));
                    self.comparison_holds(look, made, same, stored, frame)?
                }
                None => look.evaluate(place, frame)?.is_true(),
            };
            if !holds {
                return Ok(false);
            }
        }
        if let Some(known) = self.guarded.get() {
            return Ok(known);
        }
        let holds = stat_stacking::failing_guard(look, candidate, frame)?.is_none();
        if !candidate.modifier.depends_on_self() {
            self.guarded.set(Some(holds));
        }
        Ok(holds)
    }

    fn comparison_holds(
        &self,
        look: Look<'_>,
        made: &Compiled,
        same: &OwnStatComparison,
        stored: Option<&Value>,
        frame: Frame,
    ) -> Result<bool, StoreError> {
        let other = match self.other.get() {
            Some(other) => other,
            None => {
                let item = match &same.other {
                    Other::Constant(item) => item.clone(),
                    Other::Variable(at) => look.value_of_variable(made, *at, frame)?,
                };
                self.other.get_or_init(|| item)
            }
        };
        if let Some(value) = stored
            && let Some(equal) = other.equals_value(value)
        {
            return Ok(equal);
        }
        Ok(look.stat_item(frame.itself, same.stat)?.equals(other))
    }
}

/// Returns the auras of a stat in a version of a state.
pub(super) fn auras_of_stat(state: &State, stat: Name) -> Rc<Vec<LiveAura>> {
    let auras = state
        .auras
        .as_ref()
        .map_or(&[][..], |all| all.influences_on(stat));
    state
        .memo
        .auras_or_insert(state.log.version(), stat, || list_auras(auras))
}
