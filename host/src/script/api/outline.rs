//! The outline of text files for scripts: the values that `outline.reader` returns, and their methods.

use std::rc::Rc;

use mlua::{
    AnyUserData, BorrowedStr, Either, IntoLua, Lua, MetaMethod, Table, UserData, UserDataFields,
    UserDataRef,
};

use super::text::{charge_text, charge_text_by};
use super::{Library, refusal_error};
use crate::diag::{Span, near_hint};
use crate::script::border::stack_value::Argument;
use crate::script::border::value_conversion::without_memory_limit;
use crate::script::host::Host;
use crate::text::{Heading, Levels, Line, Outline, OutlineTable, Section};
use crate::value::Value;

/// Registry key of the methods of readers.
const METHODS: &str = "arbiter.outline";

/// Options of a reader.
const KEYS: [&str; 5] = ["headings", "headline", "levels", "quotes", "tails"];

/// Most characters of one text of a reader, and most pairs of one list.
const MOST: usize = 32;

/// The value of a reader in scripts.
struct Reader(OutlineTable);

impl UserData for Reader {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Reader");
        fields.add_meta_field_with(MetaMethod::Index, reader_methods);
    }
}

/// Returns the table `outline`.
pub(super) fn outline_module_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let methods = Library::new(lua, host, "Reader")?
        .add("read", read_outline)?
        .add("tails", bracket_groups)?
        .add("split", split_key_and_value)?
        .into_table();
    methods.set_readonly(true);
    lua.set_named_registry_value(METHODS, methods)?;
    Ok(Library::new(lua, host, "outline")?
        .add("reader", make_outline_reader)?
        .into_table())
}

/// Returns the methods of readers.
pub(in crate::script) fn reader_methods(lua: &Lua) -> mlua::Result<Table> {
    lua.named_registry_value(METHODS)
}

fn make_outline_reader(
    lua: &Lua,
    host: &Host,
    Argument(shape): Argument,
) -> mlua::Result<AnyUserData> {
    host.charge(64)?;
    let table = outline_table_from_options(&shape).map_err(|why| {
        refusal_error(
            "script/argument",
            format!("argument 1 `shape` of `outline.reader` {why}"),
        )
    })?;
    lua.create_userdata(Reader(table))
}

fn outline_table_from_options(shape: &Value) -> Result<OutlineTable, String> {
    let keys = shape.as_map().into_iter().flat_map(|map| map.keys());
    let is_table =
        shape.as_map().is_some() || shape.items().is_empty() && matches!(shape, Value::List(_));
    if !is_table {
        return Err(format!("expects a table, found a {}", shape.kind()));
    }
    if let Some(strange) = keys.into_iter().find(|key| !KEYS.contains(&&***key)) {
        let near = near_hint(strange, KEYS);
        let hint = if near.is_empty() {
            format!("it takes {}", KEYS.join(", "))
        } else {
            near
        };
        return Err(format!("has no key `{strange}`; {hint}"));
    }
    let headings =
        read_marks(shape, "headings")?.map(|marks| Heading::Between(marks.clone(), marks));
    let levels = read_marks(shape, "levels")?.unwrap_or_default();
    let headline = match shape.get("headline") {
        Value::Nil => false,
        Value::Bool(headline) => *headline,
        _ => return Err("expects true or false as `headline`".to_owned()),
    };
    Ok(OutlineTable {
        headline,
        headings: headings.into_iter().collect(),
        levels: Levels::Characters(levels.chars().collect()),
        quotes: read_pairs(shape, "quotes")?,
        tails: read_pairs(shape, "tails")?,
        ..OutlineTable::default()
    })
}

fn read_marks(shape: &Value, key: &str) -> Result<Option<String>, String> {
    match shape.get(key) {
        Value::Nil => Ok(None),
        Value::Text(text) if !text.is_empty() && text.chars().count() <= MOST => {
            Ok(Some((**text).to_owned()))
        }
        _ => Err(format!(
            "expects a text of 1 to {MOST} characters as `{key}`"
        )),
    }
}

fn read_pairs(shape: &Value, key: &str) -> Result<Vec<(char, char)>, String> {
    let said = shape.get(key);
    let wrong = || format!("expects a list of pairs of two characters as `{key}`");
    if !matches!(said, Value::Nil | Value::List(_)) || said.items().len() > MOST {
        return Err(wrong());
    }
    let pair = |item: &Value| {
        let mut chars = item.as_str()?.chars();
        let pair = (chars.next()?, chars.next()?);
        chars.next().is_none().then_some(pair)
    };
    let pairs: Option<Vec<(char, char)>> = said.items().iter().map(pair).collect();
    pairs.ok_or_else(wrong)
}

/// Returns the place of a byte, counted as in scripts.
fn script_position_of_byte(byte: usize) -> usize {
    byte + 1
}

fn read_outline(
    lua: &Lua,
    host: &Host,
    (reader, subject, only): (UserDataRef<Reader>, BorrowedStr, Option<BorrowedStr>),
) -> mlua::Result<Table> {
    charge_text(host, &subject)?;
    let outline = Outline::read_sections(&reader.0, &subject, only.as_deref());
    let lines: usize = outline
        .sections
        .iter()
        .map(|section| section.lines.len())
        .sum();
    host.charge((lines * 10 + outline.sections.len() * 10) as u64)?;
    without_memory_limit(lua, || outline_table(lua, &subject, &outline))
}

fn outline_table(lua: &Lua, subject: &str, outline: &Outline) -> mlua::Result<Table> {
    let mut fields = Fields {
        lua,
        of: Vec::with_capacity(20),
    };
    if let Some(headline) = &outline.headline {
        fields.add("headline", headline.text)?;
        let from = script_position_of_byte(headline.span.start);
        fields.add("headline_from", from)?;
    }
    add_line_columns(&mut fields, outline)?;
    add_section_columns(&mut fields, (subject, &outline.sections))?;
    if !outline.findings.is_empty() {
        fields.add("findings", findings_table(lua, outline)?)?;
    }
    lua.create_table_from(fields.of)
}

/// The fields of a table that is not made yet.
struct Fields<'l> {
    lua: &'l Lua,
    of: Vec<(&'static str, mlua::Value)>,
}

impl Fields<'_> {
    fn add(&mut self, name: &'static str, value: impl IntoLua) -> mlua::Result<()> {
        self.of.push((name, value.into_lua(self.lua)?));
        Ok(())
    }

    /// Adds a list.
    fn add_column<V: IntoLua>(
        &mut self,
        name: &'static str,
        items: impl Iterator<Item = V>,
    ) -> mlua::Result<()> {
        let column = self.lua.create_sequence_from(items)?;
        self.add(name, column)
    }
}

/// Adds the columns about lines, one for each property.
fn add_line_columns(fields: &mut Fields, outline: &Outline) -> mlua::Result<()> {
    let lines: Vec<&Line> = outline.sections.iter().flat_map(|one| &one.lines).collect();
    let lines = || lines.iter().copied();
    let from = |span: Span| script_position_of_byte(span.start);
    fields.add_column("levels", lines().map(|line| line.level))?;
    fields.add_column("bodies", lines().map(|line| line.text))?;
    fields.add_column("froms", lines().map(|line| from(line.span)))?;
    fields.add_column("keys", lines().map(line_key))?;
    fields.add_column("values", lines().map(|line| line_value_and_place(line).0))?;
    let places = lines().map(|line| line_value_and_place(line).1);
    fields.add_column("value_froms", places)?;
    let tails = lines().map(|line| text_or_false(line.tail.map(|(tail, _)| tail)));
    fields.add_column("tails", tails)?;
    let places = lines().map(|line| line.tail.map_or(0, |(_, span)| from(span)));
    fields.add_column("tail_froms", places)?;
    fields.add_column("numbers", lines().map(|line| line.number))?;
    fields.add_column("ends", lines().map(|line| line.end))
}

fn text_or_false(text: Option<&str>) -> Either<&str, bool> {
    text.map_or(Either::Right(false), Either::Left)
}

fn line_key<'t>(line: &Line<'t>) -> Either<&'t str, bool> {
    text_or_false(line.entry.as_ref().map(|entry| entry.key))
}

/// Returns the text after the key of a line, or the whole line, and its place.
fn line_value_and_place<'t>(line: &Line<'t>) -> (&'t str, usize) {
    match &line.entry {
        Some(entry) => (entry.value, script_position_of_byte(entry.value_span.start)),
        None => (line.text, script_position_of_byte(line.span.start)),
    }
}

/// Adds the columns about sections, one for each property.
fn add_section_columns(
    fields: &mut Fields,
    (subject, sections): (&str, &[Section]),
) -> mlua::Result<()> {
    let all = || sections.iter();
    fields.add_column("titles", all().map(|section| section.title))?;
    let places = all().map(|section| script_position_of_byte(section.title_span.start));
    fields.add_column("title_froms", places)?;
    let texts = all().map(|section| section.section_text(subject).trim());
    fields.add_column("texts", texts)?;
    let mut behind = 1;
    let firsts = all().map(|section| {
        let first = behind;
        behind += section.lines.len();
        first
    });
    fields.add_column("firsts", firsts)?;
    let mut last = 0;
    let lasts = all().map(|section| {
        last += section.lines.len();
        last
    });
    fields.add_column("lasts", lasts)
}

fn findings_table(lua: &Lua, outline: &Outline) -> mlua::Result<Table> {
    let list = lua.create_table()?;
    for finding in &outline.findings {
        let one = lua.create_table_with_capacity(0, 4)?;
        one.raw_set("code", finding.code)?;
        one.raw_set("message", finding.message.as_str())?;
        one.raw_set("from", script_position_of_byte(finding.span.start))?;
        one.raw_set("to", finding.span.end)?;
        list.raw_push(one)?;
    }
    Ok(list)
}

fn bracket_groups(
    lua: &Lua,
    host: &Host,
    (reader, subject): (UserDataRef<Reader>, BorrowedStr),
) -> mlua::Result<Table> {
    charge_text(host, &subject)?;
    let groups = reader.0.tail_groups(&subject);
    let items: usize = groups.iter().map(|group| 1 + group.items.len()).sum();
    host.charge(16 * items as u64)?;
    without_memory_limit(lua, || {
        let list = lua.create_table_with_capacity(groups.len(), 0)?;
        for group in &groups {
            let one = lua.create_table_with_capacity(0, 3)?;
            one.raw_set("open", group.open.to_string())?;
            let items = group.items.iter();
            one.raw_set(
                "items",
                lua.create_sequence_from(items.clone().map(|(item, _)| *item))?,
            )?;
            one.raw_set(
                "froms",
                lua.create_sequence_from(items.map(|(_, at)| script_position_of_byte(*at)))?,
            )?;
            list.raw_push(one)?;
        }
        Ok(list)
    })
}

/// Bytes of a line for a unit of fuel.
const SPLIT: usize = 8;

type Split = (mlua::Value, usize, mlua::Value, usize);

fn split_key_and_value(
    lua: &Lua,
    host: &Host,
    (reader, subject): (UserDataRef<Reader>, BorrowedStr),
) -> mlua::Result<Split> {
    charge_text_by(host, &subject, SPLIT)?;
    let line = reader.0.split_key_and_value(&subject);
    let (found, from) = line_value_and_place(&line);
    let key = line.entry.as_ref();
    let key_from = key.map_or(0, |entry| script_position_of_byte(entry.key_span.start));
    let key = key.map(|entry| entry.key).into_lua(lua)?;
    Ok((key, key_from, found.into_lua(lua)?, from))
}
