//! Reads the slots of a template, from brace to brace.

use crate::diag::Span;

use super::parse::{Draft, Parser, literal_pieces};
use super::{Filler, Item, Piece, Slot, type_name_parts};

/// The key that names the template that matched. A slot may not use it.
const RESERVED: &str = "template";

impl Parser<'_> {
    /// Reads a slot after its opening brace, with the marks around an optional type.
    pub(super) fn parse_slot(&mut self, start: usize) -> Option<Vec<Item>> {
        let content_start = self.at;
        let Some(length) = closing_brace(&self.text[self.at..]) else {
            self.at = self.text.len();
            let hint = "close it with }, or write \\{ for the character itself";
            self.report_bad_template(
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
        let (kind, fallback) = self.parse_filler(&parts, whole)?;
        let name = name.map_or(fallback, str::to_owned);
        self.claim_name(&name, whole);
        let slot = Piece::Slot(Slot {
            is_named: content.len() > filler.len(),
            name,
            filler: kind,
            repeated: parts.repeated,
            span: filler_span.shifted(self.base),
        });
        Some(self.slot_with_marks(slot, &parts))
    }

    fn parse_filler(&mut self, parts: &Parts, whole: Span) -> Option<(Filler, String)> {
        if parts.core.contains('|') {
            let texts: Vec<String> = split_choice(parts.core);
            if texts
                .iter()
                .any(|text| literal_pieces(self.table, text).0.is_empty())
            {
                self.report_bad_template(
                    whole,
                    "an alternative of the choice is empty",
                    "use ? for a slot that may be missing",
                );
                return None;
            }
            return Some((Filler::Choice(texts), String::from("choice")));
        }
        let label = type_name_parts(parts.core);
        if label.is_empty() {
            let hint = "write {name: Type} or {name: this|that}";
            self.report_bad_template(whole, "the slot names no type", hint);
            return None;
        }
        Some((Filler::Type(parts.core.to_owned()), label.join("_")))
    }

    fn claim_name(&mut self, name: &str, span: Span) {
        if name == RESERVED {
            self.report_bad_template(
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

    /// Puts the marks of the braces around a slot, and makes all of it optional if requested.
    fn slot_with_marks(&self, slot: Piece, parts: &Parts) -> Vec<Item> {
        let mut draft = Draft::default();
        let (before, blank) = literal_pieces(self.table, parts.before);
        draft.extend(before);
        draft.blank |= blank;
        draft.push(slot);
        let (after, _) = literal_pieces(self.table, parts.after);
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

/// The contents of the braces after the name: marks, a type or choice, `?` and `...`, marks.
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
            parts.core = parts.take_suffixes(text);
            return parts;
        }
        let text = parts.take_suffixes(text);
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
    fn take_suffixes<'t>(&mut self, mut text: &'t str) -> &'t str {
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

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the offset of the first brace without a backslash before it.
fn closing_brace(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let found = c == '}' && !escaped;
        escaped = c == '\\' && !escaped;
        found.then_some(at)
    })
}

/// Splits a choice at its bars and removes the backslashes.
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
