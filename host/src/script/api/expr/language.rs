//! This module is languages of expressions, made ready once by `expr.language`, and their methods.
//!
//! A text is compiled and its names are given their meaning when it is first used; what that cost in fuel, each later
//! use costs too, so that what was remembered shows nowhere.

mod asking;
mod fast;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use foldhash::fast::RandomState;
use mlua::{
    AnyUserData, Function, Lua, LuaString, MetaMethod, Table, UserData, UserDataFields,
    UserDataRef, Value as LuaValue,
};

use super::super::super::error::HostError;
use super::super::super::host::Host;
use super::super::super::outside::{item_from_lua, item_to_lua};
use super::super::super::raw::{Key, NameArgument, This};
use super::super::definitions::collection;
use super::super::{Library, refused};
use super::{Programs, STEPS, signature};
use crate::diag::{Diagnostic, Span, near_hint};
use crate::expr::{Dialect, ExprError, Item, Program, compile};
use crate::value::{Name, Text};
use asking::{Asking, Stop};
use fast::FastEval;

/// Where the machine keeps the methods of languages.
const METHODS: &str = "arbiter.language";

/// Texts that a language keeps ready.
const READY: usize = 4_000;

/// What a language is made of.
const KEYS: [&str; 8] = [
    "most_bits",
    "commas",
    "largest_denominator",
    "functions",
    "mean",
    "operators",
    "prepare",
    "value",
];

/// A language in the hands of a script.
struct Handle(Rc<Language>);

/// The languages of a machine, by the address of what scripts hold; some of them may be gone.
#[derive(Default)]
pub(crate) struct Languages {
    all: RefCell<HashMap<usize, Weak<Language>, RandomState>>,
    /// How many there were when those that are gone were last taken out.
    lasting: Cell<usize>,
}

/// What expressions may say, and what that means.
struct Language {
    given: Given,
    mean: Function,
    value: Function,
    /// Makes of a text the one that is compiled.
    prepare: Option<Function>,
    dialect: Dialect,
    functions: OnceCell<Rc<Functions>>,
    ready: RefCell<HashMap<String, Rc<Ready>, RandomState>>,
    /// Up to which denominator a rounded number is taken for a fraction.
    recalled: Option<i128>,
}

/// Where the functions of a language come from.
enum Given {
    Table(Table),
    /// The definitions of some collections, which are known when all files are read.
    Collections(Vec<String>),
}

/// What expressions of a language may call.
struct Functions {
    dialect: Dialect,
    run: BTreeMap<Text, Function>,
}

/// A text that was compiled, or what is wrong with it.
struct Ready {
    /// What was compiled, where that is another text.
    prepared: Option<String>,
    program: Result<Program, Vec<ExprError>>,
    /// What each variable means.
    meanings: Vec<Meaning>,
    /// The functions that it calls, by word.
    run: BTreeMap<Text, Function>,
    /// Whether it calls no function, and asks for no name that has a row or a list.
    is_plain: bool,
    /// What making it ready cost.
    fuel: u64,
}

impl Ready {
    /// Returns the text in which places are counted.
    fn text<'a>(&'a self, source: &'a str) -> &'a str {
        self.prepared.as_deref().unwrap_or(source)
    }
}

/// What a name means.
enum Meaning {
    /// Always the same.
    Constant(Item),
    /// A stat of the row that the context names.
    Stat {
        who: Key,
        stat: Name,
        /// It counts rounded down.
        whole: bool,
        meaning: LuaValue,
    },
    /// An item of a list that the context has.
    Held {
        list: Key,
        at: i32,
        meaning: LuaValue,
    },
    /// What the language says.
    Asked(LuaValue),
}

impl Languages {
    fn know(&self, handle: &AnyUserData, language: &Rc<Language>) {
        let mut all = self.all.borrow_mut();
        if all.len() > 2 * self.lasting.get() {
            all.retain(|_, language| language.strong_count() > 0);
            self.lasting.set(all.len() + 1);
        }
        all.insert(handle.to_pointer() as usize, Rc::downgrade(language));
    }

    fn find(&self, handle: This) -> Option<Rc<Language>> {
        self.all.borrow().get(&handle.0)?.upgrade()
    }
}

impl UserData for Handle {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Language");
        fields.add_meta_field_with(MetaMethod::Index, methods);
    }
}

/// Registers the methods of languages.
pub(super) fn register(lua: &Lua, host: &Rc<Host>, raw: bool) -> mlua::Result<()> {
    let methods = Library::new(lua, host, "Language")?
        .add("eval", eval)?
        .fast::<FastEval>("eval", raw)?
        .add("text", text)?
        .add("read", read)?
        .done();
    methods.set_readonly(true);
    lua.set_named_registry_value(METHODS, methods)
}

/// Returns the methods of languages.
pub(in super::super::super) fn methods(lua: &Lua) -> mlua::Result<Table> {
    lua.named_registry_value(METHODS)
}

/// Makes a language.
pub(super) fn language(lua: &Lua, host: &Host, options: Table) -> mlua::Result<AnyUserData> {
    host.charge(64)?;
    let mut strange = None;
    options.for_each(|key: String, _: LuaValue| {
        strange = strange.take().or((!KEYS.contains(&&*key)).then_some(key));
        Ok(())
    })?;
    if let Some(key) = strange {
        let message = format!("`expr.language` has no option \"{key}\"");
        let finding = Diagnostic::error("script/argument", message);
        return Err(HostError::raise(finding.hint(near_hint(&key, KEYS))));
    }
    let given = match options.raw_get::<LuaValue>("functions")? {
        LuaValue::String(name) => Given::Collections(vec![name.to_str()?.to_owned()]),
        LuaValue::Table(table) if table.raw_len() > 0 => {
            let names = table.sequence_values::<String>();
            Given::Collections(names.collect::<mlua::Result<_>>()?)
        }
        LuaValue::Table(table) => Given::Table(table),
        _ => Given::Table(lua.create_table()?),
    };
    let function = |key: &str| {
        let found: Option<Function> = options.raw_get(key)?;
        let why = || format!("`expr.language` needs the function `{key}`");
        found.ok_or_else(|| refused("script/argument", why()))
    };
    let operators: Option<Vec<String>> = options.raw_get("operators")?;
    let language = Rc::new(Language {
        given,
        mean: function("mean")?,
        value: function("value")?,
        prepare: options.raw_get("prepare")?,
        dialect: Dialect {
            bits: options.raw_get("most_bits")?,
            commas_only: options.raw_get::<Option<bool>>("commas")? == Some(true),
            operators: operators.map(|words| words.into_iter().map(Text::from).collect()),
            ..Dialect::default()
        },
        functions: OnceCell::new(),
        ready: RefCell::default(),
        recalled: options
            .raw_get::<Option<u32>>("largest_denominator")?
            .map(i128::from),
    });
    let handle = lua.create_userdata(Handle(Rc::clone(&language)))?;
    host.languages.know(&handle, &language);
    Ok(handle)
}

fn eval(
    lua: &Lua,
    host: &Host,
    (language, act, source, context): (UserDataRef<Handle>, Table, LuaString, Table),
) -> mlua::Result<(LuaValue, Option<Table>)> {
    let source = source.to_str()?;
    match language.0.value_of((lua, host), &act, &source, &context)? {
        Ok(item) => Ok((item_to_lua(&item, lua)?, None)),
        Err(fault) => Ok((LuaValue::Nil, Some(fault))),
    }
}

fn text(
    lua: &Lua,
    host: &Host,
    (language, act, source, context): (UserDataRef<Handle>, Table, LuaString, Table),
) -> mlua::Result<(Option<String>, Option<Table>)> {
    let source = source.to_str()?;
    match language.0.value_of((lua, host), &act, &source, &context)? {
        Ok(item) => Ok((Some(item.to_string()), None)),
        Err(fault) => Ok((None, Some(fault))),
    }
}

/// Returns what an expression says before it is computed.
fn read(
    lua: &Lua,
    host: &Host,
    (language, source): (UserDataRef<Handle>, String),
) -> mlua::Result<Table> {
    let ready = language.0.ready(host, &source)?;
    let source = ready.text(&source);
    let told = lua.create_table()?;
    let list = |items: Vec<Table>| lua.create_sequence_from(items);
    match &ready.program {
        Err(errors) => {
            let errors = errors.iter().map(|error| fault(lua, source, error));
            told.raw_set("errors", list(errors.collect::<mlua::Result<_>>()?)?)?;
            told.raw_set("names", list(Vec::new())?)?;
            told.raw_set("quoted", list(Vec::new())?)?;
            told.raw_set("functions", lua.create_table()?)?;
        }
        Ok(program) => {
            told.raw_set("errors", list(Vec::new())?)?;
            let names = program.variables().iter().enumerate();
            let names = names.map(|(at, name)| {
                let place = program.place_of_variable(at);
                let entry = placed(lua, source, name, place)?;
                entry.raw_set("meaning", meaning_of(&ready.meanings[at], lua)?)?;
                Ok(entry)
            });
            told.raw_set("names", list(names.collect::<mlua::Result<_>>()?)?)?;
            let quoted = program.quoted();
            let quoted = quoted.map(|(name, place)| placed(lua, source, name, place));
            told.raw_set("quoted", list(quoted.collect::<mlua::Result<_>>()?)?)?;
            told.raw_set("functions", lua.create_sequence_from(program.functions())?)?;
        }
    }
    Ok(told)
}

fn meaning_of(meaning: &Meaning, lua: &Lua) -> mlua::Result<LuaValue> {
    match meaning {
        Meaning::Constant(item) => item_to_lua(item, lua),
        Meaning::Stat { meaning, .. } | Meaning::Held { meaning, .. } | Meaning::Asked(meaning) => {
            Ok(meaning.clone())
        }
    }
}

fn placed(lua: &Lua, source: &str, name: &str, place: Span) -> mlua::Result<Table> {
    let (from, to) = characters(source, place);
    let entry = lua.create_table()?;
    entry.raw_set("name", name)?;
    entry.raw_set("from", from)?;
    entry.raw_set("to", to)?;
    Ok(entry)
}

/// Returns an error as scripts get it.
fn fault(lua: &Lua, source: &str, error: &ExprError) -> mlua::Result<Table> {
    let (from, to) = characters(source, error.at);
    let table = lua.create_table()?;
    table.raw_set("code", &*error.code)?;
    table.raw_set("message", &*error.message)?;
    if !error.hint.is_empty() {
        table.raw_set("hint", &*error.hint)?;
    }
    table.raw_set("from", from)?;
    table.raw_set("to", to)?;
    Ok(table)
}

/// Returns the first and the last character of a piece, from 1.
fn characters(source: &str, place: Span) -> (usize, usize) {
    let before = source[..place.start].chars().count();
    (
        before + 1,
        before + source[place.start..place.end].chars().count(),
    )
}

impl Language {
    /// Returns the value of a text. The inner error is one of the expression, as scripts get it.
    fn value_of(
        &self,
        (lua, host): (&Lua, &Host),
        act: &Table,
        source: &str,
        context: &Table,
    ) -> mlua::Result<Result<Item, Table>> {
        let ready = self.ready(host, source)?;
        let wrong = |error: &ExprError| fault(lua, ready.text(source), error).map(Err);
        let program = match &ready.program {
            Ok(program) => program,
            Err(errors) => return wrong(&errors[0]),
        };
        host.charge(program.steps().div_ceil(STEPS) as u64)?;
        let mut asking = Asking {
            lua,
            host,
            language: self,
            ready: &ready,
            program,
            act: This(act.to_pointer() as usize),
            context,
            last: None,
        };
        match program.evaluate(&mut asking) {
            Ok(item) => Ok(Ok(item)),
            Err(Stop::Expression(error)) => wrong(&error),
            Err(Stop::Script(error)) => Err(error),
        }
    }

    /// Returns the exact fraction for a number that was rounded on its way.
    fn recalled(&self, item: Item) -> Item {
        match (self.recalled, item) {
            (Some(most), Item::Number(number)) => Item::Number(number.recalled(most)),
            (_, item) => item,
        }
    }

    /// Returns what a stat counts as.
    fn counted(&self, item: Item, whole: bool) -> Item {
        match self.recalled(item) {
            Item::Number(number) if whole => Item::Number(number.floor()),
            item => item,
        }
    }

    /// Returns a text ready to be computed.
    fn ready(&self, host: &Host, source: &str) -> mlua::Result<Rc<Ready>> {
        let known = self.ready.borrow().get(source).cloned();
        if let Some(known) = known {
            if !host.meter.charge_again(known.fuel) {
                host.charge(known.fuel)?;
            }
            return Ok(known);
        }
        let before = host.meter.used();
        let mut made = self.made(host, source)?;
        made.fuel = host.meter.used() - before + Programs::work(source);
        host.meter.reset(before);
        host.charge(made.fuel)?;
        let made = Rc::new(made);
        let mut all = self.ready.borrow_mut();
        if all.len() >= READY {
            all.clear();
        }
        all.insert(source.to_owned(), Rc::clone(&made));
        Ok(made)
    }

    fn made(&self, host: &Host, source: &str) -> mlua::Result<Ready> {
        let functions = self.functions(host)?;
        let (program, prepared) = match self.prepared(host, source)? {
            Ok(None) => (compile(source, &functions.dialect), None),
            Ok(Some(text)) => (compile(&text, &functions.dialect), Some(text)),
            Err(error) => (Err(vec![error]), None),
        };
        let mut ready = Ready {
            prepared,
            program,
            meanings: Vec::new(),
            run: BTreeMap::new(),
            is_plain: false,
            fuel: 0,
        };
        let Ok(program) = &ready.program else {
            return Ok(ready);
        };
        for word in program.functions() {
            let run = functions.run[word].clone();
            ready.run.insert(word.into(), run);
        }
        let mut unknown = Vec::new();
        for (at, name) in program.variables().iter().enumerate() {
            match self.meaning(host, name)? {
                Ok(meaning) => ready.meanings.push(meaning),
                Err(error) => unknown.push(ExprError {
                    at: program.place_of_variable(at),
                    ..error
                }),
            }
        }
        let mut meanings = ready.meanings.iter();
        ready.is_plain =
            ready.run.is_empty() && !meanings.any(|meaning| matches!(meaning, Meaning::Asked(_)));
        if !unknown.is_empty() {
            ready.program = Err(unknown);
        }
        Ok(ready)
    }

    /// Asks which text is compiled in place of another. The inner error says that it is no expression.
    fn prepared(
        &self,
        host: &Host,
        source: &str,
    ) -> mlua::Result<Result<Option<String>, ExprError>> {
        let Some(prepare) = &self.prepare else {
            return Ok(Ok(None));
        };
        let _scope = host.meter.enter().map_err(HostError::limit)?;
        let (text, why): (Option<String>, LuaValue) = prepare.call(source)?;
        match text {
            Some(text) => Ok(Ok(Some(text))),
            None => {
                let unsaid = || ("expr/syntax".into(), "it is no expression".to_owned());
                Ok(Err(said(&why, unsaid)?))
            }
        }
    }

    /// Asks what a name means. The inner error says that it means nothing.
    fn meaning(&self, host: &Host, name: &str) -> mlua::Result<Result<Meaning, ExprError>> {
        let _scope = host.meter.enter().map_err(HostError::limit)?;
        let (meaning, why): (LuaValue, LuaValue) = self.mean.call(name)?;
        let table = match meaning {
            LuaValue::Nil => {
                let unknown = || {
                    (
                        "expr/unknown".into(),
                        format!("there is no name \"{name}\""),
                    )
                };
                return Ok(Err(said(&why, unknown)?));
            }
            LuaValue::Table(table) => table,
            other => return Ok(Ok(Meaning::Asked(other))),
        };
        let constant: LuaValue = table.raw_get("constant")?;
        if !constant.is_nil() {
            return item(name, constant).map(|item| Ok(Meaning::Constant(item)));
        }
        let (who, stat): (Option<LuaString>, Option<String>) =
            (table.raw_get("row")?, table.raw_get("stat")?);
        let (list, at): (Option<LuaString>, Option<i64>) =
            (table.raw_get("list")?, table.raw_get("at")?);
        Ok(Ok(match (who, stat, list, at) {
            (Some(who), Some(stat), ..) => Meaning::Stat {
                who: Key::new(who),
                stat: host.new_name(&NameArgument::Text(stat))?,
                whole: table.raw_get::<Option<bool>>("whole")? == Some(true),
                meaning: LuaValue::Table(table),
            },
            (_, _, Some(list), Some(at)) if let Ok(at) = i32::try_from(at) => Meaning::Held {
                list: Key::new(list),
                at,
                meaning: LuaValue::Table(table),
            },
            _ => Meaning::Asked(LuaValue::Table(table)),
        }))
    }

    fn functions(&self, host: &Host) -> mlua::Result<Rc<Functions>> {
        if let Some(known) = self.functions.get() {
            return Ok(Rc::clone(known));
        }
        let mut functions = Functions {
            dialect: self.dialect.clone(),
            run: BTreeMap::new(),
        };
        match &self.given {
            Given::Table(table) => {
                table.for_each(|word: String, function: Table| functions.add(&word, &function))?;
            }
            Given::Collections(names) => {
                for name in names {
                    for (id, definition) in collection(host, name)? {
                        let word: Option<String> = definition.raw_get("word")?;
                        functions.add(&word.unwrap_or(id), &definition)?;
                    }
                }
            }
        }
        Ok(Rc::clone(self.functions.get_or_init(|| Rc::new(functions))))
    }
}

impl Functions {
    fn add(&mut self, word: &str, function: &Table) -> mlua::Result<()> {
        let quotes = function.raw_get::<Option<bool>>("quotes")? == Some(true);
        let signature = signature(word, function.raw_get("operands")?, quotes)?;
        let word = Text::from(word);
        self.run
            .insert(Text::clone(&word), function.raw_get("run")?);
        self.dialect.functions.insert(word, signature);
        Ok(())
    }
}

/// What a script gives as a reason: `{ code, message, hint }`.
fn said(why: &LuaValue, otherwise: impl FnOnce() -> (String, String)) -> mlua::Result<ExprError> {
    let (code, message, hint) = match why {
        LuaValue::Table(table) => (
            table.raw_get::<String>("code")?,
            table.raw_get::<String>("message")?,
            table.raw_get::<Option<String>>("hint")?.unwrap_or_default(),
        ),
        _ => {
            let (code, message) = otherwise();
            (code, message, String::new())
        }
    };
    Ok(ExprError {
        code: code.into(),
        message,
        at: Span::default(),
        hint,
    })
}

fn item(name: &str, value: LuaValue) -> mlua::Result<Item> {
    item_from_lua(value).map_err(|found| {
        let message = format!("\"{name}\" gives an expression {found}");
        let finding = Diagnostic::error("script/argument", message);
        HostError::raise(finding.hint("give a number, a decimal, true, false, a text or nothing"))
    })
}
