//! Walks over a text and makes its tokens.

use crate::diag::Span;

use super::super::finding::Finding;
use super::super::token_table::TokenTable;
use super::{Gap, Kind, Token};

/// Maximum number of findings of one text.
const FINDINGS: usize = 100;

/// Bytes that a token takes with the spaces around it, used to estimate the length of the list.
const TOKEN: usize = 4;

/// An opening bracket without its partner so far.
struct Waiting {
    token: usize,
    pair: usize,
    too_deep: bool,
}

pub(super) struct Reader<'t, 'a> {
    table: &'t TokenTable,
    pub(super) text: &'a str,
    at: usize,
    gap: Gap,
    pub(super) list: Vec<Token>,
    waiting: Vec<Waiting>,
    /// The number of entries of `waiting` for each pair; empty until there is one.
    open: Vec<usize>,
    /// For each kind of quote, the offset before which there is no closing quote; empty until one is missing.
    dead: Vec<usize>,
    pub(super) findings: Vec<Finding>,
}

impl<'t, 'a> Reader<'t, 'a> {
    pub(super) fn new(table: &'t TokenTable, text: &'a str) -> Reader<'t, 'a> {
        let mut reader = Reader {
            table,
            text,
            at: 0,
            gap: Gap::Line,
            list: Vec::with_capacity(text.len().min(table.max_bytes) / TOKEN + 4),
            waiting: Vec::new(),
            open: Vec::new(),
            dead: Vec::new(),
            findings: Vec::new(),
        };
        if text.len() > table.max_bytes {
            let cut = text.floor_char_boundary(table.max_bytes);
            let message = format!("the text is longer than {} bytes", table.max_bytes);
            reader.add_finding("limit/size", Span::new(cut, text.len()), message);
            reader.text = &text[..cut];
        }
        reader
    }

    fn add_finding(&mut self, code: &'static str, span: Span, message: String) {
        if self.findings.len() < FINDINGS {
            self.findings.push(Finding::new(code, span, message));
        }
    }

    /// Reads up to byte `end`; inside quotes brackets and quotes are marks.
    pub(super) fn read_tokens(&mut self, end: usize, quoted: bool) {
        while self.at < end {
            let byte = self.text.as_bytes()[self.at];
            if byte == b' ' {
                self.gap = self.gap.max(Gap::Blank);
                self.at += 1;
                continue;
            }
            let first = match byte.is_ascii() {
                true => Some(char::from(byte)),
                false => self.text[self.at..end].chars().next(),
            };
            let Some(c) = first else { return };
            if c.is_whitespace() {
                let gap = if c == '\n' { Gap::Line } else { Gap::Blank };
                self.gap = self.gap.max(gap);
                self.at += c.len_utf8();
            } else if c.is_ascii_digit() || self.table.is_letter(c) {
                self.read_word(end);
            } else {
                self.read_mark(c, end, quoted);
            }
        }
    }

    fn push_token(&mut self, kind: Kind, length: usize) -> usize {
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

    fn read_word(&mut self, end: usize) {
        let rest = &self.text[self.at..end];
        let number = number_length(rest, self.table.decimals);
        let word = word_length(rest, self.table);
        if self.table.split_digits {
            let (kind, length) = if number > 0 {
                (Kind::Number, number)
            } else {
                (Kind::Word, word)
            };
            self.push_token(kind, length);
        } else if number >= word {
            self.push_token(Kind::Number, number);
        } else {
            self.push_token(Kind::Word, word);
        }
    }

    fn read_mark(&mut self, c: char, end: usize, quoted: bool) {
        if let Some(length) = self.table.long_mark_length(&self.text[self.at..end]) {
            self.push_token(Kind::Mark, length);
        } else if quoted {
            self.push_token(Kind::Mark, c.len_utf8());
        } else if self.gap == Gap::Line && self.table.bullets.contains(&c) {
            self.push_token(Kind::Bullet, c.len_utf8());
        } else if let Some(quote) = self.table.quotes.iter().position(|(open, _)| *open == c) {
            self.read_quote(c, quote);
        } else if let Some(pair) = self.table.brackets.iter().position(|pair| pair.1 == c) {
            self.close_bracket(c, pair);
        } else if let Some(pair) = self.table.brackets.iter().position(|pair| pair.0 == c) {
            self.open_bracket(c, pair);
        } else {
            self.push_token(Kind::Mark, c.len_utf8());
        }
    }

    fn read_quote(&mut self, c: char, quote: usize) {
        let open = self.push_token(Kind::Mark, c.len_utf8());
        let line = self.text[self.at..].split('\n').next().unwrap_or_default();
        let close = self.table.quotes[quote].1;
        let found = if self.dead.get(quote).is_some_and(|dead| self.at < *dead) {
            None
        } else {
            line.find(close).map(|length| self.at + length)
        };
        let Some(end) = found else {
            self.dead.resize(self.table.quotes.len(), 0);
            self.dead[quote] = self.at + line.len();
            let span = self.list[open].span;
            let message = format!("the quote \"{c}\" is not closed on its line");
            return self.add_finding("phrase/unclosed-quote", span, message);
        };
        self.read_tokens(end, true);
        let shut = self.push_token(Kind::QuoteClose, close.len_utf8());
        self.list[open].kind = Kind::QuoteOpen;
        self.pair_brackets(open, shut);
    }

    fn pair_brackets(&mut self, open: usize, close: usize) {
        self.list[open].partner = Some(close);
        self.list[close].partner = Some(open);
    }

    fn open_bracket(&mut self, c: char, pair: usize) {
        let token = self.push_token(Kind::Mark, c.len_utf8());
        let too_deep = self.waiting.len() >= self.table.max_depth;
        if too_deep && !self.waiting.last().is_some_and(|last| last.too_deep) {
            let message = format!(
                "brackets nest deeper than {} levels here",
                self.table.max_depth
            );
            self.add_finding("limit/depth", self.list[token].span, message);
        }
        self.open.resize(self.table.brackets.len(), 0);
        self.open[pair] += 1;
        self.waiting.push(Waiting {
            token,
            pair,
            too_deep,
        });
    }

    fn close_bracket(&mut self, c: char, pair: usize) {
        let token = self.push_token(Kind::Mark, c.len_utf8());
        if self.open.get(pair).is_none_or(|open| *open == 0) {
            let message = format!("the bracket \"{c}\" closes nothing");
            return self.add_finding("phrase/unmatched-bracket", self.list[token].span, message);
        }
        let partner = self.waiting.iter().rposition(|one| one.pair == pair);
        self.drop_unmatched(partner.map_or(0, |at| at + 1));
        let partner = self
            .waiting
            .pop()
            .expect("invariant: one of the pair waits");
        self.open[pair] -= 1;
        if !partner.too_deep {
            self.list[partner.token].kind = Kind::Open;
            self.list[token].kind = Kind::Close;
            self.pair_brackets(partner.token, token);
        }
    }

    /// Reports the waiting brackets from `keep` on and drops them.
    pub(super) fn drop_unmatched(&mut self, keep: usize) {
        while self.waiting.len() > keep {
            let one = self.waiting.pop().expect("invariant: not empty");
            self.open[one.pair] -= 1;
            let span = self.list[one.token].span;
            let (open, close) = self.table.brackets[one.pair];
            let message = format!("the bracket \"{open}\" is not closed by \"{close}\"");
            self.add_finding("phrase/unmatched-bracket", span, message);
        }
    }
}

/// Returns the length of the digits at the beginning, with decimals if they count.
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

/// Returns the length of the word at the beginning, including digits unless they split words.
fn word_length(rest: &str, table: &TokenTable) -> usize {
    let bytes = rest.as_bytes();
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let letters = letters.count();
    // Most words are plain, and so are the characters that end them.
    let ends = |byte: u8| {
        let next = char::from(byte);
        let is_part = next.is_ascii_digit() || table.inner_chars.contains(&next);
        byte.is_ascii() && !is_part && !table.word_chars.contains(&next)
    };
    if letters > 0 && bytes.get(letters).is_none_or(|byte| ends(*byte)) {
        return letters;
    }
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
