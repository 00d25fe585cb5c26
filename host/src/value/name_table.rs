//! Gives every row id and field name a small number, so that the search for a cell compares no text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;

/// An interned text: equal texts of one table have equal names.
///
/// The number depends on the order in which texts were first seen: it must never reach state bytes, order or output.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

impl Name {
    /// Returns the position in tables that are indexed by name.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the name at a position that [`Name::index`] gave.
    pub fn from_index(index: usize) -> Name {
        Name(u32::try_from(index).expect("invariant: fewer than 2^32 names"))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Name({})", self.0)
    }
}

/// The table of all names of one game; it only grows.
#[derive(Default)]
pub struct Names {
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Name, RandomState>,
}

impl Names {
    /// Returns the name of a text and stores a new text.
    pub fn intern(&self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        let mut inner = self.inner.borrow_mut();
        let shared: Arc<str> = text.into();
        let name = Name::from_index(inner.texts.len());
        inner.texts.push(Arc::clone(&shared));
        inner.numbers.insert(shared, name);
        name
    }

    /// Returns the name of a text that was seen before; never stores a new one.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.inner.borrow().numbers.get(text).copied()
    }

    /// Returns the text of a name of this table.
    pub fn text(&self, name: Name) -> Arc<str> {
        Arc::clone(&self.inner.borrow().texts[name.index()])
    }

    /// Returns how many bytes the text of a name has.
    pub fn byte_length(&self, name: Name) -> usize {
        self.inner.borrow().texts[name.index()].len()
    }

    /// Returns how many names there are.
    pub fn name_count(&self) -> usize {
        self.inner.borrow().texts.len()
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Names({})", self.name_count())
    }
}
