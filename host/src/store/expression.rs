//! The expressions in cells and declarations: guards, places of auras, formulas.
//!
//! Row names: `self` is the row whose stat is read, `owner` the row that carries the record. `source` is the maker of
//! the record, `record` the record itself, `clock` the host's clock. `self.NAME` is the shown value of a stat.
//! `self.id` is the id of the row, like `self` alone, and `self.kind` its kind.
//!
//! All other names and functions belong to the rules; only a layer above the store can answer them.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{self, Dialect, ExprError, Item, Operand, Program, Signature};
use crate::value::{Name, Names, Text};

/// The row of the clock.
const CLOCK: &str = "@clock";

/// Names and functions that live rules add to the expressions of the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Names with values from a layer above the store.
    pub variables: BTreeSet<Text>,
    /// Functions that a layer above the store runs.
    pub functions: BTreeMap<Text, Signature>,
}

impl Vocabulary {
    /// Returns whether the rules add nothing.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.functions.is_empty()
    }
}

/// Place of an expression, which decides the rows that it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// With a record: in a guard, in the place of an aura, in an end.
    Record,
    /// Without a record: in the formula of a stat; `owner` is the owner of a record whose stat is read.
    Stat,
}

impl Role {
    /// Returns the names that mean a row here.
    pub fn row_names(self) -> &'static [&'static str] {
        match self {
            Role::Record => &["self", "owner", "source", "record", "clock"],
            Role::Stat => &["self", "owner", "clock"],
        }
    }
}

/// A row that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedRow {
    Itself,
    Owner,
    Source,
    Record,
    Clock(Name),
}

/// Meaning of a variable of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The id of a row.
    Row(NamedRow),
    /// The shown value of a stat of a row.
    Stat(NamedRow, Name),
    /// A value from the rules.
    Outside,
    /// A stat of a row from the rules: the name before the dot, and the stat.
    OutsideStat(Text, Name),
}

/// An expression of the store; an unreadable expression is inactive.
#[derive(Clone, Debug)]
pub struct Expression {
    text: Text,
    made: Result<Compiled, ExprError>,
}

#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) program: Program,
    /// The meaning of each variable of the program.
    pub(super) meanings: Vec<Meaning>,
    /// Whether its value may depend on `self`.
    pub(super) depends_on_self: bool,
    /// Its comparison, if the expression is only one comparison.
    pub(super) same: Option<OwnStatComparison>,
}

/// A comparison of a stat of `self` with a value that is the same for every `self`.
#[derive(Clone, Debug)]
pub(super) struct OwnStatComparison {
    pub(super) stat: Name,
    pub(super) other: Other,
}

/// The other side of a comparison with a stat of `self`.
#[derive(Clone, Debug)]
pub(super) enum Other {
    /// A variable, by its place.
    Variable(usize),
    /// A constant.
    Constant(Item),
}

impl Expression {
    /// Compiles an expression for the rules that are live.
    pub fn new(text: &Text, role: Role, vocabulary: &Vocabulary, names: &Names) -> Expression {
        let rows = role.row_names().iter().map(|word| Text::from(*word));
        let dialect = Dialect {
            functions: vocabulary.functions.clone(),
            variables: Some(vocabulary.variables.iter().cloned().chain(rows).collect()),
            ..Dialect::default()
        };
        let made = expr::compile(text, &dialect)
            .map(|program| Compiled::new(program, names))
            .map_err(|mut errors| errors.swap_remove(0));
        Expression {
            text: Text::clone(text),
            made,
        }
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Returns the reason why it cannot be read.
    pub fn error(&self) -> Option<&ExprError> {
        self.made.as_ref().err()
    }

    /// Returns the stats of `self` that it reads.
    pub fn stats_read_of_self(&self) -> impl Iterator<Item = Name> {
        let meanings = self.made.iter().flat_map(|made| &made.meanings);
        meanings.filter_map(|meaning| match meaning {
            Meaning::Stat(NamedRow::Itself, stat) => Some(*stat),
            Meaning::Row(_) | Meaning::Stat(..) | Meaning::Outside | Meaning::OutsideStat(..) => {
                None
            }
        })
    }

    pub(super) fn compiled(&self) -> Option<&Compiled> {
        self.made.as_ref().ok()
    }
}

/// Two expressions are equal if they have the same text and the same meaning.
impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        let same = match (&self.made, &other.made) {
            (Ok(own), Ok(other)) => own.program == other.program && own.meanings == other.meanings,
            (Err(own), Err(other)) => own == other,
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        };
        same && self.text == other.text
    }
}

impl Eq for Expression {}

impl Compiled {
    fn new(program: Program, names: &Names) -> Compiled {
        let variables = program.variable_names().iter();
        let meanings: Vec<Meaning> = variables.map(|name| meaning_of_name(name, names)).collect();
        let own = |meaning: &Meaning| match meaning {
            Meaning::Row(who) | Meaning::Stat(who, _) => *who == NamedRow::Itself,
            Meaning::Outside | Meaning::OutsideStat(..) => true,
        };
        let depends_on_self = meanings.iter().any(own) || program.function_names().next().is_some();
        Compiled {
            same: own_stat_comparison(&program, &meanings),
            program,
            meanings,
            depends_on_self,
        }
    }
}

fn own_stat_comparison(program: &Program, meanings: &[Meaning]) -> Option<OwnStatComparison> {
    let [first, second] = program.equality_operands()?;
    let own = |operand: Operand<'_>| match operand {
        Operand::Variable(at) => match meanings[at] {
            Meaning::Stat(NamedRow::Itself, stat) => Some(stat),
            Meaning::Stat(..) | Meaning::Row(_) | Meaning::Outside | Meaning::OutsideStat(..) => {
                None
            }
        },
        Operand::Constant(_) => None,
    };
    let (stat, other) = match (own(first), own(second)) {
        (Some(stat), None) => (stat, second),
        (None, Some(stat)) => (stat, first),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let other = match other {
        Operand::Constant(item) => Other::Constant(item.clone()),
        Operand::Variable(at) => match &meanings[at] {
            Meaning::Stat(who, _) | Meaning::Row(who) if *who != NamedRow::Itself => {
                Other::Variable(at)
            }
            Meaning::Stat(..) | Meaning::Row(_) | Meaning::Outside | Meaning::OutsideStat(..) => {
                return None;
            }
        },
    };
    Some(OwnStatComparison { stat, other })
}

fn meaning_of_name(name: &str, names: &Names) -> Meaning {
    let (head, stat) = match name.split_once('.') {
        None => (name, None),
        Some((head, stat)) => (head, Some(names.intern(stat))),
    };
    let who = match head {
        "self" => NamedRow::Itself,
        "owner" => NamedRow::Owner,
        "source" => NamedRow::Source,
        "record" => NamedRow::Record,
        "clock" => NamedRow::Clock(names.intern(CLOCK)),
        _ => {
            return stat.map_or(Meaning::Outside, |stat| {
                Meaning::OutsideStat(head.into(), stat)
            });
        }
    };
    match stat {
        // The id and the kind of a row are not stats.
        None => Meaning::Row(who),
        Some(_) if name.ends_with(".id") => Meaning::Row(who),
        Some(_) if name.ends_with(".kind") => Meaning::Stat(who, names.intern("@kind")),
        Some(stat) => Meaning::Stat(who, stat),
    }
}
