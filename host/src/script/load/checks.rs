//! This module lets contracts check definitions by their own functions, when all definitions of a generation are known.
//!
//! In: the functions by collection, and what was read. Out: findings, and which definitions are out of the generation.
//! The functions run in order of collection and id, for what was kept from the last generation too: they may look at
//! anything. Each definition has the budgets of one callback.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Value as LuaValue};

use super::super::contract::Contract;
use super::super::engine::Engine;
use super::super::error::{HostError, diagnose};
use super::super::limits::Limit;
use super::super::report::Report;
use super::super::rules::Rules;
use super::ModFiles;
use super::definitions::Read;
use super::table::placed;
use crate::content::Origin;
use crate::diag::Diagnostic;

/// Findings that a check may report of one definition.
const FINDINGS: usize = 100;

/// Findings that all checks of a generation may report.
const ALL_FINDINGS: usize = 5_000;

/// Passed limits after which the definitions that are left in a collection are not checked.
const PASSED: usize = 3;

/// What checks found.
#[derive(Clone, Debug, Default)]
pub(in crate::script) struct Checked {
    pub(super) findings: Vec<Diagnostic>,
    /// The definitions that have errors, by collection and id.
    pub(super) broken: Vec<(String, String)>,
    /// Whether a limit was passed, so that the same might end otherwise another time.
    pub(super) is_cut: bool,
}

/// Returns what checks find: what they found last if no file is another, else they run. Errors: memory.
pub(super) fn known_or_run(
    engine: &Engine,
    mods: &[ModFiles],
    checks: &BTreeMap<String, Function>,
    read: &[Read],
) -> mlua::Result<Checked> {
    let content = mods.iter().flat_map(|files| &files.content);
    let content: Vec<_> = content.map(|file| Arc::clone(&file.source)).collect();
    let known = engine.host.kept().checked(&content);
    if let Some(checked) = known {
        return Ok(checked);
    }
    let checked = run(engine, checks, read)?;
    if !checked.is_cut {
        engine.host.kept().keep_checked(content, &checked);
    }
    Ok(checked)
}

/// Runs the checks of all collections. Errors: memory for the function `report`.
fn run(
    engine: &Engine,
    checks: &BTreeMap<String, Function>,
    read: &[Read],
) -> mlua::Result<Checked> {
    let mut checked = Checked::default();
    if checks.is_empty() {
        return Ok(checked);
    }
    let rules = engine.rules();
    let open = Open::new(engine, &rules)?;
    for (collection, check) in checks {
        let contract = &rules.contracts[collection];
        let is_known = |one: &&Read| {
            let definition = &one.kept.definition;
            let known = rules.registry.get(collection, &definition.id);
            known.is_some_and(|known| Arc::ptr_eq(known, definition))
        };
        let mut own: Vec<&Read> = read.iter().filter(is_known).collect();
        own.sort_by(|one, other| one.kept.definition.id.cmp(&other.kept.definition.id));
        open.collection((contract, check), &own, &mut checked);
    }
    Ok(checked)
}

/// Takes definitions out of the rules.
pub(super) fn remove(rules: &mut Rules, broken: &[(String, String)]) {
    for key in broken {
        rules.registry.remove(&key.0, &key.1);
        rules.tables.remove(key);
        rules.trees.remove(key);
    }
}

/// What was reported of the definition at hand, and how much may still be.
struct Said {
    reports: Vec<Report>,
    left: usize,
}

/// The checks while they run.
struct Open<'a> {
    engine: &'a Engine,
    rules: &'a Rules,
    said: Rc<RefCell<Said>>,
    report: Function,
}

impl<'a> Open<'a> {
    fn new(engine: &'a Engine, rules: &'a Rules) -> mlua::Result<Open<'a>> {
        let said = Rc::new(RefCell::new(Said {
            reports: Vec::new(),
            left: ALL_FINDINGS,
        }));
        let (area, kept) = (rules.ruleset_id.clone(), Rc::downgrade(&said));
        let host = Rc::downgrade(&engine.host);
        let report = engine.lua.create_function(move |_, said: LuaValue| {
            let (Some(kept), Some(host)) = (kept.upgrade(), host.upgrade()) else {
                return Err(too_late());
            };
            host.charge(16)?;
            let report = Report::read(said, &area)?;
            let mut kept = kept.borrow_mut();
            if kept.reports.len() >= FINDINGS || kept.left == 0 {
                return Err(too_many());
            }
            kept.left -= 1;
            kept.reports.push(report);
            Ok(())
        })?;
        Ok(Open {
            engine,
            rules,
            said,
            report,
        })
    }

    /// Checks the definitions of a collection, in order of id.
    fn collection(
        &self,
        (contract, check): (&Contract, &Function),
        own: &[&Read],
        out: &mut Checked,
    ) {
        let mut passed = 0;
        for (at, one) in own.iter().enumerate() {
            let failed = self.call(check, one, contract);
            let reports = std::mem::take(&mut self.said.borrow_mut().reports);
            if failed.is_some() || reports.iter().any(Report::is_error) {
                let definition = &one.kept.definition;
                let key = (definition.collection.to_string(), definition.id.to_string());
                out.broken.push(key);
            }
            out.findings.extend(placed_in(one, reports));
            let Some((finding, limit)) = failed else {
                continue;
            };
            out.findings.push(finding);
            out.is_cut |= limit.is_some();
            passed += usize::from(limit.is_some());
            let left = own.len() - at - 1;
            if left > 0 && (passed == PASSED || limit == Some(Limit::Interrupted)) {
                out.findings.push(unchecked(contract, left));
                return;
            }
        }
    }

    /// Calls a check. Returns the finding that it did not come to its end, and the limit it passed.
    fn call(
        &self,
        check: &Function,
        one: &Read,
        contract: &Contract,
    ) -> Option<(Diagnostic, Option<Limit>)> {
        let host = &self.engine.host;
        host.meter.begin_command();
        let result = match host.meter.enter() {
            Ok(_scope) => check.call::<LuaValue>((&one.table, &self.report)),
            Err(limit) => Err(HostError::limit(limit)),
        };
        if let Err(error) = &result {
            host.meter.pass_if_memory(error);
        }
        let passed = host.passed();
        if passed == Some(Limit::Memory) {
            let _ = self.engine.lua.gc_collect();
        }
        let error = match (result, passed) {
            (Err(error), _) => error,
            (Ok(_), Some(limit)) => HostError::limit(limit),
            (Ok(_), None) => return None,
        };
        let found = diagnose(&error, passed, &self.rules.sources);
        Some((failure(found, passed, (one, contract, check)), passed))
    }
}

/// Returns the findings of reports at their places; those of a script are looked up only now.
fn placed_in(one: &Read, reports: Vec<Report>) -> Vec<Diagnostic> {
    if reports.is_empty() {
        return Vec::new();
    }
    let source = &one.kept.definition.source;
    let of_script = match one.kept.definition.origin {
        Origin::Script => placed(source, &one.table),
        Origin::Content => None,
    };
    let node = of_script.as_ref().unwrap_or(&one.kept.node);
    let reports = reports.into_iter();
    reports.map(|report| report.placed(node, source)).collect()
}

/// Returns the finding that a check failed: it stands at the definition, and names the line of the contract.
fn failure(
    found: Diagnostic,
    passed: Option<Limit>,
    (one, contract, check): (&Read, &Contract, &Function),
) -> Diagnostic {
    let place = match &found.place {
        Some(place) => {
            let line = place.source.position(place.span.start).line;
            format!("{}:{line}", place.source.name())
        }
        None => {
            let line = check.info().line_defined.unwrap_or(1);
            format!("{}:{line}", contract.source.name())
        }
    };
    let definition = &one.kept.definition;
    let message = format!(
        "the check of the {} \"{}\" fails at {place}: {}",
        contract.name, definition.id, found.message
    );
    let mut finding =
        Diagnostic::error(found.code, message).at(&definition.source, definition.span);
    finding.trace = found.trace;
    finding.hints = match passed {
        Some(_) => vec!["look for a loop without an end in `check` of the contract".to_owned()],
        None => found.hints,
    };
    finding
}

fn unchecked(contract: &Contract, left: usize) -> Diagnostic {
    let message = format!(
        "`check` passes its limits, so {left} more of {} are not checked",
        contract.collection
    );
    Diagnostic::warning("contract/unchecked", message)
        .at(&contract.source, contract.source.line_span(1))
}

fn too_late() -> mlua::Error {
    let message = "`report` is only for the check that it is given to";
    HostError::raise(Diagnostic::error("script/argument", message))
}

fn too_many() -> mlua::Error {
    let message = format!(
        "a check reports {FINDINGS} findings of one definition at most, and all of them {ALL_FINDINGS}"
    );
    HostError::raise(Diagnostic::error("limit/findings", message))
}
