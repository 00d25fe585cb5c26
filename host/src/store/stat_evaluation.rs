//! Evaluates the expressions of a state: the meanings of names, and the shown values of other rows' stats.
//!
//! All functions only read. An [`Outside`] answers the names and functions that the rules add to expressions.

use super::expression::{Compiled, Expression, Meaning, NamedRow};
use super::{State, StoreError, stat_stacking};
use crate::expr::{ExprError, Item, Scope};
use crate::value::{Name, Value};

/// Maximum depth of stats that are computed for each other.
pub(crate) const DEEPEST: usize = 64;

/// The rows that an expression can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// `self`: the row whose stat is read.
    pub itself: Option<Name>,
    /// `record`: the record that contains the expression.
    pub record: Option<Name>,
}

impl Frame {
    /// Returns `owner`: the owner of the record, or of `self`.
    pub fn owner(&self, state: &State) -> Option<Name> {
        state.owner(self.record.or(self.itself)?)
    }

    /// Returns `source`: the maker of the record.
    pub fn source(&self, state: &State) -> Option<Name> {
        let source = state.get(self.record?, state.reserved().source);
        state.names().find(source.as_str()?)
    }
}

/// Answers that only a layer above the store can give to an expression; it must only read.
pub trait Outside {
    /// Returns the value of a name of the rules.
    fn variable(&self, state: &State, name: &str, frame: Frame) -> Result<Item, StoreError>;

    /// Returns the result of a function of the rules.
    fn call(
        &self,
        state: &State,
        function: &str,
        operands: &[Item],
        frame: Frame,
    ) -> Result<Item, StoreError>;

    /// Counts work; unit: steps of expressions. Errors: the limit is reached.
    fn spend(&self, steps: usize) -> Result<(), StoreError>;
}

/// No layer above the store: names and functions of the rules have no answer.
#[derive(Clone, Copy, Debug)]
pub struct WithoutRules;

impl Outside for WithoutRules {
    fn variable(&self, _: &State, name: &str, _: Frame) -> Result<Item, StoreError> {
        Err(StoreError::NoAnswer(name.into()))
    }

    fn call(&self, _: &State, function: &str, _: &[Item], _: Frame) -> Result<Item, StoreError> {
        Err(StoreError::NoAnswer(function.into()))
    }

    fn spend(&self, _: usize) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A state, and the layer that answers for the rules.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub(super) state: &'a State,
    pub(super) outside: &'a dyn Outside,
}

impl<'a> Look<'a> {
    /// Returns a reader of a state.
    pub fn new(state: &'a State, outside: &'a dyn Outside) -> Look<'a> {
        Look { state, outside }
    }

    /// Returns the shown value of a stat of a row; `Nil` if the row does not exist.
    ///
    /// Errors: `NotANumber`, `Overflow`, with the record whose modifier fails; `Cycle`, `TooDeep` with the path of
    /// stats; `Expression`, and the errors of the outside.
    pub fn stat_value(&self, row: Name, stat: Name) -> Result<Value, StoreError> {
        let Some(page) = self.state.rows.get(row).filter(|page| page.kind.is_some()) else {
            return Ok(Value::Nil);
        };
        if let Some(value) = stat_stacking::value_without_expressions(self.state, page, stat) {
            return value;
        }
        let (memo, version) = (&self.state.memo, self.state.log.version());
        if let Some(value) = memo.remembered_value(version, row, stat) {
            return Ok(value);
        }
        memo.switch_to_version(version);
        let step = memo.begin_stat_computation(row, stat, DEEPEST);
        let _step = step.map_err(|way| self.state.stat_path_error(way))?;
        let value = stat_stacking::stack_modifiers(*self, page, row, stat)?;
        memo.remember_value(version, row, stat, &value);
        Ok(value)
    }

    /// Returns the start value of a stat's stacking: the value of the row itself, or the declared one.
    ///
    /// Errors: the errors of a formula, as [`Look::stat_value`].
    pub fn base_of_stat(&self, row: Name, stat: Name) -> Result<Value, StoreError> {
        let Some(page) = self.state.rows.get(row).filter(|page| page.kind.is_some()) else {
            return Ok(Value::Nil);
        };
        let declaration = self.state.stats.declaration_of(stat);
        stat_stacking::stacking_base(*self, page, declaration, row, stat).map(|(base, _)| base)
    }

    /// Returns the value of an expression; an unreadable expression gives nothing.
    ///
    /// Errors: as [`Look::stat_value`].
    pub fn evaluate(&self, expression: &Expression, frame: Frame) -> Result<Item, StoreError> {
        let Some(made) = expression.compiled() else {
            return Ok(Item::Nil);
        };
        self.outside.spend(made.program.step_count())?;
        let mut asking = Asking {
            look: *self,
            frame,
            meanings: &made.meanings,
        };
        made.program
            .evaluate(&mut asking)
            .map_err(|stop| match stop {
                Stop::Store(error) => error,
                Stop::Expression(error) => {
                    StoreError::Expression(expression.text().clone(), error.to_string())
                }
            })
    }

    /// Returns the value of one variable of an expression.
    pub(super) fn value_of_variable(
        &self,
        made: &Compiled,
        at: usize,
        frame: Frame,
    ) -> Result<Item, StoreError> {
        let mut asking = Asking {
            look: *self,
            frame,
            meanings: &made.meanings,
        };
        let value = asking.variable(at, &made.program.variable_names()[at]);
        value.map_err(|stop| match stop {
            Stop::Store(error) => error,
            Stop::Expression(_) => unreachable!("a variable of the store stops by its own errors"),
        })
    }

    /// Returns the variables of an expression with their values, if they have one.
    pub(super) fn values_of_variables(
        &self,
        expression: &Expression,
        frame: Frame,
    ) -> Vec<(String, String)> {
        let Some(made) = expression.compiled() else {
            return Vec::new();
        };
        let mut asking = Asking {
            look: *self,
            frame,
            meanings: &made.meanings,
        };
        let names = made.program.variable_names().iter().enumerate();
        names
            .map(|(at, name)| {
                let value = asking.variable(at, name);
                let value = value.map_or_else(|_| "unknown".to_owned(), |item| item.to_string());
                (name.to_string(), value)
            })
            .collect()
    }

    /// Returns the layer that answers for the rules; it may read anything.
    fn rules(&self) -> &'a dyn Outside {
        self.state.memo.note_rules_asked();
        self.outside
    }

    fn row_of_name(&self, who: NamedRow, frame: Frame) -> Option<Name> {
        match who {
            NamedRow::Itself => frame.itself,
            NamedRow::Owner => frame.owner(self.state),
            NamedRow::Source => frame.source(self.state),
            NamedRow::Record => frame.record,
            NamedRow::Clock(row) => Some(row),
        }
    }

    pub(super) fn stat_item(&self, row: Option<Name>, stat: Name) -> Result<Item, StoreError> {
        self.state.memo.note_field_read(stat);
        let value = row.map_or(Ok(Value::Nil), |row| self.stat_value(row, stat))?;
        Item::from_value(&value).map_err(|kind| {
            let row = row.map_or_else(|| "".into(), |row| self.state.names().text(row));
            StoreError::NotPlain(row, self.state.names().text(stat), kind)
        })
    }
}

/// One run of an expression.
struct Asking<'a> {
    look: Look<'a>,
    frame: Frame,
    meanings: &'a [Meaning],
}

/// Reason why an expression stops.
enum Stop {
    Store(StoreError),
    Expression(ExprError),
}

impl From<ExprError> for Stop {
    fn from(error: ExprError) -> Stop {
        Stop::Expression(error)
    }
}

impl Scope for Asking<'_> {
    type Error = Stop;

    fn variable(&mut self, at: usize, name: &str) -> Result<Item, Stop> {
        let look = self.look;
        let item = match &self.meanings[at] {
            Meaning::Stat(who, stat) => look.stat_item(look.row_of_name(*who, self.frame), *stat),
            Meaning::Row(who) => {
                let row = look.row_of_name(*who, self.frame);
                Ok(row.map_or(Item::Nil, |row| Item::Text(look.state.names().text(row))))
            }
            Meaning::Outside => look.rules().variable(look.state, name, self.frame),
            Meaning::OutsideStat(head, stat) => look
                .rules()
                .variable(look.state, head, self.frame)
                .and_then(|row| {
                    let row = match &row {
                        Item::Text(id) => look.state.names().find(id),
                        Item::Nil | Item::Bool(_) | Item::Number(_) | Item::Several(_) => None,
                    };
                    look.stat_item(row, *stat)
                }),
        };
        item.map_err(Stop::Store)
    }

    fn call(&mut self, function: &str, operands: &[Item]) -> Result<Item, Stop> {
        let look = self.look;
        let result = look
            .rules()
            .call(look.state, function, operands, self.frame);
        result.map_err(Stop::Store)
    }
}
