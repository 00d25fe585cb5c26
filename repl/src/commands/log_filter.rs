//! The filter of `log`: selects lines by the giver of the command, its result, and its words.

use host::doc::Viewer;
use host::game::{Entry, Fiat, Validities};
use host::store::What;
use host::value::Names;

/// The conditions for a log line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// The number of last lines to list.
    pub(super) count: Option<usize>,
    by: Option<String>,
    refused: bool,
    undone: bool,
    fiat: bool,
    about: Vec<String>,
}

/// The error of a filter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// No name follows `by`.
    ByNobody,
    /// The number of lines is zero.
    NoLines,
}

impl Filter {
    /// Reads the words of a filter: a number, `by WHO`, `refused`, `undone`, `fiat`; any other word must be in the line.
    ///
    /// Errors: no name follows `by`; the number of lines is zero.
    pub(super) fn parse(text: &str) -> Result<Filter, Wrong> {
        let mut filter = Filter::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word.to_lowercase().as_str() {
                "by" => filter.by = Some(words.next().ok_or(Wrong::ByNobody)?.to_owned()),
                "refused" => filter.refused = true,
                "undone" => filter.undone = true,
                "fiat" => filter.fiat = true,
                other => match other.parse() {
                    Ok(0) => return Err(Wrong::NoLines),
                    Ok(count) => filter.count = Some(count),
                    Err(_) => filter.about.push(other.to_owned()),
                },
            }
        }
        Ok(filter)
    }

    /// Returns the name after `by`, if there is one.
    pub(super) fn giver_name(&self) -> Option<&str> {
        self.by.as_deref()
    }

    /// Returns whether the filter has no words; the number does not count.
    pub(super) fn is_empty(&self) -> bool {
        self.filter_words().is_empty()
    }

    /// Returns whether all words of the filter must be in the line.
    pub(super) fn has_only_words(&self) -> bool {
        self.by.is_none() && !self.refused && !self.undone && !self.fiat
    }

    /// Returns the words of the filter without the number.
    pub(super) fn filter_words(&self) -> String {
        let by = self.by.as_ref().map(|by| format!("by {by}"));
        let refused = self.refused.then(|| "refused".to_owned());
        let undone = self.undone.then(|| "undone".to_owned());
        let fiat = self.fiat.then(|| "fiat".to_owned());
        let words = [by, refused, undone, fiat].into_iter().flatten();
        let words: Vec<String> = words.chain(self.about.iter().cloned()).collect();
        words.join(" ")
    }

    /// Returns whether the filter selects a line. For a seat, conditions select its own commands only.
    pub(super) fn matches_entry(
        &self,
        entry: &Entry<'_>,
        live: &Validities,
        (viewer, names): (&Viewer, &Names),
    ) -> bool {
        let operation = entry.operation;
        let is_refused = matches!(operation.what, What::Refused { .. });
        let is_undone = operation.what == What::Ruling && !live.has_effect(operation.seq);
        let asks_for_own =
            self.by.is_some() || self.refused || self.undone || self.fiat || !self.about.is_empty();
        if asks_for_own && !entry.is_own {
            return false;
        }
        let by = self.by.as_ref().map(|by| by.to_lowercase());
        let about = |word: &String| {
            let mut of_command = operation.command.split_whitespace();
            let is_named = of_command.any(|one| one.to_lowercase() == *word);
            let is_changed = || {
                let mut rows = operation
                    .changes
                    .iter()
                    .map(|change| names.text(change.row));
                *viewer == Viewer::Gm && rows.any(|row| row.to_lowercase() == *word)
            };
            is_named || is_changed()
        };
        by.is_none_or(|by| operation.by.to_lowercase() == by)
            && (!self.refused || is_refused)
            && (!self.undone || is_undone)
            && (!self.fiat || Fiat::of(operation).is_some())
            && self.about.iter().all(about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_order_and_said_again() {
        let filter = Filter::parse("Cheer 5 by Bo refused").unwrap();
        assert_eq!(filter.count, Some(5));
        assert_eq!(filter.filter_words(), "by Bo refused cheer");
        let again = Filter::parse(&filter.filter_words()).unwrap();
        assert_eq!(again.filter_words(), filter.filter_words());
        assert!(Filter::parse("").unwrap().is_empty() && Filter::parse("7").unwrap().is_empty());
        assert_eq!(Filter::parse("cheer by"), Err(Wrong::ByNobody));
        assert_eq!(Filter::parse("by bo 0"), Err(Wrong::NoLines));
    }
}
