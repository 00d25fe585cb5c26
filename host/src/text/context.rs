//! The context of one call of the grammar: names, a reader for script types, words for messages.

use crate::diag::Span;
use crate::value::Value;

use super::names::NameSource;

/// Reads a script type. The arguments are its name, the text from there on and the span of that text in the whole text.
///
/// Returns the value and the number of bytes it took, or the reason why there is no value.
pub type ReadScript<'a> = dyn FnMut(&str, &str, Span) -> Result<(Value, usize), String> + 'a;

/// The inputs of a call of the grammar besides the text.
pub struct Context<'a> {
    /// The kind of text, for messages: `command`, `request`.
    pub noun: &'a str,
    /// The present names.
    pub names: &'a dyn NameSource,
    /// Reads the types declared as readers; without it nothing fits them.
    pub reader: Option<&'a mut ReadScript<'a>>,
    /// Whether the beginning of a name may replace the name, as in the REPL.
    pub prefixes: bool,
    /// Returns whether completion offers nothing of a template, by the id of the template.
    pub left_out: Option<&'a dyn Fn(&str) -> bool>,
}

impl<'a> Context<'a> {
    /// Returns a context without names and reader that accepts the beginning of a name.
    pub fn new(noun: &'a str) -> Context<'a> {
        Context {
            noun,
            names: &(),
            reader: None,
            prefixes: true,
            left_out: None,
        }
    }

    /// Lets completion offer nothing of some templates, by id. Reading these templates does not change.
    #[must_use]
    pub fn without_offers_of(mut self, is_left_out: &'a dyn Fn(&str) -> bool) -> Context<'a> {
        self.left_out = Some(is_left_out);
        self
    }

    /// Sets the source of the names.
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
