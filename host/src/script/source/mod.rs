//! The text of scripts before anything runs: how it is compiled, and where things stand in it.

pub(crate) mod compiler;
pub(crate) mod declaration;
mod former_options;
pub(crate) mod kept_state_lint;
pub(crate) mod record_literals;
pub(crate) mod source_places;
pub(crate) mod mod_files;
pub(crate) mod table_tree;
pub(crate) mod parameter_kinds;
pub(crate) mod sources;
pub(crate) mod collections_that_stay;
pub(crate) mod token_table;
pub(crate) mod undeclared_names;
pub(crate) mod unknown_name;
