//! The functions that scripts may call: one file per table, declared in the `.d.luau` file beside it.

mod act;
mod fast_act_methods;
mod close_match;
mod decimal;
mod definitions;
mod dice;
mod expr;
mod path_arguments;
mod library;
mod matcher;
mod memoize;
mod outline;
mod phrase;
mod polls;
mod tables;
mod text;

pub(crate) use act::{new_act, say_unsaid_lines, end_records_by_expression};
pub(super) use act::{read_refusal_place, diagnostic_of_refusal, code_with_area};
pub(super) use expr::methods as language_methods;
use library::{Library, charged_error, expectation_in_words, refused};
pub(super) use matcher::methods as matcher_methods;
pub(super) use outline::methods as reader_methods;
pub(crate) use tables::register;
