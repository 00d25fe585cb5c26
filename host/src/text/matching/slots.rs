//! Fills slots: with one value of a type, or with several that spaces or separators divide.

use std::collections::BTreeMap;

use super::super::arena::{LinkId, Node};
use super::super::compile::{SlotStep, TypeId, TypeKind};
use super::super::failure::{Failure, Wanted};
use super::super::token::Gap;
use super::forms::State;
use super::{Matcher, Offer, Overrun, Rank};

/// The contents of a repeated slot up to a place.
#[derive(Clone, Copy)]
struct Items {
    list: LinkId,
    depth: usize,
    rank: Rank,
}

impl Matcher<'_, '_> {
    pub(super) fn fill_slot(
        &mut self,
        state: State,
        slot: &SlotStep,
        failure: &mut Failure,
        states: &mut Vec<State>,
    ) -> Result<(), Overrun> {
        if !self.spacing_fits(&state) {
            self.note_wanted_type(state.pos, slot.ty, failure);
            return Ok(());
        }
        if self.silent && self.fill_short_slot(state, slot, states)? {
            return Ok(());
        }
        if state.pos >= self.end && self.offers.is_some() {
            self.offer_slot(slot);
            // The slot was offered with its name. A type of one class is not offered again without that name.
            if self.grammar.types[slot.ty].kind.only_class().is_some() {
                return Ok(());
            }
        }
        let outcome = self.match_type(slot.ty, state.pos)?;
        failure.merge_failure(&outcome.failure);
        for end in &outcome.ends {
            self.count_step(state.pos)?;
            let items = Items {
                list: 0,
                depth: end.depth,
                rank: end.rank,
            };
            states.push(self.with_slot_filled(state, slot.slot, end.node, end.pos, items));
        }
        Ok(())
    }

    /// Fills a slot of a class with few ends, or of a type that is such a class: there is nothing to remember.
    ///
    /// Returns whether the slot is one.
    fn fill_short_slot(
        &mut self,
        state: State,
        slot: &SlotStep,
        states: &mut Vec<State>,
    ) -> Result<bool, Overrun> {
        let (class, is_form) = match &self.grammar.types[slot.ty].kind {
            TypeKind::Class(class) => (Some(*class), false),
            kind => (kind.only_class(), true),
        };
        let ends = class.and_then(|class| self.token_stream().short_class_ends(class, state.pos));
        let Some(ends) = ends else {
            return Ok(false);
        };
        self.check_depth(self.active + usize::from(is_form), state.pos)?;
        for end in ends.into_iter().flatten() {
            self.count_step(state.pos)?;
            let mut node = self.arena.add_node(Node::Text);
            if is_form {
                let slots = self.arena.add_link(0, 0, node, (state.pos, end));
                node = self.arena.add_node(Node::Form {
                    set: slot.ty,
                    form: 0,
                    slots,
                });
            }
            let items = Items {
                list: 0,
                depth: usize::from(is_form),
                rank: Rank::default(),
            };
            states.push(self.with_slot_filled(state, slot.slot, node, end, items));
        }
        Ok(true)
    }

    fn with_slot_filled(
        &mut self,
        state: State,
        slot: usize,
        node: usize,
        pos: usize,
        items: Items,
    ) -> State {
        let slots = self
            .arena
            .add_link(state.slots, slot, node, (state.pos, pos));
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
        self.add_offer(Offer::Type {
            ty: slot.ty,
            slot: Some(slot.name.clone()),
        });
    }

    /// Notes that a type was expected; for closed words, notes the words.
    fn note_wanted_type(&self, pos: usize, ty: TypeId, failure: &mut Failure) {
        match &self.grammar.types[ty].kind {
            TypeKind::Choice(phrases) => {
                for phrase in phrases {
                    failure.add_wanted(pos, Wanted::Word(phrase.shown));
                }
            }
            _ => failure.add_wanted(pos, Wanted::Type(ty)),
        }
    }

    /// Matches one or more of a type with spaces or separators between them.
    pub(super) fn fill_repeated_slot(
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
        self.add_item_ends(state, slot, empty, &mut open, failure)?;
        let mut states = Vec::new();
        while let Some((pos, items)) = open.pop_first() {
            let node = self.arena.add_node(Node::List(items.list));
            states.push(self.with_slot_filled(state, slot.slot, node, pos, items));
            let separated = self.is_separator(pos);
            self.add_item_ends(State::after_item(pos), slot, items, &mut open, failure)?;
            if separated {
                let behind = State {
                    blank: true,
                    begun: true,
                    ..State::at_start(pos + 1)
                };
                self.add_item_ends(behind, slot, items, &mut open, failure)?;
            }
        }
        Ok(states)
    }

    /// Adds every place that one more item reaches.
    fn add_item_ends(
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
            .is_some_and(|at| self.is_separator(at));
        if !self.spacing_fits(&state) || (!first && touches && !after_separator) {
            self.note_wanted_type(state.pos, slot.ty, failure);
            return Ok(());
        }
        if state.pos >= self.end {
            self.offer_slot(slot);
        }
        let outcome = self.match_type(slot.ty, state.pos)?;
        failure.merge_failure(&outcome.failure);
        for end in outcome.ends.iter().filter(|end| end.pos > state.pos) {
            self.count_step(state.pos)?;
            let rank = before.rank.plus(end.rank);
            let better = |known: &Items| rank.sort_key() < known.rank.sort_key();
            if open.get(&end.pos).is_none_or(better) {
                let list = self
                    .arena
                    .add_link(before.list, 0, end.node, (state.pos, end.pos));
                let depth = before.depth.max(end.depth);
                open.insert(end.pos, Items { list, depth, rank });
            }
        }
        Ok(())
    }

    /// Returns whether the token at a place separates items.
    pub(in super::super) fn is_separator(&self, pos: usize) -> bool {
        let token = self.token_stream().list.get(pos);
        let text = token
            .map(|token| self.tokens.text_of(token))
            .unwrap_or_default();
        let mut chars = text.chars();
        let separates = |c: char| self.grammar.table.separators.contains(&c);
        chars.next().is_some_and(separates) && chars.next().is_none()
    }
}
