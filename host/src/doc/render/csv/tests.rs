//! This module tests csv.
