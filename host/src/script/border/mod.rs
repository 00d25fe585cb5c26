//! This module is the border itself: plain data on one side, what the machine holds on the other.

mod decimal_value;

pub(crate) use decimal_value::DecimalValue;
