//! Pieces of Markdown for generated pages.

/// Returns a table with a head.
pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut text = line(&head);
    text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell_text(cell)).collect();
        text.push_str(&line(&cells));
    }
    text
}

/// Returns text for a cell of a table: one line, in which a bar does not end the cell.
fn cell_text(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<&str>>()
        .join(" ")
        .replace('|', "\\|")
}

/// Returns text as code. A text with a backtick gets two of them around it.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Returns a sentence: with a capital at its start and a full stop at its end. A call at its start is left as it is.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    let word = text.split(' ').next().unwrap_or_default();
    let text = if word.contains(['(', '_']) {
        text.to_owned()
    } else {
        let mut chars = text.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + chars.as_str()
    };
    match text.chars().last() {
        None | Some('.' | '!' | '?' | ':') => text,
        Some(_) => text + ".",
    }
}

/// Returns text in which characters with a meaning in Markdown outside of code mean nothing.
pub(super) fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(number, part)| {
        if number % 2 == 1 {
            return part.to_owned();
        }
        let mut out = String::new();
        for c in part.chars() {
            if matches!(c, '<' | '*' | '_' | '[' | ']' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    });
    parts.collect::<Vec<String>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_bars_and_have_one_line() {
        let rows = [vec!["a|b".to_owned(), "c\n d".to_owned()]];
        assert_eq!(
            table(&["x", "y"], rows),
            "| x | y |\n|---|---|\n| a\\|b | c d |\n"
        );
    }

    #[test]
    fn only_text_outside_of_code_is_escaped() {
        assert_eq!(escaped("a <b> `c_<d>` e_f"), "a \\<b> `c_<d>` e\\_f");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(sentence("takes it back"), "Takes it back.");
        assert_eq!(sentence("run(act) returns it"), "run(act) returns it.");
    }
}
