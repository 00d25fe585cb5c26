//! The name set: names of several words, found from the tokens of a text.
//!
//! Sets change while a game runs, so they stay outside of the grammar. The grammar queries a `NameSource`.

use std::collections::BTreeMap;

use crate::value::Value;

use super::token::{Gap, Kind, Token};
use super::token_table::fold_case;

/// The ways to compare names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameFold {
    /// Word by word; case and the number of spaces do not matter.
    #[default]
    Words,
    /// Only letters count, so that `Fox (Alt)`, `fox-alt` and `FoxAlt` are the same.
    Letters,
}

/// One name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameEntry {
    /// The name as it is shown.
    pub name: String,
    /// The value of a slot, usually an id.
    pub value: Value,
}

/// A set of names with an index.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    fold: NameFold,
    keys: BTreeMap<String, Vec<NameEntry>>,
}

/// The source of the names of a type for the grammar.
pub trait NameSource {
    /// Returns the names of a slot type, if this source has any.
    fn names(&self, type_name: &str) -> Option<&NameTable>;
}

/// Name tables by slot type.
impl NameSource for BTreeMap<String, NameTable> {
    fn names(&self, type_name: &str) -> Option<&NameTable> {
        self.get(type_name)
    }
}

/// No names.
impl NameSource for () {
    fn names(&self, _: &str) -> Option<&NameTable> {
        None
    }
}

impl NameTable {
    /// Returns an empty set.
    pub fn new(fold: NameFold) -> NameTable {
        let keys = BTreeMap::new();
        NameTable { fold, keys }
    }

    /// Adds a name. A name without any counted character is left out. The same name and value are stored once.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        let key = self.fold_key(&name);
        let entries = self.keys.entry(key).or_default();
        if !entries.iter().any(|entry| entry.value == value) {
            entries.push(NameEntry { name, value });
        }
        self.keys.remove("");
    }

    /// Removes a name with this value. The name stays for other values.
    pub fn remove(&mut self, name: &str, value: &Value) {
        let key = self.fold_key(name);
        if let Some(entries) = self.keys.get_mut(&key) {
            entries.retain(|entry| entry.value != *value);
            if entries.is_empty() {
                self.keys.remove(&key);
            }
        }
    }

    /// Returns all entries, by key.
    pub fn entries(&self) -> impl Iterator<Item = &NameEntry> {
        self.keys.values().flatten()
    }

    /// Returns the entries with exactly this name, without regard to case and spaces.
    pub fn find(&self, name: &str) -> &[NameEntry] {
        self.keys
            .get(&self.fold_key(name))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the entries whose key begins with a key, exact matches too.
    pub(super) fn entries_with_prefix(&self, key: &str) -> impl Iterator<Item = &NameEntry> {
        let range = self.keys.range(key.to_owned()..);
        let prefix = key.to_owned();
        let fits = range.take_while(move |(key, _)| key.starts_with(&prefix));
        fits.flat_map(|(_, entries)| entries)
    }

    fn fold_key(&self, name: &str) -> String {
        let mut key = String::new();
        for (index, word) in name.split_whitespace().enumerate() {
            self.extend_key(&mut key, word, index > 0);
        }
        key
    }

    /// Lengthens a key by the next token.
    pub(super) fn extend_key(&self, key: &mut String, word: &str, apart: bool) {
        match self.fold {
            NameFold::Words => {
                if apart && !key.is_empty() {
                    key.push(' ');
                }
                key.push_str(&fold_case(word));
            }
            NameFold::Letters => {
                let letters = word.chars().filter(|c| c.is_alphabetic());
                key.extend(letters.flat_map(char::to_lowercase));
            }
        }
    }

    /// Finds the names that begin with the token `start`, and the longest beginning of names.
    pub(super) fn look_up(&self, text: &str, tokens: &[Token], start: usize) -> LookUp<'_> {
        let mut found = LookUp::default();
        let (mut key, mut balance) = (String::new(), 0usize);
        for (at, token) in tokens.iter().enumerate().skip(start) {
            match token.kind {
                Kind::Open | Kind::QuoteOpen => balance += 1,
                Kind::Close | Kind::QuoteClose if balance == 0 => break,
                Kind::Close | Kind::QuoteClose => balance -= 1,
                Kind::Word | Kind::Number | Kind::Mark | Kind::Bullet => (),
            }
            let apart = at > start && token.gap != Gap::None;
            let before = key.len();
            self.extend_key(&mut key, &text[token.span.start..token.span.end], apart);
            if self.entries_with_prefix(&key).next().is_none() {
                let run = glued_word_start(tokens, at);
                found.prefix = found.prefix.filter(|(end, _)| *end <= run);
                break;
            }
            let counts = key.len() > before || token.kind == Kind::Close;
            if balance > 0 || !counts || key.is_empty() {
                continue;
            }
            if let Some(entries) = self.keys.get(&key) {
                found.exact.push((at + 1, entries));
            } else if word_ends(tokens, at) {
                found.prefix = Some((at + 1, key.clone()));
            }
        }
        found
    }
}

/// Returns whether no word continues after the token.
fn word_ends(tokens: &[Token], at: usize) -> bool {
    let goes_on = |next: &Token| next.gap == Gap::None && next.is_wordlike();
    !(tokens[at].is_wordlike() && tokens.get(at + 1).is_some_and(goes_on))
}

/// Returns the start of the text that a word is glued to: `hill-guard` may be a name, and `hill` not a part of it.
pub(super) fn glued_word_start(tokens: &[Token], at: usize) -> usize {
    let mut from = at;
    while from > 0 && tokens[from].gap == Gap::None && tokens[at].is_wordlike() {
        from -= 1;
    }
    from
}

/// The result of [`NameTable::look_up`].
#[derive(Debug, Default)]
pub(super) struct LookUp<'a> {
    /// The index after the last token and the entries of that name, shortest first.
    pub(super) exact: Vec<(usize, &'a Vec<NameEntry>)>,
    /// The index after the last token and the key of the longest beginning that is not a whole name.
    pub(super) prefix: Option<(usize, String)>,
}

#[cfg(test)]
mod tests {
    use super::super::token::Tokens;
    use super::super::token_table::TokenTable;
    use super::*;

    fn ends(fold: NameFold, names: &[&str], text: &str) -> (Vec<usize>, Option<usize>) {
        let mut table = NameTable::new(fold);
        for name in names {
            table.insert(*name, *name);
        }
        let tokens = Tokens::read(&TokenTable::default(), text);
        let found = table.look_up(tokens.text, &tokens.list, 0);
        let exact = found.exact.iter().map(|(end, _)| *end).collect();
        (exact, found.prefix.map(|(end, _)| end))
    }

    #[test]
    fn names_of_several_words_are_found_without_regard_to_case_and_blanks() {
        let names = ["Ann", "Ann Tanner", "Big (Old) Oak"];
        assert_eq!(
            ends(NameFold::Words, &names, "ann  TANNER goes"),
            (vec![1, 2], None)
        );
        assert_eq!(ends(NameFold::Words, &names, "ann ta"), (vec![1], Some(2)));
        assert_eq!(
            ends(NameFold::Words, &names, "big (old) oak"),
            (vec![5], Some(4))
        );
        assert_eq!(ends(NameFold::Words, &names, "An2"), (vec![], None));
    }

    #[test]
    fn a_beginning_ends_where_the_word_does() {
        let names = ["roll-1", "roll-10", "roll-12 b"];
        assert_eq!(
            ends(NameFold::Words, &names, "roll-1 b"),
            (vec![3], Some(2))
        );
        assert_eq!(ends(NameFold::Words, &names, "roll-12"), (vec![], Some(3)));
        assert_eq!(ends(NameFold::Words, &names, "roll-9"), (vec![], None));
        assert_eq!(
            ends(NameFold::Words, &names, "roll -> x"),
            (vec![], Some(1))
        );
        assert_eq!(ends(NameFold::Words, &names, "roll->x"), (vec![], Some(1)));
    }

    #[test]
    fn with_the_letters_fold_only_letters_count() {
        let names = ["Fox (Alt)"];
        assert_eq!(
            ends(NameFold::Letters, &names, "fox-alt )"),
            (vec![1], None)
        );
        assert_eq!(
            ends(NameFold::Letters, &names, "FOX (ALT) )"),
            (vec![4], Some(1))
        );
    }

    #[test]
    fn a_name_that_was_taken_away_is_gone() {
        let mut table = NameTable::default();
        table.insert("Ann", "e1");
        table.insert("ann", "e2");
        table.remove("ANN", &Value::from("e1"));
        assert_eq!(table.find("Ann").len(), 1);
        table.remove("Ann", &Value::from("e2"));
        assert!(table.find("Ann").is_empty());
    }
}
