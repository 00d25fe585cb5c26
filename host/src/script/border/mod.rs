//! This module is the border itself: plain data on one side, what the machine holds on the other.

mod decimal_value;
mod seat_names;

pub(crate) use decimal_value::DecimalValue;
pub use seat_names::{GM, GROUP};
