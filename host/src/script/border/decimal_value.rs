//! An exact decimal as a value of scripts. `api::decimal` has its methods.

use rust_decimal::Decimal;

/// An exact decimal as a value of scripts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecimalValue(pub(crate) Decimal);
