//! Completes Luau: functions of the script API, and ids of the game inside a string.

use host::script::declarations;

use super::suggestion::{Suggestions, matching_suggestions, without_descriptions};

/// Returns names of the script API, or the ids of the game inside a string.
pub(super) fn luau_suggestions(before: &str, ids: &[String]) -> Suggestions {
    if let Some(start) = open_text_start(before) {
        return matching_suggestions(
            start,
            &before[start..],
            without_descriptions(ids.iter().cloned()),
        );
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let start = before.len()
        - before
            .chars()
            .rev()
            .take_while(|c| is_name(*c))
            .map(char::len_utf8)
            .sum::<usize>();
    matching_suggestions(start, &before[start..], without_descriptions(api_names()))
}

/// Returns the start of the string that contains the cursor, if there is one.
fn open_text_start(before: &str) -> Option<usize> {
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, c) in before.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((quote, _)) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => open = Some((c, at + 1)),
            None => {}
        }
    }
    open.map(|(_, at)| at)
}

/// Returns every function of the script API as it is called: `act:get(`, `dice.fold(`.
pub(crate) fn api_names() -> Vec<String> {
    let mut names = Vec::new();
    for group in declarations() {
        for function in &group.functions {
            names.push(match (group.is_type, function.name == group.name) {
                (true, _) => format!("{}:{}(", group.name.to_lowercase(), function.name),
                (false, true) => format!("{}(", function.name),
                (false, false) => format!("{}.{}(", group.name, function.name),
            });
        }
    }
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested_texts(suggestions: &Suggestions) -> Vec<&str> {
        let list = suggestions.list.iter();
        list.map(|one| one.text.as_str()).collect()
    }

    #[test]
    fn luau_offers_the_api_and_ids_inside_texts() {
        let ids = ["ann".to_owned(), "bo".to_owned()];
        let found = luau_suggestions("= 1 + act:ge", &ids);
        assert_eq!(
            (found.start, suggested_texts(&found)),
            (6, vec!["act:get(", "act:get_decimal("])
        );
        let found = luau_suggestions("= act:get(\"a", &ids);
        assert_eq!((found.start, suggested_texts(&found)), (11, vec!["ann"]));
        assert_eq!(open_text_start("= f('it\\'s', \""), Some(14));
        assert_eq!(open_text_start("= f(\"a\")"), None);
    }
}
