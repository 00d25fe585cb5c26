//! This module tests html.
