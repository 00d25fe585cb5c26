//! What rules declare about stats: where they start and how modifiers combine.

use std::rc::Rc;

use super::expression::{Expression, Vocabulary};
use crate::value::{Name, Text, Value};

/// How the modifiers of a stat combine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// In the order in which their records were applied.
    #[default]
    InOrder,
    /// Layer by layer, inside a layer in order of application; a modifier names its layer.
    Layers(Vec<Text>),
}

/// What is known of a stat before anybody has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatDeclaration {
    /// The base of a row without a value of its own; `Nil` counts as 0 in calculations.
    pub base: Value,
    /// How modifiers combine.
    pub fold: Fold,
    /// What computes the base of a row without a value of its own; `base` is not used then.
    pub formula: Option<Rc<Expression>>,
    /// Who may see it.
    pub seen: Seen,
}

/// Who may see a stat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seen {
    /// Everybody.
    #[default]
    Public,
    /// The game master alone.
    Gm,
    /// The seat that plays the entity, and the game master.
    Owner,
}

impl Seen {
    /// Returns what a word of a declaration says; `None` for any other word.
    pub fn parse(word: &str) -> Option<Seen> {
        match word {
            "public" => Some(Seen::Public),
            "gm" => Some(Seen::Gm),
            "owner" => Some(Seen::Owner),
            _ => None,
        }
    }
}

/// The declared stats of the rules that are live; no part of the state and of its hash.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    declared: Vec<StatDeclaration>,
    /// Position of a declaration plus 1, by the number of the name; reading a stat asks for it each time.
    positions: Vec<u32>,
    undeclared: StatDeclaration,
    vocabulary: Vocabulary,
}

impl Stats {
    /// Declares a stat and returns what was declared of it before.
    pub fn declare_stat(
        &mut self,
        stat: Name,
        declaration: StatDeclaration,
    ) -> Option<StatDeclaration> {
        if let Some(at) = self.position(stat) {
            return Some(std::mem::replace(&mut self.declared[at], declaration));
        }
        self.declared.push(declaration);
        let size = self.positions.len().max(stat.index() + 1);
        self.positions.resize(size, 0);
        self.positions[stat.index()] =
            u32::try_from(self.declared.len()).expect("invariant: fewer stats than names");
        None
    }

    /// Declares all stats that have no declaration of their own.
    pub fn declare_other_stats(&mut self, declaration: StatDeclaration) {
        self.undeclared = declaration;
    }

    /// Says what expressions may speak of besides rows.
    pub fn set_vocabulary(&mut self, vocabulary: Vocabulary) {
        self.vocabulary = vocabulary;
    }

    /// Returns what expressions may speak of besides rows.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns what is declared of a stat; an undeclared one is as all others are declared, else it has no base and folds in order.
    #[inline]
    pub fn get(&self, stat: Name) -> &StatDeclaration {
        self.position(stat)
            .map_or(&self.undeclared, |at| &self.declared[at])
    }

    #[inline]
    fn position(&self, stat: Name) -> Option<usize> {
        let position = *self.positions.get(stat.index())?;
        (position as usize).checked_sub(1)
    }
}

impl Fold {
    /// Returns the layers, none for a fold in order.
    pub fn layers(&self) -> &[Text] {
        match self {
            Fold::InOrder => &[],
            Fold::Layers(layers) => layers,
        }
    }

    /// Returns whether a modifier with this layer, or without one, takes part.
    pub(super) fn allows_layer(&self, layer: Option<&Text>) -> bool {
        match (self, layer) {
            (Fold::InOrder, None) => true,
            (Fold::Layers(layers), Some(layer)) => layers.contains(layer),
            (Fold::InOrder, Some(_)) | (Fold::Layers(_), None) => false,
        }
    }
}
