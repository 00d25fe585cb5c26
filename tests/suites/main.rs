//! This module is the one test binary: each suite is a module.

mod hostile;
