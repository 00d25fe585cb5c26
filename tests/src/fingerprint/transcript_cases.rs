//! Reads the parts of a transcript's cases that a game needs: settings, lines, answers and script changes.
//!
//! The program that plays transcripts as tests finds errors of their form; here all of them are right.

use host::game::Rewrite;

/// One case.
#[derive(Debug, Default)]
pub(super) struct Case {
    /// The rule that it tests; it is the seed of its dice.
    pub(super) sentence: String,
    /// Arguments of the ruleset's function `test`.
    pub(super) settings: Vec<(String, String)>,
    /// The answer to all questions without a line of their own.
    pub(super) answers: Option<String>,
    /// The steps, in order.
    pub(super) steps: Vec<Step>,
}

/// One line of a case.
#[derive(Debug)]
pub(super) enum Step {
    /// A seat submits a line; the answers to its questions, by key.
    Line {
        by: Option<String>,
        line: String,
        answers: Vec<(String, String)>,
    },
    /// A script is saved with other words.
    Rewrite(Rewrite),
}

/// Returns the cases of a transcript and the ruleset that it names.
pub(super) fn ruleset_and_cases(text: &str) -> (Option<String>, Vec<Case>) {
    let (mut ruleset, mut cases) = (None, Vec::<Case>::new());
    for line in text.lines().map(str::trim_end) {
        if let Some(sentence) = line.strip_prefix("---") {
            let sentence = sentence.trim().to_owned();
            cases.push(Case {
                sentence,
                ..Case::default()
            });
        } else if let Some(case) = cases.last_mut() {
            case.add_line(line);
        } else if let Some(name) = line.strip_prefix("ruleset:") {
            ruleset = Some(name.trim().to_owned());
        }
    }
    (ruleset, cases)
}

impl Case {
    fn add_line(&mut self, line: &str) {
        if line.is_empty() || line.starts_with(['#', '|']) {
        } else if let Some(given) = line.strip_prefix('>') {
            self.steps.push(parse_given_line(given.trim()));
        } else if let Some(rewrite) = line.strip_prefix('<') {
            self.steps.push(parse_rewrite(rewrite.trim()));
        } else if let Some(answer) = line.strip_prefix('?') {
            let answer = split_pair(answer, '=');
            if let Some(Step::Line { answers, .. }) = self.steps.last_mut() {
                answers.push(answer);
            }
        } else {
            self.add_setting(split_pair(line, ':'));
        }
    }

    fn add_setting(&mut self, (key, value): (String, String)) {
        match (key.as_str(), value.as_str()) {
            ("dice", "typed") => {}
            ("answers", _) => self.answers = Some(value),
            _ => self.settings.push((key, value)),
        }
    }
}

fn split_pair(text: &str, mark: char) -> (String, String) {
    let (key, value) = text.split_once(mark).expect("the line has its mark");
    (key.trim().to_owned(), value.trim().to_owned())
}

fn parse_rewrite(text: &str) -> Step {
    let (file, words) = text.split_once(": ").expect("the line names a file");
    let (old, new) = words.split_once(" => ").expect("the line has other words");
    let [file, old, new] = [file, old, new].map(|part| part.trim().to_owned());
    Step::Rewrite(Rewrite { file, old, new })
}

/// Reads `Ann: command`; a name is words that begin with a capital, or `gm`.
fn parse_given_line(text: &str) -> Step {
    let is_word = |word: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'');
        word.starts_with(char::is_uppercase) && word.chars().all(is_part)
    };
    let is_seat = |name: &str| name == "gm" || (!name.is_empty() && name.split(' ').all(is_word));
    let (by, line) = match text.split_once(": ").filter(|(name, _)| is_seat(name)) {
        Some((name, line)) => (Some(name.to_owned()), line.trim()),
        None => (None, text),
    };
    let (line, answers) = (line.to_owned(), Vec::new());
    Step::Line { by, line, answers }
}
