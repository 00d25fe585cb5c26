//! This module is the border to scripts: the machine, its limits, the API, and the loading of rules.
//!
//! Everything that names `mlua` stands here.

mod api;
mod argument;
mod ask;
mod atoms;
mod border;
mod called;
mod cases;
mod cause;
mod command;
mod compile;
mod contract;
mod convert;
mod deadline;
mod declaration;
mod declare;
mod dispatch;
mod engine;
mod error;
mod evaluate;
mod event_fields;
mod expressions;
mod fast;
mod fuel;
mod given_out;
mod host;
mod import;
mod inquiry;
mod kept;
mod lint;
mod listen;
mod literal;
mod load;
mod locate;
#[cfg(feature = "measure")]
mod measure;
mod module;
mod named_file;
mod names;
mod node;
mod numbers;
mod offers;
mod outside;
mod passed;
mod past;
mod path;
mod printed;
mod prompt;
mod question;
mod raw;
mod reach;
mod reading;
mod recorded;
mod report;
mod rules;
mod run;
mod sandbox;
mod sealing;
mod seats;
mod sight;
mod simulation;
mod source;
mod stand_in;
mod step;
mod takeover;
mod test_module;
mod tokens;
mod trace;
mod turn;
mod undeclared;
mod unknown;
mod watch;

pub use border::{GM, GROUP};
pub use called::{beginnings, called, leading_words, page_line, takers};
pub use command::{file_slots, givers, line_count, only_looks, typed_word};
pub use compile::Compiled;
pub use contract::syntax_lines;
pub use contract::{Contract, Reads};
pub use declaration::{Function, Group, declarations, host_definitions};
pub use declare::name_type::NameType;
pub use declare::phrase::{
    COMMAND, COMMANDS, DICE, ENTITY, FIELD, FILE, HostPhrase, Owner, SEAT, owner_of,
};
pub use declare::phrase_value::slots_value;
pub use engine::{Engine, EngineOptions};
pub use evaluate::{EVALUATED, Evaluated};
pub use fuel::{Limit, Limits};
pub use given_out::{IDS, pass_all, pass_before};
pub use import::{ImportFinding, ImportJudged, ImportStep};
pub use lint::kept_state;
pub use load::{Forms, ModFiles, is_text, load};
pub use named_file::NamedFile;
pub use numbers::{
    OwnNumbers, ROW as ASKED, count_on, from_values as numbers_from, give as give_numbers,
    to_values as numbers_to_values,
};
pub use past::{Found, Past, Wanted};
pub use printed::Printed;
pub use prompt::{Continuation, PROMPT, own_numbers, prompts, renumber as renumber_prompt};
pub use question::{BROKEN, Question, Reader, ReplyType, YES_NO, shown_answer};
pub use recorded::Recorded;
pub use rules::Rules;
pub use rules::plan::{PLANS, plan_when, step_names};
pub use run::{Chance, Face, Outcome, Run, SAID};
pub use seats::Seats;
pub use sight::Sight;
pub use simulation::{Answers, Ending, Simulation};
pub use source::compiler::is_unfinished;
pub use source::mod_folders::LIBRARY;
pub use step::{StepWatch, Verdict};
pub use trace::{Line, RulePlace, Step};
pub use undeclared::undeclared;
pub use watch::Watch;
