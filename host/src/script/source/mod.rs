//! This module is the text of scripts before anything runs: how it is compiled, and where things stand in it.

pub(crate) mod compiler;
pub(crate) mod mod_folders;
pub(crate) mod sources;
