//! Declarations of stats: their base and the stacking of their modifiers.

use std::rc::Rc;

use super::expression::{Expression, Vocabulary};
use crate::value::{Name, Text, Value};

/// Rule for combining the modifiers of a stat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stacking {
    /// In the order in which their records were applied.
    #[default]
    InOrder,
    /// Layer by layer, inside a layer in order of application; a modifier names its layer.
    Layers(Vec<Text>),
}

/// Declaration of a stat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatDeclaration {
    /// The base of a row without a value of its own; `Nil` counts as 0 in calculations.
    pub base: Value,
    /// Stacking of modifiers.
    pub fold: Stacking,
    /// The formula for the base of a row without a value of its own; `base` is not used then.
    pub formula: Option<Rc<Expression>>,
    /// The visibility of the stat.
    pub seen: StatVisibility,
}

/// Visibility of a stat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatVisibility {
    /// Visible to all.
    #[default]
    Public,
    /// Visible only to the game master.
    Gm,
    /// Visible to the seat that plays the entity, and to the game master.
    Owner,
}

impl StatVisibility {
    /// Returns the meaning of a word of a declaration; `None` for any other word.
    pub fn parse(word: &str) -> Option<StatVisibility> {
        match word {
            "public" => Some(StatVisibility::Public),
            "gm" => Some(StatVisibility::Gm),
            "owner" => Some(StatVisibility::Owner),
            _ => None,
        }
    }
}

/// The declared stats of the live rules; they are not part of the state and of its hash.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    declared: Vec<StatDeclaration>,
    /// Position of a declaration plus 1, by the number of the name; used each time a stat is read.
    positions: Vec<u32>,
    undeclared: StatDeclaration,
    vocabulary: Vocabulary,
}

impl Stats {
    /// Declares a stat and returns its earlier declaration.
    pub fn declare_stat(
        &mut self,
        stat: Name,
        declaration: StatDeclaration,
    ) -> Option<StatDeclaration> {
        if let Some(at) = self.declaration_position(stat) {
            return Some(std::mem::replace(&mut self.declared[at], declaration));
        }
        self.declared.push(declaration);
        let size = self.positions.len().max(stat.index() + 1);
        self.positions.resize(size, 0);
        self.positions[stat.index()] =
            u32::try_from(self.declared.len()).expect("invariant: fewer stats than names");
        None
    }

    /// Sets the declaration for all stats that have no declaration of their own.
    pub fn declare_other_stats(&mut self, declaration: StatDeclaration) {
        self.undeclared = declaration;
    }

    /// Sets the names and functions that expressions may use besides rows.
    pub fn set_vocabulary(&mut self, vocabulary: Vocabulary) {
        self.vocabulary = vocabulary;
    }

    /// Returns the names and functions that expressions may use besides rows.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the declaration of a stat. An undeclared stat has the declaration for all other stats, if there is
    /// one. Otherwise it has no base and stacks in order.
    #[inline]
    pub fn declaration_of(&self, stat: Name) -> &StatDeclaration {
        self.declaration_position(stat)
            .map_or(&self.undeclared, |at| &self.declared[at])
    }

    #[inline]
    fn declaration_position(&self, stat: Name) -> Option<usize> {
        let position = *self.positions.get(stat.index())?;
        (position as usize).checked_sub(1)
    }
}

impl Stacking {
    /// Returns the layers, none for stacking in order.
    pub fn layers(&self) -> &[Text] {
        match self {
            Stacking::InOrder => &[],
            Stacking::Layers(layers) => layers,
        }
    }

    /// Returns whether a modifier with this layer, or without one, takes part.
    pub(super) fn allows_layer(&self, layer: Option<&Text>) -> bool {
        match (self, layer) {
            (Stacking::InOrder, None) => true,
            (Stacking::Layers(layers), Some(layer)) => layers.contains(layer),
            (Stacking::InOrder, Some(_)) | (Stacking::Layers(_), None) => false,
        }
    }
}
