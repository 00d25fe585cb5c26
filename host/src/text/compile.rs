//! The compiled grammar that matching walks over: types, templates as steps, closed words.

mod first_sets;
mod name_types;
mod resolver;

use crate::value::Value;

use super::first_set::{First, Index};
use super::lexicon::{WordId, WordSet};
use super::names::NameTable;
use super::token_class::Class;

pub(super) use resolver::compile_grammar;

pub(super) type TypeId = usize;

/// A slot type.
#[derive(Clone, Debug)]
pub(super) struct TypeDef {
    pub(super) name: String,
    /// Its name in messages, with its article.
    pub(super) noun: String,
    /// Whether authors know the type. The other types are parts of a type that authors know.
    pub(super) visible: bool,
    pub(super) kind: TypeKind,
    pub(super) first: First,
    /// Whether it may hold names.
    pub(super) has_names: bool,
}

#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    Class(Class),
    Choice(Vec<Phrase>),
    Names(NameTable),
    Forms(Box<Forms>),
    Reader,
    Interpolated {
        piece: TypeId,
        glued: bool,
    },
    Either(Vec<TypeId>),
    Chain {
        words: Vec<Phrase>,
        next: TypeId,
    },
    Prefix {
        words: Vec<Phrase>,
        next: TypeId,
    },
    Bracketed {
        open: WordId,
        close: WordId,
        inner: TypeId,
    },
}

impl TypeKind {
    /// Returns the token class that it is.
    pub(super) fn token_class(&self) -> Option<Class> {
        match self {
            TypeKind::Class(class) => Some(*class),
            TypeKind::Choice(_)
            | TypeKind::Names(_)
            | TypeKind::Forms(_)
            | TypeKind::Reader
            | TypeKind::Interpolated { .. }
            | TypeKind::Either(_)
            | TypeKind::Chain { .. }
            | TypeKind::Prefix { .. }
            | TypeKind::Bracketed { .. } => None,
        }
    }
}

/// Literal words with their value.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    /// The whole text.
    pub(super) shown: WordId,
    /// Each word with whether there is a space before it.
    pub(super) words: Vec<(bool, WordId)>,
    pub(super) value: Value,
}

impl TypeKind {
    /// Returns the token class that its only template takes and nothing else.
    pub(super) fn only_class(&self) -> Option<Class> {
        match self {
            TypeKind::Forms(forms) => match forms.list.as_slice() {
                [form] => form.only,
                _ => None,
            },
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    pub(super) list: Vec<Form>,
    pub(super) index: Index,
}

#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) id: String,
    pub(super) syntax: String,
    pub(super) steps: Steps,
    pub(super) slots: Vec<String>,
    /// The words that every text of it contains.
    pub(super) needed: WordSet,
    /// Set if it is one slot of a token class and nothing else.
    pub(super) only: Option<Class>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    pub(super) list: Vec<Step>,
    pub(super) blank_after: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) blank: bool,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Word(WordId),
    Slot(SlotStep),
    OneOf { options: Vec<Steps>, optional: bool },
}

#[derive(Clone, Debug)]
pub(super) struct SlotStep {
    /// Position among the slots of the template.
    pub(super) slot: usize,
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) repeated: bool,
}

/// Returns a noun with `a` or `an` before it.
pub(super) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']) && !sounds_like_you(noun);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Returns whether the first sound of a word is that of "you": usable, user, usual, unit.
fn sounds_like_you(word: &str) -> bool {
    ["usa", "use", "usu", "unit"]
        .iter()
        .any(|start| word.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_goes_by_the_first_sound() {
        for (noun, said) in [
            ("entity", "an entity"),
            ("usable", "a usable"),
            ("unit", "a unit"),
            ("usher", "an usher"),
            ("person", "a person"),
        ] {
            assert_eq!(with_article(noun), said);
        }
    }
}
