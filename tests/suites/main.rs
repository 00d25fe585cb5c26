//! This module is the one test binary: each suite is a module.

mod fortune;
mod hostile;
mod laws;
mod program;
mod stranger;
mod terminal;
