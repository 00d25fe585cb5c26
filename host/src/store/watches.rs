//! Watched fields and kinds, with a count of the writes to each. A value computed from them stays valid while no
//! count changes.

use crate::value::Name;

/// The watched names, and the number of writes to each.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    /// The place of a name among the counts, from 1, by its number; 0 for a name that is not watched.
    places: Vec<u16>,
    counts: Vec<u64>,
}

impl Watches {
    /// Counts a write to a field, or an added or removed row of a kind.
    #[inline]
    pub(super) fn count_write_to(&mut self, name: Name) {
        if let Some(place) = self.places.get(name.index()).filter(|place| **place > 0) {
            self.counts[usize::from(*place) - 1] += 1;
        }
    }
}

impl Watches {
    /// Watches a name from now on, and returns its place; nothing if too many are watched.
    pub(super) fn watch(&mut self, name: Name) -> Option<u16> {
        let Watches { places, counts } = self;
        if places.len() <= name.index() {
            places.resize(name.index() + 1, 0);
        }
        if places[name.index()] == 0 {
            places[name.index()] = u16::try_from(counts.len() + 1).ok()?;
            counts.push(0);
        }
        Some(places[name.index()])
    }

    /// Returns the place of a watched name.
    pub(super) fn place_of_name(&self, name: Name) -> Option<u16> {
        let place = self.places.get(name.index()).copied();
        place.filter(|place| *place > 0)
    }

    /// Returns the total number of writes to the names at these places.
    pub(super) fn total_writes_at(&self, places: &[u16]) -> u64 {
        let counts = places
            .iter()
            .map(|place| self.counts.get(usize::from(*place) - 1));
        counts.flatten().sum()
    }
}
