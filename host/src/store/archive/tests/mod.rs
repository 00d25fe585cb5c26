//! This module is the tests of games on disk.
