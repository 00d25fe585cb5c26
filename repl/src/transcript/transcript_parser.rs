//! Reads a transcript: a header, cases, their settings, commands and expected lines.
//!
//! Shape: `--- sentence` begins a case · `key: value` before the first command is a setting (before the first case: of
//! the file) · `> command`, or `> Ann: command` to act as Ann · `? key = answer` answers a question of the command,
//! with `*` as key the next one · `| line` is a line of its output, `| refused` alone any refusal ·
//! `< file: old => new` saves a script with other words in the middle of the game · `# comment`.
//! A seat before the command is one or more words that begin with a capital, or `gm`.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::diag::{Diagnostic, Source};
use host::game::Rewrite;

use crate::markdown_page::Page;

/// The kind of the blocks of a page that are transcripts: ```` ```transcript RULESET ````.
const PAGE_KIND: &str = "transcript";

/// A transcript as written.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    /// The ruleset that the header names.
    pub(crate) ruleset: Option<Setting>,
    /// The cases in order.
    pub(crate) cases: Vec<Case>,
}

/// A line `key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) line: usize,
    pub(crate) key: String,
    pub(crate) value: String,
}

/// One case.
#[derive(Debug, Default)]
pub(crate) struct Case {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// The rule that it tests.
    pub(crate) sentence: String,
    pub(crate) settings: Vec<Setting>,
    /// Whether every die is typed, and used by the next command: `dice: typed`.
    pub(crate) typed_dice: bool,
    /// The answer to all questions without a line of their own: `answers: yes`, or `answers: default` for the default
    /// of each question.
    pub(crate) answers: Option<Setting>,
    pub(crate) steps: Vec<Step>,
}

/// One command with its output, or a saved script.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// The seat that the line names.
    pub(crate) by: Option<String>,
    pub(crate) command: String,
    /// The answers to its questions, by key, with the numbers of their lines.
    pub(crate) answers: Vec<Setting>,
    /// The expected lines with the numbers of their lines.
    pub(crate) expected: Vec<(usize, String)>,
    /// The other words of a saved script; then there is nothing else.
    pub(crate) rewrite: Option<Rewrite>,
}

/// Reads a transcript and returns its usable parts and all errors.
pub(crate) fn parse_transcript(source: &Arc<Source>) -> (Transcript, Vec<Diagnostic>) {
    let mut parser = Parser {
        source,
        transcript: Transcript::default(),
        findings: Vec::new(),
    };
    for (index, line) in source.text().lines().enumerate() {
        parser.parse_line(index + 1, line.trim_end());
    }
    parser.add_errors_of_empty_cases();
    (parser.transcript, parser.findings)
}

/// Reads the transcripts of a Markdown page, one for each ruleset that its blocks name. Lines keep the numbers that they
/// have in the page.
pub(crate) fn parse_transcripts_of_page(
    source: &Arc<Source>,
) -> BTreeMap<String, (Transcript, Vec<Diagnostic>)> {
    let mut parsers: BTreeMap<String, Parser<'_>> = BTreeMap::new();
    for block in Page::read(source.name(), source.text()).blocks {
        let [kind, ruleset] = &block.words[..] else {
            continue;
        };
        if kind != PAGE_KIND {
            continue;
        }
        let setting = Setting {
            line: block.line,
            key: "ruleset".to_owned(),
            value: ruleset.clone(),
        };
        let parser = parsers.entry(ruleset.clone()).or_insert_with(|| Parser {
            source,
            transcript: Transcript {
                ruleset: Some(setting),
                cases: Vec::new(),
            },
            findings: Vec::new(),
        });
        for (index, line) in block.text.lines().enumerate() {
            parser.parse_line(block.line + 1 + index, line.trim_end());
        }
    }
    let finished = parsers.into_iter().map(|(ruleset, mut parser)| {
        parser.add_errors_of_empty_cases();
        (ruleset, (parser.transcript, parser.findings))
    });
    finished.collect()
}

struct Parser<'a> {
    source: &'a Arc<Source>,
    transcript: Transcript,
    findings: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn parse_line(&mut self, number: usize, line: &str) {
        if line.is_empty() || line.starts_with('#') {
        } else if let Some(sentence) = line.strip_prefix("---") {
            self.begin_case(number, sentence.trim());
        } else if let Some(command) = line.strip_prefix('>') {
            self.add_command(number, command.trim());
        } else if let Some(rewrite) = line.strip_prefix('<') {
            self.add_rewrite(number, rewrite.trim());
        } else if let Some(expected) = line.strip_prefix('|') {
            self.add_expected_line(number, expected.strip_prefix(' ').unwrap_or(expected));
        } else if let Some(answer) = line.strip_prefix('?') {
            self.add_answer(number, answer.trim());
        } else if let Some((key, value)) = line.split_once(':') {
            self.add_setting(number, key.trim(), value.trim());
        } else {
            self.add_error(number, "unknown kind of line", HINT);
        }
    }

    fn begin_case(&mut self, number: usize, sentence: &str) {
        let cases = &mut self.transcript.cases;
        let is_known = cases.iter().any(|case| case.sentence == sentence);
        cases.push(Case {
            line: number,
            sentence: sentence.to_owned(),
            ..Case::default()
        });
        if sentence.is_empty() {
            self.add_error(
                number,
                "the sentence of the case is missing",
                "write --- and a sentence with the rule that the case shows",
            );
        } else if is_known {
            self.add_error(
                number,
                "an earlier case has the same sentence",
                "write what is different in this case",
            );
        }
    }

    fn add_command(&mut self, number: usize, text: &str) {
        let (by, command) = split_actor(text);
        let step = Step {
            line: number,
            by,
            command: command.to_owned(),
            ..Step::default()
        };
        if step.command.is_empty() {
            self.add_error(
                number,
                "the command after the mark is missing",
                "write > and a command",
            );
        }
        self.add_step(number, step);
    }

    fn add_rewrite(&mut self, number: usize, text: &str) {
        let parts = text.split_once(": ");
        let parts = parts.and_then(|(file, words)| Some((file, words.split_once(" => ")?)));
        let Some((file, (old, new))) = parts else {
            let hint = "write < file.luau: old words => new words";
            return self.add_error(number, "the line does not change words of a script", hint);
        };
        let [file, old, new] = [file, old, new].map(|part| part.trim().to_owned());
        let step = Step {
            line: number,
            command: text.to_owned(),
            rewrite: Some(Rewrite { file, old, new }),
            ..Step::default()
        };
        self.add_step(number, step);
    }

    fn add_step(&mut self, number: usize, step: Step) {
        match self.transcript.cases.last_mut() {
            Some(case) => case.steps.push(step),
            None => self.add_error(
                number,
                "the command does not belong to a case",
                "start a case with --- and a sentence",
            ),
        }
    }

    fn last_command(&mut self) -> Option<&mut Step> {
        let step = self.transcript.cases.last_mut()?.steps.last_mut();
        step.filter(|step| step.rewrite.is_none())
    }

    fn add_expected_line(&mut self, number: usize, text: &str) {
        let step = self.last_command();
        match step {
            Some(step) => step.expected.push((number, text.to_owned())),
            None => self.add_error(
                number,
                "there is no command above this expected line",
                "write the command above it: > command",
            ),
        }
    }

    fn add_answer(&mut self, number: usize, text: &str) {
        let step = self.last_command();
        match (text.split_once('='), step) {
            (Some((key, value)), Some(step)) if step.expected.is_empty() => {
                step.answers.push(Setting {
                    line: number,
                    key: key.trim().to_owned(),
                    value: value.trim().to_owned(),
                });
            }
            (None, _) => self.add_error(number, "the answer is missing", "write ? key = answer"),
            (Some(_), _) => self.add_error(
                number,
                "there is no command above this answer",
                "write the answer directly below its command",
            ),
        }
    }

    fn add_setting(&mut self, number: usize, key: &str, value: &str) {
        let setting = Setting {
            line: number,
            key: key.to_owned(),
            value: value.to_owned(),
        };
        match self.transcript.cases.last_mut() {
            None if key == "ruleset" => self.transcript.ruleset = Some(setting),
            None => self.add_error(
                number,
                &format!("unknown setting \"{key}\" of the file"),
                "the only setting is ruleset",
            ),
            Some(case) if !case.steps.is_empty() => {
                self.add_error(number, "unknown kind of line", HINT);
            }
            Some(case) if case.settings.iter().any(|one| one.key == key) => {
                self.add_error(
                    number,
                    &format!("the case sets \"{key}\" twice"),
                    "keep one of the two lines",
                );
            }
            Some(case) if (key, value) == ("dice", "typed") => case.typed_dice = true,
            Some(case) if key == "answers" => case.answers = Some(setting),
            Some(case) => case.settings.push(setting),
        }
    }

    fn add_errors_of_empty_cases(&mut self) {
        let empty = self
            .transcript
            .cases
            .iter()
            .filter(|case| case.steps.is_empty())
            .map(|case| case.line);
        for line in empty.collect::<Vec<usize>>() {
            self.add_error(
                line,
                "the case has no command",
                "write one below it: > command",
            );
        }
    }

    fn add_error(&mut self, number: usize, message: &str, hint: &str) {
        let finding = Diagnostic::error("test/transcript", message).hint(hint);
        self.findings
            .push(finding.at(self.source, self.source.line_span(number)));
    }
}

pub(super) const HINT: &str = "lines begin with --- (a case), > (a command), ? (an answer), | (expected output), < (a change of \
                    a script) or # (a comment); settings are before the commands";

/// Splits `Ann: command` into the seat and the command.
fn split_actor(text: &str) -> (Option<String>, &str) {
    let Some((name, command)) = text.split_once(": ") else {
        return (None, text);
    };
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''))
    };
    let is_seat = name == "gm" || (!name.is_empty() && name.split(' ').all(is_name));
    if is_seat {
        (Some(name.to_owned()), command.trim())
    } else {
        (None, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_test_transcript(text: &str) -> (Transcript, Vec<(usize, String)>) {
        let source = Source::new("a.test.txt", text);
        let (transcript, findings) = parse_transcript(&source);
        let line = |found: &Diagnostic| {
            source
                .position(found.place.as_ref().unwrap().span.start)
                .line
        };
        (
            transcript,
            findings
                .iter()
                .map(|found| (line(found), found.message.clone()))
                .collect(),
        )
    }

    #[test]
    fn a_transcript_is_header_cases_settings_commands_and_lines() {
        let text = "ruleset: mini\n# why\n--- one rule\nplayers: Ann, Bo\n> cheer ann\n| fine\n|\n|   in\n\n> Ann T: mood\n--- two\n> x\n";
        let (transcript, wrong) = parse_test_transcript(text);
        assert_eq!(wrong, []);
        assert_eq!(transcript.ruleset.unwrap().value, "mini");
        let case = &transcript.cases[0];
        assert_eq!((case.line, case.sentence.as_str()), (3, "one rule"));
        assert_eq!(
            case.settings,
            [Setting {
                line: 4,
                key: "players".to_owned(),
                value: "Ann, Bo".to_owned()
            }]
        );
        let expected =
            [(6, "fine"), (7, ""), (8, "  in")].map(|(line, text)| (line, text.to_owned()));
        assert_eq!(case.steps[0].expected, expected);
        assert_eq!(
            (case.steps[1].by.as_deref(), case.steps[1].command.as_str()),
            (Some("Ann T"), "mood")
        );
        assert_eq!(transcript.cases[1].steps[0].line, 12);
    }

    #[test]
    fn blocks_of_a_page_are_transcripts_of_the_rulesets_that_they_name() {
        let text = "# A\n```transcript mini\n--- one\n> a\n```\n```sh\n> no\n```\n```transcript tiny\n--- two\n> b\n```\n```transcript mini\n--- three\nwhat\n```\n";
        let pages = parse_transcripts_of_page(&Source::new("a.md", text));
        let (mini, wrong) = &pages["mini"];
        let sentences: Vec<(usize, &str)> = mini
            .cases
            .iter()
            .map(|case| (case.line, case.sentence.as_str()))
            .collect();
        assert_eq!(sentences, [(3, "one"), (14, "three")]);
        assert_eq!(
            wrong.len(),
            2,
            "a strange line, and a case without a command"
        );
        assert_eq!(pages["tiny"].0.cases[0].steps[0].line, 11);
        assert_eq!(pages.len(), 2);
    }

    #[test]
    fn every_wrong_line_is_found_in_one_pass() {
        let text = "> early\n| nothing\nspeed: 3\n--- one\n--- one\nhello\n>\nlate: 1\n";
        let lines: Vec<usize> = parse_test_transcript(text)
            .1
            .into_iter()
            .map(|(line, _)| line)
            .collect();
        assert_eq!(lines, [1, 2, 3, 5, 6, 7, 8, 4]);
    }

    #[test]
    fn a_script_that_is_saved_has_a_file_and_words() {
        let text = "--- one\n> a\n< charms/x.luau: at: 1 => at: 2\n| said\n? key = 1\n< x.luau: a\n< x => y\n> b\n";
        let (transcript, wrong) = parse_test_transcript(text);
        let lines: Vec<usize> = wrong.into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [4, 5, 6, 7]);
        let steps = &transcript.cases[0].steps;
        assert_eq!(steps.len(), 3);
        let [file, old, new] = ["charms/x.luau", "at: 1", "at: 2"].map(str::to_owned);
        assert_eq!(steps[1].rewrite, Some(Rewrite { file, old, new }));
    }

    #[test]
    fn only_a_name_before_the_colon_is_a_seat() {
        assert_eq!(split_actor("Ann: dig"), (Some("Ann".to_owned()), "dig"));
        assert_eq!(
            split_actor("gm: Ann: dig"),
            (Some("gm".to_owned()), "Ann: dig")
        );
        assert_eq!(split_actor("say: Ann"), (None, "say: Ann"));
        assert_eq!(split_actor("= {a = 'B: c'}"), (None, "= {a = 'B: c'}"));
        assert_eq!(split_actor("dice next d6:5"), (None, "dice next d6:5"));
    }
}
