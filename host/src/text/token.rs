//! This module reads a text as tokens: words, numbers, marks, matched brackets, quotes and bullets.
//!
//! In: a text and the `TokenTable` of a ruleset. Out: flat tokens in order, each with its span and with
//! what stood before it; matched brackets and quotes know their partners. Findings never stop the reading.

use crate::diag::Span;

use super::finding::Finding;
use super::table::TokenTable;

/// More findings than this about one text help nobody.
const FINDINGS: usize = 100;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters.
    Word,
    /// Digits, perhaps with a decimal point.
    Number,
    /// A character or literal that is none of the others, also a bracket without partner.
    Mark,
    /// A bracket whose partner closes it.
    Open,
    /// The partner of an `Open`.
    Close,
    /// A quote that begins a literal text.
    QuoteOpen,
    /// The quote that ends it.
    QuoteClose,
    /// A bullet at the begin of a line.
    Bullet,
}

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing: it touches the token before it.
    None,
    /// Blanks.
    Blank,
    /// At least one line break, or the begin of the text.
    Line,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
    /// What stands before it.
    pub gap: Gap,
    /// Index of the other end of a bracket or quote.
    pub partner: Option<usize>,
}

impl Token {
    /// Returns whether this is a word or a number, which a blank must keep from the next.
    pub fn is_wordlike(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }

    pub(super) fn opens(&self) -> bool {
        matches!(self.kind, Kind::Open | Kind::QuoteOpen)
    }

    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, Kind::Close | Kind::QuoteClose)
    }
}

/// The tokens of one text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    /// The text, perhaps cut at the size limit.
    pub text: &'a str,
    /// The tokens in order.
    pub list: Vec<Token>,
    /// What is wrong with the text.
    pub findings: Vec<Finding>,
}

impl<'a> Tokens<'a> {
    /// Reads a text.
    ///
    /// Findings: `limit/size`, `limit/depth`, `phrase/unmatched-bracket`, `phrase/unclosed-quote`.
    pub fn read(table: &TokenTable, text: &'a str) -> Tokens<'a> {
        let mut reader = Reader::new(table, text);
        reader.run(reader.text.len(), false);
        reader.unmatched_to(0);
        Tokens {
            text: reader.text,
            list: reader.list,
            findings: reader.findings,
        }
    }

    /// Returns the source text of a token.
    pub fn text_of(&self, token: &Token) -> &'a str {
        &self.text[token.span.start..token.span.end]
    }

    /// Returns what stands between the last token and the end of the text.
    pub fn trailing_gap(&self) -> Gap {
        let end = self.list.last().map_or(0, |token| token.span.end);
        let rest = &self.text[end..];
        match (self.list.is_empty() || rest.contains('\n'), rest.is_empty()) {
            (true, _) => Gap::Line,
            (false, true) => Gap::None,
            (false, false) => Gap::Blank,
        }
    }
}

/// An opening bracket that waits for its partner.
struct Waiting {
    token: usize,
    pair: usize,
    too_deep: bool,
}

struct Reader<'t, 'a> {
    table: &'t TokenTable,
    text: &'a str,
    at: usize,
    gap: Gap,
    list: Vec<Token>,
    waiting: Vec<Waiting>,
    /// How many of `waiting` are of each pair.
    open: Vec<usize>,
    /// For each kind of quote the offset before which no closing one is left.
    dead: Vec<usize>,
    findings: Vec<Finding>,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn new(table: &'t TokenTable, text: &'a str) -> Reader<'t, 'a> {
        let mut reader = Reader {
            table,
            text,
            at: 0,
            gap: Gap::Line,
            list: Vec::new(),
            waiting: Vec::new(),
            open: vec![0; table.brackets.len()],
            dead: vec![0; table.quotes.len()],
            findings: Vec::new(),
        };
        if text.len() > table.max_bytes {
            let cut = text.floor_char_boundary(table.max_bytes);
            let message = format!("the text is longer than {} bytes", table.max_bytes);
            reader.find("limit/size", Span::new(cut, text.len()), message);
            reader.text = &text[..cut];
        }
        reader
    }

    fn find(&mut self, code: &'static str, span: Span, message: String) {
        if self.findings.len() < FINDINGS {
            self.findings.push(Finding::new(code, span, message));
        }
    }

    /// Reads up to byte `end`; inside quotes brackets and quotes are marks.
    fn run(&mut self, end: usize, quoted: bool) {
        while let Some(c) = self.text[self.at..end].chars().next() {
            if c.is_whitespace() {
                let gap = if c == '\n' { Gap::Line } else { Gap::Blank };
                self.gap = self.gap.max(gap);
                self.at += c.len_utf8();
            } else if c.is_ascii_digit() || self.table.is_letter(c) {
                self.word(end);
            } else {
                self.mark(c, end, quoted);
            }
        }
    }

    fn push(&mut self, kind: Kind, length: usize) -> usize {
        let span = Span::new(self.at, self.at + length);
        self.list.push(Token {
            kind,
            span,
            gap: self.gap,
            partner: None,
        });
        self.gap = Gap::None;
        self.at += length;
        self.list.len() - 1
    }

    fn word(&mut self, end: usize) {
        let rest = &self.text[self.at..end];
        let number = number_length(rest, self.table.decimals);
        let word = word_length(rest, self.table);
        if self.table.split_digits {
            let (kind, length) = if number > 0 {
                (Kind::Number, number)
            } else {
                (Kind::Word, word)
            };
            self.push(kind, length);
        } else if number >= word {
            self.push(Kind::Number, number);
        } else {
            self.push(Kind::Word, word);
        }
    }

    fn mark(&mut self, c: char, end: usize, quoted: bool) {
        if let Some(length) = self.table.long_mark(&self.text[self.at..end]) {
            self.push(Kind::Mark, length);
        } else if quoted {
            self.push(Kind::Mark, c.len_utf8());
        } else if self.gap == Gap::Line && self.table.bullets.contains(&c) {
            self.push(Kind::Bullet, c.len_utf8());
        } else if let Some(quote) = self.table.quotes.iter().position(|(open, _)| *open == c) {
            self.quote(c, quote);
        } else if let Some(pair) = self.table.brackets.iter().position(|pair| pair.1 == c) {
            self.close(c, pair);
        } else if let Some(pair) = self.table.brackets.iter().position(|pair| pair.0 == c) {
            self.open(c, pair);
        } else {
            self.push(Kind::Mark, c.len_utf8());
        }
    }

    fn quote(&mut self, c: char, quote: usize) {
        let open = self.push(Kind::Mark, c.len_utf8());
        let line = self.text[self.at..].split('\n').next().unwrap_or_default();
        let close = self.table.quotes[quote].1;
        let found = if self.at < self.dead[quote] {
            None
        } else {
            line.find(close).map(|length| self.at + length)
        };
        let Some(end) = found else {
            self.dead[quote] = self.at + line.len();
            let span = self.list[open].span;
            let message = format!("the quote \"{c}\" is not closed on its line");
            return self.find("phrase/unclosed-quote", span, message);
        };
        self.run(end, true);
        let shut = self.push(Kind::QuoteClose, close.len_utf8());
        self.list[open].kind = Kind::QuoteOpen;
        self.pair(open, shut);
    }

    fn pair(&mut self, open: usize, close: usize) {
        self.list[open].partner = Some(close);
        self.list[close].partner = Some(open);
    }

    fn open(&mut self, c: char, pair: usize) {
        let token = self.push(Kind::Mark, c.len_utf8());
        let too_deep = self.waiting.len() >= self.table.max_depth;
        if too_deep && !self.waiting.last().is_some_and(|last| last.too_deep) {
            let message = format!(
                "brackets nest deeper than {} levels here",
                self.table.max_depth
            );
            self.find("limit/depth", self.list[token].span, message);
        }
        self.open[pair] += 1;
        self.waiting.push(Waiting {
            token,
            pair,
            too_deep,
        });
    }

    fn close(&mut self, c: char, pair: usize) {
        let token = self.push(Kind::Mark, c.len_utf8());
        if self.open[pair] == 0 {
            let message = format!("the bracket \"{c}\" closes nothing");
            return self.find("phrase/unmatched-bracket", self.list[token].span, message);
        }
        let partner = self.waiting.iter().rposition(|one| one.pair == pair);
        self.unmatched_to(partner.map_or(0, |at| at + 1));
        let partner = self
            .waiting
            .pop()
            .expect("invariant: one of the pair waits");
        self.open[pair] -= 1;
        if !partner.too_deep {
            self.list[partner.token].kind = Kind::Open;
            self.list[token].kind = Kind::Close;
            self.pair(partner.token, token);
        }
    }

    /// Reports the waiting brackets from `keep` on and drops them.
    fn unmatched_to(&mut self, keep: usize) {
        while self.waiting.len() > keep {
            let one = self.waiting.pop().expect("invariant: not empty");
            self.open[one.pair] -= 1;
            let span = self.list[one.token].span;
            let (open, close) = self.table.brackets[one.pair];
            let message = format!("the bracket \"{open}\" is not closed by \"{close}\"");
            self.find("phrase/unmatched-bracket", span, message);
        }
    }
}

/// Returns the length of the digits at the begin, with decimals if they count.
fn number_length(rest: &str, decimals: bool) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let Some(fraction) = rest[whole..]
        .strip_prefix('.')
        .filter(|_| decimals && whole > 0)
    else {
        return whole;
    };
    match digits(fraction) {
        0 => whole,
        places => whole + 1 + places,
    }
}

/// Returns the length of the word at the begin; with digits in it unless they split.
fn word_length(rest: &str, table: &TokenTable) -> usize {
    let part = |c: char| table.is_letter(c) || (!table.split_digits && c.is_ascii_digit());
    let mut length = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = table.inner_chars.contains(&c)
            && at > 0
            && chars.peek().is_some_and(|(_, next)| part(*next));
        if !part(c) && !inner {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}

#[cfg(test)]
mod tests;
