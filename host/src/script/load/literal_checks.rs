//! Checks literals about records in scripts before anything runs: modifiers, ends, kinds, queues and audiences.
//!
//! In: the sources of a ruleset. Out: findings with places. A computed value is unknown here and passes. A literal is
//! tried on a state of its own, so that the same code judges it as in play.

use std::rc::Rc;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source};
use crate::script::engine::Engine;
use crate::script::load::literal_checks::dry_run::DryRun;
use crate::script::load::literal_checks::name_typos::Uses;
use crate::script::rules::Rules;
use crate::script::source::record_literals::Script;
use crate::value::Names;

pub(crate) mod dry_run;
pub(crate) mod name_typos;
mod unknown_audiences;

/// Returns the errors in the modifiers and ends that scripts write as literals. Also returns names of kinds, queues and
/// stats that are used once and nearly like a known name.
pub fn literal_findings(engine: &Engine, sources: &[Arc<Source>]) -> Vec<Diagnostic> {
    let rules = engine.rules();
    let events = rules
        .event_summaries()
        .into_iter()
        .map(|(event, _)| event.to_string())
        .collect();
    let trial = DryRun::new(&rules, events, &engine.host.names);
    let mut uses = Uses::of(&rules);
    let mut found = Vec::new();
    for source in sources {
        let script = Script::read(source);
        found.extend(dry_run_findings(&script, &trial));
        let named = script.audiences.iter();
        found.extend(named.filter_map(|one| unknown_audiences::no_audience_finding(&rules, one)));
        uses.add_script(script);
    }
    found.extend(uses.typo_findings(sources));
    found
}

/// Returns the errors in the modifiers and ends that one definition writes as literals, while the rules are read.
pub(crate) fn record_literal_findings(
    source: &Arc<Source>,
    rules: &Rules,
    events: &[String],
    names: &Rc<Names>,
) -> Vec<Diagnostic> {
    // Texts without these words are not parsed, because parsing all files would slow down each start.
    if !["modifiers", "duration", "ends"]
        .iter()
        .any(|word| source.text().contains(word))
    {
        return Vec::new();
    }
    let trial = DryRun::new(rules, events.to_vec(), names);
    dry_run_findings(&Script::read(source), &trial)
}

fn dry_run_findings(script: &Script, trial: &DryRun<'_>) -> Vec<Diagnostic> {
    let modifiers = script
        .modifiers
        .iter()
        .filter_map(|one| trial.modifier_finding(one));
    let ends = script.ends.iter().filter_map(|one| trial.end_finding(one));
    modifiers.chain(ends).collect()
}
