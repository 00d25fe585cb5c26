//! The text of scripts before anything runs: how it is compiled, and where things stand in it.

pub(crate) mod compiler;
pub(crate) mod declaration;
mod former_options;
pub(crate) mod lint;
pub(crate) mod literal;
pub(crate) mod locate;
pub(crate) mod mod_files;
pub(crate) mod node;
pub(crate) mod parameter;
pub(crate) mod sources;
pub(crate) mod stays;
pub(crate) mod tokens;
pub(crate) mod undeclared;
pub(crate) mod unknown_name;
