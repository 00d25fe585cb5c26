//! What Tab lists: texts that may be written, each with a few words about it.

/// Letters of what is said about an offer.
const FEW: usize = 48;

/// What may stand in place of the text from `start` to the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suggestions {
    /// Byte offset of what is replaced.
    pub(crate) start: usize,
    /// The texts, in order.
    pub(crate) list: Vec<Suggestion>,
}

/// One text that may be written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Suggestion {
    /// As it is listed.
    pub(crate) shown: String,
    /// As it is written.
    pub(crate) text: String,
    /// A few words about it; empty where there is nothing to say.
    pub(crate) about: String,
}

/// Returns names about which there is nothing to say.
pub(super) fn without_descriptions(
    names: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = (String, String)> {
    names.into_iter().map(|name| (name, String::new()))
}

/// Returns the names that begin with what was typed of them, each with a few words about it.
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

/// Returns the first words of a sentence: up to where it begins to explain itself, or as many as are easily read.
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
