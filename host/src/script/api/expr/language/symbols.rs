//! Meanings of the names of a language, and their values in scripts.

use mlua::{Lua, LuaString, Value as LuaValue};

use super::Language;
use super::key::Key;
use crate::diag::{Diagnostic, Span};
use crate::expr::{ExprError, Item};
use crate::script::border::stack_value::NameArgument;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::expression_callbacks::{item_from_lua, item_to_lua};
use crate::value::Name;

/// The meaning of a name.
pub(super) enum Meaning {
    /// A constant value.
    Constant(Item),
    /// A stat of the row that the context names.
    Stat {
        who: Key,
        stat: Name,
        /// The stat is rounded down.
        whole: bool,
        meaning: LuaValue,
    },
    /// An item of a list that the context has.
    Held {
        list: Key,
        at: i32,
        meaning: LuaValue,
    },
    /// A meaning for which the function of the language returns the value.
    Asked(LuaValue),
}

pub(super) fn meaning_to_lua(meaning: &Meaning, lua: &Lua) -> mlua::Result<LuaValue> {
    match meaning {
        Meaning::Constant(item) => item_to_lua(item, lua),
        Meaning::Stat { meaning, .. } | Meaning::Held { meaning, .. } | Meaning::Asked(meaning) => {
            Ok(meaning.clone())
        }
    }
}

impl Language {
    /// Asks the language for the meaning of a name. The inner error reports that the name has no meaning.
    pub(super) fn ask_meaning_of_name(
        &self,
        host: &Host,
        name: &str,
    ) -> mlua::Result<Result<Meaning, ExprError>> {
        let (meaning, why): (LuaValue, LuaValue) =
            host.call_from_host_function(&self.mean, name)?;
        let table = match meaning {
            LuaValue::Nil => {
                let unknown = || ("expr/unknown".into(), format!("unknown name \"{name}\""));
                return Ok(Err(error_from_script(&why, unknown)?));
            }
            LuaValue::Table(table) => table,
            other => return Ok(Ok(Meaning::Asked(other))),
        };
        let constant: LuaValue = table.raw_get("constant")?;
        if !constant.is_nil() {
            return item_from_script(name, constant).map(|item| Ok(Meaning::Constant(item)));
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

    /// Returns the exact fraction for a number that was rounded on its way.
    pub(super) fn exact_fraction_of_rounded(&self, item: Item) -> Item {
        match (self.recalled, item) {
            (Some(most), Item::Number(number)) => {
                Item::Number(number.restore_rounded_fraction(most))
            }
            (_, item) => item,
        }
    }

    /// Returns the item for the value of a stat.
    pub(super) fn stat_as_item(&self, item: Item, whole: bool) -> Item {
        match self.exact_fraction_of_rounded(item) {
            Item::Number(number) if whole => Item::Number(number.floor()),
            item => item,
        }
    }
}

/// Reads a reason from a script: `{ code, message, hint }`.
pub(super) fn error_from_script(
    why: &LuaValue,
    otherwise: impl FnOnce() -> (String, String),
) -> mlua::Result<ExprError> {
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

pub(super) fn item_from_script(name: &str, value: LuaValue) -> mlua::Result<Item> {
    item_from_lua(value).map_err(|found| {
        let message = format!("\"{name}\" returned {found} to an expression");
        let finding = Diagnostic::error("script/argument", message);
        HostError::error_of_finding(
            finding.hint("return a number, a decimal, true, false, a text or nothing"),
        )
    })
}
