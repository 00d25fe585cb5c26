//! The text layer: tokens, phrase templates and their grammar, outlines, close matches.

mod arena;
mod canonical;
mod class;
mod close;
mod compile;
mod complete;
mod context;
mod failure;
mod fields;
mod finding;
mod first;
mod folded;
mod grammar;
mod letters;
mod lexicon;
mod matcher;
mod matching;
mod miss;
mod names;
mod outline;
mod overlap;
mod parse;
mod read;
mod table;
mod template;
mod token;
mod tree;

pub use class::{Class, FORMER_TYPES};
pub use close::{Ratio, close_matches, ratio};
pub use complete::{Expected, ExpectedKind};
pub use context::{Context, ReadScript};
pub use fields::{Fields, SlotType};
pub use finding::Finding;
pub use folded::{folded, letters_of};
pub use grammar::{FormRef, Grammar, GrammarBuilder, GrammarLimits, Operators};
pub use matcher::Matcher;
pub use miss::{Came, Miss, Want};
pub use names::{NameEntry, NameFold, NameSource, NameTable};
pub use outline::{Block, Entry, Group, Heading, Levels, Line, Outline, OutlineTable, Section};
pub use overlap::Overlap;
pub use parse::{Filled, Parse, ParsedSlot};
pub use read::{Leftover, Scan};
pub use table::TokenTable;
pub use token::{Gap, Kind, Token, Tokens};
pub use tree::Tree;

#[cfg(test)]
mod tests;
