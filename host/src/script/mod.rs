//! This module is the border to scripts: the machine, its limits, the API, and the loading of rules.
//!
//! Everything that names `mlua` stands here.

mod api;
mod argument;
mod cause;
mod compile;
mod contract;
mod convert;
mod declaration;
mod dispatch;
mod engine;
mod error;
mod expressions;
mod host;
mod limits;
mod lint;
mod listen;
mod load;
mod locate;
mod meter;
mod module;
mod names;
mod node;
mod outside;
mod phrases;
mod raw;
mod reach;
mod rules;
mod run;
mod sandbox;
mod sight;
mod takeover;
mod test_module;
mod trace;
mod unknown;
mod watch;

pub use api::slots_value;
pub use compile::{Compiled, is_unfinished};
pub use contract::syntax_lines;
pub use contract::{Contract, Reads};
pub use declaration::{Function, Group, declarations, host_definitions};
pub use engine::{EVALUATED, Engine, EngineOptions, Evaluated};
pub use host::Printed;
pub use limits::{Limit, Limits};
pub use lint::kept_state;
pub use load::{HostPhrase, ModFiles, load};
pub use module::LIBRARY;
pub use phrases::{COMMANDS, DICE, ENTITY, FIELD, Owner, SEAT, owner_of};
pub use rules::{COMMAND, NameType, Rules};
pub use run::{Chance, Face, Outcome, Run};
pub use sight::Sight;
pub use trace::{Line, RulePlace, Step};
pub use watch::Watch;
