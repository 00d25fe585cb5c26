//! The structure of loaded rules: their definitions, the kinds and the origins of these.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::content::Definition;
use crate::script::{Rules, Schema, syntax_lines};

/// The parts of one ruleset, including the library that it uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Structure {
    /// Its id: the name of its folder.
    pub ruleset: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub summary: String,
    /// Collections by name.
    pub collections: BTreeMap<String, Collection>,
    /// The description of each declared stat.
    pub stats: BTreeMap<String, String>,
    /// Slot types whose values are names, and the source of these names.
    pub names: BTreeMap<String, String>,
}

/// A collection of definitions of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Collection {
    /// The name for one definition.
    pub kind: String,
    /// The mod that contains the schema.
    #[serde(rename = "mod")]
    pub mod_name: String,
    /// The file of the schema.
    pub path: String,
    /// `luau` or `yaml`.
    pub format: String,
    /// The slot type for which its `syntax` lines are templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot_type: Option<String>,
    /// The description of one definition.
    pub summary: String,
    /// The definitions in order of id.
    pub definitions: Vec<DefinitionStructure>,
}

/// One definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DefinitionStructure {
    /// Its id: the file name.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The mod that contains it.
    #[serde(rename = "mod")]
    pub mod_name: String,
    /// Its file.
    pub path: String,
    /// The rule that it follows.
    pub source: String,
    /// Its description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The lines that people type for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub syntax: Vec<String>,
}

impl Structure {
    /// Returns the structure of rules.
    pub fn of(rules: &Rules) -> Structure {
        let text = |key: &str| {
            rules
                .ruleset
                .get(key)
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let collections = rules.schemas.values();
        let names = rules.name_types.iter();
        Structure {
            ruleset: rules.ruleset_id.clone(),
            name: text("name"),
            summary: text("summary"),
            collections: collections
                .map(|one| (one.collection.clone(), collection_structure(rules, one)))
                .collect(),
            stats: rules.stat_summaries.clone(),
            names: names
                .map(|(name, from)| (name.clone(), from.to_string()))
                .collect(),
        }
    }
}

fn collection_structure(rules: &Rules, schema: &Schema) -> Collection {
    let definitions = rules.registry.of_collection(&schema.collection);
    Collection {
        kind: schema.name.clone(),
        mod_name: schema.mod_name.clone(),
        path: schema.source.name().to_owned(),
        format: schema.format.as_str().to_owned(),
        slot_type: schema.slot_type.clone(),
        summary: schema.summary.clone(),
        definitions: definitions.map(|one| definition_structure(one)).collect(),
    }
}

fn definition_structure(definition: &Definition) -> DefinitionStructure {
    let text = |key: &str| {
        let value = definition.value.get(key);
        value.as_str().unwrap_or_default().to_owned()
    };
    DefinitionStructure {
        id: definition.id.to_string(),
        name: definition.name().to_owned(),
        mod_name: definition.mod_name.to_string(),
        path: definition.source.name().to_owned(),
        source: text("source"),
        summary: text("summary"),
        syntax: syntax_lines(definition)
            .into_iter()
            .map(str::to_owned)
            .collect(),
    }
}
