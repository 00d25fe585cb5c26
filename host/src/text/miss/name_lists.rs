//! Lists the existing names if a name was expected and no close name was found.

use std::collections::BTreeSet;

use crate::value::Value;

use super::super::compile::{TypeId, TypeKind};
use super::super::matching::Matcher;
use super::super::names::NameEntry;
use super::wording::{quoted_list, without_article};

/// Names that a hint lists.
const LISTED: usize = 8;

impl Matcher<'_, '_> {
    /// Returns a hint with the existing names for each name set among types. An empty set has one only if all are empty.
    pub(super) fn name_list_hints(&self, types: &[TypeId]) -> Vec<String> {
        let is_set = |ty: &TypeId| matches!(self.grammar.types[*ty].kind, TypeKind::Names(_));
        let has_names = |ty: &TypeId| self.names_of_type(*ty).next().is_some();
        let sets = types.iter().copied().filter(is_set);
        let (named, empty): (Vec<TypeId>, Vec<TypeId>) = sets.partition(has_names);
        let listed = if named.is_empty() { empty } else { named };
        listed
            .into_iter()
            .map(|ty| self.name_list_hint(ty))
            .collect()
    }

    /// Returns the names of a set in a sentence: `for a creature, write "Galdyn" or "Lurtz"`.
    fn name_list_hint(&self, ty: TypeId) -> String {
        let noun = self.type_noun(ty);
        let entries: Vec<&NameEntry> = self.names_of_type(ty).collect();
        let named: BTreeSet<&Value> = entries
            .iter()
            .filter(|entry| !is_id_of_value(entry))
            .map(|entry| &entry.value)
            .collect();
        // An entry with a name is listed by the name, and not by its id too.
        let told = entries
            .iter()
            .filter(|entry| !is_id_of_value(entry) || !named.contains(&entry.value));
        let all: Vec<&str> = told.map(|entry| &*entry.name).collect();
        // A name in quotes is listed once.
        let is_quoted_again = |name: &str| {
            let bare = name
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            bare.is_some_and(|bare| all.contains(&bare))
        };
        let mut names: Vec<&str> = all.clone();
        names.retain(|name| !is_quoted_again(name));
        names.dedup();
        match names.is_empty() {
            true => format!("no {} is known yet", without_article(noun)),
            false => format!("for {noun}, write {}", quoted_list(&names, LISTED)),
        }
    }
}

/// Returns whether a name is the id of its value.
pub(super) fn is_id_of_value(entry: &NameEntry) -> bool {
    entry.value.as_str() == Some(&*entry.name)
}
