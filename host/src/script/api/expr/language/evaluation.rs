//! Evaluation of an expression of a language: the values of names and functions.

use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use super::Language;
use super::compiled::Ready;
use super::key::Key;
use super::symbols::{Meaning, error_from_script, item_from_script};
use crate::diag::Span;
use crate::expr::{ExprError, Item, Program, Scope};
use crate::script::border::stack_value::{NameArgument, This};
use crate::script::host::Host;
use crate::script::inquiry::expression_callbacks::{item_to_lua, look_with_rules};
use crate::value::{Name, Value};

/// Errors that stop an expression.
pub(super) enum Stop {
    Script(mlua::Error),
    Expression(ExprError),
}

impl From<ExprError> for Stop {
    fn from(error: ExprError) -> Stop {
        Stop::Expression(error)
    }
}

impl From<mlua::Error> for Stop {
    fn from(error: mlua::Error) -> Stop {
        Stop::Script(error)
    }
}

/// An expression during its evaluation.
pub(super) struct Asking<'a> {
    pub(super) lua: &'a Lua,
    pub(super) host: &'a Host,
    pub(super) language: &'a Language,
    pub(super) ready: &'a Ready,
    pub(super) program: &'a Program,
    pub(super) act: This,
    pub(super) context: &'a Table,
    /// The row of the last word that was looked up in the context, with the address of that word.
    pub(super) last: Option<(usize, Option<Name>)>,
}

impl Asking<'_> {
    /// Calls a function of the language. The function returns a value, or nil and a reason.
    fn call_function(
        &self,
        (name, at): (&str, Span),
        function: &Function,
        arguments: MultiValue,
    ) -> Result<Item, Stop> {
        let (value, why): (LuaValue, LuaValue) =
            self.host.call_from_host_function(function, arguments)?;
        if value.is_nil() && why.is_table() {
            let error = error_from_script(&why, Default::default)?;
            return Err(Stop::Expression(ExprError { at, ..error }));
        }
        Ok(self
            .language
            .exact_fraction_of_rounded(item_from_script(name, value)?))
    }

    fn ask_value_of_name(&self, at: usize, name: &str, meaning: &LuaValue) -> Result<Item, Stop> {
        let name_of = self.lua.create_string(name)?;
        let arguments = [
            LuaValue::Table(self.context.clone()),
            meaning.clone(),
            LuaValue::String(name_of),
        ];
        let place = self.program.first_place_of_variable(at);
        let arguments = MultiValue::from_iter(arguments);
        self.call_function((name, place), &self.language.value, arguments)
    }

    /// Returns the row that the context has under a word.
    fn context_row(&mut self, who: &Key) -> mlua::Result<Option<Name>> {
        if let Some((last, row)) = self.last
            && last == who.text_address()
        {
            return Ok(row);
        }
        // The word is read as a name, so that it has an atom from now on, for the fast way.
        let row: Option<NameArgument> = self.context.raw_get(who.held_text())?;
        let row = row.and_then(|row| self.host.existing_name(&row).ok());
        self.last = Some((who.text_address(), row));
        Ok(row)
    }

    /// Returns a stat of the row that the context names. Returns nothing if the context has no such row or the row does
    /// not exist.
    fn context_stat(&mut self, who: &Key, stat: Name) -> mlua::Result<Value> {
        let row = self.context_row(who)?;
        let run = self.host.ruling(self.act)?;
        match row.filter(|row| run.state.exists(*row)) {
            Some(row) => {
                look_with_rules(self.lua, self.host, run, |look| look.stat_value(row, stat))
            }
            None => Ok(Value::Nil),
        }
    }
}

impl Scope for Asking<'_> {
    type Error = Stop;

    fn variable(&mut self, at: usize, name: &str) -> Result<Item, Stop> {
        match &self.ready.meanings[at] {
            Meaning::Constant(item) => Ok(item.clone()),
            Meaning::Stat {
                who,
                stat,
                whole,
                meaning,
            } => {
                let value = self.context_stat(who, *stat)?;
                match Item::from_value(&value) {
                    Ok(Item::Nil) | Err(_) => self.ask_value_of_name(at, name, meaning),
                    Ok(item) => Ok(self.language.stat_as_item(item, *whole)),
                }
            }
            Meaning::Held {
                list,
                at: index,
                meaning,
            } => {
                let list: Option<Table> = self.context.raw_get(list.held_text())?;
                let held = list.map_or(Ok(LuaValue::Nil), |list| list.raw_get(*index))?;
                match held {
                    LuaValue::Nil => self.ask_value_of_name(at, name, meaning),
                    held => Ok(self
                        .language
                        .exact_fraction_of_rounded(item_from_script(name, held)?)),
                }
            }
            Meaning::Asked(meaning) => self.ask_value_of_name(at, name, meaning),
        }
    }

    fn call(&mut self, word: &str, operands: &[Item]) -> Result<Item, Stop> {
        let mut arguments = Vec::with_capacity(operands.len() + 1);
        arguments.push(LuaValue::Table(self.context.clone()));
        for operand in operands {
            arguments.push(item_to_lua(operand, self.lua)?);
        }
        let place = self.program.first_place_of_function(word);
        let arguments = MultiValue::from_vec(arguments);
        self.call_function((word, place), &self.ready.run[word], arguments)
    }
}
