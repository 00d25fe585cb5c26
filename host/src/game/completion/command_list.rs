//! This module is the commands of a game as they are typed: the list of them, and families that begin with the same words.

use std::collections::BTreeSet;

use crate::doc::build::{fields, heading, paragraph};
use crate::doc::{Block, Document};
use crate::game::completion::page::pages;
use crate::game::question::permission::may_give;
use crate::game::timeline::Timeline;
use crate::script::{COMMANDS, GM, beginnings, leading_words};

/// A command that somebody may give.
struct Listed {
    id: String,
    /// The words that its lines begin with; the first tell how it is called.
    lines: Vec<Vec<String>>,
    summary: String,
    /// Whether the ruleset of the game brings it.
    is_own: bool,
}

impl Listed {
    /// Returns whether a line begins with some words.
    fn begins_with(&self, words: &[String]) -> bool {
        self.lines.iter().any(|line| begins(line, words))
    }

    /// Returns whether it is meant itself by some words, and not others that begin with them.
    fn is(&self, words: &[String]) -> bool {
        let by_line = self
            .lines
            .iter()
            .any(|line| line.len() == words.len() && begins(line, words));
        by_line || matches!(words, [word] if word.eq_ignore_ascii_case(&self.id))
    }
}

/// Returns all commands with one line each, but those of the rules that somebody may not give.
pub fn overview(timeline: &Timeline, by: &str) -> Document {
    let rules = timeline.rules();
    let listed = &listed(timeline, by);
    let told = |is_own: bool| {
        let those = listed.iter().filter(move |one| one.is_own == is_own);
        those.map(move |one| (shown(one, listed), one.summary.clone()))
    };
    let mut shared: Vec<(String, String)> = told(false).collect();
    shared.sort();
    Document::new([
        heading(2, rules.ruleset.get("name").to_string()),
        paragraph(rules.ruleset.get("summary").to_string()),
        fields(told(true)),
        heading(2, "In every game"),
        fields(shared),
        paragraph("WORD? explains a word, = EXPRESSION evaluates Luau, Tab completes."),
    ])
}

/// Returns what the commands that somebody may give are called in lists, each with what it does, in no order.
pub(super) fn command_topics(timeline: &Timeline, by: &str) -> Vec<(String, String)> {
    let listed = listed(timeline, by);
    let told = |one: &Listed| (shown(one, &listed), one.summary.clone());
    listed.iter().map(told).collect()
}

/// What the commands do that somebody may give, by the words that their lines begin with.
pub(super) struct Told(Vec<Listed>);

impl Told {
    /// Returns those that somebody may give.
    pub(super) fn new(timeline: &Timeline, by: &str) -> Told {
        Told(listed(timeline, by))
    }

    /// Returns what a command does whose line begins with some words, or how the lines of several go on.
    pub(super) fn about(&self, words: &[String]) -> Option<String> {
        let family: Vec<&Listed> = self.0.iter().filter(|one| one.begins_with(words)).collect();
        let itself = family.iter().find(|one| one.is(words));
        match (family.as_slice(), itself) {
            ([], _) => None,
            ([one], _) | (_, Some(one)) => Some(one.summary.clone()),
            (several, None) => {
                let lines = several.iter().flat_map(|one| &one.lines);
                let lines = lines.filter(|line| begins(line, words));
                let next: BTreeSet<&str> = lines
                    .filter_map(|line| Some(line.get(words.len())?.as_str()))
                    .collect();
                Some(next.into_iter().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Returns whether a command begins with some words, or others do.
pub(in crate::game) fn begins_command(timeline: &Timeline, by: &str, words: &str) -> bool {
    let words = split(words);
    let listed = listed(timeline, by);
    listed.iter().any(|one| one.begins_with(&words))
}

/// Returns the commands that begin with some words and more; of only one its page.
pub(super) fn family_help(timeline: &Timeline, by: &str, words: &str) -> Option<Vec<Block>> {
    let (words, listed) = (split(words), listed(timeline, by));
    let mut family = listed.iter().filter(|one| one.begins_with(&words));
    match (family.next()?, family.next()) {
        (only, None) => pages(timeline, by, &only.id),
        (_, Some(_)) => {
            let head = heading(2, words.join(" "));
            let more = paragraph("These commands begin so; each with a ? behind it says more.");
            Some(vec![head, fields(members(&listed, &words)), more])
        }
    }
}

/// Returns the commands that begin with some words too, beside the one that these words are.
pub(super) fn relatives(timeline: &Timeline, by: &str, words: &str) -> Vec<Block> {
    let (words, listed) = (split(words), listed(timeline, by));
    let others = members(&listed, &words);
    match others.is_empty() {
        true => Vec::new(),
        false => vec![paragraph("Others begin so:"), fields(others)],
    }
}

/// Returns what commands are called in lists, and what several begin with.
pub(super) fn command_words(timeline: &Timeline) -> Vec<String> {
    let listed = listed(timeline, GM);
    let names = listed.iter().map(|one| shown(one, &listed));
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

/// Returns the commands of the rules that somebody may give, then those of the host that none replaces.
fn listed(timeline: &Timeline, by: &str) -> Vec<Listed> {
    let rules = timeline.rules();
    let every = || rules.registry.of(COMMANDS);
    let replaced: Vec<&str> = every()
        .filter_map(|one| one.value.get("replaces").as_str())
        .collect();
    let of_rules = every().filter(|one| may_give(timeline, by, one));
    let of_rules = of_rules.map(|one| Listed {
        id: one.id.to_string(),
        lines: beginnings(one),
        summary: one.value.get("summary").to_string(),
        is_own: *one.mod_name == *rules.ruleset_id,
    });
    let of_host = timeline.game.commands.iter().map(|one| Listed {
        id: one.id.to_owned(),
        lines: std::iter::once(vec![one.id.to_owned()])
            .chain(one.syntax.iter().map(|line| leading_words(line)))
            .collect(),
        summary: one.summary.to_owned(),
        is_own: false,
    });
    let all = of_rules.chain(of_host);
    all.filter(|one| one.is_own || !replaced.contains(&one.id.as_str()))
        .collect()
}

/// Returns as many of the first words of a command as tell it apart from all others.
fn shown(one: &Listed, all: &[Listed]) -> String {
    let Some(words) = one.lines.first() else {
        return one.id.clone();
    };
    let others = || all.iter().filter(|other| !std::ptr::eq(*other, one));
    let is_alone = |most: &usize| !others().any(|other| other.begins_with(&words[..*most]));
    let most = (1..words.len()).find(is_alone).unwrap_or(words.len());
    words[..most].join(" ")
}

/// Returns the commands that begin with some words and are not meant by them alone, with what they do.
fn members(all: &[Listed], words: &[String]) -> Vec<(String, String)> {
    let family = all
        .iter()
        .filter(|one| one.begins_with(words) && !one.is(words));
    let told = family.map(|one| (shown(one, all), one.summary.clone()));
    let mut told: Vec<(String, String)> = told.collect();
    told.sort();
    told
}

fn split(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// Returns whether a line begins with some words, in any case.
fn begins(line: &[String], words: &[String]) -> bool {
    let same = |(one, other): (&String, &String)| one.eq_ignore_ascii_case(other);
    words.len() <= line.len() && line.iter().zip(words).all(same)
}
