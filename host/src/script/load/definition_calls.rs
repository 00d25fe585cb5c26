//! Calls functions of rules about definitions, one after the other, and collects their reports.
//!
//! Each call has the budgets of one callback. The caller gives the place of each report and of each failed call.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Value as LuaValue};

use crate::diag::{Diagnostic, Source, Span};
use crate::script::declare::schema::Schema;
use crate::script::engine::Engine;
use crate::script::fuel::Limit;
use crate::script::host::error_findings::HostError;
use crate::script::load::script_report::{HiddenFindings, Report};
use crate::script::source::sources::Sources;

/// The limit of reported findings of one definition. Only the number of further findings is reported.
const FINDINGS: usize = 100;

/// Findings of all calls of a kind that are reported.
const ALL_FINDINGS: usize = 5_000;

/// Passed limits after which the remaining definitions are not checked.
const PASSED: usize = 3;

/// The reports about the present definition, and how many more may be made.
struct Said {
    reports: Vec<Report>,
    left: usize,
    /// The reports that are not shown.
    untold: HiddenFindings,
}

impl Said {
    fn take_reports(&mut self) -> Vec<Report> {
        let mut reports = std::mem::take(&mut self.reports);
        let untold = std::mem::take(&mut self.untold);
        if untold.count > 0 {
            reports.push(Report::hidden_findings_summary(untold, reports.len()));
        }
        reports
    }
}

/// Calls of one kind while they go on.
pub(super) struct Calls<'a> {
    engine: &'a Engine,
    sources: Sources,
    said: Rc<RefCell<Said>>,
    /// The function that scripts report with.
    pub(super) report: Function,
}

/// The reason why a call did not come to its end.
pub(super) struct Failed {
    found: Diagnostic,
    /// The limit that it passed.
    pub(super) limit: Option<Limit>,
}

/// The subject of a call, for the finding that it failed.
pub(super) struct About<'a> {
    /// The name of the call: `the check of the bell "great"`.
    pub(super) what: String,
    pub(super) function: &'a Function,
    /// The holder of the function, and its source.
    pub(super) holder: (&'a str, &'a Source),
    /// The place of the finding.
    pub(super) place: (&'a Arc<Source>, Span),
}

/// Counts the limits that calls pass.
#[derive(Default)]
pub(super) struct Passes(usize);

impl<'a> Calls<'a> {
    /// Errors: memory for the function `report`.
    pub(super) fn new(
        engine: &'a Engine,
        sources: &Sources,
        area: &str,
    ) -> mlua::Result<Calls<'a>> {
        let said = Rc::new(RefCell::new(Said {
            reports: Vec::new(),
            left: ALL_FINDINGS,
            untold: HiddenFindings::default(),
        }));
        let (area, kept) = (area.to_owned(), Rc::downgrade(&said));
        let host = Rc::downgrade(&engine.host);
        let report = engine.lua.create_function(move |_, said: LuaValue| {
            let (Some(kept), Some(host)) = (kept.upgrade(), host.upgrade()) else {
                return Err(late_report_error());
            };
            host.charge(16)?;
            let report = Report::read(said, &area)?;
            let mut kept = kept.borrow_mut();
            if kept.reports.len() >= FINDINGS || kept.left == 0 {
                report.count_as_hidden(&mut kept.untold);
                return Ok(());
            }
            kept.left -= 1;
            kept.reports.push(report);
            Ok(())
        })?;
        Ok(Calls {
            engine,
            sources: sources.clone(),
            said,
            report,
        })
    }

    /// Resets the number of reports that are accepted.
    pub(super) fn renew_report_limit(&self) {
        self.said.borrow_mut().left = ALL_FINDINGS;
    }

    /// Calls a function. Returns its result, and its reports.
    pub(super) fn call<R: FromLuaMulti>(
        &self,
        function: &Function,
        given: impl IntoLuaMulti,
    ) -> (Result<R, Failed>, Vec<Report>) {
        let host = &self.engine.host;
        host.meter.begin_command();
        let result = match host.meter.enter_script_call() {
            Ok(_scope) => self.engine.call_script_function::<R>(function, given),
            Err(limit) => Err(HostError::error_of_limit(limit)),
        };
        if let Err(error) = &result {
            host.meter.note_if_out_of_memory(error);
        }
        let passed = host.passed_limit();
        if passed == Some(Limit::Memory) {
            let _ = self.engine.lua.gc_collect();
        }
        let reports = self.said.borrow_mut().take_reports();
        let error = match (result, passed) {
            (Ok(made), None) => return (Ok(made), reports),
            (Err(error), _) => error,
            (Ok(_), Some(limit)) => HostError::error_of_limit(limit),
        };
        let found = host.diagnose(&error, &self.sources);
        (
            Err(Failed {
                found,
                limit: passed,
            }),
            reports,
        )
    }
}

/// Returns the line of a script in which a function of it begins. Returns none for a function from elsewhere: a module
/// that the script requires, or the host's function for a declaration.
pub(super) fn first_line_of_function(script: &Source, function: &Function) -> Option<usize> {
    let info = function.info();
    let is_own = |chunk: &String| script.name().ends_with(chunk_without_mark(chunk));
    info.source
        .as_ref()
        .is_none_or(is_own)
        .then(|| info.line_defined.unwrap_or(1))
}

/// Returns the name of a chunk as the machine was given it, without the mark before it.
fn chunk_without_mark(source: &str) -> &str {
    source.trim_start_matches(['=', '@'])
}

/// Returns the place where a function of a script is defined, as findings name it.
pub(crate) fn place_of_function(script: &Source, function: &Function) -> String {
    if let Some(line) = first_line_of_function(script, function) {
        return format!("{}:{line}", script.name());
    }
    let info = function.info();
    match chunk_without_mark(info.source.as_deref().unwrap_or_default()) {
        host if host.starts_with("host/") => script.name().to_owned(),
        module => format!("scripts/{module}:{}", info.line_defined.unwrap_or(1)),
    }
}

impl Failed {
    /// Returns the finding: it is placed at the definition, and names the line of the script.
    pub(super) fn failure_finding(self, about: &About<'_>) -> Diagnostic {
        let (holder, script) = about.holder;
        let place = match &self.found.place {
            Some(place) => place.to_string(),
            None => place_of_function(script, about.function),
        };
        let message = format!("{} fails at {place}: {}", about.what, self.found.message);
        let mut finding =
            Diagnostic::error(self.found.code, message).at(about.place.0, about.place.1);
        finding.trace = self.found.trace;
        finding.hints = match self.limit {
            Some(_) => vec![format!("look for an endless loop in {holder}")],
            None => self.found.hints,
        };
        finding
    }
}

impl Passes {
    /// Counts the limit of a call, if it passed one. Returns whether the calls must stop.
    pub(super) fn count_limit_and_should_stop(&mut self, limit: Option<Limit>) -> bool {
        self.0 += usize::from(limit.is_some());
        limit == Some(Limit::Interrupted) || (limit.is_some() && self.0 >= PASSED)
    }
}

/// Returns the finding that a function of a schema passes its limits too often. It contains the number of skipped
/// definitions, and the consequence for them.
pub(super) fn skipped_definitions_finding(
    schema: &Schema,
    function: &str,
    (left, what): (usize, &str),
) -> Diagnostic {
    let message = format!(
        "`{function}` exceeds its limits, so {left} more {} of {} {what}",
        match left {
            1 => "definition",
            _ => "definitions",
        },
        schema.collection
    );
    Diagnostic::warning("schema/unchecked", message).at(&schema.source, schema.source.line_span(1))
}

fn late_report_error() -> mlua::Error {
    let message = "`report` is only for the call that it is given to";
    HostError::error_of_finding(Diagnostic::error("script/argument", message))
}
