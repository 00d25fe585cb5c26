//! This module is the entry of the program `arbiter`.

fn main() {}
