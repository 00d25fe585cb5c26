//! This module is which rows are elements of a definition: those hear the events that its handlers name.

use crate::content::{Node, Shape};
use crate::script::declare::contract::built_in;

/// The key of a definition that holds its handlers.
pub(crate) const ON: &str = "on";

/// What `on` looks like.
const ON_SHAPE: &str = "
'on?':
  '*':
    - any of
    - function
    - { run: function, 'hears?': 'one of own, all', 'where?': map of any, 'priority?': whole -1000..1000 }
";

/// Which rows are elements of the definitions of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Elements {
    /// None: its definitions hear nothing.
    #[default]
    None,
    /// Each definition is one element, always there; its id is `collection/id`.
    Game,
    /// The rows of a kind, or of any, whose field names the definition; without a field the kind itself does.
    Rows {
        /// The kind of the rows.
        kind: Option<String>,
        /// The field that names the definition.
        field: Option<String>,
    },
}

impl Elements {
    /// Reads the key `elements` of a contract, which was checked.
    pub(crate) fn read(node: Option<&Node>) -> Elements {
        let Some(node) = node else {
            return Elements::None;
        };
        if node.as_str().is_some() {
            return Elements::Game;
        }
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        Elements::Rows {
            kind: text("kind"),
            field: text("field"),
        }
    }

    /// Returns the kind that elements are of, where the contract says one.
    pub(crate) fn kind(&self) -> Option<&str> {
        match self {
            Elements::Rows { kind, .. } => kind.as_deref(),
            Elements::None | Elements::Game => None,
        }
    }

    /// Returns the field that names the definition, where the contract says one.
    pub(crate) fn field(&self) -> Option<&str> {
        match self {
            Elements::Rows { field, .. } => field.as_deref(),
            Elements::None | Elements::Game => None,
        }
    }
}

/// Adds the key `on` to the shape of a contract whose definitions have elements.
pub(crate) fn with_handlers(shape: Shape) -> Shape {
    match (shape, built_in("contract", ON_SHAPE)) {
        (Shape::Record(mut record), Shape::Record(on)) if record.field(ON).is_none() => {
            record.fields.extend(on.fields);
            Shape::Record(record)
        }
        (shape, _) => shape,
    }
}
