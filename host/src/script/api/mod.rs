//! The functions that scripts may call: one file per table, declared in the `.d.luau` file beside it.

pub(crate) mod act;
mod close_match;
mod decimal;
mod definitions;
mod dice;
mod expr;
mod fast_act_methods;
pub(crate) mod fuzzy_name_list;
mod library;
pub(crate) mod memoize;
mod outline;
mod path_arguments;
mod phrase;
mod polls;
mod slot_values;
mod tables;
pub(crate) mod text;

pub(super) use act::{code_with_area, diagnostic_of_refusal, read_refusal_place};
pub(crate) use act::{end_records_by_expression, new_act, send_unsent_lines};
pub(super) use expr::language_methods;
pub(super) use fuzzy_name_list::matcher_methods;
use library::{Library, error_or_passed_limit, expected_and_found_in_words, refusal_error};
pub(super) use outline::reader_methods;
pub(crate) use tables::add_api_tables;
