//! Decides which rows and fields a viewer may see. Scripts, `why` and `log` use only these functions.
//!
//! A row is for the audience in its `@seen`. A record is only for viewers who may see its owner. A stat is for the
//! audience that the ruleset declares: everybody, the game master, or the seat that plays the entity. That is the seat
//! in the field `seat` of the entity. Without such a field, it is the seat with the entity's id or name.

use crate::doc::{Audience, Viewer, may_see};
use crate::store::{StatVisibility, State};
use crate::value::{Name, Text, Value};

/// The field of an entity that names the seat that plays it.
const SEAT: &str = "seat";
/// The field of an entity that holds its name for people.
const NAME: &str = "name";

/// The fields of an entity that the host reads itself, independent of the rules.
pub(crate) const READ_BY_HOST: [&str; 2] = [SEAT, NAME];

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

    /// Returns whether the viewer may see a field of a row.
    pub fn can_see_field(&self, row: Name, field: Name) -> bool {
        self.sees_all() || (self.can_see_row(row) && self.can_see_stat(row, field))
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
