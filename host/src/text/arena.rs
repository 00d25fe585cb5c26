//! Stores the partial results of matching. Equal parts are shared, so that many attempts cost little.

use crate::value::Value;

use super::compile::TypeId;
use super::lexicon::WordId;
use super::names::NameEntry;

pub(super) type NodeId = usize;

/// A link and those before it; 0 is the empty chain.
pub(super) type LinkId = usize;

/// The contents of a slot, or a whole text.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// The text itself.
    Text,
    Value(Value),
    Name {
        entry: NameEntry,
        exact: bool,
    },
    /// A name that may be any of these.
    Ambiguous(Vec<NameEntry>),
    Form {
        set: TypeId,
        form: usize,
        slots: LinkId,
    },
    Operator {
        ty: TypeId,
        word: WordId,
        items: LinkId,
    },
    List(LinkId),
}

/// One filled slot, or one item of a list; `from..to` are tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    before: LinkId,
    pub(super) slot: usize,
    pub(super) node: NodeId,
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    links: Vec<Link>,
}

impl Arena {
    pub(super) fn new() -> Arena {
        let none = Link {
            before: 0,
            slot: 0,
            node: 0,
            from: 0,
            to: 0,
        };
        let mut links = Vec::with_capacity(8);
        links.push(none);
        Arena {
            nodes: Vec::with_capacity(8),
            links,
        }
    }

    pub(super) fn add_node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// Returns the chain `before` with one link more.
    pub(super) fn add_link(
        &mut self,
        before: LinkId,
        slot: usize,
        node: NodeId,
        (from, to): (usize, usize),
    ) -> LinkId {
        self.links.push(Link {
            before,
            slot,
            node,
            from,
            to,
        });
        self.links.len() - 1
    }

    /// Returns the links of a chain, last one first.
    pub(super) fn links_backwards(&self, last: LinkId) -> impl Iterator<Item = &Link> {
        let before = |at: &LinkId| Some(self.links[*at].before).filter(|before| *before != 0);
        let ids = std::iter::successors(Some(last).filter(|last| *last != 0), before);
        ids.map(|at| &self.links[at])
    }

    /// Returns the links of a chain, first one first.
    pub(super) fn links_forwards(&self, last: LinkId) -> Vec<Link> {
        let mut links: Vec<Link> = self.links_backwards(last).copied().collect();
        links.reverse();
        links
    }
}
