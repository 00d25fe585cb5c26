//! Finds the intended name if only its beginning could be read: `Hill Gurd` for `Hill Guard`.

use super::super::arena::Node;
use super::super::compile::TypeId;
use super::super::failure::Failure;
use super::super::matching::{Matcher, Memo};
use super::super::token::{Gap, Token};
use super::{Miss, NAME_WORDS};

impl Matcher<'_, '_> {
    /// Reports an unknown name if the words before the failure are the beginning of a name. These words and the words
    /// after them must be close to the name, and no other word may be closer.
    pub(super) fn begun_name_miss(&self, ty: TypeId, failure: &Failure) -> Option<Miss> {
        let goes_on = |token: &Token| token.is_wordlike() && token.gap == Gap::Blank;
        let here = self.token_stream().list.get(failure.pos);
        if !here.is_some_and(goes_on) || !self.near_words(ty, failure).is_empty() {
            return None;
        }
        let first = failure.pos.saturating_sub(NAME_WORDS);
        (first..failure.pos).find_map(|from| {
            let names = self.names_begun(from, failure.pos);
            let (near, span) = self.near_names(from, &names);
            let end = self.token_stream().span(from, failure.pos).end;
            let is_longer = !near.is_empty() && span.end > end;
            is_longer.then(|| self.nothing_named_miss(&names, near, span))
        })
    }

    /// Returns the name sets with names that begin with the tokens between two places, if these tokens are not a whole
    /// name.
    fn names_begun(&self, from: usize, to: usize) -> Vec<TypeId> {
        let mut names = self.name_types_tried(from);
        names.retain(|ty| {
            let Some(Memo::Done(outcome)) = self.memo.get((*ty, from)) else {
                return false;
            };
            let mut ends = outcome.ends.iter().filter(|end| end.pos == to);
            let is_whole = |node: &Node| matches!(node, Node::Name { exact: true, .. });
            ends.any(|end| !is_whole(self.arena.node(end.node)))
        });
        names
    }
}
