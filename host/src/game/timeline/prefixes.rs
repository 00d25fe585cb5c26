//! Prefixes of the dice addresses in a fork, so that the fork has its own dice.

use crate::game::timeline::seed::encode_address_part;

/// The names in addresses, each with the ruling number from which it is used. The enclosing forks of a fork come first.
#[derive(Clone, Debug, Default)]
pub(in crate::game) struct Prefixes(Vec<(u64, String)>);

impl Prefixes {
    /// Returns the prefixes of a fork that begins here, with its own rulings from a ruling number on.
    #[must_use]
    pub(in crate::game) fn with_fork(&self, first: u64, name: &str) -> Prefixes {
        // Within a fork, earlier rulings of that fork keep their addresses.
        let own = self.0.iter().filter(|(number, _)| *number < first).cloned();
        Prefixes(own.chain([(first, name.to_owned())]).collect())
    }

    /// Returns whether a line is a fork.
    pub(in crate::game) fn are_of_fork(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the start of the addresses of a ruling number: in a fork, addresses of its own rulings contain its name.
    pub(in crate::game) fn address_start_of_ruling(&self, ruling_number: u64) -> String {
        let mut prefixes = self
            .0
            .iter()
            .rev()
            .filter(|(first, _)| *first <= ruling_number);
        match prefixes.next() {
            Some((_, name)) => format!("{}:{ruling_number}", encode_address_part(name)),
            None => ruling_number.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_within_a_fork_keeps_the_names_of_what_was_ruled_before_it() {
        let first = Prefixes::default().with_fork(3, "a b");
        assert_eq!(
            [1, 3, 9].map(|number| first.address_start_of_ruling(number)),
            ["1", "a%20b:3", "a%20b:9"]
        );
        let second = first.with_fork(5, "c");
        assert_eq!(
            [2, 4, 5].map(|number| second.address_start_of_ruling(number)),
            ["2", "a%20b:4", "c:5"]
        );
        let earlier = second.with_fork(2, "d");
        assert_eq!(
            [1, 2, 5].map(|number| earlier.address_start_of_ruling(number)),
            ["1", "d:2", "d:5"]
        );
    }
}
