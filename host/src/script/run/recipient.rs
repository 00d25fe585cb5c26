//! A handler that handles an event, of one of the rows that have it.

use crate::value::Name;

/// One handler that handles an event.
#[derive(Clone, Debug)]
pub(crate) struct Recipient {
    /// The handler, by its place among those of the event.
    pub(crate) listener: usize,
    /// The handler by which the element handles it: another one if that stands for the handlers of another definition.
    pub(crate) by: usize,
    /// The element: a row, or `collection/id` of a definition of the game.
    pub(crate) element: Name,
    /// The entity that bears it. The element itself for the game.
    pub(crate) bearer: Name,
    /// Whether it is the very record that ended, which is not a listener any more.
    pub(crate) is_gone: bool,
}
