//! This module matches the templates of a set, piece by piece.
//!
//! All places that the pieces so far can reach are kept together, each with its best reading.

use std::collections::BTreeMap;

use super::super::arena::{LinkId, Node};
use super::super::compile::{Form, Forms, Phrase, SlotStep, Step, Steps, TypeId, TypeKind, What};
use super::super::failure::{Failure, Wanted};
use super::super::lexicon::WordId;
use super::super::token::Gap;
use super::{End, Matcher, Offer, Outcome, Overrun, Rank};

/// A place that the pieces of a template so far reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) pos: usize,
    slots: LinkId,
    depth: usize,
    rank: Rank,
    /// Whether a blank may stand before the next piece.
    blank: bool,
    /// Whether there was a piece already.
    begun: bool,
}

impl State {
    /// Returns the state before the first piece of something that begins here.
    pub(super) fn before(pos: usize) -> State {
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

    /// Returns the state behind something, with a blank possible before what comes.
    pub(super) fn behind(pos: usize) -> State {
        State {
            blank: true,
            begun: true,
            ..State::before(pos)
        }
    }

    /// Returns the rank of the pieces so far.
    pub(super) fn rank(&self) -> Rank {
        self.rank
    }
}

/// What a repeated slot holds up to a place.
#[derive(Clone, Copy)]
struct Items {
    list: LinkId,
    depth: usize,
    rank: Rank,
}

impl Matcher<'_, '_> {
    pub(super) fn forms(
        &mut self,
        set: TypeId,
        forms: &Forms,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut outcome = Outcome {
            failure: Failure::at(pos, Wanted::Type(set)),
            ..Outcome::default()
        };
        let candidates = match self.stream().list.get(pos) {
            Some(token) => forms.index.candidates(self.words[pos], token.kind),
            None if self.offers.is_some() => (0..forms.list.len()).collect(),
            None => Vec::new(),
        };
        for at in candidates {
            let mut failure = Failure {
                pos,
                ..Failure::default()
            };
            let ends = self.form(set, at, &forms.list[at], pos, &mut failure)?;
            if self.root == Some((set, pos)) {
                let end = ends.iter().map(|end| end.pos).max();
                self.tried.push((at, failure.pos.max(end.unwrap_or(0))));
            }
            outcome.failure.absorb(&failure);
            outcome.ends.extend(ends);
        }
        Ok(outcome)
    }

    fn form(
        &mut self,
        set: TypeId,
        at: usize,
        form: &Form,
        pos: usize,
        failure: &mut Failure,
    ) -> Result<Vec<End>, Overrun> {
        self.step(pos)?;
        let states = self.steps(&form.steps, vec![State::before(pos)], failure)?;
        let mut ends = Vec::new();
        for state in states.iter().filter(|state| state.pos > pos) {
            self.check_depth(state.depth, pos)?;
            let node = self.arena.add(Node::Form {
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
        Ok(ends)
    }

    fn steps(
        &mut self,
        steps: &Steps,
        mut states: Vec<State>,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        for step in &steps.list {
            states = self.piece(step, states, failure)?;
            if states.is_empty() {
                break;
            }
        }
        for state in &mut states {
            state.blank |= steps.blank_after;
        }
        Ok(states)
    }

    fn piece(
        &mut self,
        step: &Step,
        mut states: Vec<State>,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        for state in &mut states {
            self.step(state.pos)?;
            state.blank |= step.blank;
        }
        let mut next = Vec::new();
        match &step.what {
            What::Word(word) => {
                next.extend(
                    states
                        .iter()
                        .filter_map(|state| self.word(*state, *word, failure)),
                );
            }
            What::OneOf { options, optional } => {
                for option in options {
                    next.extend(self.steps(option, states.clone(), failure)?);
                }
                if *optional {
                    next.extend(states);
                }
            }
            What::Slot(slot) => {
                for state in states {
                    let filled = if slot.repeated {
                        self.repeated(state, slot, failure)?
                    } else {
                        self.slot(state, slot, failure)?
                    };
                    next.extend(filled);
                }
            }
        }
        next.sort_by(|a, b| {
            let places = (b.pos, b.blank, b.begun).cmp(&(a.pos, a.blank, a.begun));
            places.then(a.rank.order().cmp(&b.rank.order()))
        });
        next.dedup_by_key(|state| (state.pos, state.blank, state.begun));
        Ok(next)
    }

    /// Matches one literal word.
    pub(super) fn word(
        &mut self,
        state: State,
        word: WordId,
        failure: &mut Failure,
    ) -> Option<State> {
        let fits = self.fits(&state);
        if state.pos >= self.end {
            if fits {
                self.offer(Offer::Word(word));
            }
            failure.add(state.pos, Wanted::Word(word));
            return None;
        }
        if !fits || self.words[state.pos] != word {
            failure.add(state.pos, Wanted::Word(word));
            return None;
        }
        let literal = Rank {
            literals: 1,
            ..Rank::default()
        };
        let rank = state.rank.plus(literal);
        Some(State {
            pos: state.pos + 1,
            rank,
            blank: false,
            begun: true,
            ..state
        })
    }

    /// Matches the words of a phrase; a blank between two of them may be missing where both are no words.
    pub(super) fn phrase(
        &mut self,
        state: State,
        phrase: &Phrase,
        failure: &mut Failure,
    ) -> Option<State> {
        if state.pos >= self.end {
            if self.fits(&state) {
                self.offer(Offer::Word(phrase.shown));
            }
            failure.add(state.pos, Wanted::Word(phrase.shown));
            return None;
        }
        let mut at = state;
        for (index, (blank, word)) in phrase.words.iter().enumerate() {
            at.blank |= *blank;
            let before = at.pos;
            let wanted = if index == 0 { phrase.shown } else { *word };
            let mut inner = Failure::default();
            at = match self.word(at, *word, &mut inner) {
                Some(next) => next,
                None => {
                    failure.add(before, Wanted::Word(wanted));
                    return None;
                }
            };
        }
        Some(at)
    }

    /// Returns whether the blank before the next token, or its absence, is what the template says.
    pub(super) fn fits(&self, state: &State) -> bool {
        let Some(before) = state.pos.checked_sub(1).filter(|_| state.begun) else {
            return true;
        };
        let before = &self.tokens.list[before];
        match self.tokens.list.get(state.pos) {
            Some(token) if token.gap == Gap::None => {
                !(state.blank && before.is_wordlike() && token.is_wordlike())
            }
            Some(token) => state.blank || before.opens() || token.closes(),
            None => state.blank == (self.tokens.trailing_gap() != Gap::None),
        }
    }

    fn slot(
        &mut self,
        state: State,
        slot: &SlotStep,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        if !self.fits(&state) {
            self.want(state.pos, slot.ty, failure);
            return Ok(Vec::new());
        }
        if state.pos >= self.end {
            self.offer_slot(slot);
        }
        let outcome = self.outcome(slot.ty, state.pos)?;
        failure.absorb(&outcome.failure);
        let mut states = Vec::new();
        for end in &outcome.ends {
            self.step(state.pos)?;
            let items = Items {
                list: 0,
                depth: end.depth,
                rank: end.rank,
            };
            states.push(self.fill(state, slot.slot, end.node, end.pos, items));
        }
        Ok(states)
    }

    fn fill(&mut self, state: State, slot: usize, node: usize, pos: usize, items: Items) -> State {
        let slots = self.arena.link(state.slots, slot, node, (state.pos, pos));
        State {
            pos,
            slots,
            depth: state.depth.max(items.depth),
            rank: state.rank.plus(items.rank),
            blank: false,
            begun: true,
        }
    }

    fn offer_slot(&mut self, slot: &SlotStep) {
        self.offer(Offer::Type {
            ty: slot.ty,
            slot: Some(slot.name.clone()),
        });
    }

    /// Says that a type was wanted; of closed words, says the words.
    fn want(&self, pos: usize, ty: TypeId, failure: &mut Failure) {
        match &self.grammar.types[ty].kind {
            TypeKind::Choice(phrases) => {
                for phrase in phrases {
                    failure.add(pos, Wanted::Word(phrase.shown));
                }
            }
            _ => failure.add(pos, Wanted::Type(ty)),
        }
    }

    /// Matches one or more of a type with blanks or separators between them.
    fn repeated(
        &mut self,
        state: State,
        slot: &SlotStep,
        failure: &mut Failure,
    ) -> Result<Vec<State>, Overrun> {
        let empty = Items {
            list: 0,
            depth: 0,
            rank: Rank::default(),
        };
        let mut open = BTreeMap::new();
        self.item(state, slot, empty, &mut open, failure)?;
        let mut states = Vec::new();
        while let Some((pos, items)) = open.pop_first() {
            let node = self.arena.add(Node::List(items.list));
            states.push(self.fill(state, slot.slot, node, pos, items));
            let separated = self.separator(pos);
            self.item(State::behind(pos), slot, items, &mut open, failure)?;
            if separated {
                let behind = State {
                    blank: true,
                    begun: true,
                    ..State::before(pos + 1)
                };
                self.item(behind, slot, items, &mut open, failure)?;
            }
        }
        Ok(states)
    }

    /// Adds every place that one item more reaches.
    fn item(
        &mut self,
        state: State,
        slot: &SlotStep,
        before: Items,
        open: &mut BTreeMap<usize, Items>,
        failure: &mut Failure,
    ) -> Result<(), Overrun> {
        let first = before.list == 0;
        let touches = self
            .tokens
            .list
            .get(state.pos)
            .is_some_and(|token| token.gap == Gap::None);
        let after_separator = state
            .pos
            .checked_sub(1)
            .is_some_and(|at| self.separator(at));
        if !self.fits(&state) || (!first && touches && !after_separator) {
            self.want(state.pos, slot.ty, failure);
            return Ok(());
        }
        if state.pos >= self.end {
            self.offer_slot(slot);
        }
        let outcome = self.outcome(slot.ty, state.pos)?;
        failure.absorb(&outcome.failure);
        for end in outcome.ends.iter().filter(|end| end.pos > state.pos) {
            self.step(state.pos)?;
            let rank = before.rank.plus(end.rank);
            let better = |known: &Items| rank.order() < known.rank.order();
            if open.get(&end.pos).is_none_or(better) {
                let list = self
                    .arena
                    .link(before.list, 0, end.node, (state.pos, end.pos));
                let depth = before.depth.max(end.depth);
                open.insert(end.pos, Items { list, depth, rank });
            }
        }
        Ok(())
    }

    /// Returns whether the token at a place separates items.
    pub(in super::super) fn separator(&self, pos: usize) -> bool {
        let token = self.stream().list.get(pos);
        let text = token
            .map(|token| self.tokens.text_of(token))
            .unwrap_or_default();
        let mut chars = text.chars();
        let separates = |c: char| self.grammar.table.separators.contains(&c);
        chars.next().is_some_and(separates) && chars.next().is_none()
    }
}
