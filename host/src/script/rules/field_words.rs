//! Finds whether rules read or write a field of a row, as far as their text shows it.
//!
//! In: the text of a script or of content, and a name. A script can name a field in three ways. The name follows a
//! point, as in `row.hp`. It is in a call that is given `act`, as in `act:get(id, "hp")` and `act:create("orc", { hp =
//! 6 })`. Or it is in a constant of its own, as in `local HP = "hp"`. Any other word of the same name, such as a local
//! or an item of a list, is not a use of the field.

/// The methods of `act` that are given fields.
const METHODS: [&str; 12] = [
    "get",
    "get_decimal",
    "base",
    "stat",
    "set",
    "add",
    "create",
    "attach",
    "find",
    "rows",
    "may_see",
    "changes",
];

/// The quotes around a text in a script.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Returns whether a script reads or writes a field in its code, which is every line that is not a comment.
pub(super) fn script_uses_field(text: &str, field: &str) -> bool {
    let lines = text.lines();
    let code: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect();
    let is_constant = code.iter().any(|line| is_field_constant(line, field));
    let code = code.join("\n");
    !field.is_empty()
        && (is_constant
            || stands_behind_point(&code, field)
            || arguments_of_calls(&code).any(|call| is_name_given(call, field)))
}

/// Returns whether content reads a field: after a point, or as an operand, as in `(hp,2,/)`.
///
/// A name in capitals alone is a name of the rules, anywhere in content.
pub(super) fn content_uses_field(text: &str, field: &str) -> bool {
    let is_of_rules =
        field.chars().any(char::is_uppercase) && !field.chars().any(char::is_lowercase);
    stands_behind_point(text, field)
        || surroundings_of_name(text, field).any(|(before, behind)| {
            let is_operand = before.ends_with(['(', ',']) && behind.starts_with([',', ')']);
            let is_word = !before.ends_with(is_in_word) && !behind.starts_with(is_in_word);
            is_operand || (is_of_rules && is_word)
        })
}

/// Returns the text before and after each occurrence of a name.
fn surroundings_of_name<'a>(
    text: &'a str,
    name: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let found = text.match_indices(name);
    let found = found.filter(|(_, name)| !name.is_empty());
    found.map(move |(at, name)| (&text[..at], &text[at + name.len()..]))
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether a name follows a point. Two points join texts, and a bracket after the name makes it a function.
fn stands_behind_point(text: &str, field: &str) -> bool {
    surroundings_of_name(text, field).any(|(before, behind)| {
        let is_behind = before.ends_with('.') && !before.ends_with("..");
        is_behind && !behind.starts_with(is_in_word) && !behind.starts_with('(')
    })
}

/// Returns whether a line gives a name in capitals the name of a field.
fn is_field_constant(line: &str, field: &str) -> bool {
    let Some((name, said)) = line.split_once(" = ") else {
        return false;
    };
    let name = name
        .rsplit(|c: char| !is_in_word(c))
        .next()
        .unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    is_name && said.trim_end().trim_matches(QUOTES) == field && said.starts_with(QUOTES)
}

/// Returns the text in the brackets of calls that are given `act` and may be given a field.
fn arguments_of_calls(code: &str) -> impl Iterator<Item = &str> {
    let methods = code.match_indices("act:").filter_map(move |(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|c: char| !is_in_word(c))?;
        let is_act = !code[..at].ends_with(is_in_word);
        (is_act && METHODS.contains(&&rest[..end])).then(|| text_in_brackets(&rest[end..]))
    });
    let others = code.match_indices("(act,");
    methods.chain(others.map(move |(at, _)| text_in_brackets(&code[at..])))
}

/// Returns a text from its first bracket to the bracket that closes it, or all of it.
fn text_in_brackets(rest: &str) -> &str {
    let (mut depth, mut quote, mut is_literal) = (0_usize, None, false);
    for (at, c) in rest.char_indices() {
        match quote {
            Some(_) if is_literal => is_literal = false,
            Some(_) if c == '\\' => is_literal = true,
            Some(open) if c == open => quote = None,
            Some(_) => (),
            None if QUOTES.contains(&c) => quote = Some(c),
            None if "([{".contains(c) => depth += 1,
            None if ")]}".contains(c) => depth = depth.saturating_sub(1),
            None => (),
        }
        if quote.is_none() && depth == 0 {
            return &rest[..at];
        }
    }
    rest
}

/// Returns whether a call is given a name: as a text, or as a key of a table.
fn is_name_given(call: &str, field: &str) -> bool {
    surroundings_of_name(call, field).any(|(before, behind)| {
        let is_text = before.ends_with(QUOTES) && behind.starts_with(QUOTES);
        let rest = behind.trim_start();
        let is_key = rest.starts_with('=') && !rest.starts_with("==");
        is_text || (is_key && !before.ends_with(|c: char| is_in_word(c) || c == '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_names_a_field_behind_a_point_in_calls_with_act_and_in_constants() {
        let script = concat!(
            "-- act:get(id, \"speed\")\n",
            "local WEATHER = \"weather\"\n",
            "drafts.CORE = { \"range\", \"speed\" }\n",
            "local speed: any = moving.speed(act, who)\n",
            "act:create(\"orc\", { hp = 6, name = `it's {hp}` }, \"orc\")\n",
            "for _, row in act:rows({ where = { died_at = false } }) do\n",
            "  row.mount = mounts.of(act, row.id, \"rider\")\n",
            "end\n",
            "act:say(\"gm\", \"tide\")\n",
            "exact:get(\"surf\")\n",
        );
        for (field, expected) in [
            ("hp", true),
            ("name", true),
            ("died_at", true),
            ("mount", true),
            ("rider", true),
            ("weather", true),
            ("speed", false),
            ("range", false),
            ("moun", false),
            ("tide", false),
            ("surf", false),
            ("", false),
        ] {
            assert_eq!(script_uses_field(script, field), expected, "{field}");
        }
        assert!(!script_uses_field("say(\"a\"..speed)", "speed"));
        assert!(!script_uses_field(
            "act:get(id, if speed == 3 then \"x\" else \"y\")",
            "speed"
        ));
    }

    #[test]
    fn content_names_a_field_as_an_operand_and_behind_a_point() {
        let content = "name: draught of speed\ndraught: speed\nguard: (1,self.mount,/)\ncount: (heads,1,max)\nid: HEADS\n";
        for (field, expected) in [
            ("mount", true),
            ("heads", true),
            ("HEADS", true),
            ("HEAD", false),
            ("speed", false),
            ("draught", false),
            ("", false),
        ] {
            assert_eq!(content_uses_field(content, field), expected, "{field}");
        }
    }

    #[test]
    fn a_bracket_in_a_text_closes_nothing() {
        assert_eq!(text_in_brackets("(a, \")\", (b)) c"), "(a, \")\", (b)");
        assert_eq!(text_in_brackets("(a, '\\')' c"), "(a, '\\')' c");
        assert_eq!(text_in_brackets("é("), "");
        assert_eq!(text_in_brackets(""), "");
    }
}
