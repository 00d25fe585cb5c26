//! An event while it is emitted, and the savepoint to which a failing handler of it is rolled back.

use std::rc::Rc;

use super::event::Event;
use super::recipient::Recipient;
use crate::store::Mark;

/// An event that is being emitted.
pub(crate) struct Frame {
    pub(crate) event: Rc<Event>,
    pub(crate) recipients: Rc<[Recipient]>,
    /// The shape of the state when the recipients were found.
    pub(crate) shape: u64,
    /// The first recipient that has its turn: those before it had theirs when a handler failed.
    pub(crate) from: usize,
    /// The recipient that did something last. Handlers that only look are passed over.
    pub(crate) at: Option<usize>,
    /// The savepoint to which a failing handler is rolled back.
    pub(crate) savepoint: Option<Savepoint>,
    /// The cause that the handlers of this event hang below.
    pub(crate) parent: u32,
    /// Whether one handler runs by itself, outside of an emission.
    pub(crate) is_late: bool,
    /// Whether the event was emitted again meanwhile, and is emitted again after this.
    pub(crate) repeats: bool,
}

/// The position of a ruling before a handler ran.
#[derive(Clone, Copy)]
pub(crate) struct Savepoint {
    pub(crate) mark: Mark,
    pub(crate) documents: usize,
    pub(crate) lines: usize,
    pub(crate) limits_told: usize,
    /// The mark of the transient queues.
    pub(crate) transient: usize,
    pub(crate) output_left: usize,
    /// The handler, as a cause.
    pub(crate) cause: u32,
    /// The events around it that are emitted again, the outermost in the lowest bit.
    pub(crate) repeats: u64,
}
