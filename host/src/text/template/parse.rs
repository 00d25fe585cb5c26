//! Reads the text of a template.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span};

use super::super::token::{Gap, Tokens};
use super::super::token_table::TokenTable;
use super::{Item, Piece, Sequence, Template};

pub(crate) const MAX_BYTES: usize = 2048;
pub(crate) const MAX_DEPTH: usize = 8;

impl Template {
    /// Reads the template in `span` of `source`; nothing if it has errors.
    ///
    /// Shape: `table` is one without structure.
    /// Findings: `phrase/template`, `phrase/duplicate-slot`, `limit/size`, `limit/depth`.
    pub(in super::super) fn parse(
        table: &TokenTable,
        id: &str,
        source: &Arc<Source>,
        span: Span,
    ) -> (Option<Template>, Vec<Diagnostic>) {
        let text = source.slice(span);
        let mut parser = Parser::new(table, source, text, span.start);
        if text.len() > MAX_BYTES {
            let message = format!("the template is longer than {MAX_BYTES} bytes");
            parser.report("limit/size", Span::new(0, text.len()), message, "");
            return (None, parser.findings);
        }
        let body = parser.parse_sequence(0);
        if parser.findings.is_empty() && body.may_be_empty() {
            let message = "the template matches an empty text";
            let hint = "write at least one word or slot outside of optional brackets";
            parser.report("phrase/template", Span::new(0, text.len()), message, hint);
        }
        let template = Template {
            id: id.to_owned(),
            syntax: text.trim().to_owned(),
            body,
        };
        (
            parser.findings.is_empty().then_some(template),
            parser.findings,
        )
    }
}

pub(super) struct Parser<'a> {
    pub(super) table: &'a TokenTable,
    source: &'a Arc<Source>,
    pub(super) text: &'a str,
    /// Offset of the text in the source.
    pub(super) base: usize,
    pub(super) at: usize,
    pub(super) names: BTreeSet<String>,
    findings: Vec<Diagnostic>,
}

/// A sequence under construction: literal text is collected and read as tokens in one go.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) sequence: Sequence,
    literal: String,
    pub(super) blank: bool,
}

impl<'a> Parser<'a> {
    fn new(
        table: &'a TokenTable,
        source: &'a Arc<Source>,
        text: &'a str,
        base: usize,
    ) -> Parser<'a> {
        Parser {
            table,
            source,
            text,
            base,
            at: 0,
            names: BTreeSet::new(),
            findings: Vec::new(),
        }
    }

    pub(super) fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: &str,
    ) {
        let finding = Diagnostic::error(code, message);
        let finding = finding.at(self.source, span.shifted(self.base));
        self.findings.push(finding.hint(hint));
    }

    pub(super) fn report_bad_template(
        &mut self,
        span: Span,
        message: impl Into<String>,
        hint: &str,
    ) {
        self.report("phrase/template", span, message, hint);
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Reads up to the end, or inside brackets up to `|` or `]`, which is left to the caller.
    fn parse_sequence(&mut self, depth: usize) -> Sequence {
        let mut draft = Draft::default();
        while let Some(c) = self.text[self.at..].chars().next() {
            if depth > 0 && matches!(c, '|' | ']') {
                break;
            }
            let start = self.at;
            self.at += c.len_utf8();
            match c {
                '{' => {
                    self.flush_draft(&mut draft);
                    if let Some(pieces) = self.parse_slot(start) {
                        draft.extend(pieces);
                    }
                }
                '[' => {
                    self.flush_draft(&mut draft);
                    let group = self.parse_group(start, depth + 1);
                    draft.push(group);
                }
                ']' | '}' => {
                    let hint = format!("write \\{c} for the character itself");
                    self.report_bad_template(
                        Span::new(start, self.at),
                        format!("\"{c}\" closes nothing"),
                        &hint,
                    );
                }
                '\\' => match self.next_char() {
                    Some(literal) => draft.literal.push(literal),
                    None => self.report_bad_template(
                        Span::new(start, self.at),
                        "the backslash has no character after it",
                        "write \\\\ for the character itself",
                    ),
                },
                _ => draft.literal.push(c),
            }
        }
        self.flush_draft(&mut draft);
        draft.sequence.blank_after = draft.blank;
        draft.sequence
    }

    fn flush_draft(&mut self, draft: &mut Draft) {
        let literal = std::mem::take(&mut draft.literal);
        draft.blank |= literal.starts_with(char::is_whitespace);
        let (words, blank_after) = literal_pieces(self.table, &literal);
        draft.extend(words);
        draft.blank |= blank_after;
    }

    fn parse_group(&mut self, start: usize, depth: usize) -> Piece {
        let outer = self.names.clone();
        let (mut all_names, mut options, mut optional) = (outer.clone(), Vec::new(), false);
        if depth > MAX_DEPTH {
            let message = format!("brackets nest deeper than {MAX_DEPTH} levels here");
            self.report("limit/depth", Span::new(start, self.at), message, "");
            self.at = self.text.len();
        }
        loop {
            self.names.clone_from(&outer);
            let option = self.parse_sequence(depth.min(MAX_DEPTH));
            all_names.append(&mut self.names);
            if option.items.is_empty() {
                optional = true;
            } else {
                options.push(option);
            }
            match self.next_char() {
                Some('|') => (),
                Some(_) => break,
                None => {
                    let hint = "close it with ], or write \\[ for the character itself";
                    self.report_bad_template(
                        Span::new(start, start + 1),
                        "the bracket \"[\" is not closed",
                        hint,
                    );
                    break;
                }
            }
        }
        self.names = all_names;
        if options.is_empty() {
            self.report_bad_template(Span::new(start, self.at), "the brackets are empty", "");
        }
        optional |= options.len() == 1;
        Piece::OneOf { options, optional }
    }
}

impl Draft {
    pub(super) fn push(&mut self, piece: Piece) {
        let blank = std::mem::take(&mut self.blank);
        self.sequence.items.push(Item { blank, piece });
    }

    pub(super) fn extend(&mut self, items: Vec<Item>) {
        for item in items {
            self.blank |= item.blank;
            self.push(item.piece);
        }
    }
}

/// Returns the tokens of a literal text as pieces, and whether it ends with a space.
pub(super) fn literal_pieces(table: &TokenTable, literal: &str) -> (Vec<Item>, bool) {
    if literal.is_empty() {
        return (Vec::new(), false);
    }
    let tokens = Tokens::read(table, literal);
    let item = |token| Item {
        blank: tokens_apart(&tokens, token),
        piece: Piece::Word(tokens.text_of(token).to_owned()),
    };
    (
        tokens.list.iter().map(item).collect(),
        literal.ends_with(char::is_whitespace),
    )
}

fn tokens_apart(tokens: &Tokens, token: &super::super::token::Token) -> bool {
    token.gap != Gap::None
        && token.span.start > 0
        && !tokens.text[..token.span.start].trim().is_empty()
}
