//! Checks references between definitions after everything is loaded.

use std::sync::Arc;

use super::{Registry, Resolve};
use crate::content::findings::Findings;
use crate::content::node::{Node, shortened};
use crate::content::shape::{Leaf, Shape, refs_and_dice};
use crate::diag::{Diagnostic, Fix, Source, near_hint, only_near_name};
use crate::value::Text;

/// Finds unknown ids in a node; `what` names the node in messages.
///
/// Findings: `content/unknown-reference` with the nearest ids, or with the id of the definition that has that name.
pub fn check_references(
    registry: &Registry,
    shape: &Shape,
    node: &Node,
    source: &Arc<Source>,
    what: &str,
) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for leaf in refs_and_dice(shape, node) {
        if let (Shape::Ref(collection), Some(id)) = (leaf.shape, leaf.node.as_str())
            && registry.get(collection, id).is_none()
            && !findings.skip_when_full()
        {
            let finding = unknown_reference_finding(registry, collection, id, &leaf, what);
            let fix = intended_id(registry, collection, id)
                .and_then(|meant| Fix::word_replacement(source, leaf.node.span, id, meant));
            let finding = finding.with_fix(fix);
            findings.push(finding.at(source, leaf.node.first_line_span(source)));
        }
    }
    findings.into_vec()
}

/// Returns the only possible intended id: the text is its name, or has a typing error.
fn intended_id<'r>(registry: &'r Registry, collection: &Text, id: &str) -> Option<&'r str> {
    match registry.find_by_typed_name(collection, id) {
        Resolve::Exact(named) => Some(&named.id),
        Resolve::Prefix(_) | Resolve::Ambiguous(_) | Resolve::Unknown(_) => {
            only_near_name(id, registry.of_collection(collection).map(|one| &*one.id))
        }
    }
}

fn unknown_reference_finding(
    registry: &Registry,
    collection: &Text,
    id: &str,
    leaf: &Leaf<'_>,
    what: &str,
) -> Diagnostic {
    let subject = if leaf.path.is_empty() {
        what.to_owned()
    } else {
        format!("`{}` of {what}", leaf.path)
    };
    let message = format!(
        "{subject} names {:?}, which is not one of the {collection}",
        shortened(id)
    );
    let hint = match registry.find_by_typed_name(collection, id) {
        Resolve::Exact(named) => format!("write its id, {:?}", &*named.id),
        Resolve::Prefix(_) | Resolve::Ambiguous(_) | Resolve::Unknown(_) => {
            near_hint(id, registry.of_collection(collection).map(|one| &*one.id))
        }
    };
    let empty = registry.of_collection(collection).next().is_none();
    let hint = if empty {
        format!("the collection {collection} is empty")
    } else {
        hint
    };
    Diagnostic::error("content/unknown-reference", message).hint(hint)
}
