//! This module is what helps a person type: what may come next.

pub(super) mod assist;
pub(super) mod offer;
