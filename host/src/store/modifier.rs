//! Effects of a record on stats: modifiers by stat, separated into modifiers of its owner and of other rows
//! (auras).

use std::rc::Rc;

use super::expression::Expression;
use super::row::Row;
use super::{StoreError, row_check, stat::Stats};
use crate::value::{Name, Names, Text, Value};

mod operator;
mod read;

pub use operator::Operator;

pub(super) use operator::Failure;
pub(super) use read::read_modifiers;

/// One modifier of one stat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modifier {
    pub(super) operator: Operator,
    pub(super) operand: Value,
    pub(super) layer: Option<Text>,
    /// Its place in the list.
    pub(super) place: u16,
    /// The condition of the modifier.
    pub(super) guard: Option<Rc<Expression>>,
    /// The condition of all modifiers of its record.
    pub(super) record_guard: Option<Rc<Expression>>,
    /// The rows that it applies to, if not only the owner of its record.
    pub(super) over: Option<Rc<Aura>>,
}

/// The rows that an aura applies to: entities, or the rows of a kind, if an expression holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aura {
    kind: Option<Name>,
    pub(super) place: Option<Expression>,
}

impl Aura {
    /// Returns whether a row is one of those that the expression is evaluated for.
    pub(super) fn may_apply_to_row(&self, names: &Names, page: &Row, row: Name) -> bool {
        match self.kind {
            Some(kind) => page.kind == Some(kind),
            None => page.owner.is_none() && !row_check::is_host_name(&names.text(row)),
        }
    }
}

impl Modifier {
    /// Returns whether an expression decides about its effect.
    pub(super) fn is_conditional(&self) -> bool {
        self.guard.is_some() || self.record_guard.is_some()
    }

    /// Returns whether its guards may depend on the reader.
    pub(super) fn depends_on_self(&self) -> bool {
        let guards = self.record_guard.iter().chain(&self.guard);
        guards
            .into_iter()
            .any(|guard| guard.compiled().is_some_and(|made| made.depends_on_self))
    }

    /// Returns its own guard, the guard of its record, and the expression of its aura.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let place = self.over.as_ref().and_then(|over| over.place.as_ref());
        let guards = self.record_guard.iter().chain(&self.guard);
        guards.map(|guard| &**guard).chain(place)
    }
}

/// Modifiers by stat, each stat once; the modifiers of a stat in the order of the list.
pub(super) type ByStat = [(Name, Rc<[Modifier]>)];

/// The modifiers of one record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers {
    /// Modifiers for its owner.
    pub(super) own: Vec<(Name, Rc<[Modifier]>)>,
    /// Modifiers for a set of rows.
    pub(super) auras: Vec<(Name, Rc<[Modifier]>)>,
    /// The guard of the record.
    pub(super) guard: Option<Rc<Expression>>,
}

impl Modifiers {
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let modifiers = self
            .own
            .iter()
            .chain(&self.auras)
            .flat_map(|(_, of_stat)| of_stat.iter());
        let guard = self.guard.iter().map(|guard| &**guard);
        guard.chain(modifiers.flat_map(Modifier::expressions))
    }

    /// Returns whether any modifier depends on expressions.
    pub(super) fn has_expressions(&self) -> bool {
        self.expressions().next().is_some()
    }

    /// Checks modifiers that a rule makes against the live rules. Errors: `BadModifiers`, `UnknownLayer`.
    pub(super) fn check(&self, stats: &Stats, names: &Names) -> Result<(), StoreError> {
        if let Some((expression, error)) =
            self.expressions().find_map(|one| Some((one, one.error()?)))
        {
            return bad_modifiers_error(format!(
                "in the expression \"{}\": {error}",
                expression.text()
            ));
        }
        check_layers(&self.own, stats, names)?;
        check_layers(&self.auras, stats, names)
    }
}

/// Checks the layers of modifiers. Errors: `UnknownLayer`.
fn check_layers(modifiers: &ByStat, stats: &Stats, names: &Names) -> Result<(), StoreError> {
    for (stat, of_stat) in modifiers {
        let fold = &stats.declaration_of(*stat).fold;
        if let Some(asleep) = of_stat
            .iter()
            .find(|one| !fold.allows_layer(one.layer.as_ref()))
        {
            return Err(StoreError::UnknownLayer {
                stat: names.text(*stat),
                layer: asleep.layer.clone().unwrap_or_else(|| "".into()),
                known: fold.layers().to_vec(),
            });
        }
    }
    Ok(())
}

fn bad_modifiers_error<T>(reason: String) -> Result<T, StoreError> {
    Err(StoreError::BadModifiers(reason))
}
