//! The source of the names of a slot type, as a ruleset declares it.

use std::collections::BTreeMap;
use std::fmt;

use crate::content::Node;

/// The source of the names of a slot type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameType {
    /// Names and ids of entities of a kind, or of any kind if the text is empty.
    Entities(String),
    /// Names and ids of definitions of a collection.
    Definitions(String),
    /// Ids of records, for the game master: they count the records of everybody.
    Records,
    /// Declared stats, and fields that entities have.
    Fields,
    /// Names that a function of the ruleset finds.
    Found,
}

impl fmt::Display for NameType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameType::Entities(kind) if kind.is_empty() => out.write_str("entities"),
            NameType::Entities(kind) => write!(out, "entities of kind {kind}"),
            NameType::Definitions(collection) => write!(out, "definitions of {collection}"),
            NameType::Records => out.write_str("records"),
            NameType::Fields => out.write_str("stats and fields of entities"),
            NameType::Found => out.write_str("names that a function of the ruleset returns"),
        }
    }
}

/// Returns the slot types of a ruleset that have names as values.
pub(crate) fn name_types(node: &Node) -> BTreeMap<String, NameType> {
    let types = node.get("types").map(Node::entries).unwrap_or_default();
    let found = types.iter().filter_map(|entry| {
        let text = |key: &str| {
            entry
                .node
                .get(key)
                .and_then(Node::as_str)
                .map(str::to_owned)
        };
        let kind = text("kind").map(NameType::Entities);
        let collection = text("collection").map(NameType::Definitions);
        let names = entry.node.get("names").map(|_| NameType::Found);
        Some((entry.key.to_string(), kind.or(collection).or(names)?))
    });
    found.collect()
}
