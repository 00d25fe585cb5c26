//! Compares a count that the moderator posted with the wagons.

use std::collections::{BTreeMap, BTreeSet};

use super::folded_name::fold_name;
use super::people::{Named, Participants};
use super::post::Line;
use super::wagons::Wagons;

/// Returns the differences of the count in a post: the words of the count, and what is true. A post without a count has
/// none. A count is a post that says so, as in "Vote count 2.1", or that has two lines of wagons.
pub(super) fn count_differences(
    lines: &[Line],
    people: &Participants,
    wagons: &Wagons,
) -> Vec<(String, String)> {
    let lines: Vec<String> = lines.iter().map(own_text).collect();
    let stated: Vec<StatedWagon> = lines
        .iter()
        .filter_map(|line| read_wagon(line, people))
        .collect();
    let says_so = lines.iter().any(|line| says_count(line));
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

/// Words of a post with a count, as one word or two.
const COUNT_WORDS: [&str; 4] = ["votecount", "votecounts", "tally", "tallies"];

/// Whether a line has a word for a count: "Votecount 2.1", "Vote-count", "Tally".
fn says_count(line: &str) -> bool {
    let words = line.split(|letter: char| !letter.is_alphabetic());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(fold_name)
        .collect();
    let says = |said: &str| COUNT_WORDS.contains(&said);
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
fn read_wagon(line: &str, people: &Participants) -> Option<StatedWagon> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    let (name, rest) = leading_target(line)?;
    let target = people.exactly_named(name)?;
    let digits: String = rest
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let at = rest.find(|c: char| c.is_ascii_digit())?;
    // Between the name and the number stands punctuation, and perhaps "has".
    let between = rest[..at].trim_matches(|c: char| !c.is_alphanumeric());
    if !matches!(between.to_lowercase().as_str(), "" | "has" | "with") {
        return None;
    }
    let number: usize = digits.parse().ok()?;
    let behind = rest[at + digits.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let behind = behind
        .strip_prefix("votes")
        .or(behind.strip_prefix("vote"))
        .unwrap_or(behind);
    let names = behind
        .trim_matches(|c: char| !c.is_alphanumeric() && c != ')')
        .trim_end_matches(')');
    let voters = (!names.is_empty()).then(|| {
        let names = names
            .split([',', ';', '&'])
            .flat_map(|part| part.split(" and "));
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

/// Splits a line into the target at its front, and the rest with the number.
fn leading_target(line: &str) -> Option<(&str, &str)> {
    let end = line.find(['(', ':', '[', '=', '–', '—']).into_iter();
    let dash = line.find(" - ").into_iter();
    let word = line.find(" has ").into_iter();
    let at = end.chain(dash).chain(word).min()?;
    (at > 0).then(|| (line[..at].trim(), &line[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_named_by_whole_words() {
        for line in [
            "Vote count 2.1",
            "Official Votecount1.1",
            "VOTE-COUNT",
            "the tally:",
        ] {
            assert!(says_count(line), "{line}");
        }
        for line in ["I am totally for that", "the vote counter", "a vote", ""] {
            assert!(!says_count(line), "{line}");
        }
    }
}
