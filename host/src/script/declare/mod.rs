//! Declarations of rules as they are written: schemas, lines of syntax, slot types.

pub(crate) mod constructors;
pub(crate) mod event_settings;
pub(crate) mod expressions;
pub(crate) mod listener_order;
pub(crate) mod listener_rows;
pub(crate) mod name_type;
pub(crate) mod phrase_value;
pub(crate) mod schema;
pub(crate) mod taken_over_words;
pub(crate) mod template_owner;
