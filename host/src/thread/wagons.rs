//! Who votes for whom: the wagons of all targets, each in the order of its votes.

use std::collections::BTreeMap;

use super::people::{Named, Participants};

/// The voters of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wagon {
    /// The id of the target.
    pub target: String,
    /// The ids of the voters in order, each with the post of the vote.
    pub voters: Vec<(String, String)>,
}

/// The votes that stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Wagons {
    votes: BTreeMap<usize, Standing>,
    counts: BTreeMap<Named, usize>,
    next: usize,
}

#[derive(Clone, Debug)]
struct Standing {
    target: Named,
    order: usize,
    post: String,
}

impl Wagons {
    pub(super) fn vote_of(&self, voter: usize) -> Option<Named> {
        self.votes.get(&voter).map(|vote| vote.target)
    }

    /// Gives a vote, and returns whether it changes anything. A repeat keeps its place.
    pub(super) fn vote(&mut self, voter: usize, target: Named, post: &str) -> bool {
        if self.vote_of(voter) == Some(target) {
            return false;
        }
        self.clear(voter);
        let vote = Standing {
            target,
            order: self.next,
            post: post.to_owned(),
        };
        self.next += 1;
        self.votes.insert(voter, vote);
        *self.counts.entry(target).or_insert(0) += 1;
        true
    }

    /// Takes a vote back, and returns whether there was one.
    pub(super) fn clear(&mut self, voter: usize) -> bool {
        let Some(vote) = self.votes.remove(&voter) else {
            return false;
        };
        if let Some(count) = self.counts.get_mut(&vote.target) {
            *count -= 1;
        }
        true
    }

    pub(super) fn count(&self, target: Named) -> usize {
        self.counts.get(&target).copied().unwrap_or(0)
    }

    /// Returns the voters of a target in order.
    pub(super) fn voters(&self, target: Named) -> Vec<usize> {
        let of_target = self.votes.iter().filter(|(_, vote)| vote.target == target);
        let mut voters: Vec<(usize, usize)> = of_target
            .map(|(voter, vote)| (vote.order, *voter))
            .collect();
        voters.sort_unstable();
        voters.into_iter().map(|(_, voter)| voter).collect()
    }

    /// Returns the targets that have votes, largest wagon first; of equal ones, the one whose last vote is older.
    pub(super) fn targets(&self) -> Vec<Named> {
        let mut last: BTreeMap<Named, usize> = BTreeMap::new();
        for vote in self.votes.values() {
            let order = last.entry(vote.target).or_insert(0);
            *order = vote.order.max(*order);
        }
        let mut targets: Vec<(usize, usize, Named)> = last
            .into_iter()
            .map(|(target, order)| (usize::MAX - self.count(target), order, target))
            .collect();
        targets.sort_unstable();
        targets.into_iter().map(|(_, _, target)| target).collect()
    }

    /// Returns all wagons for people outside.
    pub(super) fn list(&self, people: &Participants) -> Vec<Wagon> {
        let targets = self.targets().into_iter();
        targets
            .map(|target| Wagon {
                target: people.id(target).to_owned(),
                voters: self
                    .voters(target)
                    .into_iter()
                    .map(|voter| {
                        let post = self.votes.get(&voter).map(|vote| vote.post.clone());
                        let id = people.id(Named::Person(voter)).to_owned();
                        (id, post.unwrap_or_default())
                    })
                    .collect(),
            })
            .collect()
    }
}
