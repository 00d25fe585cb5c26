//! The operators that every expression can use.

use std::cmp::Ordering;

use super::error::Fault;
use super::{Fraction, Item};

/// A built-in operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// X+Y.
    Add,
    /// X-Y.
    Subtract,
    /// X·Y.
    Multiply,
    /// X/Y, exact.
    Divide,
    /// The remainder of X divided by Y, with the quotient rounded down; it has the sign of Y.
    Modulo,
    /// X to the power Y, a whole number from -64 to 64.
    Power,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// Rounds down.
    Floor,
    /// Rounds up.
    Ceil,
    /// Rounds to the nearest whole number, a half away from zero.
    Round,
    /// Removes the sign.
    Abs,
    /// Changes the sign.
    Negate,
    /// Whether two are the same.
    Equal,
    /// Whether two are not the same.
    Unequal,
    /// Whether X is below Y.
    Below,
    /// Whether X is not above Y.
    AtMost,
    /// Whether X is above Y.
    Above,
    /// Whether X is not below Y.
    AtLeast,
    /// X if Y holds, else Y.
    And,
    /// X if it holds, else Y.
    Or,
    /// Whether X does not hold.
    Not,
    /// Y if X holds, else Z.
    If,
    /// X twice.
    Duplicate,
    /// Removes X.
    Consume,
}

/// An operator as pages describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorText {
    /// Its words, the usual one first.
    pub words: Vec<&'static str>,
    /// How many values it takes: X, or X and Y, or X, Y and Z.
    pub operands: usize,
    /// What it gives.
    pub result: &'static str,
    /// An expression with it.
    pub example: &'static str,
}

/// Words, operators, operands. The first word of an operator is the printed one.
const WORDS: [(&str, Operator, u8); 31] = [
    ("+", Operator::Add, 2),
    ("-", Operator::Subtract, 2),
    ("*", Operator::Multiply, 2),
    ("/", Operator::Divide, 2),
    ("%", Operator::Modulo, 2),
    ("mod", Operator::Modulo, 2),
    ("^", Operator::Power, 2),
    ("min", Operator::Min, 2),
    ("max", Operator::Max, 2),
    ("floor", Operator::Floor, 1),
    ("ceil", Operator::Ceil, 1),
    ("round", Operator::Round, 1),
    ("abs", Operator::Abs, 1),
    ("neg", Operator::Negate, 1),
    ("==", Operator::Equal, 2),
    ("!=", Operator::Unequal, 2),
    ("<", Operator::Below, 2),
    ("<=", Operator::AtMost, 2),
    (">", Operator::Above, 2),
    (">=", Operator::AtLeast, 2),
    ("and", Operator::And, 2),
    ("&", Operator::And, 2),
    ("or", Operator::Or, 2),
    ("|", Operator::Or, 2),
    ("not", Operator::Not, 1),
    ("!", Operator::Not, 1),
    ("if", Operator::If, 3),
    ("ifelse", Operator::If, 3),
    ("duplicate", Operator::Duplicate, 1),
    ("consume", Operator::Consume, 1),
    ("drop", Operator::Consume, 1),
];

impl Operator {
    /// Returns the operator of a word.
    pub fn parse(word: &str) -> Option<Operator> {
        WORDS
            .iter()
            .find(|(known, ..)| *known == word)
            .map(|(_, operator, _)| *operator)
    }

    /// Returns all words of operators.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, ..)| *word)
    }

    fn table_entry(self) -> &'static (&'static str, Operator, u8) {
        let found = WORDS.iter().find(|(_, operator, _)| *operator == self);
        found.expect("invariant: every operator has a word")
    }

    /// Returns the word of this operator.
    pub fn word(self) -> &'static str {
        self.table_entry().0
    }

    /// Returns how many values it takes.
    pub fn operand_count(self) -> usize {
        usize::from(self.table_entry().2)
    }

    /// Returns the descriptions of all operators, in the order of their words.
    pub fn descriptions() -> Vec<OperatorText> {
        let mut found: Vec<OperatorText> = Vec::new();
        for (word, operator, operands) in &WORDS {
            let (result, example) = operator.description();
            match found.last_mut().filter(|last| last.result == result) {
                Some(last) => last.words.push(word),
                None => found.push(OperatorText {
                    words: vec![word],
                    operands: usize::from(*operands),
                    result,
                    example,
                }),
            }
        }
        found
    }

    /// Returns what it gives, and an example.
    fn description(self) -> (&'static str, &'static str) {
        match self {
            Operator::Add => ("the sum", "(8, 5, +)"),
            Operator::Subtract => ("X minus Y", "(8, 5, -)"),
            Operator::Multiply => ("the product", "(8, 1.5, *)"),
            Operator::Divide => ("the exact quotient", "(1, 3, /)"),
            Operator::Modulo => ("the remainder, with the sign of Y", "(-7, 3, %)"),
            Operator::Power => ("X to the power Y, a whole number", "(2, -2, ^)"),
            Operator::Min => ("the smaller number", "(3, 2, min)"),
            Operator::Max => ("the larger number", "(3, 2, max)"),
            Operator::Floor => ("X rounded down", "(-3.5, floor)"),
            Operator::Ceil => ("X rounded up", "(-3.5, ceil)"),
            Operator::Round => (
                "the nearest whole number, a half away from zero",
                "(-3.5, round)",
            ),
            Operator::Abs => ("X without its sign", "(-3.5, abs)"),
            Operator::Negate => ("X with the other sign", "(3.5, neg)"),
            Operator::Equal => ("whether both are equal", "(0.1, 0.2, +, 0.3, ==)"),
            Operator::Unequal => ("whether both are not equal", "(1, true, !=)"),
            Operator::Below => ("whether X is below Y", "(1, 2, <)"),
            Operator::AtMost => ("whether X is at most Y", "(2, 2, <=)"),
            Operator::Above => ("whether X is above Y", "(1, 2, >)"),
            Operator::AtLeast => ("whether X is at least Y", "(2, 2, >=)"),
            Operator::And => ("X if Y is true, else Y", "(3, 5, and)"),
            Operator::Or => ("X if it is true, else Y", "(0, 5, or)"),
            Operator::Not => ("whether X is false", "(7, not)"),
            Operator::If => ("Y if X is true, else Z", "(1, 10, 20, if)"),
            Operator::Duplicate => ("X twice", "(4, duplicate, *)"),
            Operator::Consume => ("removes X", "(5, 6, consume)"),
        }
    }

    /// Returns how many values it gives.
    pub fn result_count(self) -> usize {
        match self {
            Operator::Consume => 0,
            Operator::Duplicate => 2,
            _ => 1,
        }
    }

    /// Takes the operands off the stack, where they are, and puts the result on it.
    #[inline]
    pub(super) fn apply_to_stack(self, stack: &mut Vec<Item>) -> Result<(), Fault> {
        match self {
            Operator::Duplicate => stack.extend_from_within(stack.len() - 1..),
            Operator::Consume => drop(stack.pop()),
            Operator::If => {
                let (last, middle) = (pop_item(stack), pop_item(stack));
                let test = pop_item(stack);
                stack.push(if test.is_true() { middle } else { last });
            }
            Operator::Floor | Operator::Ceil | Operator::Round => self.apply_to_top(stack)?,
            Operator::Abs | Operator::Negate | Operator::Not => self.apply_to_top(stack)?,
            _ => {
                let second = pop_item(stack);
                let first = stack.last_mut().expect("invariant: operands are counted");
                let first_item = std::mem::take(first);
                *first = self.apply_to_two_operands(first_item, second)?;
            }
        }
        Ok(())
    }

    fn apply_to_top(self, stack: &mut [Item]) -> Result<(), Fault> {
        let item = stack.last_mut().expect("invariant: operands are counted");
        *item = match self {
            Operator::Not => Item::Bool(!item.is_true()),
            Operator::Floor => Item::Number(item.to_fraction()?.floor()),
            Operator::Ceil => Item::Number(item.to_fraction()?.ceil()),
            Operator::Round => Item::Number(item.to_fraction()?.round()),
            Operator::Abs => Item::Number(item.to_fraction()?.abs()),
            _ => Item::Number(item.to_fraction()?.negate()),
        };
        Ok(())
    }

    fn apply_to_two_operands(self, x: Item, y: Item) -> Result<Item, Fault> {
        let numbers = |operation: fn(Fraction, Fraction) -> Result<Fraction, Fault>| {
            operation(x.to_fraction()?, y.to_fraction()?).map(Item::Number)
        };
        let order = |holds: fn(Ordering) -> bool| {
            Ok(Item::Bool(holds(
                x.to_fraction()?.compare(y.to_fraction()?),
            )))
        };
        match self {
            Operator::Add => numbers(Fraction::add),
            Operator::Subtract => numbers(Fraction::subtract),
            Operator::Multiply => numbers(Fraction::multiply),
            Operator::Divide => numbers(Fraction::divide),
            Operator::Modulo => numbers(Fraction::modulo),
            Operator::Power => numbers(Fraction::power),
            Operator::Min => numbers(|x, y| Ok(x.min(y))),
            Operator::Max => numbers(|x, y| Ok(x.max(y))),
            Operator::Equal => Ok(Item::Bool(x.equals(&y))),
            Operator::Unequal => Ok(Item::Bool(!x.equals(&y))),
            Operator::Below => order(Ordering::is_lt),
            Operator::AtMost => order(Ordering::is_le),
            Operator::Above => order(Ordering::is_gt),
            Operator::AtLeast => order(Ordering::is_ge),
            Operator::And => Ok(if y.is_true() { x } else { y }),
            Operator::Or => Ok(if x.is_true() { x } else { y }),
            _ => unreachable!("operators of one or three operands are applied in place"),
        }
    }
}

fn pop_item(stack: &mut Vec<Item>) -> Item {
    stack
        .pop()
        .expect("invariant: operands are counted at compiling")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_is_described_with_an_example_that_has_it() {
        let described = Operator::descriptions();
        let words: Vec<&str> = described.iter().flat_map(|one| one.words.clone()).collect();
        assert_eq!(words, Operator::words().collect::<Vec<&str>>());
        for one in described {
            let tokens: Vec<&str> = one.example.trim_matches(['(', ')']).split(", ").collect();
            assert!(tokens.contains(&one.words[0]), "{one:?}");
        }
    }

    #[test]
    fn the_declaration_of_the_table_names_all_words() {
        let declared = include_str!("../script/api/expr.d.luau");
        let line = declared
            .lines()
            .find(|line| line.starts_with("--- Words: "));
        let line = line.expect("the words have a line");
        let named: Vec<&str> = line.split([' ', '`', ',']).collect();
        for word in Operator::words() {
            assert!(named.contains(&word), "{word}");
        }
    }
}
