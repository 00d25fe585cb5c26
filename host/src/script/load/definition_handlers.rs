//! Asks schemas for the handlers of their definitions, when all definitions of a generation are known.
//!
//! `handlers(definition)` returns a list of `{ on, key, where?, watches?, round?, priority?, all_events?, data?, at?
//! }`. `on` is the event that the handler handles. With `of(act, self, bearer)` in place of `on`, the handlers of
//! another definition of the collection run as well: `of` returns the id of that definition, or nil. `key` names the
//! handler as long as its text stays. If several handlers of one key handle an event, the first of them runs. `where`,
//! `watches`, `round` and `priority` are as under `on` of a script. With `all_events` the handler also handles events
//! that are for others. `data` is the schema's own. `at` is the place of the handler: the path of its node in a tree,
//! or the byte, from 1, in a text. The list is read-only from then on.
//!
//! With `stored_in = { kind, field }` in a schema, rows of that kind are definitions as well, by their ids. `handlers`
//! gets the value of the field when an event is emitted and the row exists, and again when the value has changed. Then
//! `handlers` has the fuel of a callback of its own, independent of the fuel that the command has left.

use std::sync::Arc;

use mlua::{Table, Value as LuaValue};

use super::definition_calls::{About, Calls, Failed, Passes, skipped_definitions_finding};
use super::file_keys::FileKeys;
use super::table_file::try_tree_with_places;
use super::value_cache::{Texts, ValueCache};
use crate::content::{Definition, Origin};
use crate::diag::{Diagnostic, Source, Span};
use crate::script::border::key_path::read_path;
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::from_lua;
use crate::script::declare::schema::Schema;
use crate::script::engine::Engine;
use crate::script::host::read_only_tables::seal_deeply;
use crate::script::rules::Rules;
use crate::script::run::handler_interpreter::Interpreter;
use crate::script::run::read_handler::{MOST, ReadHandler, ReadHandlers, Wrong, read_handler};

/// Reads the handlers of all definitions, in order of collection and id. Without `keys` each is asked, and nothing is kept.
/// Errors: memory.
pub(super) fn read_definition_handlers(
    engine: &Engine,
    keys: Option<&FileKeys>,
    findings: &mut Vec<Diagnostic>,
) -> mlua::Result<ReadHandlers> {
    let mut all = ReadHandlers::new();
    let rules = engine.rules();
    if rules.interpreters.is_empty() {
        return Ok(all);
    }
    let open = Open {
        calls: Calls::new(engine, &rules.sources, &rules.ruleset_id)?,
        rules: &rules,
        values: ValueCache::new(
            engine,
            &rules,
            keys.map(FileKeys::key_of_all),
            Texts::AreRead,
        ),
    };
    for (collection, interpreter) in &rules.interpreters {
        let schema = &rules.schemas[collection];
        open.read_handlers_of_collection((schema, interpreter), &mut all, findings);
    }
    Ok(all)
}

/// A definition with the table that scripts use for it.
struct Known<'a> {
    definition: &'a Arc<Definition>,
    table: &'a Table,
    /// Whether it is a text with errors, which games may play all the same: its errors are reported already.
    is_faulty: bool,
}

struct Open<'a> {
    calls: Calls<'a>,
    rules: &'a Rules,
    values: ValueCache<'a>,
}

impl Open<'_> {
    /// Returns the definitions of a collection in order of id, and after them the texts with errors.
    fn definitions_of<'a>(&'a self, schema: &'a Schema) -> Vec<Known<'a>> {
        let collection = &schema.collection;
        let sound = self
            .rules
            .registry
            .of_collection(collection)
            .filter_map(|definition| {
                let key = (collection.clone(), definition.id.to_string());
                Some(Known {
                    definition,
                    table: self.rules.tables.get(&key)?,
                    is_faulty: false,
                })
            });
        let faulty = self.rules.faulty.iter();
        let faulty = faulty.filter(|text| *text.definition.collection == **collection);
        let is_taken = |id: &str| self.rules.registry.get(collection, id).is_some();
        let faulty = faulty.filter(|text| !is_taken(&text.definition.id));
        let faulty = faulty.map(|text| Known {
            definition: &text.definition,
            table: &text.table,
            is_faulty: true,
        });
        sound.chain(faulty).collect()
    }

    fn read_handlers_of_collection(
        &self,
        (schema, interpreter): (&Schema, &Interpreter),
        all: &mut ReadHandlers,
        findings: &mut Vec<Diagnostic>,
    ) {
        let mut passes = Passes::default();
        let known = self.definitions_of(schema);
        for (at, one) in known.iter().enumerate() {
            let definition = one.definition;
            let mut found = Vec::new();
            match self.ask_handlers(interpreter, one) {
                Ok(said) => {
                    let handlers = self.read_handler_list(one, said, &mut found);
                    let key = (schema.collection.clone(), definition.id.to_string());
                    all.entry(key).or_insert(handlers);
                }
                Err(failed) => {
                    let limit = failed.limit;
                    let about = About {
                        what: format!("`handlers` of the {} \"{}\"", schema.name, definition.id),
                        function: &interpreter.handlers,
                        holder: ("`handlers` of the schema", &schema.source),
                        place: (&definition.source, definition.span),
                    };
                    found.push(failed.failure_finding(&about));
                    let left = known.len() - at - 1;
                    if passes.count_limit_and_should_stop(limit) && left > 0 {
                        findings.extend(found);
                        findings.push(skipped_definitions_finding(
                            schema,
                            "handlers",
                            (left, "handle no events"),
                        ));
                        return;
                    }
                }
            }
            if !one.is_faulty {
                findings.extend(found);
            }
        }
    }

    /// Returns the result of `handlers` for a definition. For a text it is called each time: the result refers to the
    /// tables of the text.
    fn ask_handlers(&self, interpreter: &Interpreter, one: &Known<'_>) -> Result<LuaValue, Failed> {
        let call = || {
            self.calls
                .call::<LuaValue>(&interpreter.handlers, one.table)
                .0
        };
        let definition = one.definition;
        if definition.is_text {
            return call();
        }
        let first = |values: Vec<LuaValue>| values.into_iter().next();
        let key = ["handlers", &*definition.collection, &*definition.id];
        let key = self.values.key(&key);
        if let Some(said) = self.values.known_values(key.as_ref()).and_then(first) {
            return Ok(said);
        }
        let said = [call()?];
        let copy = self.values.copy_and_keep(&said, key).and_then(first);
        let [said] = said;
        Ok(copy.unwrap_or(said))
    }

    /// Reads the result of `handlers`; a value that is not a handler is a finding, and left out.
    fn read_handler_list(
        &self,
        one: &Known<'_>,
        said: LuaValue,
        findings: &mut Vec<Diagnostic>,
    ) -> Vec<ReadHandler> {
        let list = match said {
            LuaValue::Table(list) => list,
            other => {
                let found = type_in_words(other.type_name());
                let message = format!("`handlers` returns {found} instead of a list of handlers");
                findings.push(self.finding_at_handler(
                    one,
                    None,
                    Diagnostic::error(CODE, message).hint(HINT),
                ));
                return Vec::new();
            }
        };
        let keys = list.pairs::<LuaValue, LuaValue>().flatten();
        let keys: Vec<LuaValue> = keys.map(|(key, _)| key).collect();
        let is_item = |key: &LuaValue| {
            key.as_usize()
                .is_some_and(|at| (1..=keys.len()).contains(&at))
        };
        if let Some(strange) = keys.iter().find(|key| !is_item(key)) {
            let strange = strange.to_string().unwrap_or_default();
            let message = format!(
                "`handlers` returns a table with the key \"{strange}\" instead of a list of handlers from 1 on"
            );
            findings.push(self.finding_at_handler(
                one,
                None,
                Diagnostic::error(CODE, message).hint(HINT),
            ));
            return Vec::new();
        }
        let events = self.rules.listeners();
        let mut handlers = Vec::new();
        for (number, said) in list.sequence_values::<LuaValue>().enumerate() {
            if number == MOST {
                let message = format!("the definition has more than {MOST} handlers");
                let finding = Diagnostic::error("limit/size", message);
                findings.push(self.finding_at_handler(one, None, finding));
                break;
            }
            let at = match &said {
                Ok(LuaValue::Table(table)) => table.raw_get::<LuaValue>("at").ok(),
                _ => None,
            };
            match said
                .map_err(|error| error.to_string().into())
                .and_then(|said| read_handler(said, &events))
            {
                Ok(handler) if seal_deeply(&handler.table).is_ok() => {
                    if let Some(Wrong(what, hint)) = handler.unknown_filter_field(&events) {
                        let message = format!("handler {} {what}", number + 1);
                        let finding = Diagnostic::warning(CODE, message).hint(hint);
                        findings.push(self.finding_at_handler(one, at, finding));
                    }
                    handlers.push(handler);
                }
                // A machine without memory has no more handlers.
                Ok(_) => break,
                Err(wrong) => {
                    let Wrong(what, hint) = wrong;
                    let message = format!("handler {} {what}", number + 1);
                    let finding = Diagnostic::error(CODE, message).hint(hint).hint(HINT);
                    findings.push(self.finding_at_handler(one, at, finding));
                }
            }
        }
        handlers
    }

    /// Returns a finding at the place of a handler.
    fn finding_at_handler(
        &self,
        one: &Known<'_>,
        at: Option<LuaValue>,
        finding: Diagnostic,
    ) -> Diagnostic {
        let (source, whole) = (&one.definition.source, one.definition.span);
        let span = at.and_then(|at| self.handler_span(one, at));
        finding.at(source, span.unwrap_or(whole))
    }

    fn handler_span(&self, one: &Known<'_>, at: LuaValue) -> Option<Span> {
        let at = from_lua(at).ok()?;
        let definition = one.definition;
        let source: &Source = &definition.source;
        if let Some(byte) = at.as_i64() {
            let start = usize::try_from(byte).ok()?.saturating_sub(1);
            let start = source
                .text()
                .floor_char_boundary(start.min(source.text().len()));
            let line = source.position(start).line;
            return Some(source.line_span(line));
        }
        let steps = read_path(&at).ok()?;
        let key = (definition.collection.to_string(), definition.id.to_string());
        let of_script = match definition.origin {
            Origin::Script => try_tree_with_places(source, one.table),
            Origin::Content => None,
        };
        let known = self.rules.trees.get(&key).map(|node| &**node);
        let node = of_script.as_ref().or(known)?;
        Some(node.follow_path(&steps).node.first_line_span(source))
    }
}

const CODE: &str = "script/handlers";
const HINT: &str = "write { on = EVENT, key = NAME, where = { FIELD = VALUE }, data = … }";
