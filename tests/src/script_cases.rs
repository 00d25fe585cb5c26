//! Reads files of small scripts, each with a sentence and its expected outcome.
//!
//! Form: `--- sentence` begins a case, `--> …` is the expected outcome, `--^ …` is a line at file level. All other
//! lines are the body of a command. The expected outcome is `= text`, the whole answer, or `code` or `code: text`, the
//! refusal and a part of its message. `--! raw` marks a case with an outcome that is promised for the fast parts only.

/// Expected outcome of a case.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The whole text of the answer.
    Answer(String),
    /// The code of the refusal and a part of its message.
    Refusal(String, String),
}

/// One small script.
#[derive(Clone, Debug)]
pub struct Case {
    /// The rule that it shows.
    pub sentence: String,
    /// Id of its command.
    pub id: String,
    /// Source of its command.
    pub source: String,
    /// Its expected outcome.
    pub expected: Expected,
    /// Whether the outcome is promised for the fast parts only.
    pub only_raw: bool,
}

/// Returns the cases of a file; `name` begins the ids of their commands.
pub fn read_cases(name: &str, text: &str) -> Vec<Case> {
    let parts = text.split("\n--- ").skip(1).enumerate();
    parts
        .map(|(index, part)| read_case(format!("{name}-case{}", index + 1), part))
        .collect()
}

/// Reads a case from its part of the file.
fn read_case(id: String, part: &str) -> Case {
    let (sentence, rest) = part.split_once('\n').unwrap_or((part, ""));
    let marked = |mark: &str| -> Vec<&str> {
        rest.lines()
            .filter_map(|line| line.strip_prefix(mark))
            .collect()
    };
    let expected = marked("--> ").join("\n");
    assert!(
        !expected.is_empty(),
        "the case \"{sentence}\" says not what it expects"
    );
    let expected = match expected.strip_prefix("= ") {
        Some(answer) => Expected::Answer(answer.to_owned()),
        None => {
            let (code, message) = expected.split_once(": ").unwrap_or((&expected, ""));
            Expected::Refusal(code.to_owned(), message.to_owned())
        }
    };
    let body: Vec<&str> = rest
        .lines()
        .filter(|line| !line.starts_with("--"))
        .collect();
    Case {
        sentence: sentence.to_owned(),
        source: crate::scratch_home::command_source(
            &id,
            &marked("--^ ").join("\n"),
            &body.join("\n"),
        ),
        id,
        expected,
        only_raw: marked("--! ").contains(&"raw"),
    }
}
