//! The context of one call of the grammar: names, a reader for script types, words for messages.

use crate::diag::Span;
use crate::value::Value;

use super::names::NameSource;

/// Reads a script type: its name, the text from there on and where that is in the whole text.
///
/// Returns the value and how many bytes it took, or why it is none.
pub type ReadScript<'a> = dyn FnMut(&str, &str, Span) -> Result<(Value, usize), String> + 'a;

/// What a call of the grammar needs besides the text.
pub struct Context<'a> {
    /// What the text should be, for messages: `command`, `request`.
    pub noun: &'a str,
    /// The names of the moment.
    pub names: &'a dyn NameSource,
    /// Reads the types declared as readers; without it nothing fits them.
    pub reader: Option<&'a mut ReadScript<'a>>,
    /// Whether the begin of a name may stand for the name, as in the REPL.
    pub prefixes: bool,
    /// Says of the id of a template that completion offers nothing of it.
    pub left_out: Option<&'a dyn Fn(&str) -> bool>,
}

impl<'a> Context<'a> {
    /// Returns a context without names and reader that accepts the begin of a name.
    pub fn new(noun: &'a str) -> Context<'a> {
        Context {
            noun,
            names: &(),
            reader: None,
            prefixes: true,
            left_out: None,
        }
    }

    /// Lets completion offer nothing of some templates, by id; they read as ever.
    #[must_use]
    pub fn without_offers_of(mut self, is_left_out: &'a dyn Fn(&str) -> bool) -> Context<'a> {
        self.left_out = Some(is_left_out);
        self
    }

    /// Sets where the names come from.
    #[must_use]
    pub fn with_names(mut self, names: &'a dyn NameSource) -> Context<'a> {
        self.names = names;
        self
    }

    /// Sets the reader of script types.
    #[must_use]
    pub fn with_reader(mut self, reader: &'a mut ReadScript<'a>) -> Context<'a> {
        self.reader = Some(reader);
        self
    }

    /// Accepts whole names only, as content is read.
    #[must_use]
    pub fn whole_names_only(mut self) -> Context<'a> {
        self.prefixes = false;
        self
    }
}
