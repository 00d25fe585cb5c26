//! Runs a compiled expression over a scope.

use super::error::{ExprError, Fault};
use super::program::{Program, Step};
use super::{Item, Signature};

/// The meaning of names and functions of an expression.
pub trait Scope {
    /// The errors that stop the run.
    type Error: From<ExprError>;

    /// Returns the value of a variable; `at` is its place in [`Program::variable_names`].
    fn variable(&mut self, at: usize, name: &str) -> Result<Item, Self::Error>;

    /// Returns the result of a function for its operands: as many as its signature declares.
    fn call(&mut self, function: &str, operands: &[Item]) -> Result<Item, Self::Error>;
}

impl Program {
    /// Returns the value of the expression: every token is run once, in order.
    ///
    /// Errors: the errors of the scope; `expr/type`, `expr/division`, `expr/power`, `expr/overflow`.
    pub fn evaluate<S: Scope>(&self, scope: &mut S) -> Result<Item, S::Error> {
        let mut stack: Vec<Item> = Vec::with_capacity(self.height);
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Constant(at) => stack.push(self.constants[usize::from(*at)].clone()),
                Step::Variable(at) => {
                    let at = usize::from(*at);
                    stack.push(scope.variable(at, &self.variables[at])?);
                }
                Step::Call(at) => {
                    let (function, Signature { operands, .. }) = &self.functions[usize::from(*at)];
                    let first = stack.len() - usize::from(*operands);
                    let result = scope.call(function, &stack[first..])?;
                    stack.truncate(first);
                    stack.push(result);
                }
                Step::Operator(operator) => operator
                    .apply_to_stack(&mut stack)
                    .and_then(|()| self.check_result_bits(stack.last()))
                    .map_err(|fault| fault.into_expr_error(operator.word(), self.places[index]))?,
            }
        }
        Ok(stack
            .pop()
            .expect("invariant: one value is left at the end"))
    }

    /// Finds a number with more bits than the dialect has.
    fn check_result_bits(&self, made: Option<&Item>) -> Result<(), Fault> {
        match (self.bits, made) {
            (Some(bits), Some(Item::Number(number))) if !number.fits_bits(bits) => {
                Err(Fault::Overflow)
            }
            _ => Ok(()),
        }
    }
}
