//! The kinds of lines of a transcript, as pages describe them.

/// A kind of line.
#[derive(Debug)]
pub(crate) struct LineKind {
    /// How the line is written. Words in capitals stand for others.
    pub(crate) written: &'static str,
    pub(crate) meaning: &'static str,
    /// The line above an example, and the example.
    pub(crate) example: (&'static str, &'static str),
}

const fn kind(
    written: &'static str,
    meaning: &'static str,
    example: (&'static str, &'static str),
) -> LineKind {
    LineKind {
        written,
        meaning,
        example,
    }
}

/// All kinds of lines. An example is a line, and the line above it. The other lines that it needs are those of a case.
pub(crate) const LINE_KINDS: [LineKind; 15] = [
    kind(
        "ruleset: NAME",
        "before the first case: the ruleset of all cases of the file. This is the only setting of a file",
        ("", "ruleset: mini"),
    ),
    kind(
        "--- SENTENCE",
        "begins a case. The sentence is the seed of its dice, and occurs once in the file",
        ("> a", "--- nobody is hit twice"),
    ),
    kind(
        "KEY: VALUE",
        "a setting of the case; only between the sentence and the first command, each key once",
        ("--- one", "people: Ann, Bo"),
    ),
    kind(
        "> COMMAND",
        "gives a command, as the game master at first",
        ("--- one", "> cheer Ann"),
    ),
    kind(
        "> Ann: COMMAND",
        "gives a command as the seat `Ann`. Each word of the name begins with a capital; `gm` is the game master",
        ("--- one", "> Ann: cheer Bo"),
    ),
    kind(
        "? KEY = ANSWER",
        "answers the question of the command above that has this key; directly below the command",
        ("> a", "? parry = no"),
    ),
    kind(
        "? * = ANSWER",
        "answers the next question of the command, with any key",
        ("> a", "? * = no"),
    ),
    kind(
        "? KEY = default",
        "gives the default of the question; yes if it has none",
        ("> a", "? parry = default"),
    ),
    kind(
        "| LINE",
        "one line of the output of the command above",
        ("> a", "| Ann is fine."),
    ),
    kind(
        "| ...",
        "any lines, also none. Alone it matches any output except a refusal",
        ("> a", "| ..."),
    ),
    kind("| refused", "alone: any refusal", ("> a", "| refused")),
    kind(
        "| error[CODE]: TEXT",
        "a refusal by the host. A script error, a limit or an error of the host fails the case without such a line",
        (
            "> a",
            "| error[limit/dice]: a ruling may roll 1,000 dice at most",
        ),
    ),
    kind(
        "< FILE: OLD => NEW",
        "saves a script of the ruleset with changed words. `OLD` occurs exactly once in the file",
        ("> a", "< charms/cheer.luau: at: 1 => at: 2"),
    ),
    kind("# TEXT", "a comment", ("> a", "# why")),
    kind("an empty line", "nothing", ("> a", "")),
];

#[cfg(test)]
mod tests {
    use host::diag::Source;

    use super::*;
    use crate::transcript::parse_transcript;

    fn findings(text: &str) -> Vec<String> {
        let (_, findings) = parse_transcript(&Source::new("a.test.txt", text));
        findings.into_iter().map(|one| one.message).collect()
    }

    #[test]
    fn each_kind_has_an_example_that_is_read() {
        for kind in &LINE_KINDS {
            let (above, line) = kind.example;
            let head = match above {
                "> a" => "--- one\n",
                _ => "",
            };
            let foot = match above {
                "" => "--- one\n> a\n",
                "--- one" if !line.starts_with('>') => "> a\n",
                "> a" if line.starts_with("---") => "> a\n",
                _ => "",
            };
            let text = format!("{head}{above}\n{line}\n{foot}");
            assert_eq!(findings(&text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(findings("--- one\nwhat\n> a\n"), ["unknown kind of line"]);
    }

    #[test]
    fn each_mark_of_the_hint_begins_a_kind() {
        for mark in ["---", ">", "?", "|", "<", "#"] {
            assert!(super::super::transcript_parser::HINT.contains(&format!("{mark} (")));
            let of_mark = LINE_KINDS
                .iter()
                .find(|kind| kind.written.starts_with(mark));
            let (_, line) = of_mark.expect(mark).example;
            assert!(line.starts_with(mark), "{line}");
        }
    }
}
