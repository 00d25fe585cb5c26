//! An exact decimal in the hands of a script; `api::decimal` says what scripts do with it.

use rust_decimal::Decimal;

/// An exact decimal in the hands of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecimalValue(pub(crate) Decimal);
