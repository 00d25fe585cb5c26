//! Makes lines that a template reads: its words, and in each slot a text that fits.

use std::collections::BTreeMap;

use super::super::compile::{Phrase, SlotStep, Steps, TypeId, TypeKind, What};
use super::super::grammar::Grammar;
use super::super::names::NameTable;
use super::super::token_class::Class;

/// Lines of one template; the lines of a template with many ways through it are cut.
const MOST_LINES: usize = 256;

/// Texts that are tried in one slot.
const MOST_TEXTS: usize = 12;

/// Templates inside each other. A slot that is deeper stays empty, and its template makes no line.
const MOST_DEEP: usize = 3;

/// The material for lines.
pub(super) struct Samples<'a> {
    grammar: &'a Grammar,
    names: &'a BTreeMap<String, NameTable>,
    /// Words that fill slots for words and texts too.
    words: Vec<&'a str>,
}

/// A line up to a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Begun {
    text: String,
    /// Whether there is a space before the next piece.
    blank: bool,
}

impl Begun {
    /// Returns the line with a text after it.
    fn with_text(&self, text: &str) -> Begun {
        let blank = if self.blank && !self.text.is_empty() {
            " "
        } else {
            ""
        };
        Begun {
            text: format!("{}{blank}{text}", self.text),
            blank: false,
        }
    }
}

impl<'a> Samples<'a> {
    pub(super) fn new(
        grammar: &'a Grammar,
        names: &'a BTreeMap<String, NameTable>,
        words: Vec<&'a str>,
    ) -> Samples<'a> {
        Samples {
            grammar,
            names,
            words,
        }
    }

    /// Returns lines of a template, the shortest ways through it first.
    pub(super) fn sample_lines(&self, steps: &Steps) -> Vec<String> {
        let lines = self.fill_steps(steps, vec![Begun::default()], 0);
        lines.into_iter().map(|line| line.text).collect()
    }

    fn fill_steps(&self, steps: &Steps, mut lines: Vec<Begun>, depth: usize) -> Vec<Begun> {
        for step in &steps.list {
            for line in &mut lines {
                line.blank |= step.blank;
            }
            lines = match &step.what {
                What::Word(word) => {
                    let word = self.grammar.lexicon.shown_word(*word);
                    lines.iter().map(|line| line.with_text(word)).collect()
                }
                What::Slot(slot) => self.fill_slot(slot, &lines, depth),
                What::OneOf { options, optional } => {
                    let without = if *optional { lines.clone() } else { Vec::new() };
                    let with = options
                        .iter()
                        .flat_map(|one| self.fill_steps(one, lines.clone(), depth));
                    without.into_iter().chain(with).collect()
                }
            };
            lines.truncate(MOST_LINES);
        }
        for line in &mut lines {
            line.blank |= steps.blank_after;
        }
        lines
    }

    /// Returns lines with a slot filled in all ways.
    fn fill_slot(&self, slot: &SlotStep, lines: &[Begun], depth: usize) -> Vec<Begun> {
        let mut texts = self.sample_texts(slot.ty, depth);
        texts.truncate(MOST_TEXTS);
        let texts = texts.iter();
        texts
            .flat_map(|text| lines.iter().map(move |line| line.with_text(text)))
            .collect()
    }

    /// Returns texts of a slot type.
    fn sample_texts(&self, ty: TypeId, depth: usize) -> Vec<String> {
        if depth >= MOST_DEEP {
            return Vec::new();
        }
        let inside = |ty: TypeId| self.sample_texts(ty, depth + 1);
        match &self.grammar.types[ty].kind {
            TypeKind::Class(class) => self.class_texts(*class, depth),
            TypeKind::Choice(phrases) => phrases.iter().map(|one| self.phrase_text(one)).collect(),
            TypeKind::Names(own) => {
                let given = self.names.get(&self.grammar.types[ty].name);
                let all = [Some(own), given].into_iter().flatten();
                let entries = all.flat_map(NameTable::entries);
                entries.map(|entry| entry.name.clone()).collect()
            }
            TypeKind::Forms(forms) => {
                let lines = forms.list.iter().flat_map(|form| {
                    self.fill_steps(&form.steps, vec![Begun::default()], depth + 1)
                });
                lines.map(|line| line.text).take(MOST_TEXTS).collect()
            }
            TypeKind::Interpolated { .. } => vec!["words".to_owned()],
            TypeKind::Either(options) => options.iter().flat_map(|one| inside(*one)).collect(),
            TypeKind::Chain { next, .. } | TypeKind::Prefix { next, .. } => inside(*next),
            TypeKind::Bracketed { open, close, inner } => {
                let marks = [open, close].map(|mark| self.grammar.lexicon.shown_word(*mark));
                let inner = inside(*inner).into_iter();
                inner
                    .map(|text| format!("{}{text}{}", marks[0], marks[1]))
                    .collect()
            }
            TypeKind::Reader => Vec::new(),
        }
    }

    fn phrase_text(&self, phrase: &Phrase) -> String {
        self.grammar.lexicon.shown_word(phrase.shown).to_owned()
    }

    /// Returns texts of a token class: its own texts, and the words where any word is allowed. A deeper part belongs to
    /// a value, which may be refused when the value is checked.
    fn class_texts(&self, class: Class, depth: usize) -> Vec<String> {
        let own = match class {
            Class::Word => "something",
            Class::Number | Class::Integer => "3",
            Class::Signed => "+3",
            Class::Quoted => "\"something\"",
            Class::Group => "(something)",
            Class::Text | Class::Line | Class::Rest | Class::Token | Class::Piece => "something",
        };
        let takes_words = match class {
            Class::Number | Class::Integer | Class::Signed | Class::Quoted | Class::Group => false,
            Class::Word | Class::Text | Class::Line | Class::Rest | Class::Token | Class::Piece => {
                true
            }
        };
        let words = self.words.iter().filter(|_| takes_words && depth == 0);
        let words = words.map(|word| (*word).to_owned());
        std::iter::once(own.to_owned()).chain(words).collect()
    }
}
