//! Lets scripts watch fields and kinds of a state, and counts the writes to them.

use crate::store::State;
use crate::value::Name;

impl State {
    /// Watches a field or a kind from now on and returns its place for [`State::total_writes_at`]; nothing if too
    /// many are watched.
    ///
    /// Adding or removing a row counts for its kind, not for its fields.
    pub fn watch_name(&mut self, name: Name) -> Option<u16> {
        self.watches.watch(name)
    }

    /// Returns the place of a field or a kind that is already watched.
    pub fn watched_place(&self, name: Name) -> Option<u16> {
        self.watches.place_of_name(name)
    }

    /// Returns the total number of writes to the fields and kinds at these places. It grows with each write and never
    /// shrinks.
    pub fn total_writes_at(&self, places: &[u16]) -> u64 {
        self.watches.total_writes_at(places)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::store::Write;
    use crate::value::{Names, Value};

    #[test]
    fn a_count_moves_with_each_write_and_with_what_is_taken_back() {
        let names = Rc::new(Names::default());
        let mut state = State::new(Rc::clone(&names));
        let known = ["ann", "bo", "person", "mood", "other"].map(|name| names.intern(name));
        let [ann, bo, person, mood, other] = known;
        let put = |row| Write::Put {
            row,
            kind: person,
            owner: None,
            fields: vec![(mood, Value::from(1))],
        };
        state.apply(put(ann)).unwrap();
        let (of_mood, of_person) = (
            state.watch_name(mood).unwrap(),
            state.watch_name(person).unwrap(),
        );
        assert_eq!(state.watch_name(mood), Some(of_mood));
        assert_eq!(
            (state.watched_place(mood), state.watched_place(other)),
            (Some(of_mood), None)
        );
        let counts = |state: &State| {
            (
                state.total_writes_at(&[of_mood]),
                state.total_writes_at(&[of_person]),
            )
        };
        assert_eq!(counts(&state), (0, 0));
        let mark = state.mark();
        for field in [mood, other] {
            state.set(ann, field, Value::from(7)).unwrap();
        }
        assert_eq!(counts(&state), (1, 0));
        state.apply(put(bo)).unwrap();
        let before = counts(&state);
        assert_eq!(before.1, 1);
        state.rollback(mark);
        let after = counts(&state);
        assert!(
            after.0 > before.0 && after.1 > before.1,
            "{before:?} {after:?}"
        );
        assert_eq!(
            state.total_writes_at(&[of_mood, of_person]),
            after.0 + after.1
        );
    }
}
