//! This module is the dice layer.
