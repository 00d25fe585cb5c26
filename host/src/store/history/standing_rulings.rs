//! Which rulings stand: those that hold, without what corrections leave out, with what they put in.
//!
//! Each ruling has a *place*, and the last correction of a place that holds says what stands there: nothing, or the
//! command of a replacement, which is named by its own number. Answers to a ruling that is corrected go with it. A
//! correction may have waited for answers: where it asked stands nothing any more while it holds, and it holds no more
//! where that is corrected. The rulings that stand, in order, decide the state: where two points of the history have the
//! same ones, it is the same.

use std::collections::{BTreeMap, BTreeSet};

use super::History;
use crate::store::{Operation, What};

/// A correction among those that hold.
#[derive(Clone, Copy, Debug)]
struct Correction<'a> {
    by: u64,
    what: &'a What,
    /// The slot in which it waited.
    slot: Option<u64>,
}

/// What a place of the history holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stand {
    /// The correction.
    by: u64,
    /// Whether it puts another command there.
    is_replaced: bool,
}

impl History {
    /// Returns the numbers of what stands, in order: of rulings, and of replacements at the place of what they replace.
    pub fn standing_seqs(&self) -> Vec<u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        self.standing_among(&live, None)
    }

    /// Returns what would stand if a correction came next, with the slot in which it waits.
    pub fn standing_after_correction(&self, next: (&What, Option<u64>)) -> Vec<u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        self.standing_among(&live, Some(next))
    }

    /// Returns the rulings and corrections that hold but have no effect, with the correction that takes it.
    pub fn ineffective_rulings(&self) -> BTreeMap<u64, u64> {
        self.ineffective_after_correction(None)
    }

    /// Returns those that would hold without effect if a correction came next.
    pub fn ineffective_after_correction(
        &self,
        next: Option<(&What, Option<u64>)>,
    ) -> BTreeMap<u64, u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        let (active, mut out) = self.active_corrections(&live, next);
        let places = self.standing_places(&live, &active);
        out.extend(places.into_iter().map(|(seq, stand)| (seq, stand.by)));
        out
    }

    /// Returns the ruling at whose place an operation stands: itself, or what it replaces.
    pub fn original_ruling(&self, seq: u64) -> Option<&Operation> {
        let mut operation = self.operation(seq)?;
        // A correction is about something earlier, so that this comes to an end.
        while let What::Replace { of, .. } = operation.what {
            operation = self.operation(of).filter(|one| one.seq < operation.seq)?;
        }
        (operation.what == What::Ruling).then_some(operation)
    }

    /// Returns where the history comes nearest to what would stand if a correction came next: the number of the operation
    /// before which exactly the first ones of them stand, and how many those are. What a correction that was taken back
    /// used is recorded by nothing that holds: nowhere behind it does the history come near, nor where one had an effect
    /// whose answers a later one took back.
    pub fn nearest_common_place(
        &self,
        target: &[u64],
        next: Option<(&What, Option<u64>)>,
    ) -> (u64, usize) {
        let (mut live, mut undone): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut standing: Vec<u64> = Vec::new();
        let (mut common, mut best) = (0, (1, 0));
        let (lost, left_out) = (
            self.lost_corrections(),
            self.ineffective_after_correction(next),
        );
        let is_answered_anew = |live: &[u64]| {
            let mut active = self.active_corrections(live, None).0.into_iter();
            active.any(|one| one.slot.is_some() && left_out.contains_key(&one.by))
        };
        let mut has_other_answers = false;
        for operation in self.operations.iter() {
            let seq = operation.seq;
            let turned = match operation.what {
                What::Ruling | What::Revert { .. } | What::Replace { .. } => {
                    live.push(seq);
                    undone.clear();
                    seq
                }
                What::Undo { of } => {
                    undone.extend(live.pop());
                    of
                }
                What::Redo { of } => {
                    live.extend(undone.pop());
                    of
                }
                What::Refused { .. } => continue,
            };
            let is_sound = !lost.iter().any(|seq| live.binary_search(seq).is_ok());
            let is_ruling = self
                .operation(turned)
                .is_some_and(|one| one.what == What::Ruling);
            match operation.what {
                What::Undo { .. } if is_ruling => {
                    standing.pop();
                    common = common.min(standing.len());
                }
                _ if is_ruling => {
                    let is_next = common == standing.len() && target.get(common) == Some(&turned);
                    common += usize::from(is_next);
                    standing.push(turned);
                }
                _ => {
                    standing = self.standing_among(&live, None);
                    let pairs = standing.iter().zip(target);
                    common = pairs.take_while(|(one, other)| one == other).count();
                    has_other_answers = is_answered_anew(&live);
                }
            }
            if is_sound && !has_other_answers && common == standing.len() && common > best.1 {
                best = (seq + 1, common);
            }
        }
        best
    }

    /// Returns the corrections that were taken back and used something.
    fn lost_corrections(&self) -> Vec<u64> {
        let used = self.operations.iter();
        let used =
            used.filter(|one| one.what.corrected_number().is_some() && !one.inputs.is_empty());
        let holds = |seq: &u64| {
            self.holding
                .live
                .binary_search_by_key(seq, |live| live.seq)
                .is_ok()
        };
        used.map(|one| one.seq).filter(|seq| !holds(seq)).collect()
    }

    fn standing_among(&self, live: &[u64], next: Option<(&What, Option<u64>)>) -> Vec<u64> {
        let (active, _) = self.active_corrections(live, next);
        let places = self.standing_places(live, &active);
        let asked: BTreeSet<u64> = active.iter().filter_map(|one| one.slot).collect();
        let has_asked = |seq: u64| {
            let slot = self.operation(seq).and_then(|one| one.slot);
            slot.is_some_and(|slot| asked.contains(&slot))
        };
        let stands = |seq: u64| match places.get(&seq) {
            None => (!has_asked(seq)).then_some(seq),
            Some(stand) => stand.is_replaced.then_some(stand.by),
        };
        self.live_rulings(live).filter_map(stands).collect()
    }

    /// Returns the corrections that no later one takes back, oldest first, and those that one does, with it.
    fn active_corrections<'a>(
        &'a self,
        live: &[u64],
        next: Option<(&'a What, Option<u64>)>,
    ) -> (Vec<Correction<'a>>, BTreeMap<u64, u64>) {
        let recorded = live.iter().filter_map(|seq| {
            let Operation { what, slot, .. } = self.operation(*seq)?;
            let (by, slot) = (*seq, *slot);
            what.corrected_number()
                .map(|_| Correction { by, what, slot })
        });
        let by = self.next_seq();
        let next = next.map(|(what, slot)| Correction { by, what, slot });
        let mut all: Vec<Correction<'_>> = recorded.chain(next).collect();
        let mut taken_back = BTreeMap::new();
        let known: Vec<(u64, Option<u64>)> = all.iter().map(|one| (one.by, one.slot)).collect();
        all.reverse();
        all.retain(|one| {
            if taken_back.contains_key(&one.by) {
                return false;
            }
            let earlier = known.iter().filter(|(seq, _)| *seq < one.by);
            let back =
                earlier.filter(|(seq, slot)| self.revokes_correction(one.what, (*seq, *slot)));
            // The first of them that holds is the one since when it has no effect.
            taken_back.extend(back.map(|(seq, _)| (*seq, one.by)));
            true
        });
        all.reverse();
        (all, taken_back)
    }

    /// Returns whether a correction takes an earlier one back: it is about that, or about where that waited.
    fn revokes_correction(&self, what: &What, (seq, slot): (u64, Option<u64>)) -> bool {
        let of = what.corrected_number().unwrap_or_default();
        let is_back = matches!(what, What::Revert { .. }) && of == seq;
        let place = || {
            self.original_ruling(of)
                .filter(|_| !self.revokes_any_correction(what))
        };
        is_back || slot.is_some() && place().is_some_and(|place| place.slot == slot)
    }

    /// Returns what stands at the places that corrections are about.
    fn standing_places(&self, live: &[u64], active: &[Correction<'_>]) -> BTreeMap<u64, Stand> {
        let mut places = BTreeMap::new();
        for Correction { by, what, .. } in active {
            let of = what.corrected_number().unwrap_or_default();
            let Some(place) = self
                .original_ruling(of)
                .filter(|_| !self.revokes_any_correction(what))
            else {
                continue;
            };
            let answers = self.live_rulings(live).filter(|seq| {
                let is_of_it = *seq > place.seq && *seq < *by;
                is_of_it
                    && self
                        .operation(*seq)
                        .is_some_and(|one| one.slot == place.slot)
            });
            let is_replaced = matches!(what, What::Replace { .. });
            let stand = |is_replaced| Stand {
                by: *by,
                is_replaced,
            };
            places.extend(answers.map(|seq| (seq, stand(false))));
            places.insert(place.seq, stand(is_replaced));
        }
        places
    }

    /// Returns whether a correction is about a correction.
    fn revokes_any_correction(&self, what: &What) -> bool {
        let What::Revert { of, .. } = what else {
            return false;
        };
        self.operation(*of)
            .is_some_and(|one| one.what.corrected_number().is_some())
    }

    fn live_rulings<'a>(&'a self, live: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        let is_ruling = |seq: &u64| {
            self.operation(*seq)
                .is_some_and(|one| one.what == What::Ruling)
        };
        live.iter().copied().filter(is_ruling)
    }
}
