//! Texts with named holes, such as `{voted} of {all} voted`.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::table::Hole;

/// The hole for the number that chooses between forms of a text.
pub(super) const COUNT: &str = "count";

/// A text with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Hole(String),
}

impl Template {
    /// Reads a text. Errors: a brace without its other one, or a hole without a name.
    pub(super) fn parse(text: &str) -> Result<Template, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            if rest[at..].starts_with('}') {
                return Err("a \"}\" has no \"{\" before it".to_owned());
            }
            let (before, hole) = (&rest[..at], &rest[at + 1..]);
            let Some((name, after)) = hole.split_once('}') else {
                return Err("a \"{\" has no \"}\" after it".to_owned());
            };
            let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                return Err(format!("\"{{{name}}}\" is not the name of a hole"));
            }
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Hole(name.to_owned()));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Template(pieces))
    }

    /// Returns the names of its holes.
    pub(super) fn holes(&self) -> BTreeSet<&str> {
        let holes = self.0.iter().filter_map(|piece| match piece {
            Piece::Hole(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        });
        holes.collect()
    }

    /// Returns the text with its holes filled. A hole without a value stays empty.
    pub(super) fn fill(&self, holes: &[Hole<'_>]) -> String {
        fill_pieces(&self.0, holes)
    }

    /// Returns the filled texts before and after the first hole of a name; all of the text before it, if it has none.
    pub(super) fn fill_around(&self, hole: &str, holes: &[Hole<'_>]) -> (String, String) {
        let is_hole = |piece: &Piece| matches!(piece, Piece::Hole(name) if name == hole);
        let at = self.0.iter().position(is_hole);
        let (before, after) = self.0.split_at(at.unwrap_or(self.0.len()));
        let after = after.get(1..).unwrap_or_default();
        (fill_pieces(before, holes), fill_pieces(after, holes))
    }
}

impl fmt::Display for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => out.write_str(text),
            Piece::Hole(name) => write!(out, "{{{name}}}"),
        })
    }
}

fn fill_pieces(pieces: &[Piece], holes: &[Hole<'_>]) -> String {
    let mut text = String::new();
    for piece in pieces {
        let _ = match piece {
            Piece::Text(part) => text.write_str(part),
            Piece::Hole(name) => match holes.iter().find(|(known, _)| known == name) {
                Some((_, value)) => write!(text, "{value}"),
                None => Ok(()),
            },
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_name_and_braces_come_in_pairs() {
        let template = Template::parse("{voted} of {all} voted, {voted}").unwrap();
        assert_eq!(Vec::from_iter(template.holes()), ["all", "voted"]);
        assert_eq!(
            template.fill(&[("all", &5), ("voted", &"{x}")]),
            "{x} of 5 voted, {x}"
        );
        assert_eq!(
            template.fill_around("all", &[("voted", &1)]),
            ("1 of ".to_owned(), " voted, 1".to_owned())
        );
        for (text, message) in [
            ("a {b", "a \"{\" has no \"}\" after it"),
            ("a b}", "a \"}\" has no \"{\" before it"),
            ("a {} b", "\"{}\" is not the name of a hole"),
            ("a {B c} b", "\"{B c}\" is not the name of a hole"),
        ] {
            assert_eq!(Template::parse(text), Err(message.to_owned()));
        }
    }
}
