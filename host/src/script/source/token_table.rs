//! The declarations of a ruleset about its marks: `tokens` of `ruleset.luau`.
//!
//! `tokens = { quotes? = { "``" }, brackets? = { "⟨⟩" }, marks? = { "⇒" }, inner? = "-_" }`: pairs of two characters
//! and marks are added to the pairs and marks of every text. `inner` replaces the characters inside of words.

use std::sync::Arc;

use crate::content::Node;
use crate::diag::{Diagnostic, Source};
use crate::text::TokenTable;
use crate::value::Value;

const BRACKETS: &str = "brackets";
const INNER: &str = "inner";
const MARKS: &str = "marks";
const QUOTES: &str = "quotes";

/// Returns the table for reading texts of a ruleset. A value that is not a pair is ignored.
pub(crate) fn token_table(tokens: &Value) -> TokenTable {
    let mut table = TokenTable::default();
    let texts = |key: &str| tokens.get(key).items().iter().filter_map(Value::as_str);
    for quotes in texts(QUOTES).filter_map(|text| read_pair(QUOTES, text).ok()) {
        add_if_absent(&mut table.quotes, quotes);
    }
    for brackets in texts(BRACKETS).filter_map(|text| read_pair(BRACKETS, text).ok()) {
        add_if_absent(&mut table.brackets, brackets);
    }
    for mark in texts(MARKS).filter(|mark| is_mark(mark)) {
        add_if_absent(&mut table.marks, mark.to_owned());
    }
    if let Some(inner) = tokens.get(INNER).as_str() {
        let is_inner = |c: &char| is_mark(c.encode_utf8(&mut [0; 4]));
        table.inner_chars = inner.chars().filter(is_inner).collect();
    }
    table
}

/// Finds values that are not pairs, and marks that no text can hold. Findings: `schema/tokens`.
pub(crate) fn check_tokens(ruleset: &Node, source: &Arc<Source>) -> Vec<Diagnostic> {
    let Some(tokens) = ruleset.get("tokens") else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for key in [QUOTES, BRACKETS, MARKS] {
        for item in tokens.get(key).map(Node::items).unwrap_or_default() {
            let Some(text) = item.as_str() else { continue };
            let wrong = match key {
                MARKS => (!is_mark(text)).then_some(MARK),
                _ => read_pair(key, text).err(),
            };
            if let Some(expected) = wrong {
                let message = format!("`{key}` of `tokens` holds {text:?}: {expected}");
                let finding = Diagnostic::error("schema/tokens", message);
                findings.push(finding.at(source, item.span));
            }
        }
    }
    let inner = tokens.entry(INNER).map(|entry| &entry.node);
    let wrong = |text: &&str| !text.is_empty() && !is_mark(text);
    if let Some((inner, text)) = inner.and_then(|node| Some((node, node.as_str().filter(wrong)?))) {
        let message = format!("`{INNER}` of `tokens` is {text:?}: {MARK}");
        findings.push(Diagnostic::error("schema/tokens", message).at(source, inner.span));
    }
    findings
}

/// The definition of a mark.
const MARK: &str = "a mark has characters that are not letters, digits or spaces";

/// Returns the two characters of a pair, or the definition of a pair.
fn read_pair(key: &str, text: &str) -> Result<(char, char), &'static str> {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(open), Some(close), None) if is_mark(text) => match key {
            BRACKETS if open == close => Err("brackets are two different characters"),
            _ => Ok((open, close)),
        },
        _ => Err("a pair is two characters that are not letters, digits or spaces"),
    }
}

fn is_mark(text: &str) -> bool {
    let is_free = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    !text.is_empty() && text.chars().all(is_free)
}

fn add_if_absent<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::declare::schema::built_in_node;

    fn said(text: &str) -> (TokenTable, Vec<String>) {
        let (node, source) = built_in_node("ruleset", text);
        let table = token_table(node.to_value().get("tokens"));
        let found = check_tokens(&node, &source);
        (table, found.into_iter().map(|one| one.message).collect())
    }

    #[test]
    fn pairs_and_marks_are_added_and_inner_characters_replaced() {
        let (table, found) =
            said("tokens: { quotes: ['``'], brackets: [⟨⟩, '()'], marks: [⇒], inner: '-_' }");
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(table.quotes, [('"', '"'), ('`', '`')]);
        assert_eq!(table.brackets[2..], [('{', '}'), ('⟨', '⟩')]);
        assert_eq!(table.marks.last().map(String::as_str), Some("⇒"));
        assert_eq!(table.inner_chars, ['-', '_']);
        assert_eq!(said("name: Toy").0, TokenTable::default());
    }

    #[test]
    fn what_is_no_pair_is_a_finding_and_counts_for_nothing() {
        let (table, found) = said(
            "tokens: { quotes: ['`', '```', 'ab'], brackets: ['||', '<>'], marks: ['', 'a>'] }",
        );
        assert_eq!(found.len(), 6, "{found:?}");
        assert_eq!(
            found[0],
            "`quotes` of `tokens` holds \"`\": a pair is two characters that are not letters, digits or spaces"
        );
        assert_eq!(table.quotes, [('"', '"')]);
        assert_eq!(table.brackets.last(), Some(&('<', '>')));
        assert_eq!(table.marks, TokenTable::default().marks);
    }
}
