//! Former names of keys: a record may declare the earlier name of one of its keys.

use std::sync::Arc;

use super::{Record, Shape};
use crate::content::node::{Entry, Kind, Node};
use crate::content::node_path::Step;
use crate::diag::{Diagnostic, Source, Span};
use crate::value::Text;

/// A key that data writes by its former name.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerKey {
    /// The path to the map that contains it.
    pub path: Vec<Step>,
    /// The name that is written.
    pub old: Text,
    /// The present name.
    pub now: Text,
    /// The place where it is written.
    pub span: Span,
}

impl FormerKey {
    /// Returns the warning that the key has another name now, with the fix that writes the present name.
    pub fn to_warning(&self, source: &Arc<Source>) -> Diagnostic {
        Diagnostic::renamed_word_warning(source, self.span, &self.old, &self.now)
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

/// Renames keys from their former names to the present ones, and returns the renamed keys. A key stays if the present
/// one is written too: then the former key is unknown.
pub fn rename_former_keys(shape: &Shape, node: &mut Node) -> Vec<FormerKey> {
    let mut walk = Walk::default();
    if shape.has_former_keys() {
        walk.rename_in_node(shape, node);
    }
    walk.found
}

#[derive(Default)]
struct Walk {
    /// The path to the position of the walk.
    path: Vec<Step>,
    found: Vec<FormerKey>,
}

impl Walk {
    fn rename_in_node(&mut self, shape: &Shape, node: &mut Node) {
        match (shape, &mut node.kind) {
            (Shape::Record(record), Kind::Map(entries)) => {
                self.rename_record_keys(record, entries);
                for entry in entries {
                    let field = record.field(&entry.key).map(|field| &field.shape);
                    self.rename_in_entry(field.or(record.others.as_deref()), entry);
                }
            }
            (Shape::Map(item), Kind::Map(entries)) => {
                for entry in entries {
                    self.rename_in_entry(Some(item), entry);
                }
            }
            (Shape::List(item), Kind::List(items)) => {
                for (index, node) in items.iter_mut().enumerate() {
                    self.path.push(Step::Index(index + 1));
                    self.rename_in_node(item, node);
                    self.path.pop();
                }
            }
            (Shape::Union(shapes), _) => {
                for shape in shapes {
                    self.rename_in_node(shape, node);
                }
            }
            _ => {}
        }
    }

    fn rename_in_entry(&mut self, shape: Option<&Shape>, entry: &mut Entry) {
        let Some(shape) = shape else { return };
        self.path.push(Step::Key(Text::clone(&entry.key)));
        self.rename_in_node(shape, &mut entry.node);
        self.path.pop();
    }

    fn rename_record_keys(&mut self, record: &Record, entries: &mut [Entry]) {
        for field in &record.fields {
            let Some(old) = &field.formerly else { continue };
            if entries.iter().any(|entry| entry.key == field.key) {
                continue;
            }
            if let Some(entry) = entries.iter_mut().find(|entry| entry.key == *old) {
                entry.key = Text::clone(&field.key);
                self.found.push(FormerKey {
                    path: self.path.clone(),
                    old: Text::clone(old),
                    now: Text::clone(&field.key),
                    span: entry.key_span,
                });
            }
        }
    }
}
