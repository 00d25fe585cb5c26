//! Suggestions of Tab: texts that may be written, each with a short description.

/// Maximum number of letters of a description.
const FEW: usize = 48;

/// Texts that may replace the text from `start` to the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suggestions {
    /// Byte offset of the replaced text.
    pub(crate) start: usize,
    /// The texts, in order.
    pub(crate) list: Vec<Suggestion>,
}

/// One text that may be written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Suggestion {
    /// The text as listed.
    pub(crate) shown: String,
    /// The text as written.
    pub(crate) text: String,
    /// A short description; empty if there is none.
    pub(crate) about: String,
}

/// Returns names without descriptions.
pub(super) fn without_descriptions(
    names: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = (String, String)> {
    names.into_iter().map(|name| (name, String::new()))
}

/// Returns the names that begin with the typed text, each with a short description.
pub(super) fn matching_suggestions(
    start: usize,
    typed: &str,
    names: impl IntoIterator<Item = (String, String)>,
) -> Suggestions {
    let fits = |(name, _): &(String, String)| {
        name.get(..typed.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(typed))
    };
    let list = names
        .into_iter()
        .filter(fits)
        .map(|(name, about)| Suggestion {
            shown: name.clone(),
            text: name,
            about: first_words_of_sentence(&about),
        });
    Suggestions {
        start,
        list: list.collect(),
    }
}

/// Returns the first words of a sentence: up to its explanation, or as many as are easily read.
pub(super) fn first_words_of_sentence(text: &str) -> String {
    let ends = [": ", "; ", ". ", "\n"].into_iter();
    let end = ends.filter_map(|end| text.find(end)).min();
    shorten_text(text[..end.unwrap_or(text.len())].trim_end_matches('.'))
}

/// Returns as many words of a text as are easily read.
pub(super) fn shorten_text(text: &str) -> String {
    let Some((most, _)) = text.char_indices().nth(FEW) else {
        return text.to_owned();
    };
    let at = text[..most].rfind(' ').unwrap_or(most);
    format!("{} …", text[..at].trim_end_matches([',', ' ']))
}
