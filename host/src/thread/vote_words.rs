//! Finds what looks like a vote in the lines of a post.

use super::forum_words::{COLONS, VoteWords, behind_word};
use super::judge::VoteForm;
use super::post::{Line, Marks, Run};
use super::report::Reason;

/// Words that look like a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The words for people.
    pub(super) words: String,
    /// What they say.
    pub(super) said: Said,
    /// The place that forbids them.
    pub(super) place: Option<Reason>,
}

/// What words that look like a vote say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// `VOTE:` or a vote element: the name and perhaps a comment.
    Vote(String),
    /// `vote` without a colon: the name and nothing else.
    BareVote(String),
    /// `UNVOTE`, perhaps with a name.
    Unvote(String),
    /// `UNVOTE` with more words and no colon, in a plain copy.
    BareUnvote(String),
    /// A bold name alone.
    BoldName(String),
}

/// Most letters of the words of a report.
const WORDS: usize = 120;

/// Returns what looks like a vote in a post, in order.
pub(super) fn find_votes(
    lines: &[Line],
    is_plain: bool,
    (words, form): (&VoteWords, VoteForm),
) -> Vec<Found> {
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match is_plain {
            true => find_in_plain_line(line, words, &mut found),
            false => {
                // A vote element may go over several lines, and is found where it begins.
                let before = number.checked_sub(1).and_then(|at| lines[at].0.last());
                let open = before.map_or(0, |run| run.marks.vote);
                find_in_marked_line(line, &lines[number..], open, (words, form), &mut found);
            }
        }
    }
    found
}

fn place_of(marks: Marks) -> Option<Reason> {
    match marks {
        Marks { code: true, .. } => Some(Reason::Code),
        Marks { spoiler: true, .. } => Some(Reason::Spoiler),
        Marks { struck: true, .. } => Some(Reason::Struck),
        _ => None,
    }
}

fn is_silent(marks: Marks) -> bool {
    marks.quotes > 0 || marks.signature
}

fn cut(words: &str) -> String {
    let words = words.trim();
    let cut: String = words.chars().take(WORDS).collect();
    match cut.len() < words.len() {
        true => cut + "…",
        false => cut,
    }
}

/// Runs of a line that belong together.
struct Piece {
    text: String,
    marks: Marks,
    /// The number of its first run, and of the first run behind it.
    from: usize,
    behind: usize,
}

/// Joins neighbours that have what counts in common: bold, the place, and the vote element.
fn pieces(line: &Line) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (number, run) in line.0.iter().enumerate() {
        let key = |marks: Marks| (marks.bold, place_of(marks), marks.vote, is_silent(marks));
        match pieces.last_mut() {
            Some(last) if key(last.marks) == key(run.marks) => {
                last.text.push_str(&run.text);
                last.behind = number + 1;
            }
            _ => pieces.push(Piece {
                text: run.text.clone(),
                marks: run.marks,
                from: number,
                behind: number + 1,
            }),
        }
    }
    pieces
}

fn find_in_marked_line(
    line: &Line,
    rest: &[Line],
    open: u32,
    (vote_words, form): (&VoteWords, VoteForm),
    found: &mut Vec<Found>,
) {
    let mut is_begin = true;
    let mut last_vote = open;
    for piece in pieces(line) {
        let (text, marks) = (piece.text.trim(), piece.marks);
        let is_first = is_begin;
        is_begin = is_begin && text.is_empty();
        if is_silent(marks) || text.is_empty() {
            continue;
        }
        let place = place_of(marks);
        let told = |said, place| Found {
            words: cut(text),
            said,
            place,
        };
        if marks.vote > 0 {
            if last_vote != marks.vote {
                last_vote = marks.vote;
                let mut whole = text_of_element(rest, piece.from, marks.vote);
                whole.push_str(mark_behind(&line.0[piece.behind..]));
                for said in element_words(&whole, vote_words) {
                    let words = cut(&whole);
                    found.push(Found { words, said, place });
                }
            }
            continue;
        }
        let mut written = Vec::new();
        if has_broken_tag(text, vote_words) {
            written.push(told(
                Said::Vote(String::new()),
                place.or(Some(Reason::BrokenMarkup)),
            ));
        } else if marks.bold {
            for said in bold_words(text, &line.0[piece.behind..], (vote_words, form)) {
                let is_vote = matches!(&said, Said::Vote(_));
                let more = is_vote && vote_words.behind_vote(text) == Some("");
                let words = match more {
                    true => cut(&format!("{text} {}", rest_of_line(&line.0[piece.behind..]))),
                    false => cut(&format!("{text}{}", mark_behind(&line.0[piece.behind..]))),
                };
                written.push(Found { words, said, place });
            }
        } else if is_first || place.is_some() {
            let whole = match place {
                Some(_) => text.to_owned(),
                None => line.0.iter().map(|run| run.text.as_str()).collect(),
            };
            let is_unvote = is_unvote_alone(&whole, vote_words);
            if !is_unvote && !begins_with_vote_colon(text, vote_words) {
                continue;
            }
            written.push(Found {
                words: cut(&whole),
                said: Said::Vote(String::new()),
                place: place.or(Some(Reason::NotBold)),
            });
        }
        found.extend(written.into_iter().map(|one| without_tag(one, form)));
    }
    let alone = bold_word_alone(line, vote_words).map(|one| without_tag(one, form));
    found.extend(alone);
}

/// Where only the vote tag counts, a written vote is in a wrong place.
fn without_tag(found: Found, form: VoteForm) -> Found {
    let place = match (form, found.place) {
        (VoteForm::Tag, None | Some(Reason::NotBold)) => Some(Reason::NoTag),
        (_, place) => place,
    };
    Found { place, ..found }
}

/// Returns the words of a line that begins with a bold `VOTE` and goes on with a colon that is not bold.
fn bold_word_alone(line: &Line, words: &VoteWords) -> Option<Found> {
    let said: Vec<Piece> = pieces(line);
    let mut said = said.iter().filter(|piece| !piece.text.trim().is_empty());
    let (first, second) = (said.next()?, said.next()?);
    let is_word = first.marks.bold
        && first.marks.vote == 0
        && !is_silent(first.marks)
        && place_of(first.marks).is_none()
        && behind_word(first.text.trim(), &words.vote).is_some_and(str::is_empty)
        && !first.text.contains(':');
    let goes_on = !is_silent(second.marks) && second.text.trim_start().starts_with(':');
    (is_word && goes_on).then(|| {
        let whole: String = line.0.iter().map(|run| run.text.as_str()).collect();
        Found {
            words: cut(&whole),
            said: Said::Vote(String::new()),
            place: Some(Reason::NotBold),
        }
    })
}

/// Returns the text of a vote element that begins at a run of the first line.
fn text_of_element(lines: &[Line], from: usize, element: u32) -> String {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let runs = &line.0[if number == 0 { from } else { 0 }..];
        let own = runs.iter().take_while(|run| run.marks.vote == element);
        let before = text.len();
        if number > 0 {
            text.push(' ');
        }
        for run in own {
            text.extend(run.text.chars().take(4 * WORDS));
            if text.len() > 4 * WORDS {
                return text;
            }
        }
        if number > 0 && text.len() == before + 1 {
            break;
        }
    }
    text
}

/// Returns what a vote element says: a name, with or without the word.
fn element_words(text: &str, words: &VoteWords) -> Vec<Said> {
    let text = text.trim();
    if behind_word(text, &words.unvote).is_some() {
        return unvote_words(text, words);
    }
    match behind_word(text, &words.vote) {
        Some(rest) => vec![Said::Vote(without_colon(rest).to_owned())],
        None => vec![Said::Vote(text.to_owned())],
    }
}

/// Returns what a bold run says.
fn bold_words(text: &str, behind: &[Run], (words, form): (&VoteWords, VoteForm)) -> Vec<Said> {
    let asked = mark_behind(behind);
    if behind_word(text, &words.unvote).is_some() {
        return match &mut unvote_words(text, words)[..] {
            [unvote, Said::Vote(name)] if name.is_empty() => {
                vec![unvote.clone(), Said::Vote(rest_of_line(behind))]
            }
            [unvote, Said::Vote(name)] => {
                vec![unvote.clone(), Said::Vote(format!("{name}{asked}"))]
            }
            [unvote, Said::BareVote(name)] => {
                vec![unvote.clone(), Said::BareVote(format!("{name}{asked}"))]
            }
            said => said.to_vec(),
        };
    }
    match (words.behind_vote(text), behind_word(text, &words.vote)) {
        (Some(""), _) => vec![Said::Vote(rest_of_line(behind))],
        (Some(name), _) => vec![Said::Vote(format!("{name}{asked}"))],
        (None, Some(name)) if !name.is_empty() => vec![Said::BareVote(format!("{name}{asked}"))],
        (None, None) if form == VoteForm::AnyBoldName => {
            vec![Said::BoldName(format!("{text}{asked}"))]
        }
        (None, _) => Vec::new(),
    }
}

/// Returns the question mark that stands directly behind a run of a line, else an empty text.
fn mark_behind(behind: &[Run]) -> &'static str {
    let next = behind.first().filter(|run| !is_silent(run.marks));
    match next.is_some_and(|run| run.text.starts_with('?')) {
        true => "?",
        false => "",
    }
}

/// Returns the text behind a bold run to the end of its line, up to a quote, without what does not count.
fn rest_of_line(behind: &[Run]) -> String {
    let mut text = String::new();
    let said = behind.iter().take_while(|run| !is_silent(run.marks));
    for run in said.filter(|run| place_of(run.marks).is_none()) {
        text.extend(run.text.chars().take(4 * WORDS));
        if text.len() > 4 * WORDS {
            break;
        }
    }
    text.trim().to_owned()
}

/// Returns an unvote with its name, and the vote behind it in `UNVOTE, VOTE: name`.
fn unvote_words(text: &str, words: &VoteWords) -> Vec<Said> {
    let rest = behind_word(text, &words.unvote).unwrap_or_default();
    let rest = without_colon(rest);
    let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;.&+/-–—".contains(c));
    let bare = behind_word(bare, &words.and).unwrap_or(bare);
    match (words.behind_vote(bare), behind_word(bare, &words.vote)) {
        (Some(name), _) => vec![Said::Unvote(String::new()), Said::Vote(name.to_owned())],
        (None, Some(name)) if !name.is_empty() => {
            vec![Said::Unvote(String::new()), Said::BareVote(name.to_owned())]
        }
        _ => vec![Said::Unvote(rest.trim().to_owned())],
    }
}

fn without_colon(text: &str) -> &str {
    text.strip_prefix(COLONS).unwrap_or(text).trim()
}

/// Whether a text begins with `VOTE:`, `UNVOTE:` or `UNVOTE, VOTE:`.
fn begins_with_vote_colon(text: &str, words: &VoteWords) -> bool {
    let is_unvote = behind_word(text, &words.unvote).is_some_and(|rest| {
        let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;.&+/-–—:".contains(c));
        rest.starts_with(COLONS) || words.behind_vote(bare).is_some()
    });
    words.behind_vote(text).is_some() || is_unvote
}

/// Whether a line has the word of an unvote and no other.
fn is_unvote_alone(line: &str, words: &VoteWords) -> bool {
    behind_word(line, &words.unvote).is_some_and(|rest| !rest.contains(char::is_alphanumeric))
}

/// Whether a text has a vote tag, or marks around a vote, that the forum did not turn into an element.
fn has_broken_tag(text: &str, words: &VoteWords) -> bool {
    let lower = text.to_lowercase();
    let all = words.vote.iter().chain(&words.unvote);
    let mut names = all.map(|word| word.to_lowercase());
    let is_tag = |name: String| {
        let behind = lower
            .match_indices(&name)
            .filter(|(at, _)| lower[..*at].ends_with('[') || lower[..*at].ends_with("[/"));
        let mut ends = behind.map(|(at, _)| &lower[at + name.len()..]);
        ends.any(|rest| rest.starts_with([']', '=']))
    };
    if names.any(is_tag) {
        return true;
    }
    let marks = ["**", "__", "[b]"];
    marks.iter().any(|mark| {
        lower.match_indices(mark).any(|(at, _)| {
            let rest = &lower[at + mark.len()..];
            words.behind_vote(rest).is_some() || behind_word(rest, &words.unvote).is_some()
        })
    })
}

fn find_in_plain_line(line: &Line, vote_words: &VoteWords, found: &mut Vec<Found>) {
    let Some(run) = line.0.first() else { return };
    let (text, marks) = (run.text.trim(), run.marks);
    if is_silent(marks) || text.is_empty() {
        return;
    }
    let place = place_of(marks);
    let words = cut(text);
    let mut add = |said, place| {
        found.push(Found {
            words: words.clone(),
            said,
            place,
        });
    };
    if has_broken_tag(text, vote_words) {
        add(
            Said::Vote(String::new()),
            place.or(Some(Reason::BrokenMarkup)),
        );
    } else if let Some(rest) = behind_word(text, &vote_words.unvote) {
        let said = unvote_words(text, vote_words);
        match said.len() > 1 || rest.is_empty() || rest.starts_with(COLONS) {
            true => said.into_iter().for_each(|said| add(said, place)),
            false => add(Said::BareUnvote(rest.to_owned()), place),
        }
    } else if let Some(name) = vote_words.behind_vote(text) {
        add(Said::Vote(name.to_owned()), place);
    } else if let Some(name) = behind_word(text, &vote_words.vote).filter(|name| !name.is_empty()) {
        add(Said::BareVote(name.to_owned()), place);
    } else if has_vote_inside(text, vote_words) {
        add(Said::Vote(String::new()), place.or(Some(Reason::MidLine)));
    }
}

/// Whether `VOTE:` in capitals stands inside a line.
fn has_vote_inside(text: &str, words: &VoteWords) -> bool {
    words.vote.iter().any(|word| {
        let vote = word.to_uppercase() + ":";
        text.match_indices(&vote).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            before.is_some_and(|letter| !letter.is_alphanumeric())
        })
    })
}
