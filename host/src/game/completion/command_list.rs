//! The commands of a game as people type them: the list of commands, and families that begin with the same words.

use std::collections::BTreeSet;

use crate::doc::build::{fields, heading, paragraph};
use crate::doc::{Block, Document};
use crate::game::completion::help_pages::help_pages;
use crate::game::question::permission::may_give_command;
use crate::game::timeline::Timeline;
use crate::script::{COMMANDS, GM, leading_words, leading_words_by_line};

/// A command that a user may give.
struct ListedCommand {
    id: String,
    /// The first words of each of its lines; the first entry gives the command's name in lists.
    lines: Vec<Vec<String>>,
    summary: String,
    /// More help on the command; empty if there is none.
    help: String,
    /// Whether the command belongs to the ruleset of the game.
    is_own: bool,
}

impl ListedCommand {
    /// Returns the first words of its first line; its id if the line begins with a slot.
    fn first_words(&self) -> String {
        let words = self.lines.first().filter(|words| !words.is_empty());
        words.map_or_else(|| self.id.clone(), |words| words.join(" "))
    }

    /// Returns whether a line of the command begins with some words.
    fn begins_with(&self, words: &[String]) -> bool {
        self.lines.iter().any(|line| line_begins_with(line, words))
    }

    /// Returns whether some words begin with the first words of the command's first line and continue after them.
    fn is_start_of_words(&self, words: &[String]) -> bool {
        let first = self.lines.first();
        first.is_some_and(|line| line.len() < words.len() && line_begins_with(words, line))
    }

    /// Returns whether some words name exactly this command, and not others that begin with them.
    fn is_named_exactly(&self, words: &[String]) -> bool {
        let by_line = self
            .lines
            .iter()
            .any(|line| line.len() == words.len() && line_begins_with(line, words));
        by_line || matches!(words, [word] if word.eq_ignore_ascii_case(&self.id))
    }
}

/// Returns all commands with one line each, except commands of the rules that a user may not give.
pub fn command_overview(timeline: &Timeline, by: &str) -> Document {
    let rules = timeline.rules();
    let listed = &commands_user_may_give(timeline, by);
    let told = |is_own: bool| {
        let those = listed.iter().filter(move |one| one.is_own == is_own);
        those.map(|one| (one.first_words(), one.summary.clone()))
    };
    let mut shared: Vec<(String, String)> = told(false).collect();
    shared.sort();
    Document::new([
        heading(2, rules.ruleset.get("name").to_string()),
        paragraph(rules.ruleset.get("summary").to_string()),
        fields(told(true)),
        heading(2, "In every game"),
        fields(shared),
        paragraph("WORD? explains a word, = EXPRESSION runs Luau, Tab completes."),
    ])
}

/// Returns the commands that a user may give, each with its name in lists and its summary, in no order.
pub(super) fn command_topics(timeline: &Timeline, by: &str) -> Vec<(String, String)> {
    let listed = commands_user_may_give(timeline, by);
    let told = |one: &ListedCommand| (one.first_words(), one.summary.clone());
    listed.iter().map(told).collect()
}

/// Descriptions of the commands that a user may give, by the first words of their lines.
pub(super) struct CommandDescriptions(Vec<ListedCommand>);

impl CommandDescriptions {
    /// Returns the descriptions of the commands that a user may give.
    pub(super) fn new(timeline: &Timeline, by: &str) -> CommandDescriptions {
        CommandDescriptions(commands_user_may_give(timeline, by))
    }

    /// Returns the description of a line that begins with some words. It is the text about such lines in its command's
    /// help, else the summary of the command. If several commands begin so, it returns the next words of their lines.
    pub(super) fn describe_words(&self, words: &[String]) -> Option<String> {
        let mut called = self.0.iter().filter(|one| one.is_start_of_words(words));
        let line = called.find_map(|one| line_description(one, words));
        line.or_else(|| self.command_description(words))
    }

    fn command_description(&self, words: &[String]) -> Option<String> {
        let family: Vec<&ListedCommand> =
            self.0.iter().filter(|one| one.begins_with(words)).collect();
        let itself = family.iter().find(|one| one.is_named_exactly(words));
        match (family.as_slice(), itself) {
            ([], _) => None,
            ([one], _) | (_, Some(one)) => Some(one.summary.clone()),
            (several, None) => {
                let lines = several.iter().flat_map(|one| &one.lines);
                let lines = lines.filter(|line| line_begins_with(line, words));
                let next: BTreeSet<&str> = lines
                    .filter_map(|line| Some(line.get(words.len())?.as_str()))
                    .collect();
                Some(next.into_iter().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Returns the text about lines that begin with some words from a command's help: for example `log rolls lists the
/// rolls`.
///
/// If only one line begins with the words, all words of that line are used.
fn line_description(one: &ListedCommand, words: &[String]) -> Option<String> {
    let mut lines = one
        .lines
        .iter()
        .filter(|line| line_begins_with(line, words));
    let line = lines.next().filter(|_| lines.next().is_none());
    let words = line.map_or(words, Vec::as_slice);
    let clauses = [one.summary.as_str(), one.help.as_str()];
    let mut clauses = clauses.into_iter().flat_map(|text| {
        let parts = text.split(['(', ')', ';', ':']);
        parts
            .flat_map(|part| part.split(". "))
            .flat_map(|part| part.split(", "))
    });
    clauses.find_map(|clause| text_after_words(clause, words))
}

/// Returns the text of a clause after some words. A word in capitals in the clause matches one or several words, and a
/// number matches any other number.
fn text_after_words(clause: &str, words: &[String]) -> Option<String> {
    let clause = clause.replace('`', " ");
    let tokens: Vec<&str> = clause.split_whitespace().collect();
    let rest = tokens_after_words(&tokens, words)?;
    let rest = match rest {
        [_, example, later @ ..] if is_placeholder(example) && !later.is_empty() => later,
        rest => rest,
    };
    let rest: Vec<&str> = rest
        .iter()
        .copied()
        .skip_while(|one| is_placeholder(one))
        .collect();
    let is_sentence = rest.first()?.starts_with(char::is_lowercase) && rest.len() > 1;
    is_sentence.then(|| rest.join(" ").trim_end_matches('.').to_owned())
}

/// Returns the rest of a clause after some words, if it begins with them.
fn tokens_after_words<'a, 'b>(tokens: &'a [&'b str], words: &[String]) -> Option<&'a [&'b str]> {
    let Some((word, later)) = words.split_first() else {
        return Some(tokens);
    };
    let (token, others) = tokens.split_first()?;
    if is_placeholder(token) && (is_decimal_number(token) == is_decimal_number(word)) {
        let ends = 1..=words.len().saturating_sub(1).max(1);
        return ends
            .rev()
            .find_map(|end| tokens_after_words(others, &words[end..]));
    }
    match token.eq_ignore_ascii_case(word) {
        true => tokens_after_words(others, later),
        false => None,
    }
}

/// Returns whether a word of a help text is a placeholder: `NAME`, `12`.
fn is_placeholder(word: &str) -> bool {
    is_decimal_number(word) || (word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()))
}

fn is_decimal_number(word: &str) -> bool {
    word.bytes().all(|c| c.is_ascii_digit())
}

/// Returns whether a command that a user may give begins with some words.
pub(in crate::game) fn is_beginning_of_command(timeline: &Timeline, by: &str, words: &str) -> bool {
    let words = split_words(words);
    let listed = commands_user_may_give(timeline, by);
    listed.iter().any(|one| one.begins_with(&words))
}

/// Returns the commands that begin with some words; if there is only one, its page.
pub(super) fn command_family_help(
    timeline: &Timeline,
    by: &str,
    words: &str,
) -> Option<Vec<Block>> {
    let (words, listed) = (split_words(words), commands_user_may_give(timeline, by));
    let mut family = listed.iter().filter(|one| one.begins_with(&words));
    match (family.next()?, family.next()) {
        (only, None) => help_pages(timeline, by, &only.id),
        (_, Some(_)) => {
            let head = heading(2, words.join(" "));
            let more = paragraph(
                "These commands begin with this. For more, type one of them followed by a question \
                                  mark.",
            );
            Some(vec![
                head,
                fields(commands_beginning_with(&listed, &words)),
                more,
            ])
        }
    }
}

/// Returns the other commands that begin with some words, besides the command with exactly these words.
pub(super) fn related_commands(timeline: &Timeline, by: &str, words: &str) -> Vec<Block> {
    let (words, listed) = (split_words(words), commands_user_may_give(timeline, by));
    let others = commands_beginning_with(&listed, &words);
    match others.is_empty() {
        true => Vec::new(),
        false => vec![
            paragraph("Other commands that begin with this:"),
            fields(others),
        ],
    }
}

/// Returns the names of commands in lists, and the words that several commands begin with.
pub(super) fn command_names_and_beginnings(timeline: &Timeline) -> Vec<String> {
    let listed = commands_user_may_give(timeline, GM);
    let names = listed.iter().map(|one| distinguishing_words(one, &listed));
    let mut words: Vec<String> = names.collect();
    for line in listed.iter().filter_map(|one| one.lines.first()) {
        let beginnings = (1..line.len()).map(|most| &line[..most]);
        let of_several = beginnings.filter(|words| {
            let family = listed.iter().filter(|one| one.begins_with(words));
            family.count() > 1
        });
        words.extend(of_several.map(|words| words.join(" ")));
    }
    words
}

/// Returns the commands of the rules that a user may give, then the commands of the host that none of them replaces.
fn commands_user_may_give(timeline: &Timeline, by: &str) -> Vec<ListedCommand> {
    let rules = timeline.rules();
    let every = || rules.registry.of_collection(COMMANDS);
    let replaced: Vec<&str> = every()
        .filter_map(|one| one.value.get("replaces").as_str())
        .collect();
    let of_rules = every().filter(|one| may_give_command(timeline, by, one));
    let of_rules = of_rules.map(|one| ListedCommand {
        id: one.id.to_string(),
        lines: leading_words_by_line(one),
        summary: one.value.get("summary").to_string(),
        help: one
            .value
            .get("help")
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        is_own: *one.mod_name == *rules.ruleset_id,
    });
    let of_host = timeline.game.commands.iter().map(|one| ListedCommand {
        id: one.id.to_owned(),
        lines: std::iter::once(vec![one.id.to_owned()])
            .chain(one.syntax.iter().map(|line| leading_words(line)))
            .collect(),
        summary: one.summary.to_owned(),
        help: one.help.to_owned(),
        is_own: false,
    });
    let all = of_rules.chain(of_host);
    all.filter(|one| one.is_own || !replaced.contains(&one.id.as_str()))
        .collect()
}

/// Returns the first words of a command, as many as distinguish it from all others.
fn distinguishing_words(one: &ListedCommand, all: &[ListedCommand]) -> String {
    let Some(words) = one.lines.first() else {
        return one.id.clone();
    };
    let others = || all.iter().filter(|other| !std::ptr::eq(*other, one));
    let is_alone = |most: &usize| !others().any(|other| other.begins_with(&words[..*most]));
    let most = (1..words.len()).find(is_alone).unwrap_or(words.len());
    words[..most].join(" ")
}

/// Returns the commands that begin with some words and are not named exactly by them, with their summaries.
fn commands_beginning_with(all: &[ListedCommand], words: &[String]) -> Vec<(String, String)> {
    let family = all
        .iter()
        .filter(|one| one.begins_with(words) && !one.is_named_exactly(words));
    let told = family.map(|one| (distinguishing_words(one, all), one.summary.clone()));
    let mut told: Vec<(String, String)> = told.collect();
    told.sort();
    told
}

fn split_words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// Returns whether a line begins with some words, in any case.
fn line_begins_with(line: &[String], words: &[String]) -> bool {
    let same = |(one, other): (&String, &String)| one.eq_ignore_ascii_case(other);
    words.len() <= line.len() && line.iter().zip(words).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_says_what_lines_do_that_begin_with_its_words() {
        let about = |clause: &str, words: &str| text_after_words(clause, &split_words(words));
        let told = |text: &str| Some(text.to_owned());
        assert_eq!(
            about("log rolls lists the rolls", "log rolls"),
            told("lists the rolls")
        );
        assert_eq!(about("log rolls lists the rolls", "log disputes"), None);
        assert_eq!(
            about("why not COMMAND tries a command", "why not"),
            told("tries a command")
        );
        assert_eq!(
            about("revert 12 details shows values", "revert 3 details"),
            told("shows values")
        );
        assert_eq!(
            about("revert 12 details shows values", "revert Ann details"),
            None
        );
        assert_eq!(
            about("export to FILE writes it", "export to"),
            told("writes it")
        );
        assert_eq!(
            about("give NAME back takes it away", "give Old Ann back"),
            told("takes it away")
        );
        assert_eq!(about("new game of Blue deals them", "new game of"), None);
    }
}
