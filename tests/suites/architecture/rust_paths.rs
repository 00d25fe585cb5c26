//! Reads the paths in a Rust file: those of its `use` lines and those in its code.

/// The paths that a file names.
#[derive(Debug, Default)]
pub(super) struct NamedPaths {
    /// The imports of its `use` lines.
    pub(super) imports: Vec<Import>,
    /// The paths in its code.
    pub(super) inline: Vec<Vec<String>>,
    /// The modules that it declares only for tests.
    pub(super) tests: Vec<String>,
}

/// One name that a `use` line imports.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    name: String,
    /// Whether it is a re-export.
    pub(super) is_public: bool,
}

impl Import {
    /// Returns the name and its path.
    pub(super) fn name_and_path(&self) -> (String, Vec<String>) {
        (self.name.clone(), self.path.clone())
    }
}

/// A piece of code: a word, `::`, or any other sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Colons,
    Sign(char),
}

/// Reads the paths in code without comments.
pub(super) fn read_named_paths(code: &str) -> NamedPaths {
    let tokens = tokens(code);
    let mut paths = NamedPaths::default();
    let mut at = 0;
    while at < tokens.len() {
        at = match &tokens[at..] {
            [Token::Word("use"), next, ..] if *next != Token::Sign('<') => {
                let end = at + position_or_end(&tokens[at..], Token::Sign(';'));
                let is_public = is_public(&tokens[..at]);
                add_use_tree(&tokens[at + 1..end], &[], is_public, &mut paths.imports);
                end
            }
            [Token::Word("mod"), Token::Word(name), Token::Sign(';'), ..]
                if is_for_tests(&tokens[..at]) =>
            {
                paths.tests.push((*name).to_owned());
                at + 2
            }
            [Token::Word(_), Token::Colons, ..] if can_begin_path(&tokens[..at]) => {
                let (path, length) = read_path(&tokens[at..]);
                paths.inline.push(path);
                at + length
            }
            _ => at + 1,
        };
    }
    paths
}

/// Splits code into tokens; string and character literals give none.
fn tokens(code: &str) -> Vec<Token<'_>> {
    let (mut found, mut rest) = (Vec::new(), code);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_literal_length(rest),
            'r' | 'b' if raw_string_length(rest).is_some() => raw_string_length(rest).unwrap_or(1),
            '\'' => char_literal_length(rest),
            ':' if rest.starts_with("::") => {
                found.push(Token::Colons);
                2
            }
            first if first.is_alphanumeric() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                found.push(Token::Word(word));
                word.len()
            }
            first => {
                if !first.is_whitespace() {
                    found.push(Token::Sign(first));
                }
                first.len_utf8()
            }
        };
        rest = &rest[length.min(rest.len())..];
    }
    found
}

/// Returns the length of a string literal.
fn string_literal_length(code: &str) -> usize {
    let mut is_escaped = false;
    let end = code[1..].char_indices().find(|(_, letter)| {
        let ends = *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        ends
    });
    end.map_or(code.len(), |(at, _)| at + 2)
}

/// Returns the length of a raw string literal, if one begins here.
fn raw_string_length(code: &str) -> Option<usize> {
    let inner = code.trim_start_matches('b').strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let end = body
        .find(&closing)
        .map_or(body.len(), |at| at + closing.len());
    Some(code.len() - body.len() + end)
}

/// Returns the length of a character literal, or of the quote of a lifetime.
fn char_literal_length(code: &str) -> usize {
    let mut letters = code.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), _) => {
            let end = code[3.min(code.len())..].find('\'');
            end.map_or(1, |at| at + 4)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

fn position_or_end(tokens: &[Token<'_>], wanted: Token<'_>) -> usize {
    let found = tokens.iter().position(|token| *token == wanted);
    found.unwrap_or(tokens.len())
}

/// Returns whether the next item is public in any way: `pub`, or `pub(…)`.
fn is_public(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Word("pub")] => true,
        [.., Token::Sign(')')] => {
            let open = before.iter().rposition(|token| *token == Token::Sign('('));
            open.is_some_and(|open| before[..open].ends_with(&[Token::Word("pub")]))
        }
        _ => false,
    }
}

/// Returns whether `#[cfg(test)]` stands before the next item.
fn is_for_tests(before: &[Token<'_>]) -> bool {
    let begin = before.iter().rposition(|token| *token == Token::Sign(']'));
    let Some(end) = begin else { return false };
    let between = &before[end + 1..];
    let words = ["cfg", "test"].map(Token::Word);
    let is_cfg = words
        .iter()
        .all(|word| before[..end].iter().rev().take(6).any(|one| one == word));
    is_cfg && (between.is_empty() || is_public(before))
}

/// Returns whether a path can begin here. A path continues after `::`; after a dot comes a method
/// or field.
fn can_begin_path(before: &[Token<'_>]) -> bool {
    !matches!(before, [.., Token::Colons | Token::Sign('.')])
}

/// Returns the path that begins here, and its number of tokens.
fn read_path(tokens: &[Token<'_>]) -> (Vec<String>, usize) {
    let (mut names, mut at) = (Vec::new(), 0);
    while let Some(Token::Word(name)) = tokens.get(at) {
        names.push((*name).to_owned());
        at += 1;
        match tokens.get(at..at + 2) {
            Some([Token::Colons, Token::Word(_)]) => at += 1,
            _ => break,
        }
    }
    (names, at)
}

/// Adds the imports of a `use` tree: `a::b`, `a::{b, c as d}`, `a::{self}`.
fn add_use_tree(tokens: &[Token<'_>], above: &[String], is_public: bool, out: &mut Vec<Import>) {
    let (names, length) = read_path(tokens);
    let full: Vec<String> = above.iter().cloned().chain(names).collect();
    let mut bring = |mut path: Vec<String>, name: Option<&str>| {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let last = path.last().cloned().unwrap_or_default();
        let name = name.map_or(last, str::to_owned);
        out.push(Import {
            path,
            name,
            is_public,
        });
    };
    match &tokens[length..] {
        [] => bring(full, None),
        [Token::Word("as"), Token::Word(name)] => bring(full, Some(name)),
        [Token::Colons, Token::Sign('*')] => bring([full, vec!["*".to_owned()]].concat(), None),
        [
            Token::Colons,
            Token::Sign('{'),
            inner @ ..,
            Token::Sign('}'),
        ]
        | [Token::Sign('{'), inner @ .., Token::Sign('}')] => {
            for part in split_at_top_commas(inner) {
                add_use_tree(part, &full, is_public, out);
            }
        }
        _ => {}
    }
}

/// Splits the tokens inside braces at top-level commas.
fn split_at_top_commas<'t, 'a>(inner: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0;
    let parts = inner.split(|token| {
        depth += i32::from(*token == Token::Sign('{')) - i32::from(*token == Token::Sign('}'));
        depth == 0 && *token == Token::Sign(',')
    });
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports_as_text(code: &str) -> Vec<String> {
        let imports = read_named_paths(code).imports.into_iter();
        let shown = imports.map(|one| format!("{}={}", one.name, one.path.join("::")));
        shown.collect()
    }

    #[test]
    fn a_use_line_brings_each_name_of_its_tree() {
        let code = "use super::{self, a::{B, c as d}, e};\nuse crate::f::*;";
        let brought = [
            "super=super",
            "B=super::a::B",
            "d=super::a::c",
            "e=super::e",
            "*=crate::f::*",
        ];
        assert_eq!(imports_as_text(code), brought);
        assert_eq!(
            imports_as_text("fn f() -> impl Iterator<Item = u8> + use<'a> {}"),
            [""; 0]
        );
        let public = read_named_paths("pub(in crate::x) use a::B;\nfn f() {}\nuse a::C;").imports;
        assert!(public[0].is_public && !public[1].is_public);
    }

    #[test]
    fn paths_in_the_code_are_read_and_those_in_texts_are_not() {
        let code = r##"let a = x::y(1); b.c::<D>(); 'e: loop {} let f = ':'; let g = "h::i"; j::K::l; r#"m::n"#;"##;
        let found: Vec<String> = read_named_paths(code)
            .inline
            .iter()
            .map(|path| path.join("::"))
            .collect();
        assert_eq!(found, ["x::y", "j::K::l"]);
    }

    #[test]
    fn modules_for_tests_are_told_apart() {
        let code = "#[cfg(test)]\nmod a;\nmod b;\n#[cfg(test)]\npub(crate) mod c;\n#[cfg(feature = \"x\")]\nmod d;";
        assert_eq!(read_named_paths(code).tests, ["a", "c"]);
    }
}
