//! Reads content that is plain text, in a language of the ruleset: `texts` of `ruleset.luau`.
//!
//! First `head` returns for each file its definition, so that names and ids are known like all others. When the grammar
//! exists, `begin` makes the value that all readings of one load share, and `read` turns each file into its definition.
//! `read` may also return notes, as plain data. When all texts are read, `gather` gets these notes for each text,
//! before `check` looks at each definition again. A text that was read before need not be read again: see
//! `reading_cache`. Each call has the budgets of one callback.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::definition_calls::{About, Calls, Passes, first_line_of_function};
use super::definitions::Read;
use super::file_keys::FileKeys;
use crate::content::Definition;
use crate::diag::{Diagnostic, Source};
use crate::script::border::type_in_words;
use crate::script::engine::Engine;
use crate::script::fuel::Limit;
use crate::script::host::read_only_tables::Sealing;
use crate::script::load::script_report::Report;
use crate::script::rules::Rules;
use crate::script::rules::definition_cache::Checked;
use crate::script::source::mod_files::RULESET;
use edit_search::EditSearch;
use edit_trials::Trials;
use reading_cache::{Made, ReadingCache};

/// The key of a head that holds the id.
const ID: &str = "id";

/// The functions of `texts` that loading calls.
struct Functions {
    head: Function,
    begin: Function,
    read: Function,
    gather: Option<Function>,
    check: Option<Function>,
}

impl Functions {
    /// Returns whether the reading of a text may be kept: no check uses data that `read` left.
    fn can_keep_readings(&self) -> bool {
        self.gather.is_some() || self.check.is_none()
    }

    /// Returns the functions of the ruleset, if it has them all.
    fn of(rules: &Rules) -> Option<Functions> {
        let texts: Table = rules.ruleset_table.as_ref()?.raw_get("texts").ok()?;
        let function = |key: &str| texts.raw_get::<Function>(key).ok();
        Some(Functions {
            head: function("head")?,
            begin: function("begin")?,
            read: function("read")?,
            gather: function("gather"),
            check: function("check"),
        })
    }
}

/// The results and findings of reading texts.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) checked: Checked,
    /// The tables that take the places of the heads, by collection and id.
    pub(super) tables: Vec<((String, String), Table)>,
    /// The readings of texts with errors.
    pub(super) faulty: Vec<(Arc<Definition>, Table)>,
    /// The first thing that could not be read, by the name of the file.
    pub(super) unread: BTreeMap<String, Diagnostic>,
}

/// Reads the texts with heads in the rules, in order of path. Those that cannot be read are broken. Without `keys` each
/// text is read, and nothing is kept.
///
/// Errors: memory.
pub(super) fn read_known_texts(
    engine: &Engine,
    keys: Option<&FileKeys>,
    read: &mut [Read],
) -> mlua::Result<Texts> {
    let rules = engine.rules();
    let mut texts = Texts::default();
    let is_known = |one: &Read| {
        let definition = &one.kept.definition;
        let known = rules.registry.get(&definition.collection, &definition.id);
        one.path.is_some() && known.is_some_and(|known| Arc::ptr_eq(known, definition))
    };
    let mut own: Vec<&mut Read> = read.iter_mut().filter(|one| is_known(one)).collect();
    own.sort_by(|one, other| one.path.cmp(&other.path));
    let Some(functions) = Functions::of(&rules).filter(|_| !own.is_empty()) else {
        return Ok(texts);
    };
    let calls = || Calls::new(engine, &rules.sources, &rules.ruleset_id);
    let open = Open {
        engine,
        rules: &rules,
        functions: &functions,
        calls: calls()?,
        script: ruleset_source(&rules),
        trials: Trials::new(calls()?),
        mending: EditSearch::default(),
        known: functions
            .can_keep_readings()
            .then(|| ReadingCache::new(engine, &rules, keys.map(FileKeys::key_without_texts))),
    };
    let Some(shared) = open.begin_readings(&mut texts.checked) else {
        texts.checked.broken = own.iter().map(|one| definition_key(one)).collect();
        return Ok(texts);
    };
    let mut readings = open.read_in_order(&shared, own, &mut texts)?;
    let sealing = Sealing::new(&engine.lua, &engine.host)?;
    for Reading { one, .. } in readings.iter().filter(|reading| !reading.is_sealed) {
        sealing.seal_definition(&one.table, &one.kept.definition.id)?;
    }
    cross_check::gather_notes(&open, &shared, &mut readings, &mut texts.checked)?;
    cross_check::check_texts(&open, &shared, &mut readings, &mut texts.checked);
    for Reading { one, is_faulty, .. } in readings {
        let table = one.table.clone();
        if is_faulty {
            texts.checked.broken.push(definition_key(one));
            let definition = Arc::clone(&one.kept.definition);
            texts.faulty.push((definition, table));
        } else {
            texts.tables.push((definition_key(one), table));
        }
    }
    Ok(texts)
}

fn definition_key(one: &Read) -> (String, String) {
    let definition = &one.kept.definition;
    (definition.collection.to_string(), definition.id.to_string())
}

pub(super) fn ruleset_source(rules: &Rules) -> Arc<Source> {
    let path = format!("{}/{RULESET}", rules.ruleset_id);
    let known = rules.sources.get(&path).cloned();
    known.unwrap_or_else(|| Source::new(path.as_str(), ""))
}

/// A text that was read at least in part, with its new table.
struct Reading<'r> {
    one: &'r Read,
    /// Its notes for `gather`.
    noted: LuaValue,
    /// Whether its table is read-only already, with everything in it.
    is_sealed: bool,
    /// Whether it has errors.
    is_faulty: bool,
}

/// The end of the reading of a text.
struct Ended {
    /// Its notes, if it gave a table.
    noted: Option<LuaValue>,
    /// Whether that table is read-only, with everything in it.
    is_sealed: bool,
    /// The first thing that could not be read, if that table does not hold all of the text.
    loss: Option<Diagnostic>,
    /// The limit that was passed.
    limit: Option<Limit>,
}

/// The readings while they go on.
struct Open<'a> {
    engine: &'a Engine,
    rules: &'a Rules,
    functions: &'a Functions,
    calls: Calls<'a>,
    script: Arc<Source>,
    trials: Trials<'a>,
    mending: EditSearch,
    /// The earlier readings, if they follow from the texts alone.
    known: Option<ReadingCache<'a>>,
}

impl Open<'_> {
    /// Returns the value that all readings share.
    fn begin_readings(&self, out: &mut Checked) -> Option<LuaValue> {
        let begin = &self.functions.begin;
        match self.calls.call::<LuaValue>(begin, ()).0 {
            Ok(shared) => Some(shared),
            Err(failed) => {
                out.is_cut |= failed.limit.is_some();
                let line = first_line_of_function(&self.script, begin).unwrap_or(1);
                let about = About {
                    what: "`begin` of `texts`".to_owned(),
                    function: begin,
                    holder: ("`begin` of the ruleset", &self.script),
                    place: (&self.script, self.script.line_span(line)),
                };
                out.findings.push(failed.failure_finding(&about));
                None
            }
        }
    }

    /// Reads texts in their order.
    fn read_in_order<'r>(
        &self,
        shared: &LuaValue,
        own: Vec<&'r mut Read>,
        texts: &mut Texts,
    ) -> mlua::Result<Vec<Reading<'r>>> {
        let (out, losses) = (&mut texts.checked, &mut texts.unread);
        let mut readings = Vec::new();
        let mut passes = Passes::default();
        let mut left = own.into_iter();
        while let Some(one) = left.next() {
            let found = out.findings.len();
            let ended = self.read_text(shared, one, out)?;
            let limit = ended.limit;
            out.is_cut |= limit.is_some();
            if let Some(loss) = ended.loss {
                let name = one.kept.definition.source.name();
                losses.insert(name.to_owned(), loss);
            }
            if let Some(noted) = ended.noted {
                let is_faulty = out.findings[found..].iter().any(Diagnostic::is_error);
                readings.push(Reading {
                    one,
                    noted,
                    is_sealed: ended.is_sealed,
                    is_faulty,
                });
            } else {
                out.broken.push(definition_key(one));
            }
            if passes.count_limit_and_should_stop(limit) && left.len() > 0 {
                out.findings
                    .push(unread_texts_finding("read", left.len(), &self.script));
                out.broken
                    .extend(left.by_ref().map(|one| definition_key(one)));
            }
        }
        Ok(readings)
    }

    /// Adds the reports about a text as findings, at its bytes.
    fn add_report_findings(&self, one: &Read, reports: Vec<Report>, out: &mut Checked) {
        let reports = reports.into_iter();
        let source = &one.kept.definition.source;
        out.findings
            .extend(reports.map(|report| report.finding_in_text(source)));
    }

    /// Returns the context for the finding that a call about a text failed.
    fn failure_context<'b>(
        &'b self,
        one: &'b Read,
        (name, function): (&'b str, &'b Function),
        holder: &'b str,
    ) -> About<'b> {
        let definition = &one.kept.definition;
        let schema = &self.rules.schemas[&*definition.collection];
        About {
            what: format!("{name} the {} \"{}\"", schema.name, definition.id),
            function,
            holder: (holder, &self.script),
            place: (&definition.source, definition.span),
        }
    }

    /// Reads a text.
    fn read_text(
        &self,
        shared: &LuaValue,
        one: &mut Read,
        out: &mut Checked,
    ) -> mlua::Result<Ended> {
        let mut ended = Ended {
            noted: None,
            is_sealed: false,
            loss: None,
            limit: None,
        };
        if let Some(made) = self
            .known
            .as_ref()
            .and_then(|known| known.known_reading(one))
        {
            one.table = made.definition;
            (ended.noted, ended.is_sealed) = (Some(made.noted), true);
            return Ok(ended);
        }
        let definition = &one.kept.definition;
        let path = one.path.as_deref().unwrap_or_default();
        let file = file_table(&self.engine.lua, path, &definition.source)?;
        let read = &self.functions.read;
        let given = (shared, file, &one.table, &self.calls.report);
        let (answer, mut reports) = self.calls.call::<(LuaValue, LuaValue)>(read, given);
        self.suggest_text_edits(path, &definition.source, &one.table, &mut reports);
        let (is_clean, has_error) = (reports.is_empty(), reports.iter().any(Report::is_error));
        let loss = reports
            .iter()
            .find(|report| report.is_unread_part())
            .cloned();
        ended.loss = loss.map(|report| report.finding_in_text(&definition.source));
        self.add_report_findings(one, reports, out);
        match answer {
            Ok((LuaValue::Table(definition), noted)) => {
                let read = Made { definition, noted };
                let copy = self
                    .known
                    .as_ref()
                    .map(|known| known.copy_and_keep(one, &read, is_clean));
                let copy = copy.transpose()?.flatten();
                ended.is_sealed = copy.is_some();
                let made = copy.unwrap_or(read);
                one.table = made.definition;
                ended.noted = Some(made.noted);
            }
            Ok(_) if has_error => {}
            Ok((other, _)) => {
                let found = type_in_words(other.type_name());
                let message =
                    format!("`read` of `texts` returns {found} instead of the definition");
                let finding = Diagnostic::error("script/no-definition", message)
                    .hint("return all data of the definition, or report what is wrong");
                out.findings
                    .push(finding.at(&definition.source, definition.span));
            }
            Err(failed) => {
                ended.limit = failed.limit;
                let about = self.failure_context(one, ("reading", read), "`read` of the ruleset");
                out.findings.push(failed.failure_finding(&about));
            }
        }
        Ok(ended)
    }
}

/// Returns the table of a file for scripts. Errors: memory.
pub(super) fn file_table(lua: &Lua, path: &str, source: &Source) -> mlua::Result<Table> {
    let file = lua.create_table_with_capacity(0, 2)?;
    file.raw_set("path", path)?;
    file.raw_set("text", source.text())?;
    Ok(file)
}

fn unread_texts_finding(function: &str, left: usize, script: &Arc<Source>) -> Diagnostic {
    let message =
        format!("`{function}` of `texts` exceeds its limits, so {left} more texts are not read");
    Diagnostic::error("schema/unread", message).at(script, script.line_span(1))
}

pub(crate) mod cross_check;
mod edit_search;
mod edit_trials;
mod reading_cache;
mod slips;
#[cfg(test)]
mod tests;
mod text_heads;
