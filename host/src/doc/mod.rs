//! This module is the doc layer.
