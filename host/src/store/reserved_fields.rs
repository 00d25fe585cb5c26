//! The field names that are reserved for the store; all begin with `@`.

use crate::value::{Name, Names};

/// The reserved names of one table of names.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    /// `@kind`: the kind of a row; a row exists while it has this field.
    pub kind: Name,
    /// `@owner`: the row that a record belongs to.
    pub owner: Name,
    /// `@number`: the place of a record in the order of application.
    pub number: Name,
    /// `@modifiers`: the effects of a record on the stats of its owner.
    pub modifiers: Name,
    /// `@while`: the guard of all modifiers of a record.
    pub guard: Name,
    /// `@source`: the maker of a record.
    pub source: Name,
    /// `@as`: the role in which the maker acted.
    pub acting: Name,
    /// `@ends`: the ends of a record.
    pub ends: Name,
    /// `@cause`: the cause of a record.
    pub cause: Name,
    /// `@seen`: the audience that may see it; without this field all may see it.
    pub seen: Name,
    /// `@deadline`: the second of game time that a row waits for.
    pub deadline: Name,
    /// `@turns`: the number of turns that a row began.
    pub turns: Name,
    /// `@clock`: the row of the host that holds phase, round, turn and time.
    pub clock: Name,
    /// `@queues`: the row of the host that owns the rows of queues.
    pub queues: Name,
    /// `@polls`: the row of the host that owns polls.
    pub polls: Name,
    /// `@prompts`: the row of the host that owns open prompts.
    pub prompts: Name,
    /// `@state`: the row of the state itself, which is not a row of the game.
    pub(super) state: Name,
    /// `@next`: the number of the next record, in the row `@state`; 1 if it is missing.
    pub(super) next: Name,
}

impl Reserved {
    pub(super) fn new(names: &Names) -> Reserved {
        Reserved {
            kind: names.intern("@kind"),
            owner: names.intern("@owner"),
            number: names.intern("@number"),
            modifiers: names.intern("@modifiers"),
            guard: names.intern("@while"),
            source: names.intern("@source"),
            acting: names.intern("@as"),
            ends: names.intern("@ends"),
            cause: names.intern("@cause"),
            seen: names.intern("@seen"),
            deadline: names.intern("@deadline"),
            turns: names.intern("@turns"),
            clock: names.intern("@clock"),
            queues: names.intern("@queues"),
            polls: names.intern("@polls"),
            prompts: names.intern("@prompts"),
            state: names.intern("@state"),
            next: names.intern("@next"),
        }
    }

    /// Returns the fields that can only be written when a row is added.
    pub(super) fn put_only_fields(&self) -> [Name; 3] {
        [self.kind, self.owner, self.number]
    }

    /// Returns the fields that a write may name.
    pub(super) fn writable_fields(&self) -> [Name; 9] {
        [
            self.modifiers,
            self.guard,
            self.source,
            self.acting,
            self.ends,
            self.cause,
            self.seen,
            self.deadline,
            self.turns,
        ]
    }

    /// Returns whether the modifiers of a record are read from this field.
    #[inline]
    pub(super) fn makes_modifiers(&self, field: Name) -> bool {
        field == self.modifiers || field == self.guard
    }

    /// Returns whether setting this field does more than replace its value.
    #[inline]
    pub(super) fn needs_more_than_value(&self, field: Name) -> bool {
        self.makes_modifiers(field)
            || field == self.ends
            || field == self.deadline
            || field == self.turns
            || field == self.kind
            || field == self.owner
            || field == self.number
    }
}
