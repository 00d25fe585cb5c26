//! Reads a journal line by line and finds the first line that differs from the written one.
//!
//! The bytes after the last sound line are a *torn tail* if an unfinished write can have left them. A torn tail has
//! no line end, or it has a hole of zero bytes before the only line end. All other bytes are *broken*: a failing
//! machine does not leave them.
//!
//! A last line with one changed bit, or with another byte as its end, was written completely. It may have been
//! answered, so it is broken and never dropped. A line that was cut off completely leaves no trace. There the promise
//! is the promise of the disk, which had confirmed every answered line.

use std::io::{self, BufRead, Read};

use super::chain::Chain;
use super::operation_line::LINE_BYTES;

/// Maximum length of a line with its end, in bytes.
const WHOLE_LINE: u64 = LINE_BYTES as u64 + 66;

/// Content after the last sound line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    None,
    /// Bytes of an unfinished write.
    Torn,
    /// A line that differs from the written line; the text is the fault.
    Broken(&'static str),
}

/// Result of reading a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Number of sound lines.
    pub lines: u64,
    /// Length of those lines, in bytes.
    pub length: u64,
    /// The CHAIN of the last sound line.
    pub chain: Chain,
    /// Content after the sound lines.
    pub tail: Tail,
}

/// Reads a journal line by line.
#[derive(Debug)]
pub struct Scanner<R> {
    input: R,
    line: Vec<u8>,
    found: Scan,
}

impl<R: BufRead> Scanner<R> {
    /// Returns a reader at the beginning of a journal.
    pub fn new(input: R) -> Scanner<R> {
        let found = Scan {
            lines: 0,
            length: 0,
            chain: Chain::default(),
            tail: Tail::None,
        };
        Scanner {
            input,
            line: Vec::new(),
            found,
        }
    }

    /// Returns the JSON of the next line; none at the end, or if a line differs from the written line.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        if self.found.tail != Tail::None {
            return Ok(None);
        }
        self.line.clear();
        let mut limited = self.input.by_ref().take(WHOLE_LINE);
        limited.read_until(b'\n', &mut self.line)?;
        let whole = self.line.strip_suffix(b"\n");
        let Some((json, chain)) = whole.and_then(|whole| self.found.chain.verified_json(whole))
        else {
            if !self.line.is_empty() {
                self.found.tail = classify_tail(&self.found.chain, &self.line, &mut self.input)?;
            }
            return Ok(None);
        };
        self.found.lines += 1;
        self.found.length += self.line.len() as u64;
        self.found.chain = chain;
        Ok(Some(json))
    }

    /// Returns the result so far.
    pub fn scan_so_far(&self) -> &Scan {
        &self.found
    }
}

/// Classifies a line that is not sound by the bytes that follow it.
fn classify_tail(before: &Chain, line: &[u8], rest: &mut impl Read) -> io::Result<Tail> {
    let is_last = rest.take(1).read_to_end(&mut Vec::new())? == 0;
    let is_whole = line.ends_with(b"\n");
    let may_be_torn = is_last && (!is_whole || line.contains(&0));
    let is_altered = may_be_torn && is_altered(before, line);
    if may_be_torn && !is_altered {
        return Ok(Tail::Torn);
    }
    Ok(Tail::Broken(if is_whole || is_altered {
        "it is not what was written"
    } else {
        "it is longer than a line may be"
    }))
}

/// Returns whether a line that looks torn was written completely: all but its end, or all but one bit, is sound.
fn is_altered(before: &Chain, line: &[u8]) -> bool {
    let Some((end, whole)) = line.split_last() else {
        return false;
    };
    if *end != b'\n' {
        return *end != 0 && before.verified_json(whole).is_some();
    }
    let mut zeros = whole.iter().enumerate().filter(|(_, byte)| **byte == 0);
    let (Some((at, _)), None) = (zeros.next(), zeros.next()) else {
        return false;
    };
    let mut whole = whole.to_vec();
    (0..8).any(|bit| {
        whole[at] = 1 << bit;
        before.verified_json(&whole).is_some()
    })
}
