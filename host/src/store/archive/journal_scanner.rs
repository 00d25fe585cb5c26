//! Reads a journal line by line and finds where it stops being what was written.
//!
//! What is behind the last sound line is a *torn tail* if a write that never ended may have left it: no line end, or
//! a hole of zero bytes before the only one. All else is *broken*: nothing that a failing machine leaves. A last line
//! that one changed bit, or another byte for its end, keeps from being sound was written whole: it may have been
//! answered, so it is broken and never dropped. What was cut off at the end leaves no trace: there the promise is that
//! of the disk, which had confirmed every answered line.

use std::io::{self, BufRead, Read};

use super::chain::Chain;
use super::operation_line::LINE_BYTES;

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
                self.found.tail = classify_tail(&self.found.chain, &self.line, &mut self.input)?;
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

/// Returns whether a line that looks torn was written whole: all of it but its end, or all but one bit, is sound.
fn is_altered(before: &Chain, line: &[u8]) -> bool {
    let Some((end, whole)) = line.split_last() else {
        return false;
    };
    if *end != b'\n' {
        return *end != 0 && before.open(whole).is_some();
    }
    let mut zeros = whole.iter().enumerate().filter(|(_, byte)| **byte == 0);
    let (Some((at, _)), None) = (zeros.next(), zeros.next()) else {
        return false;
    };
    let mut whole = whole.to_vec();
    (0..8).any(|bit| {
        whole[at] = 1 << bit;
        before.open(&whole).is_some()
    })
}
