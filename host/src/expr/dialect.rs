//! The names that an expression may use: functions with their operands, and names that have a meaning.

use std::collections::{BTreeMap, BTreeSet};

use super::Operator;
use crate::value::Text;

/// The signature of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// The number of values it takes; it gives one.
    pub operands: u8,
    /// Whether the last operand is a name, passed as its text and not looked up.
    pub quotes: bool,
}

/// The functions, names and operators that an expression may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dialect {
    /// Functions by word; a function with the word of an operator replaces that operator.
    pub functions: BTreeMap<Text, Signature>,
    /// Known variables: a whole name, or its part before the first dot. `None`: every name may be one.
    pub variables: Option<BTreeSet<Text>>,
    /// The operators that it has; `None`: all.
    pub operators: Option<BTreeSet<Text>>,
    /// Most bits of numerators and denominators; `None`: the limit of fractions.
    pub bits: Option<u32>,
    /// Whether only commas separate tokens, so that a name may contain spaces.
    pub commas_only: bool,
}

impl Dialect {
    /// Returns whether a name may be a variable.
    pub(super) fn allows_variable(&self, name: &str) -> bool {
        let head = name.split_once('.').map_or(name, |(head, _)| head);
        let known = self.variables.as_ref();
        known.is_none_or(|known| known.contains(name) || known.contains(head))
    }

    /// Returns whether an operator is one of this dialect.
    pub(super) fn has_operator(&self, operator: &str) -> bool {
        let operators = self.operators.as_ref();
        operators.is_none_or(|operators| operators.contains(operator))
    }

    /// Returns all words and names for near misses.
    pub(super) fn all_words(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.keys().map(|word| &**word);
        let operators = Operator::words().filter(|word| self.has_operator(word));
        let variables = self.variables.iter().flatten().map(|word| &**word);
        functions
            .chain(variables)
            .chain(operators.map(|word| word as &str))
    }
}
