//! Finds optional words outside of slots: a script cannot see whether they were typed. A mark without a letter is not
//! such a word.

use super::Rules;
use super::grammar::move_finding_to_definition;
use crate::content::Definition;
use crate::diag::{Diagnostic, Source, Span};
use crate::script::declare::schema::syntax_texts;

/// Returns a warning for each such word in the lines of definitions that are `asked` for.
///
/// `[word|]` declares that the word has no meaning, so it gets no warning.
pub(crate) fn unseen_word_findings(
    rules: &Rules,
    asked: impl Fn(&Definition) -> bool,
) -> Vec<Diagnostic> {
    let has_lines = |one: &&Definition| {
        let schema = rules.schemas.get(&*one.collection);
        schema.is_some_and(|schema| schema.slot_type.is_some())
    };
    let definitions = rules.registry.iter().map(AsRef::as_ref);
    let asked = definitions.filter(has_lines).filter(|one| asked(one));
    asked
        .flat_map(|one| findings_of_definition(rules, one))
        .collect()
}

fn findings_of_definition(rules: &Rules, definition: &Definition) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, line) in syntax_texts(definition).enumerate() {
        let id = format!("{}/{}#{}", definition.collection, definition.id, index + 1);
        let source = Source::new(id, &**line);
        for span in unseen_brackets(line) {
            let word = source.slice(span);
            let inside = &word[1..word.len() - 1];
            let message =
                format!("no slot holds {word}: the script cannot see whether it was typed");
            let finding = Diagnostic::warning("phrase/unseen-word", message)
                .at(&source, span)
                .hint(format!(
                    "write [{{how: {inside}}}] to find it in args.how, or [{inside}|] if it means nothing"
                ));
            found.push(move_finding_to_definition(finding, &rules.registry));
        }
    }
    found
}

/// Returns the brackets in a template that hold words alone, and no second choice.
fn unseen_brackets(line: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut open, mut is_literal) = (None, false);
    for (at, c) in line.char_indices() {
        if is_literal {
            is_literal = false;
            continue;
        }
        is_literal = c == '\\';
        match c {
            '[' => open = Some(at),
            '{' | '|' => open = None,
            ']' => found.extend(open.take().map(|from| Span::new(from, at + 1))),
            _ => (),
        }
    }
    // A mark is only a form of writing without a meaning.
    found.retain(|span| line[span.start..span.end].contains(char::is_alphabetic));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_words_alone_are_found_and_those_with_a_slot_or_a_choice_are_not() {
        let cases: [(&str, &[&str]); 10] = [
            ("go [softly] {where: Place}", &["[softly]"]),
            ("go [very softly]", &["[very softly]"]),
            ("go [{how: softly}]", &[]),
            ("go [softly|]", &[]),
            ("go [to|into] {where: Place}", &[]),
            ("go [to {where: Place} [now]]", &["[now]"]),
            ("go [[now] to {where: Place}]", &["[now]"]),
            ("go [#]{n: Integer}", &[]),
            ("go \\[softly\\]", &[]),
            ("go [a\\|b]", &["[a\\|b]"]),
        ];
        for (line, expected) in cases {
            let found = unseen_brackets(line).into_iter();
            let found: Vec<&str> = found.map(|span| &line[span.start..span.end]).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
