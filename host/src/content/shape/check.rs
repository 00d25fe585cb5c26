//! Compares data with a shape and reports everything that does not fit, in one pass.

use std::sync::Arc;

use super::{Bounds, Record, Shape};
use crate::content::findings::Findings;
use crate::content::name::{NAME, check_name, is_id};
use crate::content::node::{Entry, Kind, Node};
use crate::content::scalar::exact_number;
use crate::diag::{Diagnostic, Fix, Source, Span, near_hint, only_near_name};
use crate::value::{Number, Text};

/// Compares a node with a shape; `what` names the node in messages: `the command "pool"`.
///
/// Findings: `schema/missing-key` at the key above or the first line, `schema/unknown-key` at the key,
/// `schema/wrong-type`, `schema/out-of-range` and `schema/unknown-choice` at the value. References are
/// only checked to be texts.
pub fn check(shape: &Shape, node: &Node, source: &Arc<Source>, what: &str) -> Vec<Diagnostic> {
    let mut walker = Walker {
        source,
        what,
        findings: Findings::default(),
    };
    walker.check(shape, node, &Path::Root(node.first_line_span(source)));
    walker.findings.into_vec()
}

/// Data that this layer cannot check completely: a reference or dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf<'a> {
    /// `Shape::Ref` or `Shape::Dice`.
    pub shape: &'a Shape,
    /// The data.
    pub node: &'a Node,
    /// The keys that lead there: `drives.style`, `steps[2].roll`.
    pub path: String,
}

/// Returns all references and dice of a node that fits its shape, in the order of the schema.
pub fn refs_and_dice<'a>(shape: &'a Shape, node: &'a Node) -> Vec<Leaf<'a>> {
    let mut found = Vec::new();
    gather_leaves(shape, node, &Path::Root(node.span), &mut found);
    found
}

/// The position of the walk: the keys down to here, and the node above.
enum Path<'a> {
    /// The whole, and its first line.
    Root(Span),
    Key(&'a Path<'a>, &'a Entry),
    Item(&'a Path<'a>, usize, Span),
}

impl Path<'_> {
    fn path_text(&self) -> String {
        match self {
            Path::Root(_) => String::new(),
            Path::Key(above @ Path::Root(_), entry) => {
                format!("{}{}", above.path_text(), entry.key)
            }
            Path::Key(above, entry) => format!("{}.{}", above.path_text(), entry.key),
            Path::Item(above, index, _) => format!("{}[{}]", above.path_text(), index + 1),
        }
    }

    /// Returns the place for a finding about something missing here.
    fn head_span(&self) -> Span {
        match self {
            Path::Root(span) | Path::Item(_, _, span) => *span,
            Path::Key(_, entry) => entry.key_span,
        }
    }
}

struct Walker<'a> {
    source: &'a Arc<Source>,
    what: &'a str,
    findings: Findings,
}

impl Walker<'_> {
    fn check(&mut self, shape: &Shape, node: &Node, path: &Path<'_>) {
        match (shape, &node.kind) {
            (Shape::Record(record), Kind::Map(entries)) => self.check_record(record, entries, path),
            (Shape::Map(item), Kind::Map(entries)) => {
                for entry in entries {
                    self.check(item, &entry.node, &Path::Key(path, entry));
                }
            }
            (Shape::List(item), Kind::List(items)) => {
                for (index, node) in items.iter().enumerate() {
                    self.check(
                        item,
                        node,
                        &Path::Item(path, index, node.first_line_span(self.source)),
                    );
                }
            }
            // A script cannot distinguish an empty list from an empty map.
            (Shape::List(_), Kind::Map(entries)) if entries.is_empty() => {}
            (Shape::Map(_), Kind::List(items)) if items.is_empty() => {}
            (Shape::Record(record), Kind::List(items)) if items.is_empty() => {
                self.check_record(record, &[], path);
            }
            (Shape::Union(shapes), _) => self.check_union(shape, shapes, node, path),
            _ => {
                if let Some(fault) = scalar_fault(shape, node) {
                    self.report_fault(fault, shape, node, path);
                }
            }
        }
    }

    fn check_record(&mut self, record: &Record, entries: &[Entry], path: &Path<'_>) {
        for entry in entries {
            let below = Path::Key(path, entry);
            match (record.field(&entry.key), &record.others) {
                (Some(_), _) if entry.node.is_nil() => {}
                (Some(field), _) => self.check(&field.shape, &entry.node, &below),
                (None, Some(others)) => self.check(others, &entry.node, &below),
                (None, None) => self.report_unknown_key(record, entries, entry, path),
            }
        }
        for field in record.fields.iter().filter(|field| !field.optional) {
            let written = entries.iter().find(|entry| entry.key == field.key);
            if written.is_none_or(|entry| entry.node.is_nil()) {
                let span = written.map_or(path.head_span(), |entry| entry.key_span);
                let message = format!(
                    "{} lacks the key {:?}",
                    self.subject_text(path),
                    &*field.key
                );
                let finding = Diagnostic::error("schema/missing-key", message)
                    .hint(missing_key_hint(&field.key, &field.shape));
                self.findings.push(finding.at(self.source, span));
            }
        }
    }

    fn report_unknown_key(
        &mut self,
        record: &Record,
        entries: &[Entry],
        entry: &Entry,
        path: &Path<'_>,
    ) {
        if self.findings.skip_when_full() {
            return;
        }
        let known = || record.fields.iter().map(|field| &*field.key);
        let former = record
            .fields
            .iter()
            .find(|field| field.formerly.as_ref() == Some(&entry.key));
        let near = match former {
            Some(field) => format!("it is called {:?} now", &*field.key),
            None => near_hint(&entry.key, known()),
        };
        let keys: Vec<&str> = known().collect();
        let hint = match (near.is_empty(), keys.is_empty()) {
            (false, _) => near,
            (true, false) => format!("the keys are {}", keys.join(", ")),
            (true, true) => "no keys are allowed here".to_owned(),
        };
        let key = super::super::node::shortened(&entry.key);
        let message = format!("{} has an unknown key {key:?}", self.subject_text(path));
        let is_free = |key: &&str| !entries.iter().any(|other| *other.key == **key);
        let meant = only_near_name(&entry.key, known()).filter(is_free);
        let fix = meant
            .and_then(|key| Fix::word_replacement(self.source, entry.key_span, &entry.key, key));
        let finding = Diagnostic::error("schema/unknown-key", message)
            .hint(hint)
            .with_fix(fix);
        self.findings.push(finding.at(self.source, entry.key_span));
    }

    /// Takes the first shape that fits; else explains the only one of the same kind, or all together.
    fn check_union(&mut self, whole: &Shape, shapes: &[Shape], node: &Node, path: &Path<'_>) {
        if shapes.iter().any(|shape| fits_shape(shape, node)) {
            return;
        }
        let mut alike = shapes
            .iter()
            .filter(|shape| is_close_enough_to_explain(shape, node));
        match (alike.next(), alike.next()) {
            (Some(only), None) => self.check(only, node, path),
            _ => self.report_fault(Fault::Type(None), whole, node, path),
        }
    }

    fn report_fault(&mut self, fault: Fault, shape: &Shape, node: &Node, path: &Path<'_>) {
        if self.findings.skip_when_full() {
            return;
        }
        let (code, hint) = match fault {
            Fault::Type(hint) => (
                "schema/wrong-type",
                hint.or_else(|| common_mistake_hint(shape, node, self.source)),
            ),
            Fault::Range => ("schema/out-of-range", None),
            Fault::Choice => ("schema/unknown-choice", near_choice_hint(shape, node)),
        };
        let hint = hint.unwrap_or_default();
        let message = format!(
            "{} expects {shape}, found {}",
            self.subject_text(path),
            node.describe()
        );
        let finding = Diagnostic::error(code, message)
            .hint(hint)
            .with_fix(certain_fix(shape, node, self.source));
        self.findings
            .push(finding.at(self.source, node.first_line_span(self.source)));
    }

    fn subject_text(&self, path: &Path<'_>) -> String {
        match path {
            Path::Root(_) => self.what.to_owned(),
            Path::Key(..) | Path::Item(..) => format!("`{}` of {}", path.path_text(), self.what),
        }
    }
}

/// The reasons why a scalar does not fit.
enum Fault {
    /// It is of another kind; with the reason, if known.
    Type(Option<String>),
    Range,
    Choice,
}

/// Returns the reason why data without parts does not fit, if it does not.
fn scalar_fault(shape: &Shape, node: &Node) -> Option<Fault> {
    let wrong = || Some(Fault::Type(None));
    match (shape, &node.kind) {
        (_, Kind::Nil) => wrong(),
        (Shape::Any, _) | (Shape::Text | Shape::Ref(_), Kind::Text(_)) => None,
        (Shape::Bool, Kind::Bool(_)) | (Shape::Function, Kind::Function) => None,
        (Shape::Dice, Kind::Text(_) | Kind::Number(..)) => None,
        (Shape::Number(bounds) | Shape::Decimal(bounds), Kind::Number(number, _)) => {
            range_fault(bounds, number)
        }
        (Shape::Decimal(bounds), Kind::Text(digits)) => match exact_number(digits) {
            Ok(number) => range_fault(bounds, &number),
            Err(_) => wrong(),
        },
        (Shape::Whole(bounds), Kind::Number(number, _)) if number.to_i64().is_some() => {
            range_fault(bounds, number)
        }
        (Shape::Id, Kind::Text(text)) => {
            if is_id(text) {
                None
            } else {
                wrong()
            }
        }
        (Shape::Name, Kind::Text(text)) => check_name(text, NAME)
            .err()
            .map(|fault| Fault::Type(Some(fault.to_string()))),
        (Shape::OneOf(choices), Kind::Text(_) | Kind::Number(..) | Kind::Bool(_)) => {
            choice_fault(choices, node)
        }
        _ => wrong(),
    }
}

fn range_fault(bounds: &Bounds, number: &Number) -> Option<Fault> {
    (!bounds.holds(number)).then_some(Fault::Range)
}

fn choice_fault(choices: &[Text], node: &Node) -> Option<Fault> {
    let fits = |choice: &Text| match &node.kind {
        Kind::Text(text) => text == choice,
        Kind::Number(number, _) => exact_number(choice).as_ref() == Ok(number),
        Kind::Bool(value) => **choice == *value.to_string(),
        Kind::Nil | Kind::List(_) | Kind::Map(_) | Kind::Function => false,
    };
    if choices.iter().any(fits) {
        None
    } else {
        Some(Fault::Choice)
    }
}

fn near_choice_hint(shape: &Shape, node: &Node) -> Option<String> {
    if let Shape::OneOf(choices) = shape {
        Some(near_hint(
            node.as_str()?,
            choices.iter().map(|choice| &**choice),
        ))
    } else {
        None
    }
}

/// Returns the hint for a key that is missing.
fn missing_key_hint(key: &str, shape: &Shape) -> String {
    match shape {
        Shape::Name => format!("{key} is a text of at most {NAME} characters"),
        _ => format!("{key} is {shape}"),
    }
}

/// Returns a hint with the correct form if the mistake is a common one.
fn common_mistake_hint(shape: &Shape, node: &Node, source: &Source) -> Option<String> {
    match (shape, &node.kind) {
        (Shape::Text | Shape::Name | Shape::Id | Shape::Ref(_), Kind::Number(_, text)) => {
            Some(format!("write \"{text}\" in quotes"))
        }
        (Shape::Text | Shape::Name | Shape::Id | Shape::Ref(_), Kind::Bool(value)) => {
            Some(format!("write \"{value}\" in quotes"))
        }
        (Shape::Number(_) | Shape::Whole(_), Kind::Text(text)) if exact_number(text).is_ok() => {
            Some(format!("write {text} without quotes"))
        }
        (Shape::Bool, Kind::Text(text)) => match text.to_lowercase().as_str() {
            "yes" | "on" | "true" => Some("write true".to_owned()),
            "no" | "off" | "false" => Some("write false".to_owned()),
            _ => None,
        },
        (Shape::List(item), _) => Some(list_hint(item, source)),
        (Shape::Union(shapes), _) => shapes.iter().find_map(|shape| match shape {
            Shape::OneOf(choices) => Some(format!("write for example \"{}\"", choices.first()?)),
            _ => None,
        }),
        _ => None,
    }
}

/// Returns the hint with an example of a list, in the notation of the source.
fn list_hint(item: &Shape, source: &Source) -> String {
    let items = match item {
        Shape::Text | Shape::Name => "\"one\", \"two\"",
        Shape::Number(_) | Shape::Whole(_) => "1, 2",
        _ => return "write a list, also for a single item".to_owned(),
    };
    match source.name().ends_with(".luau") {
        true => format!("write a list, also for a single item: {{ {items} }}"),
        false => format!("write a list, also for a single item: [{items}]"),
    }
}

/// Returns the fix if it is certain: a quote too many or too few, a word with one typing error.
fn certain_fix(shape: &Shape, node: &Node, source: &Source) -> Option<Fix> {
    let written = source.slice(node.span);
    let instead = match (shape, &node.kind) {
        (Shape::Text | Shape::Name, Kind::Number(_, text)) if written == &**text => {
            format!("\"{text}\"")
        }
        (Shape::Text | Shape::Name, Kind::Bool(value)) if written == value.to_string() => {
            format!("\"{value}\"")
        }
        (Shape::Number(bounds) | Shape::Whole(bounds), Kind::Text(text)) => {
            let number = exact_number(text)
                .ok()
                .filter(|number| bounds.holds(number))?;
            let fits = !matches!(shape, Shape::Whole(_)) || number.to_i64().is_some();
            let is_quoted = written == format!("\"{text}\"") || written == format!("'{text}'");
            (fits && is_quoted).then(|| text.to_string())?
        }
        (Shape::Bool, Kind::Text(text)) => match text.to_lowercase().as_str() {
            "yes" | "on" | "true" => {
                return Fix::replacement_without_quotes(source, node.span, text, "true");
            }
            "no" | "off" | "false" => {
                return Fix::replacement_without_quotes(source, node.span, text, "false");
            }
            _ => return None,
        },
        (Shape::OneOf(choices), Kind::Text(text)) => {
            let meant = only_near_name(text, choices.iter().map(|choice| &**choice))?;
            return Fix::word_replacement(source, node.span, text, meant);
        }
        _ => return None,
    };
    Some(Fix::new(node.span, instead))
}

/// Returns whether the data fits, without a reason.
fn fits_shape(shape: &Shape, node: &Node) -> bool {
    match (shape, &node.kind) {
        (Shape::Record(record), Kind::Map(entries)) => record_fits(record, entries),
        (Shape::Record(record), Kind::List(items)) if items.is_empty() => record_fits(record, &[]),
        (Shape::Map(item), Kind::Map(entries)) => {
            entries.iter().all(|entry| fits_shape(item, &entry.node))
        }
        (Shape::List(item), Kind::List(items)) => items.iter().all(|node| fits_shape(item, node)),
        (Shape::List(_), Kind::Map(entries)) => entries.is_empty(),
        (Shape::Map(_), Kind::List(items)) => items.is_empty(),
        (Shape::Union(shapes), _) => shapes.iter().any(|shape| fits_shape(shape, node)),
        _ => scalar_fault(shape, node).is_none(),
    }
}

fn record_fits(record: &Record, entries: &[Entry]) -> bool {
    let known = entries
        .iter()
        .all(|entry| match (record.field(&entry.key), &record.others) {
            (Some(field), _) => entry.node.is_nil() || fits_shape(&field.shape, &entry.node),
            (None, Some(others)) => fits_shape(others, &entry.node),
            (None, None) => false,
        });
    let holds = |key: &Text| {
        entries
            .iter()
            .any(|entry| entry.key == *key && !entry.node.is_nil())
    };
    known
        && record
            .fields
            .iter()
            .all(|field| field.optional || holds(&field.key))
}

/// Returns whether a shape and data are alike enough to explain the difference inside.
fn is_close_enough_to_explain(shape: &Shape, node: &Node) -> bool {
    match shape {
        Shape::Record(_) | Shape::Map(_) => matches!(node.kind, Kind::Map(_)),
        Shape::List(_) => matches!(node.kind, Kind::List(_)),
        Shape::Number(_) | Shape::Whole(_) => matches!(node.kind, Kind::Number(..)),
        Shape::Decimal(_) | Shape::Dice => matches!(node.kind, Kind::Number(..) | Kind::Text(_)),
        Shape::Text | Shape::Id | Shape::Name | Shape::Ref(_) | Shape::OneOf(_) => {
            matches!(node.kind, Kind::Text(_))
        }
        Shape::Bool => matches!(node.kind, Kind::Bool(_)),
        Shape::Function => node.kind == Kind::Function,
        Shape::Any => true,
        Shape::Union(shapes) => shapes
            .iter()
            .any(|shape| is_close_enough_to_explain(shape, node)),
    }
}

fn gather_leaves<'a>(shape: &'a Shape, node: &'a Node, path: &Path<'_>, found: &mut Vec<Leaf<'a>>) {
    match shape {
        Shape::Ref(_) | Shape::Dice => {
            if !node.is_nil() {
                found.push(Leaf {
                    shape,
                    node,
                    path: path.path_text(),
                });
            }
        }
        Shape::List(item) => {
            for (index, node) in node.items().iter().enumerate() {
                gather_leaves(item, node, &Path::Item(path, index, node.span), found);
            }
        }
        Shape::Map(item) => {
            for entry in node.entries() {
                gather_leaves(item, &entry.node, &Path::Key(path, entry), found);
            }
        }
        Shape::Record(record) => {
            for entry in node.entries() {
                let inner = record.field(&entry.key).map(|field| &field.shape);
                if let Some(inner) = inner.or(record.others.as_deref()) {
                    gather_leaves(inner, &entry.node, &Path::Key(path, entry), found);
                }
            }
        }
        Shape::Union(shapes) => {
            if let Some(inner) = shapes.iter().find(|shape| fits_shape(shape, node)) {
                gather_leaves(inner, node, path, found);
            }
        }
        Shape::Any | Shape::Text | Shape::Number(_) | Shape::Whole(_) | Shape::Decimal(_) => {}
        Shape::Bool | Shape::Function | Shape::Id | Shape::Name | Shape::OneOf(_) => {}
    }
}
