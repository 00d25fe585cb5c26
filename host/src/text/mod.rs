//! The text layer: tokens, phrase templates and their grammar, outlines, close matches.

mod arena;
mod canonical;
mod compile;
mod completion;
mod context;
mod count;
mod failure;
mod finding;
mod first_set;
mod grammar;
mod key_fold;
mod letter_counts;
mod lexicon;
mod matching;
mod miss;
mod name_matcher;
mod names;
mod outline;
mod overlap;
mod parse;
mod similarity;
mod slot_spans;
pub(crate) mod template;
mod text_reader;
mod token;
mod token_class;
mod token_table;
mod token_tree;
mod value_names;

pub use completion::{Expected, ExpectedKind};
pub use context::{Context, ReadScript};
pub use count::Count;
pub use finding::Finding;
pub use grammar::{FormRef, Grammar, GrammarBuilder, GrammarLimits, Operators};
pub use key_fold::{fold_to_key, lowercase_letters};
pub use miss::{Came, Miss, Want};
pub use name_matcher::Matcher;
pub use names::{NameEntry, NameFold, NameSource, NameTable};
pub use outline::{Entry, Group, Heading, Levels, Line, Outline, OutlineTable, Section};
pub use overlap::Overlap;
pub use parse::{Filled, Parse, ParsedSlot};
pub use similarity::{Ratio, close_matches, similarity_ratio};
pub use slot_spans::{Fields, SlotType};
pub use text_reader::{Leftover, Scan};
pub use token::{Gap, Kind, Token, Tokens};
pub use token_class::{Class, FORMER_TYPES, SlotTypeText};
pub use token_table::TokenTable;
pub use token_tree::Tree;
pub use value_names::{ValueEntry, ValueForm, ValueNames, ValueReading, WrittenValue};

#[cfg(test)]
mod tests;
