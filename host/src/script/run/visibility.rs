//! Decides which rows and fields a viewer may see. Scripts, `why` and `log` use only these functions.
//!
//! A row is for the audience in its `@seen`. A record is only for viewers who may see its owner. A stat is for the
//! audience that the ruleset declares: everybody, the game master, or the seat that plays the entity. That is the seat
//! in the field `seat` of the entity. Without such a field, it is the seat with the entity's id or name.
//!
//! An attribute shows a viewer nothing of a stat that the viewer may not see: a modifier, a guard or an end condition
//! that names such a stat is not for this viewer.

use crate::doc::{Audience, Viewer, may_see};
use crate::store::{
    Bearer, NamedStats, StatVisibility, State, names_in_end, names_in_guard, names_in_modifier,
};
use crate::value::{Name, Text, Value};

/// The field of an entity that names the seat that plays it.
const SEAT: &str = "seat";
/// The field of an entity that holds its name for people.
const NAME: &str = "name";

/// The fields of an entity that the host reads itself, independent of the rules.
pub(crate) const READ_BY_HOST: [&str; 2] = [SEAT, NAME];

/// The key of an end condition in place of those that a viewer may not see.
const HIDDEN: &str = "hidden";

/// The part of a state that a viewer may see.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    state: &'a State,
    viewer: &'a Viewer,
}

impl<'a> Sight<'a> {
    /// Returns the sight of a viewer over a state.
    pub fn new(state: &'a State, viewer: &'a Viewer) -> Sight<'a> {
        Sight { state, viewer }
    }

    /// Returns whether the viewer may see all, the host's own rows too.
    pub fn sees_all(&self) -> bool {
        *self.viewer == Viewer::Gm
    }

    /// Returns whether the viewer may know that a row exists. For a row that does not exist only the game master may.
    pub fn can_see_row(&self, row: Name) -> bool {
        if self.sees_all() {
            return true;
        }
        let mut chain = std::iter::successors(Some(row), |row| self.state.owner(*row));
        chain.all(|row| self.is_row_shown(row))
    }

    fn is_row_shown(&self, row: Name) -> bool {
        let state = self.state;
        if !state.exists(row) || state.is_host_row(row) {
            return false;
        }
        match state.get(row, state.reserved().seen) {
            Value::Nil => true,
            seen => {
                let audience = seen.as_str().and_then(|text| Audience::parse(text).ok());
                may_see(self.viewer, &audience.unwrap_or(Audience::Gm))
            }
        }
    }

    /// Returns whether the viewer may see all of a field of a row.
    pub fn can_see_field(&self, row: Name, field: Name) -> bool {
        self.sees_all()
            || (self.can_see_row(row)
                && self.can_see_stat(row, field)
                && self.may_know_whole(row, field))
    }

    /// Returns the part of a stored field that the viewer may see.
    pub fn visible_value(&self, row: Name, field: Name) -> Value {
        let (value, reserved) = (self.state.get(row, field), self.state.reserved());
        let is_list = field == reserved.modifiers || field == reserved.ends;
        // No modifiers read like modifiers that are all hidden.
        let is_empty = is_list && value.items().is_empty();
        if self.sees_all() || (!is_empty && self.can_see_field(row, field)) {
            return value.clone();
        }
        if !is_list || !self.can_see_row(row) || !self.can_see_stat(row, field) {
            return Value::Nil;
        }
        let seen = value.items().iter();
        let mut seen: Vec<Value> = seen
            .filter(|part| self.may_know_part(row, field, part))
            .cloned()
            .collect();
        if field == reserved.ends && !is_empty {
            seen.push(Value::map([(HIDDEN, Value::Bool(true))]));
        }
        match seen.is_empty() {
            true => Value::Nil,
            false => Value::list(seen),
        }
    }

    /// Returns whether the viewer may know all stats and rows that a field names, if it names any.
    fn may_know_whole(&self, row: Name, field: Name) -> bool {
        let (value, reserved) = (self.state.get(row, field), self.state.reserved());
        if field == reserved.modifiers || field == reserved.ends {
            let mut parts = value.items().iter();
            return parts.all(|part| self.may_know_part(row, field, part));
        }
        field != reserved.guard || self.may_know_part(row, field, value)
    }

    /// Returns whether the viewer may know all that a modifier, an end condition or a guard names. A part that cannot
    /// be read may name anything.
    fn may_know_part(&self, row: Name, field: Name, part: &Value) -> bool {
        let (state, reserved) = (self.state, self.state.reserved());
        let named = if field == reserved.modifiers {
            names_in_modifier(state, row, part)
        } else if field == reserved.ends {
            names_in_end(state, row, part)
        } else {
            names_in_guard(state, row, part)
        };
        let Some(NamedStats { stats, rows }) = named else {
            return false;
        };
        let mut stats = stats.into_iter();
        stats.all(|(bearer, stat)| match bearer {
            Bearer::Row(row) => self.can_see_field(row, stat),
            Bearer::AnyRow => state.stats().declaration_of(stat).seen == StatVisibility::Public,
        }) && rows.into_iter().all(|row| self.can_see_row(row))
    }

    fn can_see_stat(&self, row: Name, field: Name) -> bool {
        match self.state.stats().declaration_of(field).seen {
            StatVisibility::Public => true,
            StatVisibility::Gm => false,
            StatVisibility::Owner => match self.viewer {
                Viewer::Seat { name, .. } => {
                    seat_plays_entity(self.state, name, self.state.bearer(row))
                }
                Viewer::Gm | Viewer::Public => false,
            },
        }
    }
}

/// Returns whether a seat plays an entity. A reader who is only a member of a group plays none.
pub(crate) fn seat_plays_entity(state: &State, seat: &str, entity: Name) -> bool {
    let mut names = seat_names_of_entity(state, entity);
    !seat.is_empty() && names.any(|name| name.eq_ignore_ascii_case(seat))
}

/// Returns the possible names of the seat that plays an entity: its field `seat`, else its name or its id.
pub(crate) fn seat_names_of_entity(state: &State, entity: Name) -> impl Iterator<Item = Text> {
    let text = |field: &str| match state.get(entity, state.names().find(field)?) {
        Value::Text(text) => Some(text.clone()),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    };
    let names = match text(SEAT) {
        Some(seat) => [Some(seat), None],
        None => [text(NAME), Some(state.names().text(entity))],
    };
    names.into_iter().flatten()
}
