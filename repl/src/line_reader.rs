//! Reads lines from a file or pipe: of limited length, and as bytes until they are proved to be text.

use std::io::{self, BufRead, Read};

use host::diag::Diagnostic;

/// Maximum length of a line in bytes; longer lines are skipped.
pub(crate) const LONGEST: usize = 1 << 20;
/// Maximum length of a skipped line in bytes; an even longer line is not text, and reading ends.
pub(crate) const GIVEN_UP: usize = 16 << 20;

/// Lines with their numbers.
pub(crate) struct Lines<R> {
    reader: R,
    number: usize,
    /// Whether reading of a line was given up: its end is unknown.
    is_given_up: bool,
}

/// One line: its number from 1, and its text or the reason why it has none.
pub(crate) type Line = (usize, Result<String, Box<Diagnostic>>);

impl<R: BufRead> Lines<R> {
    /// Returns the lines of a reader.
    pub(crate) fn new(reader: R) -> Lines<R> {
        Lines {
            reader,
            number: 0,
            is_given_up: false,
        }
    }

    /// Returns the next line without its end; `None` at the end of input.
    ///
    /// Errors: the reader fails. A line that is too long or not UTF-8 has a refusal in place of its text. A line that
    /// does not seem to end is the last one.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        if self.is_given_up {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let limit = LONGEST as u64 + 1;
        if self
            .reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut bytes)?
            == 0
        {
            return Ok(None);
        }
        self.number += 1;
        let is_whole = bytes.ends_with(b"\n") || bytes.len() <= LONGEST;
        if !is_whole {
            self.is_given_up = !self.skip_rest_of_line()?;
            let refusal = if self.is_given_up {
                endless_line_refusal()
            } else {
                too_long_refusal()
            };
            return Ok(Some((self.number, Err(refusal))));
        }
        Ok(Some((self.number, decode_line(bytes, self.number == 1))))
    }

    /// Skips the rest of a line without storing it; returns false if it is too long.
    fn skip_rest_of_line(&mut self) -> io::Result<bool> {
        let mut left = GIVEN_UP;
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let passed = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(passed);
            if end.is_some() || passed == 0 {
                return Ok(true);
            }
            if passed >= left {
                return Ok(false);
            }
            left -= passed;
        }
    }
}

fn decode_line(mut bytes: Vec<u8>, is_first: bool) -> Result<String, Box<Diagnostic>> {
    while bytes
        .last()
        .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
    {
        bytes.pop();
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| no_text_refusal(error.utf8_error().valid_up_to()))?;
    let text = if is_first {
        text.trim_start_matches('\u{feff}').to_owned()
    } else {
        text
    };
    Ok(text)
}

fn no_text_refusal(at: usize) -> Box<Diagnostic> {
    let message = format!("the line is not valid UTF-8 from byte {}", at + 1);
    Box::new(
        Diagnostic::error("phrase/encoding", message)
            .hint("save the file as UTF-8; nothing was done"),
    )
}

fn too_long_refusal() -> Box<Diagnostic> {
    let message = format!("the line has more than {LONGEST} bytes");
    Box::new(Diagnostic::error("limit/size", message).hint("nothing was done"))
}

fn endless_line_refusal() -> Box<Diagnostic> {
    let message = format!(
        "the line does not end within {} MiB",
        (LONGEST + GIVEN_UP) >> 20
    );
    Box::new(Diagnostic::error("limit/size", message).hint("nothing after it is read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all_lines(bytes: &[u8]) -> Vec<(usize, Result<String, String>)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(7, bytes));
        let next = || lines.next_line().unwrap();
        let all = std::iter::from_fn(next);
        all.map(|(number, line)| (number, line.map_err(|finding| finding.code.to_string())))
            .collect()
    }

    #[test]
    fn lines_lose_their_ends_and_keep_their_numbers() {
        let found = read_all_lines("\u{feff}one\r\n\ntwo".as_bytes());
        assert_eq!(
            found,
            [
                (1, Ok("one".to_owned())),
                (2, Ok(String::new())),
                (3, Ok("two".to_owned()))
            ]
        );
        assert_eq!(read_all_lines(b""), []);
    }

    #[test]
    fn a_bad_line_does_not_stop_the_next_one() {
        let found = read_all_lines(b"a\xff\nb\n");
        assert_eq!(
            found,
            [
                (1, Err("phrase/encoding".to_owned())),
                (2, Ok("b".to_owned()))
            ]
        );
    }

    #[test]
    fn a_line_at_the_limit_is_read_and_a_longer_one_is_passed_over() {
        let whole = "x".repeat(LONGEST);
        let found = read_all_lines(format!("{whole}\n{whole}y\nz\n{whole}y").as_bytes());
        assert_eq!(found[0].1.as_ref().map(String::len), Ok(LONGEST));
        assert_eq!(found[1], (2, Err("limit/size".to_owned())));
        assert_eq!(found[2], (3, Ok("z".to_owned())));
        assert_eq!(found[3], (4, Err("limit/size".to_owned())));
    }

    #[test]
    fn a_line_that_does_not_end_is_the_last() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(0)));
        let (number, line) = lines.next_line().unwrap().unwrap();
        let refusal = line.unwrap_err();
        assert_eq!(
            (number, refusal.code.as_ref(), refusal.message.as_str()),
            (1, "limit/size", "the line does not end within 17 MiB")
        );
        assert!(lines.next_line().unwrap().is_none());
    }
}
