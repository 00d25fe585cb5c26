//! Joins the lines of a script to commands: a line that ends in `\` continues in the next one.

use std::io;

use host::diag::Diagnostic;

use crate::line_reader::Line;

/// Maximum length of a command in bytes, with the lines that continue it.
pub(super) const LONGEST: usize = 8 << 10;

/// Returns the next line with those that continue it: Luau keeps its line ends, a command gets spaces.
pub(super) fn next_joined_line(
    mut next: impl FnMut() -> io::Result<Option<Line>>,
) -> io::Result<Option<Line>> {
    let Some((number, line)) = next()? else {
        return Ok(None);
    };
    let Ok(mut text) = line else {
        return Ok(Some((number, line)));
    };
    if text.trim_start().starts_with('#') {
        return Ok(Some((number, Ok(text))));
    }
    let end = if text.trim_start().starts_with('=') {
        '\n'
    } else {
        ' '
    };
    let mut length = text.len();
    while text.ends_with('\\') {
        text.pop();
        match next()? {
            Some((_, Ok(more))) => {
                length += more.len();
                if length <= LONGEST {
                    text.push(end);
                    text.push_str(&more);
                } else if more.ends_with('\\') {
                    text.push('\\');
                }
            }
            Some((number, Err(refusal))) => return Ok(Some((number, Err(refusal)))),
            None => break,
        }
    }
    let line = if length <= LONGEST {
        Ok(text)
    } else {
        Err(too_long_refusal(length))
    };
    Ok(Some((number, line)))
}

fn too_long_refusal(length: usize) -> Box<Diagnostic> {
    let message = format!(
        "the line and its continuation lines have {length} bytes, but at most {LONGEST} are allowed"
    );
    let finding = Diagnostic::error("limit/size", message);
    Box::new(finding.hint("a `\\` at the end continues a line; nothing was done"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_reader::Lines;

    fn all(text: &str) -> Vec<(usize, Result<String, String>)> {
        let mut lines = Lines::new(text.as_bytes());
        let next = || next_joined_line(|| lines.next_line()).unwrap();
        let all = std::iter::from_fn(next);
        all.map(|(number, line)| (number, line.map_err(|refusal| refusal.code.to_string())))
            .collect()
    }

    #[test]
    fn a_backslash_continues_a_line() {
        let found = all("one \\\n two\n= {\\\n1}\n# not \\\nlast\\");
        let found: Vec<(usize, String)> = found
            .into_iter()
            .map(|(number, line)| (number, line.unwrap()))
            .collect();
        let expected = [
            (1, "one   two"),
            (3, "= {\n1}"),
            (5, "# not \\"),
            (6, "last"),
        ];
        assert_eq!(
            found,
            expected.map(|(number, line)| (number, line.to_owned()))
        );
    }

    #[test]
    fn lines_that_go_on_for_too_long_are_one_refusal_and_the_next_line_is_read() {
        let long = format!("{}\\\n", "a".repeat(1_000));
        for lines in [8, 9, 5_000] {
            let found = all(&format!("{}end\nnext", long.repeat(lines)));
            assert_eq!(found.len(), 2, "{lines}");
            assert_eq!(found[0].1.is_ok(), lines == 8, "{lines}");
            assert_eq!(found[1], (lines + 2, Ok("next".to_owned())));
        }
        let found = all(&format!("{}\\\n\n", "a".repeat(8_192)));
        assert_eq!(found[0].1, Err("limit/size".to_owned()));
    }
}
