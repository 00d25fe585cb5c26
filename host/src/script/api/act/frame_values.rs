//! What the frame of events tells an event by: who hears it, and what may happen behind it.

use mlua::Table;

/// What the frame tells an event by.
#[derive(Default)]
pub(super) struct Telling {
    /// The places of the handlers that hear it, from 1 and in order; none where nobody is told.
    pub(super) places: Option<Table>,
    /// The element and the bearer of each.
    pub(super) rows: Option<Table>,
    /// Whether anything may happen behind it.
    pub(super) is_followed: bool,
    /// Whether each recipient is to be announced with `present`, as in a run that is traced.
    pub(super) is_traced: bool,
    /// How often it may be told again, where that is limited.
    pub(super) repeats: Option<u32>,
    /// How many rules may lie inside each other, where that is passed.
    pub(super) too_deep: Option<usize>,
    /// How much was written before, where it is told until nothing is.
    pub(super) written_before: Option<usize>,
}

/// The same as the frame gets it: a tuple goes to the machine without a list in between.
pub(super) type Told = (
    Option<Table>,
    Option<Table>,
    bool,
    bool,
    Option<u32>,
    Option<usize>,
    Option<usize>,
);

impl Telling {
    /// Returns it as the frame in `events_and_queues.luau` gets it.
    pub(super) fn into_frame_values(self) -> Told {
        (
            self.places,
            self.rows,
            self.is_followed,
            self.is_traced,
            self.repeats,
            self.too_deep,
            self.written_before,
        )
    }
}
