//! This module shows what a session answered: documents as their reader may see them, refusals, findings.

use host::diag::Diagnostic;
use host::doc::build::paragraph;
use host::doc::{Document, Format, Viewer, for_viewer};
use host::game::Reply;
use serde_json::json;

use crate::output::Output;

/// Returns who reads along when somebody acts: the game master sees all, a seat what is its own.
pub(crate) fn viewer(by: &str, reply: &Reply) -> Viewer {
    if by == "gm" {
        Viewer::Gm
    } else {
        Viewer::seat(by, reply.groups.iter().map(String::as_str))
    }
}

/// Returns the documents of a reply as they are written for a viewer, one text each.
pub(crate) fn texts(output: &Output, reply: &Reply, viewer: &Viewer) -> Vec<String> {
    let seen = |documents: &[Document]| -> Vec<String> {
        let seen = documents
            .iter()
            .filter_map(|document| for_viewer(document, viewer));
        let texts = seen.map(|document| output.rendered(&document, reply.op));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let mut texts = seen(&marked(&reply.provisional));
    texts.extend(seen(&reply.documents));
    texts
}

/// Marks what was said by a ruling that waits: until it is over, nothing of it counts.
fn marked(provisional: &[Document]) -> Vec<Document> {
    let marked = provisional.iter().cloned().map(|mut document| {
        document.blocks.insert(0, paragraph("provisional:"));
        document
    });
    marked.collect()
}

/// Says what stands beside the documents: printed lines, findings, why it was refused.
pub(crate) fn beside(output: &mut Output, reply: &Reply, ruleset: &str) {
    output.printed(ruleset, &reply.printed);
    for found in &reply.findings {
        output.complain(found);
    }
    if let Some(refusal) = &reply.refusal {
        refused(output, refusal);
    }
}

/// Writes a refusal: for programs a result, for people talk.
pub(crate) fn refused(output: &mut Output, refusal: &Diagnostic) {
    match output.format {
        Format::Json => output.json(&json!({ "op": null, "error": refusal.to_error_json() })),
        Format::Terminal | Format::Markdown => output.complain(refusal),
    }
}
