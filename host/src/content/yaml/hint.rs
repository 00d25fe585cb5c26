//! Guesses from the lines around a YAML syntax error which of the common mistakes it is.

use crate::diag::{Fix, Position, Source, Span};

/// Returns the place to show, and advice, for an error that the parser reported at `offset`.
///
/// A parser often reports a mistake on a later line than its own, so the line before is checked too.
pub(super) fn explain_syntax_error(source: &Source, offset: usize) -> (Span, Vec<String>) {
    let line = source.position(offset).line;
    let before = last_nonempty_line_before(source, line);
    for number in [Some(line), before].into_iter().flatten() {
        let start = source.offset(Position {
            line: number,
            column: 1,
        });
        let text = source.text()[start..]
            .split('\n')
            .next()
            .unwrap_or_default();
        if let Some((at, length, advice)) = common_mistake(text) {
            return (Span::new(start + at, start + at + length), vec![advice]);
        }
    }
    let advice = "indent all keys of one map equally, and further than the key above them";
    (character_span(source, offset), vec![advice.to_owned()])
}

/// Returns a possible fix for the mistake at the place from [`explain_syntax_error`]. The caller tries whether it
/// helps.
pub(super) fn syntax_error_fix(source: &Source, mistake: Span) -> Option<Fix> {
    match source.slice(mistake) {
        "\t" => Some(tabs_to_spaces_fix(source)),
        ":" => {
            let next = source.text()[mistake.end..].chars().next()?;
            let glued = !next.is_whitespace();
            glued.then(|| Fix::new(Span::new(mistake.end, mistake.end), " "))
        }
        _ => None,
    }
}

/// Returns the text with two spaces for each tab of an indentation.
fn tabs_to_spaces_fix(source: &Source) -> Fix {
    let lines = source.text().split_inclusive('\n').map(|line| {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - rest.len()];
        indent.replace('\t', "  ") + rest
    });
    let whole = Span::new(0, source.text().len());
    Fix::new(whole, lines.collect::<String>())
}

fn last_nonempty_line_before(source: &Source, line: usize) -> Option<usize> {
    let written = |number: &usize| !source.slice(source.line_span(*number)).is_empty();
    (1..line).rev().take(50).find(written)
}

fn character_span(source: &Source, offset: usize) -> Span {
    let length = source.text()[offset..]
        .chars()
        .next()
        .filter(|c| *c != '\n')
        .map_or(0, char::len_utf8);
    Span::new(offset, offset + length)
}

/// Returns place, length and advice for the first common mistake of a line.
fn common_mistake(line: &str) -> Option<(usize, usize, String)> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    if let Some(tab) = line[..indent].find('\t') {
        return Some((
            tab,
            1,
            "indent with spaces: YAML does not allow tabs".to_owned(),
        ));
    }
    let start = indent + dash_marks_length(&line[indent..]);
    let rest = &line[start..];
    let colon = rest.find(':');
    let value = colon
        .filter(|at| rest[at + 1..].starts_with(' '))
        .map_or(0, |at| at + 2);
    let value = value + rest[value..].len() - rest[value..].trim_start().len();
    find_bad_value_start(&rest[value..])
        .map(|(length, advice)| (start + value, length, advice))
        .or_else(|| {
            find_missing_space_after_colon(rest).map(|(at, advice)| (start + at, 1, advice))
        })
        .or_else(|| {
            find_second_colon(&rest[value..]).map(|(at, advice)| (start + value + at, 1, advice))
        })
}

/// Returns the length of the `- ` marks at the beginning.
fn dash_marks_length(text: &str) -> usize {
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("- ") {
        rest = inner.trim_start_matches(' ');
    }
    text.len() - rest.len()
}

/// Finds an unclosed quote, bracket or a sign that no bare text may begin with.
fn find_bad_value_start(value: &str) -> Option<(usize, String)> {
    let first = value.chars().next()?;
    let unclosed = |quote: char| value.matches(quote).count() % 2 == 1;
    let advice = match first {
        '"' | '\'' if unclosed(first) => {
            format!("the quote {first} that opens here is not closed in this line")
        }
        '"' | '\'' => {
            let after = value[1..]
                .find(first)
                .map(|at| value[at + 2..].trim_start())?;
            let ended = after.is_empty() || after.starts_with(['#', ',', ']', '}', ':']);
            if ended {
                return None;
            }
            "nothing may follow a text in quotes: put the whole value in quotes".to_owned()
        }
        '[' if value.matches('[').count() > value.matches(']').count() => {
            "the bracket [ is not closed in this line".to_owned()
        }
        '{' if value.matches('{').count() > value.matches('}').count() => {
            "the bracket { is not closed in this line".to_owned()
        }
        '@' | '`' | '%' | '*' | '&' | '!' | ']' | '}' | ',' => {
            format!("put a text that begins with {first} in quotes")
        }
        _ => return None,
    };
    Some((1, advice))
}

/// Finds `key:value`.
fn find_missing_space_after_colon(rest: &str) -> Option<(usize, String)> {
    let colon = rest.find(':')?;
    let key = &rest[..colon];
    let word = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
    let follows = rest[colon + 1..].chars().next()?;
    (word && !follows.is_whitespace() && follows != '/' && follows != ':').then(|| {
        (
            colon,
            "write a space after the colon: `key: value`".to_owned(),
        )
    })
}

/// Finds `key: text: text`.
fn find_second_colon(value: &str) -> Option<(usize, String)> {
    let bare = !value.starts_with(['"', '\'', '[', '{', '|', '>', '#']);
    let at = value
        .find(": ")
        .or_else(|| value.ends_with(':').then(|| value.len() - 1))?;
    (bare && at > 0).then(|| {
        (
            at,
            "put a text that contains a colon and a space in quotes".to_owned(),
        )
    })
}
