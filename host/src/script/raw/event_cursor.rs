//! This module reads and writes the items of the table of turns where the machine keeps them.

use std::ptr::NonNull;

use mlua::Table;

use super::slot::Slot;

/// Where a table keeps the place of its items, in words: nothing else lies there while its size stays.
const ITEMS: usize = 3;

/// The number and the truth of a table of two items.
pub(crate) struct TurnItems {
    items: NonNull<[Slot; 2]>,
    /// Keeps the items alive.
    _table: Table,
}

impl TurnItems {
    /// Returns the items of a table that never grows and holds this number and true, if they are found.
    pub(crate) fn of(table: &Table, number: f64) -> Option<TurnItems> {
        let header = table.to_pointer().cast::<*mut [Slot; 2]>();
        // SAFETY: a table is longer than its beginning; what lies there is followed only where it is aligned and not
        // null, and the machine keeps pointers there.
        let (items, is_found) = unsafe {
            let items =
                NonNull::new(header.add(ITEMS).read()).filter(|items| items.is_aligned())?;
            let [one, two] = items.as_ref();
            (
                items,
                one.number() == Some(number) && two.truth() == Some(true),
            )
        };
        let _table = table.clone();
        is_found.then_some(TurnItems { items, _table })
    }

    /// Returns the number.
    #[inline]
    pub(crate) fn place(&self) -> Option<f64> {
        // SAFETY: the table lives and keeps its size.
        unsafe { self.items.as_ref()[0].number() }
    }

    /// Changes the truth.
    #[inline]
    pub(crate) fn touch(&self, is_touched: bool) {
        // SAFETY: as in `place`; no script runs meanwhile.
        unsafe { (*self.items.as_ptr())[1].set_truth(is_touched) }
    }
}
