//! The text layer: tokens, phrase templates and their grammar, outlines, close matches.

mod arena;
mod canonical;
mod token_class;
mod similarity;
mod compile;
mod completion;
mod context;
mod failure;
mod slot_spans;
mod finding;
mod first_set;
mod key_fold;
mod grammar;
mod letter_counts;
mod lexicon;
mod name_matcher;
mod matching;
mod miss;
mod names;
mod outline;
mod overlap;
mod parse;
mod read;
mod token_table;
mod template;
mod token;
mod token_tree;

pub use token_class::{Class, FORMER_TYPES};
pub use similarity::{Ratio, close_matches, similarity_ratio};
pub use completion::{Expected, ExpectedKind};
pub use context::{Context, ReadScript};
pub use slot_spans::{Fields, SlotType};
pub use finding::Finding;
pub use key_fold::{fold_to_key, lowercase_letters};
pub use grammar::{FormRef, Grammar, GrammarBuilder, GrammarLimits, Operators};
pub use name_matcher::Matcher;
pub use miss::{Came, Miss, Want};
pub use names::{NameEntry, NameFold, NameSource, NameTable};
pub use outline::{Block, Entry, Group, Heading, Levels, Line, Outline, OutlineTable, Section};
pub use overlap::Overlap;
pub use parse::{Filled, Parse, ParsedSlot};
pub use read::{Leftover, Scan};
pub use token_table::TokenTable;
pub use token::{Gap, Kind, Token, Tokens};
pub use token_tree::Tree;

#[cfg(test)]
mod tests;
