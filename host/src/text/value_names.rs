//! Reads short texts that name an entry of a table: `very common`, `10 min`, `simple (left hand)`.
//!
//! In: the names of the table, each with other spellings, and a text as a person wrote it. Out: the entry, the number
//! before it, the canonical text, and how similar the written name is. A name that is misspelled means the most similar
//! one, as [`Matcher`] decides.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::count::Count;
use super::name_matcher::Matcher;
use super::names::{NameFold, NameTable};
use super::similarity::Ratio;

/// The parts of a text besides the name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// None.
    Name,
    /// A number may stand before the name. `base` is the entry that a number alone means, from 0.
    Amount {
        /// The entry of a number without a name.
        base: Option<usize>,
    },
    /// A detail may follow in brackets or after a colon. `cutoff` is the least similarity of a name before brackets.
    Detail {
        /// The least similarity of a name before brackets.
        cutoff: Ratio,
    },
}

/// An entry of a table: its name, and other spellings of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueEntry {
    /// The name in canonical texts.
    pub name: String,
    /// Other spellings.
    pub also: Vec<String>,
}

/// The names of a table, ready for reading.
#[derive(Clone, Debug)]
pub struct ValueNames {
    entries: Vec<ValueEntry>,
    /// The entry of each spelling.
    spellings: HashMap<Box<str>, usize, RandomState>,
    matcher: Matcher,
    form: ValueForm,
    /// The names before brackets, if they have another cutoff.
    before_brackets: Option<Matcher>,
}

/// The meaning of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenValue<'n> {
    /// The entry, from 0.
    pub entry: usize,
    /// The number of an amount.
    pub count: Option<Count>,
    /// The canonical text.
    pub text: Cow<'n, str>,
    /// The similarity of the written name and the name of the entry, if they differ.
    pub ratio: Option<Ratio>,
}

/// The reading of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueReading<'n, 't> {
    /// A value.
    Value(WrittenValue<'n>),
    /// The text is not a value of this table.
    Nothing,
    /// The text has signs in the place of a number that are not a number. `entry` is the entry of the name after it.
    NotANumber {
        /// The signs.
        written: &'t str,
        /// The entry that the rest of the text names.
        entry: Option<usize>,
    },
    /// The text is only a number, and no entry is meant by a number alone.
    NoName(Count),
}

impl ValueNames {
    /// Returns the names of a table. Of equal spellings the last one counts. `cutoff` is the least similarity.
    pub fn new(entries: Vec<ValueEntry>, cutoff: Ratio, form: ValueForm) -> ValueNames {
        let mut spellings = HashMap::default();
        for (at, entry) in entries.iter().enumerate() {
            for spelling in std::iter::once(&entry.name).chain(&entry.also) {
                spellings.insert(Box::from(spelling.as_str()), at);
            }
        }
        let written = || {
            let all = entries.iter();
            all.flat_map(|entry| std::iter::once(&entry.name).chain(&entry.also))
                .map(String::as_str)
        };
        let before_brackets = match form {
            ValueForm::Detail { cutoff: own } if own != cutoff => {
                Some(Matcher::new(written(), own))
            }
            ValueForm::Detail { .. } | ValueForm::Name | ValueForm::Amount { .. } => None,
        };
        ValueNames {
            matcher: Matcher::new(written(), cutoff),
            spellings,
            form,
            before_brackets,
            entries,
        }
    }

    /// Returns the names of the entries, in their order, as people type them.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.entries
            .iter()
            .map(|entry| entry.name.replace('_', " "))
    }

    /// Returns the templates of the texts, with `names` as the slot type of the names.
    pub(super) fn templates(&self, names: &str) -> Vec<String> {
        let name = format!("{{name: {names}}}");
        match self.form {
            ValueForm::Name => vec![name],
            ValueForm::Amount { base } => {
                let count = base.map(|_| "{count: Number}".to_owned());
                let both = [" ", ""].map(|space| format!("{{count: Number}}{space}{name}"));
                both.into_iter().chain([name]).chain(count).collect()
            }
            ValueForm::Detail { .. } => {
                let more = ["{name} ({detail: Text})", "{name}: {detail: Text}"];
                let more = more.map(|line| line.replace("{name}", &name));
                [name].into_iter().chain(more).collect()
            }
        }
    }

    /// Returns the names as people type them, with spaces for `_`.
    pub(super) fn name_table(&self) -> NameTable {
        let mut table = NameTable::new(NameFold::Words);
        for entry in &self.entries {
            for spelling in std::iter::once(&entry.name).chain(&entry.also) {
                table.insert(spelling.replace('_', " "), entry.name.as_str());
            }
        }
        table
    }

    /// Reads a text. `spend` is called with the work of comparisons, as for [`Matcher::best_name`].
    pub fn read_text<'n, 't, E>(
        &'n self,
        text: &'t str,
        spend: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<ValueReading<'n, 't>, E> {
        match self.form {
            ValueForm::Name => {
                let found = self.find_entry(&self.matcher, text, spend)?;
                Ok(self.named(found, Cow::Borrowed))
            }
            ValueForm::Amount { base } => self.read_amount(text, base, spend),
            ValueForm::Detail { .. } => self.read_name_with_detail(text, spend),
        }
    }

    /// Reads a number. Only an amount can be a number alone.
    pub fn read_number(&self, number: f64) -> ValueReading<'_, 'static> {
        let ValueForm::Amount { base } = self.form else {
            return ValueReading::Nothing;
        };
        match Count::of_number(number) {
            Some(count) => self.amount_without_name(count, base),
            None => ValueReading::NotANumber {
                written: "",
                entry: None,
            },
        }
    }

    /// Returns the entry of a name, and the similarity if the name is misspelled.
    fn find_entry<E>(
        &self,
        matcher: &Matcher,
        name: &str,
        spend: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<(usize, Option<Ratio>)>, E> {
        if let Some(entry) = self.spellings.get(name) {
            return Ok(Some((*entry, None)));
        }
        let found = matcher.best_name(name, spend)?;
        Ok(found.map(|(name, ratio)| {
            let differs = ratio < Ratio::new(1, 1);
            (self.spellings[name], Some(ratio).filter(|_| differs))
        }))
    }

    fn named<'n, 't>(
        &'n self,
        found: Option<(usize, Option<Ratio>)>,
        text: impl FnOnce(&'n str) -> Cow<'n, str>,
    ) -> ValueReading<'n, 't> {
        let Some((entry, ratio)) = found else {
            return ValueReading::Nothing;
        };
        ValueReading::Value(WrittenValue {
            entry,
            count: None,
            text: text(&self.entries[entry].name),
            ratio,
        })
    }

    /// Reads a number and a name: `10 min`, `round`, `5`. What follows an opening bracket is a remark.
    fn read_amount<'n, 't, E>(
        &'n self,
        text: &'t str,
        base: Option<usize>,
        spend: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<ValueReading<'n, 't>, E> {
        let (written, name) = split_amount(text);
        let found = match name {
            "" => None,
            name => self.find_entry(&self.matcher, name, spend)?,
        };
        if found.is_none() && (written.is_empty() || !name.is_empty()) {
            return Ok(ValueReading::Nothing);
        }
        let count = match written {
            "" => Some(Count::Plain(1.0)),
            written => Count::parse(written),
        };
        let Some(count) = count else {
            let entry = found.map(|(entry, _)| entry);
            return Ok(ValueReading::NotANumber { written, entry });
        };
        Ok(match found {
            Some((entry, ratio)) => self.amount(count, entry, ratio),
            None => self.amount_without_name(count, base),
        })
    }

    fn amount_without_name(&self, count: Count, base: Option<usize>) -> ValueReading<'_, 'static> {
        match base {
            Some(entry) => self.amount(count, entry, None),
            None => ValueReading::NoName(count),
        }
    }

    fn amount(
        &self,
        count: Count,
        entry: usize,
        ratio: Option<Ratio>,
    ) -> ValueReading<'_, 'static> {
        let text = Cow::Owned(format!("{count} {}", self.entries[entry].name));
        ValueReading::Value(WrittenValue {
            entry,
            count: Some(count),
            text,
            ratio,
        })
    }

    /// Reads a name, perhaps with a detail: `simple (left hand)`, `hindrance: a bad leg`.
    fn read_name_with_detail<'n, 't, E>(
        &'n self,
        text: &'t str,
        spend: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<ValueReading<'n, 't>, E> {
        if self.spellings.contains_key(text) || !text.contains(['(', ':']) {
            let found = self.find_entry(&self.matcher, text, spend)?;
            return Ok(self.named(found, Cow::Borrowed));
        }
        let said = text.trim().to_lowercase();
        if let Some((name, rest)) = said.split_once('(')
            && let Some((detail, _)) = rest.split_once(')')
        {
            let matcher = self.before_brackets.as_ref().unwrap_or(&self.matcher);
            let found = self.find_entry(matcher, name.trim(), spend)?;
            let written = |name: &str| Cow::Owned(format!("{name} ({})", detail.trim()));
            return Ok(self.named(found, written));
        }
        if !said.contains(':') {
            let found = self.find_entry(&self.matcher, text, spend)?;
            return Ok(self.named(found, Cow::Borrowed));
        }
        if let Some(found) = self.find_entry(&self.matcher, &said, spend)? {
            return Ok(self.named(Some(found), Cow::Borrowed));
        }
        let Some((name, detail)) = said.split_once(':').filter(|(_, rest)| !rest.contains(':'))
        else {
            return Ok(ValueReading::Nothing);
        };
        let found = self.find_entry(&self.matcher, name, spend)?;
        let detail = detail.trim();
        Ok(self.named(found, |name| match name.contains(detail) {
            true => Cow::Borrowed(name),
            false => Cow::Owned(format!("{name}: {detail}")),
        }))
    }
}

/// Returns the signs of a number at the beginning, and the name after it, up to an opening bracket. A space may stand
/// before each of them.
fn split_amount(text: &str) -> (&str, &str) {
    let rest = without_space(text);
    let is_sign = |letter: char| letter.is_ascii_digit() || ".+,-".contains(letter);
    let end = rest.find(|letter| !is_sign(letter)).unwrap_or(rest.len());
    let (written, rest) = rest.split_at(end);
    let name = without_space(rest);
    (written, name.split('(').next().unwrap_or(name))
}

/// Returns a text without one ASCII space at its beginning.
fn without_space(text: &str) -> &str {
    text.strip_prefix([' ', '\t', '\n', '\u{b}', '\u{c}', '\r'])
        .unwrap_or(text)
}

#[cfg(test)]
mod tests;
