//! This module is what rules declare about stats: where they start and how modifiers combine.

use std::collections::HashMap;

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
}

/// The declared stats of the rules that are live; no part of the state and of its hash.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    declared: HashMap<Name, StatDeclaration>,
    undeclared: StatDeclaration,
}

impl Stats {
    /// Declares a stat and returns what was declared of it before.
    pub fn declare(&mut self, stat: Name, declaration: StatDeclaration) -> Option<StatDeclaration> {
        self.declared.insert(stat, declaration)
    }

    /// Returns what is declared of a stat; an undeclared one has no base and folds in order.
    pub fn get(&self, stat: Name) -> &StatDeclaration {
        self.declared.get(&stat).unwrap_or(&self.undeclared)
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
    pub(super) fn takes(&self, layer: Option<&Text>) -> bool {
        match (self, layer) {
            (Fold::InOrder, None) => true,
            (Fold::Layers(layers), Some(layer)) => layers.contains(layer),
            (Fold::InOrder, Some(_)) | (Fold::Layers(_), None) => false,
        }
    }
}
