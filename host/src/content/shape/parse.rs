//! Reads shapes from the tree of a schema.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Bounds, Field, Record, Shape};
use crate::content::findings::Findings;
use crate::content::name::is_id;
use crate::content::node::{Kind, Node};
use crate::content::scalar::exact_number;
use crate::diag::{Diagnostic, Fix, Source, near_hint};
use crate::value::{Number, Text};

/// Shapes inside each other.
const DEPTH: usize = 16;

/// Keys of one record, shapes of one union, choices of one shape.
pub(crate) const MOST_FIELDS: usize = 256;
pub(crate) const MOST_UNION: usize = 32;
pub(crate) const MOST_CHOICES: usize = 1_000;

const WORDS: [&str; 14] = [
    "any", "boolean", "decimal", "dice", "function", "id", "integer", "list of", "map of", "name",
    "number", "one of", "ref of", "string",
];

/// Words for shapes that have other names now: the former one, and the present one.
pub const FORMER_WORDS: [(&str, &str); 3] = [
    ("bool", "boolean"),
    ("text", "string"),
    ("whole", "integer"),
];

/// The text between a key and its former name.
const FORMERLY: &str = ", formerly ";

/// Reads a shape. Unreadable parts become `any`, with a finding `schema/bad-shape`. Former words are warnings
/// `script/renamed`.
pub fn parse_shape(node: &Node, source: &Arc<Source>) -> (Shape, Vec<Diagnostic>) {
    let mut reader = Reader {
        source,
        findings: Findings::default(),
    };
    let (shape, optional) = reader.shape_of_node(node, 0);
    if optional {
        reader.report_bad_shape(
            node,
            "only a key of a record is optional".to_owned(),
            "remove the ?",
        );
    }
    (shape, reader.findings.into_vec())
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    findings: Findings,
}

impl Reader<'_> {
    /// Returns the shape and whether it is marked as optional.
    fn shape_of_node(&mut self, node: &Node, depth: usize) -> (Shape, bool) {
        if depth > DEPTH {
            let message = format!("shapes are nested more than {DEPTH} levels deep");
            return (
                self.report_bad_shape(node, message, "use any, and check the rest in a script"),
                false,
            );
        }
        match &node.kind {
            Kind::Text(text) => self.parse_text_shape(node, text, depth),
            Kind::Map(_) => (Shape::Record(self.parse_record(node, depth)), false),
            Kind::List(items) => (self.parse_list_notation(node, items, depth), false),
            Kind::Nil | Kind::Bool(_) | Kind::Number(..) | Kind::Function => {
                let message = format!(
                    "a shape is a text, a map or a list, found {}",
                    node.describe()
                );
                (
                    self.report_bad_shape(
                        node,
                        message,
                        "write a shape such as \"string\" or \"integer 1..12\"",
                    ),
                    false,
                )
            }
        }
    }

    fn parse_record(&mut self, node: &Node, depth: usize) -> Record {
        let mut record = Record::default();
        if node.entries().len() > MOST_FIELDS {
            self.report_bad_shape(
                node,
                format!("a record has more than {MOST_FIELDS} keys"),
                "use `map of X`",
            );
        }
        for entry in node.entries().iter().take(MOST_FIELDS) {
            let (shape, mut optional) = self.shape_of_node(&entry.node, depth + 1);
            let (key, formerly) = match entry.key.split_once(FORMERLY) {
                Some((key, old)) => (key, Some(old.trim().into())),
                None => (&*entry.key, None),
            };
            let key = key
                .strip_suffix('?')
                .inspect(|_| optional = true)
                .unwrap_or(key);
            if key == "*" {
                record.others = Some(Box::new(shape));
            } else if record.field(key).is_some() {
                let message = format!("the key {key:?} occurs twice, once with a ?");
                self.report_bad_shape(&entry.node, message, "keep one of the two");
            } else {
                record.fields.push(Field {
                    key: key.into(),
                    shape,
                    optional,
                    formerly,
                });
            }
        }
        self.check_former_names(node, &record);
        record
    }

    /// Reports former names that are names of keys, or of two of them.
    fn check_former_names(&mut self, node: &Node, record: &Record) {
        let mut known = BTreeSet::new();
        let former = record
            .fields
            .iter()
            .filter_map(|field| Some((field, field.formerly.as_ref()?)));
        for (field, old) in former {
            if record.field(old).is_some() || !known.insert(old) {
                let message = format!(
                    "the former name {old:?} of the key {:?} is taken",
                    &*field.key
                );
                self.report_bad_shape(
                    node,
                    message,
                    "a former name belongs to one key, and no key has it now",
                );
            }
        }
    }

    /// Reads `{ "list of", X }` and similar forms.
    fn parse_list_notation(&mut self, node: &Node, items: &[Node], depth: usize) -> Shape {
        let Some((head, rest)) = items.split_first() else {
            return self.report_bad_shape(
                node,
                "this shape is an empty list".to_owned(),
                "write { \"list of\", X }",
            );
        };
        let word = head.as_str().unwrap_or_default();
        match (word, rest) {
            ("list of", [item]) => Shape::List(Box::new(self.parse_required_shape(item, depth))),
            ("map of", [item]) => Shape::Map(Box::new(self.parse_required_shape(item, depth))),
            ("any of", [_, _, ..]) if rest.len() <= MOST_UNION => Shape::Union(
                rest.iter()
                    .map(|item| self.parse_required_shape(item, depth))
                    .collect(),
            ),
            _ => {
                let message = format!(
                    "a list of {} items that begins with {} is not a shape",
                    items.len(),
                    head.describe()
                );
                self.report_bad_shape(
                    node,
                    message,
                    "write { \"list of\", X }, { \"map of\", X } or { \"any of\", X, Y }",
                )
            }
        }
    }

    fn parse_required_shape(&mut self, node: &Node, depth: usize) -> Shape {
        let (shape, optional) = self.shape_of_node(node, depth + 1);
        if optional {
            self.report_bad_shape(
                node,
                "only a key of a record is optional".to_owned(),
                "remove the ?",
            );
        }
        shape
    }

    fn parse_text_shape(&mut self, node: &Node, text: &Text, depth: usize) -> (Shape, bool) {
        let trimmed = text.trim();
        let (plain, optional) = trimmed
            .strip_suffix('?')
            .map_or((trimmed, false), |plain| (plain, true));
        let mut shapes: Vec<Shape> = Vec::new();
        if plain.split(" or ").count() > MOST_UNION {
            let message = format!("more than {MOST_UNION} shapes are joined with `or`");
            return (self.report_bad_shape(node, message, "use any"), optional);
        }
        for part in plain.split(" or ") {
            shapes.push(self.parse_single(node, part.trim(), depth));
        }
        if let Some((instead, (old, now))) = in_present_words(text) {
            let span = node.first_line_span(self.source);
            let fix = Fix::word_replacement(self.source, span, text, &instead);
            let finding = Diagnostic::renamed_word_warning(self.source, span, old, now);
            self.findings.push(finding.with_fix(fix));
        }
        let shape = if shapes.len() == 1 {
            shapes.remove(0)
        } else {
            Shape::Union(shapes)
        };
        (shape, optional)
    }

    fn parse_single(&mut self, node: &Node, text: &str, depth: usize) -> Shape {
        if depth > DEPTH {
            let message = format!("shapes are nested more than {DEPTH} levels deep");
            return self.report_bad_shape(node, message, "use any, and check the rest in a script");
        }
        if let Some(item) = text.strip_prefix("list of ") {
            return Shape::List(Box::new(self.parse_single(node, item.trim(), depth + 1)));
        }
        if let Some(item) = text.strip_prefix("map of ") {
            return Shape::Map(Box::new(self.parse_single(node, item.trim(), depth + 1)));
        }
        if let Some(choices) = text.strip_prefix("one of ") {
            return self.parse_choices(node, choices);
        }
        if let Some(collection) = text.strip_prefix("ref of ").map(str::trim) {
            if is_id(collection) {
                return Shape::Ref(collection.into());
            }
            let message = format!("{collection:?} is not the name of a collection");
            return self.report_bad_shape(
                node,
                message,
                "the name of a collection uses a-z, 0-9, _ and -",
            );
        }
        self.parse_word_shape(node, text)
    }

    fn parse_choices(&mut self, node: &Node, text: &str) -> Shape {
        let choices: Vec<Text> = text.split(',').map(|choice| choice.trim().into()).collect();
        if choices.len() > MOST_CHOICES {
            return self.report_bad_shape(
                node,
                format!("there are more than {MOST_CHOICES} choices"),
                "use string",
            );
        }
        if choices.iter().any(|choice| choice.is_empty()) {
            return self.report_bad_shape(
                node,
                "a choice is empty".to_owned(),
                "write `one of a, b, c`",
            );
        }
        Shape::OneOf(choices)
    }

    fn parse_word_shape(&mut self, node: &Node, text: &str) -> Shape {
        let (word, range) = text.split_once(' ').unwrap_or((text, ""));
        let bounds = if range.is_empty() {
            Some(Bounds::default())
        } else {
            parse_bounds(range.trim())
        };
        match (word, bounds) {
            ("number", Some(bounds)) => Shape::Number(bounds),
            ("integer" | "whole", Some(bounds)) => Shape::Whole(bounds),
            ("decimal", Some(bounds)) => Shape::Decimal(bounds),
            ("number" | "integer" | "whole" | "decimal", None) => {
                let message = format!("{range:?} is not a range");
                self.report_bad_shape(
                    node,
                    message,
                    "write the smallest and the largest number, for example 1..12, 0.. or ..5",
                )
            }
            _ if !range.is_empty() => self.report_unknown_word(node, text),
            ("any", _) => Shape::Any,
            ("string" | "text", _) => Shape::Text,
            ("boolean" | "bool", _) => Shape::Bool,
            ("function", _) => Shape::Function,
            ("id", _) => Shape::Id,
            ("name", _) => Shape::Name,
            ("dice", _) => Shape::Dice,
            _ => self.report_unknown_word(node, text),
        }
    }

    fn report_unknown_word(&mut self, node: &Node, text: &str) -> Shape {
        let near = near_hint(text, WORDS);
        let hint = if near.is_empty() {
            format!("shapes are {}", WORDS.join(", "))
        } else {
            near
        };
        self.report_bad_shape(node, format!("unknown shape {text:?}"), &hint)
    }

    fn report_bad_shape(&mut self, node: &Node, message: String, hint: &str) -> Shape {
        let finding = Diagnostic::error("schema/bad-shape", message).hint(hint);
        self.findings
            .push(finding.at(self.source, node.first_line_span(self.source)));
        Shape::Any
    }
}

/// Returns a shape in the present words if it is written in former ones, and the first former word with its present
/// one.
fn in_present_words(text: &str) -> Option<(String, (&'static str, &'static str))> {
    let mut first = None;
    let parts = text.split(" or ").map(|part| {
        let mut word = part.trim_start();
        while let Some(inner) = word
            .strip_prefix("list of ")
            .or(word.strip_prefix("map of "))
        {
            word = inner.trim_start();
        }
        let before = &part[..part.len() - word.len()];
        let end = word.find([' ', '?']).unwrap_or(word.len());
        let former = FORMER_WORDS.iter().find(|(old, _)| *old == &word[..end]);
        match former {
            Some((old, now)) => {
                first.get_or_insert((*old, *now));
                format!("{before}{now}{}", &word[end..])
            }
            None => part.to_owned(),
        }
    });
    let present = parts.collect::<Vec<_>>().join(" or ");
    Some((present, first?))
}

/// Reads `1..12`, `0..` or `..5`.
fn parse_bounds(text: &str) -> Option<Bounds> {
    let (low, high) = text.split_once("..")?;
    let side = |digits: &str| -> Option<Option<Number>> {
        let digits = digits.trim();
        if digits.is_empty() {
            Some(None)
        } else {
            exact_number(digits).ok().map(Some)
        }
    };
    let bounds = Bounds {
        low: side(low)?,
        high: side(high)?,
    };
    let ordered = match (bounds.low, bounds.high) {
        (Some(low), Some(high)) => low <= high,
        (None, None) => false,
        _ => true,
    };
    ordered.then_some(bounds)
}
