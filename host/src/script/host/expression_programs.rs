//! Keeps the expressions of scripts in their compiled form.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::expr::{Dialect, Program};

/// Bytes of an expression that are read for one unit of fuel.
const BYTES: usize = 1;

/// Programs that are kept.
const PROGRAMS: usize = 1_000;

/// The key of a program: its text and everything that decides how it is read.
type Key = (String, Dialect);

/// The compiled expressions of scripts by text and dialect.
#[derive(Default)]
pub(crate) struct Programs(BTreeMap<Key, Rc<Program>>);

impl Programs {
    /// Returns the program of a text if it was compiled before.
    pub(crate) fn find(&self, key: &Key) -> Option<Rc<Program>> {
        self.0.get(key).cloned()
    }

    /// Keeps a program. If there are too many, all others are forgotten.
    pub(crate) fn keep(&mut self, key: Key, program: &Rc<Program>) {
        if self.0.len() >= PROGRAMS {
            self.0.clear();
        }
        self.0.insert(key, Rc::clone(program));
    }

    /// Returns the key of a program.
    pub(crate) fn key(source: &str, dialect: &Dialect) -> Key {
        (source.to_owned(), dialect.clone())
    }

    /// Returns the fuel of compiling a text.
    pub(crate) fn compile_fuel(source: &str) -> u64 {
        1 + (source.len() / BYTES) as u64
    }
}
