//! The words by which people vote in a forum, as its shape names them.

/// Words of votes and counts. In a shape without them, only the vote element is a vote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoteWords {
    /// Begin a vote: `VOTE: Bo`.
    pub vote: Vec<String>,
    /// Take a vote back: `UNVOTE`.
    pub unvote: Vec<String>,
    /// Stand between an unvote and a vote, and between the last two voters of a count.
    pub and: Vec<String>,
    /// Begin a comment behind a name: `Bo because he lies`.
    pub comment: Vec<String>,
    /// Name a count, also if they are written as two words: `votecount`.
    pub count: Vec<String>,
    /// Stand between the name and the number of a count: `Bo has 2 votes`.
    pub has: Vec<String>,
}

impl VoteWords {
    /// Returns the words of the keys of a shape.
    pub(super) fn with(list: &dyn Fn(&str) -> Option<Vec<String>>) -> VoteWords {
        let words = |key: &str| list(key).unwrap_or_default();
        VoteWords {
            vote: words("vote_words"),
            unvote: words("unvote_words"),
            and: words("and_words"),
            comment: words("comment_words"),
            count: words("count_words"),
            has: words("has_words"),
        }
    }

    /// Adds the words of another page of the thread.
    pub(super) fn add(&mut self, other: VoteWords) {
        let pairs = [
            (&mut self.vote, other.vote),
            (&mut self.unvote, other.unvote),
            (&mut self.and, other.and),
            (&mut self.comment, other.comment),
            (&mut self.count, other.count),
            (&mut self.has, other.has),
        ];
        for (own, words) in pairs {
            for word in words {
                if !own.contains(&word) {
                    own.push(word);
                }
            }
        }
    }

    /// Returns the text behind `VOTE:`; nothing without the colon.
    pub(super) fn behind_vote<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = behind_word(text, &self.vote)?;
        rest.strip_prefix(COLONS).map(str::trim)
    }
}

/// Colons, also that of texts in wide letters.
pub(super) const COLONS: [char; 2] = [':', '：'];

/// Returns the text behind the first word of a text if it is one of the words; upper and lower case are the same.
pub(super) fn behind_word<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    let text = text.trim_start();
    let rests = words.iter().filter_map(|word| behind_letters(text, word));
    let mut ends =
        rests.filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    ends.next().map(str::trim)
}

/// Returns the text behind the letters of a word; nothing if it does not begin with them.
pub(super) fn behind_letters<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut letters = text.chars();
    for wanted in word.chars() {
        let letter = letters.next()?;
        if letter != wanted && !letter.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_word_ends_where_its_letters_end() {
        let votes = VoteWords {
            vote: words(&["vote", "głos", "eu voto em"]),
            ..VoteWords::default()
        };
        let cases = [
            ("VOTE: Bo ", Some("Bo")),
            (" vote : Bo", Some("Bo")),
            ("GŁOS： Bo", Some("Bo")),
            ("Eu voto em: Bo", Some("Bo")),
            ("vote Bo", None),
            ("voted: Bo", None),
            ("vote_count: Bo", None),
            ("vot", None),
            ("", None),
        ];
        for (text, behind) in cases {
            assert_eq!(votes.behind_vote(text), behind, "{text}");
        }
        assert_eq!(behind_word("vote", &votes.vote), Some(""));
        assert_eq!(behind_word("vote", &[]), None);
    }

    #[test]
    fn pages_add_words_that_are_new() {
        let mut whole = VoteWords {
            vote: words(&["vote"]),
            ..VoteWords::default()
        };
        whole.add(VoteWords {
            vote: words(&["stem", "vote"]),
            unvote: words(&["unvote"]),
            ..VoteWords::default()
        });
        assert_eq!(whole.vote, ["vote", "stem"]);
        assert_eq!(whole.unvote, ["unvote"]);
    }
}
