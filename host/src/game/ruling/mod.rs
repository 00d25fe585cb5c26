//! The context of one ruling: its giver and line, the source of its inputs, and the resumption of a waiting ruling.

pub(in crate::game) mod caller;
pub(in crate::game) mod client;
pub(in crate::game) mod host_command;
pub(crate) mod input_source;
pub(in crate::game) mod last_query;
pub(in crate::game) mod named_files;
pub(in crate::game) mod policy;
pub(in crate::game) mod resumption;
pub(in crate::game) mod ruling_context;
pub(in crate::game) mod seed_secrecy;
pub(in crate::game) mod typed_dice;
pub(in crate::game) mod waiting_ruling;
