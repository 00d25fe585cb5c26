//! Finds two templates of a set that read the same line equally well, so that only the first is ever read.
//!
//! Nothing is guessed: lines are made from one template, with the words of the other template in its slots. A line
//! counts only if both templates read it in full, with one rank, and no template reads it better.

mod sample;

use std::collections::BTreeMap;

use super::compile::{Form, Forms, Steps, TypeId, TypeKind, What};
use super::context::Context;
use super::first_set::First;
use super::grammar::{FormRef, Grammar};
use super::matching::{Matcher, Rank};
use super::names::NameTable;
use super::token::Tokens;

use sample::Samples;

/// Two templates and a line that both read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The template that gets the line.
    pub first: FormRef,
    /// The template that reads it as well.
    pub second: FormRef,
    /// The line.
    pub line: String,
}

impl Grammar {
    /// Returns the pairs of templates of a set that read a line equally well, each with the first such line. A pair is
    /// checked only if at least one of its templates is `asked` for by its id, and if the two are `apart`.
    ///
    /// `names` are names that entries of the slot types may have. There are no lines for a type that only a script
    /// reads.
    pub fn overlapping_templates(
        &self,
        set: &str,
        names: &BTreeMap<String, NameTable>,
        asked: impl Fn(&str) -> bool,
        apart: impl Fn(&str, &str) -> bool,
    ) -> Vec<Overlap> {
        let Some(id) = self.ids.get(set).copied() else {
            return Vec::new();
        };
        let TypeKind::Forms(forms) = &self.types[id].kind else {
            return Vec::new();
        };
        let search = Search {
            grammar: self,
            set: id,
            forms,
            names,
        };
        let asked: Vec<bool> = forms.list.iter().map(|form| asked(&form.id)).collect();
        if !asked.contains(&true) {
            return Vec::new();
        }
        let begins: Vec<First> = (0..forms.list.len())
            .map(|at| self.first_of_template(id, at))
            .collect();
        let mut found = Vec::new();
        for second in 0..forms.list.len() {
            for first in 0..second {
                let is_asked = asked[first] || asked[second];
                let ids = (&forms.list[first].id, &forms.list[second].id);
                if !is_asked || !begins[first].overlaps(&begins[second]) || !apart(ids.0, ids.1) {
                    continue;
                }
                found.extend(search.ambiguous_line(first, second).map(|line| Overlap {
                    first: self.form_ref(id, first),
                    second: self.form_ref(id, second),
                    line,
                }));
            }
        }
        found
    }
}

/// A set of templates that is searched.
struct Search<'a> {
    grammar: &'a Grammar,
    set: TypeId,
    forms: &'a Forms,
    names: &'a BTreeMap<String, NameTable>,
}

impl Search<'_> {
    /// Returns the first line that two templates read equally well, if one is found.
    fn ambiguous_line(&self, first: usize, second: usize) -> Option<String> {
        let form = |at: usize| &self.forms.list[at];
        let lines = |of: &Form, with: &Form| {
            let mut words = Vec::new();
            add_literal_words(&with.steps, &mut words);
            let words = words
                .iter()
                .map(|word| self.grammar.lexicon.shown_word(*word));
            Samples::new(self.grammar, self.names, words.collect()).sample_lines(&of.steps)
        };
        let mut lines = [
            lines(form(first), form(second)),
            lines(form(second), form(first)),
        ]
        .into_iter()
        .flatten();
        lines.find(|line| self.is_ambiguous_line(line, first, second))
    }

    /// Returns whether two templates read a line in full and equally well, and none reads it better.
    fn is_ambiguous_line(&self, line: &str, first: usize, second: usize) -> bool {
        let tokens = Tokens::read(&self.grammar.table, line);
        let mut context = Context::new("line")
            .with_names(self.names)
            .whole_names_only();
        let mut matcher = Matcher::without_failures(self.grammar, &tokens, &mut context);
        let mut rank_of = |form: usize| -> Option<Rank> {
            let ends = matcher.match_template(self.set, form).ok()?;
            let whole = ends.iter().filter(|end| end.pos == tokens.list.len());
            whole.map(|end| end.rank).min_by_key(|rank| rank.sort_key())
        };
        let (Some(rank), Some(other)) = (rank_of(first), rank_of(second)) else {
            return false;
        };
        if rank.sort_key() != other.sort_key() || rank.ambiguous > 0 {
            return false;
        }
        let best = matcher.match_type(self.set, 0).ok().and_then(|outcome| {
            let end = outcome.ends.first()?;
            (end.pos == tokens.list.len()).then_some(end.rank)
        });
        best.is_some_and(|best| best.sort_key() == rank.sort_key())
    }
}

/// Adds the literal words in steps.
fn add_literal_words(steps: &Steps, words: &mut Vec<super::lexicon::WordId>) {
    for step in &steps.list {
        match &step.what {
            What::Word(word) => words.push(*word),
            What::OneOf { options, .. } => {
                options.iter().for_each(|one| add_literal_words(one, words));
            }
            What::Slot(_) => (),
        }
    }
}

#[cfg(test)]
mod tests;
