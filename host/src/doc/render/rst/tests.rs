//! This module tests rst.
