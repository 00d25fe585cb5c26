//! The filters of handlers: tests on the fields of an event that decide whether a handler handles it.

use crate::diag::near_hint;
use crate::script::declare::listener_rows::untestable_map_reason;
use crate::store::Test;
use crate::value::{Name, Names, Value, value_at_path};

/// The required value of a filter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// A value that passes a test.
    Passes(Test),
    /// The listener.
    Itself,
    /// The entity that bears the listener.
    Bearer,
}

/// A filter on the value at a path of an event: keys and numbers of list items from 1, with points between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) path: String,
    pub(crate) wanted: Wanted,
}

/// The words that a filter may require in place of a plain value.
const WORDS: [&str; 2] = ["@self", "@bearer"];

impl Filter {
    /// Reads the `where` of a handler. Errors: a value that is not a test: its path, the error, and a suggestion.
    pub(crate) fn read_where_filters(said: &Value) -> Result<Vec<Filter>, (String, String)> {
        let entries = said.as_map().into_iter().flatten();
        let read = entries.map(|(path, value)| {
            if let Some((wrong, hint)) = untestable_reason(value) {
                return Err((format!("has a `where` for `{path}` that {wrong}"), hint));
            }
            Ok(Filter {
                path: path.to_string(),
                wanted: match value.as_str() {
                    Some("@self") => Wanted::Itself,
                    Some("@bearer") => Wanted::Bearer,
                    _ => Wanted::Passes(Test::from_value(value)),
                },
            })
        });
        read.collect()
    }

    /// Returns whether it requires the listener or its bearer, so that listeners are found from the value.
    pub(crate) fn wants_element_or_bearer(&self) -> bool {
        matches!(self.wanted, Wanted::Itself | Wanted::Bearer)
    }

    /// Returns whether it requires the bearer, who may bear several listeners.
    pub(crate) fn wants_bearer(&self) -> bool {
        self.wanted == Wanted::Bearer
    }

    /// Returns whether the fields of an event pass.
    pub(crate) fn passes(
        &self,
        names: &Names,
        (element, bearer): (Name, Name),
        fields: &Value,
    ) -> bool {
        let found = value_at_path(fields, &self.path);
        let is_name = |name: Name| {
            found
                .as_str()
                .is_some_and(|text| *text == *names.text(name))
        };
        match &self.wanted {
            Wanted::Passes(test) => test.passes(found),
            Wanted::Itself => is_name(element),
            Wanted::Bearer => is_name(bearer),
        }
    }

    /// Returns the required and the present value, in words.
    pub(crate) fn filter_mismatch_in_words(
        &self,
        names: &Names,
        (element, bearer): (Name, Name),
        fields: &Value,
    ) -> String {
        let wanted = match &self.wanted {
            Wanted::Passes(test) => test_value_in_words(test),
            Wanted::Itself => names.text(element).to_string(),
            Wanted::Bearer => names.text(bearer).to_string(),
        };
        let found = value_at_path(fields, &self.path);
        format!("{} should be {wanted}, but is {found}", self.path)
    }
}

/// Returns why a value is not a usable test, and a suggestion. Returns nothing for a usable test.
pub(crate) fn untestable_reason(value: &Value) -> Option<(String, String)> {
    if let Some(word) = value.as_str().filter(|text| text.starts_with('@')) {
        let is_known = WORDS.contains(&word);
        let near = near_hint(word, WORDS);
        return (!is_known).then(|| (format!("has the unknown word \"{word}\""), near));
    }
    untestable_map_reason(value)
}

/// Returns the required value of a test in words.
pub(crate) fn test_value_in_words(test: &Test) -> String {
    match test {
        Test::Is(value) => value.to_string(),
        Test::OneOf(values) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            format!("one of {}", values.join(", "))
        }
        Test::OtherThan(value) => format!("other than {value}"),
    }
}
