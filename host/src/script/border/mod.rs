//! The border between plain data and the values of the machine.

pub(crate) mod argument_kinds;
pub(crate) mod argument_values;
mod charger;
mod decimal_value;
mod error_root;
pub(crate) mod key_path;
pub(crate) mod name_atoms;
pub(crate) mod named_file;
pub(crate) mod printed_lines;
mod seat_names;
pub(crate) mod stack_value;
pub(crate) mod table_bytes;
mod type_in_words;
pub(crate) mod value_conversion;

pub(crate) use charger::{Charger, charge, is_live_line};
pub(crate) use decimal_value::DecimalValue;
pub(crate) use error_root::root_error;
pub use seat_names::{GM, GROUP};
pub(crate) use type_in_words::type_in_words;
