//! This module is empty.
