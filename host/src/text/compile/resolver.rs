//! Resolves the declarations of a builder.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::{Diagnostic, Fix, Source, Span, near_hint, only_near_name};
use crate::value::Value;

use super::super::first_set::First;
use super::super::grammar::{Declared, Grammar, GrammarBuilder, Operators};
use super::super::lexicon::{Lexicon, WordSet};
use super::super::template::{Filler, Piece, Sequence, Slot, Template, type_name_parts};
use super::super::token::{Gap, Token, Tokens};
use super::super::token_class::Class;
use super::super::token_table::TokenTable;
use super::first_sets::compute_first_sets;
use super::name_types::types_holding_names;
use super::{
    Form, Forms, Phrase, SlotStep, Step, Steps, TypeDef, TypeId, TypeKind, What, with_article,
};

/// Resolves all declarations of a builder.
pub(in super::super) fn compile_grammar(
    builder: GrammarBuilder,
    findings: &mut Vec<Diagnostic>,
) -> Grammar {
    let names = builder.declared.iter().enumerate();
    let ids: BTreeMap<_, _> = names.map(|(id, (name, _))| (name.clone(), id)).collect();
    let mut compiler = Compiler {
        literal: builder.table.without_structure(),
        lexicon: Lexicon::new(),
        types: Vec::new(),
        ids,
        findings,
    };
    for (name, _) in &builder.declared {
        let noun = builder.nouns.get(name).cloned();
        let noun = noun.unwrap_or_else(|| with_article(&type_name_parts(name).join(" ")));
        compiler.add_type(name, noun, true);
    }
    for (id, (_, declared)) in builder.declared.into_iter().enumerate() {
        let kind = compiler.compile_type(id, declared);
        compiler.types[id].kind = kind;
    }
    let Compiler {
        lexicon,
        mut types,
        ids,
        ..
    } = compiler;
    compute_first_sets(&mut types);
    set_only_classes(&mut types);
    let kinds: Vec<&TypeKind> = types.iter().map(|ty| &ty.kind).collect();
    for (ty, has_names) in types_holding_names(&kinds).into_iter().enumerate() {
        types[ty].has_names = has_names;
    }
    Grammar {
        table: builder.table,
        lexicon,
        types,
        ids,
        limits: builder.limits,
        values: builder.values,
    }
}

struct Compiler<'a> {
    /// The token table for literal texts.
    literal: TokenTable,
    lexicon: Lexicon,
    types: Vec<TypeDef>,
    ids: BTreeMap<String, TypeId>,
    findings: &'a mut Vec<Diagnostic>,
}

impl Compiler<'_> {
    /// Adds a type that nothing fits until its kind is set.
    fn add_type(&mut self, name: &str, noun: String, visible: bool) -> TypeId {
        self.types.push(TypeDef {
            name: name.to_owned(),
            noun,
            visible,
            kind: TypeKind::Choice(Vec::new()),
            first: First::default(),
            has_names: false,
        });
        self.types.len() - 1
    }

    fn add_hidden_type(&mut self, owner: TypeId, kind: TypeKind) -> TypeId {
        let (name, noun) = (
            self.types[owner].name.clone(),
            self.types[owner].noun.clone(),
        );
        let id = self.add_type(&name, noun, false);
        self.types[id].kind = kind;
        id
    }

    fn compile_type(&mut self, id: TypeId, declared: Declared) -> TypeKind {
        match declared {
            Declared::Class(class) => TypeKind::Class(class),
            Declared::Choice(words) => {
                let phrases = words
                    .iter()
                    .map(|(text, value)| self.compile_phrase(text, value.clone()));
                TypeKind::Choice(phrases.collect())
            }
            Declared::Names(names) => TypeKind::Names(names),
            Declared::Forms(templates) => {
                TypeKind::Forms(Box::new(self.compile_forms(id, &templates)))
            }
            Declared::Operators(operators) => self.compile_operators(id, &operators),
            Declared::Interpolated { piece, glued } => match self.type_by_name(id, &piece) {
                Some(piece) => TypeKind::Interpolated { piece, glued },
                None => TypeKind::Choice(Vec::new()),
            },
            Declared::Reader => TypeKind::Reader,
        }
    }

    /// Returns whether a name is a former name of a type and not the present name of another type.
    fn is_former_type_name(&self, name: &str) -> bool {
        !self.ids.contains_key(name) && self.ids.contains_key(Class::present_type_name(name))
    }

    fn known_type(&self, name: &str) -> Option<TypeId> {
        let known = self
            .ids
            .get(name)
            .or_else(|| self.ids.get(Class::present_type_name(name)));
        known.copied()
    }

    /// Finds a type that a declaration without a place names.
    fn type_by_name(&mut self, user: TypeId, name: &str) -> Option<TypeId> {
        let found = self.known_type(name);
        if found.is_none() {
            let user = &self.types[user].name;
            let message = format!("the slot type \"{user}\" uses the unknown slot type \"{name}\"");
            let hint = near_hint(name, self.ids.keys().map(String::as_str));
            self.findings
                .push(Diagnostic::error("phrase/unknown-type", message).hint(hint));
        }
        found
    }

    /// Returns the fix of a type's name in a slot where only one type can be meant.
    fn type_name_fix(&self, name: &str, source: &Source, slot: Span) -> Option<Fix> {
        let meant = only_near_name(name, self.ids.keys().map(String::as_str))?;
        let written = source.slice(slot);
        let at = slot.start + written.rfind(name)?;
        let is_only = written.matches(name).count() == 1;
        is_only.then(|| Fix::new(Span::new(at, at + name.len()), meant))
    }

    fn compile_phrase(&mut self, text: &str, value: Value) -> Phrase {
        let tokens = Tokens::read(&self.literal, text);
        let word = |token| {
            (
                has_space_before(token),
                self.lexicon.intern(tokens.text_of(token)),
            )
        };
        let words = tokens.list.iter().map(word).collect();
        let shown = self.lexicon.intern(text.trim());
        Phrase {
            shown,
            words,
            value,
        }
    }

    fn compile_phrases(&mut self, texts: &[String]) -> Vec<Phrase> {
        texts
            .iter()
            .map(|text| self.compile_phrase(text, Value::from(text.as_str())))
            .collect()
    }

    fn compile_forms(&mut self, set: TypeId, templates: &[(Template, Arc<Source>)]) -> Forms {
        let mut forms = Forms::default();
        for (template, source) in templates {
            let before = self.findings.len();
            let mut slots = Vec::new();
            let steps = self.compile_steps(set, &template.body, &mut slots, source);
            let errors = self.findings[before..].iter().any(Diagnostic::is_error);
            if !errors {
                let (id, syntax) = (template.id.clone(), template.syntax.clone());
                forms.list.push(Form {
                    id,
                    syntax,
                    needed: needed_words(&steps),
                    only: None,
                    steps,
                    slots,
                });
            }
        }
        forms
    }

    fn compile_steps(
        &mut self,
        set: TypeId,
        sequence: &Sequence,
        slots: &mut Vec<String>,
        source: &Arc<Source>,
    ) -> Steps {
        let mut steps = Steps {
            list: Vec::new(),
            blank_after: sequence.blank_after,
        };
        for item in &sequence.items {
            let what = match &item.piece {
                Piece::Word(word) => What::Word(self.lexicon.intern(word)),
                Piece::OneOf { options, optional } => {
                    let options = options
                        .iter()
                        .map(|one| self.compile_steps(set, one, slots, source));
                    What::OneOf {
                        options: options.collect(),
                        optional: *optional,
                    }
                }
                Piece::Slot(slot) => {
                    let ty = self.slot_filler_type(set, slot, source);
                    let known = slots.iter().position(|name| *name == slot.name);
                    let at = known.unwrap_or_else(|| {
                        slots.push(slot.name.clone());
                        slots.len() - 1
                    });
                    let (name, repeated) = (slot.name.clone(), slot.repeated);
                    What::Slot(SlotStep {
                        slot: at,
                        name,
                        ty,
                        repeated,
                    })
                }
            };
            steps.list.push(Step {
                blank: item.blank,
                what,
            });
        }
        steps
    }

    fn slot_filler_type(&mut self, set: TypeId, slot: &Slot, source: &Arc<Source>) -> TypeId {
        match &slot.filler {
            Filler::Type(word) if slot.is_named && self.is_one_word_choice(word) => {
                let phrases = self.compile_phrases(std::slice::from_ref(word));
                self.add_hidden_type(set, TypeKind::Choice(phrases))
            }
            Filler::Type(name) if self.is_former_type_name(name) => {
                let now = Class::present_type_name(name);
                let at = source.slice(slot.span).find(name.as_str()).unwrap_or(0);
                let span = Span::new(slot.span.start + at, slot.span.start + at + name.len());
                self.findings
                    .push(Diagnostic::renamed_word_warning(source, span, name, now));
                self.ids[now]
            }
            Filler::Type(name) => self.ids.get(name).copied().unwrap_or_else(|| {
                let message = format!("unknown slot type \"{name}\"");
                let hint = near_hint(name, self.ids.keys().map(String::as_str));
                let finding = Diagnostic::error("phrase/unknown-type", message);
                let fix = self.type_name_fix(name, source, slot.span);
                self.findings
                    .push(finding.at(source, slot.span).hint(hint).with_fix(fix));
                set
            }),
            Filler::Choice(texts) => {
                if texts.iter().all(|text| self.ids.contains_key(text)) {
                    let message = "all words of this choice are names of slot types";
                    let hint = "declare a type whose templates are {One} and {Other}";
                    let finding = Diagnostic::warning("phrase/choice-of-types", message);
                    self.findings.push(finding.at(source, slot.span).hint(hint));
                }
                let phrases = self.compile_phrases(texts);
                self.add_hidden_type(set, TypeKind::Choice(phrases))
            }
        }
    }

    /// Returns whether a word is a choice of one word: it is written like a word, and no type has that name or a
    /// similar one.
    fn is_one_word_choice(&self, word: &str) -> bool {
        let mut known = self.ids.keys().map(String::as_str);
        word.starts_with(char::is_lowercase)
            && known.all(|name| name != word)
            && near_hint(word, self.ids.keys().map(String::as_str)).is_empty()
    }

    /// Makes a chain of types: loosest infix, ..., tightest infix, prefix, operand.
    fn compile_operators(&mut self, id: TypeId, operators: &Operators) -> TypeKind {
        let Some(atom) = self.type_by_name(id, &operators.atom) else {
            return TypeKind::Choice(Vec::new());
        };
        let (open, close) = operators.brackets;
        let [open, close] = [open, close].map(|c| self.lexicon.intern(&c.to_string()));
        let bracketed = TypeKind::Bracketed {
            open,
            close,
            inner: id,
        };
        let mut next = self.add_hidden_type(id, bracketed);
        if operators.bare {
            next = self.add_hidden_type(id, TypeKind::Either(vec![next, atom]));
        }
        let words = self.compile_phrases(&operators.prefix);
        next = self.add_hidden_type(id, TypeKind::Prefix { words, next });
        for level in &operators.infix {
            let words = self.compile_phrases(level);
            next = self.add_hidden_type(id, TypeKind::Chain { words, next });
        }
        TypeKind::Either(vec![next, atom])
    }
}

/// Returns the words that every text of some steps contains.
fn needed_words(steps: &Steps) -> WordSet {
    let mut words = WordSet::default();
    for step in &steps.list {
        if let What::Word(word) = step.what {
            words.add(word);
        }
    }
    words
}

/// Sets the class of each template that is only one slot of a class.
fn set_only_classes(types: &mut [TypeDef]) {
    let classes: Vec<Option<Class>> = types.iter().map(|ty| ty.kind.token_class()).collect();
    for ty in types {
        let TypeKind::Forms(forms) = &mut ty.kind else {
            continue;
        };
        for form in &mut forms.list {
            form.only = match form.steps.list.as_slice() {
                [
                    Step {
                        what: What::Slot(slot),
                        ..
                    },
                ] if !slot.repeated && !form.steps.blank_after => classes[slot.ty],
                _ => None,
            };
        }
    }
}

fn has_space_before(token: &Token) -> bool {
    token.gap != Gap::None && token.span.start > 0
}
