//! Compiled texts of a language, with the meanings of their names and the fuel of compiling.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use super::symbols::{Meaning, error_from_script};
use super::{Given, Language};
use crate::expr::{Dialect, ExprError, Program, compile};
use crate::script::api::definitions::definitions_of_collection;
use crate::script::api::expr::signature::read_signature;
use crate::script::host::{Host, Programs};
use crate::value::Text;

/// Compiled texts that a language keeps.
const READY: usize = 4_000;

/// Functions that expressions of a language may call.
pub(super) struct Functions {
    dialect: Dialect,
    run: BTreeMap<Text, Function>,
}

/// A compiled text, or its errors.
pub(super) struct Ready {
    /// The compiled text, if it differs from the given one.
    pub(super) prepared: Option<String>,
    pub(super) program: Result<Program, Vec<ExprError>>,
    /// The meaning of each variable.
    pub(super) meanings: Vec<Meaning>,
    /// The functions that it calls, by word.
    pub(super) run: BTreeMap<Text, Function>,
    /// Fuel of compiling the text.
    pub(super) fuel: u64,
}

impl Ready {
    /// Returns the text in which places are counted.
    pub(super) fn compiled_text<'a>(&'a self, source: &'a str) -> &'a str {
        self.prepared.as_deref().unwrap_or(source)
    }
}

impl Language {
    /// Returns a text in compiled form.
    pub(super) fn compile_once(&self, host: &Host, source: &str) -> mlua::Result<Rc<Ready>> {
        let known = self.ready.borrow().get(source).cloned();
        if let Some(known) = known {
            if !host.meter.try_charge_without_clock(known.fuel) {
                host.charge(known.fuel)?;
            }
            return Ok(known);
        }
        let before = host.meter.fuel_used();
        let mut made = self.compile_expression(host, source)?;
        made.fuel = host.meter.fuel_used().saturating_sub(before) + Programs::compile_fuel(source);
        host.meter.reset_fuel_used(before);
        host.charge(made.fuel)?;
        let made = Rc::new(made);
        let mut all = self.ready.borrow_mut();
        if all.len() >= READY {
            all.clear();
        }
        all.insert(source.to_owned(), Rc::clone(&made));
        Ok(made)
    }

    fn compile_expression(&self, host: &Host, source: &str) -> mlua::Result<Ready> {
        let functions = self.known_functions(host)?;
        let (program, prepared) = match self.ask_replacement_source(host, source)? {
            Ok(None) => (compile(source, &functions.dialect), None),
            Ok(Some(text)) => (compile(&text, &functions.dialect), Some(text)),
            Err(error) => (Err(vec![error]), None),
        };
        let mut ready = Ready {
            prepared,
            program,
            meanings: Vec::new(),
            run: BTreeMap::new(),
            fuel: 0,
        };
        let Ok(program) = &ready.program else {
            return Ok(ready);
        };
        for word in program.function_names() {
            let run = functions.run[word].clone();
            ready.run.insert(word.into(), run);
        }
        let mut unknown = Vec::new();
        for (at, name) in program.variable_names().iter().enumerate() {
            match self.ask_meaning_of_name(host, name)? {
                Ok(meaning) => ready.meanings.push(meaning),
                Err(error) => unknown.push(ExprError {
                    at: program.first_place_of_variable(at),
                    ..error
                }),
            }
        }
        if !unknown.is_empty() {
            ready.program = Err(unknown);
        }
        Ok(ready)
    }

    /// Asks for the text to compile in place of another. The inner error reports that the text is not an expression.
    fn ask_replacement_source(
        &self,
        host: &Host,
        source: &str,
    ) -> mlua::Result<Result<Option<String>, ExprError>> {
        let Some(prepare) = &self.prepare else {
            return Ok(Ok(None));
        };
        let (text, why): (Option<String>, LuaValue) =
            host.call_from_host_function(prepare, source)?;
        match text {
            Some(text) => Ok(Ok(Some(text))),
            None => {
                let unsaid = || ("expr/syntax".into(), "it is not an expression".to_owned());
                Ok(Err(error_from_script(&why, unsaid)?))
            }
        }
    }

    fn known_functions(&self, host: &Host) -> mlua::Result<Rc<Functions>> {
        if let Some(known) = self.functions.get() {
            return Ok(Rc::clone(known));
        }
        let mut functions = Functions {
            dialect: self.dialect.clone(),
            run: BTreeMap::new(),
        };
        match &self.given {
            Given::Table(table) => {
                table.for_each(|word: String, function: Table| {
                    functions.add_function(&word, &function)
                })?;
            }
            Given::Collections(names) => {
                for name in names {
                    for (id, definition) in definitions_of_collection(host, name)? {
                        let word: Option<String> = definition.raw_get("word")?;
                        functions.add_function(&word.unwrap_or(id), &definition)?;
                    }
                }
            }
        }
        Ok(Rc::clone(self.functions.get_or_init(|| Rc::new(functions))))
    }
}

impl Functions {
    fn add_function(&mut self, word: &str, function: &Table) -> mlua::Result<()> {
        let quotes = function.raw_get::<Option<bool>>("quotes")? == Some(true);
        let signature = read_signature(word, function.raw_get("operands")?, quotes)?;
        let word = Text::from(word);
        self.run
            .insert(Text::clone(&word), function.raw_get("run")?);
        self.dialect.functions.insert(word, signature);
        Ok(())
    }
}
