//! Former names of keys: a record may say what one of its keys was called before.

use std::sync::Arc;

use super::{Record, Shape};
use crate::content::node::{Entry, Kind, Node};
use crate::content::route::Step;
use crate::diag::{Diagnostic, Source, Span};
use crate::value::Text;

/// A key that data writes by its former name.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerKey {
    /// What leads to the map that has it.
    pub path: Vec<Step>,
    /// The name that is written.
    pub old: Text,
    /// The present name.
    pub now: Text,
    /// Where it is written.
    pub span: Span,
}

impl FormerKey {
    /// Returns the warning that the key has another name now, with the fix that writes it.
    pub fn finding(&self, source: &Arc<Source>) -> Diagnostic {
        Diagnostic::renamed(source, self.span, &self.old, &self.now)
    }
}

impl Shape {
    /// Returns whether any key has a former name.
    pub fn has_former_keys(&self) -> bool {
        match self {
            Shape::Record(record) => {
                let others = record.others.as_deref();
                let mut fields = record.fields.iter();
                fields.any(|field| field.formerly.is_some() || field.shape.has_former_keys())
                    || others.is_some_and(Shape::has_former_keys)
            }
            Shape::List(item) | Shape::Map(item) => item.has_former_keys(),
            Shape::Union(shapes) => shapes.iter().any(Shape::has_former_keys),
            _ => false,
        }
    }
}

/// Gives keys that have former names their present ones, and returns what was renamed. A key stays where the present one
/// is written too: then it is unknown.
pub fn rename_former_keys(shape: &Shape, node: &mut Node) -> Vec<FormerKey> {
    let mut found = Vec::new();
    if shape.has_former_keys() {
        rename(shape, node, &mut Vec::new(), &mut found);
    }
    found
}

fn rename(shape: &Shape, node: &mut Node, path: &mut Vec<Step>, found: &mut Vec<FormerKey>) {
    match (shape, &mut node.kind) {
        (Shape::Record(record), Kind::Map(entries)) => {
            rename_in(record, entries, path, found);
            for entry in entries {
                let field = record.field(&entry.key).map(|field| &field.shape);
                if let Some(shape) = field.or(record.others.as_deref()) {
                    rename_below(
                        shape,
                        &mut entry.node,
                        Step::Key(Text::clone(&entry.key)),
                        path,
                        found,
                    );
                }
            }
        }
        (Shape::Map(item), Kind::Map(entries)) => {
            for entry in entries {
                rename_below(
                    item,
                    &mut entry.node,
                    Step::Key(Text::clone(&entry.key)),
                    path,
                    found,
                );
            }
        }
        (Shape::List(item), Kind::List(items)) => {
            for (index, node) in items.iter_mut().enumerate() {
                rename_below(item, node, Step::Index(index + 1), path, found);
            }
        }
        (Shape::Union(shapes), _) => {
            for shape in shapes {
                rename(shape, node, path, found);
            }
        }
        _ => {}
    }
}

fn rename_below(
    shape: &Shape,
    node: &mut Node,
    step: Step,
    path: &mut Vec<Step>,
    found: &mut Vec<FormerKey>,
) {
    path.push(step);
    rename(shape, node, path, found);
    path.pop();
}

fn rename_in(record: &Record, entries: &mut [Entry], path: &[Step], found: &mut Vec<FormerKey>) {
    for field in &record.fields {
        let Some(old) = &field.formerly else { continue };
        if entries.iter().any(|entry| entry.key == field.key) {
            continue;
        }
        if let Some(entry) = entries.iter_mut().find(|entry| entry.key == *old) {
            entry.key = Text::clone(&field.key);
            found.push(FormerKey {
                path: path.to_vec(),
                old: Text::clone(old),
                now: Text::clone(&field.key),
                span: entry.key_span,
            });
        }
    }
}
