//! This module is the store layer.
