//! Matches slot types against tokens.
//!
//! For a type and a place, matching finds *every* end with its best reading and remembers the ends. The work grows with
//! the text and not with the number of ways through it. Of two readings with one end the better one has fewer ambiguous
//! names. Then more tokens read as literal words decide, then more tokens read as names, then longer slots in front,
//! then the template declared first. A type that begins with itself is read again as long as new ends are found.

mod forms;
mod kinds;
mod memo;
mod names;
mod operators;
mod slots;
mod words;

use std::rc::Rc;

use super::arena::{Arena, Node, NodeId};
use super::compile::{TypeId, TypeKind};
use super::context::Context;
use super::failure::{Failure, Wanted};
use super::grammar::Grammar;
use super::lexicon::{WordId, WordSet};
use super::names::NameEntry;
use super::token::Tokens;
use super::token_class::Stream;

pub(super) use memo::{Memo, Memos};

use forms::State;

/// The quality of a reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rank {
    pub(super) ambiguous: usize,
    pub(super) literals: usize,
    pub(super) names: usize,
}

impl Rank {
    pub(super) fn plus(self, other: Rank) -> Rank {
        Rank {
            ambiguous: self.ambiguous + other.ambiguous,
            literals: self.literals + other.literals,
            names: self.names + other.names,
        }
    }

    /// Returns a key that sorts better readings first.
    pub(super) fn sort_key(self) -> impl Ord {
        let most_first = std::cmp::Reverse((self.literals, self.names));
        (self.ambiguous, most_first)
    }
}

/// A place where a reading of a type ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Index of the token after it.
    pub(super) pos: usize,
    pub(super) node: NodeId,
    pub(super) depth: usize,
    pub(super) rank: Rank,
}

/// All ends of a type at a place, furthest first, and the furthest place of the other readings.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) ends: Vec<End>,
    pub(super) failure: Failure,
}

/// A limit was passed at a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overrun {
    pub(super) too_deep: bool,
    pub(super) pos: usize,
}

/// A possible continuation at the end of the tokens.
#[derive(Clone, Debug)]
pub(super) enum Offer {
    Word(WordId),
    Type {
        ty: TypeId,
        slot: Option<String>,
    },
    /// A name that begins at a token.
    Name {
        ty: TypeId,
        entry: NameEntry,
        from: usize,
    },
}

pub(super) struct Matcher<'a, 'c> {
    pub(super) grammar: &'a Grammar,
    pub(super) tokens: &'a Tokens<'a>,
    /// Tokens from here on do not count. They belong to the word at the cursor.
    pub(super) end: usize,
    pub(super) context: &'a mut Context<'c>,
    pub(super) arena: Arena,
    /// The type and place whose templates are recorded separately in `tried`.
    pub(super) root: Option<(TypeId, usize)>,
    /// The furthest place of each template of the root.
    pub(super) tried: Vec<(usize, usize)>,
    /// Collected only for completion.
    pub(super) offers: Option<Vec<Offer>>,
    /// The word at each token.
    pub(super) words: Vec<WordId>,
    /// All words of the text.
    known: WordSet,
    /// Whether only a reading is needed, and not the reason why there is none.
    silent: bool,
    /// Lists that are used again.
    spare: Vec<Vec<State>>,
    pub(super) memo: Memos,
    /// The number of types and brackets of templates in progress.
    active: usize,
    /// The outermost type in progress that the current one depends on.
    lowest: usize,
    steps: usize,
}

impl<'a, 'c> Matcher<'a, 'c> {
    pub(super) fn new(
        grammar: &'a Grammar,
        tokens: &'a Tokens<'a>,
        context: &'a mut Context<'c>,
    ) -> Matcher<'a, 'c> {
        let word = |token| grammar.lexicon.find_word(tokens.text_of(token));
        let words: Vec<WordId> = tokens.list.iter().map(word).collect();
        let mut known = WordSet::default();
        words.iter().for_each(|word| known.add(*word));
        Matcher {
            grammar,
            tokens,
            end: tokens.list.len(),
            context,
            arena: Arena::new(),
            root: None,
            tried: Vec::new(),
            offers: None,
            words,
            known,
            silent: false,
            spare: Vec::new(),
            memo: Memos::default(),
            active: 0,
            lowest: usize::MAX,
            steps: 0,
        }
    }

    /// Returns a matcher that finds the same readings and does not remember why others fail.
    ///
    /// The matcher skips templates with words that do not occur in the text.
    pub(super) fn without_failures(
        grammar: &'a Grammar,
        tokens: &'a Tokens<'a>,
        context: &'a mut Context<'c>,
    ) -> Matcher<'a, 'c> {
        Matcher {
            silent: true,
            ..Matcher::new(grammar, tokens, context)
        }
    }

    /// Returns where failures at a place are remembered, if they are.
    fn new_failure(&self, pos: usize) -> Failure {
        if self.silent {
            return Failure::ignored();
        }
        Failure {
            pos,
            ..Failure::default()
        }
    }

    /// Returns the same with one alternative that is already expected.
    fn failure_wanting(&self, pos: usize, wanted: Wanted) -> Failure {
        if self.silent {
            return Failure::ignored();
        }
        Failure::wanted_at(pos, wanted)
    }

    /// Returns the name sets that were tried at a place, in order.
    pub(super) fn name_types_tried(&self, pos: usize) -> Vec<TypeId> {
        let is_names = |ty: TypeId| matches!(self.grammar.types[ty].kind, TypeKind::Names(_));
        let here = self.memo.types_tried_at(pos);
        let mut tried: Vec<TypeId> = here.filter(|ty| is_names(*ty)).collect();
        tried.sort_unstable();
        tried
    }

    /// Returns the tokens up to `end`.
    pub(super) fn token_stream(&self) -> Stream<'a> {
        Stream {
            table: &self.grammar.table,
            text: self.tokens.text,
            list: &self.tokens.list[..self.end],
        }
    }

    /// Returns all ends of a type at a place.
    pub(super) fn match_type(&mut self, ty: TypeId, pos: usize) -> Result<Rc<Outcome>, Overrun> {
        match self.memo.get_mut((ty, pos)) {
            Some(Memo::Done(outcome)) => return Ok(Rc::clone(outcome)),
            Some(Memo::Active { index, seed, asked }) => {
                *asked = true;
                self.lowest = self.lowest.min(*index);
                return Ok(seed.clone().unwrap_or_default());
            }
            None => (),
        }
        let index = self.enter_level(pos)?;
        let lowest_outside = std::mem::replace(&mut self.lowest, usize::MAX);
        let outcome = self.grow_outcome(ty, pos, index)?;
        self.leave_level();
        let depends_on = self.lowest;
        if depends_on < index {
            // Found while a type around it was unfinished: valid for this round only.
            self.memo.remove((ty, pos));
            self.lowest = lowest_outside.min(depends_on);
        } else {
            self.memo.insert((ty, pos), Memo::Done(Rc::clone(&outcome)));
            self.lowest = lowest_outside;
        }
        Ok(outcome)
    }

    /// Computes the ends again while a type that begins with itself finds more of them.
    fn grow_outcome(
        &mut self,
        ty: TypeId,
        pos: usize,
        index: usize,
    ) -> Result<Rc<Outcome>, Overrun> {
        let mut seed: Option<Rc<Outcome>> = None;
        loop {
            let active = Memo::Active {
                index,
                seed: seed.clone(),
                asked: false,
            };
            self.memo.insert((ty, pos), active);
            let outcome = Rc::new(self.compute_outcome(ty, pos)?);
            let asked = matches!(
                self.memo.get((ty, pos)),
                Some(Memo::Active { asked: true, .. })
            );
            let before = seed.as_ref().map_or(0, |seed| seed.ends.len());
            if !asked || outcome.ends.len() <= before {
                return Ok(outcome);
            }
            seed = Some(outcome);
        }
    }

    fn compute_outcome(&mut self, ty: TypeId, pos: usize) -> Result<Outcome, Overrun> {
        self.count_step(pos)?;
        let grammar = self.grammar;
        let def = &grammar.types[ty];
        let mut outcome = match &def.kind {
            TypeKind::Class(class) => self.match_class(ty, *class, pos)?,
            TypeKind::Choice(phrases) => self.match_choice(phrases, pos),
            TypeKind::Names(names) => self.match_names(ty, names, pos),
            TypeKind::Reader => self.match_by_reader(ty, pos),
            TypeKind::Forms(forms) => self.match_forms(ty, forms, pos)?,
            TypeKind::Interpolated { piece, glued } => {
                self.match_interpolated(ty, *piece, *glued, pos)?
            }
            TypeKind::Either(options) => self.match_either(options, pos)?,
            TypeKind::Chain { words, next } => self.match_infix(ty, words, *next, pos)?,
            TypeKind::Prefix { words, next } => self.match_prefix(ty, words, *next, pos)?,
            TypeKind::Bracketed { open, close, inner } => {
                self.match_bracketed(*open, *close, *inner, pos)?
            }
        };
        keep_best_of_each_place(&mut outcome.ends);
        let named = def.visible && !matches!(def.kind, TypeKind::Choice(_));
        if named && outcome.failure.pos == pos && self.root != Some((ty, pos)) {
            outcome.failure.wanted = vec![Wanted::Type(ty)];
        }
        Ok(outcome)
    }

    /// Counts one step of work.
    pub(super) fn count_step(&mut self, pos: usize) -> Result<(), Overrun> {
        self.count_work(pos, 1)
    }

    /// Counts several steps of work.
    fn count_work(&mut self, pos: usize, steps: usize) -> Result<(), Overrun> {
        self.steps += steps;
        if self.steps > self.grammar.limits.steps {
            return Err(Overrun {
                too_deep: false,
                pos,
            });
        }
        Ok(())
    }

    /// Enters one more level of types or brackets of a template. Returns the previous depth.
    fn enter_level(&mut self, pos: usize) -> Result<usize, Overrun> {
        self.check_depth(self.active, pos)?;
        self.active += 1;
        Ok(self.active - 1)
    }

    fn leave_level(&mut self) {
        self.active -= 1;
    }

    /// Refuses types, and readings, that are nested too deeply.
    pub(super) fn check_depth(&self, depth: usize, pos: usize) -> Result<(), Overrun> {
        if depth >= self.grammar.limits.depth {
            return Err(Overrun {
                too_deep: true,
                pos,
            });
        }
        Ok(())
    }

    fn add_offer(&mut self, offer: Offer) {
        if let Some(offers) = &mut self.offers {
            offers.push(offer);
        }
    }

    fn leaf_end(&mut self, pos: usize, node: Node, rank: Rank) -> End {
        let node = self.arena.add_node(node);
        End {
            pos,
            node,
            depth: 0,
            rank,
        }
    }
}

/// Sorts ends by place, furthest first, and keeps the best of each place.
pub(super) fn keep_best_of_each_place(ends: &mut Vec<End>) {
    if ends.len() < 2 {
        return;
    }
    ends.sort_by(|a, b| {
        b.pos
            .cmp(&a.pos)
            .then(a.rank.sort_key().cmp(&b.rank.sort_key()))
    });
    ends.dedup_by_key(|end| end.pos);
}

#[cfg(test)]
mod tests;
