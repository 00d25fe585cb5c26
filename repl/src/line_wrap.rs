//! Breaks messages beside the results between words, if the screen is narrower.
//!
//! Lines of files stay whole, because the marks below them must keep their places. Colour codes have no width.

use unicode_width::UnicodeWidthStr;

/// Minimum number of columns for breaking: on narrower screens each word would be alone.
const NARROW: usize = 20;

/// Returns a text with lines broken between words; continued text is aligned with its beginning.
pub(crate) fn wrap_lines(text: &str, columns: usize) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| wrap_line(line, columns))
        .collect();
    lines.join("\n")
}

fn wrap_line(line: &str, columns: usize) -> String {
    let plain = strip_colours(line);
    if columns < NARROW || plain.width() <= columns || is_source_excerpt(&plain) {
        return line.to_owned();
    }
    let indent = continuation_indent(&plain).min(columns / 2);
    let (mut out, mut used) = (String::new(), 0);
    for (index, word) in line.split(' ').enumerate() {
        let wide = strip_colours(word).width();
        if index > 0 && used > indent && used + 1 + wide > columns {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        } else if index > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += wide;
    }
    out
}

/// Returns the indent of continued text: after `= hint: ` and the like, else below the beginning.
fn continuation_indent(plain: &str) -> usize {
    let blanks = plain.len() - plain.trim_start().len();
    let label = ["= hint: ", "= note: ", "= "]
        .into_iter()
        .find(|label| plain[blanks..].starts_with(label));
    blanks + label.map_or(2, str::len)
}

/// Returns whether a line shows a line of a file, the marks below it, or its place: `12 | text`, `   | ^^^`, `--> a:1`.
fn is_source_excerpt(plain: &str) -> bool {
    let rest = plain
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start();
    rest.starts_with('|') || rest.starts_with("-->")
}

/// Returns a text without the codes of colours.
fn strip_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, code)) = rest.split_once("\x1b[") {
        out.push_str(before);
        rest = code.split_once('m').map_or("", |(_, behind)| behind);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_go_on_below_their_begin() {
        assert_eq!(wrap_lines("short\nlines stay", 20), "short\nlines stay");
        let told = wrap_lines("error[a/b]: one two three four five", 24);
        assert_eq!(told, "error[a/b]: one two\n  three four five");
        let hint = wrap_lines("  = hint: one two three four", 22);
        assert_eq!(hint, "  = hint: one two\n          three four");
    }

    #[test]
    fn colour_takes_no_room() {
        let told = "\x1b[1m\x1b[91merror\x1b[0m: one two thr";
        assert_eq!(wrap_lines(told, 20), told);
    }

    #[test]
    fn a_long_word_and_a_line_of_a_file_stay_whole() {
        let word = "x".repeat(30);
        assert_eq!(wrap_lines(&word, 20), word);
        for line in [
            "12 | let a = b and c and d",
            "   |     ^^^^^^^^ ^^^^^^^^",
            "  --> a folder/with a long name.luau:1:2",
        ] {
            assert_eq!(wrap_lines(line, 20), line);
        }
        assert_eq!(
            wrap_lines("one two three four five", 4),
            "one two three four five"
        );
    }
}
