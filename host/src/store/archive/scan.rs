//! This module reads a journal line by line and finds where it stops being what was written.
//!
//! What is behind the last sound line is a *torn tail* if a write that never ended may have left it: no line end, or
//! a hole of zero bytes before the only one. All else is *broken*: nothing that a failing machine leaves.

use std::io::{self, BufRead, Read};

use super::chain::Chain;
use super::line::LINE_BYTES;

/// Bytes of a line with its end.
const WHOLE_LINE: u64 = LINE_BYTES as u64 + 66;

/// What is behind the last sound line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    None,
    /// What a write that never ended left.
    Torn,
    /// A line that is not what was written; the text says what is wrong.
    Broken(&'static str),
}

/// What was found in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// How many sound lines there are.
    pub lines: u64,
    /// Bytes of those lines.
    pub length: u64,
    /// The end of the last one.
    pub chain: Chain,
    /// What is behind them.
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

    /// Returns the JSON of the next line; none at the end, or where a line is not what was written.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        if self.found.tail != Tail::None {
            return Ok(None);
        }
        self.line.clear();
        let mut limited = self.input.by_ref().take(WHOLE_LINE);
        limited.read_until(b'\n', &mut self.line)?;
        let whole = self.line.strip_suffix(b"\n");
        let Some((json, chain)) = whole.and_then(|whole| self.found.chain.open(whole)) else {
            if !self.line.is_empty() {
                self.found.tail = tail(&self.line, &mut self.input)?;
            }
            return Ok(None);
        };
        self.found.lines += 1;
        self.found.length += self.line.len() as u64;
        self.found.chain = chain;
        Ok(Some(json))
    }

    /// Returns what was found so far.
    pub fn found(&self) -> &Scan {
        &self.found
    }
}

/// Says what a line that is not sound is, by what follows it.
fn tail(line: &[u8], rest: &mut impl Read) -> io::Result<Tail> {
    let is_last = rest.take(1).read_to_end(&mut Vec::new())? == 0;
    let is_whole = line.ends_with(b"\n");
    if is_last && (!is_whole || line.contains(&0)) {
        return Ok(Tail::Torn);
    }
    Ok(Tail::Broken(if is_whole {
        "it is not what was written"
    } else {
        "it is longer than a line may be"
    }))
}
