//! This module is the text layer.
