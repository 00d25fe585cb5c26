//! Compares the output of a command with the expected output.

use crate::counted_noun::counted_noun;

/// Number of lines of a difference that are shown on each side.
const SHOWN: usize = 20;

/// A line that matches any lines.
const ANY: &str = "...";

/// Returns the difference of the lines: `-` expected, `+` found, a space for lines around; `None` if they match.
pub(crate) fn line_difference(expected: &[&str], actual: &[String]) -> Option<Vec<String>> {
    let actual: Vec<&str> = actual.iter().map(|line| line.trim_end()).collect();
    let expected: Vec<&str> = expected.iter().map(|line| line.trim_end()).collect();
    (!lines_match(&expected, &actual)).then(|| difference_lines(&expected, &actual))
}

/// Returns whether the lines match; `...` matches any lines, also none.
fn lines_match(expected: &[&str], actual: &[&str]) -> bool {
    let (mut want, mut have) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while have < actual.len() {
        match expected.get(want) {
            Some(&ANY) => {
                back = Some((want, have));
                want += 1;
            }
            Some(line) if *line == actual[have] => (want, have) = (want + 1, have + 1),
            Some(_) | None => {
                let Some((any, from)) = back else {
                    return false;
                };
                back = Some((any, from + 1));
                (want, have) = (any + 1, from + 1);
            }
        }
    }
    expected[want..].iter().all(|line| *line == ANY)
}

fn difference_lines(expected: &[&str], actual: &[&str]) -> Vec<String> {
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = expected.iter().zip(actual).take_while(same).count();
    let (expected_rest, actual_rest) = (&expected[head..], &actual[head..]);
    let tail = expected_rest
        .iter()
        .rev()
        .zip(actual_rest.iter().rev())
        .take_while(same)
        .count();
    let mut lines = Vec::new();
    let around = |line: &&str| format!("  {line}");
    lines.extend(expected[head.saturating_sub(2)..head].iter().map(around));
    lines.extend(marked_lines(
        '-',
        &expected_rest[..expected_rest.len() - tail],
    ));
    lines.extend(marked_lines('+', &actual_rest[..actual_rest.len() - tail]));
    lines.extend(
        actual_rest[actual_rest.len() - tail..]
            .iter()
            .take(2)
            .map(around),
    );
    lines
}

fn marked_lines(mark: char, lines: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = lines
        .iter()
        .take(SHOWN)
        .map(|line| format!("{mark} {line}"))
        .collect();
    if lines.len() > SHOWN {
        let more = counted_noun(lines.len() - SHOWN, "line");
        out.push(format!("{mark} … {more} more"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(expected: &str, actual: &str) -> Option<String> {
        let expected: Vec<&str> = expected.lines().collect();
        let actual: Vec<String> = actual.lines().map(str::to_owned).collect();
        line_difference(&expected, &actual).map(|lines| lines.join("\n"))
    }

    #[test]
    fn equal_lines_fit_whatever_blanks_end_them() {
        assert_eq!(differs("a\nb", "a \nb"), None);
        assert_eq!(differs("", ""), None);
    }

    #[test]
    fn dots_stand_for_any_lines() {
        for (expected, actual) in [
            ("...", ""),
            ("...", "a\nb"),
            ("a\n...\nd", "a\nb\nc\nd"),
            ("...\nb\n...\nb", "b\nc\nb\na\nb"),
        ] {
            assert_eq!(differs(expected, actual), None, "{expected}");
        }
        for (expected, actual) in [("a\n...", "b"), ("...\nd", "d\ne"), ("a\n...\na", "a")] {
            assert!(differs(expected, actual).is_some(), "{expected}");
        }
    }

    #[test]
    fn a_difference_shows_both_sides_and_little_around() {
        let found = differs("a\nb\nc\nold\nx\ny\nz", "a\nb\nc\nnew\nmore\nx\ny\nz").unwrap();
        assert_eq!(found, "  b\n  c\n- old\n+ new\n+ more\n  x\n  y");
        assert_eq!(differs("a", "").unwrap(), "- a");
        let many = "n\n".repeat(30);
        assert!(differs("a", &many).unwrap().ends_with("+ … 10 lines more"));
    }
}
