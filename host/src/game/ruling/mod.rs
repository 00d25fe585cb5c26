//! All that one ruling is given: who gives which line, where its inputs come from, and how one that waited goes on.

pub(in crate::game) mod caller;
pub(in crate::game) mod client;
pub(in crate::game) mod host_command;
pub(in crate::game) mod input_source;
pub(in crate::game) mod last_query;
pub(in crate::game) mod named_files;
pub(in crate::game) mod policy;
pub(in crate::game) mod resumption;
pub(in crate::game) mod revealed_seed;
pub(in crate::game) mod ruling_context;
pub(in crate::game) mod typed_dice;
pub(in crate::game) mod waiting_ruling;
