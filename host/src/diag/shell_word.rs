//! Writes a text as one word of a command line, for hints that a user may paste.

/// Returns the text unchanged, or in quotes if a shell would split it.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,@%=".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        for (text, expected) in [
            ("games/a-1", "games/a-1"),
            ("my games/a", "'my games/a'"),
            ("it's", r"'it'\''s'"),
            ("a$b", "'a$b'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(text), expected);
        }
    }
}
