//! This module writes the script API: declarations for editors, or a reference for people.

use host::doc::build::{heading, paragraph};
use host::doc::{Block, Document, markdown};
use host::script::{Function, Group, declarations, host_definitions};

use crate::exit::Exit;
use crate::output::Output;

/// Writes `host.d.luau`, or the reference.
pub(crate) fn api(reference: bool, output: &mut Output) -> Exit {
    let text = if reference {
        markdown(&document(&declarations()))
    } else {
        host_definitions()
    };
    output.own(&text);
    Exit::Ok
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
        let text = markdown(&document(&groups));
        assert!(text.contains("### act:get"), "{text}");
        for function in groups.iter().flat_map(|group| &group.functions) {
            assert!(
                text.contains(&format!("{}: {}", function.name, function.signature)),
                "{}",
                function.name
            );
        }
    }
}
