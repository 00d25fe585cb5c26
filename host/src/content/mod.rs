//! This module is the content layer.
