//! Compares a count that the moderator posted with the wagons.

use std::collections::{BTreeMap, BTreeSet};

use super::folded_name::fold_name;
use super::forum_words::{VoteWords, behind_letters};
use super::people::{Named, Participants};
use super::post::Line;
use super::wagons::Wagons;

/// Returns the differences of the count in a post: the words of the count, and what is true. A post without a count has
/// none. A count is a post that says so, as in "Vote count 2.1", or that has two lines of wagons.
pub(super) fn count_differences(
    lines: &[Line],
    people: &Participants,
    wagons: &Wagons,
    words: &VoteWords,
) -> Vec<(String, String)> {
    let lines: Vec<String> = lines.iter().map(own_text).collect();
    let stated: Vec<StatedWagon> = lines
        .iter()
        .filter_map(|line| read_wagon(line, people, words))
        .collect();
    let says_so = lines.iter().any(|line| says_count(line, words));
    if stated.is_empty() || stated.len() < 2 && !says_so {
        return Vec::new();
    }
    let mut told = Vec::new();
    let mut seen: BTreeMap<Named, ()> = BTreeMap::new();
    for wagon in stated {
        let true_voters = wagons.voters(wagon.target);
        seen.insert(wagon.target, ());
        let differs = wagon.number != true_voters.len()
            || wagon.voters.as_ref().is_some_and(|voters| {
                *voters
                    != true_voters
                        .iter()
                        .copied()
                        .map(Some)
                        .collect::<BTreeSet<_>>()
            });
        if differs {
            told.push((wagon.words, wagon_words(wagon.target, people, wagons)));
        }
    }
    for target in wagons.targets() {
        if !seen.contains_key(&target) {
            let words = format!("{} is not in the count", people.name(target));
            told.push((words, wagon_words(target, people, wagons)));
        }
    }
    told
}

/// Returns the text of a line that its author wrote.
fn own_text(line: &Line) -> String {
    let own = line
        .0
        .iter()
        .filter(|run| run.marks.quotes == 0 && !run.marks.signature && !run.marks.struck);
    own.map(|run| run.text.as_str()).collect()
}

/// Whether a line has a word for a count, also written as two: "Votecount 2.1", "Vote-count", "Tally".
fn says_count(line: &str, words: &VoteWords) -> bool {
    let count_words: Vec<String> = words.count.iter().map(|word| fold_name(word)).collect();
    let words = line.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(fold_name)
        .collect();
    let says = |said: &str| count_words.iter().any(|word| word == said);
    words.iter().any(|word| says(word)) || words.windows(2).any(|pair| says(&pair.concat()))
}

fn wagon_words(target: Named, people: &Participants, wagons: &Wagons) -> String {
    let voters = wagons.voters(target);
    let names: Vec<&str> = voters
        .iter()
        .map(|voter| people.name(Named::Person(*voter)))
        .collect();
    let who = match names.is_empty() {
        true => String::new(),
        false => format!(": {}", names.join(", ")),
    };
    format!("{} has {}{who}", people.name(target), names.len())
}

struct StatedWagon {
    words: String,
    target: Named,
    number: usize,
    /// The voters, with nothing for a name that is nobody's; nothing if no names are stated.
    voters: Option<BTreeSet<Option<usize>>>,
}

/// Most letters of a line of a count.
const LONGEST: usize = 2_000;

/// Reads a line such as `Bo (2): Ann, Cy`, `Bo - 2 - Ann, Cy` or `2 Bo (Ann, Cy)`.
fn read_wagon(line: &str, people: &Participants, words: &VoteWords) -> Option<StatedWagon> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    let (name, rest) = leading_target(line, words)?;
    let target = people.exactly_named(name)?;
    let digits: String = rest
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let at = rest.find(|c: char| c.is_ascii_digit())?;
    // Between the name and the number stands punctuation, and perhaps a word such as "has".
    let between = rest[..at].trim_matches(|c: char| !c.is_alphanumeric());
    let is_has = |word: &String| behind_letters(between, word) == Some("");
    if !between.is_empty() && !words.has.iter().any(is_has) {
        return None;
    }
    let number: usize = digits.parse().ok()?;
    let behind = rest[at + digits.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let behind = behind_vote_word(behind, people, words);
    let names = behind
        .trim_matches(|c: char| !c.is_alphanumeric() && c != ')')
        .trim_end_matches(')');
    let voters = (!names.is_empty()).then(|| {
        let names = names
            .split([',', ';', '&'])
            .flat_map(|part| split_at_words(part, &words.and));
        let names = names.map(|name| name.split(['(', '[', '#']).next().unwrap_or_default());
        let names = names.filter(|name| name.contains(char::is_alphanumeric));
        names.map(|name| people.author(name.trim())).collect()
    });
    Some(StatedWagon {
        words: line.chars().take(120).collect(),
        target,
        number,
        voters,
    })
}

/// Returns the text behind a word such as "votes", unless somebody is named by it.
fn behind_vote_word<'l>(text: &'l str, people: &Participants, words: &VoteWords) -> &'l str {
    let end = text
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let is_vote = |word: &String| behind_letters(first, word).is_some();
    match words.vote.iter().any(is_vote) && !people.is_known(first) {
        true => rest,
        false => text,
    }
}

/// Splits a text at whole words.
fn split_at_words<'l>(text: &'l str, words: &[String]) -> Vec<&'l str> {
    let mut parts = vec![text];
    for word in words {
        let between = format!(" {word} ");
        parts = parts
            .iter()
            .flat_map(|part| part.split(between.as_str()))
            .collect();
    }
    parts
}

/// Splits a line into the target at its front, and the rest with the number.
fn leading_target<'l>(line: &'l str, words: &VoteWords) -> Option<(&'l str, &'l str)> {
    let end = line.find(['(', ':', '[', '=', '–', '—']).into_iter();
    let dash = line.find(" - ").into_iter();
    let word = words
        .has
        .iter()
        .filter_map(|word| line.find(&format!(" {word} ")));
    let at = end.chain(dash).chain(word).min()?;
    (at > 0).then(|| (line[..at].trim(), &line[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_named_by_whole_words() {
        let words = VoteWords {
            count: vec!["votecount".to_owned(), "Tally".to_owned()],
            ..VoteWords::default()
        };
        for line in [
            "Vote count 2.1",
            "Official Votecount1.1",
            "VOTE-COUNT",
            "the tally:",
        ] {
            assert!(says_count(line, &words), "{line}");
        }
        for line in ["I am totally for that", "the vote counter", "a vote", ""] {
            assert!(!says_count(line, &words), "{line}");
        }
    }
}
