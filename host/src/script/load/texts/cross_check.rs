//! Checks texts again when all of them were read: `gather` and `check` of `texts` of `ruleset.luau`.
//!
//! In: the value that `begin` made, and every text that was read at least in part. Texts with errors are included, so
//! that none is missing where one text refers to another. Out: findings at bytes of the text, and the texts that have
//! errors now. Each call has the budgets of one callback.

use mlua::Value as LuaValue;

use super::{Open, Reading, file_table};
use crate::diag::Diagnostic;
use crate::script::load::definition_calls::Passes;
use crate::script::load::script_report::Report;
use crate::script::rules::definition_cache::Checked;

/// Calls `gather` for each text, in order of path, with the notes of its reading. Without `gather` nothing is done.
/// Errors: memory.
pub(super) fn gather_notes(
    open: &Open<'_>,
    shared: &LuaValue,
    readings: &mut [Reading<'_>],
    out: &mut Checked,
) -> mlua::Result<()> {
    let Some(gather) = &open.functions.gather else {
        return Ok(());
    };
    let mut passes = Passes::default();
    let count = readings.len();
    for (at, reading) in readings.iter_mut().enumerate() {
        let one = reading.one;
        let path = one.path.as_deref().unwrap_or_default();
        let file = file_table(&open.engine.lua, path, &one.kept.definition.source)?;
        let given = (shared, file, &one.table, &reading.noted);
        let Err(failed) = open.calls.call::<LuaValue>(gather, given).0 else {
            continue;
        };
        reading.is_faulty = true;
        let limit = failed.limit;
        out.is_cut |= limit.is_some();
        let about = open.failure_context(one, ("gathering", gather), "`gather` of the ruleset");
        out.findings.push(failed.failure_finding(&about));
        let left = count - at - 1;
        if passes.count_limit_and_should_stop(limit) && left > 0 {
            out.findings
                .push(unchecked_texts_finding(open, "gather", left));
            break;
        }
    }
    Ok(())
}

/// Calls `check` for each text, in order of path. Without `check` nothing is done.
pub(super) fn check_texts(
    open: &Open<'_>,
    shared: &LuaValue,
    readings: &mut [Reading<'_>],
    out: &mut Checked,
) {
    let Some(check) = &open.functions.check else {
        return;
    };
    let mut passes = Passes::default();
    let count = readings.len();
    for (at, reading) in readings.iter_mut().enumerate() {
        let one = reading.one;
        let given = (shared, &one.table, &open.calls.report);
        let (result, reports) = open.calls.call::<LuaValue>(check, given);
        reading.is_faulty |= result.is_err() || reports.iter().any(Report::is_error);
        open.add_report_findings(one, reports, out);
        let Err(failed) = result else {
            continue;
        };
        let limit = failed.limit;
        let about = open.failure_context(one, ("checking", check), "`check` of the ruleset");
        out.findings.push(failed.failure_finding(&about));
        out.is_cut |= limit.is_some();
        let left = count - at - 1;
        if passes.count_limit_and_should_stop(limit) && left > 0 {
            out.findings
                .push(unchecked_texts_finding(open, "check", left));
            return;
        }
    }
}

fn unchecked_texts_finding(open: &Open<'_>, function: &str, left: usize) -> Diagnostic {
    let message =
        format!("`{function}` of `texts` exceeds its limits, so {left} more texts are not checked");
    Diagnostic::warning("schema/unchecked", message).at(&open.script, open.script.line_span(1))
}
