//! What rules declare, as it is written: schemas, lines of syntax, slot types.

pub(crate) mod elements;
pub(crate) mod events;
pub(crate) mod expressions;
pub(crate) mod name_type;
pub(crate) mod order;
pub(crate) mod phrase;
pub(crate) mod phrase_value;
pub(crate) mod schema;
pub(crate) mod takeover;
