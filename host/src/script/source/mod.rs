//! The text of scripts before anything runs: its compilation, and the places of things in it.

pub(crate) mod api_declarations;
pub(crate) mod collections_that_stay;
mod former_options;
pub(crate) mod kept_state_lint;
pub(crate) mod lua_table_to_node;
pub(crate) mod luau_constants;
pub(crate) mod mod_files;
pub(crate) mod parameter_kinds;
pub(crate) mod record_literals;
pub(crate) mod script_compiler;
pub(crate) mod source_places;
pub(crate) mod sources;
pub(crate) mod token_table;
pub(crate) mod undeclared_names;
pub(crate) mod unknown_name;
