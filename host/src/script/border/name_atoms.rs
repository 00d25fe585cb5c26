//! String atoms of one machine and their names.
//!
//! A string gets its atom when it is first seen, and keeps the atom as long as the machine holds the string. Therefore
//! comparing a name costs no more than reading a number.

use std::cell::RefCell;
use std::rc::Rc;

use crate::script::border::stack_value::NameArgument;
use crate::store::is_host_name;
use crate::value::{Name, Names};

/// Names below this number are their own atom.
const DIRECT: usize = 24_000;

/// Largest number of atoms, which are 16-bit. Further strings are looked up by their text.
const MOST: usize = 32_000;

/// Longest text of a name. Longer texts get no atom, so that hostile texts fill no table.
const LONGEST: usize = 200;

/// The strings of one machine that have an atom.
pub(crate) struct Atoms {
    names: Rc<Names>,
    /// The names of the atoms from `DIRECT` on.
    late: RefCell<Vec<Name>>,
}

impl Atoms {
    /// Returns the atoms of a machine that has seen no string yet.
    pub(crate) fn new(names: &Rc<Names>) -> Atoms {
        Atoms {
            names: Rc::clone(names),
            late: RefCell::default(),
        }
    }

    /// Returns the name of an atom of this machine.
    #[inline]
    pub(crate) fn name(&self, atom: u16) -> Name {
        match usize::from(atom) {
            number if number < DIRECT => Name::from_index(number),
            number => self.late.borrow()[number - DIRECT],
        }
    }

    /// Holds the late atoms, so that no other code finds one.
    #[cfg(test)]
    pub(crate) fn hold_late_atoms(&self) -> std::cell::RefMut<'_, Vec<Name>> {
        self.late.borrow_mut()
    }

    /// Returns the name for an argument. Errors: the text of the argument, if there is no such name so far.
    #[inline]
    pub(crate) fn resolve(&self, argument: &NameArgument) -> Result<Name, String> {
        match argument {
            NameArgument::Atom(atom) => Ok(self.name(*atom)),
            NameArgument::Text(text) if is_host_name(text) => Err(text.clone()),
            NameArgument::Text(text) => self.names.find(text).ok_or_else(|| text.clone()),
        }
    }

    /// Returns the atom of a string that is seen for the first time, or -1 if it gets none.
    pub(crate) fn assign_atom(&self, text: &[u8]) -> i16 {
        let text = std::str::from_utf8(text)
            .ok()
            .filter(|text| text.len() <= LONGEST && !is_host_name(text));
        let atom = text.and_then(|text| {
            let name = match self.names.find(text) {
                Some(name) => name,
                None if DIRECT + self.late.borrow().len() < MOST => self.names.intern(text),
                None => return None,
            };
            self.atom_of(name)
        });
        atom.and_then(|atom| i16::try_from(atom).ok()).unwrap_or(-1)
    }

    fn atom_of(&self, name: Name) -> Option<usize> {
        if name.index() < DIRECT {
            return Some(name.index());
        }
        let mut late = self.late.borrow_mut();
        let atom = DIRECT + late.len();
        if atom >= MOST {
            return None;
        }
        late.push(name);
        Some(atom)
    }
}
