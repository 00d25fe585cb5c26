//! The slot types that every grammar has: the token classes.

use std::str::FromStr;

use crate::diag::Span;
use crate::value::{Number, Value};

use super::token::{Gap, Kind, Token};
use super::token_table::TokenTable;

/// A built-in slot type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// One word without spaces, with at least one letter. Value: the text.
    Word,
    /// A number, perhaps with sign and decimals. Value: the number.
    Number,
    /// Digits. Value: the number.
    Integer,
    /// A number with a sign. Value: the number.
    Signed,
    /// Text in quotes. Value: the text without the quotes.
    Quoted,
    /// Text in quotes, or any words of the line. Value: the text.
    Text,
    /// All that is left of the line. Value: the text.
    Line,
    /// All that is left. Value: the text.
    Rest,
    /// Brackets and their contents. Value: the text between.
    Group,
    /// One token, or brackets with their contents. Value: the text.
    Token,
    /// Characters without a space between them; brackets and quotes count as one. Value: the text.
    Piece,
}

/// A slot type as help and pages describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTypeText {
    /// Its name in templates.
    pub name: String,
    /// What it reads.
    pub reads: &'static str,
    /// What a script gets.
    pub value: &'static str,
    /// Texts that it reads, the plainest first.
    pub examples: &'static [&'static str],
}

/// The possessive ending of a piece, as in `Ann's coat`: it may belong to the template.
const WHOSE: ([&str; 2], &str) = (["'", "’"], "s");

/// Slot types that have other names now: the former one, and the present one.
pub const FORMER_TYPES: [(&str, &str); 1] = [("Whole", "Integer")];

impl Class {
    /// All classes with their type names and their names in messages.
    pub(super) const ALL: [(Class, &'static str, &'static str); 11] = [
        (Class::Word, "Word", "a word"),
        (Class::Number, "Number", "a number"),
        (Class::Integer, "Integer", "a whole number"),
        (Class::Signed, "Signed", "a number with a sign"),
        (Class::Quoted, "Quoted", "a text in quotes"),
        (Class::Text, "Text", "a text"),
        (Class::Line, "Line", "a text"),
        (Class::Rest, "Rest", "a text"),
        (Class::Group, "Group", "brackets"),
        (Class::Token, "Token", "a word or mark"),
        (Class::Piece, "Piece", "a piece of text"),
    ];

    /// Returns the present type name of a class, for one of its former names.
    pub(super) fn present_type_name(name: &str) -> &str {
        let mut former = FORMER_TYPES.iter();
        former
            .find(|(old, _)| *old == name)
            .map_or(name, |(_, now)| now)
    }

    /// Returns the class of a type name; nothing if there is no such class.
    pub fn of_type(name: &str) -> Option<Class> {
        let name = Class::present_type_name(name);
        let found = Class::ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|(class, ..)| *class)
    }

    /// Returns the name in messages for the class of a type name; nothing if there is no such class.
    pub fn noun_of_type(name: &str) -> Option<&'static str> {
        let name = Class::present_type_name(name);
        let found = Class::ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|(_, _, noun)| *noun)
    }

    /// Returns a text that the class of a type name reads; nothing if there is no such class.
    pub fn example_of_type(name: &str) -> Option<&'static str> {
        let name = Class::present_type_name(name);
        let found = Class::ALL.iter().find(|(_, known, _)| *known == name);
        found.and_then(|(class, ..)| class.description(name).examples.first().copied())
    }

    /// Returns the descriptions of all built-in slot types.
    pub fn descriptions() -> impl Iterator<Item = SlotTypeText> {
        let all = Class::ALL.iter();
        all.map(|(class, name, _)| class.description(name))
    }

    fn description(self, name: &str) -> SlotTypeText {
        let (reads, value, examples): (_, _, &[_]) = match self {
            Class::Word => (
                "One word without spaces that has at least one letter. Apostrophes, hyphens and underscores inside \
                 belong to it.",
                "the text",
                &["word", "half-orc", "3rd"],
            ),
            Class::Number => (
                "A number, perhaps with sign and decimals.",
                "the number",
                &["2.5", "-2.5"],
            ),
            Class::Integer => ("Digits without a sign.", "the number", &["3"]),
            Class::Signed => (
                "A number with a sign directly before it.",
                "the number",
                &["+1"],
            ),
            Class::Quoted => (
                "A text in double quotes, or in quotes that the ruleset declares.",
                "the text without the quotes",
                &["\"some words\""],
            ),
            Class::Text => (
                "A text in quotes, or words of the line up to the next word of the template.",
                "the text without the quotes",
                &["some words", "\"some words\""],
            ),
            Class::Line => (
                "All that is left of the line; at least one token.",
                "the text",
                &["some words", "bread, and (tea)"],
            ),
            Class::Rest => (
                "All that is left, also over several lines; at least one token.",
                "the text",
                &["some words"],
            ),
            Class::Group => (
                "Brackets and their contents: `( )`, `[ ]` or `{ }`.",
                "the text between the brackets",
                &["(some words)"],
            ),
            Class::Token => (
                "One token, or brackets or quotes with their contents.",
                "the text, with brackets or quotes",
                &["piece", "(some words)"],
            ),
            Class::Piece => (
                "Tokens without a space between them. Brackets and quotes count as one token.",
                "the text",
                &["piece", "d8+(2)"],
            ),
        };
        SlotTypeText {
            name: name.to_owned(),
            reads,
            value,
            examples,
        }
    }

    /// Returns the kinds of token it can begin with; signs are marks.
    pub(super) fn first_token_kinds(self) -> &'static [Kind] {
        match self {
            Class::Word => &[Kind::Word, Kind::Number],
            Class::Number => &[Kind::Number, Kind::Mark],
            Class::Integer => &[Kind::Number],
            Class::Signed => &[Kind::Mark],
            Class::Quoted => &[Kind::QuoteOpen],
            Class::Group => &[Kind::Open],
            Class::Text | Class::Line | Class::Rest | Class::Token | Class::Piece => &[
                Kind::Word,
                Kind::Number,
                Kind::Mark,
                Kind::Open,
                Kind::QuoteOpen,
                Kind::Bullet,
            ],
        }
    }
}

/// The index after a class, and its value if that is not the text itself.
type ClassEnd = (usize, Option<Value>);

/// Tokens of a text with the data needed to read classes from them.
#[derive(Clone, Copy)]
pub(super) struct Stream<'a> {
    pub(super) table: &'a TokenTable,
    pub(super) text: &'a str,
    pub(super) list: &'a [Token],
}

impl<'a> Stream<'a> {
    /// Returns all ends of a class at `start`, best first, with the values that are not just the text.
    pub(super) fn class_ends(self, class: Class, start: usize) -> Vec<ClassEnd> {
        let Some(token) = self.list.get(start) else {
            return Vec::new();
        };
        let quoted = || self.enclosed_end(start, token.kind == Kind::QuoteOpen);
        match class {
            Class::Word => self.word_run_end(start).into_iter().collect(),
            Class::Number | Class::Integer | Class::Signed => {
                self.number_end(class, start).into_iter().collect()
            }
            Class::Quoted => quoted().into_iter().collect(),
            Class::Group => self
                .enclosed_end(start, token.kind == Kind::Open)
                .into_iter()
                .collect(),
            Class::Line => self.whole_line_ends(start, self.line_end(start)),
            Class::Rest => self.whole_line_ends(start, self.rest_end(start)),
            Class::Token => {
                self.whole_line_ends(start, self.index_after(start).min(self.list.len()))
            }
            Class::Piece => {
                let ends = self.piece_ends(start).into_iter().flatten();
                ends.map(|end| (end, None)).collect()
            }
            Class::Text => {
                let mut ends: Vec<_> = quoted().into_iter().collect();
                let words = self.piece_boundaries(start).into_iter().rev();
                ends.extend(words.map(|end| (end, None)));
                ends
            }
        }
    }

    /// Returns the source text of the tokens `start..end`.
    pub(super) fn slice(self, start: usize, end: usize) -> &'a str {
        let span = self.span(start, end);
        &self.text[span.start..span.end]
    }

    /// Returns the span of the tokens `start..end`; an empty range is the place before `start`.
    pub(super) fn span(self, start: usize, end: usize) -> Span {
        let behind = self.list.last().map_or(0, |token| token.span.end);
        let from = self
            .list
            .get(start)
            .map_or(behind, |token| token.span.start);
        let to = end.checked_sub(1).filter(|last| *last >= start);
        let to = to.and_then(|last| self.list.get(last));
        Span::new(from, to.map_or(from, |token| token.span.end))
    }

    fn whole_line_ends(self, start: usize, end: usize) -> Vec<ClassEnd> {
        if end > start && !self.list[start].is_closing() {
            vec![(end, None)]
        } else {
            Vec::new()
        }
    }

    /// Returns the end of the words and numbers that touch each other.
    pub(super) fn word_end(self, start: usize) -> usize {
        let goes_on = |token: &&Token| token.is_wordlike() && token.gap == Gap::None;
        match self.list.get(start) {
            Some(token) if token.is_wordlike() => {
                start + 1 + self.list[start + 1..].iter().take_while(goes_on).count()
            }
            _ => self.index_after(start).min(self.list.len()),
        }
    }

    fn word_run_end(self, start: usize) -> Option<ClassEnd> {
        let end = self.word_end(start);
        let run = &self.list[start..end];
        let is_word = run[0].is_wordlike() && run.iter().any(|token| token.kind == Kind::Word);
        is_word.then_some((end, None))
    }

    fn number_end(self, class: Class, start: usize) -> Option<ClassEnd> {
        let signed = self.is_free_sign(start);
        let at = start + usize::from(signed);
        let digits = self
            .list
            .get(at)
            .filter(|token| token.kind == Kind::Number)?;
        let text = self.slice(start, at + 1);
        let fits = match class {
            Class::Integer => !signed && !text.contains('.'),
            Class::Signed => signed,
            Class::Number
            | Class::Word
            | Class::Quoted
            | Class::Text
            | Class::Line
            | Class::Rest
            | Class::Group
            | Class::Token
            | Class::Piece => true,
        };
        let touches = !signed || digits.gap == Gap::None;
        let number = Number::from_str(text).ok().filter(|_| fits && touches)?;
        Some((at + 1, Some(Value::from(number))))
    }

    /// Returns whether there is a sign here that does not belong to the token before it.
    fn is_free_sign(self, at: usize) -> bool {
        let token = &self.list[at];
        let mut chars = self.slice(at, at + 1).chars();
        let is_sign = chars.next().is_some_and(|c| self.table.signs.contains(&c));
        let before = at.checked_sub(1).map(|before| &self.list[before]);
        let free = |before: &Token| !before.is_wordlike() && before.kind != Kind::Close;
        is_sign && chars.next().is_none() && (token.gap != Gap::None || before.is_none_or(free))
    }

    /// Returns the end of the tokens that touch each other, and the place before a last `'s`.
    fn piece_ends(self, start: usize) -> [Option<usize>; 2] {
        let mut end = start;
        while let Some(token) = self.list.get(end) {
            let ends = token.is_closing() || (end > start && token.gap != Gap::None);
            let behind = self.index_after(end);
            if ends || behind > self.list.len() {
                break;
            }
            end = behind;
        }
        let owner = end.checked_sub(2).filter(|mark| {
            let (marks, letter) = WHOSE;
            *mark > start
                && marks.contains(&self.slice(*mark, mark + 1))
                && self.slice(mark + 1, end) == letter
        });
        [Some(end).filter(|end| *end > start), owner]
    }

    /// Returns the ends of a class that has few of them and no values; nothing for other classes.
    pub(super) fn short_class_ends(self, class: Class, start: usize) -> Option<[Option<usize>; 2]> {
        match class {
            Class::Piece => Some(self.piece_ends(start)),
            Class::Word if start < self.list.len() => {
                Some([self.word_run_end(start).map(|(end, _)| end), None])
            }
            Class::Word => Some([None; 2]),
            Class::Number
            | Class::Integer
            | Class::Signed
            | Class::Quoted
            | Class::Text
            | Class::Line
            | Class::Rest
            | Class::Group
            | Class::Token => None,
        }
    }

    fn enclosed_end(self, start: usize, fits: bool) -> Option<ClassEnd> {
        let open = &self.list[start];
        let close = open
            .partner
            .filter(|close| fits && *close < self.list.len())?;
        let inner = &self.text[open.span.end..self.list[close].span.start];
        Some((close + 1, Some(Value::from(inner))))
    }

    /// Returns the index after a token, or after the brackets that it opens.
    fn index_after(self, at: usize) -> usize {
        let token = &self.list[at];
        1 + token.partner.filter(|_| token.is_opening()).unwrap_or(at)
    }

    /// Returns the ends of the pieces of this line that no bracket opened before `start` closes.
    fn piece_boundaries(self, start: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut at = start;
        while let Some(token) = self.list.get(at) {
            if token.is_closing() || (at > start && token.gap == Gap::Line) {
                break;
            }
            at = self.index_after(at);
            if at > self.list.len() {
                break;
            }
            ends.push(at);
        }
        ends
    }

    /// Returns the end of the line within the brackets that `start` is in.
    pub(super) fn line_end(self, start: usize) -> usize {
        self.piece_boundaries(start)
            .last()
            .copied()
            .unwrap_or(start)
    }

    fn rest_end(self, start: usize) -> usize {
        let mut at = start;
        while self.list.get(at).is_some_and(|token| !token.is_closing()) {
            at = self.index_after(at);
        }
        at.min(self.list.len())
    }
}
