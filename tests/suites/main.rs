//! This module is the one test binary: each suite is a module.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends there")]

mod api;
mod architecture;
mod aside;
mod bad_input;
mod border;
mod check;
mod clock;
mod export;
mod expressions;
mod fortune;
mod handover;
mod harbour;
mod hostile;
mod kept;
mod laws;
mod limits;
mod moments;
mod motion;
mod numbers;
mod plans;
mod polls;
mod program;
mod questions;
mod readme;
mod records;
mod revert;
mod saves;
mod seat;
mod secrets;
mod stranger;
mod terminal;
mod transcripts;
mod verify;
mod watch;
mod why;
