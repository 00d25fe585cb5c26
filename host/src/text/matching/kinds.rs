//! Matches slot types that are not templates: classes, closed words, script readers, texts.

use std::ops::Range;

use crate::diag::Span;
use crate::value::Value;

use super::super::arena::Node;
use super::super::compile::{Phrase, TypeId};
use super::super::failure::Wanted;
use super::super::token::{Gap, Kind};
use super::super::token_class::Class;
use super::forms::State;
use super::{Matcher, Outcome, Overrun, Rank};

/// Tokens of one class that count as one step of work.
const TOKENS_A_STEP: usize = 16;

impl Matcher<'_, '_> {
    pub(super) fn match_class(
        &mut self,
        ty: TypeId,
        class: Class,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let failure = self.failure_wanting(pos, Wanted::Type(ty));
        let mut outcome = Outcome {
            failure,
            ..Outcome::default()
        };
        let ends = self.token_stream().class_ends(class, pos);
        let walked = ends.iter().map(|(end, _)| end - pos).max();
        self.count_work(pos, walked.unwrap_or(0) / TOKENS_A_STEP)?;
        for (end, value) in ends {
            self.count_step(pos)?;
            let node = value.map_or(Node::Text, Node::Value);
            let end = self.leaf_end(end, node, Rank::default());
            outcome.ends.push(end);
        }
        Ok(outcome)
    }

    pub(super) fn match_choice(&mut self, phrases: &[Phrase], pos: usize) -> Outcome {
        let mut outcome = Outcome {
            failure: self.new_failure(pos),
            ..Outcome::default()
        };
        for phrase in phrases {
            let state = self.match_phrase(State::at_start(pos), phrase, &mut outcome.failure);
            if let Some(state) = state {
                let node = Node::Value(phrase.value.clone());
                let end = self.leaf_end(state.pos, node, state.rank);
                outcome.ends.push(end);
            }
        }
        outcome
    }

    pub(super) fn match_by_reader(&mut self, ty: TypeId, pos: usize) -> Outcome {
        let mut outcome = Outcome {
            failure: self.failure_wanting(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        let stream = self.token_stream();
        let (Some(read), true) = (self.context.reader.as_mut(), pos < stream.list.len()) else {
            return outcome;
        };
        let span = stream.span(pos, stream.list.len());
        let text = &stream.text[span.start..span.end];
        match read(&self.grammar.types[ty].name, text, span) {
            Ok((value, bytes)) => match self.token_after_bytes(span, bytes) {
                Some(end) if end > pos => {
                    let end = self.leaf_end(end, Node::Value(value), Rank::default());
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

    /// Returns the first token after `bytes` of a span, if this does not cut a token.
    fn token_after_bytes(&self, span: Span, bytes: usize) -> Option<usize> {
        let at = span.start.checked_add(bytes).filter(|at| *at <= span.end)?;
        let list = self.token_stream().list;
        let end = list.partition_point(|token| token.span.start < at);
        let before = end.checked_sub(1)?;
        (list[before].span.end <= at).then_some(end)
    }

    /// Matches a text in which pieces of a type are read. Everything else stays text.
    pub(super) fn match_interpolated(
        &mut self,
        ty: TypeId,
        piece: TypeId,
        glued: bool,
        pos: usize,
    ) -> Result<Outcome, Overrun> {
        let mut outcome = Outcome {
            failure: self.failure_wanting(pos, Wanted::Type(ty)),
            ..Outcome::default()
        };
        let stream = self.token_stream();
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
        let bytes = match quote {
            Some(close) => first.span.end..stream.list[close].span.start,
            None => first.span.start..stream.span(from, to).end,
        };
        let parts = self.interpolated_parts((piece, glued), (from, to), bytes)?;
        self.check_depth(parts.depth, pos)?;
        let mut whole = self.leaf_end(end, Node::List(parts.list), Rank::default());
        whole.depth = parts.depth + 1;
        outcome.ends.push(whole);
        Ok(outcome)
    }

    /// Returns the pieces in the tokens of an interpolated text, and the texts between them.
    fn interpolated_parts(
        &mut self,
        (piece, glued): (TypeId, bool),
        (from, to): (usize, usize),
        bytes: Range<usize>,
    ) -> Result<Parts, Overrun> {
        let stream = self.token_stream();
        let mut parts = Parts {
            list: 0,
            text_from: from,
            depth: 0,
            from_byte: bytes.start,
        };
        let mut at = from;
        while at < to {
            self.count_step(at)?;
            match self.piece_at(piece, glued, at, (from, to))? {
                Some(found) => {
                    let until = stream.list[at].span.start;
                    self.add_text_part(&mut parts, until, at);
                    parts.list = self
                        .arena
                        .add_link(parts.list, 0, found.node, (at, found.pos));
                    parts.depth = parts.depth.max(found.depth);
                    at = found.pos;
                    parts.text_from = at;
                    parts.from_byte = stream.list[at - 1].span.end;
                }
                None => at += 1,
            }
        }
        self.add_text_part(&mut parts, bytes.end, to);
        Ok(parts)
    }

    /// Returns the longest piece at a token. Unless `glued`, only spaces or the ends of the text are around the piece.
    fn piece_at(
        &mut self,
        piece: TypeId,
        glued: bool,
        at: usize,
        (from, to): (usize, usize),
    ) -> Result<Option<super::End>, Overrun> {
        let list = self.token_stream().list;
        let free = |pos: usize| pos == from || pos >= to || list[pos].gap != Gap::None;
        if !glued && !free(at) {
            return Ok(None);
        }
        let outcome = self.match_type(piece, at)?;
        let fits = |end: &&super::End| {
            end.pos <= to && end.rank.ambiguous == 0 && (glued || free(end.pos))
        };
        Ok(outcome.ends.iter().find(fits).copied())
    }

    /// Adds the text up to byte `until` to the parts, if there is any.
    fn add_text_part(&mut self, parts: &mut Parts, until: usize, token: usize) {
        if until > parts.from_byte {
            let text = Value::from(&self.tokens.text[parts.from_byte..until]);
            let node = self.arena.add_node(Node::Value(text));
            parts.list = self
                .arena
                .add_link(parts.list, 0, node, (parts.text_from, token));
        }
    }
}

/// The parts of an interpolated text so far, and the place where its text continues.
struct Parts {
    list: usize,
    depth: usize,
    text_from: usize,
    from_byte: usize,
}
