//! Reads whole texts, and texts that hold items among other words.

use crate::diag::{Span, near_hint};

use super::compile::TypeId;
use super::context::Context;
use super::failure::Wanted;
use super::finding::Finding;
use super::grammar::Grammar;
use super::matching::{End, Matcher, Outcome, Overrun};
use super::miss::{Miss, near_words};
use super::parse::Parse;
use super::slot_spans::SlotType;
use super::token::{Gap, Tokens};

/// Left-over words for which near words are searched. The rest have none.
const NEAR_WORDS: usize = 100;

/// The result of [`Grammar::scan`].
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The items in order of the text.
    pub items: Vec<Parse>,
    /// Words and marks that belong to no item, in order.
    pub leftovers: Vec<Leftover>,
    /// Items that are refused because a name in them is ambiguous.
    pub misses: Vec<Miss>,
}

/// A word or mark that belongs to no item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The word as written.
    pub text: String,
    /// The place of the word.
    pub span: Span,
    /// Words close to it that an item may begin with, nearest first.
    pub near: Vec<String>,
}

impl Grammar {
    /// Reads a whole text as a slot type.
    ///
    /// Errors: `phrase/no-match`, `phrase/unknown-name`, `phrase/ambiguous`, `phrase/too-complex`,
    /// `phrase/unknown-type`, `limit/size`.
    pub fn read(&self, name: &str, text: &str, context: &mut Context) -> Result<Parse, Box<Miss>> {
        let ty = self.type_id(name)?;
        self.read_whole(ty, text, context, |matcher, ty, end| {
            matcher.parse_of_reading(ty, 0, end)
        })
    }

    /// Reads a whole text and returns the result of `found` for the reading.
    pub(super) fn read_whole<R>(
        &self,
        ty: TypeId,
        text: &str,
        context: &mut Context,
        found: impl FnOnce(&Matcher, TypeId, End) -> R,
    ) -> Result<R, Box<Miss>> {
        let tokens = Tokens::read(&self.table, text);
        if let Some(finding) = too_long_miss(&tokens) {
            return Err(Box::new(finding));
        }
        // Most texts can be read, so the reason of a failure is computed only after one. A reader of a script is called
        // once.
        if context.reader.is_none() {
            let mut matcher = Matcher::without_failures(self, &tokens, context);
            if let Some(end) = matcher.end_of_whole_text(ty) {
                return Ok(found(&matcher, ty, end));
            }
        }
        let mut matcher = Matcher::new(self, &tokens, context);
        matcher.root = Some((ty, 0));
        let outcome = match matcher.match_type(ty, 0) {
            Ok(outcome) => outcome,
            Err(overrun) => return Err(Box::new(matcher.overrun_miss(overrun))),
        };
        match outcome
            .ends
            .first()
            .filter(|end| end.pos == tokens.list.len())
        {
            Some(end) if end.rank.ambiguous == 0 => Ok(found(&matcher, ty, *end)),
            Some(end) => Err(Box::new(matcher.ambiguous_miss(*end, 0))),
            None => {
                let mut outcome = Outcome::clone(&outcome);
                for end in &outcome.ends {
                    outcome.failure.add_wanted(end.pos, Wanted::End);
                }
                Err(Box::new(matcher.miss_of_failure(ty, &outcome.failure)))
            }
        }
    }

    /// Returns whether [`Grammar::read`] reads a text, without the reason why it does not.
    pub fn is_readable(&self, ty: SlotType, text: &str, context: &mut Context) -> bool {
        let tokens = Tokens::read(&self.table, text);
        let mut matcher = Matcher::without_failures(self, &tokens, context);
        too_long_miss(&tokens).is_none() && matcher.end_of_whole_text(ty.0).is_some()
    }

    /// Reads the items of a slot type anywhere in a text.
    ///
    /// At each place the longest item is taken. A separator between items is not an item and not left over. Errors:
    /// `phrase/too-complex`, `phrase/unknown-type`, `limit/size`.
    pub fn scan(&self, name: &str, text: &str, context: &mut Context) -> Result<Scan, Box<Miss>> {
        let ty = self.type_id(name)?;
        let tokens = Tokens::read(&self.table, text);
        if let Some(finding) = too_long_miss(&tokens) {
            return Err(Box::new(finding));
        }
        let mut matcher = Matcher::new(self, &tokens, context);
        let mut scan = Scan::default();
        if let Err(overrun) = matcher.scan(ty, &mut scan) {
            return Err(Box::new(matcher.overrun_miss(overrun)));
        }
        let words = self.first_words(name);
        for left in scan.leftovers.iter_mut().take(NEAR_WORDS) {
            let near = near_words(&left.text, words.iter().copied());
            left.near = near.into_iter().map(str::to_owned).collect();
        }
        Ok(scan)
    }

    pub(super) fn type_id(&self, name: &str) -> Result<TypeId, Box<Miss>> {
        self.find_type(name).ok_or_else(|| {
            let message = format!("unknown slot type \"{name}\"");
            let finding = Finding::new("phrase/unknown-type", Span::default(), message);
            let hint = near_hint(name, self.ids.keys().map(String::as_str));
            Box::new(Miss::from(finding.hint(hint)))
        })
    }
}

impl Matcher<'_, '_> {
    /// Returns the end of the reading of the whole text, if there is one without ambiguous names.
    fn end_of_whole_text(&mut self, ty: TypeId) -> Option<End> {
        let outcome = self.match_type(ty, 0).ok()?;
        let end = outcome.ends.first().copied();
        end.filter(|end| end.pos == self.tokens.list.len() && end.rank.ambiguous == 0)
    }

    fn scan(&mut self, ty: TypeId, scan: &mut Scan) -> Result<(), Overrun> {
        let mut at = 0;
        while at < self.end {
            let outcome = self.match_type(ty, at)?;
            let whole = |end: &&End| end.pos > at && !self.is_inside_word(end.pos);
            let end = outcome.ends.iter().find(whole).copied();
            match end {
                Some(end) if end.rank.ambiguous == 0 => {
                    scan.items.push(self.parse_of_reading(ty, at, end));
                    at = end.pos;
                }
                Some(end) => {
                    scan.misses.push(self.ambiguous_miss(end, at));
                    at = end.pos;
                }
                None => {
                    let end = self.token_stream().word_end(at).min(self.next_place(at));
                    if !self.is_separator(at) {
                        scan.leftovers.push(self.leftover_between(at, end));
                    }
                    at = end;
                }
            }
        }
        Ok(())
    }

    /// Returns whether a place is within words or numbers that touch each other.
    fn is_inside_word(&self, pos: usize) -> bool {
        let before = pos.checked_sub(1).and_then(|at| self.tokens.list.get(at));
        let here = self.tokens.list.get(pos);
        before.is_some_and(|before| before.is_wordlike())
            && here.is_some_and(|here| here.is_wordlike() && here.gap == Gap::None)
    }

    /// Returns the place after a token that is not a word: items may be inside of brackets.
    fn next_place(&self, at: usize) -> usize {
        if self.tokens.list[at].is_wordlike() {
            self.end
        } else {
            at + 1
        }
    }

    fn leftover_between(&self, from: usize, to: usize) -> Leftover {
        let stream = self.token_stream();
        let (text, span) = (stream.slice(from, to).to_owned(), stream.span(from, to));
        Leftover {
            text,
            span,
            near: Vec::new(),
        }
    }
}

fn too_long_miss(tokens: &Tokens) -> Option<Miss> {
    let finding = tokens
        .findings
        .iter()
        .find(|finding| finding.code == "limit/size");
    finding.cloned().map(Miss::from)
}

#[cfg(test)]
mod tests;
