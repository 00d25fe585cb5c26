//! This module reads the text of a template.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span};

use super::super::table::TokenTable;
use super::super::token::{Gap, Tokens};
use super::{Filler, Item, Piece, Sequence, Slot, Template, name_parts};

const MAX_BYTES: usize = 2048;
const MAX_DEPTH: usize = 8;

/// The key that tells which template matched; no slot may take it.
const RESERVED: &str = "template";

impl Template {
    /// Reads the template in `span` of `source`; nothing if it has errors.
    ///
    /// Findings: `phrase/template`, `phrase/duplicate-slot`, `limit/size`, `limit/depth`.
    pub(in super::super) fn parse(
        table: &TokenTable,
        id: &str,
        source: &Arc<Source>,
        span: Span,
    ) -> (Option<Template>, Vec<Diagnostic>) {
        let text = source.slice(span);
        let mut parser = Parser::new(table.without_structure(), source, text, span.start);
        if text.len() > MAX_BYTES {
            let message = format!("the template is longer than {MAX_BYTES} bytes");
            parser.report("limit/size", Span::new(0, text.len()), message, "");
            return (None, parser.findings);
        }
        let body = parser.sequence(0);
        if parser.findings.is_empty() && body.may_be_empty() {
            let message = "the template fits an empty text";
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

struct Parser<'a> {
    table: TokenTable,
    source: &'a Arc<Source>,
    text: &'a str,
    /// Offset of the text in the source.
    base: usize,
    at: usize,
    names: BTreeSet<String>,
    findings: Vec<Diagnostic>,
}

/// A sequence under construction: literal text is collected and read as tokens in one go.
#[derive(Default)]
struct Draft {
    sequence: Sequence,
    literal: String,
    blank: bool,
}

impl<'a> Parser<'a> {
    fn new(table: TokenTable, source: &'a Arc<Source>, text: &'a str, base: usize) -> Parser<'a> {
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

    fn report(&mut self, code: &'static str, span: Span, message: impl Into<String>, hint: &str) {
        let finding = Diagnostic::error(code, message);
        let finding = finding.at(self.source, span.shifted(self.base));
        self.findings.push(finding.hint(hint));
    }

    fn bad(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.report("phrase/template", span, message, hint);
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Reads up to the end, or inside brackets up to `|` or `]`, which is left to the caller.
    fn sequence(&mut self, depth: usize) -> Sequence {
        let mut draft = Draft::default();
        while let Some(c) = self.text[self.at..].chars().next() {
            if depth > 0 && matches!(c, '|' | ']') {
                break;
            }
            let start = self.at;
            self.at += c.len_utf8();
            match c {
                '{' => {
                    self.flush(&mut draft);
                    if let Some(pieces) = self.slot(start) {
                        draft.extend(pieces);
                    }
                }
                '[' => {
                    self.flush(&mut draft);
                    let group = self.group(start, depth + 1);
                    draft.push(group);
                }
                ']' | '}' => {
                    let hint = format!("write \\{c} for the character itself");
                    self.bad(
                        Span::new(start, self.at),
                        format!("\"{c}\" closes nothing"),
                        &hint,
                    );
                }
                '\\' => match self.next() {
                    Some(literal) => draft.literal.push(literal),
                    None => self.bad(
                        Span::new(start, self.at),
                        "the backslash has no character behind it",
                        "write \\\\ for the character itself",
                    ),
                },
                _ => draft.literal.push(c),
            }
        }
        self.flush(&mut draft);
        draft.sequence.blank_after = draft.blank;
        draft.sequence
    }

    fn flush(&mut self, draft: &mut Draft) {
        let literal = std::mem::take(&mut draft.literal);
        draft.blank |= literal.starts_with(char::is_whitespace);
        let (words, blank_after) = words(&self.table, &literal);
        draft.extend(words);
        draft.blank |= blank_after;
    }

    fn group(&mut self, start: usize, depth: usize) -> Piece {
        let outer = self.names.clone();
        let (mut all_names, mut options, mut optional) = (outer.clone(), Vec::new(), false);
        if depth > MAX_DEPTH {
            let message = format!("brackets nest deeper than {MAX_DEPTH} levels here");
            self.report("limit/depth", Span::new(start, self.at), message, "");
            self.at = self.text.len();
        }
        loop {
            self.names.clone_from(&outer);
            let option = self.sequence(depth.min(MAX_DEPTH));
            all_names.append(&mut self.names);
            if option.items.is_empty() {
                optional = true;
            } else {
                options.push(option);
            }
            match self.next() {
                Some('|') => (),
                Some(_) => break,
                None => {
                    let hint = "close it with ], or write \\[ for the character itself";
                    self.bad(
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
            self.bad(Span::new(start, self.at), "the brackets hold nothing", "");
        }
        optional |= options.len() == 1;
        Piece::OneOf { options, optional }
    }

    /// Reads a slot behind its opening brace; the marks around an optional type come with it.
    fn slot(&mut self, start: usize) -> Option<Vec<Item>> {
        let content_start = self.at;
        let Some(length) = closing_brace(&self.text[self.at..]) else {
            self.at = self.text.len();
            let hint = "close it with }, or write \\{ for the character itself";
            self.bad(
                Span::new(start, start + 1),
                "the brace \"{\" is not closed",
                hint,
            );
            return None;
        };
        self.at += length + 1;
        let whole = Span::new(start, self.at);
        let content = &self.text[content_start..content_start + length];
        let (name, filler) = match content.split_once(':') {
            Some((name, filler)) if is_name(name.trim()) => (Some(name.trim()), filler),
            _ => (None, content),
        };
        let filler_end = content_start + length;
        let filler_span = Span::new(filler_end - filler.trim_start().len(), filler_end);
        let parts = Parts::read(filler.trim());
        let (kind, fallback) = self.filler(&parts, whole)?;
        let name = name.map_or(fallback, str::to_owned);
        self.claim(&name, whole);
        let slot = Piece::Slot(Slot {
            name,
            filler: kind,
            repeated: parts.repeated,
            span: filler_span.shifted(self.base),
        });
        Some(self.dress(slot, &parts))
    }

    fn filler(&mut self, parts: &Parts, whole: Span) -> Option<(Filler, String)> {
        if parts.core.contains('|') {
            let texts: Vec<String> = split_choice(parts.core);
            if texts
                .iter()
                .any(|text| words(&self.table, text).0.is_empty())
            {
                self.bad(
                    whole,
                    "an alternative of the choice is empty",
                    "use ? for a slot that may be missing",
                );
                return None;
            }
            return Some((Filler::Choice(texts), String::from("choice")));
        }
        let label = name_parts(parts.core);
        if label.is_empty() {
            let hint = "write {name: Type} or {name: this|that}";
            self.bad(whole, "the slot names no type", hint);
            return None;
        }
        Some((Filler::Type(parts.core.to_owned()), label.join("_")))
    }

    fn claim(&mut self, name: &str, span: Span) {
        if name == RESERVED {
            self.bad(
                span,
                "no slot may have the name \"template\"",
                "choose another name",
            );
        }
        if !self.names.insert(name.to_owned()) {
            let message = format!("two slots have the name \"{name}\"");
            self.report(
                "phrase/duplicate-slot",
                span,
                message,
                "give each its own name: {from: Type} ... {to: Type}",
            );
        }
    }

    /// Puts the marks of the braces around a slot, and makes all of it optional where asked for.
    fn dress(&self, slot: Piece, parts: &Parts) -> Vec<Item> {
        let mut draft = Draft::default();
        let (before, blank) = words(&self.table, parts.before);
        draft.extend(before);
        draft.blank |= blank;
        draft.push(slot);
        let (after, _) = words(&self.table, parts.after);
        draft.blank |= parts.after.starts_with(char::is_whitespace);
        draft.extend(after);
        if !parts.optional {
            return draft.sequence.items;
        }
        let piece = Piece::OneOf {
            options: vec![draft.sequence],
            optional: true,
        };
        vec![Item {
            blank: false,
            piece,
        }]
    }
}

impl Draft {
    fn push(&mut self, piece: Piece) {
        let blank = std::mem::take(&mut self.blank);
        self.sequence.items.push(Item { blank, piece });
    }

    fn extend(&mut self, items: Vec<Item>) {
        for item in items {
            self.blank |= item.blank;
            self.push(item.piece);
        }
    }
}

/// What stands between the braces behind the name: marks, a type or choice, `?` and `...`, marks.
struct Parts<'a> {
    before: &'a str,
    core: &'a str,
    after: &'a str,
    optional: bool,
    repeated: bool,
}

impl Parts<'_> {
    fn read(text: &str) -> Parts<'_> {
        let mut parts = Parts {
            before: "",
            core: text,
            after: "",
            optional: false,
            repeated: false,
        };
        if text.contains('|') {
            parts.core = parts.suffixes(text);
            return parts;
        }
        let text = parts.suffixes(text);
        let begin = text.find(char::is_alphabetic).unwrap_or(text.len());
        let of_type = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-');
        let rest = &text[begin..];
        let end = rest.find(|c| !of_type(c)).unwrap_or(rest.len());
        let (core, mut after) = rest.split_at(end);
        while let Some(rest) = after
            .strip_prefix('?')
            .or_else(|| after.strip_prefix("..."))
        {
            parts.optional |= after.starts_with('?');
            parts.repeated |= after.starts_with('.');
            after = rest;
        }
        Parts {
            before: &text[..begin],
            core: core.trim(),
            after,
            ..parts
        }
    }

    /// Takes `?` and `...` off the end.
    fn suffixes<'t>(&mut self, mut text: &'t str) -> &'t str {
        loop {
            if let Some(rest) = text.strip_suffix('?') {
                self.optional = true;
                text = rest;
            } else if let Some(rest) = text.strip_suffix("...") {
                self.repeated = true;
                text = rest;
            } else {
                return text;
            }
        }
    }
}

/// Returns the tokens of a literal text as pieces, and whether it ends with a blank.
fn words(table: &TokenTable, literal: &str) -> (Vec<Item>, bool) {
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

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the offset of the first brace that no backslash makes literal.
fn closing_brace(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let found = c == '}' && !escaped;
        escaped = c == '\\' && !escaped;
        found.then_some(at)
    })
}

/// Splits a choice at its bars and takes the backslashes away.
fn split_choice(text: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let last = texts.last_mut().expect("invariant: one text was begun");
        match c {
            '|' => texts.push(String::new()),
            '\\' => last.extend(chars.next()),
            _ => last.push(c),
        }
    }
    texts
        .iter()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}
