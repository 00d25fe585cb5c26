//! Matches operators over operands: infix chains, prefixes, brackets, alternatives of types.

use std::collections::BTreeMap;

use super::super::arena::{LinkId, Node};
use super::super::compile::{Phrase, TypeId};
use super::super::failure::Wanted;
use super::super::lexicon::WordId;
use super::forms::State;
use super::{End, Matcher, Outcome, Overrun, Rank};

/// A chain up to a place: one operand, or operands joined by one operator.
#[derive(Clone, Copy)]
struct Joined {
    operator: Option<WordId>,
    items: LinkId,
    /// The reading of the whole chain.
    end: End,
}

impl Matcher<'_, '_> {
    pub(super) fn match_either(
        &mut self,
        options: &[TypeId],
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut outcome = Outcome::default();
        for option in options {
            let one = self.match_type(*option, pos)?;
            outcome.failure.merge_failure(&one.failure);
            outcome.ends.extend(&one.ends);
        }
        Ok(outcome)
    }

    /// Matches operands with operators of one level between them.
    ///
    /// Operands of one operator make one list. If the operator changes, the reading so far becomes the first operand.
    pub(super) fn match_infix(
        &mut self,
        ty: TypeId,
        words: &[Phrase],
        next: TypeId,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let first = self.match_type(next, pos)?;
        let mut outcome = Outcome {
            ends: Vec::new(),
            failure: first.failure.clone(),
        };
        let mut open = BTreeMap::new();
        for end in &first.ends {
            open.insert(
                end.pos,
                Joined {
                    operator: None,
                    items: 0,
                    end: *end,
                },
            );
        }
        while let Some((at, joined)) = open.pop_first() {
            outcome.ends.push(joined.end);
            for phrase in words {
                let behind = self.match_phrase(State::after_item(at), phrase, &mut outcome.failure);
                let Some(state) =
                    behind.filter(|state| self.spacing_fits(&State::after_item(state.pos)))
                else {
                    continue;
                };
                let operands = self.match_type(next, state.pos)?;
                outcome.failure.merge_failure(&operands.failure);
                for operand in &operands.ends {
                    let longer = self.join_operand(ty, joined, phrase, (pos, state), *operand)?;
                    let better =
                        |known: &Joined| longer.end.rank.sort_key() < known.end.rank.sort_key();
                    if open.get(&operand.pos).is_none_or(better) {
                        open.insert(operand.pos, longer);
                    }
                }
            }
        }
        Ok(outcome)
    }

    fn join_operand(
        &mut self,
        ty: TypeId,
        joined: Joined,
        phrase: &Phrase,
        (pos, behind): (usize, State),
        operand: End,
    ) -> Result<Joined, Overrun> {
        self.count_step(pos)?;
        let same = joined.operator == Some(phrase.shown);
        let before = if same {
            joined.items
        } else {
            self.arena
                .add_link(0, 0, joined.end.node, (pos, joined.end.pos))
        };
        let items = self
            .arena
            .add_link(before, 0, operand.node, (behind.pos, operand.pos));
        let inside = joined.end.depth + usize::from(!same);
        let depth = inside.max(operand.depth + 1);
        self.check_depth(depth, pos)?;
        let node = self.arena.add_node(Node::Operator {
            ty,
            word: phrase.shown,
            items,
        });
        let rank = joined.end.rank.plus(behind.rank).plus(operand.rank);
        let end = End {
            pos: operand.pos,
            node,
            depth,
            rank,
        };
        Ok(Joined {
            operator: Some(phrase.shown),
            items,
            end,
        })
    }

    pub(super) fn match_prefix(
        &mut self,
        ty: TypeId,
        words: &[Phrase],
        next: TypeId,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let plain = self.match_type(next, pos)?;
        let mut outcome = (*plain).clone();
        for phrase in words {
            let behind = self.match_phrase(State::at_start(pos), phrase, &mut outcome.failure);
            let Some(state) =
                behind.filter(|state| self.spacing_fits(&State::after_item(state.pos)))
            else {
                continue;
            };
            let operand = self.match_type(ty, state.pos)?;
            outcome.failure.merge_failure(&operand.failure);
            for end in &operand.ends {
                self.count_step(pos)?;
                self.check_depth(end.depth, pos)?;
                let items = self.arena.add_link(0, 0, end.node, (state.pos, end.pos));
                let node = self.arena.add_node(Node::Operator {
                    ty,
                    word: phrase.shown,
                    items,
                });
                let rank = state.rank.plus(end.rank);
                outcome.ends.push(End {
                    pos: end.pos,
                    node,
                    depth: end.depth + 1,
                    rank,
                });
            }
        }
        Ok(outcome)
    }

    pub(super) fn match_bracketed(
        &mut self,
        open: WordId,
        close: WordId,
        inner: TypeId,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut failure = self.new_failure(pos);
        let Some(opened) = self.match_word(State::at_start(pos), open, &mut failure) else {
            return Ok(Outcome {
                ends: Vec::new(),
                failure,
            });
        };
        let inside = self.match_type(inner, opened.pos)?;
        failure.merge_failure(&inside.failure);
        let mut ends = Vec::new();
        for end in &inside.ends {
            if let Some(closed) = self.match_word(State::after_item(end.pos), close, &mut failure) {
                let brackets = Rank {
                    literals: 2,
                    ..Rank::default()
                };
                let rank = end.rank.plus(brackets);
                ends.push(End {
                    pos: closed.pos,
                    rank,
                    ..*end
                });
            }
        }
        if inside.ends.is_empty() && failure.wanted.is_empty() {
            failure.add_wanted(opened.pos, Wanted::Type(inner));
        }
        Ok(Outcome { ends, failure })
    }
}
