//! Values with which the frame emits an event: the recipients, and whether anything may happen after the event.

use mlua::Table;

/// Values with which the frame emits an event.
#[derive(Default)]
pub(super) struct EmissionValues {
    /// The places of the handlers of the event, from 1 and in order. Empty if there are no recipients.
    pub(super) places: Option<Table>,
    /// The listener and the bearer of each.
    pub(super) rows: Option<Table>,
    /// Whether anything may happen after the event.
    pub(super) is_followed: bool,
    /// Whether to announce each recipient with `present`, as in a traced run.
    pub(super) is_traced: bool,
    /// How often the event may be emitted again, if that is limited.
    pub(super) repeats: Option<u32>,
    /// The limit of nested rules, if it is passed.
    pub(super) too_deep: Option<usize>,
    /// The number of earlier writes, if the event is emitted until nothing is written.
    pub(super) written_before: Option<usize>,
}

/// The same values in the form for the frame: a tuple goes to the machine without a list in between.
pub(super) type EmissionTuple = (
    Option<Table>,
    Option<Table>,
    bool,
    bool,
    Option<u32>,
    Option<usize>,
    Option<usize>,
);

impl EmissionValues {
    /// Returns the values in the form for the frame in `events_and_queues.luau`.
    pub(super) fn into_frame_values(self) -> EmissionTuple {
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
