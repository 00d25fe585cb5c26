//! Finds formatting problems of content files that have no effect: spaces at the end of a line.

use std::sync::Arc;

use super::node::{Kind, Node};
use super::tree_builder::TreeLimits;
use super::yaml::read_yaml;
use crate::diag::{Diagnostic, Fix, Source, Span, apply_fixes};

/// Returns a warning for each line of a YAML file that ends in spaces; inside a text they belong to the text.
pub fn trailing_space_warnings(source: &Arc<Source>) -> Vec<Diagnostic> {
    let ends = trailing_space_spans(source.text());
    if ends.is_empty() {
        return Vec::new();
    }
    let (Some(node), _) = read_yaml(source, TreeLimits::CONTENT) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    gather_text_spans(&node, &mut texts);
    let is_outside = |end: &Span| {
        !texts
            .iter()
            .any(|text| text.start < end.end && end.start < text.end)
    };
    let fixes: Vec<Fix> = ends
        .into_iter()
        .filter(is_outside)
        .map(|end| Fix::new(end, ""))
        .collect();
    if !fixes_keep_meaning(source, &node, &fixes) {
        return Vec::new();
    }
    fixes
        .into_iter()
        .map(|fix| trailing_space_warning(source, fix))
        .collect()
}

fn trailing_space_warning(source: &Arc<Source>, fix: Fix) -> Diagnostic {
    Diagnostic::warning("content/trailing-blank", "the line ends with spaces")
        .at(source, fix.span)
        .with_fix(Some(fix))
}

/// Returns where lines end in spaces.
fn trailing_space_spans(text: &str) -> Vec<Span> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches('\n');
        let kept = body.trim_end_matches([' ', '\t']).len();
        if kept < body.len() {
            found.push(Span::new(start + kept, start + body.len()));
        }
        start += line.len();
    }
    found
}

fn gather_text_spans(node: &Node, found: &mut Vec<Span>) {
    match &node.kind {
        Kind::Text(_) => found.push(node.span),
        Kind::List(items) => items.iter().for_each(|item| gather_text_spans(item, found)),
        Kind::Map(entries) => {
            for entry in entries {
                gather_text_spans(&entry.node, found);
            }
        }
        Kind::Nil | Kind::Bool(_) | Kind::Number(..) | Kind::Function => {}
    }
}

fn fixes_keep_meaning(source: &Source, node: &Node, fixes: &[Fix]) -> bool {
    let (tidied, _) = apply_fixes(source.text(), fixes);
    let (again, _) = read_yaml(&Source::new(source.name(), tidied), TreeLimits::CONTENT);
    again.is_some_and(|again| again.to_value() == node.to_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_at_the_end_of_a_line_are_found_unless_they_belong_to_a_text() {
        let source = Source::new(
            "a.yaml",
            "a: 1  \nb: |\n  one  \n  two\t\nc: [x, \n  y]\t\n  \nd: e\n",
        );
        let found = trailing_space_warnings(&source);
        let lines: Vec<usize> = found
            .iter()
            .map(|one| one.place.as_ref().unwrap().start_line())
            .collect();
        assert_eq!(lines, [1, 5, 6, 7]);
        let fixes: Vec<Fix> = found.into_iter().filter_map(|one| one.fix).collect();
        let (text, _) = apply_fixes(source.text(), &fixes);
        assert_eq!(text, "a: 1\nb: |\n  one  \n  two\t\nc: [x,\n  y]\n\nd: e\n");
        assert_eq!(trailing_space_warnings(&Source::new("b.yaml", text)), []);
    }
}
