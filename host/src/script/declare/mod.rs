//! This module is what rules declare, as it is written: contracts, lines of syntax, slot types.

pub(crate) mod elements;
pub(crate) mod name_type;
pub(crate) mod phrase;
pub(crate) mod phrase_value;
