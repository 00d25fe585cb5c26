//! This module writes the script API: declarations for editors, or a reference for people.

use host::doc::build::{heading, paragraph, span};
use host::doc::{Block, Document, Line, Style, markdown};
use host::script::{Function, Group, declarations, host_definitions};

use crate::exit::Exit;
use crate::output::Output;

/// Writes `host.d.luau`, or the reference.
pub(crate) fn api(reference: bool, output: &mut Output) -> Exit {
    let text = if reference {
        reference_text(&declarations())
    } else {
        host_definitions()
    };
    output.own(&text);
    Exit::Ok
}

fn reference_text(groups: &[Group]) -> String {
    let mut document = document(groups);
    for block in &mut document.blocks {
        if let Block::Paragraph(line) = block {
            *line = with_code(line);
        } else if let Block::Fields(fields) = block {
            for field in fields {
                field.value = with_code(&field.value);
            }
        }
    }
    markdown(&document)
}

/// Returns a line in which what stands between backticks is code: declarations are written so.
fn with_code(line: &Line) -> Line {
    let spans = line.0.iter().flat_map(|one| {
        let parts: Vec<&str> = one.text.split('`').collect();
        // A backtick alone is one.
        if parts.len().is_multiple_of(2) {
            return vec![one.clone()];
        }
        let styles = [one.style, Style::Code].into_iter().cycle();
        let spans = styles.zip(parts).filter(|(_, text)| !text.is_empty());
        spans.map(|(style, text)| span(style, text)).collect()
    });
    Line(spans.collect())
}

fn document(groups: &[Group]) -> Document {
    let about = "What rule scripts may call. Printed from the declarations that the host checks arguments with.";
    let head = [heading(1, "Script API"), paragraph(about)];
    Document::new(head.into_iter().chain(groups.iter().flat_map(group)))
}

fn group(group: &Group) -> Vec<Block> {
    let kind = if group.is_type { "type" } else { "global" };
    let mut blocks = vec![heading(2, format!("{} ({kind})", group.name))];
    blocks.extend((!group.text.is_empty()).then(|| paragraph(group.text.clone())));
    blocks.extend(group.functions.iter().flat_map(|one| function(group, one)));
    blocks
}

fn function(group: &Group, function: &Function) -> Vec<Block> {
    let head = [heading(3, called(group, function))];
    head.into_iter().chain(function.blocks()).collect()
}

fn called(group: &Group, function: &Function) -> String {
    match (group.is_type, function.name == group.name) {
        (true, _) => format!("{}:{}", group.name.to_lowercase(), function.name),
        (false, true) => function.name.clone(),
        (false, false) => format!("{}.{}", group.name, function.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_its_place_in_the_reference() {
        let groups = declarations();
        let text = reference_text(&groups);
        assert!(text.contains("### act:get"), "{text}");
        for function in groups.iter().flat_map(|group| &group.functions) {
            assert!(
                text.contains(&format!("{}: {}", function.name, function.signature)),
                "{}",
                function.name
            );
        }
    }

    #[test]
    fn code_in_the_texts_is_code_in_the_reference() {
        let text = reference_text(&declarations());
        assert!(text.contains("An `act` is alive for one run"), "{text}");
        assert!(text.contains("`seen` of `act:create` hides an entity"));
        assert!(!text.contains("\\`"), "a backtick that is escaped is shown");
        let alone = Line::from("a ` alone");
        assert_eq!(with_code(&alone), alone);
    }
}
