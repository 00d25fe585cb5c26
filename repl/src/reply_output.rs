//! Shows the reply of a session: documents as their reader may see them, refusals, findings.

use std::borrow::Cow;

use host::diag::Diagnostic;
use host::doc::build::paragraph;
use host::doc::{Audience, Document, Format, Viewer, for_viewer, provisional_json};
use host::game::Reply;
use serde_json::json;

use crate::output::Output;

/// Returns the viewer of a reply: the game master sees everything, a seat its own documents.
pub(crate) fn viewer_of_reply(by: &str, reply: &Reply) -> Viewer {
    if by == "gm" {
        Viewer::Gm
    } else {
        Viewer::seat(by, reply.groups.iter().map(String::as_str))
    }
}

/// Heading above documents that become final only when their ruling is over.
const PROVISIONAL: &str = "This becomes final when the question is answered:";

/// Returns the documents of a reply as they are written for a viewer, one text each.
///
/// Seats get no numbers of operations, because these numbers count the acts of other players. Documents of a waiting
/// ruling are marked once, for programs in each object.
pub(crate) fn reply_texts(output: &Output, reply: &Reply, viewer: &Viewer) -> Vec<String> {
    let seen = |(op, document): (Option<u64>, Cow<'_, Document>)| {
        let op = op.filter(|_| *viewer == Viewer::Gm);
        for_viewer(&document, viewer).map(|document| (op, document))
    };
    let written = |(op, document)| rendered_for_viewer(output, document, op, viewer);
    let is_json = output.format == Format::Json;
    let provisional = reply.provisional_by_operation().filter_map(seen);
    let mut texts: Vec<String> = match is_json {
        true => provisional
            .map(|(op, document)| provisional_json(&document, op))
            .collect(),
        false => provisional.map(written).collect(),
    };
    texts.retain(|text| !text.is_empty());
    if !texts.is_empty() && !is_json {
        let mark = Document::new([paragraph(PROVISIONAL)]);
        texts.insert(0, output.render_document(&mark, None));
    }
    let aside = reply.aside.iter();
    let aside = aside.map(|document| (reply.op, Cow::Borrowed(document)));
    texts.extend(
        reply
            .documents_by_operation()
            .chain(aside)
            .filter_map(seen)
            .map(written),
    );
    texts.retain(|text| !text.is_empty());
    texts
}

/// Writes a document for a viewer. A text for the game master alone has no mark when the game master reads it, because
/// the mark names other readers. For programs the mark stays.
fn rendered_for_viewer(
    output: &Output,
    mut document: Document,
    op: Option<u64>,
    viewer: &Viewer,
) -> String {
    let is_own = *viewer == Viewer::Gm && document.audience == Audience::Gm;
    if is_own && output.format != Format::Json {
        document.audience = Audience::Public;
    }
    output.render_document(&document, op)
}

/// Writes the parts of a reply beside the documents: printed lines, findings, the refusal.
pub(crate) fn write_prints_and_findings(output: &mut Output, reply: &Reply, ruleset: &str) {
    output.write_script_prints(ruleset, &reply.printed);
    for found in &reply.findings {
        output.write_finding_to_stderr(found);
    }
    if let Some(refusal) = &reply.refusal {
        write_refusal(output, refusal);
    }
}

/// Writes a refusal: a result for programs, a message for people.
pub(crate) fn write_refusal(output: &mut Output, refusal: &Diagnostic) {
    if output.format == Format::Json {
        output.write_json_line(&json!({ "op": null, "error": refusal.to_error_json() }));
    } else {
        output.write_finding_to_stderr(refusal);
    }
}
