//! A handler that handles an event, of one of the rows that have it.

use crate::value::Name;

/// One handler that handles an event.
#[derive(Clone, Debug)]
pub(crate) struct Recipient {
    /// The handler, by its place among the handlers of the event.
    pub(crate) listener: usize,
    /// The handler by which the element handles it: another one if that stands for the handlers of another definition.
    pub(crate) by: usize,
    /// The element: a row, or `collection/id` of a definition of the game.
    pub(crate) element: Name,
    /// The entity that bears it. For the game, the element itself.
    pub(crate) bearer: Name,
    /// Whether the element is the ended record itself, which is no longer a listener.
    pub(crate) is_gone: bool,
}
