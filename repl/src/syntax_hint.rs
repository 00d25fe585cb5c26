//! The grey text after the cursor: the rest of the syntax of the typed command.

use host::game;
use host::game::Timeline;
use host::script::declarations;

use crate::completion::grammar_suggestions::expects_dice;
use crate::completion::luau_suggestions::api_names;

/// Example that is shown if dice are expected and none were typed yet.
const DICE: &str = "   for example 2d6+1, 4d6kh3, d20";

/// Returns in words the possible rest of an actor's line.
pub(crate) fn syntax_hint(timeline: &Timeline, by: &str, line: &str) -> Option<String> {
    let typed = line.trim_start();
    if typed.starts_with('=') {
        return function_signature(typed);
    }
    if let Some((seat, inner)) =
        game::parse_for_seat_line(line).filter(|(_, inner)| !inner.is_empty())
    {
        return syntax_hint(
            timeline,
            &game::seat_spoken_for(timeline, by, seat).ok()?,
            inner,
        );
    }
    let word = typed.split_whitespace().next()?;
    let slot = open_slot_name(timeline, by, line);
    let syntax = game::syntax_lines_of_command(timeline, word);
    let rest = nearest_syntax_lines(&syntax, typed)
        .find_map(|syntax| rest_of_syntax(syntax, typed, slot.as_deref()))?;
    let wants_dice = line.ends_with(' ')
        && game::expected_next_words(timeline, by, line)
            .iter()
            .any(expects_dice);
    Some(if wants_dice { rest + DICE } else { rest })
}

/// Returns whether the grammar offers a word after a line where no syntax line has it. In this case the last typed word
/// is taken for a part of a name, although it is a word of the syntax itself.
pub(crate) fn is_suggested_word_out_of_place(timeline: &Timeline, line: &str, word: &str) -> bool {
    let typed: Vec<&str> = line.split_whitespace().collect();
    let Some(first) = typed
        .first()
        .filter(|_| line.ends_with(char::is_whitespace))
    else {
        return false;
    };
    let syntax = game::syntax_lines_of_command(timeline, first);
    is_word_misplaced_in_line(&syntax, &typed, word)
}

fn is_word_misplaced_in_line(syntax: &[String], typed: &[&str], word: &str) -> bool {
    let aligned = syntax
        .iter()
        .filter_map(|line| align_words(&syntax_pieces(line), typed));
    let behind: Vec<Vec<&str>> = aligned
        .filter(|one| one.is_word_last)
        .map(|one| one.rest)
        .collect();
    let is_known = syntax
        .iter()
        .any(|line| has_word(&syntax_pieces(line), word));
    !behind.is_empty() && is_known && !behind.iter().any(|rest| may_come_next(rest, word))
}

/// Returns whether a word is one of the words of a syntax line, in brackets too.
fn has_word(pieces: &[&str], word: &str) -> bool {
    pieces.iter().any(|piece| match piece.strip_prefix('[') {
        Some(inner) => has_word(
            &syntax_pieces(inner.strip_suffix(']').unwrap_or(inner)),
            word,
        ),
        None => piece.eq_ignore_ascii_case(word),
    })
}

/// Returns whether a word may be the next one: a word of the line itself, or a choice of a slot.
fn may_come_next(rest: &[&str], word: &str) -> bool {
    let is_choice = |piece: &&str| {
        let choices = piece
            .trim_matches(['{', '}', '?', '*', '+'])
            .split([':', '|']);
        choices
            .map(str::trim)
            .any(|one| one.eq_ignore_ascii_case(word))
    };
    may_begin_piece(rest, word)
        || rest
            .first()
            .filter(|one| one.starts_with('{'))
            .is_some_and(is_choice)
}

/// Returns the syntax lines with the most typed words: a name may look like a word of another line.
fn nearest_syntax_lines<'a>(syntax: &'a [String], typed: &str) -> impl Iterator<Item = &'a String> {
    let typed: Vec<&str> = typed.split_whitespace().collect();
    let words = |line: &String| align_words(&syntax_pieces(line), &typed).map(|one| one.words);
    let most = syntax.iter().filter_map(words).max();
    let found: Vec<&String> = syntax.iter().filter(|line| words(line) == most).collect();
    found.into_iter()
}

/// Returns the slot of the last word, or of the next one, if it is clear.
fn open_slot_name(timeline: &Timeline, by: &str, line: &str) -> Option<String> {
    let end = line.rfind(char::is_whitespace)?;
    let expected = game::expected_next_words(timeline, by, &line[..=end]).into_iter();
    let mut slots: Vec<String> = expected.filter_map(|one| one.slot).collect();
    slots.dedup();
    slots.pop().filter(|_| slots.is_empty())
}

/// Returns the rest of a syntax line after the typed text; `None` if the line is another command, or complete.
///
/// A name of several words looks like several slots: the slot `open` shows the position in the line.
fn rest_of_syntax(syntax: &str, typed: &str, open: Option<&str>) -> Option<String> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let is_open = !typed.ends_with(char::is_whitespace);
    let rest = align_words(&syntax_pieces(syntax), &words)?.rest;
    let at = open.and_then(|slot| {
        let is_slot = |piece: &&str| slot_name(piece) == Some(slot);
        rest.iter().position(is_slot)
    });
    let text = match at {
        Some(at) if is_open => {
            let mark = rest[at].rsplit_once('}').map_or("", |(_, mark)| mark);
            let later = rest[at + 1..].iter().map(|piece| format!(" {piece}"));
            return Some(later.fold(mark.to_owned(), |all, piece| all + &piece))
                .filter(|text| !text.is_empty());
        }
        Some(at) => rest[at..].join(" "),
        None => rest.join(" "),
    };
    let gap = if is_open && !text.is_empty() { " " } else { "" };
    (!text.is_empty()).then(|| format!("{gap}{text}"))
}

/// Returns the name of a slot of a syntax line.
fn slot_name(piece: &str) -> Option<&str> {
    piece.strip_prefix('{')?.split([':', '}']).next()
}

/// Typed words, matched with the pieces of a syntax line.
#[derive(Debug, Default)]
struct Aligned<'a> {
    /// The remaining pieces.
    rest: Vec<&'a str>,
    /// Number of typed words that are words of the line.
    words: usize,
    /// Whether the last typed word is one of them.
    is_word_last: bool,
}

/// Matches typed words with the pieces of a syntax line.
///
/// A slot takes words until the next word of the syntax; brackets are matched if their first word was typed.
fn align_words<'a>(pieces: &[&'a str], words: &[&str]) -> Option<Aligned<'a>> {
    let Some((word, later)) = words.split_first() else {
        return Some(Aligned {
            rest: pieces.to_vec(),
            ..Aligned::default()
        });
    };
    let (piece, others) = pieces.split_first()?;
    if let Some(inner) = piece.strip_prefix('[') {
        let inner = inner.strip_suffix(']').unwrap_or(inner);
        let whole: Vec<&str> = syntax_pieces(inner)
            .into_iter()
            .chain(others.iter().copied())
            .collect();
        return align_words(&whole, words).or_else(|| align_words(others, words));
    }
    if !piece.starts_with('{') {
        let found = piece
            .eq_ignore_ascii_case(word)
            .then(|| align_words(others, later));
        return found.flatten().map(|found| Aligned {
            words: found.words + 1,
            is_word_last: found.is_word_last || later.is_empty(),
            ..found
        });
    }
    let ends = (1..words.len()).find(|at| may_begin_piece(others, words[*at]));
    match ends {
        Some(at) => align_words(others, &words[at..]),
        None => Some(Aligned {
            rest: others.to_vec(),
            ..Aligned::default()
        }),
    }
}

/// Returns whether a word may be the next literal one.
fn may_begin_piece(pieces: &[&str], word: &str) -> bool {
    let Some((piece, others)) = pieces.split_first() else {
        return false;
    };
    match piece.strip_prefix('[') {
        Some(inner) => {
            may_begin_piece(&syntax_pieces(inner.trim_end_matches(']')), word)
                || may_begin_piece(others, word)
        }
        None => !piece.starts_with('{') && piece.eq_ignore_ascii_case(word),
    }
}

/// Returns the parts of a syntax line: words, slots in braces, options in brackets.
fn syntax_pieces(syntax: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in syntax.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => {
                found.push(&syntax[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&syntax[start..]);
    found.retain(|piece| !piece.is_empty());
    found
}

/// Returns the parameters of the API function whose bracket was opened last.
fn function_signature(typed: &str) -> Option<String> {
    let names = api_names();
    let name = names
        .iter()
        .filter(|name| typed.ends_with(name.as_str()))
        .max_by_key(|name| name.len())?;
    let (group, function) = name
        .trim_end_matches('(')
        .rsplit_once([':', '.'])
        .unwrap_or((name, name));
    let function = function.trim_end_matches('(');
    let groups = declarations();
    let found = groups
        .iter()
        .filter(|one| one.name.eq_ignore_ascii_case(group.trim_end_matches('(')));
    let found = found
        .flat_map(|one| &one.functions)
        .find(|one| one.name == function)?;
    let parameters = found.signature.trim_start_matches('(');
    let parameters = match parameters.strip_prefix("self") {
        Some(rest) => rest
            .split_once([',', ')'])
            .map_or(rest, |(_, rest)| rest)
            .trim_start(),
        None => parameters,
    };
    Some(parameters.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNTAX: &str = "attack {whom: Person} [-> {to: Person}] [with {how: full force|care}]";

    fn rest_of_example_syntax(typed: &str) -> Option<String> {
        rest_of_syntax(SYNTAX, typed, None)
    }

    #[test]
    fn the_hint_is_the_rest_of_the_syntax() {
        assert_eq!(
            rest_of_example_syntax("attack").unwrap(),
            " {whom: Person} [-> {to: Person}] [with {how: full force|care}]"
        );
        assert_eq!(
            rest_of_example_syntax("attack ").unwrap(),
            "{whom: Person} [-> {to: Person}] [with {how: full force|care}]"
        );
        assert_eq!(
            rest_of_example_syntax("attack Hill Gu").unwrap(),
            " [-> {to: Person}] [with {how: full force|care}]"
        );
        assert_eq!(
            rest_of_example_syntax("attack Hill Guard -> ").unwrap(),
            "{to: Person} [with {how: full force|care}]"
        );
        assert_eq!(
            rest_of_example_syntax("attack Ann with ").unwrap(),
            "{how: full force|care}"
        );
        assert_eq!(rest_of_example_syntax("attack Ann with care"), None);
        assert_eq!(rest_of_example_syntax("defend "), None);
    }

    #[test]
    fn a_slot_goes_on_until_the_next_word() {
        let rest = |typed: &str| rest_of_syntax("give {what: Text} to {whom: Person}", typed, None);
        assert_eq!(rest("give the old ").unwrap(), "to {whom: Person}");
        assert_eq!(rest("give the old key to ").unwrap(), "{whom: Person}");
        assert_eq!(rest("give the old key to Ann"), None);
    }

    #[test]
    fn the_open_slot_tells_where_a_name_of_several_words_ends() {
        let syntax = "note {whom: Person} {part: Word}: {value: Rest}";
        let rest =
            |typed: &str, open| rest_of_syntax(syntax, typed, Some(open)).unwrap_or_default();
        assert_eq!(
            rest("note Hill Guard ", "part"),
            "{part: Word}: {value: Rest}"
        );
        assert_eq!(rest("note Hill Guard lo", "part"), ": {value: Rest}");
        assert_eq!(rest("note Hill Guard look: ", "value"), "{value: Rest}");
        assert_eq!(rest("note Hill Guard look: good", "value"), "");
    }

    #[test]
    fn a_line_with_more_of_the_words_is_meant() {
        let syntax = [
            "new {kind: Kind} {now: anyway|instead}",
            "new of {roles: Rest}",
        ];
        let syntax = syntax.map(str::to_owned);
        let nearest = |typed: &str| {
            nearest_syntax_lines(&syntax, typed)
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(nearest("new of Wolf with A"), syntax[1..]);
        assert_eq!(nearest("new Quay "), syntax[..1]);
    }

    #[test]
    fn a_word_of_the_syntax_does_not_stand_behind_one_that_wants_something() {
        let syntax = [SYNTAX, "attack of {whom: Person} [by {who: Person}]"].map(str::to_owned);
        let is_misplaced = |typed: &str, word: &str| {
            let typed: Vec<&str> = typed.split_whitespace().collect();
            is_word_misplaced_in_line(&syntax, &typed, word)
        };
        for (typed, word) in [
            ("attack Ann with ", "with"),
            ("attack Ann -> ", "with"),
            ("attack of Ann by ", "by"),
        ] {
            assert!(is_misplaced(typed, word), "{typed}{word}");
        }
        for (typed, word) in [
            ("attack ", "of"),
            ("attack Ann ", "with"),
            ("attack Ann with ", "care"),
            ("attack Ann with ", "other"),
            ("attack of Ann ", "by"),
        ] {
            assert!(!is_misplaced(typed, word), "{typed}{word}");
        }
    }

    #[test]
    fn an_opened_bracket_shows_the_parameters() {
        assert_eq!(
            function_signature("= act:get(").unwrap(),
            "row: string, field: string) -> any"
        );
        assert!(function_signature("= act:get(\"a\"").is_none());
        assert!(function_signature("= 1 + print(").is_some());
    }
}
