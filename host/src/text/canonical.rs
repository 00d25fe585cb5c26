//! This module writes what was read as a template once more: its words as the template has them, names as they are called,
//! one blank where any were.
//!
//! Words of closed choices are written as they are declared. What an author says in words of their own stays.

use std::collections::BTreeMap;

use super::grammar::Grammar;
use super::parse::{Filled, Parse};
use super::table::fold;
use super::token::{Gap, Tokens};
use crate::value::Value;

impl Grammar {
    /// Returns the canonical form of what was read.
    pub fn canonical(&self, parse: &Parse) -> String {
        let form = self.forms(&parse.set).into_iter();
        let form = form.into_iter().find(|form| form.id == parse.template);
        let words = form.map_or_else(BTreeMap::new, |form| self.spelled(&form.syntax));
        let mut slots: Vec<_> = parse.slots.iter().collect();
        slots.sort_by_key(|slot| slot.span.start);
        let (mut written, mut at) = (String::new(), parse.span.start);
        for slot in slots {
            let between = self.between(parse, (at, slot.span.start), &words);
            written.push_str(&between);
            written.push_str(&self.filled(&slot.filled, &slot.text));
            at = slot.span.end;
        }
        written.push_str(&self.between(parse, (at, parse.span.end), &words));
        written.trim().to_owned()
    }

    /// Returns the words of a template as it has them, by how they are compared.
    fn spelled(&self, syntax: &str) -> BTreeMap<String, String> {
        let tokens = Tokens::read(self.table(), syntax);
        let mut depth = 0_usize;
        let mut words = BTreeMap::new();
        for token in &tokens.list {
            match tokens.text_of(token) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                // A slot holds the names of itself and its type, or the words of a choice.
                word if depth == 0 => drop(words.insert(fold(word), word.to_owned())),
                _ => {}
            }
        }
        words
    }

    /// Returns what stands between two slots, with the blanks around it.
    fn between(
        &self,
        parse: &Parse,
        (from, to): (usize, usize),
        words: &BTreeMap<String, String>,
    ) -> String {
        let text = &parse.text[from - parse.span.start..to - parse.span.start];
        self.spaced(text, |word| words.get(&fold(word)).cloned())
    }

    fn filled(&self, filled: &Filled, text: &str) -> String {
        let typed = || self.spaced(text, |_| None);
        match filled {
            Filled::Parse(parse) => self.canonical(parse),
            Filled::Name { name, .. } => name.clone(),
            Filled::Value(Value::Text(value)) if fold(value) == fold(&typed()) => value.to_string(),
            Filled::Value(_) | Filled::Ambiguous(_) | Filled::List(_) => typed(),
        }
    }

    /// Returns a text with one blank where any were, and other words in place of some.
    fn spaced(&self, text: &str, of: impl Fn(&str) -> Option<String>) -> String {
        let tokens = Tokens::read(self.table(), text);
        let mut written = String::new();
        for (number, token) in tokens.list.iter().enumerate() {
            let begins = number == 0;
            if (begins && text.starts_with(char::is_whitespace))
                || (!begins && token.gap != Gap::None)
            {
                written.push(' ');
            }
            let word = tokens.text_of(token);
            written.push_str(&of(word).unwrap_or_else(|| word.to_owned()));
        }
        if tokens.trailing_gap() != Gap::None && (!written.is_empty() || !text.is_empty()) {
            written.push(' ');
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::{Context, GrammarBuilder, NameTable, TokenTable};
    use super::*;

    fn grammar() -> Grammar {
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder.names("Food", NameTable::default()).templates(
            "Step",
            [
                (
                    "mix",
                    "Mix {what: Food} [and {with: Food}] [for {time: Time}]",
                ),
                ("bake", "Bake at {heat: Whole}°{scale: C|F}"),
                ("note", "Note: {said: Text}"),
            ],
        );
        builder.templates("Time", [("minutes", "{count: Whole} min")]);
        let (grammar, findings) = builder.build();
        assert!(findings.is_empty());
        grammar
    }

    fn written(grammar: &Grammar, text: &str) -> Option<String> {
        let mut foods = NameTable::default();
        for name in ["Rye Flour", "Egg"] {
            foods.insert(name, name);
        }
        let given = BTreeMap::from([(String::from("Food"), foods)]);
        let mut context = Context::new("step").with_names(&given);
        let parse = grammar.read("Step", text, &mut context).ok()?;
        Some(grammar.canonical(&parse))
    }

    #[test]
    fn words_and_names_are_written_as_they_are_declared_and_blanks_once() {
        let grammar = grammar();
        for (typed, expected) in [
            (
                "  mix   rye flour AND egg  for 3   MIN ",
                "Mix Rye Flour and Egg for 3 min",
            ),
            ("MIX EGG", "Mix Egg"),
            ("bake at 200°c", "Bake at 200°C"),
            ("note:  Whatever   I SAY ", "Note: Whatever I SAY"),
            ("Note: Mix it", "Note: Mix it"),
        ] {
            assert_eq!(written(&grammar, typed).as_deref(), Some(expected));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_written_the_same_once_more(
            text in "(?i)(mix|bake at|note:) {1,3}(egg|rye  flour|200)?(°c)?( and egg)?( for {1,2}[0-9] min)?[a-z .,]{0,12}",
        ) {
            let grammar = grammar();
            if let Some(once) = written(&grammar, &text) {
                prop_assert_eq!(written(&grammar, &once), Some(once));
            }
        }
    }
}
