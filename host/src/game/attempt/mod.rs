//! Runs and stores rulings: procedures, parsed lines, plans, reasons and salts.

pub(in crate::game) mod change_log;
pub(in crate::game) mod command_kind;
pub(in crate::game) mod fiat_reason;
pub(in crate::game) mod lifecycle;
pub(crate) mod line_parser;
pub(in crate::game) mod plans;
pub(in crate::game) mod procedure;
pub(in crate::game) mod recorded_rules;
pub(in crate::game) mod refusal_span;
pub(in crate::game) mod ruling_run;
pub(in crate::game) mod ruling_suspension;
pub(crate) mod salts;
