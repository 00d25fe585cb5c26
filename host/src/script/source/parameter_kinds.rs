//! Reads from a declaration the kinds that the arguments of a function may have.

use crate::script::border::argument_kinds::{Kind, Kinds};

/// Returns the kinds that `(self: T, a: X, b: Y?) -> R` allows. Returns all kinds if it is not a function.
pub(crate) fn allowed_kinds(signature: &str) -> Kinds {
    let Some(parameters) = signature.strip_prefix('(') else {
        return Kinds::ANY;
    };
    let mut kinds = Kinds::NONE;
    let parameters = &parameters[..closing_bracket(parameters)];
    for (at, part) in split_outside_brackets(parameters, ',')
        .into_iter()
        .enumerate()
    {
        match part.trim().split_once(':') {
            Some((name, declared)) if name != "self" && !name.starts_with("...") => {
                kinds.set_kinds_at(at, kinds_of(declared));
            }
            Some(("self", _)) => kinds.set_kinds_at(at, u8::MAX),
            _ => kinds.allow_any_from(at),
        }
    }
    kinds
}

/// Returns the kinds that a declared type allows.
fn kinds_of(declared: &str) -> u8 {
    let declared = declared.trim();
    let parts = split_outside_brackets(declared, '|');
    if parts.len() > 1 {
        return parts.iter().fold(0, |all, part| all | kinds_of(part));
    }
    if let Some(inner) = declared.strip_suffix('?') {
        return kinds_of(inner) | Kind::Nothing as u8;
    }
    if let Some(inner) = declared.strip_prefix('(') {
        let end = closing_bracket(inner);
        return match inner[end..].contains("->") {
            true => Kind::Function as u8,
            false => kinds_of(&inner[..end]),
        };
    }
    match declared {
        "string" => Kind::Text as u8,
        "number" => Kind::Number as u8,
        "boolean" => Kind::Bool as u8,
        "Act" => Kind::Table as u8,
        "Decimal" => Kind::Other as u8,
        _ if declared.starts_with('{') => Kind::Table as u8,
        _ => u8::MAX,
    }
}

/// Returns the parts of a text between marks that are not inside brackets.
fn split_outside_brackets(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ if letter == mark && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + mark.len_utf8();
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

/// Returns the place of the bracket that closes the one opened before a text.
fn closing_bracket(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns kinds from one set for each place, in order. Further places allow only nothing.
    fn kinds(of_places: &[u8]) -> Kinds {
        let mut kinds = Kinds::NONE;
        for (at, one) in of_places.iter().enumerate() {
            kinds.set_kinds_at(at, *one);
        }
        kinds
    }

    #[test]
    fn a_declaration_says_the_kinds_of_each_argument() {
        let [nothing, text, number, table, function, other] = [
            Kind::Nothing,
            Kind::Text,
            Kind::Number,
            Kind::Table,
            Kind::Function,
            Kind::Other,
        ]
        .map(|kind| kind as u8);
        let any = u8::MAX;
        let cases = [
            ("() -> ()", &[][..]),
            (
                "(row: string, at: number?) -> (any, any)",
                &[text, number | nothing],
            ),
            (
                "(self: Act, amount: number | Decimal) -> number",
                &[any, number | other],
            ),
            ("(self: Act, value: any) -> ()", &[any, any]),
            (
                "(filter: { row: (string | { string })?, most: number? }?) -> { string }",
                &[table | nothing],
            ),
            (
                "(f: (x: any, y: number) -> any, g: ((x: any) -> ())?) -> ()",
                &[function, function | nothing],
            ),
            (
                "(weight: (string | ((voter: string) -> any))?) -> any",
                &[text | function | nothing],
            ),
            ("{ any }", &[any; 8]),
            ("(...any) -> ...any", &[any; 8]),
            (
                "(self: Act, work: (...any) -> ...any, ...any) -> ...any",
                &[any, function, any, any, any, any, any, any],
            ),
        ];
        for (signature, expected) in cases {
            assert_eq!(allowed_kinds(signature), kinds(expected), "{signature}");
        }
    }
}
