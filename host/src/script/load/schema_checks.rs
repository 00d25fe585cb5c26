//! Lets schemas check definitions by their own functions, when all definitions of a generation are known.
//!
//! In: the functions by collection, and the definitions that were read. Out: findings, and the definitions that are out
//! of the generation. The functions run in order of collection and id. They also run for definitions kept from the last
//! generation, because they may look at anything. Each definition has the budgets of one callback.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, Table, Value as LuaValue};

use super::definition_calls::{About, Calls, Passes, skipped_definitions_finding};
use super::definitions::Read;
use super::file_keys::FileKeys;
use super::table_file::try_tree_with_places;
use crate::content::{Definition, Origin};
use crate::diag::Diagnostic;
use crate::script::declare::schema::Schema;
use crate::script::engine::Engine;
use crate::script::load::script_report::Report;
use crate::script::rules::Rules;
use crate::script::rules::definition_cache::Checked;

/// Returns the findings of checks. Checks that found nothing in these files before do not run again. Without `keys`
/// they run, and nothing is kept. Errors: memory.
pub(super) fn cached_or_run_checks(
    engine: &Engine,
    keys: Option<&FileKeys>,
    checks: &BTreeMap<String, Function>,
    read: &[Read],
) -> mlua::Result<Checked> {
    if checks.is_empty() {
        return Ok(Checked::default());
    }
    let files = keys.map(FileKeys::key_of_all);
    if files.is_some_and(|files| engine.host.file_facts().has_clean_checks(&files)) {
        return Ok(Checked::default());
    }
    let checked = run_schema_checks(engine, checks, read)?;
    if checked.findings.is_empty()
        && let Some(files) = files
    {
        engine.host.file_facts().keep_clean_checks(files);
    }
    Ok(checked)
}

/// Runs the checks of all collections. Errors: memory for the function `report`.
fn run_schema_checks(
    engine: &Engine,
    checks: &BTreeMap<String, Function>,
    read: &[Read],
) -> mlua::Result<Checked> {
    let mut checked = Checked::default();
    let rules = engine.rules();
    let calls = Calls::new(engine, &rules.sources, &rules.ruleset_id)?;
    let open = Open { calls };
    for (collection, check) in checks {
        let schema = &rules.schemas[collection];
        let is_known = |one: &&Read| {
            let definition = &one.kept.definition;
            let known = rules.registry.get(collection, &definition.id);
            known.is_some_and(|known| Arc::ptr_eq(known, definition))
        };
        let mut own: Vec<&Read> = read.iter().filter(is_known).collect();
        own.sort_by(|one, other| one.kept.definition.id.cmp(&other.kept.definition.id));
        open.check_collection((schema, check), &own, &mut checked);
    }
    Ok(checked)
}

/// Takes definitions out of the rules.
pub(super) fn remove_definitions(rules: &mut Rules, broken: &[(String, String)]) {
    rules.forget_definition_lists();
    for key in broken {
        rules.registry.remove(&key.0, &key.1);
        rules.tables.remove(key);
        rules.trees.remove(key);
    }
}

/// Returns the texts among definitions, with the tables that were read of them.
pub(super) fn texts_among_definitions(
    rules: &Rules,
    broken: &[(String, String)],
) -> Vec<(Arc<Definition>, Table)> {
    let texts = broken.iter().filter_map(|key| {
        let definition = rules.registry.get(&key.0, &key.1)?;
        let table = rules.tables.get(key)?;
        let text = definition.is_text.then(|| Arc::clone(definition))?;
        Some((text, table.clone()))
    });
    texts.collect()
}

/// The checks while they run.
struct Open<'a> {
    calls: Calls<'a>,
}

impl Open<'_> {
    /// Checks the definitions of a collection, in order of id.
    fn check_collection(
        &self,
        (schema, check): (&Schema, &Function),
        own: &[&Read],
        out: &mut Checked,
    ) {
        let mut passes = Passes::default();
        for (at, one) in own.iter().enumerate() {
            let given = (&one.table, &self.calls.report);
            let (result, reports) = self.calls.call::<LuaValue>(check, given);
            let definition = &one.kept.definition;
            if result.is_err() || reports.iter().any(Report::breaks_definition) {
                let key = (definition.collection.to_string(), definition.id.to_string());
                out.broken.push(key);
            }
            out.findings.extend(placed_findings(one, reports));
            let Err(failed) = result else {
                continue;
            };
            let limit = failed.limit;
            let about = About {
                what: format!("the check of the {} \"{}\"", schema.name, definition.id),
                function: check,
                holder: ("`check` of the schema", &schema.source),
                place: (&definition.source, definition.span),
            };
            out.findings.push(failed.failure_finding(&about));
            out.is_cut |= limit.is_some();
            let left = own.len() - at - 1;
            if passes.count_limit_and_should_stop(limit) && left > 0 {
                out.findings.push(skipped_definitions_finding(
                    schema,
                    "check",
                    (left, "are not checked"),
                ));
                return;
            }
        }
    }
}

/// Returns the findings of reports at their places. Places in a script are looked up only now.
fn placed_findings(one: &Read, reports: Vec<Report>) -> Vec<Diagnostic> {
    if reports.is_empty() {
        return Vec::new();
    }
    let source = &one.kept.definition.source;
    let reports = reports.into_iter();
    if one.kept.definition.is_text {
        return reports
            .map(|report| report.finding_in_text(source))
            .collect();
    }
    let of_script = match one.kept.definition.origin {
        Origin::Script => try_tree_with_places(source, &one.table),
        Origin::Content => None,
    };
    let node = of_script.as_ref().unwrap_or(&one.kept.node);
    reports
        .map(|report| report.finding_in_tree(node, source))
        .collect()
}
