//! Matches the templates of a set, piece by piece.
//!
//! All places that the pieces so far can reach are stored together, each with its best reading.

use super::super::arena::{LinkId, Node};
use super::super::compile::{Form, Forms, Step, Steps, TypeId, What};
use super::super::failure::{Failure, Wanted};
use super::{End, Matcher, Outcome, Overrun, Rank};

/// A place that the pieces of a template so far reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) pos: usize,
    pub(super) slots: LinkId,
    pub(super) depth: usize,
    pub(super) rank: Rank,
    /// Whether a space may be before the next piece.
    pub(super) blank: bool,
    /// Whether there was a piece already.
    pub(super) begun: bool,
}

impl State {
    /// Returns the state before the first piece of something that begins here.
    pub(super) fn at_start(pos: usize) -> State {
        let rank = Rank::default();
        State {
            pos,
            slots: 0,
            depth: 0,
            rank,
            blank: false,
            begun: false,
        }
    }

    /// Returns the state after something, with a space possible before the next piece.
    pub(super) fn after_item(pos: usize) -> State {
        State {
            blank: true,
            begun: true,
            ..State::at_start(pos)
        }
    }
}

impl Matcher<'_, '_> {
    pub(super) fn match_forms(
        &mut self,
        set: TypeId,
        forms: &Forms,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut outcome = Outcome {
            failure: self.failure_wanting(pos, Wanted::Type(set)),
            ..Outcome::default()
        };
        let candidates = match self.token_stream().list.get(pos) {
            Some(token) if self.silent => {
                let likely = |form: usize| forms.list[form].needed.may_be_in(self.known);
                forms
                    .index
                    .likely_candidates(self.words[pos], token.kind, likely)
            }
            Some(token) => forms.index.candidates(self.words[pos], token.kind),
            None if self.offers.is_some() => (0..forms.list.len()).collect(),
            None => Vec::new(),
        };
        let left_out = self.context.left_out.filter(|_| self.offers.is_some());
        for at in candidates {
            if left_out.is_some_and(|is_left_out| is_left_out(&forms.list[at].id)) {
                continue;
            }
            let mut failure = self.new_failure(pos);
            let ends = self.match_form(set, at, &forms.list[at], pos, &mut failure)?;
            if self.root == Some((set, pos)) && !self.silent {
                let end = ends.iter().map(|end| end.pos).max();
                self.tried.push((at, failure.pos.max(end.unwrap_or(0))));
            }
            outcome.failure.merge_failure(&failure);
            outcome.ends.extend(ends);
        }
        Ok(outcome)
    }

    /// Returns all ends of one template of a set at the beginning of the text.
    pub(in super::super) fn match_template(
        &mut self,
        set: TypeId,
        at: usize,
    ) -> Result<Vec<End>, Overrun> {
        let form = self.grammar.template_form(set, at);
        self.match_form(set, at, form, 0, &mut Failure::ignored())
    }

    fn match_form(
        &mut self,
        set: TypeId,
        at: usize,
        form: &Form,
        pos: usize,
        failure: &mut Failure,
    ) -> Result<Vec<End>, Overrun> {
        self.count_step(pos)?;
        let mut states = self.spare.pop().unwrap_or_default();
        states.push(State::at_start(pos));
        let states = self.match_steps(&form.steps, states, failure)?;
        let mut ends = Vec::new();
        for state in states.iter().filter(|state| state.pos > pos) {
            self.check_depth(state.depth, pos)?;
            let node = self.arena.add_node(Node::Form {
                set,
                form: at,
                slots: state.slots,
            });
            ends.push(End {
                pos: state.pos,
                node,
                depth: state.depth + 1,
                rank: state.rank,
            });
        }
        self.keep_spare_states(states);
        Ok(ends)
    }

    /// Keeps a list for another use.
    fn keep_spare_states(&mut self, mut states: Vec<State>) {
        states.clear();
        self.spare.push(states);
    }

    fn match_steps(
        &mut self,
        steps: &Steps,
        mut states: Vec<State>,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        for step in &steps.list {
            states = self.match_piece(step, states, failure)?;
            if states.is_empty() {
                break;
            }
        }
        for state in &mut states {
            state.blank |= steps.blank_after;
        }
        Ok(states)
    }

    fn match_piece(
        &mut self,
        step: &Step,
        mut states: Vec<State>,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        for state in &mut states {
            self.count_step(state.pos)?;
            state.blank |= step.blank;
        }
        let mut next = self.spare.pop().unwrap_or_default();
        match &step.what {
            What::Word(word) => {
                for state in &states {
                    next.extend(self.match_word(*state, *word, failure));
                }
            }
            What::OneOf { options, optional } => {
                self.enter_level(states[0].pos)?;
                for option in options {
                    let mut before = self.spare.pop().unwrap_or_default();
                    before.extend_from_slice(&states);
                    let behind = self.match_steps(option, before, failure)?;
                    next.extend_from_slice(&behind);
                    self.keep_spare_states(behind);
                }
                self.leave_level();
                if *optional {
                    next.extend_from_slice(&states);
                }
            }
            What::Slot(slot) => {
                for state in &states {
                    if slot.repeated {
                        next.extend(self.fill_repeated_slot(*state, slot, failure)?);
                    } else {
                        self.fill_slot(*state, slot, failure, &mut next)?;
                    }
                }
            }
        }
        self.keep_spare_states(states);
        if next.len() < 2 {
            return Ok(next);
        }
        next.sort_by(|a, b| {
            let places = (b.pos, b.blank, b.begun).cmp(&(a.pos, a.blank, a.begun));
            places.then(a.rank.sort_key().cmp(&b.rank.sort_key()))
        });
        next.dedup_by_key(|state| (state.pos, state.blank, state.begun));
        Ok(next)
    }
}
