//! The grammar of a ruleset: slot types, templates and the token table, built once.
//!
//! A `GrammarBuilder` collects declarations in any order. `build` resolves them and reports every slot whose type is
//! not declared. The grammar never changes; names that come and go are given per call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span};
use crate::value::Value;

use super::compile::{self, Form, TypeDef, TypeId, TypeKind};
use super::lexicon::Lexicon;
use super::names::NameTable;
use super::template::Template;
use super::token_class::Class;
use super::token_table::TokenTable;
use super::value_names::ValueNames;

/// Cost limits of one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarLimits {
    /// Steps of matching; one step is one piece of a template tried at one place, or one end found.
    pub steps: usize,
    /// Slot types, and optional brackets of templates, inside each other; one takes up to 8 KiB of stack.
    pub depth: usize,
}

impl Default for GrammarLimits {
    fn default() -> GrammarLimits {
        GrammarLimits {
            steps: 200_000,
            depth: 160,
        }
    }
}

/// Operators over atoms in brackets, such as `not (a) and (b)`.
#[derive(Clone, Debug)]
pub struct Operators {
    /// The slot type of the operands.
    pub atom: String,
    /// Operators before an operand; they bind tightest.
    pub prefix: Vec<String>,
    /// Operators between operands, tightest first. Operators of one entry bind alike, from the left.
    pub infix: Vec<Vec<String>>,
    /// The brackets around operands.
    pub brackets: (char, char),
    /// Whether operands may be without brackets. A single atom always may.
    pub bare: bool,
}

/// A declared slot type before its names are resolved.
#[derive(Clone, Debug)]
pub(super) enum Declared {
    Class(Class),
    Choice(Vec<(String, Value)>),
    Names(NameTable),
    Forms(Vec<(Template, Arc<Source>)>),
    Operators(Operators),
    Interpolated { piece: String, glued: bool },
    Reader,
}

/// Collects the declarations of a grammar.
#[derive(Clone, Debug)]
pub struct GrammarBuilder {
    pub(super) table: TokenTable,
    /// The table for the literal parts of templates.
    literal: TokenTable,
    pub(super) declared: Vec<(String, Declared)>,
    pub(super) values: BTreeMap<String, ValueNames>,
    pub(super) nouns: BTreeMap<String, String>,
    pub(super) limits: GrammarLimits,
    findings: Vec<Diagnostic>,
    /// Types that were declared again; their first declarations count.
    twice: BTreeSet<String>,
}

impl GrammarBuilder {
    /// Returns a builder that knows the classes of [`Class`] by their names.
    pub fn new(table: TokenTable) -> GrammarBuilder {
        let mut builder = GrammarBuilder {
            literal: table.without_structure(),
            table,
            declared: Vec::new(),
            values: BTreeMap::new(),
            nouns: BTreeMap::new(),
            limits: GrammarLimits::default(),
            findings: Vec::new(),
            twice: BTreeSet::new(),
        };
        for (class, name, noun) in Class::ALL {
            builder.declare_class(name, class).set_noun(name, noun);
        }
        builder
    }

    /// Declares a token class under another name.
    pub fn declare_class(&mut self, name: &str, class: Class) -> &mut GrammarBuilder {
        self.declare_type(name, Declared::Class(class))
    }

    /// Declares closed words; a slot holds the value of the words written.
    pub fn declare_choice(
        &mut self,
        name: &str,
        words: impl IntoIterator<Item = (String, Value)>,
    ) -> &mut GrammarBuilder {
        self.declare_type(name, Declared::Choice(words.into_iter().collect()))
    }

    /// Declares a name set; the `NameSource` of a call may have more names of this type.
    pub fn declare_names(&mut self, name: &str, names: NameTable) -> &mut GrammarBuilder {
        self.declare_type(name, Declared::Names(names))
    }

    /// Adds one template to a set, which is declared by its first template; `id` may repeat.
    pub fn add_template(
        &mut self,
        set: &str,
        id: &str,
        source: &Arc<Source>,
        span: Span,
    ) -> &mut GrammarBuilder {
        let (template, findings) = Template::parse(&self.literal, id, source, span);
        self.findings.extend(findings);
        let added = template.map(|template| (template, Arc::clone(source)));
        let known = self.declared.iter_mut().find(|(known, _)| known == set);
        if let Some((_, Declared::Forms(forms))) = known {
            forms.extend(added);
            return self;
        }
        self.declare_type(set, Declared::Forms(added.into_iter().collect()))
    }

    /// Adds templates that are whole texts of their own, as pairs of id and text.
    pub fn add_whole_templates<'a>(
        &mut self,
        set: &str,
        templates: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> &mut GrammarBuilder {
        for (id, text) in templates {
            let source = Source::new(id, text);
            self.add_template(set, id, &source, Span::new(0, text.len()));
        }
        self
    }

    /// Declares a slot type of values. Its templates follow from the names; `id` returns their ids by number, from 1.
    pub fn declare_values(
        &mut self,
        name: &str,
        id: impl Fn(usize) -> String,
        values: ValueNames,
    ) -> &mut GrammarBuilder {
        let names = format!("{name}Name");
        for (at, line) in values.templates(&names).iter().enumerate() {
            let id = id(at + 1);
            let source = Source::new(id.as_str(), line.as_str());
            self.add_template(name, &id, &source, Span::new(0, line.len()));
        }
        self.declare_names(&names, values.name_table());
        self.values.insert(name.to_owned(), values);
        self
    }

    /// Declares operators over a type of atoms.
    pub fn declare_operators(&mut self, name: &str, operators: Operators) -> &mut GrammarBuilder {
        self.declare_type(name, Declared::Operators(operators))
    }

    /// Declares a text (in quotes, or the rest of the line) in which pieces of a type are read.
    ///
    /// Unless `glued`, a piece counts only with spaces or the ends of the text around it.
    pub fn declare_interpolated(
        &mut self,
        name: &str,
        piece: &str,
        glued: bool,
    ) -> &mut GrammarBuilder {
        let piece = piece.to_owned();
        self.declare_type(name, Declared::Interpolated { piece, glued })
    }

    /// Declares a type that the reader of a call reads.
    pub fn declare_reader_type(&mut self, name: &str) -> &mut GrammarBuilder {
        self.declare_type(name, Declared::Reader)
    }

    /// Sets the name of a type in messages, with its article. Without it `ActiveItem` is "an active item".
    pub fn set_noun(&mut self, name: &str, noun: &str) -> &mut GrammarBuilder {
        self.nouns.insert(name.to_owned(), noun.to_owned());
        self
    }

    /// Sets the limits of each reading.
    pub fn set_limits(&mut self, limits: GrammarLimits) -> &mut GrammarBuilder {
        self.limits = limits;
        self
    }

    /// Returns the names of the types that are declared twice. Only template sets may be declared in several places.
    pub fn types_declared_twice(&self) -> &BTreeSet<String> {
        &self.twice
    }

    /// Resolves all declarations.
    ///
    /// Findings: the findings of the templates, `phrase/unknown-type`, and the warning `phrase/choice-of-types`. Of a
    /// type that is declared twice, the first declaration counts, without a finding. A template with an error is left out; all others work.
    pub fn build(mut self) -> (Grammar, Vec<Diagnostic>) {
        let mut findings = std::mem::take(&mut self.findings);
        let grammar = compile::compile_grammar(self, &mut findings);
        (grammar, findings)
    }

    /// Adds a declaration. It replaces a built-in class of the same name.
    fn declare_type(&mut self, name: &str, declared: Declared) -> &mut GrammarBuilder {
        let known = self.declared.iter().position(|(known, _)| known == name);
        match known {
            Some(at) if at < Class::ALL.len() => {
                self.nouns.remove(name);
                self.declared[at].1 = declared;
            }
            Some(_) => {
                self.twice.insert(name.to_owned());
            }
            None => self.declared.push((name.to_owned(), declared)),
        }
        self
    }
}

/// A template as help and completion show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRef {
    /// The set it belongs to.
    pub set: String,
    /// The id of the template.
    pub id: String,
    /// The template as written.
    pub syntax: String,
}

/// Everything needed to read the phrases of a ruleset.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(super) table: TokenTable,
    pub(super) lexicon: Lexicon,
    pub(super) types: Vec<TypeDef>,
    pub(super) ids: BTreeMap<String, TypeId>,
    pub(super) limits: GrammarLimits,
    pub(super) values: BTreeMap<String, ValueNames>,
}

impl Grammar {
    /// Returns the token table.
    pub fn table(&self) -> &TokenTable {
        &self.table
    }

    /// Returns the templates of a set in order of declaration; of other types, none.
    pub fn forms(&self, set: &str) -> Vec<FormRef> {
        let Some(TypeKind::Forms(forms)) = self.ids.get(set).map(|id| &self.types[*id].kind) else {
            return Vec::new();
        };
        (0..forms.list.len())
            .map(|at| self.form_ref(self.ids[set], at))
            .collect()
    }

    /// Returns the names of a slot type of values, and nothing for other types.
    pub fn values(&self, name: &str) -> Option<&ValueNames> {
        self.values.get(name)
    }

    /// Returns whether a slot type is declared.
    pub fn has_type(&self, name: &str) -> bool {
        self.find_type(name).is_some()
    }

    /// Returns the number of a slot type, also by its former name.
    pub(super) fn find_type(&self, name: &str) -> Option<TypeId> {
        let present = || self.ids.get(Class::present_type_name(name));
        self.ids.get(name).or_else(present).copied()
    }

    /// Returns the names of all types, in their order.
    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }

    /// Returns the words that a text of this type can begin with, in alphabetical order.
    pub fn first_words(&self, name: &str) -> Vec<&str> {
        let first = self.find_type(name).map(|id| &self.types[id].first);
        let words = first.into_iter().flat_map(|first| &first.words);
        let mut words: Vec<&str> = words.map(|word| self.lexicon.shown_word(*word)).collect();
        words.sort_unstable();
        words
    }

    /// Returns the words and marks of all templates and choices, in their first spelling there.
    pub fn literal_words(&self) -> impl Iterator<Item = &str> {
        self.lexicon.words()
    }

    /// Returns a template of a set.
    pub(super) fn template_form(&self, set: TypeId, form: usize) -> &Form {
        let TypeKind::Forms(forms) = &self.types[set].kind else {
            unreachable!("invariant: only template sets have templates");
        };
        &forms.list[form]
    }

    pub(super) fn form_ref(&self, set: TypeId, form: usize) -> FormRef {
        let form = self.template_form(set, form);
        FormRef {
            set: self.types[set].name.clone(),
            id: form.id.clone(),
            syntax: form.syntax.clone(),
        }
    }
}
