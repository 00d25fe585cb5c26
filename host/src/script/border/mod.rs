//! This module is the border itself: plain data on one side, what the machine holds on the other.

mod charger;
mod decimal_value;
mod error_root;
mod seat_names;

pub(crate) use charger::{Charger, charge};
pub(crate) use decimal_value::DecimalValue;
pub(crate) use error_root::root;
pub use seat_names::{GM, GROUP};
