//! Queues that last no longer than a run: their entries are plain data and not rows of the game.

use std::collections::HashMap;

use crate::value::{Name, Value};

/// The transient queues of a run. Each change can be taken back, up to any mark.
#[derive(Default)]
pub(crate) struct Transient {
    queues: HashMap<Name, Waiting>,
    log: Vec<Step>,
}

/// The entries: those that were taken stay in front, so that they can be put back.
#[derive(Default)]
struct Waiting {
    entries: Vec<Value>,
    taken: usize,
}

enum Step {
    Put(Name),
    Took(Name, usize),
}

impl Transient {
    /// Puts an entry after those that wait.
    pub(crate) fn put_entry(&mut self, queue: Name, entry: Value) {
        self.queues.entry(queue).or_default().entries.push(entry);
        self.log.push(Step::Put(queue));
    }

    /// Returns the entries that wait in a queue, in order.
    pub(crate) fn waiting_entries(&self, queue: Name) -> &[Value] {
        let waiting = self.queues.get(&queue);
        waiting.map_or(&[], |waiting| &waiting.entries[waiting.taken..])
    }

    /// Takes at most `most` waiting entries, and returns them in order.
    pub(crate) fn take_entries(&mut self, queue: Name, most: usize) -> Vec<Value> {
        let taken: Vec<Value> = self
            .waiting_entries(queue)
            .iter()
            .take(most)
            .cloned()
            .collect();
        if let Some(waiting) = self.queues.get_mut(&queue).filter(|_| !taken.is_empty()) {
            waiting.taken += taken.len();
            self.log.push(Step::Took(queue, taken.len()));
        }
        taken
    }

    /// Returns how many changes were made, for [`Transient::roll_back`].
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back all changes since a mark.
    pub(crate) fn roll_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Step::Put(queue)) => {
                    if let Some(waiting) = self.queues.get_mut(&queue) {
                        waiting.entries.pop();
                    }
                }
                Some(Step::Took(queue, count)) => {
                    if let Some(waiting) = self.queues.get_mut(&queue) {
                        waiting.taken -= count;
                    }
                }
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::Names;

    #[derive(Clone, Debug)]
    enum Act {
        Put(usize, i64),
        Take(usize, usize),
        Try(Vec<Act>),
    }

    fn acts() -> impl Strategy<Value = Vec<Act>> {
        let leaf = prop_oneof![
            (0usize..2, 0i64..9).prop_map(|(queue, entry)| Act::Put(queue, entry)),
            (0usize..2, 0usize..4).prop_map(|(queue, most)| Act::Take(queue, most)),
        ];
        let tree = leaf.prop_recursive(3, 30, 6, |inner| {
            prop::collection::vec(inner, 0..6).prop_map(Act::Try)
        });
        prop::collection::vec(tree, 0..12)
    }

    /// Applies an action to queues and to a model. Attempted actions are rolled back.
    fn perform(
        queues: &mut Transient,
        model: &mut [Vec<Value>; 2],
        names: [Name; 2],
        acts: &[Act],
    ) {
        for act in acts {
            match act {
                Act::Put(queue, entry) => {
                    queues.put_entry(names[*queue], Value::from(*entry));
                    model[*queue].push(Value::from(*entry));
                }
                Act::Take(queue, most) => {
                    let count = model[*queue].len().min(*most);
                    let taken: Vec<Value> = model[*queue].drain(..count).collect();
                    assert_eq!(queues.take_entries(names[*queue], *most), taken);
                }
                Act::Try(acts) => {
                    let (mark, mut tried) = (queues.mark(), model.clone());
                    perform(queues, &mut tried, names, acts);
                    queues.roll_back(mark);
                }
            }
            for (name, waiting) in names.iter().zip(model.iter()) {
                assert_eq!(queues.waiting_entries(*name), waiting.as_slice());
            }
        }
    }

    proptest! {
        #[test]
        fn what_waits_is_what_was_put_without_what_was_taken_and_what_is_taken_back_never_was(acts in acts()) {
            let names = Names::default();
            let queues = ["one", "two"].map(|name| names.intern(name));
            perform(&mut Transient::default(), &mut Default::default(), queues, &acts);
        }
    }
}
