//! Finds what looks like a vote in the lines of a post.

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
pub(super) fn find_votes(lines: &[Line], is_plain: bool, form: VoteForm) -> Vec<Found> {
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match is_plain {
            true => find_in_plain_line(line, &mut found),
            false => {
                // A vote element may go over several lines, and is found where it begins.
                let before = number.checked_sub(1).and_then(|at| lines[at].0.last());
                let open = before.map_or(0, |run| run.marks.vote);
                find_in_marked_line(line, &lines[number..], open, form, &mut found);
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
    form: VoteForm,
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
                for said in element_words(&whole) {
                    let words = cut(&whole);
                    found.push(Found { words, said, place });
                }
            }
            continue;
        }
        let mut written = Vec::new();
        if has_broken_tag(text) {
            written.push(told(
                Said::Vote(String::new()),
                place.or(Some(Reason::BrokenMarkup)),
            ));
        } else if marks.bold {
            for said in bold_words(text, &line.0[piece.behind..], form) {
                let more = matches!(&said, Said::Vote(_)) && words_after_vote(text) == Some("");
                let words = match more {
                    true => cut(&format!("{text} {}", rest_of_line(&line.0[piece.behind..]))),
                    false => cut(&format!("{text}{}", mark_behind(&line.0[piece.behind..]))),
                };
                written.push(Found { words, said, place });
            }
        } else if (is_first || place.is_some()) && begins_with_vote_colon(text) {
            let whole = match place {
                Some(_) => text.to_owned(),
                None => line.0.iter().map(|run| run.text.as_str()).collect(),
            };
            written.push(Found {
                words: cut(&whole),
                said: Said::Vote(String::new()),
                place: place.or(Some(Reason::NotBold)),
            });
        }
        found.extend(written.into_iter().map(|one| without_tag(one, form)));
    }
    let alone = bold_word_alone(line).map(|one| without_tag(one, form));
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
fn bold_word_alone(line: &Line) -> Option<Found> {
    let said: Vec<Piece> = pieces(line);
    let mut said = said.iter().filter(|piece| !piece.text.trim().is_empty());
    let (first, second) = (said.next()?, said.next()?);
    let is_word = first.marks.bold
        && first.marks.vote == 0
        && !is_silent(first.marks)
        && place_of(first.marks).is_none()
        && words_after_word(first.text.trim(), "vote").is_some_and(str::is_empty)
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
fn element_words(text: &str) -> Vec<Said> {
    let text = text.trim();
    if words_after_word(text, "unvote").is_some() {
        return unvote_words(text);
    }
    match words_after_word(text, "vote") {
        Some(rest) => vec![Said::Vote(without_colon(rest).to_owned())],
        None => vec![Said::Vote(text.to_owned())],
    }
}

/// Returns what a bold run says.
fn bold_words(text: &str, behind: &[Run], form: VoteForm) -> Vec<Said> {
    let asked = mark_behind(behind);
    if words_after_word(text, "unvote").is_some() {
        return match &mut unvote_words(text)[..] {
            [unvote, Said::Vote(name)] if name.is_empty() => {
                vec![unvote.clone(), Said::Vote(rest_of_line(behind))]
            }
            [unvote, Said::Vote(name)] => {
                vec![unvote.clone(), Said::Vote(format!("{name}{asked}"))]
            }
            said => said.to_vec(),
        };
    }
    match (words_after_vote(text), words_after_word(text, "vote")) {
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
fn unvote_words(text: &str) -> Vec<Said> {
    let rest = words_after_word(text, "unvote").unwrap_or_default();
    let rest = without_colon(rest);
    let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;.&+/-–—".contains(c));
    let bare = words_after_word(bare, "and").unwrap_or(bare);
    match (words_after_vote(bare), words_after_word(bare, "vote")) {
        (Some(name), _) => vec![Said::Unvote(String::new()), Said::Vote(name.to_owned())],
        (None, Some(name)) if !name.is_empty() => {
            vec![Said::Unvote(String::new()), Said::BareVote(name.to_owned())]
        }
        _ => vec![Said::Unvote(rest.trim().to_owned())],
    }
}

/// Returns the text behind a first word; nothing if the text does not begin with the word.
fn words_after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let text = text.trim_start();
    let front = text.get(..word.len())?;
    let rest = &text[word.len()..];
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (front.eq_ignore_ascii_case(word) && ends).then(|| rest.trim())
}

/// Returns the text behind `VOTE:`; nothing without the colon.
fn words_after_vote(text: &str) -> Option<&str> {
    let rest = words_after_word(text, "vote")?;
    rest.strip_prefix([':', '：']).map(str::trim)
}

fn without_colon(text: &str) -> &str {
    text.strip_prefix([':', '：']).unwrap_or(text).trim()
}

fn begins_with_vote_colon(text: &str) -> bool {
    let after_unvote = words_after_word(text, "unvote");
    let is_unvote = after_unvote.is_some_and(|rest| {
        let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;.&+/-–—:".contains(c));
        rest.starts_with([':', '：']) || words_after_vote(bare).is_some()
    });
    words_after_vote(text).is_some() || is_unvote
}

/// Whether a text has a vote tag, or marks around a vote, that the forum did not turn into an element.
fn has_broken_tag(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let tags = ["[vote]", "[vote=", "[unvote]", "[/vote]"];
    if tags.iter().any(|tag| lower.contains(tag)) {
        return true;
    }
    let marks = ["**", "__", "[b]"];
    marks.iter().any(|mark| {
        lower.match_indices(mark).any(|(at, _)| {
            let rest = &lower[at + mark.len()..];
            words_after_vote(rest).is_some() || words_after_word(rest, "unvote").is_some()
        })
    })
}

fn find_in_plain_line(line: &Line, found: &mut Vec<Found>) {
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
    if has_broken_tag(text) {
        add(
            Said::Vote(String::new()),
            place.or(Some(Reason::BrokenMarkup)),
        );
    } else if let Some(rest) = words_after_word(text, "unvote") {
        let said = unvote_words(text);
        match said.len() > 1 || rest.is_empty() || rest.starts_with([':', '：']) {
            true => said.into_iter().for_each(|said| add(said, place)),
            false => add(Said::BareUnvote(rest.to_owned()), place),
        }
    } else if let Some(name) = words_after_vote(text) {
        add(Said::Vote(name.to_owned()), place);
    } else if let Some(name) = words_after_word(text, "vote").filter(|name| !name.is_empty()) {
        add(Said::BareVote(name.to_owned()), place);
    } else if has_vote_inside(text) {
        add(Said::Vote(String::new()), place.or(Some(Reason::MidLine)));
    }
}

/// Whether `VOTE:` in capitals stands inside a line.
fn has_vote_inside(text: &str) -> bool {
    text.match_indices("VOTE:").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_some_and(|letter| !letter.is_alphanumeric())
    })
}
