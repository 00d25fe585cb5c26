//! This module tests.
