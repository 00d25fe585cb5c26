//! Declarations of the plans of a generation: their steps, and when they begin.

use super::Rules;
use crate::diag::Diagnostic;
use crate::script::source::source_places;
use crate::value::Value;

/// The collection of plans: the library's schema names it.
pub const PLANS: &str = "plans";

/// Returns the names of the steps of a plan in order. Returns nothing if there is no such plan.
pub fn step_names(rules: &Rules, plan: &str) -> Option<Vec<String>> {
    let definition = rules.registry.get(PLANS, plan)?;
    let steps = definition.value.get("steps").items().iter();
    Some(
        steps
            .map(|step| step.get("name").as_str().unwrap_or_default().to_owned())
            .collect(),
    )
}

/// Returns the errors in the plans of the rules beyond their shape.
pub(crate) fn plan_findings(rules: &Rules) -> Vec<Diagnostic> {
    let plans = rules.registry.of_collection(PLANS);
    let found = plans.flat_map(|plan| {
        let names = step_names(rules, &plan.id).unwrap_or_default();
        let place = |finding: Diagnostic| finding.at(&plan.source, plan.source.line_span(1));
        let empty = names.is_empty().then(|| {
            let message = format!("the plan \"{}\" has no steps", plan.id);
            Diagnostic::error("plan/no-steps", message)
        });
        let (from, to) = plan_phases(rules, &plan.id);
        let phases = [("when.from", from), ("when.to", to)].into_iter();
        let unknown = phases.filter_map(|(key, phase)| {
            let finding = rules.phases.find_phase(phase?, []).err()?;
            let span = source_places::table_places(&plan.source)
                .entries
                .get(key)
                .map(|(_, value)| *value);
            Some(finding.at(&plan.source, span.unwrap_or(plan.span)))
        });
        let twice = names.iter().enumerate();
        let twice = twice.filter(|(at, name)| names[..*at].contains(name));
        let twice = twice.map(|(_, name)| {
            let message = format!("the plan \"{}\" has two steps \"{name}\"", plan.id);
            Diagnostic::error("plan/same-name", message)
                .hint("the game stores its place in a plan as the name of the step")
        });
        empty
            .into_iter()
            .chain(twice)
            .map(place)
            .chain(unknown)
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// Returns the phases of a plan: the phase in which it begins and the phase to which it leads.
pub fn plan_phases<'a>(rules: &'a Rules, plan: &str) -> (Option<&'a str>, Option<&'a str>) {
    let when: &Value = rules.definition_data(PLANS, plan).get("when");
    (when.get("from").as_str(), when.get("to").as_str())
}
