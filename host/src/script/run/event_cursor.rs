//! This module is whose turn it is among the recipients of an event, which the frame in Luau and the host share.
//!
//! It lies in a table, which scripts write faster than anything else; the host reads it where the machine keeps it,
//! if it is found to be there when the table is made, else through the table.

use mlua::{Lua, Table};

use crate::script::raw::TurnItems;

/// A table with the place of the handler whose turn it is at 1, 0 for none, and at 2 whether any handler did something
/// since the recipients were found.
pub(crate) struct Turn {
    table: Table,
    items: Option<TurnItems>,
}

impl Turn {
    /// Makes the table; with `raw` false the host always reads through it.
    pub(crate) fn new(lua: &Lua, raw: bool) -> mlua::Result<Turn> {
        let sample = 0.75;
        let table = lua.create_table_with_capacity(2, 0)?;
        table.raw_set(1, sample)?;
        table.raw_set(2, true)?;
        let items = if raw {
            TurnItems::of(&table, sample)
        } else {
            None
        };
        table.raw_set(1, 0)?;
        Ok(Turn { table, items })
    }

    /// Returns the table for the frame, which writes nothing but a number at 1 and a truth at 2.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the place, from 0, of the handler whose turn it is.
    #[inline]
    pub(crate) fn place(&self) -> Option<usize> {
        let place = match &self.items {
            Some(items) => items.place(),
            None => self.table.raw_get(1).ok(),
        };
        (place.unwrap_or_default() as usize).checked_sub(1)
    }

    /// Says whether a handler did something since the recipients were found.
    #[inline]
    pub(crate) fn touch(&self, is_touched: bool) {
        match &self.items {
            Some(items) => items.touch(is_touched),
            None => self
                .table
                .raw_set(2, is_touched)
                .expect("invariant: the table has room for its two items"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_what_the_other_wrote() {
        for raw in [true, false] {
            let lua = Lua::new();
            let turn = Turn::new(&lua, raw).unwrap();
            assert_eq!(turn.items.is_some(), raw, "the items are found");
            assert_eq!(turn.place(), None);
            let next = lua
                .load("local turn = ... ; turn[1] += 3 ; turn[2] = not turn[2] ; return turn[2]");
            let next = next.into_function().unwrap();
            for place in [3, 6] {
                turn.touch(place == 3);
                assert_eq!(next.call::<bool>(turn.table()).unwrap(), place == 6);
                lua.gc_collect().unwrap();
                assert_eq!(turn.place(), Some(place - 1));
            }
        }
    }
}
