//! Computes the possible beginnings of templates and slot types.

use super::super::first_set::{First, Index};
use super::super::grammar::Grammar;
use super::super::token_class::Class;
use super::{Phrase, Steps, TypeDef, TypeId, TypeKind, What};

/// Computes the possible beginnings of all types until nothing changes, and indexes the template sets.
pub(super) fn compute_first_sets(types: &mut [TypeDef]) {
    loop {
        let firsts: Vec<First> = types.iter().map(|ty| first_of_type(types, ty)).collect();
        let same = types
            .iter()
            .zip(&firsts)
            .all(|(ty, first)| ty.first == *first);
        for (ty, first) in types.iter_mut().zip(firsts) {
            ty.first = first;
        }
        if same {
            break;
        }
    }
    for id in 0..types.len() {
        let TypeKind::Forms(forms) = &types[id].kind else {
            continue;
        };
        let mut index = Index::default();
        for (at, form) in forms.list.iter().enumerate() {
            index.add_template(at, &first_of_steps(types, &form.steps).0);
        }
        if let TypeKind::Forms(forms) = &mut types[id].kind {
            forms.index = index;
        }
    }
}

impl Grammar {
    /// Returns the possible beginnings of a template of a set.
    pub(in super::super) fn first_of_template(&self, set: TypeId, form: usize) -> First {
        first_of_steps(&self.types, &self.template_form(set, form).steps).0
    }
}

fn first_of_type(types: &[TypeDef], ty: &TypeDef) -> First {
    let mut first = First::default();
    let words = |first: &mut First, phrases: &[Phrase]| {
        let begins = phrases.iter().filter_map(|phrase| phrase.words.first());
        first.words.extend(begins.map(|(_, word)| *word));
    };
    match &ty.kind {
        TypeKind::Class(class) => first = First::of_kinds(class.first_token_kinds()),
        TypeKind::Choice(phrases) => words(&mut first, phrases),
        TypeKind::Names(_) | TypeKind::Reader => first = First::any_token(),
        TypeKind::Interpolated { .. } => first = First::of_kinds(Class::Text.first_token_kinds()),
        TypeKind::Forms(forms) => {
            for form in &forms.list {
                first.include(&first_of_steps(types, &form.steps).0);
            }
        }
        TypeKind::Either(options) => options
            .iter()
            .for_each(|one| first.include(&types[*one].first)),
        TypeKind::Chain { next, .. } => first.include(&types[*next].first),
        TypeKind::Prefix {
            words: prefix,
            next,
        } => {
            words(&mut first, prefix);
            first.include(&types[*next].first);
        }
        TypeKind::Bracketed { open, .. } => first = First::of_word(*open),
    }
    first
}

/// Returns the possible beginnings of steps, and whether the steps can be empty.
fn first_of_steps(types: &[TypeDef], steps: &Steps) -> (First, bool) {
    let mut first = First::default();
    for step in &steps.list {
        match &step.what {
            What::Word(word) => first.include(&First::of_word(*word)),
            What::Slot(slot) => first.include(&types[slot.ty].first),
            What::OneOf { options, optional } => {
                let mut may_be_empty = *optional;
                for option in options {
                    let (begin, empty) = first_of_steps(types, option);
                    first.include(&begin);
                    may_be_empty |= empty;
                }
                if may_be_empty {
                    continue;
                }
            }
        }
        return (first, false);
    }
    (first, true)
}
