//! This module tests discord.
