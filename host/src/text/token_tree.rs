//! Shows flat tokens as the tree that their brackets and quotes make.

use crate::diag::Span;

use super::token::{Token, Tokens};

/// A token, or the contents of two brackets or quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A token without partner.
    Leaf(Token),
    /// Matched brackets or quotes and their contents.
    Group {
        /// The opening one.
        open: Token,
        /// The contents.
        inner: Vec<Tree>,
        /// The closing one.
        close: Token,
    },
}

impl Tree {
    /// Returns the span from the first to the last byte.
    pub fn span(&self) -> Span {
        match self {
            Tree::Leaf(token) => token.span,
            Tree::Group { open, close, .. } => open.span.cover(close.span),
        }
    }
}

impl Tokens<'_> {
    /// Returns the tokens as trees; they nest at most as deep as the token table allows.
    pub fn trees(&self) -> Vec<Tree> {
        self.trees_in(0, self.list.len())
    }

    fn trees_in(&self, mut at: usize, end: usize) -> Vec<Tree> {
        let mut trees = Vec::new();
        while at < end {
            let open = self.list[at];
            let Some(partner) = open.partner else {
                trees.push(Tree::Leaf(open));
                at += 1;
                continue;
            };
            let inner = self.trees_in(at + 1, partner);
            let close = self.list[partner];
            trees.push(Tree::Group { open, inner, close });
            at = partner + 1;
        }
        trees
    }
}
