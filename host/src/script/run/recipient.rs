//! A handler that handles an event, of one of the rows that have it.

use crate::value::Name;

/// One handler that handles an event.
#[derive(Clone, Debug)]
pub(crate) struct Recipient {
    /// The handler, by its place among the handlers of the event.
    pub(crate) listener: usize,
    /// The handler that runs for the listener. It differs if `listener` uses the handlers of another definition.
    pub(crate) by: usize,
    /// The listener: a row, or `collection/id` of a definition of the game.
    pub(crate) element: Name,
    /// The entity that bears it. For the game, the listener itself.
    pub(crate) bearer: Name,
    /// Whether the listener is the ended record itself, which the store does not count as a listener any more.
    pub(crate) is_gone: bool,
}
