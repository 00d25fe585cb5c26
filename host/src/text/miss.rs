//! Explains why a text could not be read: the part that made sense, the expected words, close words.

mod begun_name;
mod name_lists;
mod wording;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span, nearest_names};
use crate::value::Value;

use super::arena::Node;
use super::compile::{Steps, TypeId, TypeKind, What};
use super::failure::{Failure, Wanted};
use super::finding::Finding;
use super::grammar::FormRef;
use super::lexicon::WordId;
use super::matching::{End, Matcher, Overrun};
use super::names::{NameEntry, glued_word_start};
use super::token::{Gap, Kind, Token};
use super::token_table::fold_case;

use name_lists::is_id_of_value;
pub(super) use wording::near_words;
use wording::{
    did_you_mean, expected_list, quoted_list, shorten_end, shorten_front, without_article,
};

/// Candidates for an ambiguous name that a message lists.
const CANDIDATES: usize = 8;
/// Templates that hints show.
const SYNTAX_LINES: usize = 3;
/// Close names that a message lists.
const NEAR_NAMES: usize = 3;
/// Words of an unknown name that are compared with names.
const NAME_WORDS: usize = 4;
/// Marks that words of one name may have between them.
const GLUE: [&str; 5] = ["-", "_", "#", "'", "’"];

/// An alternative at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// A word of a template, as it is written there.
    Word(String),
    /// A phrase of a type.
    Type {
        /// The type.
        name: String,
        /// Its name in messages.
        noun: String,
    },
    /// Nothing more.
    End,
}

/// A template that was tried, and the part of the text that it read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Came {
    /// The template.
    pub form: FormRef,
    /// The length of the text that it covers; unit: bytes.
    pub to: usize,
    /// The number of its words, including the words of all its choices, that occur in the covered part.
    pub words: usize,
}

/// The reason why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Code, message, span in the text, hints.
    pub finding: Finding,
    /// The alternatives at that place.
    pub expected: Vec<Want>,
    /// Words and names that were possible there and are close to the word found.
    pub near: Vec<String>,
    /// The candidates for an ambiguous name: names and their values.
    pub candidates: Vec<(String, Value)>,
    /// The templates whose first word or slot fits, those that read furthest first.
    pub came: Vec<Came>,
}

impl From<Finding> for Miss {
    fn from(finding: Finding) -> Miss {
        Miss {
            finding,
            expected: Vec::new(),
            near: Vec::new(),
            candidates: Vec::new(),
            came: Vec::new(),
        }
    }
}

impl Miss {
    /// Returns the finding as an error in `source`, whose byte `offset` is the start of the text read.
    pub fn to_diagnostic(&self, source: &Arc<Source>, offset: usize) -> Diagnostic {
        self.finding.to_diagnostic(source, offset)
    }
}

impl Matcher<'_, '_> {
    pub(super) fn overrun_miss(&self, overrun: Overrun) -> Miss {
        let noun = self.context.noun;
        let stream = self.token_stream();
        let span = stream.span(overrun.pos, overrun.pos + 1);
        let (message, hint) = if overrun.too_deep {
            (
                format!("this {noun} is nested too deeply"),
                "write long lists with {name: Type...}",
            )
        } else {
            (
                format!("this {noun} is too complex to read"),
                "split it into several shorter parts",
            )
        };
        Miss::from(Finding::new("phrase/too-complex", span, message).hint(hint))
    }

    /// Reports the ambiguous name of a reading.
    pub(super) fn ambiguous_miss(&self, end: End, from: usize) -> Miss {
        let found = self.first_ambiguous(end.node, from, end.pos);
        let (node, from, to) = found.expect("invariant: an ambiguous reading holds such a name");
        let mut entries: &[NameEntry] = &[];
        if let Node::Ambiguous(several) = self.arena.node(node) {
            entries = several;
        }
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let stream = self.token_stream();
        let message = format!(
            "\"{}\" may mean {}",
            stream.slice(from, to),
            quoted_list(&names, CANDIDATES)
        );
        let finding = Finding::new("phrase/ambiguous", stream.span(from, to), message);
        Miss {
            candidates: entries
                .iter()
                .map(|one| (one.name.clone(), one.value.clone()))
                .collect(),
            ..Miss::from(finding.hint("write more of the name"))
        }
    }

    /// Reports the words that did not fit at the furthest place.
    pub(super) fn miss_of_failure(&self, ty: TypeId, failure: &Failure) -> Miss {
        let expected = self.wanted_list(failure);
        let mut miss = self
            .name_within_word_miss(failure)
            .or_else(|| self.unknown_name_miss(ty, failure, &expected))
            .or_else(|| self.begun_name_miss(ty, failure))
            .unwrap_or_else(|| self.no_match_miss(ty, failure, &expected));
        miss.came = self.furthest_templates(ty);
        let to = self.token_stream().span(0, failure.pos).end;
        let furthest = miss.came.iter().filter(|one| one.to >= to);
        for one in furthest.take(SYNTAX_LINES) {
            let hint = format!("write: {}", one.form.syntax);
            miss.finding.hints.push(hint);
        }
        miss.finding.hints.extend(failure.notes.iter().cloned());
        let broken = self.tokens.findings.first();
        miss.finding
            .hints
            .extend(broken.map(|finding| finding.message.clone()));
        miss.expected = expected;
        miss
    }

    fn no_match_miss(&self, ty: TypeId, failure: &Failure, expected: &[Want]) -> Miss {
        let noun = self.context.noun;
        let pos = failure.pos;
        let span = self.found_span(pos);
        let found = match self.tokens.text.get(span.start..span.end) {
            Some(text) if pos < self.end => format!("\"{}\"", shorten_end(text)),
            _ => String::from("the end"),
        };
        let list = expected_list(expected);
        let message = if self.end == 0 {
            format!(
                "expected {}, found nothing",
                super::compile::with_article(noun)
            )
        } else if pos == 0 {
            format!("unknown {noun} {found}")
        } else {
            let before = self.token_stream().slice(0, pos);
            format!(
                "after \"{}\" expected {list}, found {found}",
                shorten_front(before)
            )
        };
        let near = self.near_words(ty, failure);
        let mut finding = Finding::new("phrase/no-match", span, message).hint(did_you_mean(&near));
        if pos == self.end {
            finding
                .hints
                .extend(self.name_list_hints(&wanted_types(failure)));
        }
        Miss {
            near: near.into_iter().map(str::to_owned).collect(),
            ..Miss::from(finding)
        }
    }

    /// Returns the possible words that are close to the one found.
    fn near_words(&self, ty: TypeId, failure: &Failure) -> Vec<&str> {
        let grammar = self.grammar;
        let span = self.found_span(failure.pos);
        let found = &self.tokens.text[span.start..span.end];
        let mut words: Vec<&str> = Vec::new();
        if failure.pos == 0 {
            let first = &grammar.types[ty].first.words;
            words.extend(first.iter().map(|word| grammar.lexicon.shown_word(*word)));
        }
        for wanted in &failure.wanted {
            match wanted {
                Wanted::Word(word) => words.push(grammar.lexicon.shown_word(*word)),
                Wanted::Type(ty) => {
                    let first = &grammar.types[*ty].first.words;
                    words.extend(first.iter().map(|word| grammar.lexicon.shown_word(*word)));
                }
                Wanted::End => {}
            }
        }
        words.retain(|word| fold_case(word) != fold_case(found));
        near_words(found, words)
    }

    /// Reports an unknown name, if names were tried and no other word is closer.
    fn unknown_name_miss(&self, ty: TypeId, failure: &Failure, expected: &[Want]) -> Option<Miss> {
        let token = self.token_stream().list.get(failure.pos)?;
        if failure.names.is_empty() || !token.is_wordlike() {
            return None;
        }
        let (near, span) = self.near_names(failure.pos, &failure.names);
        let words_near = !self.near_words(ty, failure).is_empty();
        if near.is_empty() && (words_near || failure.pos == 0) {
            return None;
        }
        let mut miss = self.nothing_named_miss(&failure.names, near, span);
        if expected.len() > failure.names.len() {
            let hint = format!("expected {}", expected_list(expected));
            miss.finding = miss.finding.hint(hint);
        }
        Some(miss)
    }

    /// Reports an unknown name if only its beginning is a name: `ann1`, if there is an `ann`.
    fn name_within_word_miss(&self, failure: &Failure) -> Option<Miss> {
        let list = self.token_stream().list;
        list.get(failure.pos)?;
        let mut within = glued_word_start(list, failure.pos)..failure.pos;
        let (from, names) = within.find_map(|from| {
            let names = self.name_types_tried(from);
            let goes_on = self.name_word_end(from) > failure.pos;
            (goes_on && !names.is_empty()).then_some((from, names))
        })?;
        let (near, span) = self.near_names(from, &names);
        Some(self.nothing_named_miss(&names, near, span))
    }

    fn nothing_named_miss(&self, types: &[TypeId], near: Vec<String>, span: Span) -> Miss {
        let nouns: Vec<&str> = types.iter().map(|id| self.type_noun(*id)).collect();
        let nouns: Vec<&str> = nouns.iter().map(|noun| without_article(noun)).collect();
        let name = &self.tokens.text[span.start..span.end];
        let message = format!(
            "no {} is named \"{}\"",
            nouns.join(" or "),
            shorten_end(name)
        );
        let mut finding = Finding::new("phrase/unknown-name", span, message);
        finding.hints = match &near[..] {
            [] => self.name_list_hints(types),
            near => {
                let near: Vec<&str> = near.iter().map(String::as_str).collect();
                vec![did_you_mean(&near)]
            }
        };
        Miss {
            near,
            ..Miss::from(finding)
        }
    }

    /// Returns the names close to the words found, and the span of these words. Names of several words come first.
    fn near_names(&self, from: usize, names: &[TypeId]) -> (Vec<String>, Span) {
        let stream = self.token_stream();
        let mut ends = vec![self.name_word_end(from)];
        while let Some(last) = ends.last().copied().filter(|_| ends.len() < NAME_WORDS) {
            match stream.list.get(last) {
                Some(token) if token.is_wordlike() && token.gap == Gap::Blank => {
                    ends.push(self.name_word_end(last));
                }
                _ => break,
            }
        }
        for (more, end) in ends.iter().enumerate().rev() {
            let entries = names.iter().flat_map(|ty| self.names_of_type(*ty));
            // A name of one word does not explain the words after a word that is close to it.
            let entries = entries.filter(|one| more == 0 || one.name.contains([' ', '-', '_']));
            let entries: Vec<&NameEntry> = entries.collect();
            let mut near = nearest_names(
                stream.slice(from, *end),
                entries.iter().map(|entry| entry.name.as_str()),
                2 * NEAR_NAMES,
            );
            remove_ids_of_named(&mut near, &entries);
            near.truncate(NEAR_NAMES);
            if !near.is_empty() {
                return (
                    near.into_iter().map(str::to_owned).collect(),
                    stream.span(from, *end),
                );
            }
        }
        (Vec::new(), stream.span(from, ends[0]))
    }

    /// Returns the end of a word with the words that are glued to it, as in `hill-guard#2`.
    fn name_word_end(&self, from: usize) -> usize {
        let list = self.token_stream().list;
        let glued = |at: usize| list.get(at).filter(|token| token.gap == Gap::None);
        let mut end = self.token_stream().word_end(from);
        while glued(end).is_some_and(|mark| GLUE.contains(&self.tokens.text_of(mark)))
            && glued(end + 1).is_some_and(Token::is_wordlike)
        {
            end = self.token_stream().word_end(end + 1);
        }
        end
    }

    /// Returns all names of a type, its own and those given with the call.
    fn names_of_type(&self, ty: TypeId) -> impl Iterator<Item = &NameEntry> {
        let def = &self.grammar.types[ty];
        let mut own = None;
        if let TypeKind::Names(names) = &def.kind {
            own = Some(names);
        }
        let given = self.context.names.names(&def.name);
        own.into_iter()
            .chain(given)
            .flat_map(|table| table.entries())
    }

    /// Returns the templates of the root that fit at the beginning, each once. The template that read furthest
    /// is first. Of templates that read equally far, the template with more of its words in the text is first. A slot
    /// that takes anything gives little evidence of the intended template.
    fn furthest_templates(&self, ty: TypeId) -> Vec<Came> {
        let mut furthest: BTreeMap<usize, usize> = BTreeMap::new();
        for (form, came) in self.tried.iter().filter(|(_, came)| *came > 0) {
            let known = furthest.entry(*form).or_default();
            *known = (*known).max(*came);
        }
        let words = |form, pos| self.count_words_found(ty, form, pos);
        let mut forms: Vec<(usize, usize, usize)> = furthest
            .into_iter()
            .map(|(form, pos)| (form, pos, words(form, pos)))
            .collect();
        forms.sort_unstable_by_key(|(form, pos, words)| (Reverse((*pos, *words)), *form));
        forms
            .into_iter()
            .map(|(form, pos, words)| Came {
                form: self.grammar.form_ref(ty, form),
                to: self.token_stream().span(0, pos).end,
                words,
            })
            .collect()
    }

    /// Returns how many words of a template occur before a place.
    fn count_words_found(&self, ty: TypeId, form: usize, pos: usize) -> usize {
        let TypeKind::Forms(forms) = &self.grammar.types[ty].kind else {
            return 0;
        };
        let mut words = Vec::new();
        add_words(&forms.list[form].steps, &mut words);
        let before = &self.words[..pos];
        words.retain(|word| before.contains(word));
        words.len()
    }

    fn wanted_list(&self, failure: &Failure) -> Vec<Want> {
        let mut expected = Vec::new();
        for wanted in &failure.wanted {
            let want = match wanted {
                Wanted::Word(word) => Want::Word(self.grammar.lexicon.shown_word(*word).to_owned()),
                Wanted::Type(ty) => Want::Type {
                    name: self.grammar.types[*ty].name.clone(),
                    noun: self.type_noun(*ty).to_owned(),
                },
                Wanted::End => Want::End,
            };
            if !expected.contains(&want) {
                expected.push(want);
            }
        }
        expected
    }

    fn type_noun(&self, ty: TypeId) -> &str {
        &self.grammar.types[ty].noun
    }

    /// Returns the span of the word, mark or quote at a token, or the place after the text.
    fn found_span(&self, pos: usize) -> Span {
        let stream = self.token_stream();
        if stream
            .list
            .get(pos)
            .is_some_and(|token| token.kind == Kind::Open)
        {
            stream.span(pos, pos + 1)
        } else if pos < self.end {
            stream.span(pos, stream.word_end(pos))
        } else {
            let end = stream.span(0, self.end).end;
            Span::new(end, end)
        }
    }
}

/// Removes the ids of those values whose names are in the list too.
fn remove_ids_of_named(near: &mut Vec<&str>, entries: &[&NameEntry]) {
    let listed = near.clone();
    let is_named = |value: &Value| {
        let mut of_value = entries.iter().filter(|entry| entry.value == *value);
        of_value.any(|entry| !is_id_of_value(entry) && listed.contains(&&*entry.name))
    };
    near.retain(|name| {
        let mut of_name = entries.iter().filter(|entry| entry.name == **name);
        of_name.any(|entry| !is_id_of_value(entry) || !is_named(&entry.value))
    });
}

/// Returns the types that were wanted at a failure.
fn wanted_types(failure: &Failure) -> Vec<TypeId> {
    let types = failure.wanted.iter().filter_map(|wanted| match wanted {
        Wanted::Type(ty) => Some(*ty),
        Wanted::Word(_) | Wanted::End => None,
    });
    types.collect()
}

/// Adds the words of the steps of a template.
fn add_words(steps: &Steps, words: &mut Vec<WordId>) {
    for step in &steps.list {
        match &step.what {
            What::Word(word) => words.push(*word),
            What::Slot(_) => {}
            What::OneOf { options, .. } => {
                for option in options {
                    add_words(option, words);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
