//! Turns the text of an expression into a program.
//!
//! Every token takes and gives a fixed number of values, so the number of values on the stack is known at compile time.
//! A program always finds enough values on the stack and ends with one value.

use super::error::ExprError;
use super::program::{Program, Step};
use super::token::{Kind, Token, split_tokens};
use super::{Dialect, Fraction, Item, Operator, STACK, Signature};
use crate::diag::{Span, near_hint};
use crate::value::Text;

/// Compiles an expression.
///
/// Errors: at least one, in the order of the text: `expr/syntax`, `expr/unknown`, `expr/underflow`,
/// `expr/leftover`, `expr/empty`, `expr/name`, `expr/overflow`, `limit/size`, `limit/depth`.
pub fn compile(text: &str, dialect: &Dialect) -> Result<Program, Vec<ExprError>> {
    let tokens = split_tokens(text, dialect.commas_only).map_err(|error| vec![error])?;
    let mut compiler = Compiler {
        dialect,
        program: Program {
            steps: Vec::with_capacity(tokens.len()),
            places: Vec::with_capacity(tokens.len()),
            constants: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            height: 0,
            bits: dialect.bits,
        },
        stack: 0,
        errors: Vec::new(),
    };
    for token in &tokens {
        if let Err(error) = compiler.compile_token(token) {
            compiler.errors.push(error);
            break;
        }
    }
    compiler.finish(Span::new(0, text.len()))
}

struct Compiler<'a> {
    dialect: &'a Dialect,
    program: Program,
    /// Values on the stack.
    stack: usize,
    errors: Vec<ExprError>,
}

impl Compiler<'_> {
    /// Adds the step of a token. Errors: those that make the rest of the text meaningless.
    fn compile_token(&mut self, token: &Token) -> Result<(), ExprError> {
        let word = match &token.kind {
            Kind::Quoted(text) => {
                return self.push_constant(Item::Text(text.as_str().into()), token.at);
            }
            Kind::Word(word) => word.as_str(),
        };
        if let Some((name, signature)) = self.dialect.functions.get_key_value(word) {
            return self.push_call(name, *signature, token.at);
        }
        if let Some(operator) = Operator::parse(word)
            && self.dialect.has_operator(word)
        {
            let (takes, gives) = (operator.operand_count(), operator.result_count());
            return self.push_step(Step::Operator(operator), token.at, word, takes, gives);
        }
        match word {
            "nil" => self.push_constant(Item::Nil, token.at),
            "true" => self.push_constant(Item::Bool(true), token.at),
            "false" => self.push_constant(Item::Bool(false), token.at),
            _ => match Fraction::parse(word) {
                Some(Ok(number)) => self.push_constant(Item::Number(number), token.at),
                Some(Err(fault)) => Err(fault.into_expr_error(word, token.at)),
                None => self.push_variable(word, token.at),
            },
        }
    }

    fn push_constant(&mut self, item: Item, at: Span) -> Result<(), ExprError> {
        let place = place_or_insert(&mut self.program.constants, &item, |item| item);
        self.push_step(Step::Constant(place), at, "", 0, 1)
    }

    fn push_variable(&mut self, name: &str, at: Span) -> Result<(), ExprError> {
        let text: Text = name.into();
        let place = place_or_insert(&mut self.program.variables, &text, |name| name);
        self.push_step(Step::Variable(place), at, name, 0, 1)
    }

    fn push_call(&mut self, name: &Text, signature: Signature, at: Span) -> Result<(), ExprError> {
        if signature.quotes {
            self.turn_variable_into_text(name, at)?;
        }
        let known = &mut self.program.functions;
        let place = place_or_insert(known, &(Text::clone(name), signature), |function| function);
        let operands = usize::from(signature.operands);
        self.push_step(Step::Call(place), at, name, operands, 1)
    }

    /// Passes the name before a function as a text.
    fn turn_variable_into_text(&mut self, function: &str, at: Span) -> Result<(), ExprError> {
        let last = self.program.steps.pop();
        let Some(Step::Variable(variable)) = last else {
            let message = format!("the operand before \"{function}\" must be a name");
            return Err(ExprError::new("expr/name", at, message));
        };
        let name = Item::Text(Text::clone(&self.program.variables[usize::from(variable)]));
        if !self.program.steps.contains(&Step::Variable(variable)) {
            // It was added last, for this token.
            self.program.variables.pop();
        }
        let at = place_or_insert(&mut self.program.constants, &name, |item| item);
        self.program.steps.push(Step::Constant(at));
        Ok(())
    }

    fn push_step(
        &mut self,
        step: Step,
        at: Span,
        word: &str,
        takes: usize,
        gives: usize,
    ) -> Result<(), ExprError> {
        let Some(rest) = self.stack.checked_sub(takes) else {
            let message = format!(
                "\"{word}\" needs {}, found {}",
                values_count_text(takes),
                self.stack
            );
            let error = ExprError::new("expr/underflow", at, message);
            return Err(error.hint("write operands before their operator: (2,3,+)".to_owned()));
        };
        self.stack = rest + gives;
        if self.stack > STACK {
            let message = format!("an expression may stack at most {STACK} values");
            return Err(ExprError::new("limit/depth", at, message));
        }
        self.program.height = self.program.height.max(self.stack);
        self.program.steps.push(step);
        self.program.places.push(at);
        Ok(())
    }

    fn finish(mut self, whole: Span) -> Result<Program, Vec<ExprError>> {
        let unknown = self.unknown_name_errors();
        if self.errors.is_empty() && unknown.is_empty() && self.stack != 1 {
            self.errors.push(self.leftover_error(whole));
        }
        self.errors.extend(unknown);
        self.errors.sort_by_key(|error| error.at);
        if self.errors.is_empty() {
            return Ok(self.program);
        }
        Err(self.errors)
    }

    /// Returns the names without a meaning, each once.
    fn unknown_name_errors(&self) -> Vec<ExprError> {
        let variables = self.program.variables.iter().enumerate();
        let unknown = variables.filter(|(_, name)| !self.dialect.allows_variable(name));
        unknown
            .map(|(index, name)| {
                let step =
                    |step: &Step| matches!(step, Step::Variable(at) if usize::from(*at) == index);
                let at = self.program.steps.iter().position(step).unwrap_or_default();
                let (word, what) = match name.split_once('.') {
                    None => (&**name, "name or function"),
                    Some((head, _)) => (head, "name"),
                };
                let message = format!("unknown {what} \"{word}\"");
                let error = ExprError::new("expr/unknown", self.program.places[at], message);
                error.hint(near_hint(word, self.dialect.all_words()))
            })
            .collect()
    }

    fn leftover_error(&self, whole: Span) -> ExprError {
        if self.stack == 0 {
            return ExprError::new("expr/empty", whole, "the expression ends without a value");
        }
        let message = format!(
            "the expression ends with {}, not one",
            values_count_text(self.stack)
        );
        let mut words: Vec<&str> = self.dialect.functions.keys().map(|word| &**word).collect();
        let operators = Operator::words().filter(|word| word.len() > 2);
        words.extend(operators.map(|word| word as &str));
        let names = self.program.variables.iter();
        let mut near = names
            .filter(|name| !name.contains('.'))
            .map(|name| near_hint(name, words.iter().copied()));
        let hint = near.find(|hint| !hint.is_empty()).unwrap_or_default();
        ExprError::new("expr/leftover", whole, message).hint(hint)
    }
}

fn values_count_text(count: usize) -> String {
    match count {
        1 => "one value".to_owned(),
        many => format!("{many} values"),
    }
}

/// Returns the place of an entry in a list, and adds a missing entry.
fn place_or_insert<T: Clone + PartialEq>(
    list: &mut Vec<T>,
    entry: &T,
    as_entry: fn(&T) -> &T,
) -> u16 {
    let found = list.iter().position(|other| as_entry(other) == entry);
    let at = found.unwrap_or_else(|| {
        list.push(entry.clone());
        list.len() - 1
    });
    u16::try_from(at).expect("invariant: an expression has at most 1,000 tokens")
}
