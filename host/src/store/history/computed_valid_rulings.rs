//! The valid rulings: the live ones, without those left out by corrections, and with those added by corrections.
//!
//! Each ruling has a *place*. The last live correction of a place decides its content: nothing, or the command of a
//! replacement, which has its own number. Answers to a corrected ruling are left out with it.
//!
//! A correction may have waited for answers. While such a correction is live, the place where it asked is empty. If
//! that place is corrected later, the waiting correction has no effect any more.
//!
//! The valid rulings, in order, decide the state: two points of the history with the same valid rulings have the same
//! state.

use std::collections::{BTreeMap, BTreeSet};

use super::History;
use crate::store::{Operation, What};

/// A live correction.
#[derive(Clone, Copy, Debug)]
struct Correction<'a> {
    by: u64,
    what: &'a What,
    /// The ruling number under which it waited.
    slot: Option<u64>,
}

/// Content of a place of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CorrectedPlace {
    /// The correction.
    by: u64,
    /// Whether it puts another command at the place.
    is_replaced: bool,
}

impl History {
    /// Returns the numbers of the valid rulings and replacements, in order; a replacement is at the place of its
    /// original.
    pub fn valid_ruling_seqs(&self) -> Vec<u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        self.valid_seqs_among(&live, None)
    }

    /// Returns the valid rulings after a possible next correction, which comes with the ruling number under which it
    /// waits.
    pub fn valid_seqs_after_correction(&self, next: (&What, Option<u64>)) -> Vec<u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        self.valid_seqs_among(&live, Some(next))
    }

    /// Returns the live rulings and corrections without effect, each with the correction that removed its effect.
    pub fn ineffective_rulings(&self) -> BTreeMap<u64, u64> {
        self.ineffective_after_correction(None)
    }

    /// Returns the live rulings and corrections without effect after a possible next correction.
    pub fn ineffective_after_correction(
        &self,
        next: Option<(&What, Option<u64>)>,
    ) -> BTreeMap<u64, u64> {
        let live: Vec<u64> = self.holding.live.iter().map(|live| live.seq).collect();
        let (active, mut out) = self.active_corrections(&live, next);
        let places = self.corrected_places(&live, &active);
        out.extend(places.into_iter().map(|(seq, stand)| (seq, stand.by)));
        out
    }

    /// Returns the ruling whose place an operation has: the ruling itself, or the original of a replacement.
    pub fn original_ruling(&self, seq: u64) -> Option<&Operation> {
        let mut operation = self.operation(seq)?;
        // A correction is about an earlier operation, so this loop ends.
        while let What::Replace { of, .. } = operation.what {
            operation = self.operation(of).filter(|one| one.seq < operation.seq)?;
        }
        (operation.what == What::Ruling).then_some(operation)
    }

    /// Returns the point of the history that is nearest to the valid rulings after a possible next correction. The
    /// result is an operation number and a count: before that operation, exactly the first rulings of the target are
    /// valid; the count is how many.
    ///
    /// No live operation records the inputs of a correction that was undone. So no point after such a correction
    /// counts. A point also does not count if a correction had an effect there and a later correction removed its
    /// answers.
    pub fn nearest_common_place(
        &self,
        target: &[u64],
        next: Option<(&What, Option<u64>)>,
    ) -> (u64, usize) {
        let (mut live, mut undone): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut standing: Vec<u64> = Vec::new();
        let (mut common, mut best) = (0, (1, 0));
        let (lost, left_out) = (
            self.undone_corrections_with_inputs(),
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
                What::Refused { .. } | What::Posted { .. } | What::Withdrawn { .. } => continue,
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
                    standing = self.valid_seqs_among(&live, None);
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

    /// Returns the undone corrections that used inputs.
    fn undone_corrections_with_inputs(&self) -> Vec<u64> {
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

    fn valid_seqs_among(&self, live: &[u64], next: Option<(&What, Option<u64>)>) -> Vec<u64> {
        let (active, _) = self.active_corrections(live, next);
        let places = self.corrected_places(live, &active);
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

    /// Returns the effective corrections, oldest first, and the revoked ones, each with the correction that revokes
    /// it.
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
            // The first live correction that revokes it is the correction that ended its effect.
            taken_back.extend(back.map(|(seq, _)| (*seq, one.by)));
            true
        });
        all.reverse();
        (all, taken_back)
    }

    /// Returns whether a correction revokes an earlier correction. It corrects that correction, or the ruling
    /// with the number under which the earlier correction waited.
    fn revokes_correction(&self, what: &What, (seq, slot): (u64, Option<u64>)) -> bool {
        let of = what.corrected_number().unwrap_or_default();
        let is_back = matches!(what, What::Revert { .. }) && of == seq;
        let place = || {
            self.original_ruling(of)
                .filter(|_| !self.revokes_any_correction(what))
        };
        is_back || slot.is_some() && place().is_some_and(|place| place.slot == slot)
    }

    /// Returns the content of the corrected places.
    fn corrected_places(
        &self,
        live: &[u64],
        active: &[Correction<'_>],
    ) -> BTreeMap<u64, CorrectedPlace> {
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
            let stand = |is_replaced| CorrectedPlace {
                by: *by,
                is_replaced,
            };
            places.extend(answers.map(|seq| (seq, stand(false))));
            places.insert(place.seq, stand(is_replaced));
        }
        places
    }

    /// Returns whether a correction is about another correction.
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
