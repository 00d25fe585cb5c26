//! A compiled expression: steps over a stack whose height is known at every step.

use std::fmt;

use super::{Item, Operator, Signature};
use crate::diag::Span;
use crate::value::Text;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Puts a constant on the stack, by its place.
    Constant(u16),
    /// Puts the value of a variable on the stack, by its place.
    Variable(u16),
    /// Calls a function, by its place.
    Call(u16),
    /// Applies an operator.
    Operator(Operator),
}

/// An operand of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    /// A variable, by its place in [`Program::variable_names`].
    Variable(usize),
    /// A constant.
    Constant(&'a Item),
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) steps: Vec<Step>,
    /// The place of the token of each step.
    pub(super) places: Vec<Span>,
    pub(super) constants: Vec<Item>,
    pub(super) variables: Vec<Text>,
    pub(super) functions: Vec<(Text, Signature)>,
    /// Values on the stack at most.
    pub(super) height: usize,
    /// Most bits of numerators and denominators.
    pub(super) bits: Option<u32>,
}

impl Program {
    /// Returns the variables, each once, in the order in which they are first needed.
    pub fn variable_names(&self) -> &[Text] {
        &self.variables
    }

    /// Returns the functions, each once.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(word, _)| &**word)
    }

    /// Returns the place where a variable is first needed.
    pub fn first_place_of_variable(&self, variable: usize) -> Span {
        self.place_of_step(
            |step| matches!(step, Step::Variable(at) if usize::from(*at) == variable),
        )
    }

    /// Returns the place where a function is first called.
    pub fn first_place_of_function(&self, word: &str) -> Span {
        self.place_of_step(
            |step| matches!(step, Step::Call(at) if &*self.functions[usize::from(*at)].0 == word),
        )
    }

    fn place_of_step(&self, is: impl Fn(&Step) -> bool) -> Span {
        let at = self.steps.iter().position(is);
        at.map_or_else(Span::default, |at| self.places[at])
    }

    /// Returns the names that functions get as texts, with their places.
    pub fn quoted_names(&self) -> impl Iterator<Item = (&str, Span)> {
        let pairs = self.steps.windows(2).zip(&self.places);
        pairs.filter_map(|(pair, place)| match pair {
            [Step::Constant(at), Step::Call(call)]
                if self.functions[usize::from(*call)].1.quotes =>
            {
                match &self.constants[usize::from(*at)] {
                    Item::Text(name) => Some((&**name, *place)),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// Returns how many steps it takes.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Returns the operands of an expression that only checks whether two things are the same.
    pub fn equality_operands(&self) -> Option<[Operand<'_>; 2]> {
        let [first, second, Step::Operator(Operator::Equal)] = self.steps[..] else {
            return None;
        };
        let operand = |step| match step {
            Step::Variable(at) => Some(Operand::Variable(usize::from(at))),
            Step::Constant(at) => Some(Operand::Constant(&self.constants[usize::from(at)])),
            Step::Call(_) | Step::Operator(_) => None,
        };
        Some([operand(first)?, operand(second)?])
    }

    fn step_token(&self, step: Step) -> String {
        match step {
            Step::Constant(at) => self.constants[usize::from(at)].to_token(),
            Step::Variable(at) => self.variables[usize::from(at)].to_string(),
            Step::Call(at) => self.functions[usize::from(at)].0.to_string(),
            Step::Operator(operator) => operator.word().to_owned(),
        }
    }
}

/// Programs are equal if they do the same in the same order. The places of their tokens are ignored.
impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.steps == other.steps
            && self.constants == other.constants
            && self.variables == other.variables
            && self.functions == other.functions
    }
}

impl Eq for Program {}

/// Prints the expression in brackets with commas; reading that gives the same program.
impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(")?;
        for (index, step) in self.steps.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let quoted = matches!(self.steps.get(index + 1), Some(Step::Call(at)) if self.functions[usize::from(*at)].1.quotes);
            match (quoted, step) {
                (true, Step::Constant(at)) => {
                    write!(out, "{comma}{}", self.constants[usize::from(*at)])?;
                }
                _ => write!(out, "{comma}{}", self.step_token(*step))?,
            }
        }
        out.write_str(")")
    }
}
