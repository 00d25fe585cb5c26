//! Help for a person who types: expected next words, the list of commands, pages of help.

pub(in crate::game) mod command_list;
pub(in crate::game) mod completer;
pub(in crate::game) mod descriptions;
pub(in crate::game) mod diagnostic_entries;
pub(in crate::game) mod glossary;
pub(in crate::game) mod help_offers;
pub(in crate::game) mod help_pages;
pub(in crate::game) mod help_without_game;
pub(in crate::game) mod language_page;
pub(in crate::game) mod rule_pages;
pub(in crate::game) mod suggestions;
