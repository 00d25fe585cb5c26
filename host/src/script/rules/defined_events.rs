//! Finds events that two definitions define: an event is known by its name alone.

use std::collections::BTreeMap;

use super::Rules;
use crate::diag::Diagnostic;

/// Returns a finding for each definition that is an event with the name of an event of another collection.
pub(crate) fn duplicate_event_findings(rules: &Rules) -> Vec<Diagnostic> {
    let schemas = rules.schemas.iter();
    let schemas = schemas.filter(|(_, schema)| schema.events.is_some());
    let (mut known, mut found) = (BTreeMap::new(), Vec::new());
    for (collection, _) in schemas {
        for definition in rules.registry.of_collection(collection) {
            let id = &*definition.id;
            let Some(first) = known.insert(id, collection) else {
                continue;
            };
            let message =
                format!("the event \"{id}\" is declared by {first}/{id} and {collection}/{id}");
            let finding = Diagnostic::error("script/same-event", message)
                .hint("rename one of them: an event is identified only by its name");
            found.push(finding.at(&definition.source, definition.span));
        }
    }
    found
}
