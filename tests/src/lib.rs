//! This crate is the harness that the test suites share: homes, sessions, lines and their answers.
