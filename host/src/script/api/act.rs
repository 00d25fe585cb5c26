//! This module is what a running rule may do: read and change the game, draw chance, say things.

use std::cell::RefMut;
use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::super::convert;
use super::super::error::HostError;
use super::super::host::Host;
use super::super::raw::{Argument, NameArgument, Numbers, Returned, Texts, This};
use super::super::run::Run;
use super::act_fast::{FastGet, FastSet, FastStat};
use super::{DecimalValue, Library, refused};
use crate::diag::{Diagnostic, near_hint};
use crate::dice::{Budget, Draw};
use crate::doc::{Audience, Document};
use crate::store::{StoreError, Write, shown};
use crate::value::{Name, Number, Value};

/// Fuel of a cell that is new: its name may be new too, and names are kept for the life of a session.
const NEW_CELL: u64 = 16;

/// Where the machine keeps the methods and the metatable of every `act`.
const METATABLE: &str = "arbiter.act";

/// Registers the methods of `act`.
pub(super) fn register(lua: &Lua, host: &Rc<Host>, raw: bool) -> mlua::Result<()> {
    let methods = Library::new(lua, host, "Act")?
        .add("get", get)?
        .add("get_decimal", get_decimal)?
        .add("base", base)?
        .add("stat", stat)?
        .add("set", set)?
        .add("add", add)?
        .add("create", create)?
        .add("remove", remove)?
        .add("exists", exists)?
        .add("attach", attach)?
        .add("detach", remove)?
        .add("row", row)?
        .add("find", find)?
        .add("kinds", kinds)?
        .add("roll", roll)?
        .add("roll_tree", roll_tree)?
        .add("draw", draw)?
        .add("pick", pick)?
        .add("shuffle", shuffle)?
        .add("say", say)?
        .add("done", done)?
        .add("fail", fail)?
        .add("by", by)?
        .fast::<FastGet>("get", raw)?
        .fast::<FastStat>("stat", raw)?
        .fast::<FastSet>("set", raw)?
        .done();
    methods.set_readonly(true);
    let metatable = lua.create_table()?;
    metatable.set("__index", methods)?;
    metatable.set("__metatable", "act")?;
    metatable.set_readonly(true);
    lua.set_named_registry_value(METATABLE, metatable)
}

/// Returns a fresh `act`: with the next one, this one is dead.
pub(crate) fn new_act(lua: &Lua) -> mlua::Result<Table> {
    let act = lua.create_table()?;
    act.set_metatable(Some(lua.named_registry_value(METATABLE)?))?;
    act.set_readonly(true);
    Ok(act)
}

fn get(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    value_of(host, act, &row, &field).map(Returned)
}

fn get_decimal(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<DecimalValue> {
    let value = value_of(host, act, &row, &field)?;
    match value.as_number() {
        Some(number) => Ok(DecimalValue(number.to_decimal())),
        None => Err(refused(
            "script/argument",
            format!("the field is a {}, no number", value.kind()),
        )),
    }
}

#[inline]
fn value_of(
    host: &Host,
    act: This,
    row: &NameArgument,
    field: &NameArgument,
) -> mlua::Result<Value> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, row)?;
    let Ok(field) = host.name(field) else {
        return Ok(Value::Nil);
    };
    let declaration = run.state.stats().get(field);
    shown(&run.state, declaration, row, field).map_err(store_refusal)
}

fn base(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    let Ok(field) = host.name(&field) else {
        return Ok(Returned(Value::Nil));
    };
    Ok(Returned(stored_base(&run, row, field)))
}

fn stat(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<(Returned, Returned)> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    let Ok(field) = host.name(&field) else {
        return Ok((Returned(Value::Nil), Returned(Value::Nil)));
    };
    let now = shown(&run.state, run.state.stats().get(field), row, field).map_err(store_refusal)?;
    Ok((Returned(now), Returned(stored_base(&run, row, field))))
}

fn stored_base(run: &Run, row: Name, field: Name) -> Value {
    let stored = run.state.get(row, field);
    if stored.is_nil() {
        run.state.stats().get(field).base.clone()
    } else {
        stored.clone()
    }
}

fn set(
    _: &Lua,
    host: &Host,
    (act, row, field, Argument(value)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<()> {
    let mut run = host.changing(act)?;
    let row = existing(host, &run, &row)?;
    let field = host.new_name(&field)?;
    if run.state.get(row, field).is_nil() {
        host.charge(NEW_CELL)?;
    }
    run.state.set(row, field, value).map_err(store_refusal)
}

fn add(
    _: &Lua,
    host: &Host,
    (act, row, field, Argument(amount)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<Returned> {
    let mut run = host.changing(act)?;
    let row = existing(host, &run, &row)?;
    let field = host.new_name(&field)?;
    let before = match stored_base(&run, row, field) {
        Value::Nil => Number::ZERO,
        Value::Number(number) => number,
        other => {
            return Err(refused(
                "script/argument",
                format!(
                    "`act:add` adds to a number, the field is a {}",
                    other.kind()
                ),
            ));
        }
    };
    let Value::Number(amount) = amount else {
        return Err(refused(
            "script/argument",
            format!("`act:add` adds a number, found a {}", amount.kind()),
        ));
    };
    let sum = before
        .checked_add(amount)
        .map_err(|reason| refused("script/number", reason.to_string()))?;
    let value = Value::Number(sum);
    run.state
        .set(row, field, value.clone())
        .map_err(store_refusal)?;
    Ok(Returned(value))
}

fn create(
    _: &Lua,
    host: &Host,
    (act, kind, fields, id): (This, NameArgument, Option<Argument>, Option<NameArgument>),
) -> mlua::Result<String> {
    let mut run = host.changing(act)?;
    let kind = host.new_name(&kind)?;
    let fields = named_fields(host, fields)?;
    let row = match id {
        Some(id) => host.new_name(&id)?,
        None => free_id(host, &run, kind)?,
    };
    run.state
        .apply(Write::Put {
            row,
            kind,
            owner: None,
            fields,
        })
        .map_err(store_refusal)?;
    Ok(host.names.text(row).to_string())
}

/// Returns a number of `kind-1`, `kind-2` … that names no row: the first one where they follow each other.
///
/// It looks at few of them: at twice as far until one is free, then between the last taken one and that.
fn free_id(host: &Host, run: &Run, kind: Name) -> mlua::Result<Name> {
    let kind = host.names.text(kind);
    let is_taken = |number: u64| {
        let name = host.names.find(&format!("{kind}-{number}"));
        name.is_some_and(|name| run.state.exists(name))
    };
    let (mut taken, mut free) = (0, 1);
    while is_taken(free) {
        (taken, free) = (free, free * 2);
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(middle) {
            taken = middle;
        } else {
            free = middle;
        }
    }
    host.charge(u64::from(free.ilog2()))?;
    Ok(host.names.intern(&format!("{kind}-{free}")))
}

fn remove(_: &Lua, host: &Host, (act, row): (This, NameArgument)) -> mlua::Result<()> {
    let mut run = host.changing(act)?;
    let row = existing(host, &run, &row)?;
    run.state
        .apply(Write::Remove { row })
        .map_err(store_refusal)
}

fn exists(_: &Lua, host: &Host, (act, row): (This, NameArgument)) -> mlua::Result<bool> {
    let run = host.ruling(act)?;
    Ok(host.name(&row).is_ok_and(|row| run.state.exists(row)))
}

fn attach(
    _: &Lua,
    host: &Host,
    (act, owner, kind, values, options): (
        This,
        NameArgument,
        NameArgument,
        Option<Argument>,
        Option<Argument>,
    ),
) -> mlua::Result<String> {
    let mut run = host.changing(act)?;
    let owner = existing(host, &run, &owner)?;
    let kind = host.new_name(&kind)?;
    let mut fields = named_fields(host, values)?;
    let options = options.map_or(Value::Nil, |options| options.0);
    for (key, value) in options.as_map().into_iter().flatten() {
        let reserved = run.state.reserved();
        let field = match key.as_ref() {
            "source" => reserved.source,
            "as" => reserved.acting,
            "modifiers" => reserved.modifiers,
            other => {
                let message = format!("`act:attach` has no option \"{other}\"");
                let hint = near_hint(other, ["source", "as", "modifiers"]);
                return Err(HostError::raise(
                    Diagnostic::error("script/argument", message).hint(hint),
                ));
            }
        };
        fields.push((field, value.clone()));
    }
    if !run.cause.is_nil() {
        fields.push((run.state.reserved().cause, run.cause.clone()));
    }
    let row = run.state.next_record_id(kind).map_err(store_refusal)?;
    run.state
        .apply(Write::Put {
            row,
            kind,
            owner: Some(owner),
            fields,
        })
        .map_err(store_refusal)?;
    Ok(host.names.text(row).to_string())
}

fn row(_: &Lua, host: &Host, (act, row): (This, NameArgument)) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let Some(row) = host.name(&row).ok().filter(|row| run.state.exists(*row)) else {
        return Ok(Returned(Value::Nil));
    };
    let state = &run.state;
    let fields = state.fields(row);
    host.charge(4 * fields.len() as u64)?;
    let fields = fields.into_iter().map(|field| {
        let text = host.names.text(field);
        (
            text.strip_prefix('@').unwrap_or(&text).to_owned(),
            state.get(row, field).clone(),
        )
    });
    let id = ("id".to_owned(), Value::Text(host.names.text(row)));
    Ok(Returned(Value::map(fields.chain([id]))))
}

fn find(
    _: &Lua,
    host: &Host,
    (act, Argument(filter)): (This, Argument),
) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    if let Some(key) = filter
        .as_map()
        .into_iter()
        .flatten()
        .map(|(key, _)| key)
        .find(|key| !["kind", "owner", "where"].contains(&key.as_ref()))
    {
        let message = format!("`act:find` has no filter \"{key}\"");
        let hint = near_hint(key, ["kind", "owner", "where"]);
        return Err(HostError::raise(
            Diagnostic::error("script/argument", message).hint(hint),
        ));
    }
    let known = |key: &str| filter.get(key).as_str().map(|text| host.names.find(text));
    let (kind, owner) = (known("kind"), known("owner"));
    let state = &run.state;
    let rows: Vec<Name> = match (kind, owner) {
        (None, None) => {
            return Err(refused(
                "script/argument",
                "`act:find` needs a `kind` or an `owner` to look for",
            ));
        }
        (Some(None), _) | (_, Some(None)) => Vec::new(),
        (kind, Some(Some(owner))) => {
            let records = state.records(owner);
            records
                .filter(|row| {
                    kind.flatten()
                        .is_none_or(|kind| state.kind(*row) == Some(kind))
                })
                .collect()
        }
        (Some(Some(kind)), None) => state.of_kind(kind).collect(),
    };
    host.charge(rows.len() as u64 / 4)?;
    let wanted = filter.get("where");
    let fits = |row: &Name| {
        wanted.as_map().into_iter().flatten().all(|(field, value)| {
            host.names
                .find(field)
                .is_some_and(|field| state.get(*row, field) == value)
        })
    };
    Ok(rows
        .into_iter()
        .filter(fits)
        .map(|row| host.names.text(row).to_string())
        .collect())
}

fn kinds(_: &Lua, host: &Host, act: This) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    let rows = run.state.rows();
    host.charge(rows.len() as u64 / 16)?;
    let entities = rows
        .into_iter()
        .filter(|row| run.state.owner(*row).is_none());
    let kinds: BTreeSet<String> = entities
        .filter_map(|row| run.state.kind(row))
        .map(|kind| host.names.text(kind).to_string())
        .collect();
    Ok(kinds.into_iter().collect())
}

fn roll(
    _: &Lua,
    host: &Host,
    (act, notation, purpose, who): (This, mlua::LuaString, Option<String>, Option<String>),
) -> mlua::Result<f64> {
    let mut run = host.drawing(act)?;
    let notation = host.notation(&notation)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let total = notation
        .total(&mut source, &mut run.dice)
        .map_err(HostError::raise)?;
    Ok(total as f64)
}

fn roll_tree(
    _: &Lua,
    host: &Host,
    (act, notation, purpose, who): (This, mlua::LuaString, Option<String>, Option<String>),
) -> mlua::Result<Returned> {
    let mut run = host.drawing(act)?;
    let notation = host.notation(&notation)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let roll = notation
        .roll(&mut source, &mut run.dice)
        .map_err(HostError::raise)?;
    Ok(Returned(roll.to_value()))
}

/// Draws for one purpose and roller.
struct Addressed<'a> {
    chance: &'a mut dyn super::super::run::Chance,
    purpose: &'a str,
    who: &'a str,
}

impl<'a> Addressed<'a> {
    fn new(
        chance: &'a mut dyn super::super::run::Chance,
        purpose: Option<&'a str>,
        who: Option<&'a str>,
    ) -> Addressed<'a> {
        Addressed {
            chance,
            purpose: purpose.unwrap_or("roll"),
            who: who.unwrap_or("-"),
        }
    }
}

impl Draw for Addressed<'_> {
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.chance.face(self.purpose, self.who, sides)
    }
}

fn draw(
    _: &Lua,
    host: &Host,
    (act, Numbers(sides), purpose, who): (This, Numbers, Option<String>, Option<String>),
) -> mlua::Result<Vec<u32>> {
    let mut run = host.drawing(act)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let mut faces = Vec::with_capacity(sides.len());
    for number in sides {
        if number.fract() != 0.0 || !(1.0..=1_000_000.0).contains(&number) {
            return Err(refused(
                "script/argument",
                format!("a die has 1 to 1,000,000 sides, not {number}"),
            ));
        }
        spend_die(&mut run.dice)?;
        faces.push(source.draw(number as u32).map_err(HostError::raise)?);
    }
    Ok(faces)
}

/// Takes one die from the budget of the ruling. Errors: `limit/dice` when none is left.
fn spend_die(dice: &mut Budget) -> mlua::Result<()> {
    if dice.take(1) {
        return Ok(());
    }
    Err(refused(
        "limit/dice",
        "a ruling may roll 1,000 dice at most",
    ))
}

fn pick(
    _: &Lua,
    host: &Host,
    (act, Texts(mut candidates), purpose, who): (This, Texts, String, Option<String>),
) -> mlua::Result<String> {
    let mut run = host.drawing(act)?;
    candidates.sort();
    let sides = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
    if sides == 0 {
        return Err(refused(
            "script/argument",
            "`act:pick` needs at least one candidate",
        ));
    }
    spend_die(&mut run.dice)?;
    let face = run
        .chance
        .face(&purpose, who.as_deref().unwrap_or("-"), sides)
        .map_err(HostError::raise)?;
    Ok(candidates.swap_remove(face as usize - 1))
}

fn shuffle(
    _: &Lua,
    host: &Host,
    (act, Texts(candidates), purpose): (This, Texts, String),
) -> mlua::Result<Vec<String>> {
    let mut run = host.drawing(act)?;
    host.charge(4 * candidates.len() as u64)?;
    let mut placed = Vec::with_capacity(candidates.len());
    for id in candidates {
        placed.push((
            run.chance.order(&purpose, &id).map_err(HostError::raise)?,
            id,
        ));
    }
    placed.sort();
    Ok(placed.into_iter().map(|(_, id)| id).collect())
}

fn say(
    _: &Lua,
    host: &Host,
    (act, audience, document, data): (This, String, LuaValue, Option<LuaValue>),
) -> mlua::Result<()> {
    let audience = Audience::parse(&audience).map_err(HostError::raise)?;
    let document = read_document(host, document, data)?.to(audience);
    keep(host.ruling(act)?, document)
}

fn done(
    lua: &Lua,
    host: &Host,
    (act, document, data): (This, Option<LuaValue>, Option<LuaValue>),
) -> mlua::Result<Table> {
    let run = host.ruling(act)?;
    let document = document.filter(|document| !document.is_nil());
    if document.is_some() || data.is_some() {
        let audience = audience_of(&run.by);
        let document = read_document(host, document.unwrap_or(LuaValue::Nil), data)?.to(audience);
        keep(run, document)?;
    }
    let result = lua.create_table_with_capacity(0, 1)?;
    result.set("ok", true)?;
    Ok(result)
}

/// What a command answers goes to everybody when the game master rules, else to the seat that asked.
fn audience_of(by: &str) -> Audience {
    if by == "gm" {
        Audience::Public
    } else {
        Audience::Seat(by.to_owned())
    }
}

fn keep(mut run: RefMut<'_, Run>, document: Document) -> mlua::Result<()> {
    document.check().map_err(HostError::raise)?;
    let size = document.size();
    let Some(left) = run.output_left.checked_sub(size) else {
        return Err(refused(
            "limit/output",
            "a command may say 8 MiB of documents at most",
        ));
    };
    run.output_left = left;
    run.documents.push(document);
    Ok(())
}

fn read_document(
    host: &Host,
    document: LuaValue,
    data: Option<LuaValue>,
) -> mlua::Result<Document> {
    let plain = |value| {
        let (made, work) = convert::from_lua_large(value);
        host.charge(work)?;
        made.map_err(|reason| refused("doc/not-data", reason.to_string()))
    };
    let made = match plain(document)? {
        Value::Nil => Document::new([]),
        blocks => Document::from_value(&blocks).map_err(HostError::raise)?,
    };
    match data {
        Some(data) => Ok(made.data(plain(data)?)),
        None => Ok(made),
    }
}

fn fail(
    lua: &Lua,
    host: &Host,
    (act, code, message, hint): (This, String, String, Option<String>),
) -> mlua::Result<Table> {
    let run = host.ruling(act)?;
    if !is_code(&code) {
        let message = format!("{code:?} is no code of a refusal");
        let hint = "a code is letters, digits, _ and -, such as E_BAD_SIZE or not-now";
        return Err(HostError::raise(
            Diagnostic::error("script/argument", message).hint(hint),
        ));
    }
    let code = if code.contains('/') || code.starts_with("E_") {
        code
    } else {
        format!("{}/{code}", run.area)
    };
    let result = lua.create_table_with_capacity(0, 4)?;
    result.set("ok", false)?;
    result.set("code", code)?;
    result.set("message", message)?;
    result.set("hint", hint)?;
    Ok(result)
}

/// Returns whether a text can stand as a code in journals and in the answers that programs read.
fn is_code(code: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/');
    (1..=64).contains(&code.len()) && code.bytes().all(letter)
}

fn by(_: &Lua, host: &Host, act: This) -> mlua::Result<String> {
    Ok(host.ruling(act)?.by.clone())
}

fn named_fields(host: &Host, fields: Option<Argument>) -> mlua::Result<Vec<(Name, Value)>> {
    match fields.map_or(Value::Nil, |fields| fields.0) {
        Value::Nil => Ok(Vec::new()),
        Value::List(items) if items.is_empty() => Ok(Vec::new()),
        Value::Map(fields) => {
            host.charge(NEW_CELL * fields.len() as u64)?;
            Ok(fields
                .iter()
                .map(|(key, value)| (host.names.intern(key), value.clone()))
                .collect())
        }
        other => Err(refused(
            "script/argument",
            format!("fields are a table with names, found a {}", other.kind()),
        )),
    }
}

#[inline]
fn existing(host: &Host, run: &Run, row: &NameArgument) -> mlua::Result<Name> {
    match host.name(row) {
        Ok(name) if run.state.exists(name) => Ok(name),
        Ok(name) => Err(no_row(host, run, &host.names.text(name))),
        Err(text) => Err(no_row(host, run, &text)),
    }
}

#[cold]
fn no_row(host: &Host, run: &Run, text: &str) -> mlua::Error {
    let ids: Vec<_> = run
        .state
        .rows()
        .into_iter()
        .map(|row| host.names.text(row))
        .collect();
    if let Err(limit) = host.charge(ids.len() as u64) {
        return limit;
    }
    let shown: String = text.chars().take(200).collect();
    let finding = Diagnostic::error("script/no-row", format!("there is no row \"{shown}\""))
        .hint(near_hint(&shown, ids.iter().map(AsRef::as_ref)));
    HostError::raise(finding)
}

#[cold]
fn store_refusal(error: StoreError) -> mlua::Error {
    HostError::raise(error.to_diagnostic())
}
