//! Walks back over the changes of the live operations.

use std::rc::Rc;

use super::History;
use crate::store::{Change, Operation};

/// The operations of a history at present, for looking back while the game goes on.
#[derive(Clone, Debug)]
pub struct Changed {
    operations: Rc<Vec<Rc<Operation>>>,
    live: Vec<u64>,
}

impl Changed {
    /// Returns all operations, oldest first.
    pub fn operations(&self) -> &[Rc<Operation>] {
        &self.operations
    }

    /// Returns the live operations, newest first.
    pub fn live_newest_first(&self) -> impl Iterator<Item = &Operation> {
        let live = self.live.iter().rev();
        live.filter_map(|seq| {
            let at = usize::try_from(*seq).ok()?.checked_sub(1)?;
            self.operations.get(at).map(Rc::as_ref)
        })
    }
}

impl History {
    /// Returns the operations for looking back.
    pub fn operations_snapshot(&self) -> Changed {
        Changed {
            operations: Rc::clone(&self.operations),
            live: self.holding.live.iter().map(|live| live.seq).collect(),
        }
    }

    /// Returns the changes of the live operations, newest first.
    pub fn changes_newest_first(&self) -> impl Iterator<Item = (&Operation, &Change)> {
        self.live_operations().rev().flat_map(|operation| {
            let changes = operation.changes.iter();
            changes.map(move |change| (operation, change))
        })
    }
}
