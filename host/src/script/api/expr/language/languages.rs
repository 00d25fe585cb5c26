//! This module is the languages of a machine, as fast methods find them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use foldhash::fast::RandomState;
use mlua::AnyUserData;

use super::Language;

/// The languages of a machine, by the address of what scripts hold; some of them may be gone.
#[derive(Default)]
pub(crate) struct Languages {
    all: RefCell<HashMap<usize, Weak<Language>, RandomState>>,
    /// How many there were when those that are gone were last taken out.
    lasting: Cell<usize>,
}

impl Languages {
    pub(super) fn know(&self, handle: &AnyUserData, language: &Rc<Language>) {
        let mut all = self.all.borrow_mut();
        if all.len() > 2 * self.lasting.get() {
            all.retain(|_, language| language.strong_count() > 0);
            self.lasting.set(all.len() + 1);
        }
        all.insert(handle.to_pointer() as usize, Rc::downgrade(language));
    }

    pub(super) fn find(&self, handle: usize) -> Option<Rc<Language>> {
        self.all.borrow().get(&handle)?.upgrade()
    }
}
