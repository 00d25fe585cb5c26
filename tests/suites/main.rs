//! This module is the one test binary: each suite is a module.

mod api;
mod architecture;
mod border;
mod fortune;
mod hostile;
mod laws;
mod limits;
mod program;
mod stranger;
mod terminal;
