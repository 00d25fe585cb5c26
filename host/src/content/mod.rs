//! The content of mods: files, YAML and JSON with places, schemas of keys, and the registry of definitions.

mod cache;
pub(crate) mod files;
pub(crate) mod findings;
mod json;
pub(crate) mod name;
mod node;
mod node_path;
mod registry;
mod scalar;
pub(crate) mod shape;
mod trailing_spaces;
pub(crate) mod tree_builder;
mod yaml;

pub use cache::Cache;
pub(crate) use cache::Key;
pub use files::{
    Budget, DATA_BYTES, FILE_BYTES, File, Mod, Tree, discover_mods, expand_home_path,
    find_home_folder, is_device_name, outside_link_refusal, read_data_file,
};
pub use json::read_json;
pub use name::{
    KEY_NAME, NAME, NameFault, Skeleton, check_name, is_bidi, is_id, with_latin_shapes,
};
pub use node::{Entry, Kind, Node};
pub use node_path::{Reached, Step};
pub use registry::{CollectionDiff, Definition, Diff, Origin, Registry, Resolve, check_references};
pub use scalar::exact_number;
pub use shape::{
    Bounds, FORMER_WORDS, Field, FormerKey, Leaf, Record, Shape, check, parse_shape, refs_and_dice,
    rename_former_keys,
};
pub use trailing_spaces::trailing_space_warnings;
pub use tree_builder::TreeLimits;
pub use yaml::read_yaml;

use std::sync::Arc;

use crate::diag::{Diagnostic, Source};

/// Reads a text as JSON if its name ends with `.json`, else as YAML.
pub fn read_tree(source: &Arc<Source>, limits: TreeLimits) -> (Option<Node>, Vec<Diagnostic>) {
    if source.name().to_ascii_lowercase().ends_with(".json") {
        read_json(source, limits)
    } else {
        read_yaml(source, limits)
    }
}
