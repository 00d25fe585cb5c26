//! This module finds what the host gave a script by the address of what the script holds, as fast methods read it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use foldhash::fast::RandomState;
use mlua::AnyUserData;

/// What scripts of a machine hold, by its address; some of it may be gone.
#[derive(Default)]
pub(crate) struct Handles {
    all: RefCell<HashMap<usize, Weak<dyn Any>, RandomState>>,
    /// How many there were when those that are gone were last taken out.
    lasting: Cell<usize>,
}

impl Handles {
    /// Remembers what stands behind a handle, as long as anybody else holds it.
    pub(crate) fn know<T: 'static>(&self, handle: &AnyUserData, held: &Rc<T>) {
        let mut all = self.all.borrow_mut();
        if all.len() > 2 * self.lasting.get() {
            all.retain(|_, held| held.strong_count() > 0);
            self.lasting.set(all.len() + 1);
        }
        let held: Rc<dyn Any> = Rc::<T>::clone(held);
        all.insert(handle.to_pointer() as usize, Rc::downgrade(&held));
    }

    /// Returns what stands behind the handle at an address, if it is there and of this type.
    pub(crate) fn find<T: 'static>(&self, handle: usize) -> Option<Rc<T>> {
        let held = self.all.borrow().get(&handle)?.upgrade()?;
        held.downcast().ok()
    }
}
