//! This module matches the slot types that are no templates: classes, closed words, names, script readers, texts.

use std::collections::BTreeMap;

use crate::diag::Span;
use crate::value::Value;

use super::super::arena::Node;
use super::super::class::Class;
use super::super::compile::{Phrase, TypeId};
use super::super::failure::{Failure, Wanted};
use super::super::names::{NameEntry, NameTable};
use super::super::token::{Gap, Kind};
use super::forms::State;
use super::{Matcher, Offer, Outcome, Overrun, Rank};

/// Names of a set that are offered or listed.
const MOST_NAMES: usize = 100;

impl<'a> Matcher<'a, '_> {
    pub(super) fn class(
        &mut self,
        ty: TypeId,
        class: Class,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let failure = Failure::at(pos, Wanted::Type(ty));
        let mut outcome = Outcome {
            failure,
            ..Outcome::default()
        };
        for (end, value) in self.stream().ends(class, pos) {
            self.step(pos)?;
            let end = self.leaf(end, Node::Value(value), Rank::default());
            outcome.ends.push(end);
        }
        Ok(outcome)
    }

    pub(super) fn choice(&mut self, phrases: &[Phrase], pos: usize) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.failure.pos = pos;
        for phrase in phrases {
            let state = self.phrase(State::before(pos), phrase, &mut outcome.failure);
            if let Some(state) = state {
                let node = Node::Value(phrase.value.clone());
                let end = self.leaf(state.pos, node, state.rank());
                outcome.ends.push(end);
            }
        }
        outcome
    }

    pub(super) fn names(&mut self, ty: TypeId, own: &NameTable, pos: usize) -> Outcome {
        let mut outcome = Outcome {
            failure: Failure::at(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        outcome.failure.names.push(ty);
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
            let node = name_node(entries, true);
            outcome.ends.extend(self.name_end(pos, end, node));
        }
        if let Some((end, entries)) = prefix.filter(|(end, _)| *end > furthest) {
            let node = name_node(entries, false);
            outcome.ends.extend(self.name_end(pos, end, node));
        }
        outcome
    }

    fn name_end(&mut self, pos: usize, end: usize, node: Option<Node>) -> Option<super::End> {
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
        Some(self.leaf(end, node, rank))
    }

    /// Returns the entries of whole names by their ends, and those of the longest beginning.
    #[expect(clippy::type_complexity, reason = "the pair is taken apart at once")]
    fn find_names<'t>(
        &self,
        tables: &[&'t NameTable],
        pos: usize,
    ) -> (
        BTreeMap<usize, Vec<&'t NameEntry>>,
        Option<(usize, Vec<&'t NameEntry>)>,
    ) {
        let mut exact: BTreeMap<usize, Vec<&NameEntry>> = BTreeMap::new();
        let mut prefix: Option<(usize, Vec<&NameEntry>)> = None;
        for table in tables {
            let found = table.look_up(self.tokens.text, self.stream().list, pos);
            for (end, entries) in found.exact {
                exact.entry(end).or_default().extend(entries);
            }
            let Some((end, key)) = found.prefix.filter(|_| self.context.prefixes) else {
                continue;
            };
            let entries = table.begin_with(&key).take(MOST_NAMES);
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
            if table.begin_with(&key).next().is_none() {
                return;
            }
            let apart = at > pos && token.gap != Gap::None;
            table.extend(&mut key, self.tokens.text_of(token), apart);
        }
        if pos < self.tokens.list.len() && self.tokens.trailing_gap() != Gap::None {
            key.push(' ');
        }
        for entry in table.begin_with(&key).take(MOST_NAMES) {
            let entry = entry.clone();
            self.offer(Offer::Name {
                ty,
                entry,
                from: pos,
            });
        }
    }

    pub(super) fn reader(&mut self, ty: TypeId, pos: usize) -> Outcome {
        let mut outcome = Outcome {
            failure: Failure::at(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        let stream = self.stream();
        let (Some(read), true) = (self.context.reader.as_mut(), pos < stream.list.len()) else {
            return outcome;
        };
        let span = stream.span(pos, stream.list.len());
        let text = &stream.text[span.start..span.end];
        match read(&self.grammar.types[ty].name, text, span) {
            Ok((value, bytes)) => match self.token_behind(span, bytes) {
                Some(end) if end > pos => {
                    let end = self.leaf(end, Node::Value(value), Rank::default());
                    outcome.ends.push(end);
                }
                _ => outcome
                    .failure
                    .notes
                    .push(String::from("the reader stopped inside of a word")),
            },
            Err(reason) => outcome.failure.notes.push(reason),
        }
        outcome
    }

    /// Returns the first token behind `bytes` of a span, if no token is cut by that.
    fn token_behind(&self, span: Span, bytes: usize) -> Option<usize> {
        let at = span.start.checked_add(bytes).filter(|at| *at <= span.end)?;
        let list = self.stream().list;
        let end = list.partition_point(|token| token.span.start < at);
        let before = end.checked_sub(1)?;
        (list[before].span.end <= at).then_some(end)
    }

    /// Matches a text in which pieces of a type are read and everything else stays text.
    pub(super) fn interpolated(
        &mut self,
        ty: TypeId,
        piece: TypeId,
        glued: bool,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut outcome = Outcome {
            failure: Failure::at(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        let stream = self.stream();
        let Some(first) = stream.list.get(pos) else {
            return Ok(outcome);
        };
        let quote = first
            .partner
            .filter(|close| first.kind == Kind::QuoteOpen && *close < self.end);
        let (from, to, end) = match quote {
            Some(close) => (pos + 1, close, close + 1),
            None => (pos, stream.line_end(pos), stream.line_end(pos)),
        };
        if end == pos {
            return Ok(outcome);
        }
        let (mut at, mut parts) = (
            from,
            Parts {
                list: 0,
                text_from: from,
                depth: 0,
                from_byte: 0,
            },
        );
        parts.from_byte = quote.map_or(first.span.start, |_| first.span.end);
        while at < to {
            self.step(at)?;
            match self.piece_at(piece, glued, at, (from, to))? {
                Some(found) => {
                    let until = stream.list[at].span.start;
                    self.text_part(&mut parts, until, at);
                    parts.list = self.arena.link(parts.list, 0, found.node, (at, found.pos));
                    parts.depth = parts.depth.max(found.depth);
                    at = found.pos;
                    parts.text_from = at;
                    parts.from_byte = stream.list[at - 1].span.end;
                }
                None => at += 1,
            }
        }
        let until = quote.map_or(stream.span(from, to).end, |close| {
            stream.list[close].span.start
        });
        self.text_part(&mut parts, until, to);
        self.check_depth(parts.depth, pos)?;
        let mut whole = self.leaf(end, Node::List(parts.list), Rank::default());
        whole.depth = parts.depth + 1;
        outcome.ends.push(whole);
        Ok(outcome)
    }

    /// Returns the longest piece at a token that stands free, if it has to.
    fn piece_at(
        &mut self,
        piece: TypeId,
        glued: bool,
        at: usize,
        (from, to): (usize, usize),
    ) -> Result<Option<super::End>, Overrun> {
        let list = self.stream().list;
        let free = |pos: usize| pos == from || pos >= to || list[pos].gap != Gap::None;
        if !glued && !free(at) {
            return Ok(None);
        }
        let outcome = self.outcome(piece, at)?;
        let fits = |end: &&super::End| {
            end.pos <= to && end.rank.ambiguous == 0 && (glued || free(end.pos))
        };
        Ok(outcome.ends.iter().find(fits).copied())
    }

    /// Adds the text up to byte `until` to the parts, if there is any.
    fn text_part(&mut self, parts: &mut Parts, until: usize, token: usize) {
        if until > parts.from_byte {
            let text = Value::from(&self.tokens.text[parts.from_byte..until]);
            let node = self.arena.add(Node::Value(text));
            parts.list = self
                .arena
                .link(parts.list, 0, node, (parts.text_from, token));
        }
    }
}

/// The parts of an interpolated text so far, and where its text goes on.
struct Parts {
    list: usize,
    depth: usize,
    text_from: usize,
    from_byte: usize,
}

/// Returns what entries mean together: one value, or an ambiguous name.
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
