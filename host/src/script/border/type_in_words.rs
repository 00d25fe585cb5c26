//! Says in the words of script authors what was found where something else was expected.

/// Returns the words for what `type_name` of a value says, with their article.
pub(crate) fn type_in_words(type_name: &str) -> String {
    match type_name {
        "string" => "a text".to_owned(),
        "nil" => "nothing".to_owned(),
        "integer" | "number" => "a number".to_owned(),
        "error" => "an error".to_owned(),
        other => format!("a {other}"),
    }
}
