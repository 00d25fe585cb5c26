//! This module tests bbcode.
