//! This crate is the program `arbiter`: its command line, its prompt, and the host's own commands.
