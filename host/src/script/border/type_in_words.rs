//! Words of script authors for the kind of a found value, for messages about unexpected values.

/// Returns the words for the result of `type_name` of a value, with their article.
pub(crate) fn type_in_words(type_name: &str) -> String {
    match type_name {
        "string" => "a text".to_owned(),
        "nil" => "nothing".to_owned(),
        "integer" | "number" => "a number".to_owned(),
        "error" => "an error".to_owned(),
        other => format!("a {other}"),
    }
}
