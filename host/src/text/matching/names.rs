//! Matches names: whole names, and the beginning of one or several names.

use std::collections::BTreeMap;

use super::super::arena::Node;
use super::super::compile::TypeId;
use super::super::failure::Wanted;
use super::super::names::{NameEntry, NameTable};
use super::super::token::Gap;
use super::{End, Matcher, Offer, Outcome, Rank};

/// Names of a set that are offered or listed.
const MOST_NAMES: usize = 100;

type Entries<'t> = Vec<&'t NameEntry>;

impl Matcher<'_, '_> {
    pub(super) fn match_names(&mut self, ty: TypeId, own: &NameTable, pos: usize) -> Outcome {
        let mut outcome = Outcome {
            failure: self.failure_wanting(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        if !self.silent {
            outcome.failure.names.push(ty);
        }
        let given = self.context.names.names(&self.grammar.types[ty].name);
        let tables: Vec<&NameTable> = [Some(own), given].into_iter().flatten().collect();
        if self.offers.is_some() {
            for table in &tables {
                self.offer_names(ty, table, pos);
            }
        }
        let (exact, prefix) = self.find_names(&tables, pos);
        let furthest = exact.keys().last().copied().unwrap_or(pos);
        for (end, entries) in exact {
            let node = name_node(self.entries_as_written(entries, pos, end), true);
            outcome.ends.extend(self.name_end(pos, end, node));
        }
        if let Some((end, entries)) = prefix.filter(|(end, _)| *end > furthest) {
            let node = name_node(entries, false);
            outcome.ends.extend(self.name_end(pos, end, node));
        }
        outcome
    }

    fn name_end(&mut self, pos: usize, end: usize, node: Option<Node>) -> Option<End> {
        let node = node?;
        let ambiguous = usize::from(matches!(node, Node::Ambiguous(_)));
        if ambiguous > 0 && self.offers.is_some() {
            return None;
        }
        let rank = Rank {
            ambiguous,
            names: end - pos,
            ..Rank::default()
        };
        Some(self.leaf_end(end, node, rank))
    }

    /// Returns the entries whose name is spelled exactly like the text, or all entries if there are none. Case
    /// separates names that differ only in case.
    fn entries_as_written<'t>(&self, entries: Entries<'t>, from: usize, to: usize) -> Entries<'t> {
        let written = self.token_stream().slice(from, to);
        let is_written = |entry: &&NameEntry| {
            let words = entry.name.split_whitespace();
            words.eq(written.split_whitespace())
        };
        if entries.iter().any(is_written) {
            entries.into_iter().filter(is_written).collect()
        } else {
            entries
        }
    }

    /// Returns the entries of whole names by their ends, and the entries of the longest beginning.
    fn find_names<'t>(
        &self,
        tables: &[&'t NameTable],
        pos: usize,
    ) -> (BTreeMap<usize, Entries<'t>>, Option<(usize, Entries<'t>)>) {
        let mut exact: BTreeMap<usize, Entries> = BTreeMap::new();
        let mut prefix: Option<(usize, Entries)> = None;
        for table in tables {
            let found = table.look_up(self.tokens.text, self.token_stream().list, pos);
            for (end, entries) in found.exact {
                exact.entry(end).or_default().extend(entries);
            }
            let Some((end, key)) = found.prefix.filter(|_| self.context.prefixes) else {
                continue;
            };
            let entries = table.entries_with_prefix(&key).take(MOST_NAMES);
            match &mut prefix {
                Some((known, all)) if *known == end => all.extend(entries),
                Some((known, _)) if *known > end => (),
                _ => prefix = Some((end, entries.collect())),
            }
        }
        (exact, prefix)
    }

    /// Offers the names that begin with the tokens from here to the cursor.
    fn offer_names(&mut self, ty: TypeId, table: &NameTable, pos: usize) {
        let mut key = String::new();
        for (at, token) in self.tokens.list.iter().enumerate().skip(pos) {
            if table.entries_with_prefix(&key).next().is_none() {
                return;
            }
            let apart = at > pos && token.gap != Gap::None;
            table.extend_key(&mut key, self.tokens.text_of(token), apart);
        }
        if pos < self.tokens.list.len() && self.tokens.trailing_gap() != Gap::None {
            key.push(' ');
        }
        for entry in table.entries_with_prefix(&key).take(MOST_NAMES) {
            let entry = entry.clone();
            self.add_offer(Offer::Name {
                ty,
                entry,
                from: pos,
            });
        }
    }
}

/// Returns the common meaning of entries: one value, or an ambiguous name.
fn name_node(entries: Vec<&NameEntry>, exact: bool) -> Option<Node> {
    let mut distinct: Vec<&NameEntry> = Vec::new();
    for entry in entries {
        if !distinct.iter().any(|known| known.value == entry.value) {
            distinct.push(entry);
        }
    }
    match distinct.as_slice() {
        [] => None,
        [one] => Some(Node::Name {
            entry: (*one).clone(),
            exact,
        }),
        several => Some(Node::Ambiguous(several.iter().copied().cloned().collect())),
    }
}
