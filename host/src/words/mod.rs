//! The words of the host for readers and players: one table of texts for each language.
//!
//! In: the embedded tables, and the language files of rulesets and mods. Out: texts by key, in which English stands for
//! what is missing. Knows neither games nor pages.

mod choice;
mod language_file;
mod table;
mod template;
#[cfg(test)]
mod tests;

pub use choice::{Chosen, choose_words};
pub use language_file::{Language, LanguageFile, read_language};
pub use table::{Hole, Words, english_texts};

/// The folder of language files in the content of a mod. The host reads it in every ruleset, without a schema.
pub const LANGUAGES: &str = "languages";

/// The language of a ruleset that names none, and of texts that are missing in another one.
pub const ENGLISH: &str = "en";
